//! Anthropic Messages: the request's body, and the answer's events.
//! Signed thoughts go back verbatim; a thought without a signature came from elsewhere and stays here.

use std::collections::VecDeque;

use ports::ModelRequest;
use protocol::{Block, Chunk, Message, StopReason, ToolCallId, Usage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::calls::{Calls, Piece};
use crate::rejection::Rejection;
use crate::wire::{self, Decoder, Fault, Flow};

/// The wire demands a limit; at it the answer stops with `Length`. Models of the first rows take no more.
const OUTPUT_TOKENS_MAX: [(&str, u32); 4] =
    [("claude-3-haiku", 4_096), ("claude-3-opus", 4_096), ("claude-3-5-", 8_192), ("", 32_000)];

/// Marks a thought that came encrypted and whole; no signature of the provider holds a colon.
const REDACTED: &str = "redacted:";

/// Writes the request's body.
pub(crate) fn encode(request: &ModelRequest) -> Value {
    let (_, max_tokens) = OUTPUT_TOKENS_MAX
        .into_iter()
        .find(|(prefix, _)| request.model.id.starts_with(prefix))
        .expect("the last row fits every model");
    let mut body = json!({
        "model": request.model.id,
        "max_tokens": max_tokens,
        "messages": encode_messages(&request.messages),
        "stream": true,
    });
    if !request.system.is_empty() {
        let mut system = json!({"type": "text", "text": request.system});
        mark_cached(&mut system);
        body["system"] = json!([system]);
    }
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                let input_schema = wire::schema(tool);
                json!({"name": tool.name, "description": tool.description, "input_schema": input_schema})
            })
            .collect();
    }
    body
}

/// Neighbors of one role become one message, as the wire wants the results of a batch together.
fn encode_messages(messages: &[Message]) -> Vec<Value> {
    let mut encoded: Vec<(&str, Vec<Value>)> = vec![];
    for message in messages {
        let (role, content) = encode_message(message);
        match encoded.last_mut() {
            Some((last, blocks)) if *last == role => blocks.extend(content),
            _ if content.is_empty() => {}
            _ => encoded.push((role, content)),
        }
    }
    if let Some((role, blocks)) = encoded.last_mut()
        && *role == "user"
        && let Some(block) = blocks.last_mut()
    {
        mark_cached(block);
    }
    encoded.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// Has the provider keep the prompt up to here for the next step.
fn mark_cached(block: &mut Value) {
    block["cache_control"] = json!({"type": "ephemeral"});
}

fn encode_message(message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User { blocks } => ("user", blocks.iter().filter_map(encode_block).collect()),
        Message::Assistant { blocks } => {
            let mut content: Vec<Value> = blocks.iter().filter_map(encode_block).collect();
            // The wire refuses a message that ends in a thought.
            while content.last().is_some_and(is_thought) {
                content.pop();
            }
            ("assistant", content)
        }
        Message::ToolResult { call, provider_id, text, is_error, .. } => {
            let id = wire_id(*call, provider_id);
            let result = json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error});
            ("user", vec![result])
        }
    }
}

/// None for what the wire refuses: blank texts and unsigned thoughts.
fn encode_block(block: &Block) -> Option<Value> {
    match block {
        Block::Text { text } if text.trim().is_empty() => None,
        Block::Text { text } => Some(json!({"type": "text", "text": text})),
        Block::Thinking { text, signature } => {
            let signature = signature.as_deref()?;
            Some(match signature.strip_prefix(REDACTED) {
                Some(data) => json!({"type": "redacted_thinking", "data": data}),
                None => json!({"type": "thinking", "thinking": text, "signature": signature}),
            })
        }
        Block::ToolUse { call, provider_id, name, arguments } => {
            let input = wire::arguments(arguments);
            Some(json!({"type": "tool_use", "id": wire_id(*call, provider_id), "name": name, "input": input}))
        }
    }
}

fn is_thought(block: &Value) -> bool {
    block["type"] == "thinking" || block["type"] == "redacted_thinking"
}

/// Ids of other providers may hold signs that this one refuses.
fn wire_id(call: ToolCallId, provider_id: &str) -> String {
    if provider_id.is_empty() {
        return call.to_string();
    }
    let is_taken = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '-';
    provider_id.chars().map(|sign| if is_taken(sign) { sign } else { '_' }).collect()
}

/// Follows one answer.
#[derive(Default)]
pub(crate) struct MessagesDecoder {
    calls: Calls,
    signature: String,
    usage: Option<WireUsage>,
    stop: Option<StopReason>,
}

