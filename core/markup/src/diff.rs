//! A unified diff as rows: signs, line numbers, changed words.
//! Computes no diff of files; it shows one.

use screen::{Role, Row, Span, Style, WrapOptions, wrap};
use similar::{ChangeTag, TextDiff};

/// Under this width the line numbers are left out.
const NUMBERS_COLS_MIN: usize = 60;

/// Lines longer than this are shown without marking their changed words.
const MARKED_BYTES_MAX: usize = 2_000;

/// Renders the text of a unified diff; lines it does not know stay as they are.
pub fn diff(unified: &str, width_cols: usize) -> Vec<Row> {
    let lines = parse(unified);
    let last_number = lines.iter().filter_map(|line| line.old.max(line.new)).max().unwrap_or_default();
    let number_cols = if width_cols < NUMBERS_COLS_MIN { 0 } else { last_number.to_string().len() };
    let mut rows = Vec::new();
    let mut rest = lines.as_slice();
    while let Some((line, after)) = rest.split_first() {
        let removed = count_of(rest, Kind::Removed);
        if removed == 0 {
            rows.extend(line.rows(&line.unmarked(), number_cols, width_cols));
            rest = after;
            continue;
        }
        let added = count_of(&rest[removed..], Kind::Added);
        let (changed, after) = rest.split_at(removed + added);
        for (line, spans) in changed.iter().zip(marked(changed, removed)) {
            rows.extend(line.rows(&spans, number_cols, width_cols));
        }
        rest = after;
    }
    rows
}

#[derive(Debug)]
struct Line<'text> {
    kind: Kind,
    /// Numbers in the old and the new file, from 1.
    old: Option<u64>,
    new: Option<u64>,
    /// Without its sign.
    text: &'text str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Names of files, hunk heads and remarks.
    Head,
    Context,
    Added,
    Removed,
}

/// Where a reader is within a hunk: the next line's number on each side, and how many lines are to come.
#[derive(Clone, Copy)]
struct Hunk {
    old: u64,
    old_left: u64,
    new: u64,
    new_left: u64,
}

fn parse(unified: &str) -> Vec<Line<'_>> {
    let mut hunk = Hunk { old: 0, old_left: 0, new: 0, new_left: 0 };
    let mut lines = Vec::new();
    for text in unified.lines() {
        if hunk.old_left > 0 || hunk.new_left > 0 {
            lines.push(hunk.line(text));
            continue;
        }
        hunk = Hunk::parse(text).unwrap_or(hunk);
        lines.push(Line { kind: Kind::Head, old: None, new: None, text: remark_of(text).unwrap_or(text) });
    }
    lines
}

impl Hunk {
    /// Reads `@@ -1,2 +3,4 @@`.
    fn parse(text: &str) -> Option<Self> {
        let (ranges, _) = text.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let range = |side: &str| -> Option<(u64, u64)> {
            let (start, len) = side.split_once(',').unwrap_or((side, "1"));
            Some((start.parse().ok()?, len.parse().ok()?))
        };
        let ((old, old_left), (new, new_left)) = (range(old)?, range(new)?);
        Some(Self { old, old_left, new, new_left })
    }

    fn line<'text>(&mut self, text: &'text str) -> Line<'text> {
        if let Some(text) = text.strip_prefix('+') {
            Line { kind: Kind::Added, old: None, new: Some(self.next_new()), text }
        } else if let Some(text) = text.strip_prefix('-') {
            Line { kind: Kind::Removed, old: Some(self.next_old()), new: None, text }
        } else if let Some(text) = remark_of(text) {
            Line { kind: Kind::Head, old: None, new: None, text }
        } else {
            // Some programs leave out the blank of an empty line.
            let text = text.strip_prefix(' ').unwrap_or(text);
            Line { kind: Kind::Context, old: Some(self.next_old()), new: Some(self.next_new()), text }
        }
    }

    fn next_old(&mut self) -> u64 {
        self.old_left = self.old_left.saturating_sub(1);
        self.old = self.old.saturating_add(1);
        self.old - 1
    }

    fn next_new(&mut self) -> u64 {
        self.new_left = self.new_left.saturating_sub(1);
        self.new = self.new.saturating_add(1);
        self.new - 1
    }
}

/// `\ No newline at end of file` and its like.
fn remark_of(text: &str) -> Option<&str> {
    text.strip_prefix("\\ ")
}

fn count_of(lines: &[Line], kind: Kind) -> usize {
    lines.iter().take_while(|line| line.kind == kind).count()
}

/// The spans of a change, its words marked where a removed line has an added one beside it.
fn marked(changed: &[Line], removed: usize) -> Vec<Vec<Span>> {
    let (old, new) = changed.split_at(removed);
    let mut spans: Vec<Vec<Span>> = changed.iter().map(Line::unmarked).collect();
    for (index, (before, after)) in old.iter().zip(new).enumerate() {
        if before.text.len().max(after.text.len()) > MARKED_BYTES_MAX {
            continue;
        }
        let words = TextDiff::from_words(before.text, after.text);
        let of_side = |line: &Line, skipped: ChangeTag| -> Vec<Span> {
            let shown = words.iter_all_changes().filter(|change| change.tag() != skipped);
            shown.map(|change| Span::new(line.word_style(change.tag()), change.value())).collect()
        };
        spans[index] = of_side(before, ChangeTag::Insert);
        spans[removed + index] = of_side(after, ChangeTag::Delete);
    }
    spans
}

