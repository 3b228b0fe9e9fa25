//! A model that answers as the script says, chunk by chunk.
//! Keeps every request, and says what is wrong with one that no provider would take.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedSender, unbounded};
use futures::stream::BoxStream;
use ports::{ModelRequest, Provider};
use protocol::{Block, Chunk, Failure, Message, StopReason, ToolCallId, Usage};

use crate::script::ModelToken;

/// What every scripted answer is said to have cost.
const USAGE: Usage = Usage { input: 100, output: 20, cache_read: 0, cache_write: 0 };

#[derive(Clone, Default)]
pub(crate) struct ScriptedModel {
    answers: Arc<Mutex<Answers>>,
}

#[derive(Default)]
struct Answers {
    requests: Vec<Arc<ModelRequest>>,
    open: Option<Answer>,
    call_count: usize,
}

/// The answer that is streaming.
struct Answer {
    chunks: UnboundedSender<Result<Chunk, Failure>>,
    has_begun: bool,
    /// Calls of this answer, with the name of the one that still grows.
    calls: Vec<(String, String)>,
    grows: Option<String>,
}

impl Provider for ScriptedModel {
    fn stream(&self, request: Arc<ModelRequest>) -> BoxStream<'static, Result<Chunk, Failure>> {
        let (chunks, answer) = unbounded();
        let mut answers = self.answers();
        answers.requests.push(request);
        answers.open = Some(Answer { chunks, has_begun: false, calls: Vec::new(), grows: None });
        answer.boxed()
    }
}

impl ScriptedModel {
    /// Plays a token to the newest stream; a stream that is gone hears nothing.
    pub(crate) fn play(&self, token: ModelToken) {
        let mut answers = self.answers();
        let Answers { open, call_count, .. } = &mut *answers;
        let Some(answer) = open else { return };
        if answer.play(token, call_count) == Reading::Over {
            *open = None;
        }
    }

    /// Whether an answer is being waited for.
    pub(crate) fn is_streaming(&self) -> bool {
        self.answers().open.is_some()
    }

    pub(crate) fn requests(&self) -> Vec<Arc<ModelRequest>> {
        self.answers().requests.clone()
    }

    fn answers(&self) -> std::sync::MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(PartialEq, Eq)]
enum Reading {
    GoesOn,
    Over,
}

impl Answer {
    fn play(&mut self, token: ModelToken, call_count: &mut usize) -> Reading {
        match token {
            ModelToken::Text(text) => self.send(Ok(Chunk::Text(text))),
            ModelToken::Thinking(text) => self.send(Ok(Chunk::Thinking(text))),
            ModelToken::CallPart { name, arguments } => self.call(name, arguments, true, call_count),
            ModelToken::Call { name, arguments } => self.call(name, arguments, false, call_count),
            ModelToken::End => {
                let stop = if self.calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
                self.finish(stop)
            }
            ModelToken::Length => self.finish(StopReason::Length),
            ModelToken::Empty => self.finish(StopReason::EndTurn),
            ModelToken::Cut => Reading::Over,
            ModelToken::Fail(failure) => {
                let _ = self.chunks.unbounded_send(Err(failure));
                Reading::Over
            }
        }
    }

    fn call(&mut self, name: String, arguments: String, grows: bool, call_count: &mut usize) -> Reading {
        if self.grows.as_ref() != Some(&name) {
            *call_count += 1;
            self.calls.push((name.clone(), format!("call_{call_count}")));
        }
        self.grows = grows.then(|| name.clone());
        let index = self.calls.len() - 1;
        let provider_id = self.calls[index].1.clone();
        self.send(Ok(Chunk::ToolCall { index, provider_id, name, arguments }))
    }

    fn finish(&mut self, stop: StopReason) -> Reading {
        self.send(Ok(Chunk::Done { usage: Some(USAGE), stop }));
        Reading::Over
    }

    fn send(&mut self, chunk: Result<Chunk, Failure>) -> Reading {
        if !std::mem::replace(&mut self.has_begun, true) {
            // An aborted stream has nobody at its other end, and late chunks go nowhere.
            let _ = self.chunks.unbounded_send(Ok(Chunk::FirstByte));
        }
        let _ = self.chunks.unbounded_send(chunk);
        Reading::GoesOn
    }
}

/// What a provider would refuse about a request; none if it is valid.
pub(crate) fn fault(request: &ModelRequest) -> Option<String> {
    let mut waiting: BTreeSet<ToolCallId> = BTreeSet::new();
    for (index, message) in request.messages.iter().enumerate() {
        let at = |what: &str| Some(format!("message {index}: {what}"));
        match message {
            Message::ToolResult { call, .. } => {
                if !waiting.remove(call) {
                    return at("a result without its call, or a second one");
                }
            }
            Message::User { .. } | Message::Assistant { .. } if !waiting.is_empty() => {
                return at("a call before it has no result");
            }
            Message::User { blocks } => {
                if !has_content(blocks) {
                    return at("a user message without content");
                }
            }
            Message::Assistant { blocks } => {
                if index == 0 {
                    return at("the first message is not the user's");
                }
                if !has_content(blocks) {
                    return at("an assistant message without content");
                }
                waiting = blocks.iter().filter_map(call_of).collect();
            }
        }
    }
    match request.messages.last() {
        None => Some("no messages".to_owned()),
        Some(Message::Assistant { .. }) => Some("the last message is the assistant's".to_owned()),
        Some(Message::User { .. } | Message::ToolResult { .. }) if !waiting.is_empty() => {
            Some("the last calls have no results".to_owned())
        }
        Some(Message::User { .. } | Message::ToolResult { .. }) => None,
    }
}

fn has_content(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::Text { text } => !text.trim().is_empty(),
        Block::Thinking { .. } => false,
        Block::ToolUse { .. } => true,
    })
}

fn call_of(block: &Block) -> Option<ToolCallId> {
    match block {
        Block::ToolUse { call, .. } => Some(*call),
        Block::Text { .. } | Block::Thinking { .. } => None,
    }
}
