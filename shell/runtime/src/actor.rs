//! The actor that alone owns a session and its journal: carries effects out in order, feeds outcomes back.
//! Decides nothing about a turn; `agent` does.

use std::collections::VecDeque;
use std::sync::Arc;

use agent::{Effect, Input, Outcome, Session};
use ports::{Clock, Delivery, Journal};
use protocol::{Command, CommandId, Event, Failure, InterruptTarget};
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant};

use crate::builtin::Request;
use crate::fanout::Fanout;
use crate::work::Work;

/// How long an ending agent waits for its tools before it drops them.
const CLOSE_MS_MAX: u64 = 500;

pub(crate) struct Actor {
    session: Session,
    journal: Box<dyn Journal>,
    clock: Arc<dyn Clock>,
    work: Work,
    fanout: Fanout,
    requests: mpsc::Receiver<Request>,
    outcomes: mpsc::Receiver<Outcome>,
    /// Why the journal takes nothing more; whoever reads on is told.
    storage_failure: Option<Failure>,
}

impl Actor {
    pub(crate) fn new(
        session: Session,
        journal: Box<dyn Journal>,
        clock: Arc<dyn Clock>,
        work: Work,
        requests: mpsc::Receiver<Request>,
        outcomes: mpsc::Receiver<Outcome>,
    ) -> Self {
        Self { session, journal, clock, work, fanout: Fanout::default(), requests, outcomes, storage_failure: None }
    }

    /// Serves requests until one closes it, or nobody is left to ask.
    pub(crate) async fn run(mut self) {
        let closed_by = loop {
            tokio::select! {
                // Commands before outcomes: an interrupt does not wait behind a fast stream.
                biased;
                request = self.requests.recv() => match request {
                    Some(Request::Close { answer }) => break Some(answer),
                    Some(request) => self.serve(request),
                    None => break None,
                },
                Some(outcome) = self.outcomes.recv() => self.feed(outcome),
                () = until(self.work.next_timer()) => self.fire_timers(),
            }
        };
        self.end().await;
        // The journal is let go before the answer: whoever closes may open it next.
        drop(self);
        if let Some(answer) = closed_by {
            let _ = answer.send(());
        }
    }

    /// Carries out effects and all that comes of them at once.
    pub(crate) fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut answers = VecDeque::new();
        self.carry_out_batch(effects, &mut answers);
        while let Some(outcome) = answers.pop_front() {
            let effects = self.session.handle(self.clock.stamp(), Input::Outcome(outcome));
            self.carry_out_batch(effects, &mut answers);
        }
        if self.storage_failure.is_some() {
            // All that can still be said has been said: readers end, and their next question has the reason.
            self.fanout = Fanout::default();
        }
    }

    fn serve(&mut self, request: Request) {
        match request {
            Request::Command { id, command } => self.obey(id, command),
            // A reader that went away meanwhile needs no answer.
            Request::Subscribe { answer } => drop(answer.send(self.fanout.subscribe())),
            Request::Backlog { after, answer } => drop(answer.send(self.backlog(after))),
            Request::Close { answer } => drop(answer),
        }
    }

    fn obey(&mut self, id: CommandId, command: Command) {
        let effects = self.session.handle(self.clock.stamp(), Input::Command { id, command });
        self.carry_out(effects);
    }

    fn feed(&mut self, outcome: Outcome) {
        self.work.note(&outcome);
        let effects = self.session.handle(self.clock.stamp(), Input::Outcome(outcome));
        self.carry_out(effects);
    }

    fn fire_timers(&mut self) {
        for timer in self.work.due_timers() {
            self.feed(Outcome::TimerFired { timer });
        }
    }

    fn backlog(&mut self, after: u64) -> Result<(Vec<Delivery>, usize), Failure> {
        if let Some(failure) = &self.storage_failure {
            return Err(failure.clone());
        }
        let backlog =
            self.journal.read(self.session.id(), after).map_err(|error| crate::host::storage_failure(&error))?;
        let stored = backlog.events.into_iter();
        let deliveries = stored.map(|stored| Delivery { seq: Some(stored.seq), event: stored.event }).collect();
        Ok((deliveries, backlog.skipped_count))
    }

    fn carry_out_batch(&mut self, effects: Vec<Effect>, answers: &mut VecDeque<Outcome>) {
        let mut effects = effects.into_iter().peekable();
        while let Some(effect) = effects.next() {
            match effect {
                Effect::Append(event) => {
                    let mut events = vec![event];
                    while let Some(Effect::Append(event)) = effects.next_if(|next| matches!(next, Effect::Append(_))) {
                        events.push(event);
                    }
                    if let Err(failure) = self.append(events) {
                        self.storage_failure = Some(failure.clone());
                        answers.push_back(Outcome::AppendFailed { failure });
                        return;
                    }
                }
                Effect::Emit(event) => self.fanout.deliver(&Delivery { seq: None, event }),
                Effect::StartStream { step, model, messages } => self.work.start_stream(step, model, messages),
                Effect::AbortStream { step } => self.work.abort_stream(step),
                Effect::PrepareCall { call, name, arguments } => {
                    let result = self.work.prepare_call(call, &name, &arguments);
                    answers.push_back(Outcome::CallPrepared { call, result });
                }
                Effect::RunCall { call } => self.work.run_call(call),
                Effect::CancelCall { call } => self.work.cancel_call(call),
                Effect::SetTimer { timer, delay_ms } => self.work.set_timer(timer, delay_ms),
            }
        }
    }

    /// Stores events in one transaction, then delivers them in the journal's order.
    fn append(&mut self, events: Vec<Event>) -> Result<(), Failure> {
        let first = self.journal.append(&events).map_err(|error| {
            tracing::error!(component = "journal", %error, "an append failed");
            crate::host::storage_failure(&error)
        })?;
        for (seq, event) in (first..).zip(events) {
            self.fanout.deliver(&Delivery { seq: Some(seq), event });
        }
        Ok(())
    }

    /// Interrupts what runs, so that its end is stored, and waits a bounded while for the tools.
    async fn end(&mut self) {
        let id = self.clock.stamp().ids().make();
        self.obey(id, Command::Interrupt { target: InterruptTarget::Session });
        self.work.cancel_all_calls();
        let deadline = Instant::now() + Duration::from_millis(CLOSE_MS_MAX);
        while self.work.has_running_calls() && Instant::now() < deadline {
            let next = self.work.next_timer().map_or(deadline, |timer| timer.min(deadline));
            tokio::select! {
                biased;
                Some(outcome) = self.outcomes.recv() => self.feed(outcome),
                () = tokio::time::sleep_until(next) => self.fire_timers(),
            }
        }
        self.work.abort_all();
    }
}

/// Waits until a moment, for ever without one.
pub(crate) async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
