//! A batch: the calls of one answer, from decoding over asking to their results.
//! Nothing of a batch runs before every question about it is answered; the calls themselves run in the shell.

use protocol::{
    Block, Enduring, Ephemeral, Gate, GateAction, GateAnswer, GateId, GateSource, StepId, ToolCallId, ToolOutcome,
    ToolOutput, TurnId,
};

use crate::agent_loop::{Loop, Phase, Work};
use crate::moment::{Moment, Place};
use crate::turn::End;
use crate::{Effect, Prepared, Timer, policy};

/// What the model reads when a person denied its call.
const DENIED: &str = "The user denied this call, and it was not run.";
/// What the model reads of a call that was stopped, or never begun, when its turn was.
const INTERRUPTED: &str = "The user interrupted the turn before this call ended.";
/// How much of a call's arguments stands for a summary where no tool made one.
const ARGUMENTS_CHARS_MAX: usize = 200;

#[derive(Debug)]
pub(crate) struct Batch {
    step: StepId,
    /// In the order of the answer.
    pub(crate) calls: Vec<Call>,
}

#[derive(Debug)]
pub(crate) struct Call {
    id: ToolCallId,
    name: String,
    arguments: String,
    state: State,
}

/// How far a call has come. Only a cleared one runs, and only a grant or an approval clears one.
#[derive(Debug)]
enum State {
    /// Its arguments are with the tool.
    Decoding,
    /// Not yet judged.
    Decoded(Prepared),
    Asked {
        gate: GateId,
        prepared: Prepared,
    },
    Cleared(Prepared),
    Running {
        summary: String,
        since_ms: u64,
    },
    Finished,
}

impl Batch {
    /// Returns the calls of an answer.
    pub(crate) fn of(step: StepId, answered: &Enduring) -> Self {
        let Enduring::StepAnswered { blocks, .. } = answered else { return Self { step, calls: Vec::new() } };
        let calls = blocks.iter().filter_map(|block| match block {
            Block::ToolUse { call, name, arguments, .. } => {
                Some(Call { id: *call, name: name.clone(), arguments: arguments.clone(), state: State::Decoding })
            }
            Block::Text { .. } | Block::Thinking { .. } => None,
        });
        Self { step, calls: calls.collect() }
    }

    pub(crate) fn has(&self, id: ToolCallId) -> bool {
        self.calls.iter().any(|call| call.id == id)
    }

    /// Tells the shell to stop or forget everything that has no result.
    pub(crate) fn cancel_all(&self, now: &mut Moment) {
        for call in self.calls.iter().filter(|call| !matches!(call.state, State::Finished)) {
            now.push(Effect::CancelCall { call: call.id });
        }
    }

    fn call_mut(&mut self, id: ToolCallId) -> Option<&mut Call> {
        self.calls.iter_mut().find(|call| call.id == id)
    }

    fn is_decoding(&self) -> bool {
        self.calls.iter().any(|call| matches!(call.state, State::Decoding))
    }

    fn is_running(&self) -> bool {
        self.calls.iter().any(|call| matches!(call.state, State::Running { .. }))
    }

    fn asked_by(&self, gate: GateId) -> Option<ToolCallId> {
        let is_it = |call: &&Call| matches!(&call.state, State::Asked { gate: open, .. } if *open == gate);
        self.calls.iter().find(is_it).map(|call| call.id)
    }

    /// Returns the calls that run next: neighbors that only read go together, any other call goes alone.
    fn next_to_run(&mut self) -> Vec<&mut Call> {
        let mut cleared = self.calls.iter_mut().filter(|call| matches!(call.state, State::Cleared(_)));
        let Some(first) = cleared.next() else { return Vec::new() };
        let mut group = vec![first];
        if group[0].only_reads() {
            group.extend(cleared.take_while(|call| call.only_reads()));
        }
        group
    }
}

impl Call {
    /// Takes the decoded call out, to bring it into its next state.
    fn take_decoded(&mut self) -> Option<Prepared> {
        match std::mem::replace(&mut self.state, State::Finished) {
            State::Decoded(prepared) | State::Asked { prepared, .. } => Some(prepared),
            other @ (State::Decoding | State::Cleared(_) | State::Running { .. } | State::Finished) => {
                self.state = other;
                None
            }
        }
    }

    fn only_reads(&self) -> bool {
        match &self.state {
            State::Decoded(prepared) | State::Asked { prepared, .. } | State::Cleared(prepared) => {
                policy::only_reads(&prepared.requirements)
            }
            State::Decoding | State::Running { .. } | State::Finished => false,
        }
    }

    fn summary(&self) -> String {
        match &self.state {
            State::Decoded(prepared) | State::Asked { prepared, .. } | State::Cleared(prepared) => {
                prepared.summary.clone()
            }
            State::Running { summary, .. } => summary.clone(),
            State::Decoding | State::Finished => {
                let line = self.arguments.split_whitespace().collect::<Vec<_>>().join(" ");
                line.chars().take(ARGUMENTS_CHARS_MAX).collect()
            }
        }
    }
}

