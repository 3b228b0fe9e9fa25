//! The step that streams: its entries so far, and what its stored answer makes of them.
//! What was shown never becomes less by it.

use protocol::{Block, StepId, ToolCallId, TurnId};

use crate::{EntryId, pace::cluster_end};

/// A response on its way.
#[derive(Clone, Debug)]
pub(crate) struct LiveStep {
    pub(crate) step: StepId,
    pub(crate) turn: TurnId,
    /// What its deltas have made, in order; all of it active.
    pub(crate) slots: Vec<EntryId>,
    /// When the thinking began that still goes on.
    pub(crate) thinking_since_ms: Option<u64>,
}

/// One entry that a stored answer has.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Part {
    Thinking { text: String },
    Text { text: String },
    Call { call: ToolCallId, name: String, arguments: String },
}

/// Returns the entries that these blocks come to: neighbors of one kind are one, blank ones are none.
pub(crate) fn parts(blocks: &[Block]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for block in blocks {
        match (block, parts.last_mut()) {
            (Block::Text { text }, Some(Part::Text { text: before })) => before.push_str(text),
            (Block::Text { text }, _) => parts.push(Part::Text { text: text.clone() }),
            (Block::Thinking { text, .. }, Some(Part::Thinking { text: before })) => {
                before.push_str("\n\n");
                before.push_str(text);
            }
            (Block::Thinking { text, .. }, _) => parts.push(Part::Thinking { text: text.clone() }),
            (Block::ToolUse { call, name, arguments, .. }, _) => {
                parts.push(Part::Call { call: *call, name: name.clone(), arguments: arguments.clone() });
            }
        }
    }
    parts.retain(|part| match part {
        Part::Thinking { text } | Part::Text { text } => !text.trim().is_empty(),
        Part::Call { .. } => true,
    });
    parts
}

/// How much shown text the entries of a step may claim, dealt out from the first to the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    bytes: usize,
}

impl Shown {
    pub(crate) const ALL: Self = Self { bytes: usize::MAX };

    pub(crate) fn new(bytes: usize) -> Self {
        Self { bytes }
    }

    /// Takes what of `text` was shown.
    pub(crate) fn deal(&mut self, text: &str) -> usize {
        let shown = cluster_end(text, self.bytes);
        self.bytes = self.bytes.saturating_sub(shown);
        shown
    }
}
