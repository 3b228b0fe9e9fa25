//! Markdown text before it is parsed: made safe, and cut into parts that later text cannot change.
//! Renders nothing.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, OffsetIter, Options, Parser};
use screen::text;

/// The markdown understood; a task's `[ ]` stays the text it is.
pub(crate) fn parser(text: &str) -> OffsetIter<'_, pulldown_cmark::DefaultBrokenLinkCallback> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).into_offset_iter()
}

/// Takes escape sequences out of each line, so that none is cut in two by the markup around it.
/// Tabs and line ends stay: they are part of the markup.
pub(crate) fn inert(text: &str) -> Cow<'_, str> {
    let is_suspect = |character: char| character.is_control() && !matches!(character, '\n' | '\r' | '\t');
    if !text.contains(is_suspect) {
        return Cow::Borrowed(text);
    }
    let inert_line = |line: &str| line.split('\t').map(text::clean).collect::<Vec<_>>().join("\t");
    Cow::Owned(text.split('\n').map(inert_line).collect::<Vec<_>>().join("\n"))
}

/// Cuts a text into parts that are rendered each by itself, a blank row between them.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut bounds = part_starts(text);
    bounds.push(text.len());
    let mut start = 0;
    bounds.into_iter().map(move |end| &text[std::mem::replace(&mut start, end)..end])
}

/// Returns where parts after the first start: at each block of the outermost level that follows a blank line.
/// Block structure is decided line by line, so in whole lines only what follows the last start can still change.
pub(crate) fn part_starts(text: &str) -> Vec<usize> {
    outermost_blocks(text)
        .map(|block| line_start(text, block.start))
        .filter(|&start| start > 0 && is_after_blank_line(text, start))
        .collect()
}

fn outermost_blocks(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut depth = 0usize;
    parser(text).filter_map(move |(event, range)| {
        let is_outermost = depth == 0;
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => {
                depth -= 1;
                return None;
            }
            _ => {}
        }
        is_outermost.then_some(range)
    })
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |line_end| line_end + 1)
}

fn is_after_blank_line(text: &str, start: usize) -> bool {
    let before = &text[..start - 1];
    text[line_start(before, before.len())..start].trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_blank_lines_between_outermost_blocks() {
        let text = "# a\nb\n\n- c\n\n  d\n\n```\n\ne\n\n```\n\n    f\n\n    g\n";
        assert_eq!(
            parts(text).collect::<Vec<_>>(),
            ["# a\nb\n\n", "- c\n\n  d\n\n", "```\n\ne\n\n```\n\n", "    f\n\n    g\n"]
        );
    }

    #[test]
    fn escape_sequences_are_gone_before_markup_is_looked_for() {
        assert_eq!(inert("a\tb\r\nc"), Cow::Borrowed("a\tb\r\nc"));
        assert_eq!(inert("ok \x1b[1A*x*\x1b]0;t\n\t**y\x1b[0m**"), "ok *x*\n\t**y**");
    }
}
