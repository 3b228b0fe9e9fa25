//! Time and randomness, which only the shell may ask for.

use protocol::Stamp;

/// Gives a stamp for each thing that happens.
pub trait Clock: Send + Sync {
    fn stamp(&self) -> Stamp;
}
