//! The rows before a transcript: splash, notices, or the separator of a new transcript.

use screen::{Role, Row, Span, Style, text};

/// At most so many setting warnings stand below the splash; the rest is counted.
const WARNINGS_MAX: usize = 5;
/// A splash narrower than this has two rows.
const NARROW_COLS: usize = 40;

/// What a splash tells; empty texts leave their row out.
#[derive(Clone, Copy, Debug)]
pub struct Splash<'a> {
    pub agent_name: &'a str,
    pub version: &'a str,
    pub session: Option<&'a str>,
    pub model: &'a str,
    pub workspace: &'a str,
}

impl Splash<'_> {
    pub fn rows(&self, width_cols: usize) -> Vec<Row> {
        let mut title = vec![
            Span::new(Style::new(Role::Accent).bold(), format!(" {}", self.agent_name)),
            Span::new(Role::Dim, format!(" {}", self.version)),
        ];
        if let Some(session) = self.session {
            title.push(Span::new(Role::Dim, format!(" · session {session}")));
        }
        let model = Row::new(vec![Span::new(Role::Muted, format!(" {}", self.model))]);
        let rows = if width_cols < NARROW_COLS {
            vec![Row::new(title), model]
        } else {
            let workspace = text::cut_middle(&text::clean(self.workspace), width_cols.saturating_sub(2));
            vec![
                Row::new(title),
                model,
                Row::of(Role::Dim, format!(" {workspace}")),
                Row::of(Role::Dim, " /help lists commands and keys · Ctrl+C twice quits"),
            ]
        };
        rows.into_iter().map(|row| row.cut(width_cols)).collect()
    }
}

/// Warnings about settings, at most five, then a count.
pub fn warnings(warnings: &[String], width_cols: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = warnings
        .iter()
        .take(WARNINGS_MAX)
        .flat_map(|warning| marked(Role::Warning, "!", warning, width_cols))
        .collect();
    if warnings.len() > WARNINGS_MAX {
        let more = warnings.len() - WARNINGS_MAX;
        rows.extend(marked(Role::Warning, "!", &format!("{more} more warnings; all are in the log"), width_cols));
    }
    rows
}

/// A notice in one wrapped paragraph behind a mark.
pub fn marked(role: Role, mark: &str, words: &str, width_cols: usize) -> Vec<Row> {
    use screen::wrap::{WrapOptions, wrap};
    let first_indent = [Span::new(role, format!(" {mark} "))];
    let next_indent = [Span::new(role, "   ")];
    let options = WrapOptions { width_cols, first_indent: &first_indent, next_indent: &next_indent, unbroken: None };
    wrap(&[Span::new(role, words)], &options)
}

/// The one dim row between an old transcript in the scrollback and a new one.
pub fn separator(what: &str, session: &str, width_cols: usize) -> Row {
    Row::of(Role::Dim, format!("── {what} · {session} ──")).cut(width_cols)
}
