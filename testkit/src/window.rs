//! A terminal window in memory: the real painter's bytes go into a real terminal model.
//! Judges nothing; what its cells read is what a test sees.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::Processor;
use ports::{Fate, Terminal, TerminalEvent};
use screen::{Frame, Size};
use terminal::Painter;
use tokio::sync::mpsc;

/// Rows of scrollback; older ones are lost, as in a real window.
const SCROLLBACK_ROWS_MAX: usize = 10_000;
/// Terminal events waiting for the interface; a script never gets that far ahead of it.
pub(crate) const EVENTS_MAX: usize = 4_096;

/// What stays when the program is gone.
#[derive(Clone)]
pub(crate) struct Window {
    glass: Arc<Mutex<Glass>>,
}

struct Glass {
    model: Term<VoidListener>,
    parser: Processor,
    size: Size,
    /// Frames that were handed over.
    frame_count: usize,
}

impl Window {
    pub(crate) fn new(size: Size) -> Self {
        let config = Config { scrolling_history: SCROLLBACK_ROWS_MAX, ..Config::default() };
        let model = Term::new(config, &term_size(size), VoidListener);
        let glass = Glass { model, parser: Processor::new(), size, frame_count: 0 };
        Self { glass: Arc::new(Mutex::new(glass)) }
    }

    /// The end of it that a program holds.
    pub(crate) fn open(&self, painter: Painter, events: mpsc::Sender<TerminalEvent>) -> Box<dyn Terminal> {
        Box::new(Side { window: self.clone(), painter, events })
    }

    /// The window has another size; the program has yet to hear of it.
    pub(crate) fn resize(&self, size: Size) {
        let mut glass = self.glass();
        glass.size = size;
        glass.model.resize(term_size(size));
    }

    pub(crate) fn size(&self) -> Size {
        self.glass().size
    }

    pub(crate) fn frame_count(&self) -> usize {
        self.glass().frame_count
    }

    /// Every row that can be read, scrollback first, without trailing blanks.
    pub(crate) fn rows(&self) -> Vec<String> {
        let glass = self.glass();
        let end = i32::try_from(glass.model.screen_lines()).expect("a screen is small");
        let mut rows = glass.rows_above(Line(end));
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    /// The rows that no inline frame draws again: those above the cursor, which rests on the first live row.
    pub(crate) fn committed_rows(&self) -> Vec<String> {
        let glass = self.glass();
        glass.rows_above(glass.model.grid().cursor.point.line)
    }

    fn glass(&self) -> MutexGuard<'_, Glass> {
        self.glass.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Side {
    window: Window,
    painter: Painter,
    events: mpsc::Sender<TerminalEvent>,
}

impl Terminal for Side {
    fn paint(&mut self, frame: Frame) {
        let mut glass = self.window.glass();
        glass.frame_count += 1;
        let fate = if frame.size == glass.size {
            let bytes = self.painter.encode(&frame);
            glass.write(&bytes);
            Fate::Written
        } else {
            Fate::Stale { size: glass.size }
        };
        let told = self.events.try_send(TerminalEvent::Painted { frame: frame.number, fate });
        told.expect("the interface reads its terminal's events");
    }

    fn leave(&mut self, farewell: Vec<String>) {
        let mut glass = self.window.glass();
        glass.write(&self.painter.leave());
        if self.painter.leaves_unknown_column() && !farewell.is_empty() {
            glass.write(b"\r\n");
        }
        for row in farewell {
            glass.write(format!("{row}\r\n").as_bytes());
        }
    }

    fn suspend(&mut self) -> Result<(), String> {
        Err("there is no job control in a test".to_owned())
    }
}

impl Glass {
    fn rows_above(&self, end: Line) -> Vec<String> {
        let top = -i32::try_from(self.model.grid().history_size()).expect("the scrollback is bounded");
        (top..end.0).map(|line| row(&self.model, Line(line))).collect()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.parser.advance(&mut self.model, bytes);
    }
}

fn row(model: &Term<VoidListener>, line: Line) -> String {
    let cells = &model.grid()[line];
    let mut text = String::new();
    for column in 0..model.grid().columns() {
        let cell = &cells[Column(column)];
        if !cell.flags.intersects(Flags::WIDE_CHAR_SPACER | Flags::LEADING_WIDE_CHAR_SPACER) {
            text.push(cell.c);
            text.extend(cell.zerowidth().into_iter().flatten());
        }
    }
    text.trim_end().to_owned()
}

fn term_size(size: Size) -> TermSize {
    TermSize::new(usize::from(size.cols), usize::from(size.rows))
}
