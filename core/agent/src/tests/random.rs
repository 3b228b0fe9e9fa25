//! Random sessions: what may come in, and a session that took it.
//! Judges nothing: `laws_of_sessions` does.

use std::collections::BTreeSet;

use proptest::prelude::*;
use protocol::{Block, Chunk, Command, Enduring, Event, InputId, InterruptTarget, StopReason};

use super::world::{World, config, done, failure, prepared};
use crate::{Config, Effect, Input, Limits, Outcome, Timer};

/// One thing that comes in. Numbers choose among what is known, counted from the newest, so that late ones come too.
#[derive(Clone, Debug)]
pub(super) enum Move {
    Submit,
    SubmitAgain(usize),
    Interrupt,
    Approve(usize),
    Deny(usize),
    Text(usize),
    Think(usize),
    Call { step: usize, index: usize },
    Done(usize),
    End(usize),
    Fail { step: usize, is_transient: bool },
    Prepared { call: usize, need: &'static str },
    Bad(usize),
    Output(usize),
    Finished(usize),
    RetryTimer,
    InterruptTimer,
    FirstByteTimer(usize),
    StallTimer(usize),
    Wait,
}

/// A session that was played to its end, and all that came out of it.
pub(super) struct Played {
    pub(super) world: World,
    pub(super) config: Config,
    pub(super) submitted: BTreeSet<InputId>,
    pub(super) refused_count: usize,
    pub(super) happened: Vec<(Input, Vec<Effect>)>,
}

pub(super) fn moves() -> impl Strategy<Value = Vec<Move>> {
    let some = prop_oneof![3 => one_move().prop_map(|one| vec![one]), 1 => batch_of_calls()];
    prop::collection::vec(some, 0..40).prop_map(|parts| parts.concat())
}

fn one_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        6 => Just(Move::Submit),
        1 => nth().prop_map(Move::SubmitAgain),
        2 => Just(Move::Interrupt),
        12 => nth().prop_map(Move::Approve),
        4 => nth().prop_map(Move::Deny),
        6 => nth().prop_map(Move::Text),
        2 => nth().prop_map(Move::Think),
        4 => (nth(), 0..3_usize).prop_map(|(step, index)| Move::Call { step, index }),
        6 => nth().prop_map(Move::Done),
        1 => nth().prop_map(Move::End),
        2 => (nth(), prop::bool::weighted(0.7)).prop_map(|(step, is_transient)| Move::Fail { step, is_transient }),
        4 => (nth(), need()).prop_map(|(call, need)| Move::Prepared { call, need }),
        2 => nth().prop_map(Move::Bad),
        2 => nth().prop_map(Move::Output),
        14 => nth().prop_map(Move::Finished),
        6 => Just(Move::RetryTimer),
        3 => Just(Move::InterruptTimer),
        1 => nth().prop_map(Move::FirstByteTimer),
        1 => nth().prop_map(Move::StallTimer),
        2 => Just(Move::Wait),
    ]
}

/// An answer with calls that are decoded at once, so that many random sessions come to run some.
fn batch_of_calls() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec(need(), 1..4).prop_map(|needs| {
        let calls = (0..needs.len()).map(|index| Move::Call { step: 0, index });
        let decoded = needs.iter().enumerate().map(|(call, need)| Move::Prepared { call, need });
        calls.chain([Move::Done(0)]).chain(decoded).collect()
    })
}

fn nth() -> impl Strategy<Value = usize> {
    prop_oneof![6 => Just(0_usize), 3 => 1..3_usize, 1 => 0..9_usize]
}

fn need() -> impl Strategy<Value = &'static str> {
    prop_oneof![2 => Just("read"), 1 => Just("write"), 1 => Just("command"), 1 => Just("outside")]
}

pub(super) fn played(moves: &[Move]) -> Played {
    let limits =
        Limits { steps_max: 4, tool_calls_max: 6, first_byte_ms: Some(50), stall_ms: Some(50), ..config().limits };
    let config = Config { limits, ..config() };
    let world = World::new(config.clone());
    let mut played = Played { world, config, submitted: BTreeSet::new(), refused_count: 0, happened: Vec::new() };
    for step in moves {
        played.run(step);
    }
    played
}

impl Played {
    pub(super) fn run(&mut self, step: &Move) {
        if matches!(step, Move::Wait) {
            self.world.now_ms += 30;
            return;
        }
        if let Some(input) = self.input(step) {
            self.handle(input);
        }
    }

    pub(super) fn handle(&mut self, input: Input) {
        let effects = self.world.handle(input.clone());
        for effect in &effects {
            let line = self.world.carry_out(effect);
            self.refused_count += usize::from(line.starts_with("~ refused"));
        }
        self.happened.push((input, effects));
    }

