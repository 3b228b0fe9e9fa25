//! What the journal took and what a client was told, for laws about both.
//! Changes nothing of what it sees; a host and its agents pass through it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use ports::{Agent, Delivery, Host, Opening, Presentation, Which};
use protocol::{Command, CommandId, Enduring, Event, EventId, Failure, InputId, SessionId, TurnId};

#[derive(Clone, Default)]
pub(crate) struct Witness {
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    stored: BTreeSet<EventId>,
    open_turns: BTreeSet<TurnId>,
    waiting_inputs: BTreeSet<InputId>,
    told_before_stored: Vec<String>,
}

impl Witness {
    /// The journal has taken these.
    pub(crate) fn stored(&self, events: &[Event]) {
        let mut seen = self.seen();
        for event in events {
            seen.stored.insert(event.header.id);
            seen.note_work(event);
        }
    }

    /// Whether, by what is stored, a turn runs or an input waits for one.
    pub(crate) fn has_work(&self) -> bool {
        let seen = self.seen();
        !seen.open_turns.is_empty() || !seen.waiting_inputs.is_empty()
    }

    /// Enduring events that a client was told of and the journal did not have.
    pub(crate) fn told_before_stored(&self) -> Vec<String> {
        self.seen().told_before_stored.clone()
    }

    /// The host, watched.
    pub(crate) fn over(&self, host: impl Host + 'static) -> Arc<dyn Host> {
        Arc::new(WatchedHost { host: Arc::new(host), witness: self.clone() })
    }

    fn told(&self, event: &Event) {
        let mut seen = self.seen();
        if event.enduring().is_some() && !seen.stored.contains(&event.header.id) {
            seen.told_before_stored.push(format!("{event:?}"));
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn note_work(&mut self, event: &Event) {
        let turn = event.header.turn;
        match event.enduring() {
            Some(Enduring::InputQueued { input, .. }) => {
                self.waiting_inputs.insert(*input);
            }
            Some(
                Enduring::InputFolded { input, .. }
                | Enduring::InputCancelled { input, .. }
                | Enduring::InputRejected { input, .. },
            ) => {
                self.waiting_inputs.remove(input);
            }
            Some(Enduring::TurnStarted { input, .. }) => {
                self.waiting_inputs.remove(input);
                self.open_turns.extend(turn);
            }
            Some(Enduring::TurnDone { .. } | Enduring::TurnFailed { .. } | Enduring::TurnInterrupted {}) => {
                self.open_turns.retain(|open| Some(*open) != turn);
            }
            Some(_) | None => {}
        }
    }
}

struct WatchedHost {
    host: Arc<dyn Host>,
    witness: Witness,
}

impl Host for WatchedHost {
    fn open(&self, which: Which) -> Opening {
        let (host, witness) = (Arc::clone(&self.host), self.witness.clone());
        Box::pin(async move {
            let agent = host.open(which).await?;
            Ok(Box::new(WatchedAgent { agent, witness }) as Box<dyn Agent>)
        })
    }
}

struct WatchedAgent {
    agent: Box<dyn Agent>,
    witness: Witness,
}

impl Agent for WatchedAgent {
    fn session_id(&self) -> SessionId {
        self.agent.session_id()
    }

    fn presentation(&self) -> Presentation {
        self.agent.presentation()
    }

    fn send(&self, id: CommandId, command: Command) -> Result<(), Failure> {
        self.agent.send(id, command)
    }

    fn subscribe(&self) -> BoxStream<'static, Delivery> {
        let witness = self.witness.clone();
        self.agent.subscribe().inspect(move |delivery| witness.told(&delivery.event)).boxed()
    }

    fn backlog(&self, after: u64) -> BoxFuture<'static, Result<(Vec<Delivery>, usize), Failure>> {
        self.agent.backlog(after)
    }

    fn close(&self) -> BoxFuture<'static, ()> {
        self.agent.close()
    }
}
