//! The two wires and what their codecs share: requests become bodies, event data becomes chunks.

use std::collections::VecDeque;

use ports::{ModelRequest, ToolSpec};
use protocol::Chunk;
use serde_json::{Value, json};

use crate::chat::{self, ChatDecoder};
use crate::messages::{self, MessagesDecoder};
use crate::rejection::Rejection;

/// The forms of request and answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wire {
    /// OpenAI chat completions, which most local servers speak too.
    Chat,
    /// Anthropic Messages.
    Messages,
}

impl Wire {
    /// Writes the request's body.
    pub(crate) fn encode(self, request: &ModelRequest) -> Value {
        match self {
            Wire::Chat => chat::encode(request),
            Wire::Messages => messages::encode(request),
        }
    }

    pub(crate) fn decoder(self) -> Box<dyn Decoder> {
        match self {
            Wire::Chat => Box::new(ChatDecoder::default()),
            Wire::Messages => Box::new(MessagesDecoder::default()),
        }
    }
}

/// Follows one answer.
pub(crate) trait Decoder: Send {
    /// Takes the data of one event and pushes what it says.
    fn decode(&mut self, data: &str, chunks: &mut VecDeque<Chunk>) -> Result<Flow, Fault>;

    /// Pushes the last chunks, if the provider has said why it stopped.
    fn finish(&mut self, chunks: &mut VecDeque<Chunk>);
}

/// Whether the provider has more to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    More,
    Complete,
}

/// What is wrong with a stream that did come.
#[derive(PartialEq, Debug)]
pub(crate) enum Fault {
    Undecodable,
    /// One event or the calls of the answer are beyond their limit.
    TooLong,
    /// The provider reports an error amid its answer.
    Rejected(Rejection),
}

/// The arguments of a past call as the object that servers demand, even if the model wrote none.
pub(crate) fn arguments(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Value::Object(object),
        Ok(_) | Err(_) if text.trim().is_empty() => json!({}),
        Ok(_) | Err(_) => json!({"arguments": text}),
    }
}

/// The schema of a tool; with one that is no JSON the model goes by the description.
pub(crate) fn schema(tool: &ToolSpec) -> Value {
    serde_json::from_str(&tool.schema).unwrap_or_else(|_| json!({"type": "object"}))
}
