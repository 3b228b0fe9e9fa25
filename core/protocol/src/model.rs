//! What a model is asked and the pieces in which it answers.

use crate::{Block, StopReason, ToolCallId, Usage};

/// One message of the context a model gets.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    User {
        blocks: Vec<Block>,
    },
    Assistant {
        blocks: Vec<Block>,
    },
    /// The result of a call of the assistant message before; every call has exactly one.
    ToolResult {
        call: ToolCallId,
        provider_id: String,
        name: String,
        text: String,
        is_error: bool,
    },
}

/// One piece of an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Chunk {
    /// The server began to answer.
    FirstByte,
    Text(String),
    Thinking(String),
    /// Closes the thinking so far; goes back to the provider verbatim.
    Signature(String),
    /// A call, again each time more of its arguments came (cumulative); `index` tells calls apart.
    ToolCall {
        index: usize,
        provider_id: String,
        name: String,
        arguments: String,
    },
    Done {
        usage: Option<Usage>,
        stop: StopReason,
    },
}
