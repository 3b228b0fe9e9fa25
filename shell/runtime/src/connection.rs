//! The one agent an interface has: opened, read without a gap, replaced, closed.
//! Folds nothing; what it learns goes to the model as [`News`].

use std::collections::VecDeque;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use ports::{Agent, Delivery, Host, Which};
use protocol::{Command, CommandId, Event, Failure, FailureKind};
use ui::Opened;

pub(crate) struct Connection {
    host: Arc<dyn Host>,
    state: State,
}

/// What reaches the interface from an agent.
pub(crate) enum News {
    Opened(Box<Opened>),
    OpenFailed(Failure),
    Event(Box<Event>),
    /// Records in a gap of the subscription that could not be read.
    RecordsSkipped {
        count: usize,
    },
    Ended {
        reason: String,
    },
    /// The agent was given back, and all that it said until then has been told.
    Closed,
}

enum State {
    Closed,
    Opening(BoxFuture<'static, Result<(Link, Opened), Failure>>),
    Open(Link),
    /// The subscription was lost: a new one is there, and its gap is being read.
    CatchingUp {
        agent: Arc<dyn Agent>,
        reading: BoxFuture<'static, Result<CaughtUp, Failure>>,
    },
    /// The agent ends its work; what it still says is read.
    Closing {
        link: Option<Link>,
        closing: BoxFuture<'static, ()>,
    },
}

/// An agent and what is still to be read of it.
struct Link {
    agent: Arc<dyn Agent>,
    held: VecDeque<Delivery>,
    deliveries: BoxStream<'static, Delivery>,
    /// The last journal number that was taken.
    seen: u64,
}

/// What was stored after a journal number, and the live deliveries that follow it.
struct CaughtUp {
    after: u64,
    stored: Vec<Delivery>,
    skipped_count: usize,
    live: VecDeque<Delivery>,
    deliveries: BoxStream<'static, Delivery>,
}

impl Connection {
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self { host, state: State::Closed }
    }

    /// Opens an agent; what came of it is told by [`Connection::news`]. The one before must be closed.
    pub(crate) fn open(&mut self, which: Which) {
        let opening = self.host.open(which);
        self.state = State::Opening(Box::pin(async move {
            let agent: Arc<dyn Agent> = Arc::from(opening.await?);
            let caught_up = catch_up(&*agent, 0).await;
            match caught_up {
                Ok(caught_up) => Ok(opened(agent, caught_up)),
                Err(failure) => {
                    agent.close().await;
                    Err(failure)
                }
            }
        }));
    }

    /// Gives the agent back, also one that is still opening; [`News::Closed`] tells when that is done.
    pub(crate) fn close(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Closed) {
            State::Closed => State::Closing { link: None, closing: Box::pin(std::future::ready(())) },
            State::Opening(opening) => State::Closing { link: None, closing: Box::pin(close_opening(opening)) },
            State::Open(link) => State::Closing { closing: link.agent.close(), link: Some(link) },
            State::CatchingUp { agent, .. } => State::Closing { link: None, closing: agent.close() },
            State::Closing { link, closing } => State::Closing { link, closing },
        };
    }

    /// Hands a command to the agent; fails when there is none yet.
    pub(crate) fn send(&self, id: CommandId, command: Command) -> Result<(), Failure> {
        match &self.state {
            State::Open(Link { agent, .. }) | State::CatchingUp { agent, .. } => agent.send(id, command),
            State::Opening(_) => Err(no_session("the session is not open yet", "wait a moment and send it again")),
            State::Closing { .. } => Err(no_session("the session is being closed", "send it in the next one")),
            State::Closed => Err(no_session("no session is open", "/new opens one")),
        }
    }

    /// The next thing that reaches the interface; waits for ever when there is no agent. Safe to drop and ask again.
    pub(crate) async fn news(&mut self) -> News {
        loop {
            match &mut self.state {
                State::Closed => return std::future::pending().await,
                State::Opening(opening) => match opening.await {
                    Ok((link, opened)) => {
                        self.state = State::Open(link);
                        return News::Opened(Box::new(opened));
                    }
                    Err(failure) => {
                        self.state = State::Closed;
                        return News::OpenFailed(failure);
                    }
                },
                State::Open(link) => match link.next().await {
                    Some(event) => return News::Event(Box::new(event)),
                    None => {
                        let (agent, seen) = (Arc::clone(&link.agent), link.seen);
                        self.state = State::CatchingUp { reading: catch_up(&*agent, seen), agent };
                    }
                },
                State::Closing { link, closing } => match last_words(link, closing).await {
                    Some(event) => return News::Event(Box::new(event)),
                    None => {
                        self.state = State::Closed;
                        return News::Closed;
                    }
                },
                State::CatchingUp { agent, reading } => match reading.await {
                    Ok(caught_up) => {
                        let (agent, count) = (Arc::clone(agent), caught_up.skipped_count);
                        self.state = State::Open(caught_up.resume(agent));
                        if count > 0 {
                            return News::RecordsSkipped { count };
                        }
                    }
                    Err(failure) => {
                        self.state = State::Closed;
                        return News::Ended { reason: failure.message };
                    }
                },
            }
        }
    }
}

