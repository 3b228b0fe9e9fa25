//! Gates: questions that hold a turn until somebody answers.

use serde::{Deserialize, Serialize};

use crate::{GateId, ToolCallId};

/// A permission question about one tool call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    pub id: GateId,
    pub call: ToolCallId,
    pub tool: String,
    /// The call in one line, such as `$ cargo test`.
    pub summary: String,
    pub requirements: Vec<Requirement>,
    /// The whole command or the diff that approval would carry out.
    pub preview: String,
    /// The directory the call would run in.
    pub directory: String,
}

/// One thing that a call needs and that the profile does not simply grant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Requirement {
    pub kind: RequirementKind,
    /// In words, for the prompt: `write src/main.rs`.
    pub description: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    ReadInside,
    ReadOutside,
    WriteInside,
    WriteOutside,
    Command,
}

/// What a person can do about a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateAction {
    Approve,
    Deny,
}

/// How a gate was closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateAnswer {
    Approved,
    Denied,
    /// The turn it held is gone.
    TurnEnded,
    /// The process that asked has ended.
    RestoreUnavailable,
}

/// Who closed a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateSource {
    You,
    Program,
}
