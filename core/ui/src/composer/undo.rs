//! What the draft was before each edit, and after each that was undone.

use std::collections::VecDeque;

use super::draft::Draft;

/// Edits that can be undone; the oldest is forgotten.
const SNAPSHOTS_MAX: usize = 200;

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Snapshot {
    pub(super) draft: Draft,
    pub(super) cursor: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Undo {
    past: VecDeque<Snapshot>,
    future: Vec<Snapshot>,
}

impl Undo {
    /// Keeps what was there before an edit.
    pub(super) fn record(&mut self, before: Snapshot) {
        self.future.clear();
        self.past.push_back(before);
        if self.past.len() > SNAPSHOTS_MAX {
            self.past.pop_front();
        }
    }

    pub(super) fn undo(&mut self, now: Snapshot) -> Option<Snapshot> {
        let before = self.past.pop_back()?;
        self.future.push(now);
        Some(before)
    }

    pub(super) fn redo(&mut self, now: Snapshot) -> Option<Snapshot> {
        let after = self.future.pop()?;
        self.past.push_back(now);
        Some(after)
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}
