//! Text that is still arriving: its open marks are closed as they will most likely close.
//! What is shown so stays when the rest comes; a mark alone is held back until it means something.

use std::borrow::Cow;

use pulldown_cmark::{Event, Tag};

use crate::source::parser;

/// Completes the last paragraph of a text for showing.
pub(crate) fn completed(text: &str) -> Cow<'_, str> {
    let text = without_mark_line(text);
    let Some(start) = open_inline_start(text) else { return Cow::Borrowed(text) };
    let (done, open) = text.split_at(start);
    if ends_in_blank_line(open) {
        return Cow::Borrowed(text);
    }
    let inline = completed_inline(open);
    let delimiter = if done.is_empty() || done.ends_with('\n') { table_delimiter(open) } else { String::new() };
    Cow::Owned([done, &inline, &delimiter].concat())
}

/// Holds back a last line of marks only: it could be a rule, a list, a fence's end or the line under a heading.
fn without_mark_line(text: &str) -> &str {
    let start = text.rfind('\n').map_or(0, |line_end| line_end + 1);
    let (before, line) = text.split_at(start);
    let is_marks = line.chars().all(|character| "`~-=*_+#>|: \t".contains(character));
    let is_number = line.trim().trim_end_matches(['.', ')']).chars().all(|character| character.is_ascii_digit());
    if is_marks || (is_number && !before.is_empty() && !ends_in_blank_line(before)) { before } else { text }
}

/// Where the text of the last paragraph, heading, item or cell starts; none when the text ends in anything else.
fn open_inline_start(text: &str) -> Option<usize> {
    let mut start = None;
    for (event, range) in parser(text) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) | Event::Rule => start = None,
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::TableCell) => {
                start = Some(range.start);
            }
            _ => {}
        }
    }
    start
}

fn ends_in_blank_line(text: &str) -> bool {
    let mut lines = text.rsplit('\n');
    let last = lines.next().unwrap_or_default();
    last.trim().is_empty() && lines.next().is_some_and(|line| line.trim().is_empty())
}

/// The line that makes a table of a single line in bars, as it will most likely follow.
fn table_delimiter(open: &str) -> String {
    let line = open.trim();
    let Some(cells) = line.strip_prefix('|').filter(|cells| !cells.is_empty() && !line.contains('\n')) else {
        return String::new();
    };
    let cells = cells.strip_suffix('|').unwrap_or(cells);
    let bar_count = cells.matches('|').count() - cells.matches(r"\|").count();
    format!("\n|{}", "-|".repeat(bar_count + 1))
}

fn completed_inline(text: &str) -> String {
    let mut scan = Scan { rest: text.trim_end(), kept: String::with_capacity(text.len() + 8), open: Vec::new() };
    while let Some(character) = scan.rest.chars().next() {
        match character {
            '\\' => scan.keep_escape(),
            '`' => scan.keep_code(),
            '*' | '_' | '~' => scan.keep_run(character),
            '!' if scan.rest.starts_with("![") => scan.keep_image(),
            '[' => scan.keep_link(),
            _ => scan.keep(character.len_utf8()),
        }
    }
    scan.closed()
}

/// One walk over a paragraph: what is kept of it, and the marks that wait for their end.
struct Scan<'text> {
    rest: &'text str,
    kept: String,
    open: Vec<Mark>,
}

struct Mark {
    character: char,
    count: usize,
    /// Where it ends in what is kept.
    end: usize,
}

impl<'text> Scan<'text> {
    fn keep(&mut self, len: usize) {
        let kept = self.skip(len);
        self.kept.push_str(kept);
    }

