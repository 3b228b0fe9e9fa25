//! The fold itself: what each event does to inputs, turns and entries.
//! Streamed text is in `stream`, calls and gates are in `tools`.

use protocol::{Block, Body, Enduring, Ephemeral, Event, Header, InputId, InputReason, RetryOutcome, TurnId};

use super::stream::StoredAnswer;
use super::{Notable, Queued, Reveal, Transcript};
use crate::turn::{Ending, Episode, LastAnswer};
use crate::work::{Piece, Run};
use crate::{Activity, Decision, EntryKind, EntryState, User};

impl Transcript {
    pub(super) fn fold_event(&mut self, event: &Event, reveal: Reveal) -> Option<Notable> {
        match &event.body {
            Body::Enduring(enduring) => {
                self.newest_event = Some(event.header.id);
                self.fold_enduring(&event.header, enduring, reveal)
            }
            Body::Ephemeral(ephemeral) => {
                self.fold_ephemeral(&event.header, ephemeral);
                None
            }
        }
    }

    fn fold_enduring(&mut self, header: &Header, event: &Enduring, reveal: Reveal) -> Option<Notable> {
        match event {
            Enduring::SessionStarted { .. }
            | Enduring::SessionRestored { .. }
            | Enduring::LoopStarted { .. }
            | Enduring::StepDone {} => None,
            Enduring::LoopIdle {} => self.run_over(),
            Enduring::ModelChanged { from, to } => {
                self.settled(EntryKind::ModelChanged { from: from.clone(), to: to.clone() })
            }
            Enduring::Unknown { type_name, .. } => self.settled(EntryKind::Unknown { type_name: type_name.clone() }),
            Enduring::InputQueued { input, blocks } => self.input_queued(header, *input, blocks),
            Enduring::InputCancelled { input, reason, blocks } | Enduring::InputRejected { input, reason, blocks } => {
                self.input_returned(*input, *reason, blocks)
            }
            Enduring::TurnStarted { input, blocks } => {
                self.turn_started(header, *input);
                self.input_taken(*input, User { text: text_of(blocks), is_steered: false })
            }
            Enduring::InputFolded { input, blocks } => {
                // What was answered before it does not answer it.
                self.turns.entry(header.turn?).or_default().answer = LastAnswer::None;
                self.input_taken(*input, User { text: text_of(blocks), is_steered: true })
            }
            Enduring::RetryEpisodeEnded { attempts, reason, outcome } => {
                let episode = Episode { attempts: *attempts, reason: reason.clone(), outcome: *outcome };
                self.retries_ended(header.turn?, episode)
            }
            Enduring::TurnDone { .. } => self.turn_ended(header, Ending::Done),
            Enduring::TurnFailed { failure } => self.turn_ended(header, Ending::Failed(failure.clone())),
            Enduring::TurnInterrupted {} => self.turn_ended(header, Ending::Interrupted),
            Enduring::StepAnswered { blocks, usage, marks, cut, .. } => {
                let answer = StoredAnswer { blocks, usage: *usage, thinking_ms: marks.thinking_ms, cut: cut.as_ref() };
                self.step_answered(header, answer, reveal)
            }
            Enduring::GateOpened { gate } => self.gate_opened(header, gate),
            Enduring::GateResolved { gate, answer, source } => {
                self.gate_resolved(header, *gate, Decision { answer: *answer, source: *source })
            }
            Enduring::ToolFinished { name, summary, output } => self.tool_finished(header, name, summary, output),
        }
    }

    fn fold_ephemeral(&mut self, header: &Header, event: &Ephemeral) {
        if !self.run.as_ref().is_some_and(|run| !run.is_over() && Some(run.turn) == header.turn) {
            // What streams belongs to the running turn; all else crossed its end on the way, or is no entry.
            return;
        }
        match event {
            Ephemeral::StepStarted { .. } => self.step_started(header),
            Ephemeral::TextDelta { text } => self.piece_came(header, Piece::Text(text)),
            Ephemeral::ThinkingDelta { text } => self.piece_came(header, Piece::Thinking(text)),
            Ephemeral::ToolArgsDelta { name, arguments } => self.arguments_came(header, name, arguments),
            Ephemeral::ToolStarted { name, summary } => self.tool_started(header, name, summary),
            Ephemeral::ToolOutput { chunk } => self.tool_output(header, chunk),
            Ephemeral::RetryScheduled { attempt, attempts_max, delay_ms, reason } => {
                self.retry_scheduled(Activity::Retrying {
                    attempt: *attempt,
                    attempts_max: *attempts_max,
                    at_ms: header.at_ms.saturating_add(*delay_ms),
                    reason: reason.clone(),
                });
            }
            Ephemeral::CommandAnswered { .. } => {}
        }
    }

