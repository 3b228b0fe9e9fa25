//! The whole program on one thread and one paused clock: real runtime, real journal, real painter.
//! The model, the window and, unless asked otherwise, the tools are doubles.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agent::{Limits, Retry};
use ports::{Terminal, TerminalEvent, Tool, ToolContext, Which};
use protocol::{AccessProfile, ModelRef};
use runtime::{BuiltinHost, Home, HostParts, InterfaceOptions, InterfaceParts, ModelChoice};
use screen::{Key, Size};
use tempfile::TempDir;
use terminal::Painter;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, LocalSet};
use tokio::time::sleep;

use crate::clock::TestClock;
use crate::faulty_journal::{Disk, FaultyJournal};
use crate::script::{Token, parse};
use crate::scripted_model::{ScriptedModel, fault};
use crate::scripted_tools::{NothingSeen, ScriptedTools};
use crate::window::{EVENTS_MAX, Window};
use crate::witness::Witness;

/// When every test begins: 2026-01-02 03:04:05 UTC.
const BEGUN_MS: u64 = 1_767_323_045_000;
/// A frame and a little: without one in that time the screen has come to rest.
const FRAME_MS: u64 = 17;
/// Frames that are waited for after one token; paced text needs some, then the screen rests.
const FRAMES_MAX: usize = 400;
/// How long a person takes from one key, or one word, to the next.
const PERSON_MS: u64 = 60;
/// How long, in real time, a script waits for real work.
const UNTIL_MS_MAX: u64 = 10_000;
/// What the workspace is called on screen, wherever it is.
const WORKSPACE: &str = "/home/you/demo";

/// What a test may choose.
#[derive(Clone, Debug)]
pub struct Setup {
    pub mode: ui::Mode,
    pub size: Size,
    pub splash: ui::SplashChoice,
    pub tools: Tools,
    /// Rows below the splash.
    pub notices: Vec<String>,
    /// Sentences about settings that were not taken as written.
    pub warnings: Vec<String>,
    /// A prompt given on the command line.
    pub prompt: Option<String>,
    /// The longest silence in a stream; none waits for ever.
    pub stall_ms: Option<u64>,
    /// Where the agent runs.
    pub home: Home,
    /// Ids and times differ by it, and nothing else should.
    pub seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tools {
    /// `look`, `bash` and `stubborn`, whose calls do as the script says.
    Scripted,
    /// The real ones, in a temporary workspace.
    Real,
}

/// A program, the window it runs in, and the disk that outlives both.
pub struct Testkit {
    setup: Setup,
    directory: TempDir,
    window: Window,
    model: ScriptedModel,
    tools: ScriptedTools,
    disk: Disk,
    witness: Witness,
    now_ms: u64,
    life_count: u64,
    life: Option<Life>,
}

/// One run of the program, from its start to its end or its kill.
struct Life {
    interface: JoinHandle<i32>,
    events: mpsc::Sender<TerminalEvent>,
    clock: Arc<TestClock>,
    exit: Option<i32>,
    // Last, so that what runs on them is dropped before.
    local: LocalSet,
    runtime: Runtime,
}

impl Testkit {
    /// Starts the program in a new window, with an empty journal.
    pub fn start(setup: Setup) -> Self {
        let mut kit = Self {
            window: Window::new(setup.size),
            directory: tempfile::tempdir().expect("a temporary directory can be made"),
            model: ScriptedModel::default(),
            tools: ScriptedTools::default(),
            disk: Disk::default(),
            witness: Witness::default(),
            now_ms: BEGUN_MS,
            life_count: 0,
            life: None,
            setup,
        };
        kit.begin(Which::New);
        kit
    }

    /// Plays a script and lets the screen come to rest after each of its tokens.
    pub fn play(&mut self, script: &str) {
        for token in parse(script) {
            self.play_token(token);
        }
    }

    /// All rows that can be read in the window, scrollback first; below them the exit code, if it has ended.
    pub fn screen(&self) -> String {
        let mut rows = self.window.rows();
        if let Some(code) = self.life.as_ref().and_then(|life| life.exit) {
            rows.push(format!("[exit {code}]"));
        }
        let rows: Vec<String> = rows.iter().map(|row| with_even_id(row)).collect();
        rows.join("\n").replace(&self.directory.path().display().to_string(), "/tmp")
    }

    /// The rows that no frame draws again.
    pub fn committed_rows(&self) -> Vec<String> {
        self.window.committed_rows()
    }

    /// How many frames the window was given so far.
    pub fn frame_count(&self) -> usize {
        self.window.frame_count()
    }

