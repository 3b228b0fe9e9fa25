//! One line of the draft, or a stretch of a very long one: its clusters, its words, and the visual rows it wraps into.
//! Draws nothing (`view` does). Offsets are bytes from the line's start.

use std::ops::Range;

use screen::text;
use unicode_linebreak::linebreaks;
use unicode_segmentation::UnicodeSegmentation;

use super::draft::Way;

/// What a tab is drawn as.
pub(super) const TAB: &str = "   ";

pub(super) struct Line {
    /// Where the line begins in the draft.
    pub(super) start: usize,
    pub(super) text: String,
    /// In order, and never overlapping.
    pub(super) markers: Vec<Range<usize>>,
    pub(super) end: LineEnd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineEnd {
    /// The line ends here.
    Whole,
    /// The line goes on in the next stretch.
    Cut,
}

/// What the cursor steps over at once: a grapheme cluster or a marker.
pub(super) struct Cluster {
    pub(super) range: Range<usize>,
    pub(super) width_cols: usize,
    pub(super) kind: ClusterKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClusterKind {
    Text,
    /// Hangs over the edge where a row wraps.
    Blank,
    Marker,
}

impl Line {
    pub(super) fn clusters(&self) -> Vec<Cluster> {
        let mut clusters = Vec::with_capacity(self.text.len());
        for piece in self.pieces() {
            if self.markers.contains(&piece) {
                let width_cols = text::width_cols(&self.text[piece.clone()]);
                clusters.push(Cluster { range: piece, width_cols, kind: ClusterKind::Marker });
            } else {
                let parts = self.text[piece.clone()].grapheme_indices(true);
                clusters.extend(parts.map(|(at, part)| cluster(piece.start + at, part)));
            }
        }
        clusters
    }

    /// Where the word that ends at or before `at` begins, or the word that begins at or after it ends;
    /// the line's edge if there is none.
    pub(super) fn word_edge(&self, at: usize, way: Way) -> usize {
        let words = self.words();
        match way {
            Way::Backward => words.iter().rev().find(|word| word.start < at).map_or(0, |word| word.start),
            Way::Forward => words.iter().find(|word| word.end > at).map_or(self.text.len(), |word| word.end),
        }
    }

    /// Unicode's words, those of a path cut at its signs; a marker is one word.
    fn words(&self) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        for piece in self.pieces() {
            if self.markers.contains(&piece) {
                words.push(piece);
            } else {
                let mut start = piece.start;
                for token in self.text[piece].split_inclusive(char::is_whitespace) {
                    words.extend(token_words(start, token));
                    start += token.len();
                }
            }
        }
        words
    }

    /// The markers and what lies before, between and after them; nothing empty.
    fn pieces(&self) -> Vec<Range<usize>> {
        let mut pieces = Vec::with_capacity(2 * self.markers.len() + 1);
        let mut end = 0;
        for marker in &self.markers {
            pieces.extend([end..marker.start, marker.clone()]);
            end = marker.end;
        }
        pieces.push(end..self.text.len());
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }
}

/// A line as it wraps at a width.
pub(super) struct WrappedLine {
    pub(super) line: Line,
    pub(super) clusters: Vec<Cluster>,
    /// Indexes into `clusters`; at least one row, and none empty but that of an empty line.
    pub(super) rows: Vec<Range<usize>>,
    width_cols: usize,
}

impl WrappedLine {
    /// Wraps at words, else at clusters, never inside a marker; blanks at a wrap hang.
    pub(super) fn new(line: Line, width_cols: usize) -> Self {
        let clusters = line.clusters();
        let rows = rows(&line, &clusters, width_cols);
        Self { line, clusters, rows, width_cols }
    }

    /// The row in which the cursor at `offset` stands: at a wrap the lower one.
    pub(super) fn row_at(&self, offset: usize) -> usize {
        let cluster_index = self.clusters.partition_point(|cluster| cluster.range.start < offset);
        self.rows.partition_point(|row| row.start <= cluster_index).saturating_sub(1)
    }

