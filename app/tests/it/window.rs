//! The program in a window: a pty with a terminal model on its other side, and the files the program keeps.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::Processor;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tempfile::TempDir;

const COLS: u16 = 100;
const ROWS: u16 = 30;
/// No wait of a healthy run comes near it.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// The agent directory and the workspace; they outlive a killed program.
pub(crate) struct Place {
    pub(crate) home: TempDir,
    pub(crate) workspace: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { home: TempDir::new().unwrap(), workspace: TempDir::new().unwrap() };
        place.settings(r#"{ "quietStartup": true, "retry": { "baseDelayMs": 100, "maxDelayMs": 200 } }"#);
        place
    }

    pub(crate) fn settings(&self, text: &str) {
        std::fs::write(self.home.path().join("settings.json"), text).unwrap();
    }

    /// A command in this place with nothing else in its environment.
    pub(crate) fn command(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eukhe"));
        command.args(arguments).env_clear().current_dir(self.workspace.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.home.path()).env("EUKHE_DIR", self.home.path());
        command.env("TERM", "xterm-256color").env("LANG", "C.UTF-8").env("SHELL", "/bin/sh");
        command.envs(variables.iter().copied());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Window {
        Window::open(self.command(arguments, variables))
    }
}

pub(crate) struct Window {
    pub(crate) child: Child,
    master: File,
    /// Held so that the last bytes can be read after the program has ended.
    _slave: OwnedFd,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    bytes: Vec<u8>,
    model: Term<VoidListener>,
    parser: Processor,
}

impl Window {
    fn open(command: Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let size = Winsize { ws_row: ROWS, ws_col: COLS, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).unwrap();
        let slave = rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let end = || slave.try_clone().unwrap();
        let child = with_own_session(command).stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let term = TermSize::new(COLS.into(), ROWS.into());
        let config = Config { scrolling_history: 10_000, ..Config::default() };
        let seen = Seen { bytes: Vec::new(), model: Term::new(config, &term, VoidListener), parser: Processor::new() };
        let window = Self { child, master: File::from(master), _slave: slave, seen: Arc::new(Mutex::new(seen)) };
        window.record();
        window
    }

    fn record(&self) {
        let (mut master, seen) = (self.master.try_clone().unwrap(), Arc::clone(&self.seen));
        std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(count @ 1..) = master.read(&mut bytes) {
                let seen = &mut *seen.lock().unwrap();
                seen.bytes.extend_from_slice(&bytes[..count]);
                seen.parser.advance(&mut seen.model, &bytes[..count]);
            }
        });
    }

    pub(crate) fn keys(&mut self, text: &str) {
        self.master.write_all(text.as_bytes()).unwrap();
    }

    /// Types a prompt and sends it, once the session is there to take it.
    pub(crate) fn send(&mut self, prompt: &str) {
        self.until("Enter sends it");
        self.keys(prompt);
        self.until(prompt);
        self.keys("\r");
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen.lock().unwrap().bytes.clone()
    }

    /// Every row that can be read, scrollback first.
    pub(crate) fn text(&self) -> String {
        let seen = self.seen.lock().unwrap();
        let grid = seen.model.grid();
        let first = -i32::try_from(grid.history_size()).unwrap();
        let rows = (first..i32::from(ROWS)).map(|line| {
            let cells = (0..usize::from(COLS)).map(|col| grid[Line(line)][Column(col)].c);
            cells.collect::<String>().trim_end().to_owned()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    pub(crate) fn until(&self, words: &str) {
        self.until_all(&[words]);
    }

    /// Waits until all of the words are on the screen or in the scrollback.
    #[track_caller]
    pub(crate) fn until_all(&self, words: &[&str]) {
        let start = Instant::now();
        loop {
            let text = self.text();
            if words.iter().all(|words| text.contains(words)) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{words:?} never came; the window:\n{text}");
            std::thread::sleep(LOOK);
        }
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits for the end of the program, and of what it wrote.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                std::thread::sleep(Duration::from_millis(30));
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the program goes on:\n{}", self.text());
            std::thread::sleep(LOOK);
        }
    }

    pub(crate) fn kill(&mut self) {
        self.signal(rustix::process::Signal::KILL);
        assert_eq!(self.ended().signal(), Some(9));
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program as the leader of a session of its own, its pty the controlling terminal, as a terminal starts it.
fn with_own_session(command: Command) -> Command {
    let mut outer = Command::new("setsid");
    outer.arg("--ctty").arg(command.get_program()).args(command.get_args()).env_clear();
    outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(directory) = command.get_current_dir() {
        outer.current_dir(directory);
    }
    outer
}
