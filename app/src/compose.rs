//! The composition: the terminal before host and loops, so that a frame is out before any journal is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ports::{Journal as _, JournalError, Provider, TerminalEvent, Tool, ToolContext, Which};
use protocol::{AccessProfile, ModelRef};
use provider::{Environment, Http, Scripted};
use runtime::{BuiltinHost, HostParts, InterfaceOptions, InterfaceParts, ModelChoice, SystemClock};
use settings::{Host, Settings};
use store::{Home, SqliteJournal};
use tempfile::TempDir;
use terminal::Tty;
use tokio::sync::mpsc;
use tools::BashOptions;

use crate::arguments::Arguments;
use crate::{log, look};

const SYSTEM: &str = include_str!("system.md");
const TOUR_NOTICE: &str = "this is the tour: a scripted model with real tools in a temporary workspace. A real model: \
    ANTHROPIC_API_KEY=… eukhe, or OPENAI_API_KEY=… eukhe --model openai/gpt-5, or OPENAI_BASE_URL=… for a local one";
const SANDBOX_NOTICE: &str = "there is no sandbox yet: an approved command can do all that you can";
/// Terminal events that wait for the interface; a reader that is ahead waits, and no key is lost.
const TERMINAL_EVENTS_MAX: usize = 4_096;
/// How long an interrupted turn waits for its tools.
const INTERRUPT_MS: u64 = 150;
const QUEUED_MAX: usize = 32;

/// Runs the program and returns its exit code.
pub fn run(arguments: &Arguments) -> anyhow::Result<i32> {
    let home = open_home()?;
    log::start(&home);
    let directory = working_directory(arguments)?;
    let (settings, warnings) = home.settings(&directory);
    let environment = Environment::collect(|name| std::env::var(name).ok());
    let (mut model, model_warning) = model(arguments, &settings, &environment);
    if arguments.go_on && model == provider::tour() {
        // Without a key the session is opened all the same; the first prompt then says what is missing.
        model = stored_model(&home, &directory).unwrap_or(model);
    }
    let workspace = Workspace::new(&model, directory)?;
    let shown = workspace.path().display().to_string();
    let warnings: Vec<settings::Warning> = warnings.into_iter().chain(model_warning).collect();
    for warning in &warnings {
        tracing::warn!(component = "settings", "{}", warning.sentence);
    }
    let options =
        look::options(look::Known { arguments, settings: &settings, warnings, model: &model, workspace: &shown });

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (sender, events) = mpsc::channel(TERMINAL_EVENTS_MAX);
    let terminal = open_terminal(sender)?;
    let clock = Arc::new(SystemClock::new().context("the system gives no randomness")?);
    let plan = Plan {
        home: &home,
        settings: &settings,
        environment: &environment,
        model: &model,
        model_choice: if arguments.model.is_some() { ModelChoice::Named } else { ModelChoice::Found },
        workspace: &workspace,
    };
    let host = host(&plan, clock.clone());
    let which = if arguments.go_on { Which::Newest } else { Which::New };
    let parts = InterfaceParts { terminal, events, host: Arc::new(host), clock };
    let code = runtime.block_on(runtime::run(parts, InterfaceOptions { which, ui: options }));
    runtime.shutdown_background();
    Ok(code)
}

fn open_home() -> anyhow::Result<Home> {
    let user_home = std::env::var_os("HOME").map(PathBuf::from);
    let path = Home::locate(std::env::var_os("EUKHE_DIR").as_deref(), user_home.as_deref())?;
    Ok(Home::open(path)?)
}

fn working_directory(arguments: &Arguments) -> anyhow::Result<PathBuf> {
    let directory = match &arguments.cwd {
        Some(directory) => directory.clone(),
        None => std::env::current_dir().context("the working directory is gone; change to another one")?,
    };
    let canonical = directory.canonicalize();
    canonical.with_context(|| format!("{} cannot be opened; name another directory with --cwd", directory.display()))
}

fn open_terminal(sender: mpsc::Sender<TerminalEvent>) -> anyhow::Result<Box<dyn ports::Terminal>> {
    // A full channel holds the reader; what is typed meanwhile waits in the terminal's own buffer.
    let sink: terminal::Sink = Arc::new(move |event| drop(sender.blocking_send(event)));
    let opened = terminal::Options::of_process(runtime::AGENT_THREAD).and_then(|options| Tty::open(options, sink));
    Ok(Box::new(opened.context("the terminal cannot be set up")?))
}