    /// Ends what still runs, as a person would who leaves.
    pub(super) fn interrupted_to_the_end(mut self) -> Self {
        for _ in 0..3 {
            let interrupt = self.world.command(Command::Interrupt { target: InterruptTarget::Session });
            self.handle(interrupt);
        }
        assert!(self.world.session.is_idle());
        self
    }

    fn input(&mut self, step: &Move) -> Option<Input> {
        let world = &mut self.world;
        Some(match *step {
            Move::Submit => {
                let (input, command) = world.make_input("hi");
                self.submitted.insert(input);
                world.command(command)
            }
            Move::SubmitAgain(nth) => {
                let input = *self.submitted.iter().rev().nth(nth)?;
                world.command(Command::Submit { to: None, input, blocks: vec![Block::text("again")] })
            }
            Move::Interrupt => world.command(Command::Interrupt { target: InterruptTarget::Session }),
            Move::Approve(nth) => {
                let gate = newest(&world.gates, nth)?;
                world.command(Command::Approve { gate })
            }
            Move::Deny(nth) => {
                let gate = newest(&world.gates, nth)?;
                world.command(Command::Deny { gate })
            }
            Move::Wait => return None,
            Move::Text(_)
            | Move::Think(_)
            | Move::Call { .. }
            | Move::Done(_)
            | Move::End(_)
            | Move::Fail { .. }
            | Move::Prepared { .. }
            | Move::Bad(_)
            | Move::Output(_)
            | Move::Finished(_)
            | Move::RetryTimer
            | Move::InterruptTimer
            | Move::FirstByteTimer(_)
            | Move::StallTimer(_) => Input::Outcome(outcome(world, step)?),
        })
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.world.stored
    }

    pub(super) fn stored<T>(&self, pick: impl Fn(&Event, &Enduring) -> Option<T>) -> Vec<T> {
        self.events().iter().filter_map(|event| pick(event, event.enduring()?)).collect()
    }
}

fn outcome(world: &World, step: &Move) -> Option<Outcome> {
    let chunk = |nth: usize, chunk: Chunk| Some(Outcome::StreamChunk { step: newest(&world.steps, nth)?, chunk });
    match *step {
        Move::Text(nth) => chunk(nth, Chunk::Text("text".to_owned())),
        Move::Think(nth) => chunk(nth, Chunk::Thinking("hm".to_owned())),
        Move::Call { step, index } => chunk(
            step,
            Chunk::ToolCall { index, provider_id: String::new(), name: "tool".to_owned(), arguments: "{}".to_owned() },
        ),
        Move::Done(nth) => chunk(nth, Chunk::Done { usage: None, stop: StopReason::EndTurn }),
        Move::End(nth) => Some(Outcome::StreamEnded { step: newest(&world.steps, nth)? }),
        Move::Fail { step, is_transient } => {
            let failure = failure(if is_transient { "overloaded" } else { "key" });
            Some(Outcome::StreamFailed { step: newest(&world.steps, step)?, failure })
        }
        Move::Prepared { call, need } => {
            Some(Outcome::CallPrepared { call: newest(&world.calls, call)?, result: Ok(prepared(need)) })
        }
        Move::Bad(nth) => {
            Some(Outcome::CallPrepared { call: newest(&world.calls, nth)?, result: Err("bad".to_owned()) })
        }
        Move::Output(nth) => Some(Outcome::CallOutput { call: newest(&world.calls, nth)?, chunk: "out".to_owned() }),
        Move::Finished(nth) => Some(Outcome::CallFinished { call: newest(&world.calls, nth)?, output: done("ok") }),
        Move::RetryTimer => Some(Outcome::TimerFired { timer: Timer::Retry(newest(&world.turns, 0)?) }),
        Move::InterruptTimer => Some(Outcome::TimerFired { timer: Timer::Interrupt(newest(&world.turns, 0)?) }),
        Move::FirstByteTimer(nth) => Some(Outcome::TimerFired { timer: Timer::FirstByte(newest(&world.steps, nth)?) }),
        Move::StallTimer(nth) => Some(Outcome::TimerFired { timer: Timer::Stall(newest(&world.steps, nth)?) }),
        Move::Submit | Move::SubmitAgain(_) | Move::Interrupt | Move::Approve(_) | Move::Deny(_) | Move::Wait => None,
    }
}

fn newest<Id: Copy>(known: &[Id], nth: usize) -> Option<Id> {
    known.iter().rev().nth(nth).copied()
}
