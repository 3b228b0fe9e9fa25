//! A loop: what is stored of it, and what it is doing right now.
//! Only hands outcomes on to where they are decided: `step`, `batch` and `turn`.

use protocol::{Agency, Cause, Enduring, LoopId, Source, TurnId};

use crate::batch::Batch;
use crate::moment::{Moment, Place};
use crate::record::Record;
use crate::retry::Episode;
use crate::stream::Stream;
use crate::{Effect, Outcome, Timer};

#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) id: LoopId,
    pub(crate) record: Record,
    /// None while the loop is idle.
    pub(crate) work: Option<Work>,
}

/// The turn that runs.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) turn: TurnId,
    /// The failed tries before the one that runs, if there were any.
    pub(crate) episode: Option<Episode>,
    pub(crate) phase: Phase,
}

#[derive(Debug)]
pub(crate) enum Phase {
    /// A request is out; the answer comes in pieces.
    Streaming(Stream),
    /// The answer's calls are decoded, asked about, and run.
    Calling(Batch),
    WaitingRetry,
    /// The turn ends as soon as its tools have, or its time is up; `cause` is the interrupt.
    Interrupting {
        batch: Batch,
        cause: Cause,
    },
}

impl Loop {
    pub(crate) fn new(id: LoopId) -> Self {
        Self { id, record: Record::default(), work: None }
    }

    /// Whether an outcome is of work that still runs. A late one is expected: the abort and the data cross.
    pub(crate) fn awaits(&self, outcome: &Outcome) -> bool {
        let Some(Work { turn, phase, .. }) = &self.work else { return false };
        match (outcome, phase) {
            (
                Outcome::StreamChunk { step, .. } | Outcome::StreamFailed { step, .. } | Outcome::StreamEnded { step },
                Phase::Streaming(stream),
            ) => stream.step == *step,
            (
                Outcome::CallPrepared { call, .. }
                | Outcome::CallOutput { call, .. }
                | Outcome::CallFinished { call, .. },
                Phase::Calling(batch) | Phase::Interrupting { batch, .. },
            ) => batch.has(*call),
            (Outcome::TimerFired { timer: Timer::FirstByte(step) | Timer::Stall(step) }, Phase::Streaming(stream)) => {
                stream.step == *step
            }
            (Outcome::TimerFired { timer: Timer::Retry(timed) }, Phase::WaitingRetry)
            | (Outcome::TimerFired { timer: Timer::Interrupt(timed) }, Phase::Interrupting { .. }) => timed == turn,
            (
                Outcome::StreamChunk { .. }
                | Outcome::StreamFailed { .. }
                | Outcome::StreamEnded { .. }
                | Outcome::CallPrepared { .. }
                | Outcome::CallOutput { .. }
                | Outcome::CallFinished { .. }
                | Outcome::TimerFired { .. }
                | Outcome::AppendFailed { .. },
                _,
            ) => false,
        }
    }

    /// What the events that an outcome leads to came from.
    pub(crate) fn cause_of(&self, outcome: &Outcome) -> Cause {
        let from = match outcome {
            Outcome::CallPrepared { call, .. }
            | Outcome::CallOutput { call, .. }
            | Outcome::CallFinished { call, .. } => Source::Call(*call),
            Outcome::StreamChunk { .. }
            | Outcome::StreamFailed { .. }
            | Outcome::StreamEnded { .. }
            | Outcome::TimerFired { .. }
            | Outcome::AppendFailed { .. } => {
                self.record.turn.as_ref().map_or(Source::Session, |turn| Source::Event(turn.started_by))
            }
        };
        Cause { from, agency: Agency::Machine }
    }

    /// Takes an outcome that this loop awaits.
    pub(crate) fn take(&mut self, outcome: Outcome, now: &mut Moment) {
        match outcome {
            Outcome::StreamChunk { chunk, .. } => self.take_chunk(chunk, now),
            Outcome::StreamFailed { failure, .. } => self.stream_failed(failure, now),
            Outcome::StreamEnded { .. } => self.stream_ended(now),
            Outcome::CallPrepared { call, result } => self.call_prepared(call, result, now),
            Outcome::CallOutput { call, chunk } => self.call_output(call, chunk, now),
            Outcome::CallFinished { call, output } => self.call_finished(call, output, now),
            Outcome::TimerFired { timer: Timer::FirstByte(_) } => self.first_byte_is_late(now),
            Outcome::TimerFired { timer: Timer::Stall(step) } => self.check_stall(step, now),
            Outcome::TimerFired { timer: Timer::Retry(_) } => self.retry(now),
            Outcome::TimerFired { timer: Timer::Interrupt(_) } => self.stop_waiting_for_tools(now),
            Outcome::AppendFailed { .. } => {}
        }
    }

    /// Ends all work at once and stores nothing: there is nowhere to store it.
    pub(crate) fn abandon(&mut self, now: &mut Moment) {
        match self.work.take().map(|work| work.phase) {
            Some(Phase::Streaming(stream)) => now.push(Effect::AbortStream { step: stream.step }),
            Some(Phase::Calling(batch) | Phase::Interrupting { batch, .. }) => batch.cancel_all(now),
            Some(Phase::WaitingRetry) | None => {}
        }
    }

    /// Decides that an event is to be stored, and folds it as if it were.
    pub(crate) fn append(&mut self, place: Place, enduring: Enduring, now: &mut Moment) {
        let event = now.event(place, enduring);
        self.record.apply(&event);
        now.push(Effect::Append(event));
    }

    pub(crate) fn place(&self) -> Place {
        Place::in_loop(self.id)
    }
}
