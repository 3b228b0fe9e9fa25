//! A step: one request, its answer, and what follows when the answer is whole, empty, cut or late.
//! The calls of an answer are decided in `batch`, the end of the turn in `turn`.

use protocol::{
    Chunk, Enduring, Ephemeral, Failure, FailureKind, RetryOutcome, StepId, StopReason, ToolOutcome, TurnId, Usage,
};

use crate::agent_loop::{Loop, Phase, Work};
use crate::batch::{self, Batch};
use crate::context;
use crate::moment::{Moment, Place};
use crate::retry::{self, Episode};
use crate::stream::{Ending, Stream};
use crate::turn::End;
use crate::{Effect, Timer};

/// What stands for a call of an answer that was cut.
const CUT_CALL: &str = "Not run: the answer was cut off.";
/// What stands for a call that would have gone over the limit.
const CALL_OVER_LIMIT: &str = "Not run: the turn reached its limit of tool calls.";

const NEXT_AFTER_NOTHING: &str = "send a message to go on, or start with another `--model`";

/// One request for an answer, taken out of the loop to be ended.
struct Try {
    turn: TurnId,
    episode: Option<Episode>,
    stream: Stream,
}

impl Loop {
    /// Goes over a step boundary: what was queued meanwhile goes along with the next request.
    pub(crate) fn next_step(&mut self, turn: TurnId, now: &mut Moment) {
        let steps_max = now.config.limits.steps_max;
        let answers = self.record.turn.as_ref().map_or(0, |turn| turn.answers);
        if 0 < steps_max && steps_max <= answers {
            let failure = limit_reached(format!("The turn reached its limit of {steps_max} steps"), "turn.stepsMax");
            return self.end_turn(turn, End::Failed(failure), now);
        }
        self.fold_queue(turn, now);
        self.request(turn, None, now);
    }

    pub(crate) fn take_chunk(&mut self, chunk: Chunk, now: &mut Moment) {
        if let Chunk::Done { usage, stop } = chunk {
            return self.stream_done(usage, stop, now);
        }
        let place = self.place();
        let Some(Work { turn, phase: Phase::Streaming(stream), .. }) = &mut self.work else { return };
        let place = place.turn(*turn).step(stream.step);
        let is_first = stream.heard_ms.is_none();
        stream.hear(now.at_ms);
        if let (true, Some(delay_ms)) = (is_first, now.config.limits.stall_ms) {
            now.push(Effect::SetTimer { timer: Timer::Stall(stream.step), delay_ms });
        }
        match stream.take(chunk, now.at_ms, &mut now.ids) {
            Some((Some(call), delta)) => now.emit(place.call(call), delta),
            Some((None, delta)) => now.emit(place, delta),
            None => {}
        }
    }

    /// The stream broke, by its own fault or the provider's.
    pub(crate) fn stream_failed(&mut self, failure: Failure, now: &mut Moment) {
        if let Some(tried) = self.take_try() {
            self.fail_try(tried, broken(failure.clone()), failure, now);
        }
    }

    pub(crate) fn stream_ended(&mut self, now: &mut Moment) {
        let message = "The stream ended before the answer was complete";
        self.stream_failed(Failure::new(FailureKind::Connection, message, "send the message again"), now);
    }

    pub(crate) fn first_byte_is_late(&mut self, now: &mut Moment) {
        let limit_ms = now.config.limits.first_byte_ms.unwrap_or(0);
        if self.heard_ms().is_none() {
            let message = format!("The server did not begin to answer within {}", in_seconds(limit_ms));
            self.give_up_stream(stalled(message, "timeouts.firstByteMs"), now);
        }
    }

    /// A stream that said something since the timer was set gets the rest of its time.
    pub(crate) fn check_stall(&mut self, step: StepId, now: &mut Moment) {
        let (Some(limit_ms), Some(heard_ms)) = (now.config.limits.stall_ms, self.heard_ms()) else { return };
        let silent_ms = now.at_ms.saturating_sub(heard_ms);
        if silent_ms < limit_ms {
            let delay_ms = limit_ms - silent_ms;
            return now.push(Effect::SetTimer { timer: Timer::Stall(step), delay_ms });
        }
        let message = format!("The answer stopped coming for {}", in_seconds(limit_ms));
        self.give_up_stream(stalled(message, "timeouts.stallMs"), now);
    }

    /// The wait is over: the same request goes out again, as a new step.
    pub(crate) fn retry(&mut self, now: &mut Moment) {
        if let Some(Work { turn, episode, .. }) = self.work.take() {
            self.request(turn, episode, now);
        }
    }

    /// Stores what came of an answer that ends before it is whole; without content there is nothing to store.
    pub(crate) fn keep_cut(&mut self, turn: TurnId, stream: Stream, ending: Ending, now: &mut Moment) {
        if !stream.has_content() {
            return;
        }
        let step = stream.step;
        let place = self.place().turn(turn).step(step);
        let answered = stream.answered(ending, now.at_ms);
        let batch = Batch::of(step, &answered);
        self.append(place, answered, now);
        self.cancel_calls(place, batch, CUT_CALL, now);
    }

    fn request(&mut self, turn: TurnId, episode: Option<Episode>, now: &mut Moment) {
        let step: StepId = now.ids.make();
        let model = now.config.model.clone();
        let messages = context::messages(&self.record);
        now.emit(self.place().turn(turn).step(step), Ephemeral::StepStarted { model: model.clone() });
        now.push(Effect::StartStream { step, model, messages });
        if let Some(delay_ms) = now.config.limits.first_byte_ms {
            now.push(Effect::SetTimer { timer: Timer::FirstByte(step), delay_ms });
        }
        self.work = Some(Work { turn, episode, phase: Phase::Streaming(Stream::new(step, now.at_ms)) });
    }