    fn settled(&mut self, kind: EntryKind) -> Option<Notable> {
        self.ledger.push(EntryState::Final, kind);
        None
    }

    fn input_queued(&mut self, header: &Header, input: InputId, blocks: &[Block]) -> Option<Notable> {
        self.forget_lost(input);
        self.queue.push(Queued { input, text: text_of(blocks), at_ms: header.at_ms });
        Some(Notable::InputQueued(input))
    }

    fn input_taken(&mut self, input: InputId, user: User) -> Option<Notable> {
        self.queue.retain(|queued| queued.input != input);
        self.forget_lost(input);
        self.ledger.push(EntryState::Final, EntryKind::User(user));
        Some(Notable::InputTaken(input))
    }

    /// Takes away the row that said this input was lost.
    fn forget_lost(&mut self, input: InputId) {
        let local = std::mem::take(&mut self.local);
        let (wrong, right): (Vec<_>, Vec<_>) = local.into_iter().partition(|local| local.row.is_disproved_by(input));
        self.local = right;
        wrong.iter().for_each(|local| self.ledger.remove(local.entry));
    }

    fn input_returned(&mut self, input: InputId, reason: InputReason, blocks: &[Block]) -> Option<Notable> {
        self.queue.retain(|queued| queued.input != input);
        self.give_back(input, reason, text_of(blocks))
    }

    /// Tells that a text belongs back in the composer, unless this window was told before.
    pub(super) fn give_back(&mut self, input: InputId, reason: InputReason, text: String) -> Option<Notable> {
        self.returned.insert(input).then_some(Notable::InputReturned { input, reason, text })
    }

    fn turn_started(&mut self, header: &Header, input: InputId) {
        self.run_over();
        let Some(turn) = header.turn else { return };
        let queued = self.queue.iter().find(|queued| queued.input == input);
        let since_ms = queued.map_or(header.at_ms, |queued| self.clock_of(queued));
        self.run = Some(Run::new(turn, since_ms));
        self.answered.clear();
        self.turns.insert(turn, Default::default());
    }

    fn retry_scheduled(&mut self, activity: Activity) {
        self.abandon_step();
        if let Some(run) = &mut self.run {
            run.retry_scheduled(activity);
        }
    }

    fn retries_ended(&mut self, turn: TurnId, episode: Episode) -> Option<Notable> {
        let attempts = episode.attempts;
        match episode.outcome {
            RetryOutcome::Recovered => return Some(Notable::RetryRecovered { attempts }),
            RetryOutcome::GaveUp | RetryOutcome::Stopped => {}
        }
        self.turns.entry(turn).or_default().episode = Some(episode);
        self.show_end(turn);
        None
    }

    fn turn_ended(&mut self, header: &Header, ending: Ending) -> Option<Notable> {
        let turn = header.turn?;
        self.idle_since_ms = header.at_ms;
        if self.run.as_ref().is_some_and(|run| run.turn == turn) {
            self.run_over();
        }
        self.cancel_open_cards(turn);
        self.turns.entry(turn).or_default().ending = Some(ending);
        self.show_end(turn);
        Some(Notable::TurnEnded)
    }

    /// Brings the end row of a turn to what is known of the turn by now.
    pub(super) fn show_end(&mut self, turn: TurnId) {
        let Some(known) = self.turns.get_mut(&turn) else { return };
        match (known.row, known.end()) {
            (None, None) => {}
            (None, Some(end)) => known.row = Some(self.ledger.push(EntryState::Final, EntryKind::TurnEnd(end))),
            (Some(row), Some(end)) => self.ledger.change(row, |entry| entry.kind = EntryKind::TurnEnd(end)),
            (Some(row), None) => {
                known.row = None;
                self.ledger.remove(row);
            }
        }
    }

    /// Nothing more comes for the running turn.
    pub(super) fn run_over(&mut self) -> Option<Notable> {
        self.abandon_step();
        self.gates.clear();
        if let Some(run) = &mut self.run {
            run.end();
        }
        None
    }
}

/// Returns the text of a message.
fn text_of(blocks: &[Block]) -> String {
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text { text } => Some(text.as_str()),
            Block::Thinking { .. } | Block::ToolUse { .. } => None,
        })
        .collect();
    texts.join("\n")
}
