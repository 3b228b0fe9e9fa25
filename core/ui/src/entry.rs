//! How each entry becomes rows. Decides nothing about what an entry holds (`transcript` does) or where it stands.

use screen::{Role, Row};
use transcript::{Entry, EntryKind};

mod arguments;
mod cache;
mod card;
mod message;
mod remark;
#[cfg(test)]
mod tests;
mod tool;

pub use cache::RowCache;
pub use settings::Detail;

/// How an entry is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryView {
    /// No row is wider.
    pub width_cols: usize,
    pub detail: Detail,
    /// Milliseconds since the epoch: moves the icon and the clock of what runs, and nothing else.
    pub now_ms: u64,
    pub surface: Surface,
}

/// Where the rows go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    /// Into the terminal's own scrollback: surfaces end with the text.
    Inline,
    /// Into a window of our own: surfaces reach the right edge.
    Fullscreen,
}

/// Returns the rows of an entry, none while it has nothing to show.
pub fn rows(entry: &Entry, view: &EntryView) -> Vec<Row> {
    match &entry.kind {
        EntryKind::User(user) => message::user(user, view),
        EntryKind::Thinking(thinking) => message::thinking(thinking, view),
        EntryKind::Answer(answer) => message::answer(answer, view),
        EntryKind::Tool(card) => tool::rows(card, view),
        EntryKind::TurnEnd(end) => remark::turn_end(end, view.width_cols),
        EntryKind::Notice { level, text } => remark::notice(*level, text, view.width_cols),
        EntryKind::ModelChanged { from, to } => remark::model_changed(from, to, view.width_cols),
        EntryKind::Unknown { type_name } => remark::unknown(type_name, view.width_cols),
    }
}

/// Whether a blank row stands between two neighbors: what the model did in one go stays together.
pub fn gap_between(above: &Entry, below: &Entry) -> bool {
    let group = group(&above.kind);
    group == Group::Speech || group != self::group(&below.kind)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    Speech,
    Work,
    Remark,
}

fn group(kind: &EntryKind) -> Group {
    match kind {
        EntryKind::User(_) | EntryKind::Answer(_) => Group::Speech,
        EntryKind::Thinking(_) | EntryKind::Tool(_) => Group::Work,
        EntryKind::TurnEnd(_)
        | EntryKind::Notice { .. }
        | EntryKind::ModelChanged { .. }
        | EntryKind::Unknown { .. } => Group::Remark,
    }
}

/// Ends a row on a surface: at the right edge of our own window, in a scrollback with its text.
fn surfaced(mut row: Row, role: Role, view: &EntryView) -> Row {
    if view.surface == Surface::Fullscreen {
        return row.filled(role);
    }
    row.fill = None;
    while let Some(last) = row.spans.last_mut() {
        last.text.truncate(last.text.trim_end().len());
        if !last.text.is_empty() {
            break;
        }
        row.spans.pop();
    }
    row
}