/// The model of this run; a setting that names none is told and passed over.
fn model(
    arguments: &Arguments,
    settings: &Settings,
    environment: &Environment,
) -> (ModelRef, Option<settings::Warning>) {
    if arguments.is_tour() {
        return (provider::tour(), None);
    }
    let set = settings.model.as_deref().map(str::parse::<ModelRef>);
    let (setting, warning) = match set {
        Some(Ok(model)) => (Some(model), None),
        Some(Err(reason)) => (None, Some(settings::Warning { sentence: format!("models.main.model: {reason}") })),
        None => (None, None),
    };
    (provider::pick(environment, arguments.model.clone(), setting), warning)
}

/// The model of the newest session of a workspace, if there is one that can be read.
fn stored_model(home: &Home, directory: &Path) -> Option<ModelRef> {
    let mut journal = SqliteJournal::open(&home.journal()).ok()?;
    let newest = journal.newest(&directory.display().to_string()).ok()??;
    runtime::model_of(&journal.read(newest.session, 0).ok()?)
}

/// Where the tools work: the working directory, or the tour's temporary one, which goes with the program.
enum Workspace {
    Real(PathBuf),
    Tour { path: PathBuf, _folder: TempDir },
}

impl Workspace {
    fn new(model: &ModelRef, directory: PathBuf) -> anyhow::Result<Self> {
        if *model != provider::tour() {
            return Ok(Self::Real(directory));
        }
        let folder = tempfile::Builder::new().prefix("eukhe-tour-").tempdir()?;
        for (name, text) in provider::tour_files() {
            let path = folder.path().join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, text)?;
        }
        let path = folder.path().canonicalize()?;
        Ok(Self::Tour { path, _folder: folder })
    }

    fn path(&self) -> &Path {
        match self {
            Self::Real(path) | Self::Tour { path, .. } => path,
        }
    }

    fn is_tour(&self) -> bool {
        matches!(self, Self::Tour { .. })
    }
}

/// What this run comes to, before anything is opened.
struct Plan<'a> {
    home: &'a Home,
    settings: &'a Settings,
    environment: &'a Environment,
    model: &'a ModelRef,
    model_choice: ModelChoice,
    workspace: &'a Workspace,
}

fn host(plan: &Plan, clock: Arc<SystemClock>) -> BuiltinHost {
    let Plan { home, settings, environment, model, model_choice, workspace } = *plan;
    let http = Http::new(environment, Some(Duration::from_millis(settings.timeouts.connect_ms)));
    let place = if workspace.is_tour() || http.is_local(model) { Host::Local } else { Host::Remote };
    let provider: Arc<dyn Provider> = if workspace.is_tour() { Arc::new(Scripted) } else { Arc::new(http) };
    let root = workspace.path().to_owned();
    let mut notices = vec![SANDBOX_NOTICE.to_owned()];
    if workspace.is_tour() {
        notices.insert(0, TOUR_NOTICE.to_owned());
    }
    let (blobs, journal) = (home.blobs(), home.journal());
    let context_root = root.clone();
    BuiltinHost::new(HostParts {
        model_choice,
        config: config(settings, model, &root, workspace.is_tour(), place),
        system: SYSTEM.replace("{workspace}", &root.display().to_string()),
        notices,
        provider,
        tools: Arc::new(tools(settings)),
        tool_context: Box::new(move || ToolContext {
            workspace: context_root.clone(),
            blobs: blobs.clone(),
            seen: Arc::new(tools::Seen::default()),
        }),
        journal: Box::new(move || -> Result<Box<dyn ports::Journal>, JournalError> {
            Ok(Box::new(SqliteJournal::open(&journal)?))
        }),
        clock,
        home: runtime::Home::OwnThread,
    })
}

fn tools(settings: &Settings) -> Vec<Box<dyn Tool>> {
    let user_shell = std::env::var_os("SHELL");
    tools::all(BashOptions {
        shell: tools::shell(&settings.shell_path, user_shell.as_deref()),
        timeout_s: settings.bash.timeout_s,
        timeout_s_max: settings.bash.timeout_s_max,
    })
}

fn config(settings: &Settings, model: &ModelRef, root: &Path, tour: bool, place: Host) -> agent::Config {
    agent::Config {
        agent_name: "eukhe".to_owned(),
        workspace: root.display().to_string(),
        profile: AccessProfile::Trusted,
        tour,
        model: model.clone(),
        limits: agent::Limits {
            steps_max: settings.turn.steps_max,
            tool_calls_max: settings.turn.tool_calls_max,
            queued_max: QUEUED_MAX,
            retry: agent::Retry {
                enabled: settings.retry.enabled,
                retries_max: u32::try_from(settings.retry.retries_max).unwrap_or(u32::MAX),
                base_delay_ms: settings.retry.base_delay_ms,
                delay_max_ms: settings.retry.delay_ms_max,
            },
            first_byte_ms: settings.timeouts.first_byte.limit_ms(place),
            stall_ms: settings.timeouts.stall.limit_ms(place),
            interrupt_ms: INTERRUPT_MS,
        },
    }
}
