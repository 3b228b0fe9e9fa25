//! What the events come to: [`Transcript`] folds them into entries, paces streamed text and keeps the ledger.
//! Draws nothing, reads no clock, and knows no width.

mod entry;
mod ledger;
mod local;
mod pace;
mod step;
mod transcript;
mod turn;
mod work;

pub use entry::{
    Answer, Decision, Entry, EntryId, EntryKind, EntryState, LiveRun, NoticeLevel, Thinking, ToolCard, ToolState,
    TurnEnd, TurnEnding, User,
};
pub use local::LocalRow;
pub use pace::PaceRate;
pub use transcript::{Notable, Queued, Transcript};
pub use work::{Activity, Work};
