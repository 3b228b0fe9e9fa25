//! Breaks styled text into rows: at words, else at clusters, never inside a cluster.
//! Cleans nothing (`Span::new` does) and knows no markup.

use std::ops::Range;

use unicode_linebreak::linebreaks;
use unicode_segmentation::UnicodeSegmentation;

use crate::{Role, Row, RowEnd, Span, Style, text};

/// Columns that indents leave to the text, or half the row where it is narrower; an indent is cut from its left.
const CONTENT_COLS_MIN: usize = 8;

/// How text is laid into rows.
#[derive(Clone, Copy, Debug)]
pub struct WrapOptions<'a> {
    /// No row is wider; 0 counts as 1.
    pub width_cols: usize,
    /// What stands before the first row's text.
    pub first_indent: &'a [Span],
    /// What stands before every further row's text.
    pub next_indent: &'a [Span],
    /// Text of this role is broken only where it does not fit in a row of its own.
    pub unbroken: Option<Role>,
}

/// Wraps spans at word boundaries, a word wider than the row at clusters; always at least one row.
/// Blanks at the end of a row hang, and so are dropped.
pub fn wrap(spans: &[Span], options: &WrapOptions) -> Vec<Row> {
    let width_cols = options.width_cols.max(1);
    let first = fit_indent(options.first_indent, width_cols);
    let next = fit_indent(options.next_indent, width_cols);
    if is_one_row(spans, width_cols - cols_of(&first)) {
        let mut row = Row::new(first.iter().chain(texts(spans)).cloned().collect());
        trim_blanks(&mut row.spans, first.len());
        return vec![row];
    }
    let flow = Flow::of_words(spans, width_cols - cols_of(&first).max(cols_of(&next)), options.unbroken);
    let mut rows = Vec::new();
    let mut start = 0;
    loop {
        let indent = if rows.is_empty() { &first } else { &next };
        let (end, next_start) = flow.row_at_words(start, width_cols - cols_of(indent));
        let mut row = Row::new(indent.clone());
        flow.append(start..end, &mut row.spans);
        rows.push(row);
        if next_start >= flow.clusters.len() {
            return rows;
        }
        start = next_start;
    }
}

/// Wraps spans at the cell, keeping every blank: rows that a terminal may join to one logical line.
/// A row that a wide glyph leaves a cell short ends hard, and all do where terminals disagree on a width.
pub fn wrap_cells(spans: &[Span], width_cols: usize) -> Vec<Row> {
    let width_cols = width_cols.max(1);
    if is_one_row(spans, width_cols) {
        return vec![Row::new(texts(spans).cloned().collect())];
    }
    let flow = Flow::of_cells(spans, width_cols);
    let may_join = !flow.clusters.iter().any(|cluster| cluster.is_contested);
    let mut rows = Vec::new();
    let mut start = 0;
    loop {
        let (end, row_cols) = flow.row_at_cells(start, width_cols);
        let mut row = Row::blank();
        flow.append(start..end, &mut row.spans);
        if may_join && end < flow.clusters.len() && row_cols == width_cols {
            row.end = RowEnd::Joined;
        }
        rows.push(row);
        if end == flow.clusters.len() {
            return rows;
        }
        start = end;
    }
}

/// Cuts an indent so that it leaves room for text: what stands at its right end, a list's marker, is kept.
pub fn fit_indent(indent: &[Span], width_cols: usize) -> Vec<Span> {
    let indent_cols_max =
        width_cols.saturating_sub(CONTENT_COLS_MIN).max(width_cols / 2).min(width_cols.saturating_sub(2));
    let mut over_cols = cols_of(indent).saturating_sub(indent_cols_max);
    let mut fitted = Vec::with_capacity(indent.len());
    for span in indent {
        let span_cols = span.width_cols();
        let kept_cols = span_cols.saturating_sub(over_cols);
        over_cols = over_cols.saturating_sub(span_cols);
        if kept_cols == span_cols {
            fitted.push(span.clone());
        } else if kept_cols > 0 {
            fitted.push(Span { text: text::tail(&span.text, kept_cols).to_owned(), style: span.style.clone() });
        }
    }
    fitted
}

