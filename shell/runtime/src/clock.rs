//! The system's clock as the port wants it: wall time, and a seed that no two stamps share.
//! Hands out no time zone and no calendar.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use ports::Clock;
use protocol::Stamp;

/// The step between two seeds: odd, so that all 2^64 come before one comes twice.
const SEED_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

pub struct SystemClock {
    next_seed: AtomicU64,
}

impl SystemClock {
    /// Takes the first seed from the system's randomness.
    pub fn new() -> Result<Self, getrandom::Error> {
        Ok(Self { next_seed: AtomicU64::new(getrandom::u64()?) })
    }
}

impl Clock for SystemClock {
    fn stamp(&self) -> Stamp {
        // A clock set before 1970 reads as 1970: nothing here depends on it but the times shown.
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at_ms = u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX);
        Stamp { at_ms, seed: self.next_seed.fetch_add(SEED_STEP, Ordering::Relaxed) }
    }
}
