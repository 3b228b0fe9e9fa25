//! OpenAI chat completions: the request's body, and the answer's events.
//! Thoughts are shown but not sent back: this wire has no place for them.

use std::collections::VecDeque;

use ports::ModelRequest;
use protocol::{Block, Chunk, Message, StopReason, ToolCallId, Usage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::calls::{Calls, Piece};
use crate::rejection::Rejection;
use crate::wire::{self, Decoder, Fault, Flow};

/// Writes the request's body.
pub(crate) fn encode(request: &ModelRequest) -> Value {
    let mut messages = vec![];
    if !request.system.is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    messages.extend(request.messages.iter().filter_map(encode_message));
    let mut body = json!({
        "model": request.model.id,
        "messages": messages,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                let parameters = wire::schema(tool);
                json!({"type": "function", "function": {
                    "name": tool.name, "description": tool.description, "parameters": parameters,
                }})
            })
            .collect();
    }
    body
}

/// None for a message that has nothing this wire could carry.
fn encode_message(message: &Message) -> Option<Value> {
    match message {
        Message::User { blocks } => Some(json!({"role": "user", "content": joined(blocks)?})),
        Message::Assistant { blocks } => {
            let calls: Vec<Value> = blocks.iter().filter_map(encode_call).collect();
            let text = joined(blocks);
            if calls.is_empty() {
                return Some(json!({"role": "assistant", "content": text?}));
            }
            Some(json!({"role": "assistant", "content": text, "tool_calls": calls}))
        }
        Message::ToolResult { call, provider_id, text, .. } => {
            Some(json!({"role": "tool", "tool_call_id": wire_id(*call, provider_id), "content": text}))
        }
    }
}

fn joined(blocks: &[Block]) -> Option<String> {
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text { text } => Some(text.as_str()),
            Block::Thinking { .. } | Block::ToolUse { .. } => None,
        })
        .collect();
    Some(texts.join("\n\n")).filter(|text| !text.trim().is_empty())
}

fn encode_call(block: &Block) -> Option<Value> {
    match block {
        Block::ToolUse { call, provider_id, name, arguments } => {
            let arguments = wire::arguments(arguments).to_string();
            let function = json!({"name": name, "arguments": arguments});
            Some(json!({"id": wire_id(*call, provider_id), "type": "function", "function": function}))
        }
        Block::Text { .. } | Block::Thinking { .. } => None,
    }
}

fn wire_id(call: ToolCallId, provider_id: &str) -> String {
    if provider_id.is_empty() { call.to_string() } else { provider_id.to_owned() }
}

/// Follows one answer.
#[derive(Default)]
pub(crate) struct ChatDecoder {
    calls: Calls,
    usage: Option<Usage>,
    stop: Option<StopReason>,
}

impl Decoder for ChatDecoder {
    fn decode(&mut self, data: &str, chunks: &mut VecDeque<Chunk>) -> Result<Flow, Fault> {
        if data.trim() == "[DONE]" {
            self.stop.get_or_insert(StopReason::EndTurn);
            return Ok(Flow::Complete);
        }
        let event: Event = serde_json::from_str(data).map_err(|_| Fault::Undecodable)?;
        if let Some(error) = event.error {
            return Err(Fault::Rejected(Rejection::reported(&error)));
        }
        if let Some(usage) = event.usage {
            self.usage = Some(usage.into());
        }
        for choice in event.choices.unwrap_or_default() {
            if let Some(delta) = choice.delta {
                self.take(delta, chunks)?;
            }
            if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
                self.stop = Some(stop_reason(&reason));
            }
        }
        Ok(Flow::More)
    }

    fn finish(&mut self, chunks: &mut VecDeque<Chunk>) {
        let Some(stop) = self.stop else { return };
        self.calls.finish(chunks);
        chunks.push_back(Chunk::Done { usage: self.usage, stop: self.calls.correct(stop) });
    }
}

impl ChatDecoder {
    fn take(&mut self, delta: Delta, chunks: &mut VecDeque<Chunk>) -> Result<(), Fault> {
        let thinking = delta.reasoning_content.or(delta.reasoning).filter(|text| !text.is_empty());
        chunks.extend(thinking.map(Chunk::Thinking));
        for text in [delta.content, delta.refusal].into_iter().flatten().filter(|text| !text.is_empty()) {
            chunks.push_back(Chunk::Text(text));
        }
        for call in delta.tool_calls.unwrap_or_default() {
            let function = call.function.unwrap_or_default();
            let piece = Piece {
                key: call.index,
                provider_id: call.id.as_deref().unwrap_or_default(),
                name: function.name.as_deref().unwrap_or_default(),
                arguments: function.arguments.as_deref().unwrap_or_default(),
            };
            self.calls.add(piece, chunks)?;
        }
        Ok(())
    }
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "stop" => StopReason::EndTurn,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "length" => StopReason::Length,
        "content_filter" => StopReason::Refusal,
        _ => StopReason::Other,
    }
}

#[derive(Deserialize)]
struct Event {
    choices: Option<Vec<Choice>>,
    usage: Option<WireUsage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta {
    content: Option<String>,
    refusal: Option<String>,
    /// DeepSeek, llama.cpp and vLLM.
    reasoning_content: Option<String>,
    /// Ollama and OpenRouter.
    reasoning: Option<String>,
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<usize>,
    id: Option<String>,
    function: Option<FunctionDelta>,
}

#[derive(Deserialize, Default)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        let cache_read = usage.prompt_tokens_details.and_then(|details| details.cached_tokens).unwrap_or(0);
        Usage {
            input: usage.prompt_tokens.saturating_sub(cache_read),
            output: usage.completion_tokens,
            cache_read,
            cache_write: 0,
        }
    }
}
