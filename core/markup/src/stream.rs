//! Markdown that grows: parts that can no longer change are rendered once, the last one anew each time.
//! Paces nothing: what it is given is shown.

use std::borrow::Cow;
use std::sync::Arc;

use screen::Row;

use crate::Options;
use crate::block::{append_part, rows_of};
use crate::source::{inert, part_starts, parts};
use crate::unfinished::completed;

/// The rows of one growing text.
#[derive(Default, Debug)]
pub struct Stream {
    options: Option<Options>,
    /// The text whose rows stay.
    closed: String,
    closed_row_count: usize,
    /// Bytes after `closed` in which no further part begins.
    scanned_len: usize,
    /// What `rows` shows after `closed`.
    shown: Option<(Ending, String)>,
    rows: Vec<Arc<Row>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// More may come: open marks are closed.
    Open,
    Final,
}

impl Stream {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the rows of a text that may still grow.
    /// A text that does not continue the one before, or other options, begin anew.
    pub fn rows(&mut self, text: &str, options: &Options) -> &[Arc<Row>] {
        self.show(text, options, Ending::Open)
    }

    /// Returns the rows of a text that has ended: those that `markdown` gives.
    pub fn finished(&mut self, text: &str, options: &Options) -> &[Arc<Row>] {
        self.show(text, options, Ending::Final)
    }

    fn show(&mut self, text: &str, options: &Options, ending: Ending) -> &[Arc<Row>] {
        if self.options != Some(*options) || !text.starts_with(&self.closed) {
            *self = Self { options: Some(*options), ..Self::default() };
        }
        self.close_parts(text, options);
        let tail = &text[self.closed.len()..];
        if self.shown.as_ref().is_some_and(|(shown_ending, shown)| *shown_ending == ending && shown == tail) {
            return &self.rows;
        }
        self.rows.truncate(self.closed_row_count);
        let inert_tail = inert(tail);
        let source = match ending {
            Ending::Open => completed(&inert_tail),
            Ending::Final => Cow::Borrowed(&*inert_tail),
        };
        for part in parts(&source) {
            append_part(&mut self.rows, rows_of(part, options));
        }
        self.shown = Some((ending, tail.to_owned()));
        &self.rows
    }

    /// Renders for good every part that whole lines have closed.
    fn close_parts(&mut self, text: &str, options: &Options) {
        let tail = &text[self.closed.len()..];
        let whole_len = tail.rfind('\n').map_or(0, |line_end| line_end + 1);
        if whole_len <= self.scanned_len {
            return;
        }
        let lines = inert(&tail[..whole_len]);
        let starts = part_starts(&lines);
        let Some(last) = starts.last() else {
            self.scanned_len = whole_len;
            return;
        };
        self.rows.truncate(self.closed_row_count);
        self.shown = None;
        let mut start = 0;
        for &end in &starts {
            append_part(&mut self.rows, rows_of(&lines[start..end], options));
            start = end;
        }
        self.closed_row_count = self.rows.len();
        let closed_len = same_line(&lines, *last, tail);
        self.closed.push_str(&tail[..closed_len]);
        self.scanned_len = whole_len - closed_len;
    }
}

