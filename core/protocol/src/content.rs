//! What messages are made of.

use serde::{Deserialize, Serialize};

use crate::ToolCallId;

/// One piece of a message.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    Text {
        text: String,
    },
    /// What the model thought; `signature` goes back to the provider verbatim.
    Thinking {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// A call as the model wrote it: `arguments` is its JSON text and may not even be JSON.
    ToolUse {
        call: ToolCallId,
        provider_id: String,
        name: String,
        arguments: String,
    },
}

impl Block {
    pub fn text(text: impl Into<String>) -> Self {
        Block::Text { text: text.into() }
    }
}

/// A provider and one of its models, written `provider/id`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelRef {
    pub provider: String,
    pub id: String,
}

impl std::fmt::Display for ModelRef {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.provider, self.id)
    }
}

impl std::str::FromStr for ModelRef {
    type Err = String;

    /// Reads `provider/id`; the id may hold further slashes.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            Some((provider, id)) if !provider.is_empty() && !id.is_empty() => {
                Ok(Self { provider: provider.to_owned(), id: id.to_owned() })
            }
            _ => Err(format!("`{text}` is no model; write provider/id, such as openai/gpt-5")),
        }
    }
}

/// Tokens of one response, as the provider counted them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// Prompt tokens that were neither read from nor written to a cache.
    pub input: u64,
    pub output: u64,
    #[serde(default)]
    pub cache_read: u64,
    #[serde(default)]
    pub cache_write: u64,
}

impl Usage {
    /// All tokens of the prompt, cached or not.
    pub fn prompt(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }
}

/// When the parts of a stream came, in milliseconds after the request started.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct StreamMarks {
    pub first_byte_ms: Option<u64>,
    pub first_token_ms: Option<u64>,
    pub last_token_ms: Option<u64>,
    /// How long the model thought, from the first thinking token to what came after it; none if it did not think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_ms: Option<u64>,
    pub duration_ms: u64,
}

/// Why the model stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    EndTurn,
    ToolUse,
    /// The output limit was reached; the answer is cut.
    Length,
    Refusal,
    /// The stream ended before the provider said why.
    Broken,
    Other,
}

/// What came of one tool call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ToolOutput {
    pub outcome: ToolOutcome,
    /// What the model reads.
    pub text: String,
    /// What a person is shown instead, where that differs: a unified diff, for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Short facts for the card's header, such as `+12 -3` or `exit 1`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    pub duration_ms: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOutcome {
    Done,
    Failed,
    Denied,
    Cancelled,
}
