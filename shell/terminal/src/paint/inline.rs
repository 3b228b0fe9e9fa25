//! The inline surface: history goes into the terminal's own scrollback, below it the live rows are redrawn.
//!
//! Between frames the hidden cursor rests in column 1 of the live area's first row, autowrap on. Every frame
//! starts there with CR and erases that row and what is below it, never above: a resize that the terminal has
//! already carried out and we have not heard of cannot make it hit a committed row.

use std::sync::Arc;

use screen::{Caret, Palette, Row, RowEnd, Size};

use super::cells::{Cell, Layout, lay_out, trim};
use super::pen::{Columns, Pen};

/// Without it `ESC[J` could run from the home cell of a screen of one row, which some terminals take for a clear.
const ROWS_TO_ERASE_BELOW_MIN: u16 = 2;

const PROMPT_START: &str = "\x1b]133;A\x07";
const PROMPT_END: &str = "\x1b]133;C\x07";

#[derive(Default, Debug)]
pub(super) struct Inline {
    start: Start,
    drawn: Option<Drawn>,
}

/// What is known of the cursor before the first paint.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Start {
    /// It may stand behind text.
    #[default]
    AnyColumn,
    /// Column 1 of a row that is ours.
    OwnRow,
    /// It may stand anywhere, the window changed while another screen was shown.
    Anywhere,
}

/// What the writer believes to be on screen below the resting place.
#[derive(Debug)]
struct Drawn {
    size: Size,
    palette: Arc<Palette>,
    /// Blank rows that keep the bottom of a live area that has shrunk where it was.
    filler: usize,
    rows: Vec<Arc<Row>>,
    caret: Option<Caret>,
}

/// What of a frame concerns this surface.
pub(super) struct Picture<'a> {
    pub(super) size: Size,
    pub(super) palette: &'a Arc<Palette>,
    pub(super) history: &'a [Arc<Row>],
    pub(super) live: &'a [Arc<Row>],
    pub(super) caret: Option<Caret>,
}

impl Inline {
    pub(super) fn new(start: Start) -> Self {
        Self { start, drawn: None }
    }

    /// Writes what leads from the last picture to this one; nothing if they are the same.
    pub(super) fn paint(&mut self, picture: &Picture, pen: &mut Pen) {
        let next = self.next_drawn(picture);
        match &self.drawn {
            Some(drawn) if picture.history.is_empty() && drawn.has_place_of(&next) => paint_changes(drawn, &next, pen),
            drawn => {
                if drawn.is_none() {
                    self.start.write(picture.size, pen);
                }
                paint_whole(picture, &next, pen);
            }
        }
        self.drawn = Some(next);
    }

    /// Erases the live area; the cursor is left where it began, for whatever comes next.
    pub(super) fn erase(&self, pen: &mut Pen) {
        if let Some(drawn) = &self.drawn {
            pen.put("\r");
            erase_from_here(drawn.size, pen);
            pen.put(PROMPT_END);
        }
    }

    fn next_drawn(&self, picture: &Picture) -> Drawn {
        let rows_max = usize::from(picture.size.rows);
        let cut = picture.live.len().saturating_sub(rows_max);
        let rows = picture.live[cut..].to_vec();
        let old_height = self.drawn.as_ref().map_or(0, Drawn::height);
        // One row stays free above, so that the filler alone never reaches the top of the screen.
        let filler_max = rows_max.saturating_sub(1 + rows.len());
        let filler = old_height.saturating_sub(picture.history.len() + rows.len()).min(filler_max);
        let caret = picture.caret.filter(|caret| (cut..cut + rows.len()).contains(&caret.row));
        Drawn {
            size: picture.size,
            palette: picture.palette.clone(),
            filler,
            rows,
            caret: caret.map(|caret| Caret { row: caret.row - cut, col: caret.col }),
        }
    }
}

impl Start {
    fn write(self, size: Size, pen: &mut Pen) {
        match self {
            Self::AnyColumn => pen.put("\r\n"),
            Self::OwnRow => pen.put("\r"),
            Self::Anywhere => {
                pen.move_to_cell(usize::from(size.rows.saturating_sub(1)), 0);
                pen.put("\n");
            }
        }
    }
}

impl Drawn {
    fn height(&self) -> usize {
        self.filler + self.rows.len()
    }

