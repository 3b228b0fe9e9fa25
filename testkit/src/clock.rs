//! The clock of a test: the runtime's paused time after a fixed date, and seeds that count.

use std::sync::atomic::{AtomicU64, Ordering};

use ports::Clock;
use protocol::Stamp;
use tokio::time::Instant;

pub(crate) struct TestClock {
    begun: Instant,
    begun_ms: u64,
    next_seed: AtomicU64,
}

impl TestClock {
    /// Starts within a runtime, at a date in milliseconds since the epoch.
    pub(crate) fn start(begun_ms: u64, seed: u64) -> Self {
        Self { begun: Instant::now(), begun_ms, next_seed: AtomicU64::new(seed) }
    }

    pub(crate) fn now_ms(&self) -> u64 {
        let elapsed = u64::try_from(self.begun.elapsed().as_millis()).expect("no test takes that long");
        self.begun_ms + elapsed
    }
}

impl Clock for TestClock {
    fn stamp(&self) -> Stamp {
        Stamp { at_ms: self.now_ms(), seed: self.next_seed.fetch_add(1, Ordering::Relaxed) }
    }
}