    /// What a provider would have refused of what it was asked.
    pub fn request_faults(&self) -> Vec<String> {
        self.model.requests().iter().filter_map(|request| fault(request)).collect()
    }

    /// Whether, by what is stored, a turn runs or an input waits for one.
    pub fn has_work(&self) -> bool {
        self.witness.has_work()
    }

    /// Events that had to be stored first, and of which the interface was told before.
    pub fn told_before_stored(&self) -> Vec<String> {
        self.witness.told_before_stored()
    }

    fn journal_path(&self) -> PathBuf {
        self.directory.path().join("journal.db")
    }

    fn workspace(&self) -> PathBuf {
        self.directory.path().join("workspace")
    }

    fn play_token(&mut self, token: Token) {
        match token {
            Token::Kill => self.kill(),
            Token::Reopen => {
                self.kill();
                self.window = Window::new(self.window.size());
                self.begin(Which::Newest);
            }
            Token::Until(text) => self.wait_for(&format!("`{text}` is on screen"), |kit| kit.screen().contains(&text)),
            Token::Resize(size) => {
                self.window.resize(size);
                self.tell(vec![TerminalEvent::Resized(size)], Duration::ZERO);
            }
            Token::Type(text) => self.tell(text.chars().map(typed).collect(), Duration::from_millis(PERSON_MS)),
            Token::Key(key) => self.tell(vec![TerminalEvent::Key(key)], Duration::from_millis(PERSON_MS)),
            Token::Paste(text) => self.tell(vec![TerminalEvent::Paste(text)], Duration::from_millis(PERSON_MS)),
            Token::Focus(is_focused) => self.tell(vec![TerminalEvent::Focus(is_focused)], Duration::ZERO),
            Token::Terminate { code } => self.tell(vec![TerminalEvent::Terminate { code }], Duration::ZERO),
            Token::Gone => self.tell(vec![TerminalEvent::Gone { reason: "closed".to_owned() }], Duration::ZERO),
            Token::Disk(health) => {
                self.disk.set(health);
                self.tell(Vec::new(), Duration::ZERO);
            }
            Token::Wait { delay_ms } => self.tell(Vec::new(), Duration::from_millis(delay_ms)),
            Token::Model(token) => {
                if self.setup.home == Home::OwnThread {
                    self.wait_for("the model is asked", |kit| kit.model.is_streaming());
                }
                self.model.play(token);
                self.tell(Vec::new(), Duration::ZERO);
            }
            Token::Tool(token) => {
                self.tools.play(token);
                self.tell(Vec::new(), Duration::ZERO);
            }
        }
    }

    /// Gives the program terminal events, lets time go by, then lets the screen come to rest.
    fn tell(&mut self, events: Vec<TerminalEvent>, pause: Duration) {
        let window = self.window.clone();
        let life = self.life.as_mut().expect("the program runs; after `<kill>` comes `<reopen>`");
        let sender = &life.events;
        life.local.block_on(&life.runtime, async {
            for event in events {
                // A program that has ended reads no more, as a shell would show.
                let _ = sender.send(event).await;
            }
            sleep(pause).await;
            for _ in 0..FRAMES_MAX {
                let before = window.frame_count();
                sleep(Duration::from_millis(FRAME_MS)).await;
                if window.frame_count() == before {
                    return;
                }
            }
        });
        life.note_exit();
    }

    /// Lets real time and the program's go by together until something has come about.
    fn wait_for(&mut self, what: &str, has_come: impl Fn(&Self) -> bool) {
        for _ in 0..UNTIL_MS_MAX {
            if has_come(self) {
                return self.tell(Vec::new(), Duration::ZERO);
            }
            std::thread::sleep(Duration::from_millis(1));
            let life = self.life.as_mut().expect("the program runs");
            life.local.block_on(&life.runtime, async { sleep(Duration::from_millis(1)).await });
            life.note_exit();
        }
        panic!("it never came that {what}:\n{}", self.screen());
    }

    fn kill(&mut self) {
        if let Some(life) = self.life.take() {
            self.now_ms = life.runtime.block_on(async { life.clock.now_ms() });
        }
    }

    fn begin(&mut self, which: Which) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .expect("a runtime can be made");
        let local = LocalSet::new();
        let (sender, events) = mpsc::channel(EVENTS_MAX);
        // Every life draws its ids from seeds of its own.
        let seed = (self.setup.seed << 32) + (self.life_count << 24);
        let clock = runtime.block_on(async { Arc::new(TestClock::start(self.now_ms, seed)) });
        let host = self.witness.over(BuiltinHost::new(self.host_parts(Arc::clone(&clock))));
        let terminal: Box<dyn Terminal> = self.window.open(Painter::new(), sender.clone());
        let parts = InterfaceParts { terminal, events, host, clock: Arc::clone(&clock) as _ };
        let options = InterfaceOptions { which, ui: self.ui_options() };
        let interface = local.spawn_local(runtime::run(parts, options));
        self.life = Some(Life { interface, events: sender, clock, exit: None, local, runtime });
        self.life_count += 1;
        self.tell(Vec::new(), Duration::ZERO);
    }

