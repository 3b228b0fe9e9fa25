//! The text of a draft with its paste markers, and where a cursor may stand in it.
//! Knows no key, no history and no screen. Offsets are bytes from the draft's start.

use std::ops::Range;
use std::sync::Arc;

use ropey::{Rope, RopeSlice};
use unicode_segmentation::{GraphemeCursor, GraphemeIncomplete};

use super::line::{Line, LineEnd};

/// A longer line is laid out in stretches of about this length, each beginning a row of its own,
/// so that a key costs the same however long the line is.
const STRETCH_BYTES_MAX: usize = 8 * 1024;

/// A draft, or a piece of one: what was killed, recalled or pasted.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Draft {
    /// What is shown: the label of a marker stands in it as any text.
    shown: Rope,
    /// In order, and never overlapping.
    markers: Vec<Marker>,
}

/// A label that moves and goes as one sign and stands for the text that was pasted.
#[derive(Clone, PartialEq, Debug)]
struct Marker {
    range: Range<usize>,
    text: Arc<str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Backward,
    Forward,
}

impl Draft {
    pub(super) fn plain(text: &str) -> Self {
        Self { shown: Rope::from_str(text), markers: Vec::new() }
    }

    pub(super) fn marker(label: &str, text: &str) -> Self {
        Self { shown: Rope::from_str(label), markers: vec![Marker { range: 0..label.len(), text: text.into() }] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn is_blank(&self) -> bool {
        self.markers.iter().all(|marker| marker.text.trim().is_empty())
            && self.without_markers().all(|range| self.shown.byte_slice(range).chars().all(char::is_whitespace))
    }

    /// Bytes of what is shown.
    pub(super) fn len(&self) -> usize {
        self.shown.len_bytes()
    }

    /// Bytes of what is sent.
    pub(super) fn sent_len(&self) -> usize {
        self.markers.iter().fold(self.len(), |len, marker| len - marker.range.len() + marker.text.len())
    }

    /// The text to send: each marker is the text it stands for.
    pub(super) fn sent(&self) -> String {
        let mut sent = String::with_capacity(self.sent_len());
        let mut markers = self.markers.iter();
        for range in self.without_markers() {
            sent.extend(self.shown.byte_slice(range).chunks());
            sent.extend(markers.next().map(|marker| &*marker.text));
        }
        sent
    }

    pub(super) fn shown(&self, range: Range<usize>) -> String {
        self.shown.byte_slice(range).to_string()
    }

    /// Puts another draft at a cluster boundary of this one.
    pub(super) fn insert(&mut self, at: usize, other: &Draft) {
        let char_index = self.shown.byte_to_char(at);
        self.shown.insert(char_index, &other.shown.to_string());
        let place = self.markers.partition_point(|marker| marker.range.start < at);
        for marker in &mut self.markers[place..] {
            marker.range = marker.range.start + other.len()..marker.range.end + other.len();
        }
        let moved = other
            .markers
            .iter()
            .map(|marker| Marker { range: marker.range.start + at..marker.range.end + at, text: marker.text.clone() });
        self.markers.splice(place..place, moved);
    }

    /// Takes out what lies between two cluster boundaries.
    pub(super) fn cut(&mut self, range: Range<usize>) -> Draft {
        let shown = Rope::from(self.shown.byte_slice(range.clone()));
        self.shown.remove(self.shown.byte_to_char(range.start)..self.shown.byte_to_char(range.end));
        let first = self.markers.partition_point(|marker| marker.range.start < range.start);
        let last = self.markers.partition_point(|marker| marker.range.start < range.end);
        let mut markers: Vec<Marker> = self.markers.drain(first..last).collect();
        for marker in &mut markers {
            marker.range = marker.range.start - range.start..marker.range.end - range.start;
        }
        for marker in &mut self.markers[first..] {
            marker.range = marker.range.start - range.len()..marker.range.end - range.len();
        }
        Draft { shown, markers }
    }

    /// Puts the text of the marker that touches `at` in its place, and returns where that text ends.
    pub(super) fn expand_marker(&mut self, at: usize) -> Option<usize> {
        let marker = self.markers.iter().find(|marker| marker.range.start <= at && at <= marker.range.end)?.clone();
        self.cut(marker.range.clone());
        self.insert(marker.range.start, &Draft::plain(&marker.text));
        Some(marker.range.start + marker.text.len())
    }

    pub(super) fn is_marker(&self, range: &Range<usize>) -> bool {
        self.markers.iter().any(|marker| marker.range == *range)
    }

    /// The next place, if any, where the cursor may stand.
    pub(super) fn boundary(&self, at: usize, way: Way) -> usize {
        let over = self.markers.iter().map(|marker| &marker.range).find_map(|range| match way {
            Way::Forward => (range.start <= at && at < range.end).then_some(range.end),
            Way::Backward => (range.start < at && at <= range.end).then_some(range.start),
        });
        over.unwrap_or_else(|| {
            let piece = self.piece(at, way);
            piece.start + next_cluster_edge(self.shown.byte_slice(piece.clone()), at - piece.start, way)
        })
    }

    /// Returns `at`, or the next boundary after it if it lies inside a cluster or a marker.
    pub(super) fn boundary_from(&self, at: usize) -> usize {
        if self.is_boundary(at) { at } else { self.boundary(at, Way::Forward) }
    }

    pub(super) fn is_boundary(&self, at: usize) -> bool {
        if self.markers.iter().any(|marker| marker.range.start < at && at < marker.range.end) {
            return false;
        }
        let piece = self.piece(at, Way::Backward);
        at == piece.start || is_cluster_edge(self.shown.byte_slice(piece.clone()), at - piece.start)
    }

    pub(super) fn begins_with(&self, character: char) -> bool {
        self.shown.get_char(0) == Some(character)
    }

    pub(super) fn char_before(&self, at: usize) -> Option<char> {
        self.shown.byte_slice(..at).chars_at(self.shown.byte_to_char(at)).prev()
    }

    /// The nearest place of a character beyond the cluster at `at`, never inside a marker.
    pub(super) fn find(&self, wanted: char, at: usize, way: Way) -> Option<usize> {
        let start = match way {
            Way::Forward => self.boundary(at, way),
            Way::Backward => at,
        };
        let mut characters = self.shown.chars_at(self.shown.byte_to_char(start));
        if way == Way::Backward {
            characters.reverse();
        }
        let places = characters.scan(start, |place, character| {
            let before = *place;
            match way {
                Way::Forward => *place += character.len_utf8(),
                Way::Backward => *place -= character.len_utf8(),
            }
            Some((character, before.min(*place)))
        });
        places
            .filter(|(character, _)| *character == wanted)
            .map(|(_, place)| place)
            .find(|place| self.is_boundary(*place) && !self.begins_marker(*place))
    }

    pub(super) fn line_count(&self) -> usize {
        self.shown.len_lines()
    }

    pub(super) fn line_index(&self, at: usize) -> usize {
        self.shown.byte_to_line(at)
    }

    /// Where a line lies, its line feed left out.
    pub(super) fn line_range(&self, line_index: usize) -> Range<usize> {
        let start = self.shown.line_to_byte(line_index);
        let last = line_index + 1 == self.line_count();
        start..if last { self.len() } else { self.shown.line_to_byte(line_index + 1) - 1 }
    }

    /// The line in which `at` lies, or of a very long one the stretch around it.
    pub(super) fn stretch_at(&self, at: usize) -> Line {
        let line = self.line_range(self.line_index(at));
        let edge = |number: usize| match line.start + number * STRETCH_BYTES_MAX {
            even if even < line.end => self.boundary_from(self.shown.char_to_byte(self.shown.byte_to_char(even))),
            _ => line.end,
        };
        let mut number = (at - line.start) / STRETCH_BYTES_MAX;
        // An edge lies behind its even place if a cluster or a marker is there; no stretch begins at the line's end.
        while number > 0 && (at < edge(number) || edge(number) == line.end) {
            number -= 1;
        }
        let mut end = edge(number + 1);
        while at == end && end < line.end {
            number += 1;
            end = edge(number + 1);
        }
        self.stretch(edge(number)..end, line.end)
    }

    /// The stretch before one, or the last of the line above.
    pub(super) fn stretch_before(&self, below: &Line) -> Option<Line> {
        below.start.checked_sub(1).map(|at| self.stretch_at(at))
    }

    /// The stretch after one, or the first of the line below.
    pub(super) fn stretch_after(&self, above: &Line) -> Option<Line> {
        let end = above.start + above.text.len();
        match above.end {
            LineEnd::Cut => Some(self.stretch_at(end)),
            LineEnd::Whole => (end < self.len()).then(|| self.stretch_at(end + 1)),
        }
    }

    fn stretch(&self, range: Range<usize>, line_end: usize) -> Line {
        let first = self.markers.partition_point(|marker| marker.range.start < range.start);
        let markers = self.markers[first..]
            .iter()
            .take_while(|marker| marker.range.end <= range.end)
            .map(|marker| marker.range.start - range.start..marker.range.end - range.start)
            .collect();
        let end = if range.end < line_end { LineEnd::Cut } else { LineEnd::Whole };
        Line { start: range.start, text: self.shown(range), markers, end }
    }

    fn begins_marker(&self, at: usize) -> bool {
        self.markers.iter().any(|marker| marker.range.start == at)
    }

    /// What lies before, between and after the markers; always one range more than there are markers.
    fn without_markers(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.markers.iter().map(|marker| marker.range.end));
        let ends = self.markers.iter().map(|marker| marker.range.start).chain(std::iter::once(self.len()));
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// The text without a marker in which `at` lies; where two meet, the one in that way.
    fn piece(&self, at: usize, way: Way) -> Range<usize> {
        let mut pieces = self.without_markers().filter(|piece| piece.start <= at && at <= piece.end);
        match way {
            Way::Backward => pieces.next(),
            Way::Forward => pieces.last(),
        }
        .expect("an offset outside every marker lies in a piece")
    }
}

/// The edge of the cluster beside `at`, or `at` itself at the end of the text.
fn next_cluster_edge(text: RopeSlice<'_>, at: usize, way: Way) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len_bytes(), true);
    let (mut chunk, mut chunk_start, _, _) = text.chunk_at_byte(at);
    loop {
        let edge = match way {
            Way::Forward => cursor.next_boundary(chunk, chunk_start),
            Way::Backward => cursor.prev_boundary(chunk, chunk_start),
        };
        match edge {
            Ok(edge) => return edge.unwrap_or(at),
            Err(GraphemeIncomplete::NextChunk) => {
                (chunk, chunk_start, _, _) = text.chunk_at_byte(chunk_start + chunk.len());
            }
            Err(GraphemeIncomplete::PrevChunk) => (chunk, chunk_start, _, _) = text.chunk_at_byte(chunk_start - 1),
            Err(incomplete) => provide_context(&mut cursor, text, incomplete),
        }
    }
}

fn is_cluster_edge(text: RopeSlice<'_>, at: usize) -> bool {
    let mut cursor = GraphemeCursor::new(at, text.len_bytes(), true);
    let (chunk, chunk_start, _, _) = text.chunk_at_byte(at);
    loop {
        match cursor.is_boundary(chunk, chunk_start) {
            Ok(is_edge) => return is_edge,
            Err(incomplete) => provide_context(&mut cursor, text, incomplete),
        }
    }
}

fn provide_context(cursor: &mut GraphemeCursor, text: RopeSlice<'_>, incomplete: GraphemeIncomplete) {
    let GraphemeIncomplete::PreContext(end) = incomplete else {
        unreachable!("the chunk holds the offset, so only what lies before it can be missing")
    };
    let (context, context_start, _, _) = text.chunk_at_byte(end - 1);
    cursor.provide_context(context, context_start);
}
