//! Writes cells and cursor moves as bytes, and knows with which ink and link the terminal draws by now.
//! Knows nothing of what is on the screen.

use std::io::Write as _;
use std::sync::Arc;

use screen::text;

use super::cells::Cell;
use super::ink::Ink;

pub(super) struct Pen {
    bytes: Vec<u8>,
    ink: Ink,
    link: Option<Arc<str>>,
}

/// Whether the terminal is trusted with the width of a cluster that terminals disagree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Columns {
    /// The cursor is put to a known column after such a cluster.
    Absolute,
    /// Rows for the scrollback: they end hard and have nothing beside them.
    Flowing,
}

impl Pen {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::with_capacity(1024), ink: Ink::PLAIN, link: None }
    }

    pub(super) fn is_unused(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn put(&mut self, bytes: &str) {
        self.bytes.extend_from_slice(bytes.as_bytes());
    }

    pub(super) fn ink(&mut self, ink: Ink) {
        self.ink.write_change(ink, &mut self.bytes);
        self.ink = ink;
    }

    /// Ends color, attributes and link; every row ends so, and only so may rows be erased or scrolled.
    pub(super) fn rest(&mut self) {
        self.link(None);
        self.ink(Ink::PLAIN);
    }

    /// Prints cells whose first stands at `col`, counted from 0.
    pub(super) fn cells(&mut self, cells: &[Cell], mut col: usize, columns: Columns) {
        let mut rest = cells;
        while let Some((cell, tail)) = rest.split_first() {
            if self.continues(cell) {
                self.bytes.push(cell.text.as_bytes()[0]);
                (rest, col) = (tail, col + 1);
                continue;
            }
            let width_cols = 1 + usize::from(tail.first().is_some_and(Cell::is_second_half));
            self.link(cell.link);
            self.ink(cell.ink);
            let is_contested = columns == Columns::Absolute && !cell.text.is_ascii() && text::is_contested(cell.text);
            if is_contested {
                // Where the terminal draws it narrower, what is left of its cells would keep their old text.
                self.put(&"  "[..width_cols]);
                self.move_to_col(col);
            }
            self.put(cell.text);
            col += width_cols;
            if is_contested {
                self.move_to_col(col);
            }
            rest = &rest[width_cols..];
        }
    }

    /// Moves to a column of this row, counted from 0.
    pub(super) fn move_to_col(&mut self, col: usize) {
        self.format(format_args!("\x1b[{}G", col + 1));
    }

    /// Moves to a cell of the screen, counted from 0.
    pub(super) fn move_to_cell(&mut self, row: usize, col: usize) {
        match col {
            0 => self.format(format_args!("\x1b[{}H", row + 1)),
            _ => self.format(format_args!("\x1b[{};{}H", row + 1, col + 1)),
        }
    }

    pub(super) fn up(&mut self, rows: usize) {
        match rows {
            0 => {}
            1 => self.put("\x1b[A"),
            _ => self.format(format_args!("\x1b[{rows}A")),
        }
    }

    pub(super) fn format(&mut self, text: std::fmt::Arguments) {
        self.bytes.write_fmt(text).expect("a vector takes every write");
    }

    /// Whether a cell of one byte comes out right as things are; blanks do between words of one color.
    fn continues(&self, cell: &Cell) -> bool {
        self.link.is_none()
            && cell.link.is_none()
            && cell.text.len() == 1
            && (cell.ink == self.ink || (cell.text == " " && self.ink.draws_blank(cell.ink)))
    }

    fn link(&mut self, link: Option<&Arc<str>>) {
        let link = link.filter(|address| address.bytes().all(|byte| byte.is_ascii_graphic()));
        if self.link.as_ref() != link {
            self.format(format_args!("\x1b]8;;{}\x1b\\", link.map_or("", |address| address)));
            self.link = link.cloned();
        }
    }
}
