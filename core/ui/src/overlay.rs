//! Overlays: what lies over composer and menu and takes the keys. At most one is open.

use screen::{Role, Row, Span, Style};

/// What is open, if anything.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// Scrolled text; `first_row` is the topmost shown.
    Panel { kind: PanelKind, rows: Vec<Row>, first_row: usize },
    /// A question about an act; `No` is marked first.
    Confirm { act: Act, marked: Choice },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PanelKind {
    /// Closed by Esc; arrows scroll.
    Help,
    /// Closed by the next key, which still acts.
    Keys,
}

/// An act that ends running work and so is confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    NewSession { prompt: Option<String> },
    Quit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    No,
    Yes,
}

impl Choice {
    pub fn other(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Yes => Self::No,
        }
    }
}

impl Overlay {
    /// Moves a panel's text, and stops where its last row is the last shown.
    pub fn scroll(&mut self, down: isize, rows_max: usize) {
        if let Self::Panel { rows, first_row, .. } = self {
            let last = rows.len().saturating_sub(panel_room(rows_max)) as isize;
            *first_row = (*first_row as isize + down).clamp(0, last) as usize;
        }
    }

    pub fn rows(&self, rows_max: usize) -> Vec<Row> {
        match self {
            Self::Panel { kind, rows, first_row } => panel(*kind, rows, *first_row, rows_max),
            Self::Confirm { act, marked } => confirm(act, *marked),
        }
    }
}

/// Rows of text in a panel: all but its hint.
fn panel_room(rows_max: usize) -> usize {
    rows_max.saturating_sub(1).max(1)
}

fn panel(kind: PanelKind, rows: &[Row], first_row: usize, rows_max: usize) -> Vec<Row> {
    let room = panel_room(rows_max);
    let first_row = first_row.min(rows.len().saturating_sub(room));
    let mut shown: Vec<Row> = rows.iter().skip(first_row).take(room).cloned().collect();
    let below = rows.len().saturating_sub(first_row + room);
    let words = match (kind, below) {
        (PanelKind::Keys, _) => "any key closes".to_owned(),
        (PanelKind::Help, 0) => "Esc closes".to_owned(),
        (PanelKind::Help, below) => format!("Esc closes · ↓ {below} more"),
    };
    shown.push(Row::of(Role::Dim, format!(" {words}")));
    shown
}

fn confirm(act: &Act, marked: Choice) -> Vec<Row> {
    let question = match act {
        Act::NewSession { .. } => "A turn is running. Stop it and begin a new session?",
        Act::Quit => "A turn is running. Stop it and leave?",
    };
    let choice = |choice: Choice, label: &str| {
        let (mark, style) = if choice == marked {
            (">", Style::new(Role::Text).on(Role::SelectedBg).bold())
        } else {
            (" ", Style::new(Role::Text))
        };
        Row::new(vec![Span::new(style, format!(" {mark} {label} "))])
    };
    vec![
        Row::of(Style::new(Role::Warning).bold(), format!(" {question}")),
        choice(Choice::No, "1. No"),
        choice(Choice::Yes, "2. Yes"),
    ]
}