/// Returns where the line that starts at `offset` of the cleaned text starts in the text as it came.
fn same_line(inert: &str, offset: usize, raw: &str) -> usize {
    let line_index = inert[..offset].matches('\n').count();
    raw.match_indices('\n').take(line_index).last().map_or(0, |(line_end, _)| line_end + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use screen::Role;

    use super::*;
    use crate::markdown;

    fn options(width_cols: usize) -> Options {
        Options { width_cols, base: Role::MdBody, code_indent_cols: 2 }
    }

    fn plain<R: AsRef<Row>>(rows: &[R]) -> Vec<String> {
        rows.iter().map(|row| row.as_ref().plain()).collect()
    }

    fn whole(text: &str, options: &Options) -> Vec<Arc<Row>> {
        markdown(text, options).into_iter().map(Arc::new).collect()
    }

    const BLOCKS: &[&str] = &[
        "A paragraph with **bold**, `code` and [a link](https://x.example).\n\n",
        "soft\nbreak  \nhard\n\n",
        "# heading\ntext\n\n",
        "under\n---\n\n",
        "- one\n- two\n  - three\n\n",
        "1. First:\n\n   ```\n   code\n\n   more\n   ```\n\n2. Second\n\n",
        "> quote\n> > deeper\n\n",
        "```rust\nfn main() {}\n\n# no heading\n```\n\n",
        "| a | b |\n|---|--:|\n| 1 | 2 |\n\n",
        "    indented\n\n    code\n\n",
        "<div>\nhtml\n</div>\n\n",
        "<!-- a comment -->\n\n",
        "[1]: https://x.example\n\n",
        "see [text][1] and [1]\n\n",
        "***\n\n",
        "esc \x1b[31mred\x1b[0m \x1b]0;x\n\n",
        "日本語 👨\u{200d}👩\u{200d}👧 text\n\n",
        "open ** mark and `tick\n\n",
    ];

    #[test]
    fn shown_text_is_not_taken_back() {
        let text = "Some **bold words** and `code here` then [a link](https://x.example) end.\n\n- item *one*\n- two\n";
        let mut stream = Stream::new();
        let mut before = String::new();
        for end in (1..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            let now = plain(stream.rows(&text[..end], &options(200))).concat();
            assert!(now.starts_with(&before), "after {:?}: {before:?} became {now:?}", &text[..end]);
            before = now;
        }
    }

    #[test]
    fn a_text_that_is_replaced_begins_anew() {
        let mut stream = Stream::new();
        stream.rows("one\n\ntwo\n\nthree", &options(40));
        assert_eq!(plain(stream.rows("other\n\ntext", &options(40))), ["other", "", "text"]);
        assert_eq!(plain(stream.rows("other\n\ntext", &options(4))), ["othe", "r", "", "text"]);
    }

    #[test]
    fn closed_rows_are_not_made_again() {
        let mut stream = Stream::new();
        let first = stream.rows("one\n\ntwo\n\nthr", &options(40))[0].clone();
        assert!(Arc::ptr_eq(&first, &stream.rows("one\n\ntwo\n\nthree\n\nfour", &options(40))[0]));
    }

    proptest! {
        #[test]
        fn a_stream_ends_with_the_rows_of_the_whole(
            blocks in prop::collection::vec(prop::sample::select(BLOCKS), 1..8),
            cuts in prop::collection::vec(0usize..400, 0..12),
            breaks in prop::bool::weighted(0.3),
            width_cols in 8usize..60,
        ) {
            let text = if breaks { blocks.concat().replace("\n\n", "\n") } else { blocks.concat() };
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| text.is_char_boundary(*cut)).collect();
            cuts.sort_unstable();
            let mut stream = Stream::new();
            for cut in cuts.into_iter().filter(|cut| *cut < text.len()) {
                for row in stream.rows(&text[..cut], &options(width_cols)) {
                    prop_assert!(row.width_cols() <= width_cols, "{:?}", row.plain());
                }
            }
            prop_assert_eq!(stream.finished(&text, &options(width_cols)), whole(&text, &options(width_cols)));
        }

        #[test]
        fn a_stream_of_any_marks_ends_with_the_rows_of_the_whole(
            text in "([a-c]{1,3}|[ \n]{1,2}|\n\n|[-*_`~#>|=+]{1,3} ?|[\\[\\]()!<>:/\\\\]|[0-9]\\. |    |\t|\\[a\\]: x\n){0,40}",
            step in 1usize..9,
        ) {
            let mut stream = Stream::new();
            for end in (0..text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
                stream.rows(&text[..end], &options(30));
            }
            prop_assert_eq!(stream.finished(&text, &options(30)), whole(&text, &options(30)));
        }
    }
}