impl Loop {
    /// Has all calls of an answer decoded; what follows waits until they are.
    pub(crate) fn start_batch(&mut self, turn: TurnId, batch: Batch, now: &mut Moment) {
        for call in &batch.calls {
            now.push(Effect::PrepareCall { call: call.id, name: call.name.clone(), arguments: call.arguments.clone() });
        }
        self.work = Some(Work { turn, episode: None, phase: Phase::Calling(batch) });
    }

    /// A call that cannot be decoded is answered for the model at once, and asks nobody.
    pub(crate) fn call_prepared(&mut self, id: ToolCallId, result: Result<Prepared, String>, now: &mut Moment) {
        let Some((turn, mut batch)) = self.take_batch() else { return };
        let place = self.place().turn(turn).step(batch.step);
        if let Some(call) = batch.call_mut(id)
            && matches!(call.state, State::Decoding)
        {
            match result {
                Ok(prepared) => call.state = State::Decoded(prepared),
                Err(words) => {
                    self.finish(place, call, not_run(ToolOutcome::Failed, &words), now);
                    call.state = State::Finished;
                }
            }
            return self.advance(turn, batch, now);
        }
        self.park(turn, batch);
    }

    /// Answers the question that holds the batch; returns whether there was that question.
    pub(crate) fn answer_gate(&mut self, gate: GateId, action: GateAction, now: &mut Moment) -> bool {
        let Some((turn, mut batch)) = self.take_batch() else { return false };
        let place = self.place().turn(turn).step(batch.step);
        let Some(call) = batch.asked_by(gate).and_then(|id| batch.call_mut(id)) else {
            self.park(turn, batch);
            return false;
        };
        match action {
            GateAction::Approve => {
                self.resolve(place, call, gate, (GateAnswer::Approved, GateSource::You), now);
                if let Some(prepared) = call.take_decoded() {
                    call.state = State::Cleared(prepared);
                }
            }
            GateAction::Deny => {
                self.resolve(place, call, gate, (GateAnswer::Denied, GateSource::You), now);
                now.push(Effect::CancelCall { call: call.id });
                self.finish(place, call, not_run(ToolOutcome::Denied, DENIED), now);
                call.state = State::Finished;
            }
        }
        self.advance(turn, batch, now);
        true
    }

    pub(crate) fn call_output(&mut self, id: ToolCallId, chunk: String, now: &mut Moment) {
        let Some(Work { turn, phase: Phase::Calling(batch) | Phase::Interrupting { batch, .. }, .. }) = &self.work
        else {
            return;
        };
        if batch.calls.iter().any(|call| call.id == id && matches!(call.state, State::Running { .. })) {
            let place = self.place().turn(*turn).step(batch.step).call(id);
            now.emit(place, Ephemeral::ToolOutput { chunk });
        }
    }

    pub(crate) fn call_finished(&mut self, id: ToolCallId, output: ToolOutput, now: &mut Moment) {
        let Some(Work { turn, episode, phase }) = self.work.take() else { return };
        match phase {
            Phase::Calling(mut batch) => {
                if self.finish_running(turn, &mut batch, id, output, now) {
                    self.advance(turn, batch, now);
                } else {
                    self.park(turn, batch);
                }
            }
            Phase::Interrupting { mut batch, cause } => {
                self.finish_running(turn, &mut batch, id, output, now);
                if batch.is_running() {
                    self.work = Some(Work { turn, episode, phase: Phase::Interrupting { batch, cause } });
                } else {
                    now.cause = cause;
                    self.end_stopped(turn, batch, now);
                }
            }
            phase @ (Phase::Streaming(_) | Phase::WaitingRetry) => self.work = Some(Work { turn, episode, phase }),
        }
    }

    /// Stops the batch of an interrupted turn. Calls that run get a moment to end by themselves; all else ends here.
    pub(crate) fn stop_batch(&mut self, turn: TurnId, mut batch: Batch, now: &mut Moment) {
        let place = self.place().turn(turn).step(batch.step);
        for call in &mut batch.calls {
            match &call.state {
                State::Asked { gate, .. } => {
                    self.resolve(place, call, *gate, (GateAnswer::TurnEnded, GateSource::Program), now);
                }
                State::Running { .. } | State::Finished => continue,
                State::Decoding | State::Decoded(_) | State::Cleared(_) => {}
            }
            self.finish(place, call, not_run(ToolOutcome::Cancelled, INTERRUPTED), now);
            call.state = State::Finished;
        }
        if !batch.is_running() {
            return self.end_stopped(turn, batch, now);
        }
        let delay_ms = now.config.limits.interrupt_ms;
        now.push(Effect::SetTimer { timer: Timer::Interrupt(turn), delay_ms });
        self.work = Some(Work { turn, episode: None, phase: Phase::Interrupting { batch, cause: now.cause } });
    }

