//! Streamed text: deltas as they come, the stored answer that replaces them, and the frames that show it.

use protocol::{Block, Failure, FailureKind, Header, StepId, Usage};

use super::tools::stored_card;
use super::{Notable, Reveal, Transcript};
use crate::step::{LiveStep, Part, Shown, parts};
use crate::turn::LastAnswer;
use crate::work::Piece;
use crate::{Answer, EntryId, EntryKind, EntryState, Thinking, ToolState};

/// What a stored step says.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredAnswer<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) usage: Option<Usage>,
    pub(super) thinking_ms: Option<u64>,
    pub(super) cut: Option<&'a Failure>,
}

impl Transcript {
    pub(super) fn step_started(&mut self, header: &Header) {
        let Some(step) = header.step else { return };
        self.abandon_step();
        self.begin_step(header, step);
        if let Some(run) = &mut self.run {
            run.step_started(header.at_ms);
        }
    }

    /// Takes text, thinking or new arguments of the running step.
    pub(super) fn piece_came(&mut self, header: &Header, piece: Piece) {
        if !self.is_streaming(header) {
            return;
        }
        if let Some(run) = &mut self.run {
            run.piece_came(piece, header.at_ms);
        }
        match piece {
            Piece::Text(text) => self.text_came(header, text),
            Piece::Thinking(text) => self.thinking_came(header, text),
            Piece::Arguments(_) => self.thinking_over(header.at_ms),
        }
    }

    /// Whether the event belongs to the step that streams; the first of a step that was never announced begins it.
    pub(super) fn is_streaming(&mut self, header: &Header) -> bool {
        let Some(step) = header.step.filter(|step| !self.answered.contains(step)) else { return false };
        if self.step.as_ref().is_none_or(|live| live.step != step) {
            self.abandon_step();
            self.begin_step(header, step);
        }
        true
    }

    /// The stored answer takes the place of what its deltas showed, and nothing that was shown goes away.
    pub(super) fn step_answered(&mut self, header: &Header, stored: StoredAnswer, reveal: Reveal) -> Option<Notable> {
        let (step, turn) = (header.step?, header.turn?);
        self.answered.insert(step);
        self.usage = stored.usage.or(self.usage);
        if let Some(run) = self.run.as_mut().filter(|run| run.turn == turn) {
            run.step_answered(stored.usage);
        }
        let slots = self.step.take_if(|live| live.step == step).map_or_else(Vec::new, |live| live.slots);
        self.settle_slots(header, slots, stored, reveal);
        self.turns.entry(turn).or_default().answer = LastAnswer::of(stored.blocks, stored.cut);
        self.show_end(turn);
        None
    }

    /// What streamed and was not stored: text that was shown stays, marked incomplete.
    pub(super) fn abandon_step(&mut self) {
        let Some(live) = self.step.take() else { return };
        for id in live.slots {
            match self.ledger.get(id).map(|entry| leftover(&entry.kind)) {
                Some(Leftover::Text) => {
                    self.change_answer(id, |answer| answer.cut = Some(unstored()));
                    self.settle_if_shown(id);
                }
                Some(Leftover::Thinking) => self.ledger.change(id, |entry| entry.state = EntryState::Final),
                Some(Leftover::Call) => self.turns.entry(live.turn).or_default().open_cards.push(id),
                Some(Leftover::Nothing) | None => {
                    self.take_cards(&[id]);
                    self.drop_slot(id);
                }
            }
        }
    }

    /// Shows so many characters more, the oldest first. Returns whether there were any.
    pub(super) fn show(&mut self, chars: u64) -> bool {
        let mut left = chars;
        for id in self.behind.clone() {
            if left == 0 {
                break;
            }
            self.change_answer(id, |answer| left -= answer.reveal(left));
            self.settle_if_shown(id);
        }
        left < chars
    }

    fn begin_step(&mut self, header: &Header, step: StepId) {
        self.step = header.turn.map(|turn| LiveStep { step, turn, slots: Vec::new(), thinking_since_ms: None });
    }

    fn text_came(&mut self, header: &Header, text: &str) {
        self.thinking_over(header.at_ms);
        let id = self.last_slot(|kind| matches!(kind, EntryKind::Answer(_))).unwrap_or_else(|| {
            self.push_slot(EntryKind::Answer(Answer { text: String::new(), shown_bytes: 0, cut: None }))
        });
        self.change_answer(id, |answer| answer.append(text));
        self.note_behind(id);
    }

    fn thinking_came(&mut self, header: &Header, text: &str) {
        let id = self.last_slot(|kind| matches!(kind, EntryKind::Thinking(_))).unwrap_or_else(|| {
            self.push_slot(EntryKind::Thinking(Thinking { text: String::new(), duration_ms: None }))
        });
        self.ledger.change(id, |entry| {
            if let EntryKind::Thinking(thinking) = &mut entry.kind {
                thinking.text.push_str(text);
            }
        });
        if let Some(live) = &mut self.step {
            live.thinking_since_ms.get_or_insert(header.at_ms);
        }
    }

