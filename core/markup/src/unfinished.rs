//! Text that is still arriving: its open marks are closed as they will most likely close.
//! What is shown so stays when the rest comes; a mark alone is held back until it means something.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use crate::source::parser;

/// Completes the last paragraph of a text for showing.
pub(crate) fn completed(text: &str) -> Cow<'_, str> {
    let text = without_mark_line(text);
    let Some(start) = open_inline_start(text) else { return Cow::Borrowed(text) };
    let (done, open) = text.split_at(start);
    match completed_inline(open) {
        Some(inline) => Cow::Owned(format!("{done}{inline}")),
        None => Cow::Borrowed(text),
    }
}

/// Holds back a last line of marks only: it could be a rule, a list, a fence's end or the line under a heading.
fn without_mark_line(text: &str) -> &str {
    let start = text.rfind('\n').map_or(0, |line_end| line_end + 1);
    let (before, line) = text.split_at(start);
    let is_after_text = before.trim_end_matches([' ', '\t']).strip_suffix('\n').is_some_and(|above| {
        !above.rsplit('\n').next().unwrap_or_default().trim().is_empty()
    });
    let is_marks = line.chars().all(|c| "`~-=*_+#>|: \t".contains(c));
    let is_number = is_after_text && line.trim().trim_end_matches(['.', ')']).chars().all(|c| c.is_ascii_digit());
    if is_marks || is_number { before } else { text }
}

/// Where the text of the last paragraph, heading, item or cell starts; none when the text ends in code or HTML.
fn open_inline_start(text: &str) -> Option<usize> {
    let mut start = None;
    for (event, range) in parser(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let is_open = matches!(kind, CodeBlockKind::Indented) || is_open_fence(&text[range.clone()]);
                start = (range.end < text.trim_end().len() || !is_open).then_some(range.end);
            }
            Event::Start(Tag::HtmlBlock) => start = None,
            Event::Start(
                Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::TableCell | Tag::TableHead | Tag::TableRow,
            ) => start = Some(range.start),
            _ => {}
        }
    }
    start
}
