//! The state of the interface, and nothing that could be derived from it.

use std::cell::RefCell;
use std::sync::Arc;

use protocol::{CommandId, GateId, LoopId, SessionId};
use screen::{Palette, Row, Size};
use theme::{Depth, Theme};
use transcript::{EntryId, PaceRate, Transcript};

use crate::composer::Composer;
use crate::entry::{Detail, RowCache};
use crate::gate_prompt::{Draft, GatePrompt};
use crate::ladder::{Ladder, Situation};
use crate::menu::Menu;
use crate::outbox::Outbox;
use crate::overlay::Overlay;
use crate::toast::Toasts;
use crate::viewport::Viewport;
use crate::working_row::{Doing, Escape, WorkingRow};

/// What the interface is told once, when it starts.
#[derive(Clone, Debug)]
pub struct Options {
    pub mode: Mode,
    /// None until the terminal tells; nothing is drawn before.
    pub size: Option<Size>,
    /// The setting as written: `auto` follows the terminal's background.
    pub theme_setting: String,
    pub theme: Theme,
    pub depth: Depth,
    pub background: settings::Background,
    pub pace: PaceRate,
    pub detail: Detail,
    pub splash: SplashChoice,
    pub title: TitleChoice,
    pub version: String,
    /// As known before a session is open.
    pub model: String,
    pub workspace: String,
    /// The home directory, shown as `~`.
    pub home: Option<String>,
    /// Sentences about settings that were not taken as written.
    pub warnings: Vec<String>,
    /// Said on leaving a session that has something in it: how to come back.
    pub farewell: Option<String>,
    /// Sent as soon as the session is open.
    pub prompt: Option<String>,
}

/// Which painter shows the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Fullscreen,
    Inline,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplashChoice {
    Shown,
    /// `quietStartup`, or a session that is opened again.
    Quiet,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TitleChoice {
    Set,
    Untouched,
}

pub struct Model {
    pub(crate) options: Options,
    pub(crate) size: Option<Size>,
    pub(crate) palette: Arc<Palette>,
    pub(crate) session: Session,
    pub(crate) transcript: Transcript,
    pub(crate) preface: Preface,
    pub(crate) composer: Composer,
    pub(crate) menu: Menu,
    pub(crate) outbox: Outbox,
    /// Texts on their way back into the composer, oldest first; more may follow with the next event.
    pub(crate) returned: Vec<String>,
    pub(crate) gate: Option<GatePrompt>,
    /// The answer that is on its way, to tell its refusal from others.
    pub(crate) gate_command: Option<CommandId>,
    /// A turn was told to stop and has not ended yet.
    pub(crate) stop: Option<Stop>,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) toasts: Toasts,
    pub(crate) ladder: Ladder,
    pub(crate) viewport: Viewport,
    pub(crate) detail: Detail,
    /// The line Enter was already pressed on once, though it looks like a mistyped command.
    pub(crate) doubted_line: Option<String>,
    /// The newest time any message brought.
    pub(crate) now_ms: u64,
    pub(crate) revision: u64,
    /// Rows by entry: a memory of what `view` computed, never a source of truth.
    pub(crate) cache: RefCell<RowCache>,
}

/// Which session the window has.
#[derive(Clone, Debug)]
pub(crate) enum Session {
    Opening {
        since_ms: Option<u64>,
    },
    /// The old one is being closed and a new one opened.
    Replacing {
        since_ms: u64,
        prompt: Option<String>,
    },
    Open {
        id: SessionId,
        loop_id: Option<LoopId>,
    },
    /// None could be opened; `/new` tries again.
    Failed,
    /// The agent is gone; what was shown stays.
    Ended,
}

/// The rows before the first entry: splash, notices, separator.
#[derive(Clone, Default, Debug)]
pub(crate) struct Preface {
    pub agent_name: String,
    pub model: String,
    pub workspace: String,
    pub profile: String,
    pub notices: Vec<String>,
    /// Instead of a splash: what ended the transcript before this one.
    pub separator: Option<&'static str>,
    pub is_committed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub command: CommandId,
}

/// What a frame held that its painting makes true; opaque to everybody else.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Receipt {
    pub(crate) commits_preface: bool,
    pub(crate) commits_through: Option<EntryId>,
    pub(crate) gate: Option<GateId>,
}

impl Model {
    pub fn new(options: Options) -> Self {
        let canvas = theme::canvas(options.background, &options.theme, None);
        let palette = Arc::new(theme::palette(&options.theme, options.depth, canvas));
        let preface = Preface {
            agent_name: "eukhe".into(),
            model: options.model.clone(),
            workspace: options.workspace.clone(),
            ..Preface::default()
        };
        Self {
            size: options.size,
            palette,
            session: Session::Opening { since_ms: None },
            transcript: Transcript::new(),
            preface,
            composer: Composer::new(),
            menu: Menu::default(),
            outbox: Outbox::default(),
            returned: Vec::new(),
            gate: None,
            gate_command: None,
            stop: None,
            overlay: None,
            toasts: Toasts::default(),
            ladder: Ladder::default(),
            viewport: Viewport::default(),
            detail: options.detail,
            doubted_line: None,
            now_ms: 0,
            revision: 1,
            cache: RefCell::default(),
            options,
        }
    }

