//! One try at an answer: the pieces as they come, and the answer they add up to.
//! Decides neither when the answer is over nor what becomes of it.

use protocol::{
    Block, Chunk, Enduring, Ephemeral, Failure, IdSource, StepId, StopReason, StreamMarks, ToolCallId, Usage,
};

#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) step: StepId,
    started_ms: u64,
    /// When the newest sign of life came; none before the first byte.
    pub(crate) heard_ms: Option<u64>,
    thinking_since_ms: Option<u64>,
    marks: StreamMarks,
    blocks: Vec<Block>,
    /// The provider's number of each call, and where the call stands in `blocks`.
    places: Vec<(usize, usize)>,
}

/// How an answer came to its end.
pub(crate) enum Ending {
    Whole { usage: Option<Usage>, stop: StopReason },
    Cut { usage: Option<Usage>, stop: StopReason, why: Failure },
}

impl Stream {
    pub(crate) fn new(step: StepId, started_ms: u64) -> Self {
        Self {
            step,
            started_ms,
            heard_ms: None,
            thinking_since_ms: None,
            marks: StreamMarks::default(),
            blocks: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Notes a sign of life.
    pub(crate) fn hear(&mut self, at_ms: u64) {
        self.heard_ms = Some(at_ms);
        let since_start_ms = at_ms.saturating_sub(self.started_ms);
        self.marks.first_byte_ms.get_or_insert(since_start_ms);
    }

    /// Takes a piece of the answer; returns what clients are told of it, and the call it is about.
    pub(crate) fn take(
        &mut self,
        chunk: Chunk,
        at_ms: u64,
        ids: &mut IdSource,
    ) -> Option<(Option<ToolCallId>, Ephemeral)> {
        match chunk {
            Chunk::FirstByte | Chunk::Done { .. } => None,
            Chunk::Text(text) => {
                self.mark_token(at_ms);
                self.end_thinking(at_ms);
                self.add_text(&text);
                Some((None, Ephemeral::TextDelta { text }))
            }
            Chunk::Thinking(text) => {
                self.mark_token(at_ms);
                self.thinking_since_ms.get_or_insert(at_ms);
                self.add_thinking(&text);
                Some((None, Ephemeral::ThinkingDelta { text }))
            }
            Chunk::Signature(signature) => {
                self.add_signature(signature);
                None
            }
            Chunk::ToolCall { index, provider_id, name, arguments } => {
                self.mark_token(at_ms);
                self.end_thinking(at_ms);
                let (call, name) = self.add_call(index, provider_id, name, &arguments, ids);
                Some((Some(call), Ephemeral::ToolArgsDelta { name, arguments }))
            }
        }
    }

    /// Whether there is something that a person would miss.
    pub(crate) fn has_content(&self) -> bool {
        self.blocks.iter().any(|block| match block {
            Block::Text { text } | Block::Thinking { text, .. } => !text.trim().is_empty(),
            Block::ToolUse { .. } => true,
        })
    }

    /// Whether there is an answer in it: text or a call. Thinking alone is none.
    pub(crate) fn has_answer(&self) -> bool {
        self.blocks.iter().any(|block| match block {
            Block::Text { text } => !text.trim().is_empty(),
            Block::Thinking { .. } => false,
            Block::ToolUse { .. } => true,
        })
    }

    /// Returns the answer that the pieces add up to.
    pub(crate) fn answered(mut self, ending: Ending, at_ms: u64) -> Enduring {
        self.end_thinking(at_ms);
        self.marks.duration_ms = at_ms.saturating_sub(self.started_ms);
        self.tell_calls_apart();
        let (usage, stop, cut) = match ending {
            Ending::Whole { usage, stop } => (usage, stop, None),
            Ending::Cut { usage, stop, why } => (usage, stop, Some(why)),
        };
        Enduring::StepAnswered { blocks: self.blocks, usage, marks: self.marks, stop, cut }
    }

    fn add_text(&mut self, more: &str) {
        match self.blocks.last_mut() {
            Some(Block::Text { text }) => text.push_str(more),
            Some(Block::Thinking { .. } | Block::ToolUse { .. }) | None => self.blocks.push(Block::text(more)),
        }
    }

    fn add_thinking(&mut self, more: &str) {
        match self.blocks.last_mut() {
            Some(Block::Thinking { text, signature: None }) => text.push_str(more),
            Some(Block::Thinking { .. } | Block::Text { .. } | Block::ToolUse { .. }) | None => {
                self.blocks.push(Block::Thinking { text: more.to_owned(), signature: None });
            }
        }
    }

    /// Closes the thinking so far. Thinking that the provider keeps to itself is a signature without text.
    fn add_signature(&mut self, closing: String) {
        match self.blocks.last_mut() {
            Some(Block::Thinking { signature: open @ None, .. }) => *open = Some(closing),
            Some(Block::Thinking { .. } | Block::Text { .. } | Block::ToolUse { .. }) | None => {
                self.blocks.push(Block::Thinking { text: String::new(), signature: Some(closing) });
            }
        }
    }

    /// Takes a call as far as it has come; its id stays the same while it grows.
    fn add_call(
        &mut self,
        index: usize,
        its_id: String,
        its_name: String,
        so_far: &str,
        ids: &mut IdSource,
    ) -> (ToolCallId, String) {
        let place = self.place_of(index, ids);
        let Block::ToolUse { call, provider_id, name, arguments } = &mut self.blocks[place] else {
            unreachable!("the place of a call holds a tool use");
        };
        if !its_id.is_empty() {
            *provider_id = its_id;
        }
        if !its_name.is_empty() {
            *name = its_name;
        }
        so_far.clone_into(arguments);
        (*call, name.clone())
    }

    fn mark_token(&mut self, at_ms: u64) {
        let since_start_ms = at_ms.saturating_sub(self.started_ms);
        self.marks.first_token_ms.get_or_insert(since_start_ms);
        self.marks.last_token_ms = Some(since_start_ms);
    }

    fn end_thinking(&mut self, at_ms: u64) {
        if let Some(since_ms) = self.thinking_since_ms.take() {
            let more_ms = at_ms.saturating_sub(since_ms);
            self.marks.thinking_ms = Some(self.marks.thinking_ms.unwrap_or(0).saturating_add(more_ms));
        }
    }

    fn place_of(&mut self, index: usize, ids: &mut IdSource) -> usize {
        if let Some((_, place)) = self.places.iter().find(|(known, _)| *known == index) {
            return *place;
        }
        let place = self.blocks.len();
        self.places.push((index, place));
        self.blocks.push(Block::ToolUse {
            call: ids.make(),
            provider_id: String::new(),
            name: String::new(),
            arguments: String::new(),
        });
        place
    }

    /// Gives a call its own provider id where the server gave none, or the same one twice.
    /// Results name their call by it.
    fn tell_calls_apart(&mut self) {
        let mut taken: Vec<String> = Vec::new();
        for block in &mut self.blocks {
            let Block::ToolUse { call, provider_id, .. } = block else { continue };
            if provider_id.is_empty() || taken.contains(provider_id) {
                *provider_id = format!("call_{}", call.0.simple());
            }
            taken.push(provider_id.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Stamp;

    use super::*;

    fn text(text: &str) -> Chunk {
        Chunk::Text(text.to_owned())
    }

    fn call(index: usize, provider_id: &str, arguments: &str) -> Chunk {
        let (provider_id, arguments) = (provider_id.to_owned(), arguments.to_owned());
        Chunk::ToolCall { index, provider_id, name: "read".to_owned(), arguments }
    }

    /// The answer of a request sent at 1,000 ms that was whole 100 ms after its last piece.
    fn answered(pieces: &[(u64, Chunk)]) -> (Vec<Block>, StreamMarks) {
        let mut ids = Stamp { at_ms: 0, seed: 1 }.ids();
        let mut stream = Stream::new(ids.make(), 1_000);
        let mut last_ms = 1_000;
        for (at_ms, chunk) in pieces {
            last_ms = *at_ms;
            stream.hear(last_ms);
            stream.take(chunk.clone(), last_ms, &mut ids);
        }
        let ending = Ending::Whole { usage: None, stop: StopReason::EndTurn };
        match stream.answered(ending, last_ms + 100) {
            Enduring::StepAnswered { blocks, marks, .. } => (blocks, marks),
            other => panic!("no answer: {other:?}"),
        }
    }

    #[test]
    fn marks_count_from_the_request_and_thinking_ends_with_what_follows_it() {
        let pieces = [
            (1_200, Chunk::FirstByte),
            (1_500, Chunk::Thinking("hm".to_owned())),
            (1_600, Chunk::Signature("abc".to_owned())),
            (2_500, text("Yes")),
            (3_000, text(".")),
        ];
        let (blocks, marks) = answered(&pieces);
        let thinking = Block::Thinking { text: "hm".to_owned(), signature: Some("abc".to_owned()) };
        assert_eq!(blocks, [thinking, Block::text("Yes.")]);
        let expected = StreamMarks {
            first_byte_ms: Some(200),
            first_token_ms: Some(500),
            last_token_ms: Some(2_000),
            thinking_ms: Some(1_000),
            duration_ms: 2_100,
        };
        assert_eq!(marks, expected);
    }

    #[test]
    fn calls_grow_in_place_and_are_told_apart_even_by_a_server_that_does_not() {
        let pieces = [
            (1_100, call(0, "same", "{\"a")),
            (1_200, call(1, "same", "{}")),
            (1_300, call(0, "", "{\"a\":1}")),
            (1_400, call(2, "", "{}")),
        ];
        let (blocks, _) = answered(&pieces);
        let shown: Vec<(String, String)> = blocks
            .iter()
            .filter_map(|block| match block {
                Block::ToolUse { call, provider_id, arguments, .. } => {
                    let own_id = format!("call_{}", call.0.simple());
                    let id = if *provider_id == own_id { "own" } else { provider_id.as_str() };
                    Some((id.to_owned(), arguments.clone()))
                }
                Block::Text { .. } | Block::Thinking { .. } => None,
            })
            .collect();
        let expected = [("same", "{\"a\":1}"), ("own", "{}"), ("own", "{}")];
        assert_eq!(shown, expected.map(|(id, arguments)| (id.to_owned(), arguments.to_owned())));
    }
}
