//! A row laid out to the cells of a screen line, styles resolved by the palette.
//! Writes no bytes and remembers nothing.

use std::sync::Arc;

use screen::{Palette, Row, Span, text};
use unicode_segmentation::UnicodeSegmentation as _;

use super::ink::Ink;

/// What one column shows. A wide glyph has its text in its first cell; the second is [`Cell::is_second_half`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a str,
    pub(super) ink: Ink,
    pub(super) link: Option<&'a Arc<str>>,
}

impl<'a> Cell<'a> {
    pub(super) fn blank(ink: Ink) -> Self {
        Self { text: " ", ink, link: None }
    }

    pub(super) fn is_second_half(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether it cannot be told from erased space on this background.
    pub(super) fn is_erased(&self, canvas: Ink) -> bool {
        *self == Self::blank(canvas.of_blank())
    }

    /// A cell of this text, told apart only by what is seen of it.
    fn new(text: &'a str, ink: Ink, link: Option<&'a Arc<str>>) -> Self {
        let is_bare = text == " " && link.is_none() && !ink.shows_on_blanks();
        Self { text, ink: if is_bare { ink.of_blank() } else { ink }, link }
    }
}

/// Where a row is cut and where its caret is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'a> {
    pub(super) palette: &'a Palette,
    pub(super) width_cols: usize,
    pub(super) caret_col: Option<usize>,
}

/// Lays a row out from its first column to its last text, or to the caret if that stands further right.
pub(super) fn lay_out<'a>(row: &'a Row, layout: Layout) -> Vec<Cell<'a>> {
    let mut cells = Vec::with_capacity(layout.width_cols.min(512));
    for span in &row.spans {
        let ink = Ink::from(layout.palette.ink(&span.style));
        if span.text.is_ascii() {
            push_ascii(&mut cells, span, ink);
        } else {
            push_clusters(&mut cells, span, ink);
        }
        if cells.len() > layout.width_cols {
            break;
        }
    }
    cut(&mut cells, layout.width_cols);
    if let Some(col) = layout.caret_col {
        draw_caret(&mut cells, col.min(layout.width_cols.saturating_sub(1)), fill_ink(row, layout.palette));
    }
    cells
}

/// Returns how the cells right of a row's text are drawn in fullscreen.
pub(super) fn fill_ink(row: &Row, palette: &Palette) -> Ink {
    Ink::from(palette.fill(row.fill)).of_blank()
}

/// Drops what cannot be told from erased space at a row's end.
pub(super) fn trim(cells: &mut Vec<Cell>, palette: &Palette) {
    let canvas = Ink::from(palette.canvas);
    while cells.last().is_some_and(|cell| cell.is_erased(canvas)) {
        cells.pop();
    }
}

fn push_ascii<'a>(cells: &mut Vec<Cell<'a>>, span: &'a Span, ink: Ink) {
    let link = span.style.link.as_ref();
    let blank = Cell::new(" ", ink, link);
    cells.extend(
        span.text.bytes().enumerate().filter(|(_, byte)| !byte.is_ascii_control()).map(|(index, byte)| {
            if byte == b' ' { blank } else { Cell { text: &span.text[index..=index], ink, link } }
        }),
    );
}

fn push_clusters<'a>(cells: &mut Vec<Cell<'a>>, span: &'a Span, ink: Ink) {
    let link = span.style.link.as_ref();
    for text in span.text.graphemes(true) {
        // A cluster without width has no cell to stand in; a control character would move the cursor.
        let width_cols = text::cluster_width_cols(text);
        if width_cols == 0 || text.contains(char::is_control) {
            continue;
        }
        cells.push(Cell::new(text, ink, link));
        if width_cols == 2 {
            cells.push(Cell::new("", ink, link));
        }
    }
}

/// Cuts to the width; a wide glyph that straddles the edge becomes a blank.
fn cut(cells: &mut Vec<Cell>, width_cols: usize) {
    if cells.len() > width_cols {
        let straddles = cells[width_cols].is_second_half();
        cells.truncate(width_cols);
        if let (true, Some(last)) = (straddles, cells.last_mut()) {
            *last = Cell::blank(last.ink);
        }
    }
}

fn draw_caret(cells: &mut Vec<Cell>, col: usize, fill: Ink) {
    while cells.len() <= col {
        cells.push(Cell::blank(fill));
    }
    let first = if cells[col].is_second_half() { col - 1 } else { col };
    cells[first].ink = cells[first].ink.reversed();
    if let Some(second) = cells.get_mut(first + 1).filter(|cell| cell.is_second_half()) {
        second.ink = second.ink.reversed();
    }
}