/// Spans as one run of clusters: a cluster may reach over a span's end and then has its first part's style.
struct Flow<'a> {
    text: String,
    styles: Vec<&'a Style>,
    clusters: Vec<Cluster>,
}

struct Cluster {
    /// Where it ends in the text; it starts where the one before ends.
    end: usize,
    cols: usize,
    style_index: usize,
    is_blank: bool,
    is_contested: bool,
    /// Whether a row may end behind it.
    opening: Opening,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    Closed,
    /// Only where text that is best left whole is wider than a row.
    Reluctant,
    Open,
}

impl<'a> Flow<'a> {
    fn of_cells(spans: &'a [Span], cols_max: usize) -> Self {
        let mut flow = Self { text: String::new(), styles: Vec::new(), clusters: Vec::new() };
        let mut span_ends = Vec::with_capacity(spans.len());
        for span in spans {
            flow.push_text(&span.text, cols_max);
            flow.styles.push(&span.style);
            span_ends.push(flow.text.len());
        }
        flow.find_clusters(&span_ends);
        flow
    }

    fn of_words(spans: &'a [Span], cols_max: usize, unbroken: Option<Role>) -> Self {
        let mut flow = Self::of_cells(spans, cols_max);
        flow.find_openings(unbroken);
        flow
    }

    /// A glyph wider than any row could hold is a blank.
    fn push_text(&mut self, text: &str, cols_max: usize) {
        if cols_max >= 2 {
            self.text.push_str(text);
            return;
        }
        for cluster in text.graphemes(true) {
            self.text.push_str(if text::cluster_width_cols(cluster) > cols_max { " " } else { cluster });
        }
    }

    fn find_clusters(&mut self, span_ends: &[usize]) {
        let mut style_index = 0;
        self.clusters.reserve(self.text.len());
        for (start, cluster) in self.text.grapheme_indices(true) {
            while span_ends[style_index] <= start {
                style_index += 1;
            }
            self.clusters.push(Cluster {
                end: start + cluster.len(),
                cols: text::cluster_width_cols(cluster),
                style_index,
                is_blank: cluster == " ",
                is_contested: text::is_contested(cluster),
                opening: Opening::Closed,
            });
        }
    }

    fn find_openings(&mut self, unbroken: Option<Role>) {
        let mut breaks = linebreaks(&self.text).map(|(end, _)| end).peekable();
        for index in 0..self.clusters.len() {
            let end = self.clusters[index].end;
            // A boundary inside a cluster is passed over.
            while breaks.next_if(|&place| place < end).is_some() {}
            if breaks.next_if_eq(&end).is_some() {
                self.clusters[index].opening = self.opening_after(index, unbroken);
            }
        }
    }

    /// Names, paths and options read and copy better whole.
    fn opening_after(&self, index: usize, unbroken: Option<Role>) -> Opening {
        let cluster = &self.clusters[index];
        let is_inside = self.clusters.get(index + 1).is_some_and(|next| next.style_index == cluster.style_index);
        let is_unbroken = is_inside && unbroken == Some(self.styles[cluster.style_index].role);
        let is_in_word = self.text[..cluster.end].ends_with(['-', '/']);
        if is_unbroken || is_in_word { Opening::Reluctant } else { Opening::Open }
    }

    /// Where the row from `start` ends, and where the next one starts.
    fn row_at_words(&self, start: usize, room_cols: usize) -> (usize, usize) {
        let mut cols = 0;
        let (mut open, mut reluctant) = (None, None);
        for (index, cluster) in self.clusters.iter().enumerate().skip(start) {
            cols += cluster.cols;
            if cols > room_cols && !cluster.is_blank {
                let next_start = open.or(reluctant).unwrap_or(index.max(start + 1));
                return (self.without_blanks(start, next_start), next_start);
            }
            match cluster.opening {
                Opening::Closed => {}
                Opening::Reluctant => reluctant = Some(index + 1),
                Opening::Open => open = Some(index + 1),
            }
        }
        (self.without_blanks(start, self.clusters.len()), self.clusters.len())
    }

