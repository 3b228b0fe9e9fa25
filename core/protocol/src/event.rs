//! What has happened. Enduring events are stored before anyone sees them; ephemeral ones are live only.

use serde::{Deserialize, Serialize};

use crate::{
    Block, CommandId, EventId, Failure, Gate, GateAnswer, GateId, GateSource, InputId, LoopId, ModelRef, SessionId,
    StepId, StopReason, StreamMarks, ToolCallId, ToolOutput, TurnId, Usage,
};

#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub header: Header,
    pub body: Body,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    pub id: EventId,
    /// Milliseconds since the Unix epoch, given by the shell.
    pub at_ms: u64,
    pub session: SessionId,
    pub loop_id: Option<LoopId>,
    pub turn: Option<TurnId>,
    pub step: Option<StepId>,
    pub call: Option<ToolCallId>,
    pub cause: Cause,
}

/// What brought an event about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cause {
    pub from: Source,
    pub agency: Agency,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum Source {
    Session,
    Command(CommandId),
    Event(EventId),
    Call(ToolCallId),
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agency {
    #[default]
    Machine,
    Human,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    Enduring(Enduring),
    Ephemeral(Ephemeral),
}

/// What an event is about; it decides which ids its header must carry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    Session,
    Loop,
    Turn,
    Step,
    Tool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "body")]
pub enum Enduring {
    SessionStarted {
        workspace: String,
        profile: AccessProfile,
        /// The session runs on the scripted model.
        #[serde(default)]
        tour: bool,
    },
    /// The session was opened again: how many turns and gates the last process left open.
    SessionRestored {
        closed_turns: u64,
        closed_gates: u64,
    },
    LoopStarted {
        agent_name: String,
        model: ModelRef,
    },
    /// The session goes on with another model than before.
    ModelChanged {
        from: ModelRef,
        to: ModelRef,
    },
    LoopIdle {},
    InputQueued {
        input: InputId,
        blocks: Vec<Block>,
    },
    InputCancelled {
        input: InputId,
        reason: InputReason,
        blocks: Vec<Block>,
    },
    InputRejected {
        input: InputId,
        reason: InputReason,
        blocks: Vec<Block>,
    },
    TurnStarted {
        input: InputId,
        blocks: Vec<Block>,
    },
    InputFolded {
        input: InputId,
        blocks: Vec<Block>,
    },
    RetryEpisodeEnded {
        attempts: u32,
        reason: String,
        outcome: RetryOutcome,
    },
    TurnDone {
        usage: Usage,
        duration_ms: u64,
    },
    TurnFailed {
        failure: Failure,
    },
    TurnInterrupted {},
    StepAnswered {
        blocks: Vec<Block>,
        usage: Option<Usage>,
        marks: StreamMarks,
        stop: StopReason,
        /// Why the answer is incomplete, if it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cut: Option<Failure>,
    },
    StepDone {},
    GateOpened {
        gate: Gate,
    },
    GateResolved {
        gate: GateId,
        answer: GateAnswer,
        source: GateSource,
    },
    ToolFinished {
        name: String,
        summary: String,
        output: ToolOutput,
    },
    /// Of a newer version: kept as it was read and shown as one row.
    #[serde(skip)]
    Unknown {
        type_name: String,
        version: u32,
        body: serde_json::Value,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub enum Ephemeral {
    StepStarted {
        model: ModelRef,
    },
    TextDelta {
        text: String,
    },
    ThinkingDelta {
        text: String,
    },
    /// The arguments of a call so far, as far as they have come.
    ToolArgsDelta {
        name: String,
        arguments: String,
    },
    ToolStarted {
        name: String,
        summary: String,
    },
    ToolOutput {
        chunk: String,
    },
    RetryScheduled {
        attempt: u32,
        attempts_max: u32,
        delay_ms: u64,
        reason: String,
    },
    /// What became of a command that nothing else answers.
    CommandAnswered {
        command: CommandId,
        refused: Option<String>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessProfile {
    Trusted,
}

/// Why an input ended without reaching the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputReason {
    TurnInterrupted,
    TurnFailed,
    QueueFull,
    StorageFailed,
    ProcessEnded,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryOutcome {
    Recovered,
    GaveUp,
    Stopped,
}

impl Enduring {
    /// The names of all types this version knows, as they are stored.
    pub const TYPE_NAMES: &'static [&'static str] = &[
        "SessionStarted",
        "SessionRestored",
        "LoopStarted",
        "ModelChanged",
        "LoopIdle",
        "InputQueued",
        "InputCancelled",
        "InputRejected",
        "TurnStarted",
        "InputFolded",
        "RetryEpisodeEnded",
        "TurnDone",
        "TurnFailed",
        "TurnInterrupted",
        "StepAnswered",
        "StepDone",
        "GateOpened",
        "GateResolved",
        "ToolFinished",
    ];

    /// Returns the scope, none for a type this version does not know.
    pub fn scope(&self) -> Option<Scope> {
        Some(match self {
            Self::SessionStarted { .. } | Self::SessionRestored { .. } => Scope::Session,
            Self::LoopStarted { .. }
            | Self::ModelChanged { .. }
            | Self::LoopIdle {}
            | Self::InputQueued { .. }
            | Self::InputCancelled { .. }
            | Self::InputRejected { .. } => Scope::Loop,
            Self::TurnStarted { .. }
            | Self::InputFolded { .. }
            | Self::RetryEpisodeEnded { .. }
            | Self::TurnDone { .. }
            | Self::TurnFailed { .. }
            | Self::TurnInterrupted {} => Scope::Turn,
            Self::StepAnswered { .. } | Self::StepDone {} => Scope::Step,
            Self::GateOpened { .. } | Self::GateResolved { .. } | Self::ToolFinished { .. } => Scope::Tool,
            Self::Unknown { .. } => return None,
        })
    }
}

impl Header {
    /// Whether exactly the ids that `scope` asks for are there.
    pub fn fits(&self, scope: Scope) -> bool {
        let present = [self.loop_id.is_some(), self.turn.is_some(), self.step.is_some(), self.call.is_some()];
        let wanted = [Scope::Loop, Scope::Turn, Scope::Step, Scope::Tool].map(|least| scope >= least);
        present == wanted
    }
}

impl Event {
    /// The enduring part, if it is one.
    pub fn enduring(&self) -> Option<&Enduring> {
        match &self.body {
            Body::Enduring(enduring) => Some(enduring),
            Body::Ephemeral(_) => None,
        }
    }
}
