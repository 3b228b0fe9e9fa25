//! The transcript as blocks of rows: the preface first, then each entry with the blank row it wants above it.
//! What the window scrolls over and what the scrollback gets.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use screen::{Row, Size};

use crate::entry::{self, EntryView, Surface};
use crate::model::{Mode, Model};
use crate::viewport::{Heights, Position};

/// Index of the preface; entries follow it.
const PREFACE: usize = 0;

pub(crate) struct Blocks<'model> {
    model: &'model Model,
    view: EntryView,
    /// Made when it is first asked for: most windows are far below it.
    preface: OnceCell<Vec<Arc<Row>>>,
}

impl<'model> Blocks<'model> {
    pub(crate) fn new(model: &'model Model, size: Size, now_ms: u64) -> Self {
        let surface = match model.options.mode {
            Mode::Fullscreen => Surface::Fullscreen,
            Mode::Inline => Surface::Inline,
        };
        let width_cols = usize::from(size.cols);
        let view = EntryView { width_cols, detail: model.detail, now_ms, surface };
        Self { model, view, preface: OnceCell::new() }
    }

    /// The block of an entry.
    pub(crate) fn of_entry(entry_index: usize) -> usize {
        entry_index + 1
    }

    pub(crate) fn rows(&self, block: usize) -> Vec<Arc<Row>> {
        if block == PREFACE {
            return self.preface().to_vec();
        }
        let entries = self.model.transcript.entries();
        let entry = &entries[block - 1];
        let mut cache = self.model.cache.borrow_mut();
        let rows = cache.rows(entry, &self.view);
        if rows.is_empty() {
            return Vec::new();
        }
        let mut spaced = Vec::with_capacity(rows.len() + 1);
        if self.gap_above(block) {
            spaced.push(Arc::new(Row::blank()));
        }
        spaced.extend(rows.iter().cloned());
        spaced
    }

    /// The end of a block: all that a window of so many rows could show of it.
    pub(crate) fn last_rows(&self, block: usize, rows_max: usize) -> Vec<Arc<Row>> {
        if block == PREFACE || self.height(block) <= rows_max {
            return self.rows(block);
        }
        let entry = &self.model.transcript.entries()[block - 1];
        let mut cache = self.model.cache.borrow_mut();
        let rows = cache.rows(entry, &self.view);
        rows[rows.len() - rows_max.min(rows.len())..].to_vec()
    }

    pub(crate) fn rows_of(&self, blocks: Range<usize>) -> Vec<Arc<Row>> {
        blocks.flat_map(|block| self.rows(block)).collect()
    }

    /// The rows of a window that begins at `top`.
    pub(crate) fn window(&self, top: Position, window_rows: usize) -> Vec<Arc<Row>> {
        let mut shown = Vec::with_capacity(window_rows);
        let mut skip = top.row;
        for block in top.block..self.block_count() {
            shown.extend(self.rows(block).into_iter().skip(skip).take(window_rows - shown.len()));
            skip = 0;
            if shown.len() == window_rows {
                break;
            }
        }
        shown
    }

    fn preface(&self) -> &[Arc<Row>] {
        self.preface.get_or_init(|| self.model.preface_rows(self.view.width_cols).into_iter().map(Arc::new).collect())
    }

    fn gap_above(&self, block: usize) -> bool {
        let entries = self.model.transcript.entries();
        match block.checked_sub(2) {
            Some(previous) => entry::gap_between(&entries[previous], &entries[block - 1]),
            None => !self.preface().is_empty(),
        }
    }
}

impl Heights for Blocks<'_> {
    fn block_count(&self) -> usize {
        Self::of_entry(self.model.transcript.entries().len())
    }

    fn height(&self, block: usize) -> usize {
        if block == PREFACE {
            return self.preface().len();
        }
        let entry = &self.model.transcript.entries()[block - 1];
        match self.model.cache.borrow_mut().rows(entry, &self.view).len() {
            0 => 0,
            rows => rows + usize::from(self.gap_above(block)),
        }
    }
}
