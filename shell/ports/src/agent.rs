//! All that an interface knows of an agent.

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use protocol::{Command, CommandId, Event, Failure, SessionId};

/// A session that can be driven: commands go in, events come out.
pub trait Agent: Send + Sync {
    fn session_id(&self) -> SessionId;

    /// What is known of the session before any event, for splash and status line.
    fn presentation(&self) -> Presentation;

    /// Hands a command over; an event will tell what came of it. Fails when the agent has ended or is too far behind.
    fn send(&self, id: CommandId, command: Command) -> Result<(), Failure>;

    /// Everything that happens from now on, enduring events with their journal number.
    /// Ends when the agent does, or when this reader fell too far behind; `backlog` then fills the gap.
    fn subscribe(&self) -> BoxStream<'static, Delivery>;

    /// The stored events after a journal number, in order, and how many could not be read.
    fn backlog(&self, after: u64) -> BoxFuture<'static, Result<(Vec<Delivery>, usize), Failure>>;

    /// Ends the session's work and gives back what it holds; returns when that is done.
    fn close(&self) -> BoxFuture<'static, ()>;
}

/// One event as a client gets it.
#[derive(Clone, PartialEq, Debug)]
pub struct Delivery {
    /// The journal number; none for an ephemeral event.
    pub seq: Option<u64>,
    pub event: Event,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presentation {
    pub agent_name: String,
    pub workspace: String,
    pub profile: String,
    pub model: String,
    /// The session was opened with stored events.
    pub restored: bool,
    /// Rows to show below the splash, such as how to get a real model.
    pub notices: Vec<String>,
    /// Prompts written in this workspace before, oldest first.
    pub prompts: Vec<String>,
}

pub type Opening = BoxFuture<'static, Result<Box<dyn Agent>, Failure>>;

/// Opens sessions; the interface asks it at the start and for `/new`.
pub trait Host: Send + Sync {
    fn open(&self, which: Which) -> Opening;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    New,
    /// The newest session of the workspace; a new one if there is none.
    Newest,
}
