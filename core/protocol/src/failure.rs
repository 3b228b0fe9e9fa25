//! Failures sorted by who must act, with the next step in words.

use serde::{Deserialize, Serialize};

/// What went wrong, in one sentence, and what to do next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}; {next_step}")]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    pub next_step: String,
    /// How long the server asked to wait before another try, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Failure {
    pub fn new(kind: FailureKind, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self { kind, message: message.into(), next_step: next_step.into(), retry_after_ms: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    MissingKey,
    Unauthorized,
    UnknownModel,
    BadRequest,
    ContextOverflow,
    RateLimited,
    Overloaded,
    Server,
    /// Refused, reset or unreachable.
    Connection,
    /// A chunk that cannot be decoded.
    Malformed,
    Stalled,
    /// The answer had no content.
    Empty,
    /// A named limit of ours was reached.
    Limit,
    Storage,
    Other,
}

impl FailureKind {
    /// Whether the same request may succeed later without anybody acting.
    pub fn is_transient(self) -> bool {
        match self {
            Self::RateLimited
            | Self::Overloaded
            | Self::Server
            | Self::Connection
            | Self::Malformed
            | Self::Stalled
            | Self::Empty => true,
            Self::MissingKey
            | Self::Unauthorized
            | Self::UnknownModel
            | Self::BadRequest
            | Self::ContextOverflow
            | Self::Limit
            | Self::Storage
            | Self::Other => false,
        }
    }
}