    /// The model has gone on to something else.
    fn thinking_over(&mut self, at_ms: u64) {
        let Some(since_ms) = self.step.as_mut().and_then(|live| live.thinking_since_ms.take()) else { return };
        if let Some(id) = self.last_slot(|kind| matches!(kind, EntryKind::Thinking(_))) {
            self.ledger.change(id, |entry| {
                if let EntryKind::Thinking(thinking) = &mut entry.kind {
                    thinking.duration_ms = Some(at_ms.saturating_sub(since_ms));
                }
            });
        }
    }

    /// Puts the stored parts into the slots of the step, in order; more parts come behind, fewer take slots away.
    fn settle_slots(&mut self, header: &Header, slots: Vec<EntryId>, stored: StoredAnswer, reveal: Reveal) {
        let mut shown = match reveal {
            Reveal::AtOnce => Shown::ALL,
            Reveal::Paced => Shown::new(slots.iter().filter_map(|id| self.answer(*id)).map(|it| it.shown_bytes).sum()),
        };
        let live_cards = self.take_cards(&slots);
        let mut thinking_ms = stored.thinking_ms;
        let mut free = slots.into_iter();
        for part in parts(stored.blocks) {
            let kind = match part {
                Part::Thinking { text } => EntryKind::Thinking(Thinking { text, duration_ms: thinking_ms.take() }),
                Part::Text { text } => {
                    let shown_bytes = shown.deal(&text);
                    EntryKind::Answer(Answer { text, shown_bytes, cut: stored.cut.cloned() })
                }
                // Its gate or its result came first and made the card.
                Part::Call { call, .. } if self.cards.contains_key(&call) => continue,
                Part::Call { call, name, arguments } => {
                    let live = live_cards.iter().find(|card| card.call == call);
                    EntryKind::Tool(stored_card(live, call, name, arguments, stored.cut.is_some()))
                }
            };
            self.settle_slot(header, free.next(), kind);
        }
        free.for_each(|id| self.drop_slot(id));
    }

    fn settle_slot(&mut self, header: &Header, slot: Option<EntryId>, kind: EntryKind) {
        let card = if let EntryKind::Tool(card) = &kind { Some((card.call, card.outcome())) } else { None };
        let id = match slot {
            Some(id) => {
                self.ledger.change(id, |entry| entry.kind = kind);
                self.behind.retain(|behind| *behind != id);
                id
            }
            None => self.ledger.push(EntryState::Active, kind),
        };
        match card {
            Some((call, outcome)) => self.know_card(header, call, id, outcome),
            None => {
                self.note_behind(id);
                self.settle_if_shown(id);
            }
        }
    }

    /// The newest entry of the step, if it is of this kind.
    fn last_slot(&self, is_kind: impl Fn(&EntryKind) -> bool) -> Option<EntryId> {
        let id = *self.step.as_ref()?.slots.last()?;
        self.ledger.get(id).filter(|entry| is_kind(&entry.kind)).map(|entry| entry.id)
    }

    pub(super) fn push_slot(&mut self, kind: EntryKind) -> EntryId {
        let id = self.ledger.push(EntryState::Active, kind);
        if let Some(live) = &mut self.step {
            live.slots.push(id);
        }
        id
    }

    fn drop_slot(&mut self, id: EntryId) {
        self.behind.retain(|behind| *behind != id);
        self.ledger.remove(id);
    }

    fn change_answer(&mut self, id: EntryId, change: impl FnOnce(&mut Answer)) {
        self.ledger.change(id, |entry| {
            if let EntryKind::Answer(answer) = &mut entry.kind {
                change(answer);
            }
        });
    }

    fn note_behind(&mut self, id: EntryId) {
        let is_behind = self.answer(id).is_some_and(Answer::is_behind);
        if let (true, Err(place)) = (is_behind, self.behind.binary_search(&id)) {
            self.behind.insert(place, id);
        }
    }

    /// Settles text that is shown whole, unless its step still streams.
    fn settle_if_shown(&mut self, id: EntryId) {
        if self.answer(id).is_some_and(Answer::is_behind) {
            return;
        }
        self.behind.retain(|behind| *behind != id);
        let streams = self.step.as_ref().is_some_and(|live| live.slots.contains(&id));
        if !streams {
            self.ledger.change(id, |entry| entry.state = EntryState::Final);
        }
    }
}

/// What a step leaves that ended without being stored.
enum Leftover {
    Text,
    Thinking,
    /// A call that is more than a draft of its arguments.
    Call,
    Nothing,
}

fn leftover(kind: &EntryKind) -> Leftover {
    match kind {
        EntryKind::Answer(answer) if !answer.text.trim().is_empty() => Leftover::Text,
        EntryKind::Thinking(thinking) if !thinking.text.trim().is_empty() => Leftover::Thinking,
        EntryKind::Tool(card) if !matches!(card.state, ToolState::Writing) => Leftover::Call,
        EntryKind::User(_)
        | EntryKind::Thinking(_)
        | EntryKind::Answer(_)
        | EntryKind::Tool(_)
        | EntryKind::TurnEnd(_)
        | EntryKind::Notice { .. }
        | EntryKind::ModelChanged { .. }
        | EntryKind::Unknown { .. } => Leftover::Nothing,
    }
}

/// Why text is incomplete whose end nobody stored.
fn unstored() -> Failure {
    Failure::new(FailureKind::Other, "the stream ended early", "")
}
