//! Rows that only this window knows: nothing stored tells them, so a rebuild of the session must carry them over.

use protocol::InputId;

use crate::{EntryKind, NoticeLevel, TurnEnd};

#[derive(Clone, PartialEq, Debug)]
pub enum LocalRow {
    Notice {
        level: NoticeLevel,
        text: String,
    },
    /// A prompt that was refused or lost; the row goes away if its turn shows up after all.
    LostPrompt {
        input: InputId,
        end: TurnEnd,
    },
}

impl LocalRow {
    /// Returns what the row shows.
    pub fn kind(&self) -> EntryKind {
        match self {
            Self::Notice { level, text } => EntryKind::Notice { level: *level, text: text.clone() },
            Self::LostPrompt { end, .. } => EntryKind::TurnEnd(end.clone()),
        }
    }

    /// Whether the row was about this input and is wrong now that the input has arrived.
    pub fn is_disproved_by(&self, arrived: InputId) -> bool {
        match self {
            Self::Notice { .. } => false,
            Self::LostPrompt { input, .. } => *input == arrived,
        }
    }
}
