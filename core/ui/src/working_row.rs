//! The working row: what runs, for how long, and what Esc will do about it.

use screen::{Role, Row, Span, text};
use transcript::{Activity, Work};

use crate::number;

/// The pictures of the running icon, one each [`ICON_MS`].
pub const ICONS: [&str; 4] = ["◐", "◓", "◑", "◒"];
pub const ICON_MS: u64 = 250;
/// This long without a byte from the provider is worth saying.
const SILENCE_MS: u64 = 10_000;
/// However much there is to say behind it, the activity keeps so many columns.
const ACTIVITY_COLS_MIN: usize = 12;

/// What the row speaks of.
#[derive(Clone, Debug)]
pub struct WorkingRow {
    pub activity: Doing,
    pub since_ms: u64,
    pub output_tokens: u64,
    pub last_byte_at_ms: Option<u64>,
    pub escape: Escape,
}

/// What Esc will do, as the row says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escape {
    /// Stops the work; so many queued messages come back.
    Stops {
        queued_count: usize,
    },
    DeniesGate,
    /// Something else takes the key first, or nothing can be stopped.
    Unsaid,
}

/// What the interface itself knows of, and what the transcript tells.
#[derive(Clone, Debug)]
pub enum Doing {
    Interrupting,
    Opening,
    Resetting,
    /// A prompt is on its way.
    Sending,
    Working(Activity),
}

impl WorkingRow {
    pub fn of_work(work: Work, escape: Escape) -> Self {
        Self {
            activity: Doing::Working(work.activity),
            since_ms: work.since_ms,
            output_tokens: work.output_tokens,
            last_byte_at_ms: work.last_byte_at_ms,
            escape,
        }
    }

    /// When the row looks different next.
    pub fn wake_at(&self, now_ms: u64) -> u64 {
        let passed = now_ms.saturating_sub(self.since_ms);
        self.since_ms + (passed / ICON_MS + 1) * ICON_MS
    }

    pub fn row(&self, now_ms: u64, width_cols: usize) -> Row {
        let elapsed_ms = now_ms.saturating_sub(self.since_ms);
        let icon = ICONS[(elapsed_ms / ICON_MS) as usize % ICONS.len()];
        let mut facts = format!(" {}", number::elapsed(elapsed_ms));
        if self.output_tokens > 0 {
            facts.push_str(&format!(" · ↓ {}", number::count(self.output_tokens)));
        }
        if let Some(silence_ms) = self.silence_ms(now_ms) {
            facts.push_str(&format!(" · no data for {}", number::elapsed(silence_ms)));
        }
        if let Some(escape) = self.escape_words() {
            facts.push_str(&format!(" · {escape}"));
        }
        // A long reason is cut, and never what Esc does.
        let room = width_cols.saturating_sub(3);
        let activity_cols = room.saturating_sub(text::width_cols(&facts)).max(ACTIVITY_COLS_MIN);
        let words = text::cut_end(&text::clean(&self.words(now_ms)), activity_cols) + &facts;
        Row::new(vec![
            Span::new(Role::BashMode, format!(" {icon} ")),
            Span::new(Role::Dim, text::cut_end(&words, room)),
        ])
    }

    fn words(&self, now_ms: u64) -> String {
        match &self.activity {
            Doing::Interrupting => "Interrupting".into(),
            Doing::Opening => "Opening".into(),
            Doing::Resetting => "Resetting".into(),
            Doing::Sending => "Waiting".into(),
            Doing::Working(Activity::Waiting) => "Waiting".into(),
            Doing::Working(Activity::Thinking) => "Thinking".into(),
            Doing::Working(Activity::Writing) => "Writing".into(),
            Doing::Working(Activity::WritingCode) => "Writing code".into(),
            Doing::Working(Activity::ExecutingTool(tool)) => format!("Executing {tool}"),
            Doing::Working(Activity::WaitingForApproval) => "Waiting for approval".into(),
            Doing::Working(Activity::Retrying { attempt, attempts_max, at_ms, reason }) => {
                let wait_s = at_ms.saturating_sub(now_ms).div_ceil(1_000);
                format!("Retrying in {wait_s}s ({attempt} of {attempts_max}): {reason}")
            }
        }
    }

    fn silence_ms(&self, now_ms: u64) -> Option<u64> {
        let silence_ms = now_ms.saturating_sub(self.last_byte_at_ms?);
        (silence_ms >= SILENCE_MS).then_some(silence_ms)
    }

    fn escape_words(&self) -> Option<String> {
        match self.escape {
            Escape::Unsaid => None,
            Escape::DeniesGate => Some("Esc denies".to_owned()),
            Escape::Stops { queued_count: 0 } => Some("Esc stops".to_owned()),
            Escape::Stops { queued_count: 1 } => Some("Esc stops, 1 queued comes back".to_owned()),
            Escape::Stops { queued_count } => Some(format!("Esc stops, {queued_count} queued come back")),
        }
    }
}
