//! The kill ring: texts taken out by word or to a line's edge, to be yanked again.

use std::collections::VecDeque;

use super::draft::{Draft, Way};

/// Texts kept; the oldest is forgotten.
const KILLS_MAX: usize = 32;

#[derive(Clone, Debug, Default)]
pub(super) struct KillRing {
    /// Newest first.
    kills: VecDeque<Draft>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kill {
    /// Begins a text of its own.
    First,
    /// Follows a kill at once, and joins its text.
    Next,
}

impl KillRing {
    pub(super) fn add(&mut self, killed: Draft, kill: Kill, way: Way) {
        match (kill, self.kills.front_mut()) {
            (Kill::Next, Some(newest)) => {
                let at = match way {
                    Way::Backward => 0,
                    Way::Forward => newest.len(),
                };
                newest.insert(at, &killed);
            }
            (Kill::First, _) | (Kill::Next, None) => {
                self.kills.push_front(killed);
                self.kills.truncate(KILLS_MAX);
            }
        }
    }

    /// The text `age` places behind the newest; goes round.
    pub(super) fn get(&self, age: usize) -> Option<&Draft> {
        self.kills.get(age.checked_rem(self.kills.len())?)
    }
}
