//! The approval prompt: what is asked, where the mark stands, and whether keys may answer it yet.
//! Answers nothing itself: the prompt goes when the gate's resolved event comes, and not before.

use protocol::{Gate, GateAction, GateId};
use screen::wrap::{WrapOptions, wrap};
use screen::{Role, Row, Span, Style, text};

/// This long without a key, after it was first on screen, arms a prompt.
const ARMING_PAUSE_MS: u64 = 500;
/// Rows of the command or diff that must have room, or approving is off.
const PREVIEW_ROWS_MIN: usize = 3;
/// Rows of the command or diff shown at most; the rest is counted.
const PREVIEW_ROWS_MAX: usize = 24;

#[derive(Clone, Debug)]
pub struct GatePrompt {
    gate: Gate,
    arming: Arming,
    /// Index into [`GatePrompt::ACTIONS`].
    marked: usize,
    /// When a frame with this prompt was first on screen; keys from before never count.
    shown_at_ms: Option<u64>,
    last_key_ms: u64,
    answer: Answer,
}

/// Whether keys are the prompt's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arming {
    /// Drawn only: every key acts as if it were not there.
    Unarmed,
    /// Esc denies, and Enter takes the marked row if nothing is written; printable keys still go to the draft.
    Armed,
    /// It has the composer's place and takes every key.
    Entered,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    Open,
    /// On its way; the mark says so until the event is here.
    Sent,
    Failed {
        reason: String,
    },
}

/// What of the prompt fits a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offer {
    All {
        preview_rows: usize,
    },
    /// Too small to show what would be approved.
    DenyOnly,
}

impl GatePrompt {
    const ACTIONS: [GateAction; 2] = [GateAction::Approve, GateAction::Deny];

    pub fn new(gate: Gate, now_ms: u64) -> Self {
        Self { gate, arming: Arming::Unarmed, marked: 1, shown_at_ms: None, last_key_ms: now_ms, answer: Answer::Open }
    }

    pub fn gate(&self) -> GateId {
        self.gate.id
    }

    pub fn arming(&self) -> Arming {
        self.arming
    }

    /// The first frame with this prompt is on the terminal.
    pub fn note_shown(&mut self, now_ms: u64) {
        self.shown_at_ms.get_or_insert(now_ms);
    }

    /// When a pause will have armed it, if nothing else does before.
    pub fn wake_at(&self) -> Option<u64> {
        let shown_at_ms = self.shown_at_ms?;
        (self.arming == Arming::Unarmed && self.answer != Answer::Sent)
            .then(|| shown_at_ms.max(self.last_key_ms) + ARMING_PAUSE_MS)
    }

    /// Arms the prompt if the pause was long enough. Letters stay the draft's until it is entered by a key:
    /// whoever pauses and then writes `you …` has approved nothing.
    pub fn arm_by_pause(&mut self, now_ms: u64) -> bool {
        let is_due = self.wake_at().is_some_and(|at_ms| at_ms <= now_ms);
        if is_due {
            self.arming = Arming::Armed;
        }
        is_due
    }

    /// Tab, or an arrow over an empty draft: the prompt takes the keys from now on.
    pub fn enter(&mut self) {
        if self.shown_at_ms.is_some() && self.answer != Answer::Sent {
            self.arming = Arming::Entered;
        }
    }

    /// A key went elsewhere: the pause begins anew.
    pub fn disarm(&mut self, now_ms: u64) {
        self.last_key_ms = now_ms;
        self.arming = Arming::Unarmed;
    }

    pub fn move_mark(&mut self, down: isize) {
        let count = Self::ACTIONS.len() as isize;
        self.marked = (self.marked as isize + down).rem_euclid(count) as usize;
    }

    /// Puts the mark on the action with this number, from 1.
    pub fn mark(&mut self, number: usize) {
        if (1..=Self::ACTIONS.len()).contains(&number) {
            self.marked = number - 1;
        }
    }

    /// The action under the mark.
    pub fn marked(&self) -> GateAction {
        Self::ACTIONS[self.marked]
    }

    pub fn note_sent(&mut self, now_ms: u64) {
        self.answer = Answer::Sent;
        self.disarm(now_ms);
    }

    /// The answer did not arrive: the prompt stays open and says so.
    pub fn note_failed(&mut self, reason: String) {
        self.answer = Answer::Failed { reason };
    }

    /// Whether a window of this size shows enough to approve.
    pub fn offers_approval(&self, width_cols: usize, rows_max: usize) -> bool {
        matches!(self.offer(width_cols, rows_max), Offer::All { .. })
    }

    pub fn rows(&self, width_cols: usize, rows_max: usize) -> Vec<Row> {
        let mut rows = self.heading(width_cols);
        let offer = self.offer(width_cols, rows_max);
        match offer {
            Offer::All { preview_rows } => {
                rows.extend(self.preview(width_cols, preview_rows));
                rows.extend(self.actions());
            }
            Offer::DenyOnly => {
                rows.truncate(rows_max.saturating_sub(2).max(1));
                rows.push(Row::new(vec![rail(), Span::new(Role::Warning, "  enlarge the window to approve")]));
                rows.push(self.action(1, "Deny"));
            }
        }
        rows.push(self.hint(width_cols, offer));
        rows.into_iter().map(|row| row.cut(width_cols)).collect()
    }