impl Link {
    /// The next event that was not taken yet; none when the subscription has ended.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let delivery = match self.held.pop_front() {
                Some(delivery) => delivery,
                None => self.deliveries.next().await?,
            };
            match delivery.seq {
                Some(seq) if seq <= self.seen => {}
                Some(seq) => {
                    self.seen = seq;
                    return Some(delivery.event);
                }
                None => return Some(delivery.event),
            }
        }
    }
}

impl CaughtUp {
    /// Goes on with a lost subscription: what was missed comes first.
    fn resume(self, agent: Arc<dyn Agent>) -> Link {
        let held = self.stored.into_iter().chain(self.live).collect();
        Link { agent, held, deliveries: self.deliveries, seen: self.after }
    }
}

/// What a closing agent still says; none when it is closed.
async fn last_words(link: &mut Option<Link>, closing: &mut BoxFuture<'static, ()>) -> Option<Event> {
    while let Some(reading) = link {
        tokio::select! {
            // What was said before the end is told before the end.
            biased;
            event = reading.next() => match event {
                Some(event) => return Some(event),
                None => *link = None,
            },
            () = &mut *closing => return None,
        }
    }
    closing.await;
    None
}

async fn close_opening(opening: BoxFuture<'static, Result<(Link, Opened), Failure>>) {
    if let Ok((link, _)) = opening.await {
        link.agent.close().await;
    }
}

/// Subscribes, then reads what is stored after a number, so that nothing falls between.
fn catch_up(agent: &dyn Agent, after: u64) -> BoxFuture<'static, Result<CaughtUp, Failure>> {
    let mut deliveries = agent.subscribe();
    let reading = agent.backlog(after);
    Box::pin(async move {
        let (stored, skipped_count) = reading.await?;
        let last = stored.last().and_then(|delivery| delivery.seq).unwrap_or(after);
        let mut live: VecDeque<Delivery> = VecDeque::new();
        // Unconstrained: all that has come must be seen here, however much it is.
        while let Some(Some(delivery)) = tokio::task::unconstrained(deliveries.next()).now_or_never() {
            live.push_back(delivery);
        }
        // What came before the last stored event is told by the stored ones, ephemeral events included.
        let stale_count = live.iter().rposition(|delivery| delivery.seq.is_some_and(|seq| seq <= last));
        live.drain(..stale_count.map_or(0, |index| index + 1));
        Ok(CaughtUp { after, stored, skipped_count, live, deliveries })
    })
}

fn opened(agent: Arc<dyn Agent>, caught_up: CaughtUp) -> (Link, Opened) {
    let presentation = agent.presentation();
    let seen = caught_up.stored.last().and_then(|delivery| delivery.seq).unwrap_or(0);
    let opened = Opened {
        session: agent.session_id(),
        agent_name: presentation.agent_name,
        workspace: presentation.workspace,
        profile: presentation.profile,
        model: presentation.model,
        restored: presentation.restored,
        notices: presentation.notices,
        prompts: presentation.prompts,
        backlog: caught_up.stored.into_iter().map(|delivery| delivery.event).collect(),
        skipped_count: caught_up.skipped_count,
    };
    (Link { agent, held: caught_up.live, deliveries: caught_up.deliveries, seen }, opened)
}