    /// Grows with every change that could show.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// When a frame is due without any message, in milliseconds since the epoch; none when idle.
    pub fn wake_at(&self, now_ms: u64) -> Option<u64> {
        let pace = self.transcript.is_behind().then_some(now_ms);
        let working = self.working_row().map(|row| row.wake_at(now_ms));
        let gate = self.gate.as_ref().and_then(GatePrompt::wake_at);
        [pace, working, gate, self.toasts.wake_at(), self.ladder.wake_at(now_ms)].into_iter().flatten().min()
    }

    /// The working row, while work runs or is on its way.
    pub(crate) fn working_row(&self) -> Option<WorkingRow> {
        let plain = |activity, since_ms, escape| WorkingRow {
            activity,
            since_ms,
            output_tokens: 0,
            last_byte_at_ms: None,
            escape,
        };
        match &self.session {
            Session::Replacing { since_ms, .. } => return Some(plain(Doing::Resetting, *since_ms, Escape::Unsaid)),
            Session::Opening { since_ms } => {
                let waits = !self.outbox.is_empty();
                return since_ms.filter(|_| waits).map(|since_ms| plain(Doing::Opening, since_ms, Escape::Unsaid));
            }
            Session::Open { .. } | Session::Failed | Session::Ended => {}
        }
        let escape = self.escape();
        match (self.transcript.work(), self.outbox.since_ms()) {
            (Some(work), _) => {
                let row = WorkingRow::of_work(work, escape);
                Some(if self.stop.is_some() { WorkingRow { activity: Doing::Interrupting, ..row } } else { row })
            }
            (None, Some(since_ms)) => Some(plain(Doing::Sending, since_ms, escape)),
            (None, None) => None,
        }
    }

    /// What Esc does to the work; the ladder decides the same in `ladder`.
    fn escape(&self) -> Escape {
        let situation = self.situation();
        if situation.overlay_open || self.stop.is_some() {
            Escape::Unsaid
        } else if situation.gate_armed {
            Escape::DeniesGate
        } else if situation.menu_open {
            Escape::Unsaid
        } else {
            Escape::Stops { queued_count: self.transcript.queue().len() }
        }
    }

    /// Whether something runs that a stop would end.
    pub(crate) fn is_working(&self) -> bool {
        self.transcript.work().is_some() || self.outbox.since_ms().is_some()
    }

    pub(crate) fn draft(&self) -> Draft {
        if self.composer.is_empty() { Draft::Empty } else { Draft::Written }
    }

    pub(crate) fn situation(&self) -> Situation {
        Situation {
            overlay_open: self.overlay.is_some(),
            gate_armed: self.gate.as_ref().is_some_and(|gate| gate.arming() != crate::gate_prompt::Arming::Unarmed),
            menu_open: self.menu.is_open(),
            stoppable: self.is_working() && self.stop.is_none(),
            draft_written: self.draft() == Draft::Written,
        }
    }

    /// The splash, the notices, or the separator; nothing when a session opened into content quietly.
    pub(crate) fn preface_rows(&self, width_cols: usize) -> Vec<Row> {
        use crate::splash::{Splash, marked, separator, warnings};
        let session = match &self.session {
            Session::Open { id, .. } => Some(id.short()),
            Session::Opening { .. } | Session::Replacing { .. } | Session::Failed | Session::Ended => None,
        };
        let mut rows = Vec::new();
        if let Some(what) = self.preface.separator {
            rows.push(separator(what, session.as_deref().unwrap_or(""), width_cols));
        } else if self.options.splash == SplashChoice::Shown {
            let splash = Splash {
                agent_name: &self.preface.agent_name,
                version: &self.options.version,
                session: session.as_deref(),
                model: &self.preface.model,
                workspace: &self.shortened(&self.preface.workspace),
            };
            rows.extend(splash.rows(width_cols));
        }
        for notice in &self.preface.notices {
            rows.extend(marked(screen::Role::Muted, "•", notice, width_cols));
        }
        rows.extend(warnings(&self.options.warnings, width_cols));
        rows
    }

    /// A path with the home directory as `~`.
    pub(crate) fn shortened(&self, path: &str) -> String {
        let home = self.options.home.as_deref().filter(|home| !home.is_empty());
        match home.and_then(|home| path.strip_prefix(home)) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
            Some(_) | None => path.to_owned(),
        }
    }

    pub(crate) fn touch(&mut self) {
        self.revision += 1;
    }
}
