//! A turn: how it starts, how it ends, and what becomes of the messages that wait for it.
//! What happens between is decided in `step` and `batch`.

use protocol::{Block, Enduring, Failure, FailureKind, InputId, InputReason, RetryOutcome, StopReason, TurnId};

use crate::Effect;
use crate::agent_loop::{Loop, Phase, Work};
use crate::moment::Moment;
use crate::record::Queued;
use crate::retry::Episode;
use crate::stream::Ending;

/// How a turn ends.
pub(crate) enum End {
    Done,
    Failed(Failure),
    Interrupted,
}

impl Loop {
    /// Takes a message: it starts a turn, or waits for the next step boundary of the one that runs.
    pub(crate) fn submit(&mut self, input: InputId, blocks: Vec<Block>, now: &mut Moment) {
        if self.work.is_none() {
            return self.start_turn(Queued { input, blocks }, now);
        }
        let enduring = if self.record.queue.len() < now.config.limits.queued_max {
            Enduring::InputQueued { input, blocks }
        } else {
            Enduring::InputRejected { input, reason: InputReason::QueueFull, blocks }
        };
        self.append(self.place(), enduring, now);
    }

    /// Puts all that waits into the turn.
    pub(crate) fn fold_queue(&mut self, turn: TurnId, now: &mut Moment) {
        while let Some(Queued { input, blocks }) = self.record.queue.front().cloned() {
            self.append(self.place().turn(turn), Enduring::InputFolded { input, blocks }, now);
        }
    }

    /// Gives all that waits back to whoever wrote it.
    pub(crate) fn cancel_queue(&mut self, reason: InputReason, now: &mut Moment) {
        while let Some(Queued { input, blocks }) = self.record.queue.front().cloned() {
            self.append(self.place(), Enduring::InputCancelled { input, reason, blocks }, now);
        }
    }

    /// Ends the turn. After a failure nothing starts by itself; else what still waits starts the next turn.
    pub(crate) fn end_turn(&mut self, turn: TurnId, end: End, now: &mut Moment) {
        let place = self.place().turn(turn);
        match end {
            End::Done => {
                let record = self.record.turn.as_ref();
                let usage = record.map(|turn| turn.usage).unwrap_or_default();
                let duration_ms = record.map_or(0, |turn| now.at_ms.saturating_sub(turn.started_ms));
                self.append(place, Enduring::TurnDone { usage, duration_ms }, now);
            }
            End::Failed(failure) => {
                self.cancel_queue(InputReason::TurnFailed, now);
                self.append(place, Enduring::TurnFailed { failure }, now);
            }
            End::Interrupted => self.append(place, Enduring::TurnInterrupted {}, now),
        }
        self.work = None;
        match self.record.queue.front().cloned() {
            Some(first) => self.start_turn(first, now),
            None => self.append(self.place(), Enduring::LoopIdle {}, now),
        }
    }

    /// Stops the turn that runs, and its subtree; returns whether there was one.
    /// What waits goes back to whoever wrote it.
    /// A message that comes later, while tools still end, starts the next turn.
    pub(crate) fn interrupt(&mut self, now: &mut Moment) -> bool {
        let Some(Work { turn, episode, phase }) = self.work.take() else { return false };
        match &phase {
            Phase::Streaming(stream) => now.push(Effect::AbortStream { step: stream.step }),
            Phase::Calling(batch) => batch.cancel_all(now),
            Phase::WaitingRetry | Phase::Interrupting { .. } => {}
        }
        self.cancel_queue(InputReason::TurnInterrupted, now);
        if let Some(episode) = episode {
            self.end_episode(turn, episode, RetryOutcome::Stopped, now);
        }
        match phase {
            Phase::Streaming(stream) => {
                let ending = Ending::Cut { usage: None, stop: StopReason::Broken, why: interrupted() };
                self.keep_cut(turn, stream, ending, now);
                self.end_turn(turn, End::Interrupted, now);
            }
            Phase::WaitingRetry => self.end_turn(turn, End::Interrupted, now),
            Phase::Calling(batch) => self.stop_batch(turn, batch, now),
            Phase::Interrupting { batch, .. } => self.end_stopped(turn, batch, now),
        }
        true
    }

    pub(crate) fn end_episode(&mut self, turn: TurnId, episode: Episode, outcome: RetryOutcome, now: &mut Moment) {
        let Episode { retries: attempts, reason, .. } = episode;
        let place = self.place().turn(turn);
        self.append(place, Enduring::RetryEpisodeEnded { attempts, reason, outcome }, now);
    }

    fn start_turn(&mut self, first: Queued, now: &mut Moment) {
        let turn: TurnId = now.ids.make();
        let Queued { input, blocks } = first;
        self.append(self.place().turn(turn), Enduring::TurnStarted { input, blocks }, now);
        self.next_step(turn, now);
    }
}

fn interrupted() -> Failure {
    Failure::new(FailureKind::Other, "Interrupted", "send a message to go on")
}