    fn offer(&self, width_cols: usize, rows_max: usize) -> Offer {
        let fixed = self.heading(width_cols).len() + Self::ACTIONS.len() + 1;
        let whole = self.preview(width_cols, PREVIEW_ROWS_MAX).len();
        let room = rows_max.saturating_sub(fixed);
        if room < whole.min(PREVIEW_ROWS_MIN) {
            Offer::DenyOnly
        } else {
            Offer::All { preview_rows: room.min(PREVIEW_ROWS_MAX) }
        }
    }

    /// Who asks, and for what.
    fn heading(&self, width_cols: usize) -> Vec<Row> {
        let title = format!("{} asks for permission", text::visible_escapes(&self.gate.tool));
        let mut rows = vec![Row::new(vec![
            Span::new(Role::BorderAccent, "▌ "),
            Span::new(Style::new(Role::Warning).bold(), title),
        ])];
        for requirement in &self.gate.requirements {
            let words = self.said_once(&requirement.description);
            rows.extend(self.railed(Role::Text, &words, width_cols));
        }
        let directory = format!("in {}", text::visible_escapes(&self.gate.directory));
        rows.extend(self.railed(Role::Dim, &directory, width_cols).into_iter().take(1));
        rows
    }

    /// What approval would carry out, hostile characters made visible.
    fn preview(&self, width_cols: usize, rows_max: usize) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for line in self.preview_lines().map(text::visible_escapes) {
            let role = match line.as_bytes().first() {
                Some(b'+') => Role::ToolDiffAdded,
                Some(b'-') => Role::ToolDiffRemoved,
                Some(b'@') => Role::Dim,
                Some(_) | None => Role::ToolOutput,
            };
            rows.extend(self.railed(role, &line, width_cols));
        }
        if rows.len() > rows_max {
            let hidden = rows.len() + 1 - rows_max.max(1);
            rows.truncate(rows_max.saturating_sub(1));
            rows.push(Row::new(vec![rail(), Span::new(Role::Dim, format!("  {hidden} more rows"))]));
        }
        rows
    }

    /// A requirement without the command that the preview shows whole.
    fn said_once(&self, description: &str) -> String {
        let command = self.gate.preview.trim();
        let head = description.strip_suffix(command).filter(|head| !command.is_empty() && head.trim() == "run");
        head.map_or_else(|| text::visible_escapes(description), |_| "run a command".to_owned())
    }

    /// The preview without a diff's file names, which the requirements tell.
    fn preview_lines(&self) -> impl Iterator<Item = &str> {
        let mut heads = self.gate.preview.lines();
        let is_diff = heads.next().is_some_and(|line| line.starts_with("--- "))
            && heads.next().is_some_and(|line| line.starts_with("+++ "));
        self.gate.preview.lines().skip(if is_diff { 2 } else { 0 })
    }

    fn railed(&self, role: Role, words: &str, width_cols: usize) -> Vec<Row> {
        let indent = [rail(), Span::new(Role::Dim, "  ")];
        let options = WrapOptions { width_cols, first_indent: &indent, next_indent: &indent, unbroken: None };
        wrap(&[Span::new(role, words)], &options)
    }

    fn actions(&self) -> Vec<Row> {
        vec![self.action(0, "Approve this once"), self.action(1, "Deny")]
    }

    fn action(&self, index: usize, label: &str) -> Row {
        let is_marked = self.marked == index;
        let style = if is_marked && self.arming != Arming::Unarmed {
            Style::new(Role::Text).on(Role::SelectedBg).bold()
        } else {
            Style::new(Role::Text)
        };
        let mark = if is_marked { ">" } else { " " };
        Row::new(vec![rail(), Span::new(style, format!(" {mark} {}. {label} ", index + 1))])
    }

    fn hint(&self, width_cols: usize, offer: Offer) -> Row {
        let (role, words) = match (&self.answer, self.arming) {
            (Answer::Sent, _) => (Role::Dim, "answered, waiting for the agent".to_owned()),
            (Answer::Failed { reason }, _) => (Role::Error, format!("the answer did not arrive: {reason}")),
            (Answer::Open, Arming::Armed) if offer == Offer::DenyOnly => (Role::Dim, "Esc denies".to_owned()),
            (Answer::Open, Arming::Unarmed) => (Role::Dim, "keys still go to the draft; Tab answers".to_owned()),
            (Answer::Open, Arming::Armed) => (Role::Dim, "Tab, then y approves · Esc denies".to_owned()),
            (Answer::Open, Arming::Entered) if offer == Offer::DenyOnly => (Role::Dim, "n or Esc denies".to_owned()),
            (Answer::Open, Arming::Entered) => {
                (Role::Dim, "y approves · n or Esc denies · ↑↓ Enter choose · Ctrl+C denies and stops".to_owned())
            }
        };
        Row::new(vec![
            rail(),
            Span::new(role, format!("  {}", text::cut_end(&text::clean(&words), width_cols.saturating_sub(4)))),
        ])
    }
}

/// Whether something is written in the composer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draft {
    Empty,
    Written,
}

fn rail() -> Span {
    Span::new(Role::BorderAccent, "▌")
}
