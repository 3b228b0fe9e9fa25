//! The tool calls of one answer, put together from their pieces.
//! Does not judge arguments: a tool decodes them.

use std::collections::VecDeque;

use protocol::{Chunk, StopReason};

use crate::wire::Fault;

/// More calls in one answer, or longer arguments, are a runaway: the stream fails.
const CALLS_MAX: usize = 256;
const ARGUMENTS_BYTES_MAX: usize = 8 << 20;

#[derive(Default)]
pub(crate) struct Calls {
    calls: Vec<PartialCall>,
    argument_bytes: usize,
}

struct PartialCall {
    /// The wire's own number for the call.
    key: usize,
    provider_id: String,
    name: String,
    arguments: String,
}

/// What one event says of a call.
#[derive(Default)]
pub(crate) struct Piece<'a> {
    /// None if the server does not number its calls.
    pub(crate) key: Option<usize>,
    pub(crate) provider_id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a str,
}

impl Calls {
    /// Adds a piece and pushes the call as it is now.
    pub(crate) fn add(&mut self, piece: Piece<'_>, chunks: &mut VecDeque<Chunk>) -> Result<(), Fault> {
        self.argument_bytes += piece.arguments.len();
        let index = self.place(&piece);
        if index >= CALLS_MAX || self.argument_bytes > ARGUMENTS_BYTES_MAX {
            return Err(Fault::TooLong);
        }
        if index == self.calls.len() {
            let key = piece.key.unwrap_or(index);
            self.calls.push(PartialCall {
                key,
                provider_id: String::new(),
                name: String::new(),
                arguments: String::new(),
            });
        }
        let call = &mut self.calls[index];
        // Some servers repeat id and name with every piece.
        if call.provider_id.is_empty() {
            call.provider_id.push_str(piece.provider_id);
        }
        if call.name.is_empty() {
            call.name.push_str(piece.name);
        }
        call.arguments.push_str(piece.arguments);
        push_newest(self.chunk(index), chunks);
        Ok(())
    }

    /// Writes out the arguments of calls that have none, so that they are JSON too.
    pub(crate) fn finish(&mut self, chunks: &mut VecDeque<Chunk>) {
        for index in 0..self.calls.len() {
            if self.calls[index].arguments.trim().is_empty() {
                self.calls[index].arguments = "{}".to_owned();
                chunks.push_back(self.chunk(index));
            }
        }
    }

    /// Some servers say that they are done where they call tools.
    pub(crate) fn correct(&self, stop: StopReason) -> StopReason {
        if stop == StopReason::EndTurn && !self.calls.is_empty() { StopReason::ToolUse } else { stop }
    }

    fn place(&self, piece: &Piece<'_>) -> usize {
        let same = |call: &PartialCall| match piece.key {
            Some(key) => call.key == key,
            None => piece.provider_id.is_empty() || call.provider_id == piece.provider_id,
        };
        self.calls.iter().rposition(same).unwrap_or(self.calls.len())
    }

    fn chunk(&self, index: usize) -> Chunk {
        let call = &self.calls[index];
        Chunk::ToolCall {
            index,
            provider_id: call.provider_id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        }
    }
}

/// Pushes a call; one that nobody has taken yet is replaced, for the new one says all that it said.
fn push_newest(chunk: Chunk, chunks: &mut VecDeque<Chunk>) {
    let index_of = |chunk: &Chunk| if let Chunk::ToolCall { index, .. } = chunk { Some(*index) } else { None };
    if chunks.back().and_then(index_of) == index_of(&chunk) {
        chunks.pop_back();
    }
    chunks.push_back(chunk);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(index: usize, provider_id: &str, arguments: &str) -> Chunk {
        Chunk::ToolCall {
            index,
            provider_id: provider_id.to_owned(),
            name: "read".to_owned(),
            arguments: arguments.to_owned(),
        }
    }

    #[test]
    fn pieces_of_two_calls_are_told_apart_by_number_and_by_id() {
        for keys in [[Some(3), Some(7)], [None, None]] {
            let (mut calls, mut chunks) = (Calls::default(), VecDeque::new());
            for (key, provider_id, arguments) in [(keys[0], "a", "{\"x\""), (keys[1], "b", "{}"), (keys[0], "a", ":1}")]
            {
                calls.add(Piece { key, provider_id, name: "read", arguments }, &mut chunks).expect("within limits");
            }
            assert_eq!(chunks, [call(0, "a", "{\"x\""), call(1, "b", "{}"), call(0, "a", "{\"x\":1}")]);
        }
    }

    #[test]
    fn a_call_nobody_has_taken_yet_is_replaced_and_blank_arguments_become_an_object() {
        let (mut calls, mut chunks) = (Calls::default(), VecDeque::new());
        for arguments in ["", " ", ""] {
            calls
                .add(Piece { key: Some(0), provider_id: "a", name: "read", arguments }, &mut chunks)
                .expect("within limits");
        }
        assert_eq!(chunks, [call(0, "a", " ")]);
        calls.finish(&mut chunks);
        assert_eq!(chunks.pop_back(), Some(call(0, "a", "{}")));
    }

    #[test]
    fn a_runaway_is_stopped_at_its_limits() {
        let (mut calls, mut chunks) = (Calls::default(), VecDeque::new());
        for key in 0..CALLS_MAX {
            calls.add(Piece { key: Some(key), ..Piece::default() }, &mut chunks).expect("within limits");
        }
        assert_eq!(calls.add(Piece { key: Some(CALLS_MAX), ..Piece::default() }, &mut chunks), Err(Fault::TooLong));
        let long = "x".repeat(ARGUMENTS_BYTES_MAX + 1);
        let piece = Piece { key: Some(0), arguments: &long, ..Piece::default() };
        assert_eq!(Calls::default().add(piece, &mut chunks), Err(Fault::TooLong));
    }
}