    /// Whether each row of `next` stands where a row of this stands, looked at with the same colors.
    fn has_place_of(&self, next: &Self) -> bool {
        self.size == next.size
            && self.height() == next.height()
            && self.filler == next.filler
            && (Arc::ptr_eq(&self.palette, &next.palette) || self.palette == next.palette)
    }

    fn caret_col(&self, row: usize) -> Option<usize> {
        self.caret.filter(|caret| caret.row == row).map(|caret| caret.col)
    }

    fn cells(&self, row: usize) -> Vec<Cell<'_>> {
        let layout =
            Layout { palette: &self.palette, width_cols: usize::from(self.size.cols), caret_col: self.caret_col(row) };
        let mut cells = lay_out(&self.rows[row], layout);
        trim(&mut cells, &self.palette);
        cells
    }

    fn is_same_row(&self, next: &Self, row: usize) -> bool {
        let (old, new) = (&self.rows[row], &next.rows[row]);
        self.caret_col(row) == next.caret_col(row) && (Arc::ptr_eq(old, new) || old == new)
    }
}

fn paint_whole(picture: &Picture, next: &Drawn, pen: &mut Pen) {
    pen.put("\x1b[?25l\r");
    erase_from_here(picture.size, pen);
    write_history(picture, pen);
    pen.put(PROMPT_START);
    pen.put("\x1b[?7l");
    for index in 0..next.height() {
        if index > 0 {
            pen.put("\r\n");
        }
        if index >= next.filler {
            pen.cells(&next.cells(index - next.filler), 0, Columns::Absolute);
            pen.rest();
        }
    }
    pen.put("\x1b[?7h\r");
    pen.up(next.height().saturating_sub(1));
}

fn paint_changes(drawn: &Drawn, next: &Drawn, pen: &mut Pen) {
    let mut at = 0;
    for row in (0..next.rows.len()).filter(|row| !drawn.is_same_row(next, *row)) {
        let (old, new) = (drawn.cells(row), next.cells(row));
        let Some(from) = first_difference(&old, &new) else { continue };
        if pen.is_unused() {
            pen.put("\x1b[?25l\r\x1b[?7l");
        }
        let line = next.filler + row;
        // Line feeds, as they scroll where a window that has just shrunk has no row left: a move would stop there,
        // and the way back up would end above the resting place.
        (at..line).for_each(|_| pen.put("\n"));
        at = line;
        rewrite(&new, from, pen);
    }
    if !pen.is_unused() {
        pen.put("\x1b[?7h\r");
        pen.up(at);
    }
}

/// Erases from a column to the end of the row, then prints: erasing after a full row would eat its last cell.
fn rewrite(cells: &[Cell], from: usize, pen: &mut Pen) {
    if from == 0 {
        pen.put("\r\x1b[2K");
    } else {
        pen.move_to_col(from);
        pen.put("\x1b[K");
    }
    pen.cells(&cells[from..], from, Columns::Absolute);
    pen.rest();
}

/// The first column that differs, moved back to the start of its glyph; none if nothing does.
fn first_difference(old: &[Cell], new: &[Cell]) -> Option<usize> {
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    if same == old.len() && same == new.len() {
        return None;
    }
    let splits = |cells: &[Cell]| cells.get(same).is_some_and(Cell::is_second_half);
    Some(if splits(old) || splits(new) { same - 1 } else { same })
}

/// Erases this row and all below it, and stays. Never more than this row with `ESC[J` from where it is.
fn erase_from_here(size: Size, pen: &mut Pen) {
    pen.put("\x1b7\x1b[2K\x1b[B");
    if size.rows >= ROWS_TO_ERASE_BELOW_MIN {
        pen.put("\x1b[J");
    }
    pen.put("\x1b8");
}

/// Prints committed rows; a full bottom row scrolls by itself. A joined row runs on, and the terminal wraps it.
fn write_history(picture: &Picture, pen: &mut Pen) {
    let layout = Layout { palette: picture.palette, width_cols: usize::MAX, caret_col: None };
    for (index, row) in picture.history.iter().enumerate() {
        let mut cells = lay_out(row, layout);
        let runs_on = row.end == RowEnd::Joined && index + 1 < picture.history.len();
        if !runs_on {
            trim(&mut cells, picture.palette);
        }
        pen.cells(&cells, 0, Columns::Flowing);
        pen.rest();
        if !runs_on {
            pen.put("\r\n");
        }
    }
}
