//! Laws over random sessions: whatever comes in, in whatever order, and wherever the process is killed.
//! `EUKHE_CASES`, read when the tests are built, sets how many sessions are tried.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use protocol::{
    Block, Command, Enduring, Event, Failure, FailureKind, GateAnswer, GateId, InputId, InterruptTarget, Message,
    ToolCallId, TurnId,
};

use super::random::{Move, moves, played};
use super::world::World;
use crate::{Effect, Input, Outcome};

/// So many sessions, or as many as are asked for.
fn sessions(count: u32) -> ProptestConfig {
    ProptestConfig::with_cases(option_env!("EUKHE_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(count))
}

fn stored<T>(events: &[Event], pick: impl Fn(&Event, &Enduring) -> Option<T>) -> Vec<T> {
    events.iter().filter_map(|event| pick(event, event.enduring()?)).collect()
}

/// The input that an event ends, if it ends one.
fn ended_input(_: &Event, enduring: &Enduring) -> Option<InputId> {
    if let Enduring::TurnStarted { input, .. }
    | Enduring::InputFolded { input, .. }
    | Enduring::InputCancelled { input, .. }
    | Enduring::InputRejected { input, .. } = enduring
    {
        return Some(*input);
    }
    None
}

fn queued_input(_: &Event, enduring: &Enduring) -> Option<InputId> {
    if let Enduring::InputQueued { input, .. } = enduring { Some(*input) } else { None }
}

fn opened_gate(_: &Event, enduring: &Enduring) -> Option<GateId> {
    if let Enduring::GateOpened { gate } = enduring { Some(gate.id) } else { None }
}

fn resolved_gate(_: &Event, enduring: &Enduring) -> Option<GateId> {
    if let Enduring::GateResolved { gate, .. } = enduring { Some(*gate) } else { None }
}

fn finished_call(event: &Event, enduring: &Enduring) -> Option<ToolCallId> {
    matches!(enduring, Enduring::ToolFinished { .. }).then_some(event.header.call).flatten()
}

fn calls_asked_for(_: &Event, enduring: &Enduring) -> Option<Vec<ToolCallId>> {
    let Enduring::StepAnswered { blocks, .. } = enduring else { return None };
    Some(blocks.iter().filter_map(call_in).map(|(call, _)| call).collect())
}

fn started_turn(event: &Event, enduring: &Enduring) -> Option<TurnId> {
    matches!(enduring, Enduring::TurnStarted { .. }).then_some(event.header.turn).flatten()
}

fn ended_turn(event: &Event, enduring: &Enduring) -> Option<TurnId> {
    let is_end =
        matches!(enduring, Enduring::TurnDone { .. } | Enduring::TurnFailed { .. } | Enduring::TurnInterrupted {});
    is_end.then_some(event.header.turn).flatten()
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

fn counts<T: Ord>(items: Vec<T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts
}

/// Whether every provider takes these messages.
fn messages_are_valid(messages: &[Message]) -> Result<(), String> {
    let mut rest = messages;
    let mut is_users_turn = true;
    while let [message, after @ ..] = rest {
        rest = after;
        match message {
            Message::User { blocks } => {
                check_that(is_users_turn, "two messages of the user")?;
                check_that(blocks.iter().all(is_filled) && !blocks.is_empty(), "a blank message of the user")?;
                is_users_turn = false;
            }
            Message::Assistant { blocks } => {
                check_that(!is_users_turn, "an answer to nothing")?;
                let says = |block: &Block| is_filled(block) && !matches!(block, Block::Thinking { .. });
                check_that(blocks.iter().any(says), "a blank answer")?;
                let calls: Vec<(ToolCallId, &String)> = blocks.iter().filter_map(call_in).collect();
                let ids: BTreeSet<&String> = calls.iter().map(|(_, id)| *id).collect();
                check_that(ids.len() == calls.len() && !ids.contains(&String::new()), "calls that look alike")?;
                check_that(rest.len() >= calls.len(), "a call without a result")?;
                let (results, after) = rest.split_at(calls.len());
                let answered: Vec<(ToolCallId, &String)> = results.iter().filter_map(call_answered).collect();
                check_that(answered == calls, "results that do not fit their calls")?;
                is_users_turn = calls.is_empty();
                if !is_users_turn && matches!(after.first(), Some(Message::User { .. })) {
                    is_users_turn = true;
                }
                rest = after;
            }
            Message::ToolResult { .. } => return Err("a result without a call".to_owned()),
        }
    }
    check_that(!messages.is_empty() && !is_users_turn, "nothing to answer")
}

fn check_that(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn is_filled(block: &Block) -> bool {
    !matches!(block, Block::Text { text } if text.trim().is_empty())
}

fn call_in(block: &Block) -> Option<(ToolCallId, &String)> {
    match block {
        Block::ToolUse { call, provider_id, .. } => Some((*call, provider_id)),
        Block::Text { .. } | Block::Thinking { .. } => None,
    }
}

fn call_answered(message: &Message) -> Option<(ToolCallId, &String)> {
    match message {
        Message::ToolResult { call, provider_id, .. } => Some((*call, provider_id)),
        Message::User { .. } | Message::Assistant { .. } => None,
    }
}

/// The messages of every request among the effects.
fn requests(effects: &[Effect]) -> Vec<&Vec<Message>> {
    effects
        .iter()
        .filter_map(|effect| if let Effect::StartStream { messages, .. } = effect { Some(messages) } else { None })
        .collect()
}

proptest! {
    #![proptest_config(sessions(1_500))]

    /// Sampled: 1,500 sessions of up to 40 things that come in, more by `EUKHE_CASES`.
    #[test]
    fn input_never_lost(moves in moves()) {
        let played = played(&moves).interrupted_to_the_end();
        let ends = played.stored(ended_input);
        prop_assert_eq!(sorted(ends), played.submitted.iter().copied().collect::<Vec<_>>());
    }

    #[test]
    fn each_turn_ends_exactly_once(moves in moves()) {
        let played = played(&moves).interrupted_to_the_end();
        prop_assert_eq!(sorted(played.stored(ended_turn)), sorted(played.stored(started_turn)));
    }

    /// Sampled: 1,500 sessions of up to 40 things that come in, more by `EUKHE_CASES`.
    #[test]
    fn gate_once(moves in moves()) {
        let played = played(&moves).interrupted_to_the_end();
        prop_assert_eq!(sorted(played.stored(resolved_gate)), sorted(played.stored(opened_gate)));
        let mut asked = BTreeSet::new();
        for effect in played.happened.iter().flat_map(|(_, effects)| effects) {
            match effect {
                Effect::Append(event) => match event.enduring() {
                    Some(Enduring::GateOpened { gate }) => drop(asked.insert(gate.call)),
                    Some(Enduring::GateResolved { .. }) => drop(event.header.call.map(|call| asked.remove(&call))),
                    Some(_) | None => {}
                },
                Effect::RunCall { call } => prop_assert!(!asked.contains(call), "it ran before its gate was resolved"),
                Effect::Emit(_)
                | Effect::StartStream { .. }
                | Effect::AbortStream { .. }
                | Effect::PrepareCall { .. }
                | Effect::CancelCall { .. }
                | Effect::SetTimer { .. } => {}
            }
        }
    }

    /// Sampled: 1,500 sessions of up to 40 things that come in, more by `EUKHE_CASES`.
    #[test]
    fn deny_by_default(moves in moves()) {
        let played = played(&moves);
        let (mut decoding, mut needs_approval, mut approved) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut open_count = 0_usize;
        for (input, effects) in &played.happened {
            if let Input::Outcome(Outcome::CallPrepared { call, result: Ok(prepared) }) = input
                && decoding.remove(call)
                && prepared.summary != "a read"
            {
                needs_approval.insert(*call);
            }
            for effect in effects {
                match effect {
                    Effect::Append(event) => match event.enduring() {
                        Some(Enduring::GateOpened { .. }) => open_count += 1,
                        Some(Enduring::GateResolved { answer, .. }) => {
                            open_count -= 1;
                            if *answer == GateAnswer::Approved {
                                approved.insert(event.header.call.unwrap());
                            }
                        }
                        Some(_) | None => {}
                    },
                    Effect::RunCall { call } => {
                        prop_assert_eq!(open_count, 0, "a call ran while a question was open");
                        prop_assert!(!needs_approval.contains(call) || approved.contains(call));
                    }
                    Effect::PrepareCall { call, .. } => {
                        decoding.insert(*call);
                    }
                    Effect::Emit(_)
                    | Effect::StartStream { .. }
                    | Effect::AbortStream { .. }
                    | Effect::CancelCall { .. }
                    | Effect::SetTimer { .. } => {}
                }
            }
        }
    }

    #[test]
    fn each_call_runs_at_most_once_and_has_exactly_one_result(moves in moves()) {
        let played = played(&moves).interrupted_to_the_end();
        let all: Vec<&Effect> = played.happened.iter().flat_map(|(_, effects)| effects).collect();
        let runs = all.iter().filter_map(|effect| if let Effect::RunCall { call } = effect { Some(*call) } else { None });
        prop_assert!(counts(runs.collect()).values().all(|count| *count == 1));
        let asked = played.stored(calls_asked_for).concat();
        prop_assert_eq!(sorted(played.stored(finished_call)), sorted(asked));
    }

    #[test]
    fn what_comes_late_does_nothing(moves in moves()) {
        let played = played(&moves);
        let mut newest_step = None;
        for (input, effects) in &played.happened {
            if let Input::Outcome(
                Outcome::StreamChunk { step, .. } | Outcome::StreamFailed { step, .. } | Outcome::StreamEnded { step },
            ) = input
            {
                prop_assert!(newest_step == Some(*step) || effects.is_empty());
            }
            for effect in effects {
                if let Effect::StartStream { step, .. } = effect {
                    newest_step = Some(*step);
                }
            }
        }
    }

    #[test]
    fn an_answer_is_stored_before_anything_comes_of_it(moves in moves()) {
        let played = played(&moves);
        let mut answered = BTreeSet::new();
        for effect in played.happened.iter().flat_map(|(_, effects)| effects) {
            match effect {
                Effect::Append(event) => {
                    answered.extend(event.enduring().and_then(|enduring| calls_asked_for(event, enduring)).unwrap_or_default());
                    if let Some(Enduring::GateOpened { gate }) = event.enduring() {
                        prop_assert!(answered.contains(&gate.call));
                    }
                }
                Effect::PrepareCall { call, .. } | Effect::RunCall { call } => prop_assert!(answered.contains(call)),
                Effect::Emit(_)
                | Effect::StartStream { .. }
                | Effect::AbortStream { .. }
                | Effect::CancelCall { .. }
                | Effect::SetTimer { .. } => {}
            }
        }
    }

    #[test]
    fn every_stored_event_carries_the_ids_of_its_scope(moves in moves()) {
        let played = played(&moves);
        for event in played.events() {
            let scope = event.enduring().and_then(Enduring::scope);
            prop_assert!(scope.is_some_and(|scope| event.header.fits(scope)), "{event:?}");
        }
    }

    #[test]
    fn every_request_is_valid(moves in moves()) {
        let played = played(&moves);
        for (_, effects) in &played.happened {
            for messages in requests(effects) {
                prop_assert_eq!(messages_are_valid(messages), Ok(()), "{:?}", messages);
            }
        }
    }

    #[test]
    fn a_restored_session_knows_what_the_live_one_knew(moves in moves()) {
        let played = played(&moves).interrupted_to_the_end();
        let (restored, mended) = World::restored(played.config.clone(), played.events(), 7);
        prop_assert_eq!(mended, [""; 0]);
        if !played.events().is_empty() {
            prop_assert_eq!(restored.session.records(), played.world.session.records());
        }
    }

    #[test]
    fn a_full_disk_stops_everything(moves in moves(), after in moves()) {
        let mut played = played(&moves);
        let full = Failure::new(FailureKind::Storage, "The disk is full", "make room");
        played.handle(Input::Outcome(Outcome::AppendFailed { failure: full }));
        let (before, refused_before) = (played.happened.len(), played.refused_count);
        for step in &after {
            played.run(step);
        }
        let later = &played.happened[before..];
        let commands = later.iter().filter(|(input, _)| matches!(input, Input::Command { .. }));
        prop_assert_eq!(played.refused_count - refused_before, commands.count());
        prop_assert!(later.iter().flat_map(|(_, effects)| effects).all(|effect| matches!(effect, Effect::Emit(_))));
    }
}

proptest! {
    #![proptest_config(sessions(150))]

    #[test]
    fn a_process_killed_anywhere_leaves_a_session_that_goes_on(moves in moves()) {
        let played = played(&moves);
        for end in 1..=played.events().len() {
            let (mut restored, _) = World::restored(played.config.clone(), &played.events()[..end], 7);
            let open = stored(&restored.stored, started_turn).len() - stored(&restored.stored, ended_turn).len();
            prop_assert_eq!(open, 0);
            let queued = stored(&restored.stored, queued_input);
            let known: BTreeSet<InputId> = queued.into_iter().chain(stored(&restored.stored, ended_input)).collect();
            prop_assert_eq!(sorted(stored(&restored.stored, ended_input)), known.into_iter().collect::<Vec<_>>());
            let (_, mended_again) = World::restored(played.config.clone(), &restored.stored, 8);
            prop_assert_eq!(mended_again, [""; 0]);
            let (_, submit) = restored.make_input("go on");
            let submit = restored.command(submit);
            let effects = restored.handle(submit);
            let asked = requests(&effects);
            prop_assert_eq!(asked.len(), 1);
            prop_assert_eq!(messages_are_valid(asked[0]), Ok(()), "{:?}", asked[0]);
        }
    }

    #[test]
    fn an_interrupt_after_any_step_ends_the_turn_once_and_starts_nothing(moves in moves()) {
        for end in 0..=moves.len() {
            let mut played = played(&moves[..end]);
            let before = played.happened.len();
            let interrupt = played.world.command(Command::Interrupt { target: InterruptTarget::Session });
            played.handle(interrupt);
            for step in moves[end..].iter().filter(|step| !matches!(step, Move::Submit | Move::SubmitAgain(_))) {
                played.run(step);
            }
            let again = played.world.command(Command::Interrupt { target: InterruptTarget::Session });
            played.handle(again);
            let late = played.happened[before..].iter().flat_map(|(_, effects)| effects);
            let starts_work = |effect: &Effect| {
                matches!(effect, Effect::StartStream { .. } | Effect::RunCall { .. } | Effect::PrepareCall { .. })
            };
            prop_assert!(!late.into_iter().any(starts_work));
            prop_assert!(played.world.session.is_idle());
            prop_assert_eq!(played.stored(ended_turn).len(), played.stored(started_turn).len());
        }
    }
}