    /// Where the row from `start` ends, and its width.
    fn row_at_cells(&self, start: usize, room_cols: usize) -> (usize, usize) {
        let mut cols = 0;
        for (index, cluster) in self.clusters.iter().enumerate().skip(start) {
            if cols + cluster.cols > room_cols {
                return (index, cols);
            }
            cols += cluster.cols;
        }
        (self.clusters.len(), cols)
    }

    fn without_blanks(&self, start: usize, end: usize) -> usize {
        (start..end).rev().find(|&index| !self.clusters[index].is_blank).map_or(start, |last| last + 1)
    }

    /// Appends the clusters of `range` as spans, one for each run of a style.
    fn append(&self, range: Range<usize>, spans: &mut Vec<Span>) {
        let mut start = if range.start == 0 { 0 } else { self.clusters[range.start - 1].end };
        for run in self.clusters[range].chunk_by(|a, b| a.style_index == b.style_index) {
            let end = run[run.len() - 1].end;
            spans.push(Span { text: self.text[start..end].to_owned(), style: self.styles[run[0].style_index].clone() });
            start = end;
        }
    }
}

/// The common case, told without looking for clusters.
fn is_one_row(spans: &[Span], room_cols: usize) -> bool {
    spans.iter().all(|span| span.text.is_ascii()) && cols_of(spans) <= room_cols
}

fn texts(spans: &[Span]) -> impl Iterator<Item = &Span> {
    spans.iter().filter(|span| !span.text.is_empty())
}

/// Takes the blanks off the end of the spans from `first_index` on.
fn trim_blanks(spans: &mut Vec<Span>, first_index: usize) {
    while let Some(last) = spans.get_mut(first_index..).and_then(|text| text.last_mut()) {
        last.text.truncate(last.text.trim_end_matches(' ').len());
        if !last.text.is_empty() {
            break;
        }
        spans.pop();
    }
}

