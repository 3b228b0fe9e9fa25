//! The settings as types, with their defaults. The texts they are written as stand in `table`.

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// A theme's name, `auto`, or empty for the program's own.
    pub theme: String,
    pub quiet_start: bool,
    pub detail: Detail,
    pub terminal: TerminalSettings,
    /// The main model as `provider/id`; none: it is looked for.
    pub model: Option<String>,
    pub retry: Retry,
    pub timeouts: Timeouts,
    pub turn: Turn,
    /// The shell of `bash`; empty: the user's own.
    pub shell_path: String,
    pub bash: Bash,
}

/// How much of cards and thinking is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    Overview,
    Details,
    All,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalSettings {
    /// The alternate screen; else inline.
    pub fullscreen: bool,
    pub pace: StreamPace,
    pub colors: Colors,
    pub background: Background,
    /// The window's title tells the workspace and whether work runs.
    pub title: bool,
}

/// How fast a streaming answer is revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamPace {
    /// The least characters a frame reveals; 0 reads as 1.
    pub min_chars: u64,
    /// A frame reveals 1/(1 + lag) of the backlog.
    pub lag: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    Auto,
    Truecolor,
    Indexed256,
    Named16,
    Off,
}

/// Who gives the background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Background {
    Auto,
    Theme,
    Terminal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retry {
    pub enabled: bool,
    pub retries_max: u64,
    /// The first wait; each further one doubles.
    pub base_delay_ms: u64,
    pub delay_ms_max: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    pub connect_ms: u64,
    pub first_byte: Patience,
    /// The longest silence in a stream.
    pub stall: Patience,
}

/// How long a host may be silent. A local one may load a model first, so only a chosen limit holds for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    Default {
        ms: u64,
    },
    /// Written in a file; 0 is no limit.
    Chosen {
        ms: u64,
    },
}

/// Where a model's host is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// On loopback or a private address.
    Local,
    Remote,
}

impl Patience {
    /// Returns the limit in milliseconds for such a host, none if there is none.
    pub fn limit_ms(self, host: Host) -> Option<u64> {
        match (self, host) {
            (Self::Default { .. }, Host::Local) => None,
            (Self::Default { ms }, Host::Remote) | (Self::Chosen { ms }, Host::Local | Host::Remote) => {
                (ms > 0).then_some(ms)
            }
        }
    }
}

/// Limits of one turn; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub steps_max: u64,
    pub tool_calls_max: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bash {
    /// The time limit of a command that names none.
    pub timeout_s: u64,
    /// The longest a command may ask for.
    pub timeout_s_max: u64,
}

impl Default for Settings {
    /// What holds where no file says otherwise.
    fn default() -> Self {
        Self {
            theme: String::new(),
            quiet_start: false,
            detail: Detail::Overview,
            terminal: TerminalSettings {
                fullscreen: true,
                pace: StreamPace { min_chars: 2, lag: 3 },
                colors: Colors::Auto,
                background: Background::Auto,
                title: true,
            },
            model: None,
            retry: Retry { enabled: true, retries_max: 3, base_delay_ms: 2_000, delay_ms_max: 60_000 },
            timeouts: Timeouts {
                connect_ms: 15_000,
                first_byte: Patience::Default { ms: 300_000 },
                stall: Patience::Default { ms: 120_000 },
            },
            turn: Turn { steps_max: 200, tool_calls_max: 1_000 },
            shell_path: String::new(),
            bash: Bash { timeout_s: 120, timeout_s_max: 3_600 },
        }
    }
}