impl Decoder for MessagesDecoder {
    fn decode(&mut self, data: &str, chunks: &mut VecDeque<Chunk>) -> Result<Flow, Fault> {
        match serde_json::from_str(data).map_err(|_| Fault::Undecodable)? {
            Event::MessageStart { message } => self.count(message.usage),
            Event::ContentBlockStart { index, content_block } => self.start(index, content_block, chunks)?,
            Event::ContentBlockDelta { index, delta } => self.add(index, delta, chunks)?,
            Event::ContentBlockStop => self.close_thinking(chunks),
            Event::MessageDelta { delta, usage } => {
                self.count(usage);
                self.stop = delta.stop_reason.as_deref().map(stop_reason).or(self.stop);
            }
            Event::MessageStop => {
                self.stop.get_or_insert(StopReason::EndTurn);
                return Ok(Flow::Complete);
            }
            Event::Error { error } => return Err(Fault::Rejected(Rejection::reported(&error))),
            Event::Other => {}
        }
        Ok(Flow::More)
    }

    fn finish(&mut self, chunks: &mut VecDeque<Chunk>) {
        let Some(stop) = self.stop else { return };
        self.close_thinking(chunks);
        self.calls.finish(chunks);
        chunks.push_back(Chunk::Done { usage: self.usage.map(Usage::from), stop: self.calls.correct(stop) });
    }
}

impl MessagesDecoder {
    fn start(&mut self, index: usize, block: ContentBlock, chunks: &mut VecDeque<Chunk>) -> Result<(), Fault> {
        match block {
            ContentBlock::Text { text } => push_text(text, Chunk::Text, chunks),
            ContentBlock::Thinking { thinking, signature } => {
                push_text(thinking, Chunk::Thinking, chunks);
                self.signature = signature;
            }
            ContentBlock::RedactedThinking { data } => self.signature = format!("{REDACTED}{data}"),
            ContentBlock::ToolUse { id, name } => {
                let piece = Piece { key: Some(index), provider_id: &id, name: &name, arguments: "" };
                self.calls.add(piece, chunks)?;
            }
            ContentBlock::Other => {}
        }
        Ok(())
    }

    fn add(&mut self, index: usize, delta: Delta, chunks: &mut VecDeque<Chunk>) -> Result<(), Fault> {
        match delta {
            Delta::Text { text } => push_text(text, Chunk::Text, chunks),
            Delta::Thinking { thinking } => push_text(thinking, Chunk::Thinking, chunks),
            Delta::Signature { signature } => self.signature.push_str(&signature),
            Delta::InputJson { partial_json } => {
                let piece = Piece { key: Some(index), arguments: &partial_json, ..Piece::default() };
                self.calls.add(piece, chunks)?;
            }
            Delta::Other => {}
        }
        Ok(())
    }

    fn close_thinking(&mut self, chunks: &mut VecDeque<Chunk>) {
        push_text(std::mem::take(&mut self.signature), Chunk::Signature, chunks);
    }

    /// Counts come twice, each time for all of the answer so far; the later ones hold.
    fn count(&mut self, usage: Option<WireUsage>) {
        let Some(new) = usage else { return };
        let old = self.usage.unwrap_or_default();
        self.usage = Some(WireUsage {
            input_tokens: new.input_tokens.or(old.input_tokens),
            output_tokens: new.output_tokens.or(old.output_tokens),
            cache_read_input_tokens: new.cache_read_input_tokens.or(old.cache_read_input_tokens),
            cache_creation_input_tokens: new.cache_creation_input_tokens.or(old.cache_creation_input_tokens),
        });
    }
}

fn push_text(text: String, kind: fn(String) -> Chunk, chunks: &mut VecDeque<Chunk>) {
    if !text.is_empty() {
        chunks.push_back(kind(text));
    }
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "end_turn" | "stop_sequence" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "refusal" => StopReason::Refusal,
        _ => StopReason::Other,
    }
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: MessageHead,
    },
    ContentBlockStart {
        index: usize,
        content_block: ContentBlock,
    },
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    ContentBlockStop,
    MessageDelta {
        delta: MessageTail,
        usage: Option<WireUsage>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    /// `ping`, and what the provider may add.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct MessageHead {
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct MessageTail {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ContentBlock {
    Text {
        #[serde(default)]
        text: String,
    },
    Thinking {
        #[serde(default)]
        thinking: String,
        #[serde(default)]
        signature: String,
    },
    RedactedThinking {
        data: String,
    },
    ToolUse {
        id: String,
        name: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "signature_delta")]
    Signature { signature: String },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Deserialize, Clone, Copy, Default)]
struct WireUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        Usage {
            input: usage.input_tokens.unwrap_or(0),
            output: usage.output_tokens.unwrap_or(0),
            cache_read: usage.cache_read_input_tokens.unwrap_or(0),
            cache_write: usage.cache_creation_input_tokens.unwrap_or(0),
        }
    }
}
