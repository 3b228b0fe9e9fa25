//! A terminal window on a pty: runs a program in it, answers what it asks, shows what a person would see.
//! Knows nothing of the program.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use alacritty_terminal::Term;
use alacritty_terminal::event::{Event, EventListener};
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::term::{Config, TermMode};
use alacritty_terminal::vte::ansi::{Processor, Rgb};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

/// No wait of a healthy run comes near it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
const COLS: u16 = 100;
/// A command that no terminal knows, so that it shows nowhere.
const LAST_WORD: &[u8] = b"\x1b]7777;drained\x1b\\";

pub(crate) struct Window {
    master: File,
    name: OsString,
    /// While it is open, reading the other end cannot fail between two programs.
    slave: OwnedFd,
    shared: Arc<(Mutex<Picture>, Condvar)>,
}

/// What the window has been told.
pub(crate) struct Picture {
    term: Term<Answers>,
    parser: Processor,
    pub(crate) bytes: Vec<u8>,
}

/// Writes the terminal's answers back to the program.
struct Answers(File);

impl EventListener for Answers {
    fn send_event(&self, event: Event) {
        let answer = match event {
            Event::PtyWrite(text) => text,
            Event::ColorRequest(_, answer) => answer(Rgb { r: 0x10, g: 0x10, b: 0x10 }),
            _ => return,
        };
        // The program may be gone before its answer.
        let _ = (&self.0).write_all(answer.as_bytes());
    }
}

impl Window {
    pub(crate) fn new(rows: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let size = Winsize { ws_row: rows, ws_col: COLS, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).unwrap();
        let name = OsString::from_vec(ptsname(&master, Vec::new()).unwrap().into_bytes());
        let (master, slave) = (File::from(master), open(&name));
        let config = Config { kitty_keyboard: true, ..Config::default() };
        let size = TermSize::new(usize::from(COLS), usize::from(rows));
        let term = Term::new(config, &size, Answers(master.try_clone().unwrap()));
        let picture = Picture { term, parser: Processor::new(), bytes: Vec::new() };
        let shared = Arc::new((Mutex::new(picture), Condvar::new()));
        show(master.try_clone().unwrap(), shared.clone());
        Self { master, name, slave, shared }
    }

    /// Runs a program in a session of its own, with this as its terminal; `prepare` has the last word.
    pub(crate) fn run(&self, program: &str, prepare: impl FnOnce(&mut Command)) -> Child {
        let end = || Stdio::from(open(&self.name));
        let mut command = Command::new("setsid");
        command.arg("-c").arg(program).stdin(end()).stdout(end()).stderr(end());
        prepare(&mut command);
        command.spawn().unwrap()
    }

    pub(crate) fn write(&self, keys: &str) {
        (&self.master).write_all(keys.as_bytes()).unwrap();
    }

    /// Presses the key as this terminal encodes it in its present mode.
    pub(crate) fn press_escape(&self) {
        self.write(if self.is_kitty() { "\x1b[27u" } else { "\x1b" });
    }

    /// Presses the key as this terminal encodes it in its present mode.
    pub(crate) fn press_ctrl_c(&self) {
        self.write(if self.is_kitty() { "\x1b[99;5u" } else { "\x03" });
    }

    /// Waits until `seen` holds of the picture; `what` names it in the failure.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, seen: impl Fn(&Picture) -> bool) {
        let (picture, news) = &*self.shared;
        let guard = picture.lock().unwrap();
        let (picture, waited) = news.wait_timeout_while(guard, PATIENCE, |picture| !seen(picture)).unwrap();
        let screen = shortened(&picture.rows());
        // A panic with the lock held would hide itself behind others.
        drop(picture);
        assert!(!waited.timed_out(), "no {what} on this screen:\n{screen}");
    }

    /// Waits until a row holds `text`.
    #[track_caller]
    pub(crate) fn expect(&self, text: &str) {
        self.until(&format!("{text:?}"), |picture| picture.shows(text));
    }

    /// Waits until all that was written is shown, and returns it; for programs that are gone.
    pub(crate) fn drain(&self) -> Vec<u8> {
        File::from(open(&self.name)).write_all(LAST_WORD).unwrap();
        self.until("last word", |picture| picture.bytes.ends_with(LAST_WORD));
        let mut bytes = self.bytes();
        bytes.truncate(bytes.len() - LAST_WORD.len());
        bytes
    }

    pub(crate) fn rows(&self) -> Vec<String> {
        self.picture().rows()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.picture().bytes.clone()
    }

    /// The line settings of the terminal, as text.
    pub(crate) fn settings(&self) -> String {
        format!("{:?}", tcgetattr(&self.slave).unwrap())
    }

    fn is_kitty(&self) -> bool {
        self.picture().term.mode().contains(TermMode::DISAMBIGUATE_ESC_CODES)
    }

    fn picture(&self) -> MutexGuard<'_, Picture> {
        self.shared.0.lock().unwrap()
    }
}

impl Picture {
    /// Everything a person can scroll to, up to the last text, without blanks at the ends of rows.
    pub(crate) fn rows(&self) -> Vec<String> {
        let lines = -(self.term.history_size() as i32)..self.term.screen_lines() as i32;
        let mut rows: Vec<String> = lines.map(|line| self.row(line)).collect();
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    pub(crate) fn shows(&self, text: &str) -> bool {
        self.rows().iter().any(|row| row.contains(text))
    }

    fn row(&self, line: i32) -> String {
        let row = &self.term.grid()[Line(line)];
        let spacer = Flags::WIDE_CHAR_SPACER | Flags::LEADING_WIDE_CHAR_SPACER;
        let cells = (0..self.term.columns()).map(|col| &row[Column(col)]).filter(|cell| !cell.flags.intersects(spacer));
        let text: String = cells.flat_map(characters).collect();
        text.trim_end().to_owned()
    }
}

fn characters(cell: &Cell) -> impl Iterator<Item = char> {
    std::iter::once(cell.c).chain(cell.zerowidth().unwrap_or_default().iter().copied())
}

/// The rows for a failure, with one blank row for many.
pub(crate) fn shortened(rows: &[String]) -> String {
    let mut short = rows.to_vec();
    short.dedup_by(|row, before| row.is_empty() && before.is_empty());
    short.join("\n")
}

/// Shows what comes, on a thread of its own, until the last program and the window itself are gone.
fn show(mut master: File, shared: Arc<(Mutex<Picture>, Condvar)>) {
    std::thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count) = master.read(&mut bytes) {
            let picture = &mut *shared.0.lock().unwrap();
            picture.parser.advance(&mut picture.term, &bytes[..count]);
            picture.bytes.extend_from_slice(&bytes[..count]);
            shared.1.notify_all();
        }
    });
}

fn open(name: &OsString) -> OwnedFd {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    rustix::fs::open(name.as_os_str(), flags, Mode::empty()).unwrap()
}
