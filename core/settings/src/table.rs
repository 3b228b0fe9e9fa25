//! The table of settings: one row each, from which reading, help and docs are made.
//! Holds no values: those are in `value`.

use std::ops::RangeInclusive;

use crate::{Background, Colors, Detail, Patience, Settings};

/// One setting.
pub struct Row {
    /// Objects and members joined by dots, as in `terminal.fullscreen`.
    pub key: &'static str,
    pub(crate) kind: Kind,
    /// The default as it would be written in a file; none where nothing is set.
    pub default: Option<&'static str>,
    pub scope: Scope,
    /// What it does, in one sentence.
    pub help: &'static str,
}

/// Where a setting counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Only in the global file.
    Global,
    /// In both files.
    Project,
    /// In the global file, and in that of a trusted project.
    Trusted,
}

/// What may be written, and where it goes.
pub(crate) enum Kind {
    Flag(fn(&mut Settings, bool)),
    Whole {
        range: RangeInclusive<u64>,
        set: fn(&mut Settings, u64),
    },
    Choice {
        names: &'static [&'static str],
        set: fn(&mut Settings, usize),
    },
    Text {
        what: &'static str,
        set: fn(&mut Settings, String),
    },
    /// `provider/id`.
    Model(fn(&mut Settings, String)),
}

impl Row {
    /// Says what may be written, for warnings and docs.
    pub fn expected(&self) -> String {
        match &self.kind {
            Kind::Flag(_) => "true or false".to_owned(),
            Kind::Whole { range, .. } if *range.end() == u64::MAX => {
                format!("a whole number from {}", range.start())
            }
            Kind::Whole { range, .. } => format!("a whole number from {} to {}", range.start(), range.end()),
            Kind::Choice { names, .. } => format!("one of \"{}\"", names.join("\", \"")),
            Kind::Text { what, .. } => (*what).to_owned(),
            Kind::Model(_) => "a model as \"provider/id\"".to_owned(),
        }
    }
}

const DETAILS: [Detail; 3] = [Detail::Overview, Detail::Details, Detail::All];
const COLORS: [Colors; 5] = [Colors::Auto, Colors::Truecolor, Colors::Indexed256, Colors::Named16, Colors::Off];
const BACKGROUNDS: [Background; 3] = [Background::Auto, Background::Theme, Background::Terminal];

