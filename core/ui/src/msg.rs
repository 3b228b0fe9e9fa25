//! All that can reach the interface.

use protocol::{CommandId, Event, Failure, SessionId};
use screen::{Key, Mouse, Size};

use crate::Receipt;

#[derive(Clone, PartialEq, Debug)]
pub enum Msg {
    Key(Key),
    Paste(String),
    Mouse(Mouse),
    Focus(bool),
    Resized(Size),
    /// The terminal told its background.
    Background {
        red: u8,
        green: u8,
        blue: u8,
    },
    /// A session is open: what is stored of it comes along, what happens from now on as `Event`.
    Opened(Box<Opened>),
    OpenFailed(Failure),
    Event(Box<Event>),
    /// So many stored records of the session could not be read.
    RecordsSkipped {
        count: usize,
    },
    /// A command was not taken; nothing came of it.
    SendFailed {
        command: CommandId,
        failure: Failure,
    },
    /// The agent is gone and sends no more events.
    AgentEnded {
        reason: String,
    },
    /// A frame was written, and its history rows are the terminal's; `receipt` came with its `View`.
    Painted {
        frame: u64,
        receipt: Receipt,
    },
    /// A frame was laid out for a size the window no longer has; nothing of it was taken.
    FrameStale {
        frame: u64,
        size: Size,
    },
    /// Back from being suspended; the painter has forgotten everything.
    Resumed,
    SuspendRefused {
        reason: String,
    },
    /// It is time for a frame: text that is behind may catch up, icons may move.
    Frame,
    /// A signal asks the program to end with this exit code.
    Terminate {
        code: i32,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Opened {
    pub session: SessionId,
    pub agent_name: String,
    pub workspace: String,
    pub profile: String,
    pub model: String,
    /// The session was there before; its events are in `backlog`.
    pub restored: bool,
    pub notices: Vec<String>,
    /// Prompts written in this workspace before, oldest first.
    pub prompts: Vec<String>,
    pub backlog: Vec<Event>,
    /// Stored rows that could not be read.
    pub skipped_count: usize,
}
