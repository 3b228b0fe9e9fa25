//! The program in a window, with directories of its own and a clean environment.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::server::Server;
use crate::window::{PATIENCE, Window, shortened};

pub(crate) const EUKHE: &str = env!("CARGO_BIN_EXE_eukhe");
/// Enough that no turn of a test leaves the screen, but for the long answer.
pub(crate) const ROWS: u16 = 44;
const ROWS_TALL: u16 = 300;
/// For both providers.
pub(crate) const KEY: &str = "sk-planted-4f1c77e0";
/// What the empty composer says while no turn runs.
pub(crate) const IDLE: &str = "> write a prompt; Enter sends it";
pub(crate) const PROMPT: &str = "> ";
/// How rows that tell the end of a turn begin.
pub(crate) const REMARK: &str = "! ";
const REMARK_INDENT: &str = "  ";
/// How rows of the dock begin.
const WORKING: [&str; 4] = [" ◐ ", " ◓ ", " ◑ ", " ◒ "];
const GATE: &str = "▌";
const TOAST: &str = "  the provider answered again after ";

/// Directories of one test: the agent directory, a home and a workspace.
pub(crate) struct Place {
    folder: TempDir,
    window_rows: u16,
}

/// How the program is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wire {
    OpenAi,
    Anthropic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Surface {
    Fullscreen,
    Inline,
}

/// The program, which is killed at the latest with this.
pub(crate) struct Program {
    pub(crate) window: Window,
    child: Child,
    pid: Pid,
}

impl Place {
    /// Directories with the settings in `json`.
    pub(crate) fn new(json: &str) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), window_rows: ROWS };
        for directory in [place.agent(), place.home(), place.workspace()] {
            std::fs::create_dir(directory).unwrap();
        }
        std::fs::write(place.settings(), json).unwrap();
        place
    }

    /// Its windows hold a whole session, also where nothing is scrolled back.
    pub(crate) fn tall(self) -> Self {
        Self { window_rows: ROWS_TALL, ..self }
    }

    pub(crate) fn agent(&self) -> PathBuf {
        self.folder.path().join("agent")
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.agent().join("settings.json")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.agent().join("journal.db")
    }

    /// Runs the program against `server` and waits until it takes a prompt.
    pub(crate) fn start(&self, wire: Wire, surface: Surface, server: &Server, arguments: &[&str]) -> Program {
        let variables = wire.variables(&server.address);
        let all = [wire.arguments(), surface.arguments(), arguments].concat();
        let program = self.run(&all, &variables);
        program.window.expect(IDLE);
        program
    }

    /// Runs the program in a new window.
    pub(crate) fn run(&self, arguments: &[&str], variables: &[(&str, String)]) -> Program {
        let window = Window::new(self.window_rows);
        let child = window.run(EUKHE, |command| {
            self.prepare(command);
            command.args(arguments).envs(variables.iter().map(|(name, value)| (*name, value)));
        });
        let pid = Pid::from_child(&child);
        Program { window, child, pid }
    }

    /// The program as a command without a terminal.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(EUKHE);
        self.prepare(&mut command);
        command
    }

    pub(crate) fn prepare(&self, command: &mut Command) {
        command.current_dir(self.workspace()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
        command.env("HOME", self.home()).env("EUKHE_DIR", self.agent());
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn workspace(&self) -> PathBuf {
        self.folder.path().join("work")
    }
}

impl Wire {
    pub(crate) fn variables(self, address: &str) -> [(&'static str, String); 2] {
        match self {
            Self::OpenAi => [("OPENAI_API_KEY", KEY.to_owned()), ("OPENAI_BASE_URL", format!("http://{address}/v1"))],
            Self::Anthropic => {
                [("ANTHROPIC_API_KEY", KEY.to_owned()), ("ANTHROPIC_BASE_URL", format!("http://{address}"))]
            }
        }
    }

    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["--model", "openai/mock-large"],
            Self::Anthropic => &["--model", "anthropic/mock-large"],
        }
    }
}

impl Surface {
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Fullscreen => &["--fullscreen"],
            Self::Inline => &["--inline"],
        }
    }
}

impl Program {
    pub(crate) fn send(&self, prompt: &str) {
        self.window.write(prompt);
        self.window.write("\r");
    }

    /// Approves the command that asks for permission.
    #[track_caller]
    pub(crate) fn approve(&self) {
        // Before that the prompt takes no keys: they may have been meant for the draft.
        self.window.expect("Tab, then y approves");
        self.window.write("\t");
        self.window.expect("y approves · n or Esc denies");
        self.window.write("y");
    }

    /// Waits until no turn runs and the whole transcript is this: an answer is shown at its pace.
    #[track_caller]
    pub(crate) fn comes_to(&self, transcript: &[String]) {
        let what = format!("rest with the transcript {transcript:#?}");
        self.window.until(&what, |picture| is_idle(&picture.rows()) && self::transcript(&picture.rows()) == transcript);
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).unwrap();
    }

    /// Waits for the end and returns the exit code, none after a signal that cannot be caught.
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < deadline, "the program does not end:\n{}", shortened(&self.window.rows()));
            std::thread::yield_now();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether the composer is empty and no turn runs.
pub(crate) fn is_idle(rows: &[String]) -> bool {
    rows.iter().any(|row| row == IDLE)
}

/// Whether this row says that a turn runs.
pub(crate) fn is_working(row: &str) -> bool {
    WORKING.iter().any(|mark| row.starts_with(mark))
}

/// Returns the transcript of a picture: from the first prompt to the composer, which begins as prompts do.
pub(crate) fn transcript(rows: &[String]) -> Vec<String> {
    let mut marked = rows.iter().enumerate().filter(|(_, row)| row.starts_with(PROMPT)).map(|(index, _)| index);
    match (marked.next(), marked.next_back()) {
        (Some(first), Some(composer)) => unwrapped(&rows[first..composer]),
        (_, _) => Vec::new(),
    }
}

/// Returns the warnings of the splash, each on one row.
pub(crate) fn remarks(rows: &[String]) -> Vec<String> {
    let indented: Vec<String> = rows.iter().filter_map(|row| row.strip_prefix(' ')).map(str::to_owned).collect();
    unwrapped(&indented).iter().filter_map(|row| row.strip_prefix(REMARK)).map(str::to_owned).collect()
}

/// Leaves out blank rows and the dock, and puts a remark of several rows on one.
fn unwrapped(rows: &[String]) -> Vec<String> {
    let is_dock = |row: &&String| [TOAST, GATE].iter().any(|mark| row.starts_with(mark)) || is_working(row);
    let mut whole: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| !row.is_empty() && !is_dock(row)) {
        match (whole.last_mut().filter(|last| last.starts_with(REMARK)), row.strip_prefix(REMARK_INDENT)) {
            (Some(remark), Some(rest)) => *remark += &format!(" {rest}"),
            (_, _) => whole.push(row.clone()),
        }
    }
    whole
}

/// All files below a directory.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