/// All settings, in the order in which they are documented.
pub const TABLE: &[Row] = &[
    Row {
        key: "theme",
        kind: Kind::Text { what: "the name of a theme in quotes", set: |settings, name| settings.theme = name },
        default: Some("\"\""),
        scope: Scope::Project,
        help: "The theme: a name, or `auto` for one that fits the terminal's background; empty is `eukhe`.",
    },
    Row {
        key: "quietStartup",
        kind: Kind::Flag(|settings, on| settings.quiet_start = on),
        default: Some("false"),
        scope: Scope::Project,
        help: "Starts without the splash.",
    },
    Row {
        key: "chatDetail",
        kind: Kind::Choice {
            names: &["overview", "details", "all"],
            set: |settings, index| settings.detail = DETAILS[index],
        },
        default: Some("\"overview\""),
        scope: Scope::Project,
        help: "How much of tool cards and thinking is shown.",
    },
    Row {
        key: "terminal.fullscreen",
        kind: Kind::Flag(|settings, on| settings.terminal.fullscreen = on),
        default: Some("true"),
        scope: Scope::Project,
        help: "Uses the alternate screen; false writes the transcript into the terminal's own scrollback.",
    },
    Row {
        key: "terminal.streamPace.minChars",
        kind: Kind::Whole { range: 0..=u64::MAX, set: |settings, count| settings.terminal.pace.min_chars = count },
        default: Some("2"),
        scope: Scope::Project,
        help: "The least characters of a streaming answer that a frame reveals; 0 reads as 1.",
    },
    Row {
        key: "terminal.streamPace.lag",
        kind: Kind::Whole { range: 0..=u64::MAX, set: |settings, lag| settings.terminal.pace.lag = lag },
        default: Some("3"),
        scope: Scope::Project,
        help: "A frame reveals 1/(1 + lag) of what has come and is not shown yet; 0 shows all at once.",
    },
    Row {
        key: "terminal.colors",
        kind: Kind::Choice {
            names: &["auto", "truecolor", "256", "16", "none"],
            set: |settings, index| settings.terminal.colors = COLORS[index],
        },
        default: Some("\"auto\""),
        scope: Scope::Global,
        help: "How many colors the terminal gets.",
    },
    Row {
        key: "terminal.background",
        kind: Kind::Choice {
            names: &["auto", "theme", "terminal"],
            set: |settings, index| settings.terminal.background = BACKGROUNDS[index],
        },
        default: Some("\"auto\""),
        scope: Scope::Project,
        help: "Whether the theme or the terminal gives the background.",
    },
    Row {
        key: "terminal.title",
        kind: Kind::Flag(|settings, on| settings.terminal.title = on),
        default: Some("true"),
        scope: Scope::Project,
        help: "Shows the workspace and whether work runs in the window's title.",
    },
    Row {
        key: "models.main.model",
        kind: Kind::Model(|settings, model| settings.model = Some(model)),
        default: None,
        scope: Scope::Trusted,
        help: "The model that answers; a string in the place of `models.main` is the same.",
    },
    Row {
        key: "retry.enabled",
        kind: Kind::Flag(|settings, on| settings.retry.enabled = on),
        default: Some("true"),
        scope: Scope::Project,
        help: "Repeats failed requests that may succeed later.",
    },
    Row {
        key: "retry.maxRetries",
        kind: Kind::Whole { range: 0..=20, set: |settings, count| settings.retry.retries_max = count },
        default: Some("3"),
        scope: Scope::Project,
        help: "How often a request is repeated.",
    },
    Row {
        key: "retry.baseDelayMs",
        kind: Kind::Whole { range: 100..=3_600_000, set: |settings, ms| settings.retry.base_delay_ms = ms },
        default: Some("2000"),
        scope: Scope::Project,
        help: "The wait before the first repetition, in milliseconds; it doubles each time.",
    },
    Row {
        key: "retry.maxDelayMs",
        kind: Kind::Whole { range: 100..=3_600_000, set: |settings, ms| settings.retry.delay_ms_max = ms },
        default: Some("60000"),
        scope: Scope::Project,
        help: "The longest wait between repetitions, in milliseconds; a longer one the server asks for counts.",
    },
    Row {
        key: "timeouts.connectMs",
        kind: Kind::Whole { range: 1_000..=600_000, set: |settings, ms| settings.timeouts.connect_ms = ms },
        default: Some("15000"),
        scope: Scope::Project,
        help: "How long connecting to a model's host may take, in milliseconds.",
    },
    Row {
        key: "timeouts.firstByteMs",
        kind: Kind::Whole {
            range: 0..=3_600_000,
            set: |settings, ms| settings.timeouts.first_byte = Patience::Chosen { ms },
        },
        default: Some("300000"),
        scope: Scope::Project,
        help: "How long a host may take to begin its answer, in milliseconds; 0 is no limit, a local host has none unless set.",
    },
    Row {
        key: "timeouts.stallMs",
        kind: Kind::Whole {
            range: 0..=3_600_000,
            set: |settings, ms| settings.timeouts.stall = Patience::Chosen { ms },
        },
        default: Some("120000"),
        scope: Scope::Project,
        help: "The longest silence in an answer, in milliseconds; 0 is no limit, a local host has none unless set.",
    },
    Row {
        key: "turn.stepsMax",
        kind: Kind::Whole { range: 0..=100_000, set: |settings, count| settings.turn.steps_max = count },
        default: Some("200"),
        scope: Scope::Project,
        help: "How many requests a turn may make before it ends and says so; 0 is no limit.",
    },
    Row {
        key: "turn.toolCallsMax",
        kind: Kind::Whole { range: 0..=100_000, set: |settings, count| settings.turn.tool_calls_max = count },
        default: Some("1000"),
        scope: Scope::Project,
        help: "How many tool calls a turn may make before it ends and says so; 0 is no limit.",
    },
    Row {
        key: "shellPath",
        kind: Kind::Text { what: "the path of a shell in quotes", set: |settings, path| settings.shell_path = path },
        default: Some("\"\""),
        scope: Scope::Trusted,
        help: "The shell that runs the agent's commands; empty is `$SHELL`, else `/bin/sh`.",
    },
    Row {
        key: "bash.timeoutSeconds",
        kind: Kind::Whole { range: 1..=86_400, set: |settings, seconds| settings.bash.timeout_s = seconds },
        default: Some("120"),
        scope: Scope::Project,
        help: "How long a command may run that names no time of its own, in seconds.",
    },
    Row {
        key: "bash.timeoutMaxSeconds",
        kind: Kind::Whole { range: 1..=86_400, set: |settings, seconds| settings.bash.timeout_s_max = seconds },
        default: Some("3600"),
        scope: Scope::Project,
        help: "The longest time a command may name, in seconds.",
    },
];
