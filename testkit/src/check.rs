//! `check`: a script in, the cells of the window out. The only place that knows how a test is run.

use runtime::Home;
use screen::Size;
use similar::TextDiff;
use ui::{Mode, SplashChoice};

use crate::kit::{Setup, Testkit, Tools};
use crate::script::size;

/// Plays a script inline in a window of 60 x 16, and compares all that can be read there.
#[track_caller]
pub fn check(script: &str, expected: &str) {
    Check::inline("60x16").plays(script, expected);
}

/// How a script is played, where the plain way will not do.
#[derive(Clone, Debug)]
pub struct Check {
    setup: Setup,
}

impl Check {
    /// The normal screen: what is printed is scrollback and screen.
    pub fn inline(window: &str) -> Self {
        Self::new(Mode::Inline, size(window))
    }

    /// The alternate screen: what is printed is the screen.
    pub fn fullscreen(window: &str) -> Self {
        Self::new(Mode::Fullscreen, size(window))
    }

    /// With the splash of a new session.
    pub fn with_splash(mut self) -> Self {
        self.setup.splash = SplashChoice::Shown;
        self
    }

    /// With the real tools, in a temporary workspace.
    pub fn with_real_tools(mut self) -> Self {
        self.setup.tools = Tools::Real;
        self
    }

    pub fn with_notice(mut self, notice: &str) -> Self {
        self.setup.notices.push(notice.to_owned());
        self
    }

    pub fn with_warning(mut self, warning: &str) -> Self {
        self.setup.warnings.push(warning.to_owned());
        self
    }

    /// With a prompt given on the command line.
    pub fn with_prompt(mut self, prompt: &str) -> Self {
        self.setup.prompt = Some(prompt.to_owned());
        self
    }

    /// With a limit on the silence in a stream.
    pub fn with_stall_limit(mut self, stall_ms: u64) -> Self {
        self.setup.stall_ms = Some(stall_ms);
        self
    }

    /// With the agent on a thread of its own, as the program has it; the script must wait for it by `<until …>`.
    pub fn with_own_thread(mut self) -> Self {
        self.setup.home = Home::OwnThread;
        self
    }

    pub fn setup(self) -> Setup {
        self.setup
    }

    /// Plays the script, and compares what can be read in the window at its end.
    #[track_caller]
    pub fn plays(self, script: &str, expected: &str) {
        let mut kit = Testkit::start(self.setup);
        kit.play(script);
        let (shown, expected) = (kit.screen(), trimmed(expected));
        if shown != expected {
            panic!(
                "the window reads otherwise after\n{script}\n\n{}\nall of it:\n\n{shown}\n",
                diff(&expected, &shown)
            );
        }
        assert_eq!(kit.request_faults(), Vec::<String>::new(), "no provider would take these requests");
    }

    fn new(mode: Mode, size: Size) -> Self {
        let setup = Setup {
            mode,
            size,
            splash: SplashChoice::Quiet,
            tools: Tools::Scripted,
            notices: Vec::new(),
            warnings: Vec::new(),
            prompt: None,
            stall_ms: None,
            home: Home::SameRuntime,
            seed: 1,
        };
        Self { setup }
    }
}

/// Without the line breaks a string in a test begins and ends with, and without trailing blanks.
fn trimmed(expected: &str) -> String {
    let rows: Vec<&str> = expected.strip_prefix('\n').unwrap_or(expected).lines().map(str::trim_end).collect();
    let end = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    rows[..end].join("\n")
}

/// Both texts in one, with `-` before what was expected and `+` before what is there.
fn diff(expected: &str, shown: &str) -> String {
    let changes = TextDiff::from_lines(expected, shown);
    changes.iter_all_changes().map(|change| format!("{} {}\n", change.tag(), change.value().trim_end())).collect()
}