    fn skip(&mut self, len: usize) -> &'text str {
        let (skipped, rest) = self.rest.split_at(len);
        self.rest = rest;
        skipped
    }

    /// A backslash at the very end waits for what it escapes.
    fn keep_escape(&mut self) {
        match self.rest[1..].chars().next() {
            Some(escaped) => self.keep(1 + escaped.len_utf8()),
            None => _ = self.skip(1),
        }
    }

    fn keep_code(&mut self) {
        let run = run_len(self.rest, '`');
        let inside = &self.rest[run..];
        if let Some(len) = code_len(inside, run) {
            return self.keep(run + len + run);
        }
        if inside.is_empty() {
            self.skip(run);
            return;
        }
        self.keep(self.rest.len());
        if self.kept.ends_with('`') {
            self.kept.push(' ');
        }
        self.kept.extend(std::iter::repeat_n('`', run));
    }

    fn keep_run(&mut self, character: char) {
        let run = run_len(self.rest, character);
        let before = self.kept.chars().next_back();
        let after = self.rest[run..].chars().next();
        let is_word = |side: Option<char>| character == '_' && side.is_some_and(char::is_alphanumeric);
        let can_close = before.is_some_and(|side| !side.is_whitespace()) && !is_word(after);
        let can_open =
            after.is_some_and(|side| !side.is_whitespace()) && !is_word(before) && (character != '~' || run == 2);
        let left = if can_close { self.close(character, run) } else { run };
        if after.is_none() {
            // What closes nothing will open something, or be text: the next character tells.
            self.keep(run - left);
            self.skip(left);
            return;
        }
        self.keep(run);
        if left > 0 && can_open {
            self.open.push(Mark { character, count: left, end: self.kept.len() });
        }
    }

    /// Closes open marks with a run of `count`; returns how much of it is left.
    fn close(&mut self, character: char, mut count: usize) -> usize {
        while count > 0 {
            let Some(place) = self.open.iter().rposition(|mark| mark.character == character) else { break };
            self.open.truncate(place + 1);
            let mark = &mut self.open[place];
            let closed = mark.count.min(count);
            mark.count -= closed;
            count -= closed;
            if mark.count == 0 {
                self.open.pop();
            }
        }
        count
    }

    /// An image is held back until it is whole.
    fn keep_image(&mut self) {
        match link_parts(&self.rest[1..]) {
            Link::Whole { len } => self.keep(1 + len),
            Link::Text => self.keep(2),
            Link::OpenLabel | Link::OpenAddress { .. } => _ = self.skip(self.rest.len()),
        }
    }

    /// Of a link that is not whole yet only its text is shown.
    fn keep_link(&mut self) {
        match link_parts(self.rest) {
            Link::Whole { len } => self.keep(len),
            Link::Text => self.keep(1),
            Link::OpenLabel => _ = self.skip(1),
            Link::OpenAddress { label_len } => {
                self.skip(1);
                self.keep(label_len);
                self.skip(self.rest.len());
            }
        }
    }

    fn closed(mut self) -> String {
        self.kept.truncate(self.kept.trim_end().len());
        while let Some(mark) = self.open.pop_if(|mark| mark.end == self.kept.len()) {
            self.kept.truncate(self.kept.len() - mark.count);
            self.kept.truncate(self.kept.trim_end().len());
        }
        for mark in self.open.iter().rev() {
            self.kept.extend(std::iter::repeat_n(mark.character, mark.count));
        }
        self.kept
    }
}

/// How much of a link there is.
enum Link {
    Whole {
        len: usize,
    },
    /// Brackets that are no link.
    Text,
    OpenLabel,
    OpenAddress {
        label_len: usize,
    },
}

/// Looks at text that starts with a bracket.
fn link_parts(text: &str) -> Link {
    let Some(label_len) = closing(&text[1..], '[', ']') else { return Link::OpenLabel };
    let after = &text[label_len + 2..];
    if after.is_empty() {
        return Link::OpenAddress { label_len };
    }
    if !after.starts_with('(') {
        return Link::Text;
    }
    match closing(&after[1..], '(', ')') {
        Some(len) => Link::Whole { len: label_len + 2 + len + 2 },
        None => Link::OpenAddress { label_len },
    }
}

/// Where the bracket that is open at the start of `text` closes.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    let mut is_escaped = false;
    for (place, character) in text.char_indices() {
        if is_escaped {
            is_escaped = false;
        } else if character == '\\' {
            is_escaped = true;
        } else if character == open {
            depth += 1;
        } else if character == close {
            if depth == 0 {
                return Some(place);
            }
            depth -= 1;
        }
    }
    None
}

/// How long code is that a run of `run` backticks closes.
fn code_len(inside: &str, run: usize) -> Option<usize> {
    let mut place = 0;
    while let Some(start) = inside[place..].find('`') {
        let found = run_len(&inside[place + start..], '`');
        if found == run {
            return Some(place + start);
        }
        place += start + found;
    }
    None
}

fn run_len(text: &str, mark: char) -> usize {
    text.bytes().take_while(|byte| *byte == mark as u8).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_marks_are_closed_as_they_will_most_likely_close() {
        let cases = [
            ("plain", "plain"),
            ("a **bo", "a **bo**"),
            ("a **bold*", "a **bold**"),
            ("a **bold**", "a **bold**"),
            ("a **", "a"),
            ("a *", "a"),
            ("***both", "***both***"),
            ("**bold *it", "**bold *it***"),
            ("**a *b* ", "**a *b***"),
            ("snake_case_na", "snake_case_na"),
            ("5 * 3", "5 * 3"),
            ("~5 min", "~5 min"),
            ("~~gone", "~~gone~~"),
            ("run `car", "run `car`"),
            ("run `", "run"),
            ("``a`b", "``a`b``"),
            ("``a`", "``a` ``"),
            ("**`", ""),
            (r"a \*b", r"a \*b"),
            (r"a \", "a"),
            ("see [the do", "see the do"),
            ("see [the docs]", "see the docs"),
            ("see [the docs](http", "see the docs"),
            ("see [the docs](http://x) and", "see [the docs](http://x) and"),
            ("a[0] = 1", "a[0] = 1"),
            ("**[bold", "**bold**"),
            ("x ![alt](htt", "x"),
            ("para\n--", "para\n"),
            ("para\n12.", "para\n"),
            ("12.", "12."),
            ("```\ncode\n``", "```\ncode\n"),
            ("```\na **b", "```\na **b"),
            ("- item **b", "- item **b**"),
            ("* item", "* item"),
            ("**open\n\n", "**open\n\n"),
            ("| a | b", "| a | b\n|-|-|"),
            ("| a | b |\n|--", "| a | b |\n|-|-|"),
            ("| a |\n|-|\n| **b", "| a |\n|-|\n| **b**"),
        ];
        for (text, expected) in cases {
            assert_eq!(completed(text).trim_end(), expected.trim_end(), "{text:?}");
        }
    }
}
