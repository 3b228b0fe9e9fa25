//! The fullscreen surface: the alternate screen, brought from one picture to the next by the cells that differ.
//!
//! Autowrap is off while this screen is shown, the cursor hidden, and every print starts at an absolute place.
//! No cell is taken for blank that was not written or erased by us, and nothing clears the screen.

use std::sync::Arc;

use screen::{Caret, Palette, Row, Size, text};

use super::cells::{Cell, Layout, fill_ink, lay_out};
use super::ink::Ink;
use super::pen::{Columns, Pen};
use super::scroll::{self, Scroll, Way};

/// Unchanged cells between two changed ones that are printed along, as a move would cost as much.
const GAP_COLS_MAX: usize = 4;

#[derive(Default, Debug)]
pub(super) struct Fullscreen {
    shown: Option<Shown>,
}

#[derive(Debug)]
struct Shown {
    size: Size,
    palette: Arc<Palette>,
    lines: Vec<Line>,
    caret: Option<Caret>,
}

/// What one line of the screen holds.
#[derive(Clone, Debug)]
enum Line {
    /// Whatever the terminal had there.
    Unknown,
    /// What a scroll leaves behind.
    Erased,
    Row {
        row: Arc<Row>,
        caret_col: Option<usize>,
    },
}

/// What of a frame concerns this surface.
pub(super) struct Picture<'a> {
    pub(super) size: Size,
    pub(super) palette: &'a Arc<Palette>,
    pub(super) rows: &'a [Arc<Row>],
    pub(super) caret: Option<Caret>,
}

impl Fullscreen {
    /// Writes what leads from the last picture to this one; nothing if they are the same.
    pub(super) fn paint(&mut self, picture: &Picture, pen: &mut Pen) {
        let old = self.shown.take().filter(|shown| shown.has_looks_of(picture));
        let old_caret = old.as_ref().and_then(|shown| shown.caret);
        let mut lines = match old {
            Some(shown) => shown.lines,
            None => vec![Line::Unknown; usize::from(picture.size.rows)],
        };
        let next = picture.lines();
        if let Some(scroll) = scroll::find(&Pair { old: &lines, new: &next }) {
            write_scroll(scroll, pen);
            carry_out(scroll, &mut lines);
        }
        let mut brush = Brush { pen, picture, at: None };
        for (row, (old, new)) in lines.iter().zip(&next).enumerate() {
            if !old.is_same_with_caret(new) {
                brush.repaint(row, old, new);
            }
        }
        if let Some(caret) = picture.caret.filter(|_| !pen.is_unused() || picture.caret != old_caret) {
            let col = caret.col.min(usize::from(picture.size.cols.saturating_sub(1)));
            pen.rest();
            pen.move_to_cell(caret.row, col);
        }
        pen.rest();
        self.shown =
            Some(Shown { size: picture.size, palette: picture.palette.clone(), lines: next, caret: picture.caret });
    }
}

impl Shown {
    fn has_looks_of(&self, picture: &Picture) -> bool {
        self.size == picture.size && (Arc::ptr_eq(&self.palette, picture.palette) || self.palette == *picture.palette)
    }
}

impl Picture<'_> {
    /// One line for each row of the screen; rows that the frame does not have are blank.
    fn lines(&self) -> Vec<Line> {
        let blank = Arc::new(Row::blank());
        (0..usize::from(self.size.rows))
            .map(|index| Line::Row {
                row: self.rows.get(index).unwrap_or(&blank).clone(),
                caret_col: self.caret.filter(|caret| caret.row == index).map(|caret| caret.col),
            })
            .collect()
    }

    fn width_cols(&self) -> usize {
        usize::from(self.size.cols)
    }

    /// All cells of a line; those of an unknown one as they are once it is erased.
    fn cells<'a>(&self, line: &'a Line) -> Vec<Cell<'a>> {
        match line {
            Line::Unknown | Line::Erased => vec![Cell::blank(Ink::PLAIN); self.width_cols()],
            Line::Row { row, caret_col } => {
                let layout = Layout { palette: self.palette, width_cols: self.width_cols(), caret_col: *caret_col };
                let mut cells = lay_out(row, layout);
                cells.resize(self.width_cols(), Cell::blank(fill_ink(row, self.palette)));
                cells
            }
        }
    }
}

impl Line {
    /// Whether both show the same text in the same styles, wherever the caret is.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Row { row: one, .. }, Self::Row { row: other, .. }) => Arc::ptr_eq(one, other) || one == other,
            (Self::Erased, Self::Erased) => true,
            (Self::Unknown | Self::Erased | Self::Row { .. }, _) => false,
        }
    }

    fn is_same_with_caret(&self, other: &Self) -> bool {
        self.is_same(other) && self.caret_col() == other.caret_col()
    }

    fn caret_col(&self) -> Option<usize> {
        match self {
            Self::Unknown | Self::Erased => None,
            Self::Row { caret_col, .. } => *caret_col,
        }
    }

    fn is_blank(&self) -> bool {
        match self {
            Self::Unknown | Self::Erased => true,
            Self::Row { row, .. } => row.fill.is_none() && row.spans.iter().all(|span| span.text.trim().is_empty()),
        }
    }
}

