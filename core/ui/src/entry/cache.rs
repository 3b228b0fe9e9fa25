//! Rows of entries, kept until something they depend on changes: a frame costs what changed, not what there is.

use std::collections::HashMap;
use std::sync::Arc;

use screen::Row;
use transcript::{Entry, EntryId, EntryKind, EntryState, ToolState};

use super::{Detail, EntryView, Surface, message, rows, tool};

/// Rows by entry, for one look at each.
#[derive(Default, Debug)]
pub struct RowCache {
    entries: HashMap<EntryId, Cached>,
}

#[derive(Default, Debug)]
struct Cached {
    key: Option<Key>,
    rows: Vec<Arc<Row>>,
    /// Keeps what is settled of an answer that streams.
    stream: Option<markup::Stream>,
}

/// All that the rows of an entry depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    revision: u64,
    width_cols: usize,
    detail: Detail,
    surface: Surface,
    /// The picture of a moving icon; 0 where nothing moves.
    picture: u64,
}

impl RowCache {
    /// Returns the rows of an entry, made anew only if they differ from the last ones.
    pub fn rows(&mut self, entry: &Entry, view: &EntryView) -> &[Arc<Row>] {
        let key = Key {
            revision: entry.revision,
            width_cols: view.width_cols,
            detail: view.detail,
            surface: view.surface,
            picture: picture(entry, view),
        };
        let cached = self.entries.entry(entry.id).or_default();
        if cached.key != Some(key) {
            cached.render(entry, view);
            cached.key = Some(key);
        }
        &cached.rows
    }

    /// Forgets all rows: another transcript begins.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

impl Cached {
    fn render(&mut self, entry: &Entry, view: &EntryView) {
        match (&entry.kind, entry.state) {
            (EntryKind::Answer(answer), EntryState::Active) => {
                let mut stream = self.stream.take().unwrap_or_default();
                let shown = stream.rows(answer.shown(), &message::markdown_options(view)).iter().cloned();
                self.rows = shown.chain(message::incomplete_mark(answer, view).map(Arc::new)).collect();
                self.stream = Some(stream);
            }
            (_, EntryState::Active | EntryState::Final) => {
                self.stream = None;
                self.rows = rows(entry, view).into_iter().map(Arc::new).collect();
            }
        }
    }
}

fn picture(entry: &Entry, view: &EntryView) -> u64 {
    match &entry.kind {
        EntryKind::Tool(card) => match &card.state {
            ToolState::Running(run) => tool::picture(run.started_at_ms, view.now_ms),
            ToolState::Writing
            | ToolState::Queued
            | ToolState::WaitsForApproval
            | ToolState::Ended(_)
            | ToolState::Cancelled => 0,
        },
        EntryKind::User(_)
        | EntryKind::Thinking(_)
        | EntryKind::Answer(_)
        | EntryKind::TurnEnd(_)
        | EntryKind::Notice { .. }
        | EntryKind::ModelChanged { .. }
        | EntryKind::Unknown { .. } => 0,
    }
}