fn no_session(message: &str, next_step: &str) -> Failure {
    Failure::new(FailureKind::Other, message, next_step)
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use ports::{Opening, Presentation};
    use protocol::{Agency, Body, Cause, Enduring, Ephemeral, Header, IdSource, SessionId, Source, Stamp};
    use tokio::sync::mpsc;

    use super::*;
    use crate::fanout::Fanout;

    /// An agent whose events are made by the test; its deliveries go through the real fan-out.
    #[derive(Clone, Default)]
    struct Made {
        stored: Arc<Mutex<Vec<Delivery>>>,
        fanout: Arc<Mutex<Fanout>>,
        /// What happens after the next subscription and before its backlog is read.
        meanwhile: Arc<Mutex<Vec<Kind>>>,
    }

    impl Made {
        fn happens(&self, kind: Kind) {
            let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
            let seq = stored.len() as u64 + 1;
            let delivery = match kind {
                Kind::Enduring => Delivery { seq: Some(seq), event: event(seq, Body::Enduring(Enduring::LoopIdle {})) },
                Kind::Ephemeral => {
                    let text = String::new();
                    Delivery { seq: None, event: event(seq, Body::Ephemeral(Ephemeral::TextDelta { text })) }
                }
            };
            if kind == Kind::Enduring {
                stored.push(delivery.clone());
            }
            self.fanout.lock().unwrap_or_else(PoisonError::into_inner).deliver(&delivery);
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Kind {
        Enduring,
        Ephemeral,
    }

    impl Agent for Made {
        fn session_id(&self) -> SessionId {
            Stamp { at_ms: 0, seed: 1 }.ids().make()
        }

        fn presentation(&self) -> Presentation {
            let (agent_name, workspace, profile, model) = Default::default();
            Presentation { agent_name, workspace, profile, model, restored: false, notices: vec![], prompts: vec![] }
        }

        fn send(&self, _id: CommandId, _command: Command) -> Result<(), Failure> {
            Ok(())
        }

        fn subscribe(&self) -> BoxStream<'static, Delivery> {
            let queue = self.fanout.lock().unwrap_or_else(PoisonError::into_inner).subscribe();
            futures::stream::unfold(queue, |mut queue: mpsc::Receiver<Delivery>| async move {
                queue.recv().await.map(|delivery| (delivery, queue))
            })
            .boxed()
        }

        fn backlog(&self, after: u64) -> BoxFuture<'static, Result<(Vec<Delivery>, usize), Failure>> {
            let meanwhile = std::mem::take(&mut *self.meanwhile.lock().unwrap_or_else(PoisonError::into_inner));
            meanwhile.into_iter().for_each(|kind| self.happens(kind));
            let stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
            let later: Vec<Delivery> = stored.iter().filter(|one| one.seq > Some(after)).cloned().collect();
            Box::pin(async move { Ok((later, 0)) })
        }

        fn close(&self) -> BoxFuture<'static, ()> {
            Box::pin(async {})
        }
    }

    impl Host for Made {
        fn open(&self, _which: Which) -> Opening {
            let agent = self.clone();
            Box::pin(async move { Ok(Box::new(agent) as Box<dyn Agent>) })
        }
    }

    /// Its time is its journal number, or that of the enduring event an ephemeral one comes before.
    fn event(at_ms: u64, body: Body) -> Event {
        let mut ids = Stamp { at_ms, seed: 1 }.ids();
        let (id, session) = (ids.make(), ids.make());
        let cause = Cause { from: Source::Session, agency: Agency::Machine };
        let header = Header { id, at_ms, session, loop_id: None, turn: None, step: None, call: None, cause };
        Event { header, body }
    }

    fn news_so_far(connection: &mut Connection) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(news) = connection.news().now_or_never() {
            match news {
                News::Event(event) => events.push(*event),
                News::Opened(opened) => events.extend(opened.backlog),
                News::OpenFailed(failure) => panic!("the agent opens: {failure}"),
                News::RecordsSkipped { count } => panic!("{count} records cannot be read"),
                News::Ended { reason } => panic!("the agent goes on: {reason}"),
                News::Closed => panic!("nobody closes the agent"),
            }
        }
        events
    }

    /// Sampled: 100 readers with 10 bursts of up to 700 events each, more by `EUKHE_CASES`.
    // The variable is read when the tests are built.
    #[test]
    fn resync_no_gap() {
        let cases = option_env!("EUKHE_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(100);
        for seed in 1..=cases {
            let mut ids = Stamp { at_ms: 0, seed }.ids();
            let agent = Made::default();
            agent.happens(Kind::Enduring);
            let mut connection = Connection::new(Arc::new(agent.clone()));
            connection.open(Which::Newest);
            let mut read = Vec::new();
            for _ in 0..10 {
                *agent.meanwhile.lock().unwrap_or_else(PoisonError::into_inner) = kinds(&mut ids, 5);
                // Now and then far more than a queue holds.
                kinds(&mut ids, 700).into_iter().for_each(|kind| agent.happens(kind));
                for event in news_so_far(&mut connection) {
                    match event.body {
                        Body::Enduring(_) => read.push(event.header.at_ms),
                        Body::Ephemeral(_) => {
                            let next = read.last().map_or(1, |last| last + 1);
                            assert_eq!(event.header.at_ms, next, "an ephemeral event out of its place, seed {seed}");
                        }
                    }
                }
                let stored_count = agent.stored.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
                assert_eq!(read, (1..=stored_count).collect::<Vec<u64>>(), "seed {seed}");
            }
        }
    }

    fn kinds(ids: &mut IdSource, count_max: u64) -> Vec<Kind> {
        let count = ids.random() % count_max;
        let kind = |random: u64| if random.is_multiple_of(3) { Kind::Ephemeral } else { Kind::Enduring };
        (0..count).map(|_| kind(ids.random())).collect()
    }
}
