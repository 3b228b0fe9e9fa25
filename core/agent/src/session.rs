//! A session: commands and outcomes in, effects out; and a stored session opened again.
//! Finds the loop that each of them is about; what happens there is decided in `turn`, `step` and `batch`.

use std::collections::BTreeMap;

use protocol::{
    Agency, Block, Cause, Command, CommandId, Enduring, Ephemeral, Event, Failure, GateAction, GateAnswer, GateId,
    GateSource, InputId, InputReason, InterruptTarget, LoopId, SessionId, Source, Stamp,
};

use crate::agent_loop::Loop;
use crate::moment::{Moment, Place};
use crate::{Config, Effect, Input, Outcome};

#[derive(Debug)]
pub struct Session {
    id: SessionId,
    config: Config,
    loops: Loops,
    storage: Storage,
}

#[derive(Debug)]
struct Loops {
    /// Whether the session is in the journal.
    is_stored: bool,
    /// Where a message goes that names no loop; always one of `by_id`.
    active: LoopId,
    by_id: BTreeMap<LoopId, Loop>,
}

/// Whether the journal takes events.
#[derive(Debug)]
enum Storage {
    /// The newest command is told if it stops working.
    Works {
        newest: Option<CommandId>,
    },
    Failed(Failure),
}

impl Session {
    /// Returns an empty session. Nothing of it is stored before the first prompt.
    pub fn new(id: SessionId, config: Config, stamp: Stamp) -> Self {
        let active: LoopId = stamp.ids().make();
        Self { id, config, loops: Loops::new(active, []), storage: Storage::Works { newest: None } }
    }

    /// Opens a stored session: folds its events, and closes by new ones what the last process left open.
    pub fn restore(config: Config, events: &[Event], stamp: Stamp) -> (Self, Vec<Effect>) {
        let mut ids = stamp.ids();
        let id = events.first().map(|event| event.header.session).unwrap_or_else(|| ids.make());
        let named: Vec<LoopId> = events.iter().filter_map(|event| event.header.loop_id).collect();
        let active = named.first().copied().unwrap_or_else(|| ids.make());
        let mut loops = Loops::new(active, named);
        for event in events {
            loops.apply(event);
        }
        let mut now = Moment::new(&config, id, stamp, Cause { from: Source::Session, agency: Agency::Machine });
        now.ids = ids;
        loops.mend(&mut now);
        let effects = now.effects;
        (Self { id, config, loops, storage: Storage::Works { newest: None } }, effects)
    }

    /// Takes one thing that happened, and returns what must be done about it, in order.
    pub fn handle(&mut self, stamp: Stamp, input: Input) -> Vec<Effect> {
        match input {
            Input::Command { id, command } => self.take_command(stamp, id, command),
            Input::Outcome(Outcome::AppendFailed { failure }) => self.stop(stamp, failure),
            Input::Outcome(outcome) => self.take_outcome(stamp, outcome),
        }
    }

    pub fn id(&self) -> SessionId {
        self.id
    }

    /// Where a message goes that names no loop.
    pub fn active_loop(&self) -> LoopId {
        self.loops.active
    }

    fn take_command(&mut self, stamp: Stamp, id: CommandId, command: Command) -> Vec<Effect> {
        let cause = Cause { from: Source::Command(id), agency: Agency::Human };
        let mut now = Moment::new(&self.config, self.id, stamp, cause);
        let result = match &mut self.storage {
            Storage::Failed(failure) => Err(failure.to_string()),
            Storage::Works { newest } => {
                *newest = Some(id);
                self.loops.carry_out(command, &mut now)
            }
        };
        if let Err(words) = result {
            now.emit(Place::SESSION, Ephemeral::CommandAnswered { command: id, refused: Some(words) });
        }
        now.effects
    }

    fn take_outcome(&mut self, stamp: Stamp, outcome: Outcome) -> Vec<Effect> {
        let Some(target) = self.loops.by_id.values_mut().find(|candidate| candidate.awaits(&outcome)) else {
            return Vec::new();
        };
        let mut now = Moment::new(&self.config, self.id, stamp, target.cause_of(&outcome));
        target.take(outcome, &mut now);
        now.effects
    }

    /// Ends all work for good: what cannot be stored must not be done.
    fn stop(&mut self, stamp: Stamp, failure: Failure) -> Vec<Effect> {
        let cause = Cause { from: Source::Session, agency: Agency::Machine };
        let mut now = Moment::new(&self.config, self.id, stamp, cause);
        for abandoned in self.loops.by_id.values_mut() {
            abandoned.abandon(&mut now);
        }
        if let Storage::Works { newest: Some(command) } = self.storage {
            let refused = Some(failure.to_string());
            now.emit(Place::SESSION, Ephemeral::CommandAnswered { command, refused });
        }
        self.storage = Storage::Failed(failure);
        now.effects
    }
}

impl Loops {
    fn new(active: LoopId, others: impl IntoIterator<Item = LoopId>) -> Self {
        let by_id = others.into_iter().chain([active]).map(|id| (id, Loop::new(id))).collect();
        Self { is_stored: false, active, by_id }
    }

