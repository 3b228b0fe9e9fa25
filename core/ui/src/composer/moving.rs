//! Where each movement takes the cursor: over visual rows, words, lines, paragraphs and the history.

use super::draft::Way;
use super::line::{Line, WrappedLine};
use super::{Composer, view};

impl Composer {
    /// Moves over visual rows, then through the history, then to the draft's edge.
    pub(super) fn vertical(&mut self, way: Way, aim_col: Option<usize>, width_cols: usize) {
        if self.move_row(way, aim_col, width_cols) {
            return;
        }
        let is_at_edge = self.cursor == 0 || self.is_cursor_at_end();
        let recalled = match way {
            _ if !is_at_edge && !self.history.is_as_recalled(&self.draft) => None,
            Way::Backward => self.history.older(&self.draft),
            Way::Forward => self.history.newer(&self.draft),
        };
        match (recalled, way) {
            (Some(recalled), _) => {
                self.record();
                self.cursor = recalled.len();
                self.draft = recalled;
            }
            (None, Way::Backward) => self.cursor = 0,
            (None, Way::Forward) => self.cursor = self.draft.len(),
        }
    }

    pub(super) fn is_cursor_at_end(&self) -> bool {
        self.cursor == self.draft.len()
    }

    pub(super) fn page(&mut self, way: Way, aim_col: Option<usize>, width_cols: usize) {
        let mut aim_col = aim_col;
        for _ in 0..view::ROWS_MAX {
            if !self.move_row(way, aim_col, width_cols) {
                return;
            }
            aim_col = self.aim_col;
        }
    }

    /// Moves one visual row; false on the first or the last.
    pub(super) fn move_row(&mut self, way: Way, aim_col: Option<usize>, width_cols: usize) -> bool {
        let here = wrapped(self.draft.stretch_at(self.cursor), width_cols);
        let at = self.cursor - here.line.start;
        let (row, aim_col) = (here.row_at(at), aim_col.unwrap_or_else(|| here.col_at(at)));
        let beyond = match way {
            Way::Backward if row > 0 => Some((here, row - 1)),
            Way::Forward if row + 1 < here.rows.len() => Some((here, row + 1)),
            Way::Backward => self.draft.stretch_before(&here.line).map(|line| {
                let above = wrapped(line, width_cols);
                let last = above.rows.len() - 1;
                (above, last)
            }),
            Way::Forward => self.draft.stretch_after(&here.line).map(|line| (wrapped(line, width_cols), 0)),
        };
        let Some((there, row)) = beyond else { return false };
        self.cursor = there.line.start + there.offset_at(row, aim_col);
        self.aim_col = Some(aim_col);
        true
    }

    pub(super) fn row_or_line_edge(&self, way: Way, width_cols: usize) -> usize {
        let here = wrapped(self.draft.stretch_at(self.cursor), width_cols);
        let row = here.row_at(self.cursor - here.line.start);
        let edge = here.line.start
            + match way {
                Way::Backward => here.row_start(row),
                Way::Forward => here.row_end(row),
            };
        if edge == self.cursor { self.line_range_edge(way) } else { edge }
    }

    pub(super) fn line_range_edge(&self, way: Way) -> usize {
        let line = self.draft.line_range(self.draft.line_index(self.cursor));
        match way {
            Way::Backward => line.start,
            Way::Forward => line.end,
        }
    }

    /// The line's edge; from there the line feed beyond it.
    pub(super) fn line_edge(&self, way: Way) -> usize {
        let edge = self.line_range_edge(way);
        if edge == self.cursor { self.draft.boundary(self.cursor, way) } else { edge }
    }

    /// The word's edge; at the line's edge the line feed beyond it.
    pub(super) fn word_edge(&self, way: Way) -> usize {
        if self.line_range_edge(way) == self.cursor {
            return self.draft.boundary(self.cursor, way);
        }
        let beside = match way {
            Way::Backward => self.draft.boundary(self.cursor, way),
            Way::Forward => self.cursor,
        };
        let line = self.draft.stretch_at(beside);
        self.draft.boundary_from(line.start + line.word_edge(self.cursor - line.start, way))
    }

    /// The nearest empty line beside a paragraph, else the draft's edge.
    pub(super) fn paragraph_edge(&self, way: Way) -> usize {
        let last = self.draft.line_count() - 1;
        let is_empty = |line_index| self.draft.line_range(line_index).is_empty();
        let mut line_index = self.draft.line_index(self.cursor);
        loop {
            let left = line_index;
            line_index = match way {
                Way::Backward if left > 0 => left - 1,
                Way::Forward if left < last => left + 1,
                Way::Backward => return 0,
                Way::Forward => return self.draft.len(),
            };
            if is_empty(line_index) && !is_empty(left) {
                return self.draft.line_range(line_index).start;
            }
        }
    }
}

fn wrapped(line: Line, width_cols: usize) -> WrappedLine {
    WrappedLine::new(line, view::text_cols(width_cols))
}