impl Line<'_> {
    fn unmarked(&self) -> Vec<Span> {
        vec![Span::new(self.word_style(ChangeTag::Equal), self.text)]
    }

    fn word_style(&self, tag: ChangeTag) -> Style {
        let (sign, text, surface) = self.roles();
        match tag {
            ChangeTag::Equal => Style::new(text).on(surface),
            ChangeTag::Delete | ChangeTag::Insert => Style::new(sign).on(surface).underline(),
        }
    }

    /// The roles of the sign and the text, and what they stand on.
    fn roles(&self) -> (Role, Role, Role) {
        match self.kind {
            Kind::Head | Kind::Context => (Role::ToolDiffContext, Role::ToolDiffContext, Role::ToolPanelBg),
            Kind::Added => (Role::ToolDiffAdded, Role::ToolDiffText, Role::ToolDiffAddedBg),
            Kind::Removed => (Role::ToolDiffRemoved, Role::ToolDiffText, Role::ToolDiffRemovedBg),
        }
    }

    fn rows(&self, text: &[Span], number_cols: usize, width_cols: usize) -> Vec<Row> {
        let (sign_role, _, surface) = self.roles();
        let sign = match self.kind {
            Kind::Head => "",
            Kind::Context => "  ",
            Kind::Added => "+ ",
            Kind::Removed => "- ",
        };
        let numbers = Span::new(Style::new(Role::ToolDiffContext).on(surface), self.numbers(number_cols));
        let first = [numbers, Span::new(Style::new(sign_role).on(surface), sign)];
        let blanks = " ".repeat(first.iter().map(Span::width_cols).sum());
        let next = [Span::new(Style::new(sign_role).on(surface), blanks)];
        let options = WrapOptions { width_cols, first_indent: &first, next_indent: &next, unbroken: None };
        wrap(text, &options).into_iter().map(|row| row.filled(surface)).collect()
    }

    fn numbers(&self, number_cols: usize) -> String {
        if number_cols == 0 || self.kind == Kind::Head {
            return String::new();
        }
        let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        format!("{:>number_cols$} {:>number_cols$} ", number(self.old), number(self.new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGE: &str = "\
--- a/x.rs
+++ b/x.rs
@@ -9,3 +9,3 @@ fn main
 let a = 1;
-let b = 2;
+let b = 30;
\tlast
\\ No newline at end of file
";

    fn plain(rows: &[Row]) -> Vec<String> {
        rows.iter().map(Row::plain).collect()
    }

    #[test]
    fn a_change_has_signs_and_two_columns_of_numbers() {
        assert_eq!(
            plain(&diff(CHANGE, 60)),
            [
                "--- a/x.rs",
                "+++ b/x.rs",
                "@@ -9,3 +9,3 @@ fn main",
                " 9  9   let a = 1;",
                "10    - let b = 2;",
                "   10 + let b = 30;",
                "11 11      last",
                "No newline at end of file",
            ]
        );
    }

    #[test]
    fn a_narrow_diff_has_no_numbers_and_wraps_under_its_text() {
        let rows = diff("@@ -1 +1 @@\n-one two three\n+one\n", 12);
        assert_eq!(plain(&rows), ["@@ -1 +1 @@", "- one two", "  three", "+ one"]);
        assert!(diff(CHANGE, 5).iter().all(|row| row.width_cols() <= 5));
    }

    #[test]
    fn changed_words_are_marked_and_lines_stand_on_their_surface() {
        let rows = diff(CHANGE, 40);
        let text = Style::new(Role::ToolDiffText).on(Role::ToolDiffAddedBg);
        let added = Style::new(Role::ToolDiffAdded).on(Role::ToolDiffAddedBg);
        let words: Vec<Span> = rows[5].spans.iter().filter(|span| span.style.underline).cloned().collect();
        assert_eq!(words, [Span::new(added.underline(), "30;")]);
        assert!(rows[5].spans.iter().any(|span| span.style == text));
        assert_eq!(rows[5].fill, Some(Role::ToolDiffAddedBg));
    }

    #[test]
    fn a_removed_line_of_dashes_is_no_file_name() {
        let rows = diff("@@ -1,2 +1 @@\n--- title\n kept\n", 60);
        assert_eq!(plain(&rows), ["@@ -1,2 +1 @@", "1   - -- title", "2 1   kept"]);
    }

    #[test]
    fn what_is_no_diff_is_shown_as_it_is() {
        assert_eq!(plain(&diff("just text\n\nmore", 40)), ["just text", "", "more"]);
        assert_eq!(plain(&diff("", 40)), Vec::<String>::new());
    }
}