fn cols_of(spans: &[Span]) -> usize {
    spans.iter().map(Span::width_cols).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn options(width_cols: usize) -> WrapOptions<'static> {
        WrapOptions { width_cols, first_indent: &[], next_indent: &[], unbroken: Some(Role::MdCode) }
    }

    fn plain(rows: &[Row]) -> Vec<String> {
        rows.iter().map(Row::plain).collect()
    }

    fn wrapped(text: &str, width_cols: usize) -> Vec<String> {
        plain(&wrap(&[Span::new(Role::Text, text)], &options(width_cols)))
    }

    #[test]
    fn rows_break_at_words_and_their_blanks_hang() {
        assert_eq!(wrapped("one two   three", 8), ["one two", "three"]);
        assert_eq!(wrapped("one two", 3), ["one", "two"]);
        assert_eq!(wrapped("", 5), [""]);
        assert_eq!(wrapped("   ", 2), [""]);
    }

    #[test]
    fn a_word_wider_than_a_row_breaks_at_clusters() {
        assert_eq!(wrapped("a abcdefgh b", 4), ["a", "abcd", "efgh", "b"]);
        assert_eq!(wrapped("日本語です", 5), ["日本", "語で", "す"]);
        assert_eq!(wrapped("👨\u{200d}👩\u{200d}👧👨\u{200d}👩\u{200d}👧", 3).len(), 2);
        assert_eq!(wrapped("ฉันต้องการให้มัน", 6).concat(), "ฉันต้องการให้มัน");
        assert_eq!(wrapped("a-bc/d --no-theme", 6), ["a-bc/d", "--no-", "theme"]);
    }

    #[test]
    fn styles_run_on_over_rows() {
        let spans = [Span::new(Role::Text, "plain "), Span::new(Style::new(Role::Text).bold(), "bold words")];
        let bold = Style::new(Role::Text).bold();
        assert_eq!(
            wrap(&spans, &options(10)),
            [Row::new(vec![Span::new(Role::Text, "plain "), Span::new(bold.clone(), "bold")]), Row::of(bold, "words"),]
        );
    }

    #[test]
    fn code_in_a_line_stays_whole_unless_it_is_wider_than_the_row() {
        let spans =
            |code: &str| [Span::new(Role::Text, "run "), Span::new(Role::MdCode, code), Span::new(Role::Text, ".")];
        assert_eq!(plain(&wrap(&spans("a b c"), &options(7))), ["run", "a b c."]);
        assert_eq!(plain(&wrap(&spans("abc def ghi"), &options(8))), ["run", "abc def", "ghi."]);
    }

    #[test]
    fn text_hangs_under_text() {
        let (first, next) = ([Span::new(Role::MdListBullet, "- ")], [Span::new(Role::Text, "  ")]);
        let options = WrapOptions { first_indent: &first, next_indent: &next, ..options(12) };
        assert_eq!(plain(&wrap(&[Span::new(Role::Text, "one two three")], &options)), ["- one two", "  three"]);
    }

    #[test]
    fn an_indent_never_eats_the_text() {
        let indent = [Span::new(Role::Text, "                - ")];
        let options = WrapOptions { first_indent: &indent, next_indent: &indent, ..options(12) };
        assert_eq!(plain(&wrap(&[Span::new(Role::Text, "words")], &options)), ["    - words"]);
    }

    #[test]
    fn rows_cut_at_the_cell_may_be_joined() {
        let rows = wrap_cells(&[Span::new(Role::Text, "abc  def日")], 4);
        assert_eq!(plain(&rows), ["abc ", " def", "日"]);
        assert_eq!(rows.iter().map(|row| row.end).collect::<Vec<_>>(), [RowEnd::Joined, RowEnd::Joined, RowEnd::Hard]);
    }

    #[test]
    fn a_straddling_glyph_or_a_contested_width_ends_rows_hard() {
        let ends = |text: &str| -> Vec<RowEnd> {
            wrap_cells(&[Span::new(Role::Text, text)], 4).iter().map(|row| row.end).collect()
        };
        assert_eq!(ends("abc日abcd"), [RowEnd::Hard, RowEnd::Joined, RowEnd::Hard]);
        assert_eq!(ends("abcdefgh❤\u{fe0f}"), [RowEnd::Hard, RowEnd::Hard, RowEnd::Hard]);
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_asked_and_no_text_is_lost(
            parts in prop::collection::vec("(\\PC|[a-z]{1,9}| {1,3}|日本|👨\u{200d}👩|e\u{301}|[\u{e00}-\u{e5f}]){0,9}", 0..5),
            indent_cols in 0usize..12,
            width_cols in 2usize..30,
        ) {
            let roles = [Role::Text, Role::MdCode];
            let spans: Vec<Span> = parts.iter().enumerate().map(|(i, part)| Span::new(roles[i % 2], part)).collect();
            let indent = [Span::new(Role::Text, "·".repeat(indent_cols))];
            let rows = wrap(&spans, &WrapOptions { first_indent: &indent, next_indent: &indent, ..options(width_cols) });
            let cells = wrap_cells(&spans, width_cols);
            for row in rows.iter().chain(&cells) {
                prop_assert!(row.width_cols() <= width_cols, "{row:?}");
            }
            let text: String = spans.iter().map(|span| span.text.as_str()).collect();
            prop_assert_eq!(plain(&cells).concat(), text.clone());
            let solid = |text: String| text.replace([' ', '·'], "");
            prop_assert_eq!(solid(plain(&rows).concat()), solid(text));
        }
    }
}
