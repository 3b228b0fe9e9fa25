//! Entries: the items of the transcript, as values.
//! How they come about is in `transcript`, how they look is the interface's.

use protocol::{Failure, GateAnswer, GateSource, ModelRef, ToolCallId, ToolOutcome, ToolOutput};

/// Tells entries of this process apart; grows from the first entry to the last and is never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntryId(pub u64);

/// One item of the transcript.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub id: EntryId,
    /// Grows with every change of the rest: equal id and revision mean equal rows.
    pub revision: u64,
    pub state: EntryState,
    pub kind: EntryKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryState {
    /// May still change.
    Active,
    /// Settled: its rows are fixed. Which final entries the scrollback holds is the ledger's to know.
    Final,
}

#[derive(Clone, PartialEq, Debug)]
pub enum EntryKind {
    User(User),
    Thinking(Thinking),
    Answer(Answer),
    Tool(ToolCard),
    TurnEnd(TurnEnd),
    /// What the program itself has to say.
    Notice {
        level: NoticeLevel,
        text: String,
    },
    ModelChanged {
        from: ModelRef,
        to: ModelRef,
    },
    /// An event of a newer version, kept but not understood.
    Unknown {
        type_name: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    pub text: String,
    /// It joined a turn that was already running.
    pub is_steered: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thinking {
    pub text: String,
    /// Known once the model has gone on to something else.
    pub duration_ms: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// All that has arrived.
    pub text: String,
    /// How much of `text` is on screen; always the end of a grapheme cluster.
    pub shown_bytes: usize,
    /// Why the text is incomplete, if it is.
    pub cut: Option<Failure>,
}

/// One tool call, from its first argument to its result.
#[derive(Clone, PartialEq, Debug)]
pub struct ToolCard {
    pub call: ToolCallId,
    pub name: String,
    /// The JSON text the model wrote, as far as it has come; it may not even be JSON.
    pub arguments: String,
    /// The call in one line, once something stored has told it.
    pub summary: Option<String>,
    pub decision: Option<Decision>,
    pub state: ToolState,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ToolState {
    /// The model is still writing the arguments.
    Writing,
    Queued,
    WaitsForApproval,
    Running(LiveRun),
    Ended(ToolOutput),
    /// The turn ended and no result came.
    Cancelled,
}

/// What is known of a call only while it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveRun {
    pub started_at_ms: u64,
    pub summary: String,
    /// The end of the output so far; see [`LiveRun::OUTPUT_BYTES_MAX`].
    pub output: String,
}

/// What was decided at a gate, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    pub answer: GateAnswer,
    pub source: GateSource,
}

/// The one row of a turn that ended without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnEnd {
    pub ending: TurnEnding,
    /// What happened, in words; empty when `ending` says it all.
    pub message: String,
    /// What a person can do now; empty when there is nothing to do.
    pub next_step: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnEnding {
    Interrupted,
    Failed,
    /// So many retries brought no answer either.
    GaveUp {
        attempts: u32,
    },
    /// Text came, but the stream was cut short.
    Incomplete,
    NoReply,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeLevel {
    Info,
    Warning,
    Error,
}

impl LiveRun {
    /// How much live output a card keeps; older whole lines go first. The result brings what the tool kept.
    pub const OUTPUT_BYTES_MAX: usize = 50 * 1024;

    /// Takes more output. The oldest goes only when twice the limit is reached, so that a busy program costs little.
    pub(crate) fn append(&mut self, chunk: &str) {
        self.output.push_str(chunk);
        if self.output.len() > 2 * Self::OUTPUT_BYTES_MAX {
            let mut from = self.output.len() - Self::OUTPUT_BYTES_MAX;
            while !self.output.is_char_boundary(from) {
                from += 1;
            }
            let line = self.output[from..].find('\n').map_or(from, |end| from + end + 1);
            self.output.drain(..line);
        }
    }
}

impl ToolCard {
    /// How the call ended, none while it may still change.
    pub fn outcome(&self) -> Option<ToolOutcome> {
        match &self.state {
            ToolState::Ended(output) => Some(output.outcome),
            ToolState::Cancelled => Some(ToolOutcome::Cancelled),
            ToolState::Writing | ToolState::Queued | ToolState::WaitsForApproval | ToolState::Running(_) => None,
        }
    }
}

impl Answer {
    /// What is on screen of it.
    pub fn shown(&self) -> &str {
        &self.text[..self.shown_bytes]
    }

    /// Whether text that has arrived is not on screen yet.
    pub fn is_behind(&self) -> bool {
        self.shown_bytes < self.text.len()
    }
}