    /// The column of the cursor at `offset`; over hanging blanks it stays right of the text.
    pub(super) fn col_at(&self, offset: usize) -> usize {
        let row = &self.clusters[self.rows[self.row_at(offset)].clone()];
        let cols: usize =
            row.iter().take_while(|cluster| cluster.range.end <= offset).map(|cluster| cluster.width_cols).sum();
        cols.min(self.width_cols)
    }

    pub(super) fn row_start(&self, row_index: usize) -> usize {
        self.cluster_start(self.rows[row_index].start)
    }

    /// The last place of the cursor in a row; at a wrap the end of the row is the start of the next.
    pub(super) fn row_end(&self, row_index: usize) -> usize {
        if row_index + 1 == self.rows.len() && self.line.end == LineEnd::Whole {
            self.line.text.len()
        } else {
            self.cluster_start(self.rows[row_index].end - 1)
        }
    }

    /// The place in a row nearest to a column, and not right of it.
    pub(super) fn offset_at(&self, row_index: usize, col: usize) -> usize {
        let mut cols = 0;
        for cluster in &self.clusters[self.rows[row_index].clone()] {
            cols += cluster.width_cols;
            if cols > col {
                return cluster.range.start.min(self.row_end(row_index));
            }
        }
        self.row_end(row_index)
    }

    fn cluster_start(&self, cluster_index: usize) -> usize {
        self.clusters.get(cluster_index).map_or(self.line.text.len(), |cluster| cluster.range.start)
    }
}

fn cluster(start: usize, text: &str) -> Cluster {
    let width_cols = if text == "\t" { TAB.len() } else { text::cluster_width_cols(text) };
    let kind = if matches!(text, " " | "\t" | "\u{3000}") { ClusterKind::Blank } else { ClusterKind::Text };
    Cluster { range: start..start + text.len(), width_cols, kind }
}

/// The words of what stands between blanks; in a path its signs are edges too.
fn token_words(start: usize, token: &str) -> Vec<Range<usize>> {
    let is_path = token.contains('/');
    let is_edge = move |character| is_path && matches!(character, '.' | '_' | '-' | '/');
    let words = token.unicode_word_indices().flat_map(|(word_start, word)| {
        word.split_inclusive(is_edge).scan(start + word_start, move |at, part| {
            let part_start = std::mem::replace(at, *at + part.len());
            Some(part_start..part_start + part.trim_end_matches(is_edge).len())
        })
    });
    words.filter(|word| !word.is_empty()).collect()
}

fn rows(line: &Line, clusters: &[Cluster], width_cols: usize) -> Vec<Range<usize>> {
    let mut breaks = linebreaks(&line.text).map(|(at, _)| at).peekable();
    let mut rows = Vec::new();
    let mut row_start = 0;
    let mut cols = 0;
    // The last place to wrap in this row, and how many columns stand before it.
    let mut wrap: Option<(usize, usize)> = None;
    for (index, cluster) in clusters.iter().enumerate() {
        while breaks.peek().is_some_and(|&at| at < cluster.range.start) {
            breaks.next();
        }
        let beside_marker = cluster.kind == ClusterKind::Marker
            || index.checked_sub(1).is_some_and(|before| clusters[before].kind == ClusterKind::Marker);
        if index > row_start
            && cluster.kind != ClusterKind::Blank
            && (beside_marker || breaks.peek() == Some(&cluster.range.start))
        {
            wrap = Some((index, cols));
        }
        let overflows = |cols: usize| cluster.kind != ClusterKind::Blank && cols + cluster.width_cols > width_cols;
        if overflows(cols)
            && let Some((wrap_index, wrap_cols)) = wrap.take()
        {
            rows.push(row_start..wrap_index);
            row_start = wrap_index;
            cols -= wrap_cols;
        }
        if overflows(cols) && index > row_start {
            rows.push(row_start..index);
            row_start = index;
            cols = 0;
        }
        cols += cluster.width_cols;
    }
    rows.push(row_start..clusters.len());
    rows
}