struct Pair<'a> {
    old: &'a [Line],
    new: &'a [Line],
}

impl scroll::Rows for Pair<'_> {
    fn count(&self) -> usize {
        self.new.len()
    }

    fn is_same(&self, old: usize, new: usize) -> bool {
        self.old[old].is_same(&self.new[new])
    }

    fn is_blank_new(&self, new: usize) -> bool {
        self.new[new].is_blank()
    }

    fn is_blank_old(&self, old: usize) -> bool {
        self.old[old].is_blank()
    }
}

/// The alternate screen has no scrollback to lose, so a region may scroll. It moves the cursor, which is placed anew.
fn write_scroll(scroll: Scroll, pen: &mut Pen) {
    let way = match scroll.way {
        Way::Up => 'S',
        Way::Down => 'T',
    };
    pen.format(format_args!("\x1b[{};{}r\x1b[{}{way}\x1b[r", scroll.top + 1, scroll.bottom, scroll.by_rows));
}

fn carry_out(scroll: Scroll, lines: &mut [Line]) {
    let band = &mut lines[scroll.top..scroll.bottom];
    let left = band.len() - scroll.by_rows;
    match scroll.way {
        Way::Up => {
            band.rotate_left(scroll.by_rows);
            band[left..].fill(Line::Erased);
        }
        Way::Down => {
            band.rotate_right(scroll.by_rows);
            band[..scroll.by_rows].fill(Line::Erased);
        }
    }
}

/// Repaints lines and remembers where that leaves the cursor.
struct Brush<'a, 'b> {
    pen: &'a mut Pen,
    picture: &'a Picture<'b>,
    at: Option<(usize, usize)>,
}

impl Brush<'_, '_> {
    fn repaint(&mut self, row: usize, old: &Line, new: &Line) {
        if matches!(old, Line::Unknown) {
            // Erased before it is printed: a resize may have left half a glyph at the edge.
            self.erase(row, 0, Ink::PLAIN);
        }
        let (old, new) = (self.picture.cells(old), self.picture.cells(new));
        let differs = |col: usize| old[col] != new[col];
        let tail = tail_start(&new);
        let mut col = 0;
        while let Some(start) = (col..tail).find(|col| differs(*col)) {
            let (start, end) = run(&new, start, tail, differs);
            self.print(row, start, &new[start..end]);
            col = end;
        }
        if let Some(from) = (tail..new.len()).find(|col| differs(*col)) {
            self.erase(row, from, new[from].ink);
        }
    }

    fn print(&mut self, row: usize, col: usize, cells: &[Cell]) {
        self.go(row, col);
        self.pen.cells(cells, col, Columns::Absolute);
        let end = col + cells.len();
        // Behind the last column terminals differ in where the cursor is.
        self.at = (end < self.picture.width_cols()).then_some((row, end));
    }

    /// Erases to the end of the line in a background; the cursor stands on the first cell, so no full row loses any.
    fn erase(&mut self, row: usize, col: usize, ink: Ink) {
        self.go(row, col);
        self.pen.rest();
        self.pen.ink(ink);
        self.pen.put("\x1b[K");
    }

    fn go(&mut self, row: usize, col: usize) {
        match self.at {
            Some(at) if at == (row, col) => {}
            Some((at_row, _)) if at_row == row => self.pen.move_to_col(col),
            Some(_) | None => self.pen.move_to_cell(row, col),
        }
        self.at = Some((row, col));
    }
}

/// Where the run of equal blanks begins that ends the line and that erasing can make.
fn tail_start(cells: &[Cell]) -> usize {
    let Some(last) = cells.last().filter(|last| **last == Cell::blank(last.ink.of_blank())) else {
        return cells.len();
    };
    cells.iter().rposition(|cell| cell != last).map_or(0, |col| col + 1)
}

/// The cells to print for a change at `start`: whole glyphs, small gaps, and what a cluster of contested width
/// may have been drawn over.
fn run(cells: &[Cell], start: usize, tail: usize, differs: impl Fn(usize) -> bool) -> (usize, usize) {
    let start = if cells[start].is_second_half() { start - 1 } else { start };
    let mut end = start + 1;
    let mut drawn_over = start;
    let mut col = start;
    while col < tail && col < end + GAP_COLS_MAX {
        drawn_over = drawn_over.max(end_drawn_over(cells, col));
        if col < end || differs(col) {
            end = end.max(col + 1).max(drawn_over);
        }
        col += 1;
    }
    while end < cells.len() && cells[end].is_second_half() {
        end += 1;
    }
    (start, end.min(cells.len()))
}

/// How far a terminal may draw that takes each character of a cluster by itself.
fn end_drawn_over(cells: &[Cell], col: usize) -> usize {
    let glyph = cells[col].text;
    if glyph.is_ascii() || !text::is_contested(glyph) {
        return col + 1;
    }
    let cols: usize = glyph.chars().map(|character| text::cluster_width_cols(character.encode_utf8(&mut [0; 4]))).sum();
    (col + cols.max(1)).min(cells.len())
}
