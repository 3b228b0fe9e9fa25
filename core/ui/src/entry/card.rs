//! The frame of tool cards: header, padding, surfaces, excerpts. Knows no tool.

use screen::{Role, Row, RowEnd, Span, Style, text, wrap};

use super::{EntryView, surfaced};

/// Under so many columns cards have no padding.
const PADDED_COLS_MIN: usize = 60;
const PADDING_COLS: usize = 2;
/// A name longer than this is cut; the built-in ones are far shorter.
const NAME_COLS_MAX: usize = 32;

/// The header row of a card: `<mark> <name> <summary> <facts>`.
#[derive(Clone, Debug)]
pub(super) struct Header<'a> {
    pub(super) surface: Role,
    pub(super) mark: &'a str,
    pub(super) mark_role: Role,
    pub(super) name: &'a str,
    pub(super) summary: &'a str,
    pub(super) facts: Vec<String>,
}

/// Which rows of a body are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Excerpt {
    First(usize),
    Last(usize),
}

impl Header<'_> {
    /// One row; what does not fit is cut at the summary.
    pub(super) fn row(&self, view: &EntryView) -> Row {
        let padding_cols = padding_cols(view);
        let title = Style::new(Role::ToolTitle).on(self.surface);
        let mark = Span::new(Style::new(self.mark_role).on(self.surface), self.mark);
        let name = text::cut_end(&text::clean(self.name), NAME_COLS_MAX);
        let facts = text::clean(&self.facts.join(" · "));
        let fixed_cols = mark.width_cols() + 1 + text::width_cols(&name);
        let facts_cols = if facts.is_empty() { 0 } else { 2 + text::width_cols(&facts) };
        let room_cols = view.width_cols.saturating_sub(2 * padding_cols + fixed_cols + 1 + facts_cols);
        let summary = text::cut_end(&text::clean(self.summary), room_cols);
        let mut spans = vec![Span::new(title.clone(), " ".repeat(padding_cols)), mark];
        spans.push(Span::new(title.clone().bold(), format!(" {name}")));
        if !summary.is_empty() {
            spans.push(Span::new(title.clone(), format!(" {summary}")));
        }
        if !facts.is_empty() {
            spans.push(Span::new(title, format!("  {facts}")));
        }
        surfaced(Row::new(spans).cut(view.width_cols), self.surface, view)
    }

    /// Whether the row shows the whole summary.
    pub(super) fn shows_all(&self, view: &EntryView) -> bool {
        self.row(view).plain().contains(&text::clean(self.summary))
    }
}

/// Columns that padding leaves to a card's body.
pub(super) fn body_cols(view: &EntryView) -> usize {
    view.width_cols.saturating_sub(2 * padding_cols(view)).max(1)
}

/// Lays out lines of text, each wrapped at the cell.
pub(super) fn lines(text: &str, role: Role, view: &EntryView) -> Vec<Row> {
    let style = Style::new(role).on(Role::ToolPanelBg);
    let lines = text::clean_lines(text);
    lines.iter().flat_map(|line| wrap::wrap_cells(&[Span::new(style.clone(), line)], body_cols(view))).collect()
}

/// Returns the rows of an excerpt, with a row that counts what it leaves out.
pub(super) fn excerpt(mut rows: Vec<Row>, excerpt: Excerpt) -> Vec<Row> {
    match excerpt {
        Excerpt::First(count) if rows.len() > count => {
            let left_out = rows.split_off(count).len();
            rows.push(count_row(left_out, "more"));
        }
        Excerpt::Last(count) if rows.len() > count => {
            let left_out = rows.len() - count;
            rows.splice(..left_out, [count_row(left_out, "earlier")]);
        }
        Excerpt::First(_) | Excerpt::Last(_) => {}
    }
    rows
}

/// Puts rows on the panel, below a header.
pub(super) fn panel(rows: Vec<Row>, view: &EntryView) -> Vec<Row> {
    let padding = Span::new(Style::new(Role::ToolOutput).on(Role::ToolPanelBg), " ".repeat(padding_cols(view)));
    rows.into_iter()
        .map(|mut row| {
            let surface = row.fill.unwrap_or(Role::ToolPanelBg);
            row.spans.insert(0, padding.clone());
            row.end = RowEnd::Hard;
            surfaced(row.cut(view.width_cols), surface, view)
        })
        .collect()
}

fn count_row(count: usize, which: &str) -> Row {
    let rows = if count == 1 { "row" } else { "rows" };
    Row::of(Style::new(Role::Muted).on(Role::ToolPanelBg), format!("{count} {which} {rows}"))
}

fn padding_cols(view: &EntryView) -> usize {
    if view.width_cols < PADDED_COLS_MIN { 0 } else { PADDING_COLS }
}
