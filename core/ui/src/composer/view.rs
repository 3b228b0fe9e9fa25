//! How the composer is drawn: a sign, the rows around the cursor, marks for those that are hidden.

use std::collections::VecDeque;

use screen::{Caret, Role, Row, Span, Style, text};

use super::draft::Draft;
use super::line::{Cluster, ClusterKind, TAB, WrappedLine};

/// Rows the composer has at most; more scroll inside.
pub(super) const ROWS_MAX: usize = 10;

const SIGN: &str = "> ";
const SIGN_COLS: usize = 2;
/// Right of the text there is always room for the caret.
const CARET_COLS: usize = 1;
/// In fewer columns the sign gives its place to the text.
const SIGNED_COLS_MIN: usize = 6;

/// The composer's rows, and where in them the caret stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComposerView {
    pub rows: Vec<Row>,
    pub caret: Caret,
}

/// Returns how wide the text wraps in a composer of this width.
pub(super) fn text_cols(width_cols: usize) -> usize {
    width_cols.saturating_sub(sign_cols(width_cols) + CARET_COLS).max(1)
}

pub(super) fn view(
    draft: &Draft,
    cursor: usize,
    width_cols: usize,
    rows_max: usize,
    placeholder: &str,
) -> ComposerView {
    let sign_cols = sign_cols(width_cols);
    if draft.is_empty() {
        let words = text::cut(&text::clean(placeholder), width_cols.saturating_sub(sign_cols));
        let row = row(&SIGN[..sign_cols], vec![Span::new(ink(Role::Dim), words)]);
        return ComposerView {
            rows: vec![row],
            caret: Caret { row: 0, col: sign_cols.min(width_cols.saturating_sub(1)) },
        };
    }
    let window = Window::around(draft, cursor, text_cols(width_cols), rows_max.clamp(1, ROWS_MAX));
    let rows = window.places.iter().enumerate().map(|(index, &place)| {
        let gutter = window.gutter(index);
        let (line, row_index) = (&window.lines[place.line], place.row);
        row(&gutter[..sign_cols], spans(line, row_index, text_cols(width_cols).min(width_cols)))
    });
    let col = (sign_cols + window.caret_col).min(width_cols.saturating_sub(1));
    ComposerView { rows: rows.collect(), caret: Caret { row: window.caret_row, col } }
}

fn sign_cols(width_cols: usize) -> usize {
    if width_cols < SIGNED_COLS_MIN { 0 } else { SIGN_COLS }
}

fn ink(role: Role) -> Style {
    Style::new(role).on(Role::UserMessageBg)
}

fn row(gutter: &str, text: Vec<Span>) -> Row {
    let role = if gutter == SIGN { Role::UserMessageText } else { Role::Dim };
    let mut spans = vec![Span::new(ink(role), gutter)];
    spans.extend(text);
    spans.retain(|span| !span.text.is_empty());
    Row::new(spans).filled(Role::UserMessageBg)
}

/// The visual rows that are shown: the cursor's in the middle, but at the draft's ends.
struct Window {
    lines: Vec<WrappedLine>,
    places: Vec<Place>,
    hides_above: bool,
    hides_below: bool,
    caret_row: usize,
    caret_col: usize,
}

/// One visual row: the index of its line in the window, and of the row in that line.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    row: usize,
}

impl Window {
    /// Wraps only the lines near the cursor, so that a long draft costs no more than a short one.
    fn around(draft: &Draft, cursor: usize, cols: usize, rows_max: usize) -> Self {
        let here = WrappedLine::new(draft.stretch_at(cursor), cols);
        let at = cursor - here.line.start;
        let (row_in_line, caret_col) = (here.row_at(at), here.col_at(at));
        let (mut rows_above, mut rows_below) = (row_in_line, here.rows.len() - row_in_line - 1);
        let (mut above, mut below) = (draft.stretch_before(&here.line), draft.stretch_after(&here.line));
        let mut lines = VecDeque::from([here]);
        while let Some(line) = above.take_if(|_| rows_above < rows_max) {
            above = draft.stretch_before(&line);
            lines.push_front(WrappedLine::new(line, cols));
            rows_above += lines[0].rows.len();
        }
        while let Some(line) = below.take_if(|_| rows_below < rows_max) {
            below = draft.stretch_after(&line);
            let wrapped = WrappedLine::new(line, cols);
            rows_below += wrapped.rows.len();
            lines.push_back(wrapped);
        }
        let row_count = rows_above + 1 + rows_below;
        let height = row_count.min(rows_max);
        let top = rows_above.saturating_sub(height / 2).min(row_count - height);
        let all = lines
            .iter()
            .enumerate()
            .flat_map(|(line, wrapped)| (0..wrapped.rows.len()).map(move |row| Place { line, row }));
        Self {
            places: all.skip(top).take(height).collect(),
            hides_above: above.is_some() || top > 0,
            hides_below: below.is_some() || top + height < row_count,
            caret_row: rows_above - top,
            caret_col,
            lines: lines.into(),
        }
    }

    /// What stands left of a row: the sign, or marks for what is hidden above and below.
    fn gutter(&self, row_index: usize) -> &'static str {
        let is_first = row_index == 0;
        let hides_below = self.hides_below && row_index + 1 == self.places.len();
        match (is_first, self.hides_above, hides_below) {
            (true, true, true) => "^v",
            (true, true, false) => "^ ",
            (true, false, true) => ">v",
            (true, false, false) => SIGN,
            (false, _, true) => "v ",
            (false, _, false) => "  ",
        }
    }
}

/// The text of one visual row within `cols`; what hangs over is not drawn.
fn spans(wrapped: &WrappedLine, row_index: usize, cols: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut words = String::new();
    let mut room_cols = cols;
    for cluster in &wrapped.clusters[wrapped.rows[row_index].clone()] {
        let drawn = drawn(wrapped, cluster, room_cols);
        room_cols -= text::width_cols(&drawn).min(room_cols);
        match cluster.kind {
            ClusterKind::Text | ClusterKind::Blank => words.push_str(&drawn),
            ClusterKind::Marker => {
                spans.push(Span::new(ink(Role::UserMessageText), std::mem::take(&mut words)));
                spans.push(Span::new(ink(Role::UserMessageText).underline(), drawn));
            }
        }
    }
    spans.push(Span::new(ink(Role::UserMessageText), words));
    spans
}

fn drawn(wrapped: &WrappedLine, cluster: &Cluster, room_cols: usize) -> String {
    match &wrapped.line.text[cluster.range.clone()] {
        "\t" => text::cut(TAB, room_cols),
        words => text::cut(words, room_cols),
    }
}
