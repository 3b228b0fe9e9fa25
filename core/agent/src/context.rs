//! The context of a request: what was said, in a form that every provider takes.
//! Repairs holes here and never in the journal; measures nothing and leaves nothing out for its size.

use protocol::{Block, Message};

use crate::record::{Record, Said};

/// What the model reads for a call that has no result: the program was killed while it ran.
const NO_RESULT: &str = "The program ended before this call had a result. It may have run in part.";

/// What stands where a message should be that could not be read.
const NO_MESSAGE: &str = "(A message of this conversation could not be read.)";

/// Returns the messages of the next request: every tool use has exactly one result right after its message,
/// and no two messages of one side follow each other.
pub(crate) fn messages(record: &Record) -> Vec<Message> {
    let mut messages = Vec::new();
    for said in &record.said {
        match said {
            Said::ByUser(blocks) => push_user(&mut messages, blocks),
            Said::ByModel(blocks) => push_answer(&mut messages, blocks, record),
        }
    }
    messages
}

fn push_user(messages: &mut Vec<Message>, said: &[Block]) {
    let said = without_blanks(said);
    if said.is_empty() {
        return;
    }
    match messages.last_mut() {
        Some(Message::User { blocks }) => blocks.extend(said),
        Some(Message::Assistant { .. } | Message::ToolResult { .. }) | None => {
            messages.push(Message::User { blocks: said });
        }
    }
}

fn push_answer(messages: &mut Vec<Message>, said: &[Block], record: &Record) {
    let blocks = without_blanks(said);
    if blocks.iter().all(|block| matches!(block, Block::Thinking { .. })) {
        return;
    }
    match messages.last() {
        Some(Message::User { .. } | Message::ToolResult { .. }) => {}
        Some(Message::Assistant { .. }) | None => push_user(messages, &[Block::text(NO_MESSAGE)]),
    }
    let results: Vec<Message> = blocks.iter().filter_map(|block| result_of(block, record)).collect();
    messages.push(Message::Assistant { blocks });
    messages.extend(results);
}

fn result_of(block: &Block, record: &Record) -> Option<Message> {
    let Block::ToolUse { call, provider_id, name, .. } = block else { return None };
    let (text, is_error) = match record.results.get(call) {
        Some(result) => (result.text.clone(), result.is_error),
        None => (NO_RESULT.to_owned(), true),
    };
    Some(Message::ToolResult { call: *call, provider_id: provider_id.clone(), name: name.clone(), text, is_error })
}

/// Some providers refuse a message with a blank text in it.
fn without_blanks(blocks: &[Block]) -> Vec<Block> {
    let is_blank = |block: &Block| matches!(block, Block::Text { text } if text.trim().is_empty());
    blocks.iter().filter(|block| !is_blank(block)).cloned().collect()
}