    /// Folds one stored event.
    fn apply(&mut self, event: &Event) {
        self.is_stored |= matches!(event.enduring(), Some(Enduring::SessionStarted { .. }));
        if let Some(target) = event.header.loop_id.and_then(|id| self.by_id.get_mut(&id)) {
            target.record.apply(event);
        }
    }

    /// Carries a command out, or says why not.
    fn carry_out(&mut self, command: Command, now: &mut Moment) -> Result<(), String> {
        match command {
            Command::Submit { to, input, blocks } => self.submit(to, input, blocks, now),
            Command::Interrupt { target } => self.interrupt(target, now),
            Command::Approve { gate } => self.answer_gate(gate, GateAction::Approve, now),
            Command::Deny { gate } => self.answer_gate(gate, GateAction::Deny, now),
        }
    }

    fn submit(
        &mut self,
        to: Option<LoopId>,
        input: InputId,
        blocks: Vec<Block>,
        now: &mut Moment,
    ) -> Result<(), String> {
        let id = to.unwrap_or(self.active);
        let target = self.by_id.get(&id).ok_or("there is no such loop; send the message to the active one")?;
        if is_blank(&blocks) {
            return Err("the message is empty; write something first".to_owned());
        }
        if target.record.inputs.contains(&input) {
            return Err("this message was taken before; it is not sent twice".to_owned());
        }
        self.store_session(now);
        if let Some(target) = self.by_id.get_mut(&id) {
            target.store_start(now);
            target.submit(input, blocks, now);
        }
        Ok(())
    }

    fn interrupt(&mut self, target: InterruptTarget, now: &mut Moment) -> Result<(), String> {
        let is_meant = |id: LoopId| match target {
            InterruptTarget::Loop(only) => id == only,
            InterruptTarget::Session => true,
        };
        let mut stopped_count = 0;
        for meant in self.by_id.values_mut().filter(|candidate| is_meant(candidate.id)) {
            stopped_count += usize::from(meant.interrupt(now));
        }
        if stopped_count == 0 {
            return Err("nothing runs that could be interrupted".to_owned());
        }
        Ok(())
    }

    fn answer_gate(&mut self, gate: GateId, action: GateAction, now: &mut Moment) -> Result<(), String> {
        let is_answered = self.by_id.values_mut().any(|candidate| candidate.answer_gate(gate, action, now));
        if is_answered { Ok(()) } else { Err("this question is no longer open".to_owned()) }
    }

    fn store_session(&mut self, now: &mut Moment) {
        if self.is_stored {
            return;
        }
        let config = now.config;
        let started = Enduring::SessionStarted {
            workspace: config.workspace.clone(),
            profile: config.profile,
            tour: config.tour,
        };
        let event = now.event(Place::SESSION, started);
        self.apply(&event);
        now.push(Effect::Append(event));
    }

    fn mend(&mut self, now: &mut Moment) {
        let mut closed = Closed::default();
        for restored in self.by_id.values_mut() {
            restored.mend(&mut closed, now);
        }
        if closed != Closed::default() {
            let Closed { turns: closed_turns, gates: closed_gates } = closed;
            let event = now.event(Place::SESSION, Enduring::SessionRestored { closed_turns, closed_gates });
            self.apply(&event);
            now.push(Effect::Append(event));
        }
    }
}

/// What a restored session had to close.
#[derive(PartialEq, Eq, Default)]
struct Closed {
    turns: u64,
    gates: u64,
}

impl Loop {
    fn store_start(&mut self, now: &mut Moment) {
        if self.record.model.is_none() {
            let (agent_name, model) = (now.config.agent_name.clone(), now.config.model.clone());
            self.append(self.place(), Enduring::LoopStarted { agent_name, model }, now);
        }
    }

    /// Closes what a process that is gone has left open.
    fn mend(&mut self, closed: &mut Closed, now: &mut Moment) {
        for open in self.record.gates.clone() {
            let place = self.place().turn(open.turn).step(open.step).call(open.call);
            let (answer, source) = (GateAnswer::RestoreUnavailable, GateSource::Program);
            self.append(place, Enduring::GateResolved { gate: open.gate, answer, source }, now);
            closed.gates += 1;
        }
        self.cancel_queue(InputReason::ProcessEnded, now);
        if let Some(turn) = self.record.turn.as_ref().map(|turn| turn.id) {
            self.append(self.place().turn(turn), Enduring::TurnInterrupted {}, now);
            closed.turns += 1;
        }
        if self.record.is_busy {
            self.append(self.place(), Enduring::LoopIdle {}, now);
        }
        let to = now.config.model.clone();
        if let Some(from) = self.record.model.clone().filter(|from| *from != to) {
            self.append(self.place(), Enduring::ModelChanged { from, to }, now);
        }
    }
}

fn is_blank(blocks: &[Block]) -> bool {
    blocks.iter().all(|block| matches!(block, Block::Text { text } if text.trim().is_empty()))
}

#[cfg(test)]
impl Session {
    /// Everything that is known of the session from its stored events.
    pub(crate) fn records(&self) -> BTreeMap<LoopId, crate::record::Record> {
        self.loops.by_id.iter().map(|(id, known)| (*id, known.record.clone())).collect()
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.loops.by_id.values().all(|known| known.work.is_none())
    }
}
