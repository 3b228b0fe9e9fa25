//! The transcript: a fold of events into entries.
//! Streamed deltas only add what the stored step replaces, so a restored transcript is the one that was shown.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use protocol::{Event, EventId, Gate, InputId, InputReason, StepId, ToolCallId, TurnId, Usage};

use crate::ledger::Ledger;
use crate::step::LiveStep;
use crate::turn::Turn;
use crate::work::Run;
use crate::{Activity, Answer, Entry, EntryId, EntryKind, EntryState, LocalRow, PaceRate, Work};

mod fold;
#[cfg(test)]
mod log;
#[cfg(test)]
mod random_logs;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

/// All entries of a session, and what runs in it.
#[derive(Clone, Default, Debug)]
pub struct Transcript {
    ledger: Ledger,
    cards: HashMap<ToolCallId, EntryId>,
    turns: HashMap<TurnId, Turn>,
    run: Option<Run>,
    /// When the newest turn that ended did.
    idle_since_ms: u64,
    step: Option<LiveStep>,
    /// Steps of the running turn whose answer is stored: deltas that come late for them tell nothing new.
    answered: HashSet<StepId>,
    /// Answers with text that is not on screen, oldest first.
    behind: Vec<EntryId>,
    gates: Vec<Gate>,
    queue: Vec<Queued>,
    usage: Option<Usage>,
    local: Vec<Local>,
    newest_event: Option<EventId>,
    /// Inputs whose text this window has given back already.
    returned: HashSet<InputId>,
}

/// What an event means beyond the entries.
#[derive(Clone, PartialEq, Debug)]
pub enum Notable {
    /// The input waits in the queue.
    InputQueued(InputId),
    /// The input is in the transcript.
    InputTaken(InputId),
    /// The input will never reach the model: its text belongs back in the composer. Told once for each input.
    InputReturned {
        input: InputId,
        reason: InputReason,
        text: String,
    },
    TurnEnded,
    /// The provider answered after so many retries.
    RetryRecovered {
        attempts: u32,
    },
}

/// A message that waits for its turn or its step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Queued {
    pub input: InputId,
    pub text: String,
    /// Milliseconds since the epoch.
    pub at_ms: u64,
}

/// A row of this window, and the stored event it stands behind.
#[derive(Clone, Debug)]
struct Local {
    after: Option<EventId>,
    entry: EntryId,
    row: LocalRow,
}

/// Whether text appears by and by or whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reveal {
    Paced,
    AtOnce,
}

impl Transcript {
    pub fn new() -> Self {
        Self::default()
    }

    /// Folds one event as it happens: streamed text is paced.
    pub fn fold(&mut self, event: &Event) -> Vec<Notable> {
        self.fold_event(event, Reveal::Paced).into_iter().collect()
    }

    /// Begins anew from the stored events of the same session, all text shown; the rows that only this window knows
    /// stay where they were.
    /// Returns the inputs that ended unheard after the last one that was heard.
    pub fn restore<'a>(&mut self, events: impl IntoIterator<Item = &'a Event>) -> Vec<Notable> {
        let local = std::mem::take(&mut self.local);
        self.forget_events();
        let mut waiting = self.note_those_after(None, local);
        let mut returned = Vec::new();
        for event in events {
            match self.fold_event(event, Reveal::AtOnce) {
                Some(Notable::InputQueued(_) | Notable::InputTaken(_)) => returned.clear(),
                Some(back @ Notable::InputReturned { .. }) => returned.push(back),
                Some(Notable::TurnEnded | Notable::RetryRecovered { .. }) | None => {}
            }
            if !waiting.is_empty() {
                waiting = self.note_those_after(Some(event.header.id), waiting);
            }
        }
        waiting.into_iter().for_each(|local| self.note(local.row));
        returned
    }

    /// Begins another session. Ids of entries go on, so nothing can take a new entry for an old one.
    pub fn clear(&mut self) {
        self.forget_events();
        self.local.clear();
        self.returned.clear();
    }

    /// No further event will come: nothing runs any more, all text is shown, and messages that waited come back.
    pub fn close(&mut self) -> Vec<Notable> {
        self.run_over();
        if let Some(turn) = self.run.take().map(|run| run.turn) {
            self.cancel_open_cards(turn);
        }
        self.reveal_all();
        let queue = std::mem::take(&mut self.queue);
        let reason = InputReason::ProcessEnded;
        queue.into_iter().filter_map(|queued| self.give_back(queued.input, reason, queued.text)).collect()
    }

    /// Adds a row that only this window knows.
    pub fn note(&mut self, row: LocalRow) {
        let entry = self.ledger.push(EntryState::Final, row.kind());
        self.local.push(Local { after: self.newest_event, entry, row });
    }

    pub fn entries(&self) -> &[Entry] {
        self.ledger.entries()
    }

    /// One frame of pace. Returns whether anything more is shown.
    pub fn advance(&mut self, rate: PaceRate) -> bool {
        let backlog = self.behind.iter().filter_map(|id| self.answer(*id)).map(Answer::backlog).sum();
        self.show(rate.reveal(backlog))
    }

    /// Whether arrived text is not on screen yet.
    pub fn is_behind(&self) -> bool {
        !self.behind.is_empty()
    }

    /// Shows all that has arrived.
    pub fn reveal_all(&mut self) {
        self.show(u64::MAX);
    }

    /// How many entries the scrollback holds: always the first ones.
    pub fn committed(&self) -> usize {
        self.ledger.committed()
    }

    /// The entries that a frame made now would commit.
    pub fn flush(&self) -> Range<usize> {
        self.ledger.flush()
    }

    /// The terminal took a frame that committed the entries up to and with this one.
    pub fn commit(&mut self, through: EntryId) {
        self.ledger.commit(through);
    }

    /// What runs, none when the session is idle and all text is shown.
    pub fn work(&self) -> Option<Work> {
        match (&self.run, self.queue.first()) {
            (Some(run), _) if !run.is_over() || self.is_behind() => Some(run.work(!self.gates.is_empty())),
            (Some(_) | None, Some(queued)) => Some(Work {
                since_ms: self.clock_of(queued),
                activity: Activity::Waiting,
                last_byte_at_ms: None,
                output_tokens: 0,
            }),
            (Some(_) | None, None) => None,
        }
    }

    /// The open gates, oldest first.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The messages that wait, oldest first.
    pub fn queue(&self) -> &[Queued] {
        &self.queue
    }

    /// What the provider counted for the last response it counted for.
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Adds the rows that stand behind this event again and returns the others.
    fn note_those_after(&mut self, event: Option<EventId>, waiting: Vec<Local>) -> Vec<Local> {
        let (due, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|local| local.after == event);
        due.into_iter().for_each(|local| self.note(local.row));
        later
    }

    /// Forgets all that was folded, but for the ids that were given out.
    fn forget_events(&mut self) {
        let mut ledger = std::mem::take(&mut self.ledger);
        ledger.clear();
        *self = Self {
            ledger,
            local: std::mem::take(&mut self.local),
            returned: std::mem::take(&mut self.returned),
            ..Self::default()
        };
    }

    /// When the clock of a waiting message starts: when it was submitted, but not while another turn ran.
    fn clock_of(&self, queued: &Queued) -> u64 {
        queued.at_ms.max(self.idle_since_ms)
    }

    fn answer(&self, id: EntryId) -> Option<&Answer> {
        let EntryKind::Answer(answer) = &self.ledger.get(id)?.kind else { return None };
        Some(answer)
    }
}
