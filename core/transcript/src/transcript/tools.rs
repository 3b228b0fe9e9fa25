//! Tool calls and their gates: one card for each call, from its first argument to its result.

use protocol::{Gate, GateId, Header, ToolCallId, ToolOutcome, ToolOutput, TurnId};

use super::{Notable, Transcript};
use crate::work::Piece;
use crate::{Decision, EntryId, EntryKind, EntryState, LiveRun, ToolCard, ToolState};

impl Transcript {
    /// Takes the arguments of a call as far as they have come.
    pub(super) fn arguments_came(&mut self, header: &Header, name: &str, arguments: &str) {
        let Some(call) = header.call.filter(|_| self.is_streaming(header)) else { return };
        let known = self.card(call).map_or(0, |card| card.arguments.len());
        self.piece_came(header, Piece::Arguments(arguments.get(known..).unwrap_or_default()));
        if !self.cards.contains_key(&call) {
            let id = self.push_slot(EntryKind::Tool(new_card(call, name)));
            self.cards.insert(call, id);
        }
        self.change_card(call, |card| {
            if matches!(card.state, ToolState::Writing) {
                card.arguments = arguments.to_owned();
            }
        });
    }

    pub(super) fn tool_started(&mut self, header: &Header, name: &str, summary: &str) {
        let Some(call) = header.call else { return };
        self.ensure_card(header, call, name);
        if let Some(run) = &mut self.run {
            run.tool_started(call, name);
        }
        self.change_card(call, |card| {
            if card.outcome().is_none() {
                let (started_at_ms, summary) = (header.at_ms, summary.to_owned());
                card.state = ToolState::Running(LiveRun { started_at_ms, summary, output: String::new() });
            }
        });
    }

    pub(super) fn tool_output(&mut self, header: &Header, chunk: &str) {
        let Some(call) = header.call else { return };
        self.change_card(call, |card| {
            if let ToolState::Running(run) = &mut card.state {
                run.append(chunk);
            }
        });
    }

    pub(super) fn gate_opened(&mut self, header: &Header, gate: &Gate) -> Option<Notable> {
        self.ensure_card(header, gate.call, &gate.tool);
        self.change_card(gate.call, |card| {
            card.summary = Some(gate.summary.clone());
            if card.outcome().is_none() {
                card.state = ToolState::WaitsForApproval;
            }
        });
        self.gates.push(gate.clone());
        None
    }

    pub(super) fn gate_resolved(&mut self, header: &Header, gate: GateId, decision: Decision) -> Option<Notable> {
        self.gates.retain(|open| open.id != gate);
        self.change_card(header.call?, |card| {
            card.decision = Some(decision);
            if matches!(card.state, ToolState::WaitsForApproval) {
                card.state = ToolState::Queued;
            }
        });
        None
    }

    pub(super) fn tool_finished(
        &mut self,
        header: &Header,
        name: &str,
        summary: &str,
        output: &ToolOutput,
    ) -> Option<Notable> {
        let call = header.call?;
        let id = self.ensure_card(header, call, name);
        if let Some(run) = &mut self.run {
            run.tool_finished(call);
        }
        self.change_card(call, |card| {
            card.summary = Some(summary.to_owned());
            card.state = ToolState::Ended(output.clone());
        });
        self.ledger.change(id, |entry| entry.state = EntryState::Final);
        if let Some(turn) = header.turn.and_then(|turn| self.turns.get_mut(&turn)) {
            turn.open_cards.retain(|open| *open != id);
        }
        None
    }

    /// Takes the cards of these entries out of the table of calls.
    pub(super) fn take_cards(&mut self, slots: &[EntryId]) -> Vec<ToolCard> {
        let mut cards = Vec::new();
        for entry in slots.iter().filter_map(|id| self.ledger.get(*id)) {
            if let EntryKind::Tool(card) = &entry.kind {
                cards.push(card.clone());
            }
        }
        for card in &cards {
            self.cards.remove(&card.call);
        }
        cards
    }

    /// Remembers where the card of a call is, and that its turn waits for its result.
    pub(super) fn know_card(&mut self, header: &Header, call: ToolCallId, id: EntryId, outcome: Option<ToolOutcome>) {
        self.cards.insert(call, id);
        if outcome.is_some() {
            self.ledger.change(id, |entry| entry.state = EntryState::Final);
        } else if let Some(turn) = header.turn {
            self.turns.entry(turn).or_default().open_cards.push(id);
        }
    }

    /// No result will come for the calls of a turn that has ended.
    pub(super) fn cancel_open_cards(&mut self, turn: TurnId) {
        let open = self.turns.get_mut(&turn).map(|turn| std::mem::take(&mut turn.open_cards)).unwrap_or_default();
        for id in open {
            self.ledger.change(id, |entry| {
                entry.state = EntryState::Final;
                if let EntryKind::Tool(card) = &mut entry.kind {
                    card.state = ToolState::Cancelled;
                }
            });
        }
    }

    fn card(&self, call: ToolCallId) -> Option<&ToolCard> {
        let EntryKind::Tool(card) = &self.ledger.get(*self.cards.get(&call)?)?.kind else { return None };
        Some(card)
    }

    fn change_card(&mut self, call: ToolCallId, change: impl FnOnce(&mut ToolCard)) {
        let Some(id) = self.cards.get(&call) else { return };
        self.ledger.change(*id, |entry| {
            if let EntryKind::Tool(card) = &mut entry.kind {
                change(card);
            }
        });
    }

    /// Returns the card of a call, a new one if the step that made the call is not known.
    fn ensure_card(&mut self, header: &Header, call: ToolCallId, name: &str) -> EntryId {
        if let Some(id) = self.cards.get(&call) {
            return *id;
        }
        let card = ToolCard { state: ToolState::Queued, ..new_card(call, name) };
        let id = self.ledger.push(EntryState::Active, EntryKind::Tool(card));
        self.know_card(header, call, id, None);
        id
    }
}

/// Returns the card that a stored answer has for a call, of which a card may have been shown before.
pub(super) fn stored_card(
    live: Option<&ToolCard>,
    call: ToolCallId,
    name: String,
    arguments: String,
    is_cut: bool,
) -> ToolCard {
    match live {
        Some(card) if !matches!(card.state, ToolState::Writing) => ToolCard { arguments, ..card.clone() },
        Some(_) | None => {
            // A call of an answer that was cut is never run.
            let state = if is_cut { ToolState::Cancelled } else { ToolState::Queued };
            ToolCard { arguments, state, ..new_card(call, &name) }
        }
    }
}

fn new_card(call: ToolCallId, name: &str) -> ToolCard {
    ToolCard {
        call,
        name: name.to_owned(),
        arguments: String::new(),
        summary: None,
        decision: None,
        state: ToolState::Writing,
    }
}
