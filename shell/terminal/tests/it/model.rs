//! A virtual terminal to paint on, and what can be read off it.

use alacritty_terminal::Term;
use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::term::{Config, TermMode};
use alacritty_terminal::vte::ansi::Processor;
use screen::Size;

pub(crate) struct Model {
    term: Term<VoidListener>,
    parser: Processor,
    pub(crate) bytes: Vec<u8>,
}

impl Model {
    pub(crate) fn new(size: Size) -> Self {
        let term = Term::new(Config::default(), &term_size(size), VoidListener);
        Self { term, parser: Processor::new(), bytes: Vec::new() }
    }

    /// Takes bytes as a terminal would, and refuses what no byte of ours may ever ask for.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        for clear in ["\x1b[2J", "\x1b[3J", "\x1bc", "\x1b[H\x1b[J"] {
            assert!(!text.contains(clear), "{clear:?} in {text:?}");
        }
        for (at, _) in text.match_indices("\x1b[J") {
            assert!(text[..at].ends_with("\x1b[2K\x1b[B"), "an erase from a row that may be home in {text:?}");
        }
        self.parser.advance(&mut self.term, bytes);
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn resize(&mut self, size: Size) {
        self.term.resize(term_size(size));
    }

    /// The rows on screen, without blanks at their ends.
    pub(crate) fn screen(&self) -> Vec<String> {
        (0..self.term.screen_lines() as i32).map(|line| self.row(line)).collect()
    }

    /// The rows that have left the screen, oldest first.
    pub(crate) fn scrollback(&self) -> Vec<String> {
        (-(self.term.history_size() as i32)..0).map(|line| self.row(line)).collect()
    }

    /// Everything a person can scroll to, up to the last text.
    pub(crate) fn everything(&self) -> Vec<String> {
        let mut rows = self.scrollback();
        rows.extend(self.screen());
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    /// Row and column, from 0.
    pub(crate) fn cursor(&self) -> (i32, usize) {
        let point = self.term.grid().cursor.point;
        (point.line.0, point.column.0)
    }

    pub(crate) fn is_cursor_shown(&self) -> bool {
        self.term.mode().contains(TermMode::SHOW_CURSOR)
    }

    pub(crate) fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    pub(crate) fn is_wrapping(&self) -> bool {
        self.term.mode().contains(TermMode::LINE_WRAP)
    }

    /// All that can be seen of the screen's cells, row by row.
    pub(crate) fn looks(&self) -> Vec<Vec<String>> {
        let row = |line: i32| {
            let row = &self.term.grid()[Line(line)];
            (0..self.term.columns()).map(|col| look(&row[Column(col)])).collect()
        };
        (0..self.term.screen_lines() as i32).map(row).collect()
    }

    /// The last column of a row that shows this character.
    pub(crate) fn last_col_of(&self, line: i32, character: char) -> Option<usize> {
        let row = &self.term.grid()[Line(line)];
        (0..self.term.columns()).rev().find(|col| row[Column(*col)].c == character)
    }

    fn row(&self, line: i32) -> String {
        let row = &self.term.grid()[Line(line)];
        let mut text = String::new();
        for col in 0..self.term.columns() {
            let cell = &row[Column(col)];
            if !cell.flags.intersects(Flags::WIDE_CHAR_SPACER | Flags::LEADING_WIDE_CHAR_SPACER) {
                text.push(cell.c);
                text.extend(cell.zerowidth().unwrap_or_default());
            }
        }
        text.trim_end().to_owned()
    }
}

/// The foreground of a blank cannot be seen.
fn look(cell: &Cell) -> String {
    let flags = cell.flags & !Flags::WRAPLINE;
    let link = cell.hyperlink().map(|link| link.uri().to_owned());
    let shown = Flags::INVERSE | Flags::ALL_UNDERLINES | Flags::STRIKEOUT;
    if cell.c == ' ' && !flags.intersects(shown) {
        return format!("blank on {:?} {link:?}", cell.bg);
    }
    format!("{:?}{:?} {:?} on {:?} {flags:?} {link:?}", cell.c, cell.zerowidth(), cell.fg, cell.bg)
}

fn term_size(size: Size) -> TermSize {
    TermSize::new(usize::from(size.cols), usize::from(size.rows))
}
