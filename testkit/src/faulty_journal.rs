//! A journal whose disk may be full or stuck, as the test says; otherwise the real one.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use ports::{Backlog, Journal, JournalError, SessionRow};
use protocol::{Event, Failure, SessionId};

use crate::witness::Witness;

/// The disk under a journal, as the test has it.
#[derive(Clone, Default)]
pub(crate) struct Disk {
    health: Arc<(Mutex<Health>, Condvar)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Health {
    #[default]
    Sound,
    /// Every append fails.
    Full,
    /// An append does not come back before the disk is sound again.
    Stuck,
}

impl Disk {
    pub(crate) fn set(&self, health: Health) {
        *self.health.0.lock().unwrap_or_else(PoisonError::into_inner) = health;
        self.health.1.notify_all();
    }

    /// Waits while it is stuck; then it is sound or full.
    fn settled(&self) -> Health {
        let health = self.health.0.lock().unwrap_or_else(PoisonError::into_inner);
        let settled = self.health.1.wait_while(health, |health| *health == Health::Stuck);
        *settled.unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct FaultyJournal<Inner> {
    pub(crate) inner: Inner,
    pub(crate) disk: Disk,
    pub(crate) witness: Witness,
}

impl<Inner: Journal> Journal for FaultyJournal<Inner> {
    fn append(&mut self, events: &[Event]) -> Result<u64, JournalError> {
        match self.disk.settled() {
            Health::Sound => {
                let first = self.inner.append(events)?;
                self.witness.stored(events);
                Ok(first)
            }
            Health::Full | Health::Stuck => {
                Err(JournalError { path: "/tmp/journal.db".to_owned(), reason: "no space left on device".to_owned() })
            }
        }
    }

    fn read(&mut self, session: SessionId, after: u64) -> Result<Backlog, JournalError> {
        self.inner.read(session, after)
    }

    fn newest(&mut self, workspace: &str) -> Result<Option<SessionRow>, JournalError> {
        self.inner.newest(workspace)
    }

    fn prompts(&mut self, workspace: &str, count_max: usize) -> Result<Vec<String>, JournalError> {
        self.inner.prompts(workspace, count_max)
    }

    fn lease(&mut self, session: SessionId) -> Result<(), Failure> {
        self.inner.lease(session)
    }
}
