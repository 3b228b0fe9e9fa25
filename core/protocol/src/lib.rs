//! The words both sides share: a [`Command`] goes down, an [`Event`] comes up.
//! Decides nothing and stores nothing; `codec` alone knows the form in which events are kept.

pub mod id;
pub mod content;
pub mod model;
pub mod command;
pub mod event;
pub mod gate;
pub mod failure;
pub mod codec;

pub use command::{Command, InterruptTarget};
pub use content::{Block, ModelRef, StopReason, StreamMarks, ToolOutcome, ToolOutput, Usage};
pub use event::{
    AccessProfile, Agency, Body, Cause, Enduring, Ephemeral, Event, Header, InputReason, RetryOutcome, Scope, Source,
};
pub use failure::{Failure, FailureKind};
pub use gate::{Gate, GateAction, GateAnswer, GateSource, Requirement, RequirementKind};
pub use id::{CommandId, EventId, GateId, IdSource, InputId, LoopId, SessionId, Stamp, StepId, ToolCallId, TurnId};
pub use model::{Chunk, Message};