    /// Ends an interrupted turn, whether its tools have ended or not.
    pub(crate) fn end_stopped(&mut self, turn: TurnId, batch: Batch, now: &mut Moment) {
        let place = self.place().turn(turn).step(batch.step);
        for call in &batch.calls {
            if let State::Running { since_ms, .. } = call.state {
                let duration_ms = now.at_ms.saturating_sub(since_ms);
                let output = ToolOutput { duration_ms, ..not_run(ToolOutcome::Cancelled, INTERRUPTED) };
                self.finish(place, call, output, now);
            }
        }
        self.append(place, Enduring::StepDone {}, now);
        self.end_turn(turn, End::Interrupted, now);
    }

    /// The time of an interrupted turn is up.
    pub(crate) fn stop_waiting_for_tools(&mut self, now: &mut Moment) {
        match self.work.take() {
            Some(Work { turn, phase: Phase::Interrupting { batch, cause }, .. }) => {
                now.cause = cause;
                self.end_stopped(turn, batch, now);
            }
            other => self.work = other,
        }
    }

    /// Stores the result of a call. `place` is its step.
    pub(crate) fn finish(&mut self, place: Place, call: &Call, output: ToolOutput, now: &mut Moment) {
        let finished = Enduring::ToolFinished { name: call.name.clone(), summary: call.summary(), output };
        self.append(place.call(call.id), finished, now);
    }

    /// Takes the batch as far as it goes by itself: to the next question, the next calls, or the next step.
    fn advance(&mut self, turn: TurnId, mut batch: Batch, now: &mut Moment) {
        let place = self.place().turn(turn).step(batch.step);
        if batch.is_decoding() || batch.is_running() || self.ask_next(place, &mut batch, now) {
            return self.park(turn, batch);
        }
        for call in batch.next_to_run() {
            let summary = call.summary();
            now.emit(place.call(call.id), Ephemeral::ToolStarted { name: call.name.clone(), summary: summary.clone() });
            now.push(Effect::RunCall { call: call.id });
            call.state = State::Running { summary, since_ms: now.at_ms };
        }
        if batch.is_running() {
            return self.park(turn, batch);
        }
        self.append(place, Enduring::StepDone {}, now);
        self.next_step(turn, now);
    }

    /// Clears decoded calls in order, up to the first that needs an approval, and asks for that.
    /// Returns whether it asked.
    fn ask_next(&mut self, place: Place, batch: &mut Batch, now: &mut Moment) -> bool {
        for call in &mut batch.calls {
            let Some(prepared) = call.take_decoded() else { continue };
            let requirements = policy::to_approve(now.config.profile, &prepared.requirements);
            if requirements.is_empty() {
                call.state = State::Cleared(prepared);
                continue;
            }
            let gate = Gate {
                id: now.ids.make(),
                call: call.id,
                tool: call.name.clone(),
                summary: prepared.summary.clone(),
                requirements,
                preview: prepared.preview.clone(),
                directory: prepared.directory.clone(),
            };
            call.state = State::Asked { gate: gate.id, prepared };
            self.append(place.call(call.id), Enduring::GateOpened { gate }, now);
            return true;
        }
        false
    }

    fn resolve(
        &mut self,
        place: Place,
        call: &Call,
        gate: GateId,
        (answer, source): (GateAnswer, GateSource),
        now: &mut Moment,
    ) {
        self.append(place.call(call.id), Enduring::GateResolved { gate, answer, source }, now);
    }

    fn finish_running(
        &mut self,
        turn: TurnId,
        batch: &mut Batch,
        id: ToolCallId,
        output: ToolOutput,
        now: &mut Moment,
    ) -> bool {
        let place = self.place().turn(turn).step(batch.step);
        let Some(call) = batch.call_mut(id) else { return false };
        if !matches!(call.state, State::Running { .. }) {
            return false;
        }
        self.finish(place, call, output, now);
        call.state = State::Finished;
        true
    }

    fn park(&mut self, turn: TurnId, batch: Batch) {
        self.work = Some(Work { turn, episode: None, phase: Phase::Calling(batch) });
    }

    fn take_batch(&mut self) -> Option<(TurnId, Batch)> {
        match self.work.take() {
            Some(Work { turn, phase: Phase::Calling(batch), .. }) => Some((turn, batch)),
            other => {
                self.work = other;
                None
            }
        }
    }
}

/// The result of a call that did not run, or not to its end.
pub(crate) fn not_run(outcome: ToolOutcome, text: &str) -> ToolOutput {
    ToolOutput { outcome, text: text.to_owned(), shown: None, facts: Vec::new(), duration_ms: 0 }
}
