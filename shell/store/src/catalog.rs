//! The catalog: one row a session, kept with each append, and the words that can be searched.
//! Only derived from events; the log alone is the truth.

use protocol::{Block, Enduring, Event};
use rusqlite::{Connection, params};

/// A title is cut to this many characters of the first prompt.
const TITLE_CHARS_MAX: usize = 80;

const UPSERT: &str = "
INSERT INTO sessions (id, workspace, title, state, created, last_active)
VALUES (?1, coalesce(?2, ''), coalesce(?3, ''), coalesce(?4, 'idle'), ?5, ?5)
ON CONFLICT (id) DO UPDATE SET
    workspace = coalesce(?2, workspace),
    title = CASE title WHEN '' THEN coalesce(?3, '') ELSE title END,
    state = coalesce(?4, state),
    last_active = max(last_active, ?5)";

/// What an event tells the catalog and the search; what is none stays as it is.
#[derive(Default)]
pub(crate) struct Note<'event> {
    workspace: Option<&'event str>,
    title: Option<String>,
    state: Option<&'static str>,
    words: Option<String>,
}

/// Brings the catalog's row of the event's session up to the event.
pub(crate) fn keep(connection: &Connection, event: &Event, note: &Note<'_>) -> rusqlite::Result<()> {
    let header = &event.header;
    let values = params![header.session.to_string(), note.workspace, note.title, note.state, header.at_ms];
    connection.prepare_cached(UPSERT)?.execute(values).map(drop)
}

/// Makes the event's words findable under its row's number.
pub(crate) fn index(connection: &Connection, number: i64, note: &Note<'_>) -> rusqlite::Result<()> {
    let Some(words) = &note.words else { return Ok(()) };
    let mut statement = connection.prepare_cached("INSERT INTO talk (rowid, text) VALUES (?1, ?2)")?;
    statement.execute(params![number, words]).map(drop)
}

/// Returns what an event tells.
pub(crate) fn note(enduring: &Enduring) -> Note<'_> {
    match enduring {
        Enduring::SessionStarted { workspace, .. } => Note { workspace: Some(workspace), ..Note::default() },
        Enduring::TurnStarted { blocks, .. } => {
            let prompt = text_of(blocks);
            Note { title: Some(title_of(&prompt)), words: Some(prompt), ..state("running") }
        }
        Enduring::InputFolded { blocks, .. }
        | Enduring::InputCancelled { blocks, .. }
        | Enduring::InputRejected { blocks, .. }
        | Enduring::StepAnswered { blocks, .. } => words(text_of(blocks)),
        Enduring::ToolFinished { summary, output, .. } => words(format!("{summary}\n{}", output.text)),
        Enduring::GateOpened { .. } => state("waiting"),
        Enduring::GateResolved { .. } => state("running"),
        Enduring::TurnDone { .. } => state("idle"),
        Enduring::TurnFailed { .. } => state("failed"),
        Enduring::TurnInterrupted {} => state("interrupted"),
        Enduring::SessionRestored { .. }
        | Enduring::LoopStarted { .. }
        | Enduring::ModelChanged { .. }
        | Enduring::LoopIdle {}
        | Enduring::InputQueued { .. }
        | Enduring::RetryEpisodeEnded { .. }
        | Enduring::StepDone {}
        | Enduring::Unknown { .. } => Note::default(),
    }
}

/// Returns the text of all text blocks.
pub(crate) fn text_of(blocks: &[Block]) -> String {
    let text = |block: &Block| match block {
        Block::Text { text } => Some(text.clone()),
        Block::Thinking { .. } | Block::ToolUse { .. } => None,
    };
    blocks.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

fn state(state: &'static str) -> Note<'static> {
    Note { state: Some(state), ..Note::default() }
}

fn words(text: String) -> Note<'static> {
    Note { words: (!text.is_empty()).then_some(text), ..Note::default() }
}

/// Puts a prompt on one line and cuts it.
fn title_of(prompt: &str) -> String {
    let line = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(TITLE_CHARS_MAX).collect()
}
