//! The journal: append-only events, stored before anyone sees them.

use protocol::{Event, Failure, SessionId};

pub trait Journal: Send {
    /// Appends enduring events in order, all or none, and returns the number of the first.
    /// An event whose id is already stored changes nothing.
    fn append(&mut self, events: &[Event]) -> Result<u64, JournalError>;

    /// Reads the events of a session after a number, in order.
    fn read(&mut self, session: SessionId, after: u64) -> Result<Backlog, JournalError>;

    /// The session of a workspace that was used last.
    fn newest(&mut self, workspace: &str) -> Result<Option<SessionRow>, JournalError>;

    /// The newest prompts of a workspace, oldest first, equal neighbors once.
    fn prompts(&mut self, workspace: &str, count_max: usize) -> Result<Vec<String>, JournalError>;

    /// Makes this process the only writer of a session until the journal is dropped; fails with who is.
    fn lease(&mut self, session: SessionId) -> Result<(), Failure>;
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    /// The place in the session's log, from 1.
    pub seq: u64,
    pub event: Event,
}

/// What could be read of a session.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Backlog {
    pub events: Vec<Stored>,
    /// Rows that could not be read; the rest is whole.
    pub skipped_count: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionRow {
    pub session: SessionId,
    pub title: String,
    pub last_active_ms: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the journal {path}: {reason}")]
pub struct JournalError {
    pub path: String,
    pub reason: String,
}
