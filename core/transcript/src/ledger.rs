//! The ledger: the list of entries, and which of them the scrollback already holds.
//! Writes nothing and knows no event; what may be committed is decided by `laws::ledger`.

use std::ops::Range;

use laws::ledger::{Phase, flush};

use crate::{Entry, EntryId, EntryKind, EntryState};

/// Entries in order of their ids, the first `committed` of them in the scrollback.
#[derive(Clone, Default, Debug)]
pub(crate) struct Ledger {
    entries: Vec<Entry>,
    committed: usize,
    /// How many ids were given out, over all transcripts this ledger ever held.
    made: u64,
}

impl Ledger {
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn committed(&self) -> usize {
        self.committed
    }

    pub(crate) fn push(&mut self, state: EntryState, kind: EntryKind) -> EntryId {
        self.made += 1;
        let id = EntryId(self.made);
        self.entries.push(Entry { id, revision: 0, state, kind });
        id
    }

    pub(crate) fn get(&self, id: EntryId) -> Option<&Entry> {
        self.position(id).map(|index| &self.entries[index])
    }

    /// Lets `change` alter an entry that may be gone by now; whatever it does counts as a new revision.
    pub(crate) fn change(&mut self, id: EntryId, change: impl FnOnce(&mut Entry)) {
        if let Some(index) = self.position(id) {
            let entry = &mut self.entries[index];
            entry.revision += 1;
            change(entry);
        }
    }

    pub(crate) fn remove(&mut self, id: EntryId) {
        if let Some(index) = self.position(id) {
            self.entries.remove(index);
            if index < self.committed {
                self.committed -= 1;
            }
        }
    }

    /// Forgets all entries; a later one never has the id of an earlier one.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.committed = 0;
    }

    /// The entries that a frame made now would commit.
    pub(crate) fn flush(&self) -> Range<usize> {
        let mut phases: Vec<Phase> = self.entries[self.committed..].iter().map(phase).collect();
        self.committed..self.committed + flush(&mut phases, 0)
    }

    /// Moves on to the last entry up to `through` that a flush commits.
    pub(crate) fn commit(&mut self, through: EntryId) {
        let taken = self.entries.partition_point(|entry| entry.id <= through);
        self.committed = taken.clamp(self.committed, self.flush().end);
    }

    fn position(&self, id: EntryId) -> Option<usize> {
        self.entries.binary_search_by_key(&id, |entry| entry.id).ok()
    }
}

fn phase(entry: &Entry) -> Phase {
    match entry.state {
        EntryState::Active => Phase::Active,
        EntryState::Final => Phase::Final,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoticeLevel;

    fn notice(text: &str) -> EntryKind {
        EntryKind::Notice { level: NoticeLevel::Info, text: text.into() }
    }

    #[test]
    fn the_first_active_entry_holds_back_all_behind_it() {
        let mut ledger = Ledger::default();
        ledger.push(EntryState::Final, notice("a"));
        let held = ledger.push(EntryState::Active, notice("b"));
        let last = ledger.push(EntryState::Final, notice("c"));
        assert_eq!(ledger.flush(), 0..1);
        ledger.commit(last);
        assert_eq!((ledger.committed(), ledger.flush()), (1, 1..1));
        ledger.change(held, |entry| entry.state = EntryState::Final);
        assert_eq!(ledger.flush(), 1..3);
    }

    #[test]
    fn only_what_a_frame_held_is_committed_when_it_is_painted() {
        let mut ledger = Ledger::default();
        let lost = ledger.push(EntryState::Final, notice("a"));
        let in_flight = ledger.push(EntryState::Final, notice("b"));
        ledger.push(EntryState::Final, notice("came while the frame was on its way"));
        ledger.remove(lost);
        ledger.commit(in_flight);
        assert_eq!((ledger.committed(), ledger.flush()), (1, 1..2));
    }

    #[test]
    fn a_frame_of_an_older_transcript_commits_nothing() {
        let mut ledger = Ledger::default();
        let old = ledger.push(EntryState::Final, notice("a"));
        ledger.clear();
        ledger.push(EntryState::Final, notice("b"));
        ledger.commit(old);
        assert_eq!(ledger.committed(), 0);
    }
}