    /// The provider said that the answer is whole.
    fn stream_done(&mut self, usage: Option<Usage>, stop: StopReason, now: &mut Moment) {
        let Some(tried) = self.take_try() else { return };
        if tried.stream.has_answer() && stop == StopReason::Length {
            let why = cut_at_length();
            return self.fail_try(tried, Ending::Cut { usage, stop, why: why.clone() }, why, now);
        }
        if tried.stream.has_answer() {
            return self.accept(tried, Ending::Whole { usage, stop }, now);
        }
        let why = no_answer(stop);
        self.fail_try(tried, Ending::Cut { usage, stop, why: why.clone() }, why, now);
    }

    fn accept(&mut self, tried: Try, ending: Ending, now: &mut Moment) {
        let Try { turn, episode, stream } = tried;
        if let Some(episode) = episode {
            self.end_episode(turn, episode, RetryOutcome::Recovered, now);
        }
        let step = stream.step;
        let place = self.place().turn(turn).step(step);
        let answered = stream.answered(ending, now.at_ms);
        let batch = Batch::of(step, &answered);
        self.append(place, answered, now);
        if batch.calls.is_empty() {
            self.append(place, Enduring::StepDone {}, now);
            return self.end_turn(turn, End::Done, now);
        }
        let calls_max = now.config.limits.tool_calls_max;
        let calls = self.record.turn.as_ref().map_or(0, |turn| turn.calls);
        if calls_max == 0 || calls <= calls_max {
            return self.start_batch(turn, batch, now);
        }
        self.cancel_calls(place, batch, CALL_OVER_LIMIT, now);
        let message = format!("The turn reached its limit of {calls_max} tool calls");
        self.end_turn(turn, End::Failed(limit_reached(message, "turn.toolCallsMax")), now);
    }

    fn give_up_stream(&mut self, failure: Failure, now: &mut Moment) {
        if let Some(tried) = self.take_try() {
            now.push(Effect::AbortStream { step: tried.stream.step });
            self.fail_try(tried, broken(failure.clone()), failure, now);
        }
    }

    fn fail_try(&mut self, tried: Try, ending: Ending, failure: Failure, now: &mut Moment) {
        let Try { turn, episode, stream } = tried;
        self.keep_cut(turn, stream, ending, now);
        let randomness = now.ids.random();
        if let Some(next) = retry::next_try(&now.config.limits.retry, episode.as_ref(), &failure, randomness) {
            let scheduled = Ephemeral::RetryScheduled {
                attempt: next.episode.retries,
                attempts_max: next.retries_max,
                delay_ms: next.delay_ms,
                reason: failure.message,
            };
            now.emit(self.place().turn(turn), scheduled);
            now.push(Effect::SetTimer { timer: Timer::Retry(turn), delay_ms: next.delay_ms });
            self.work = Some(Work { turn, episode: Some(next.episode), phase: Phase::WaitingRetry });
            return;
        }
        if let Some(mut episode) = episode {
            episode.reason.clone_from(&failure.message);
            self.end_episode(turn, episode, RetryOutcome::GaveUp, now);
        }
        self.end_turn(turn, End::Failed(last_words(failure)), now);
    }

    /// Ends calls that are not run at all, and their step.
    fn cancel_calls(&mut self, place: Place, batch: Batch, why: &str, now: &mut Moment) {
        for call in &batch.calls {
            self.finish(place, call, batch::not_run(ToolOutcome::Cancelled, why), now);
        }
        self.append(place, Enduring::StepDone {}, now);
    }

    fn heard_ms(&self) -> Option<u64> {
        match self.work.as_ref().map(|work| &work.phase) {
            Some(Phase::Streaming(stream)) => stream.heard_ms,
            Some(Phase::Calling(_) | Phase::WaitingRetry | Phase::Interrupting { .. }) | None => None,
        }
    }

    fn take_try(&mut self) -> Option<Try> {
        match self.work.take() {
            Some(Work { turn, episode, phase: Phase::Streaming(stream) }) => Some(Try { turn, episode, stream }),
            other => {
                self.work = other;
                None
            }
        }
    }
}

/// Calls of such an answer may lack their end, so none of them runs.
fn cut_at_length() -> Failure {
    let message = "The answer reached the output limit of the model";
    Failure::new(FailureKind::Limit, message, "send `go on` for the rest")
}

fn broken(why: Failure) -> Ending {
    Ending::Cut { usage: None, stop: StopReason::Broken, why }
}

fn no_answer(stop: StopReason) -> Failure {
    match stop {
        StopReason::Refusal => Failure::new(
            FailureKind::Other,
            "The model refused to answer",
            "say it in another way, or choose another model",
        ),
        StopReason::EndTurn | StopReason::ToolUse | StopReason::Length | StopReason::Broken | StopReason::Other => {
            Failure::new(FailureKind::Empty, "The answer was empty", NEXT_AFTER_NOTHING)
        }
    }
}

/// What the turn says that the newest failed try has ended.
fn last_words(failure: Failure) -> Failure {
    if failure.kind == FailureKind::Empty {
        return Failure::new(FailureKind::Empty, "The turn ended without a reply", NEXT_AFTER_NOTHING);
    }
    failure
}

fn limit_reached(message: String, setting: &str) -> Failure {
    Failure::new(FailureKind::Limit, message, format!("send a message to go on, or raise `{setting}`"))
}

fn stalled(message: String, setting: &str) -> Failure {
    Failure::new(FailureKind::Stalled, message, format!("send the message again, or raise `{setting}`"))
}

fn in_seconds(limit_ms: u64) -> String {
    format!("{} s", limit_ms.div_ceil(1000))
}