    fn host_parts(&self, clock: Arc<TestClock>) -> HostParts {
        let workspace = match self.setup.tools {
            Tools::Scripted => PathBuf::from(WORKSPACE),
            Tools::Real => {
                std::fs::create_dir_all(self.workspace()).expect("the temporary directory can be written");
                self.workspace()
            }
        };
        let (journal, blobs) = (self.journal_path(), self.directory.path().join("blobs"));
        let (tools, disk, witness) = (self.setup.tools, self.disk.clone(), self.witness.clone());
        HostParts {
            model_choice: ModelChoice::Named,
            config: agent::Config {
                agent_name: "eukhe".to_owned(),
                workspace: WORKSPACE.to_owned(),
                profile: AccessProfile::Trusted,
                tour: false,
                model: ModelRef { provider: "script".to_owned(), id: "model".to_owned() },
                limits: self.limits(),
            },
            system: "Answer as the script says.".to_owned(),
            notices: self.setup.notices.clone(),
            provider: Arc::new(self.model.clone()),
            tools: Arc::new(self.make_tools()),
            tool_context: Box::new(move || ToolContext {
                workspace: workspace.clone(),
                blobs: blobs.clone(),
                seen: match tools {
                    Tools::Scripted => Arc::new(NothingSeen),
                    Tools::Real => Arc::new(tools::Seen::default()),
                },
            }),
            journal: Box::new(move || {
                let inner = store::SqliteJournal::open(&journal)?;
                Ok(Box::new(FaultyJournal { inner, disk: disk.clone(), witness: witness.clone() }))
            }),
            clock,
            home: self.setup.home,
        }
    }

    fn make_tools(&self) -> Vec<Box<dyn Tool>> {
        match self.setup.tools {
            Tools::Scripted => self.tools.tools(),
            Tools::Real => {
                tools::all(tools::BashOptions { shell: PathBuf::from("/bin/sh"), timeout_s: 120, timeout_s_max: 600 })
            }
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            steps_max: 20,
            tool_calls_max: 40,
            queued_max: 32,
            retry: Retry { enabled: true, retries_max: 3, base_delay_ms: 2_000, delay_max_ms: 60_000 },
            first_byte_ms: None,
            stall_ms: self.setup.stall_ms,
            interrupt_ms: 200,
        }
    }

    fn ui_options(&self) -> ui::Options {
        let (theme, _warnings) = theme::resolve("dark", &[]);
        ui::Options {
            mode: self.setup.mode,
            size: Some(self.window.size()),
            theme_setting: "dark".to_owned(),
            theme,
            depth: theme::Depth::True,
            background: settings::Background::Terminal,
            pace: transcript::PaceRate { chars_min: 2, lag: 3 },
            detail: ui::Detail::Overview,
            splash: self.setup.splash,
            title: ui::TitleChoice::Untouched,
            version: "0.0.0".to_owned(),
            model: "script/model".to_owned(),
            workspace: WORKSPACE.to_owned(),
            home: Some("/home/you".to_owned()),
            warnings: self.setup.warnings.clone(),
            farewell: Some("`eukhe -c` goes on with this session".to_owned()),
            prompt: self.setup.prompt.clone(),
        }
    }
}

impl Life {
    /// Takes the exit code of a program that has ended; its panic is the test's.
    fn note_exit(&mut self) {
        if self.exit.is_none() && self.interface.is_finished() {
            let ended = self.runtime.block_on(&mut self.interface);
            self.exit = Some(ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())));
        }
    }
}

/// Puts `01234567` for the short id of a session: which one it is depends on how often the clock was read.
fn with_even_id(row: &str) -> String {
    let named = ["session · ", "session "].into_iter().find_map(|words| Some(row.find(words)? + words.len()));
    let Some(start) = named else { return row.to_owned() };
    let (before, after) = row.split_at(start);
    match after.get(..8) {
        Some(id) if id.bytes().all(|byte| byte.is_ascii_hexdigit()) => format!("{before}01234567{}", &after[8..]),
        Some(_) | None => row.to_owned(),
    }
}

fn typed(character: char) -> TerminalEvent {
    TerminalEvent::Key(Key::char(character))
}
