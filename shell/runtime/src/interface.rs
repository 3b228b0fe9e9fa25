//! The interface loop: drains what has come, updates, views once, paints once.
//! Decides nothing: `ui` says what to do, `frames` when a frame may go out.

use std::sync::Arc;

use futures::FutureExt;
use ports::{Clock, Fate, Host, Terminal, TerminalEvent, Which};
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant, timeout};
use ui::{Model, Msg, Receipt, UiEffect};

use crate::actor::until;
use crate::connection::{Connection, News};
use crate::frames::{Frames, Need};

/// Terminal events taken in one turn of the loop; the rest waits for the next frame.
const TERMINAL_EVENTS_AT_ONCE_MAX: usize = 1024;
/// Agent events taken in one turn of the loop; the rest waits, so that a flood does not hold up a key.
const NEWS_AT_ONCE_MAX: usize = 256;
/// How long a quit waits for an agent that is being opened, replaced or closed; then it is left to itself.
const HANDOFF_MS_MAX: u64 = 11_000;
/// How long the last rows of a closed session may take to the screen; then they are left out.
const LAST_ROWS_MS_MAX: u64 = 400;
/// A frame that is due no sooner than this is not waited for.
const REST_MS: u64 = 16;
/// How long the end waits for the agent when the terminal is gone.
const GONE_MS_MAX: u64 = 1_500;
/// The exit code when the terminal is gone, as for a hangup.
const GONE_CODE: i32 = 129;

/// What an interface drives.
pub struct InterfaceParts {
    pub terminal: Box<dyn Terminal>,
    /// The channel the terminal was opened with.
    pub events: mpsc::Receiver<TerminalEvent>,
    pub host: Arc<dyn Host>,
    pub clock: Arc<dyn Clock>,
}

pub struct InterfaceOptions {
    /// The session to begin with.
    pub which: Which,
    pub ui: ui::Options,
}

/// Runs the interface until it ends, and returns the exit code.
pub async fn run(parts: InterfaceParts, options: InterfaceOptions) -> i32 {
    let InterfaceParts { terminal, events, host, clock } = parts;
    let interface = Interface {
        terminal,
        events,
        clock,
        model: Model::new(options.ui),
        taken_revision: None,
        flight: None,
        connection: Connection::new(host),
        frames: Frames::default(),
        handoff: None,
        is_gone: false,
    };
    interface.run(options.which).await
}

struct Interface {
    terminal: Box<dyn Terminal>,
    events: mpsc::Receiver<TerminalEvent>,
    clock: Arc<dyn Clock>,
    model: Model,
    /// The model's revision in the last frame the terminal took.
    taken_revision: Option<u64>,
    flight: Option<Flight>,
    connection: Connection,
    frames: Frames,
    handoff: Option<Handoff>,
    /// The terminal is gone.
    is_gone: bool,
}

/// The frame that is with the terminal.
struct Flight {
    number: u64,
    revision: u64,
    receipt: Receipt,
}

/// The present agent is being closed: its last rows come to the screen, then something else follows.
struct Handoff {
    to: Next,
    began: Instant,
    closed: Option<Instant>,
}

enum Next {
    NewSession,
    Exit { code: i32, farewell: Vec<String> },
}

impl Interface {
    async fn run(mut self, which: Which) -> i32 {
        // The first frame waits for nothing, least of all for a journal.
        self.paint_if_due();
        self.connection.open(which);
        loop {
            let need = self.need();
            self.wait(need).await;
            self.drain();
            if self.is_gone {
                return self.end_without_terminal().await;
            }
            self.step_if_due(need);
            self.paint_if_due();
            let handoff = if self.may_hand_off() { self.handoff.take() } else { None };
            match handoff.map(|handoff| handoff.to) {
                Some(Next::NewSession) => self.connection.open(Which::New),
                Some(Next::Exit { code, farewell }) => {
                    self.terminal.leave(farewell);
                    return code;
                }
                None => {}
            }
        }
    }

    /// Waits for one thing to happen, and takes it.
    async fn wait(&mut self, need: Need) {
        let now = Instant::now();
        // Nothing that an agent says is seen before the next frame; a wake-up each would cost more than the frame.
        let news_from = if self.handoff.is_none() { self.frames.news_from(now) } else { None };
        let due = [self.frames.due(need, now), self.handoff.as_ref().map(Handoff::deadline), news_from];
        tokio::select! {
            // Keys before events: a fast agent never holds up what is typed.
            biased;
            event = self.events.recv() => self.take_terminal(event.unwrap_or_else(channel_closed)),
            news = self.connection.news(), if news_from.is_none() => self.take_news(news),
            () = until(due.into_iter().flatten().min()) => {}
        }
    }

    /// Takes what else has come by now.
    fn drain(&mut self) {
        for _ in 0..TERMINAL_EVENTS_AT_ONCE_MAX {
            match self.events.try_recv() {
                Ok(event) if !self.is_gone => self.take_terminal(event),
                Ok(_) | Err(_) => break,
            }
        }
        for _ in 0..NEWS_AT_ONCE_MAX {
            if self.is_gone {
                break;
            }
            match self.connection.news().now_or_never() {
                Some(news) => self.take_news(news),
                None => break,
            }
        }
    }

    fn take_terminal(&mut self, event: TerminalEvent) {
        self.terminal.note_read();
        if matches!(event, TerminalEvent::Key(_) | TerminalEvent::Paste(_)) {
            self.frames.note_key();
        }
        let msg = match event {
            TerminalEvent::Key(key) => Msg::Key(key),
            TerminalEvent::Paste(text) => Msg::Paste(text),
            TerminalEvent::Mouse(mouse) => Msg::Mouse(mouse),
            TerminalEvent::Focus(is_focused) => Msg::Focus(is_focused),
            TerminalEvent::Resized(size) => Msg::Resized(size),
            TerminalEvent::Painted { frame, fate } => {
                let Some(flight) = self.flight.take_if(|flight| flight.number == frame) else { return };
                self.frames.note_fate();
                match fate {
                    Fate::Written => {
                        self.taken_revision = Some(flight.revision);
                        Msg::Painted { frame, receipt: flight.receipt }
                    }
                    Fate::Stale { size } => Msg::FrameStale { frame, size },
                }
            }
            TerminalEvent::Background { red, green, blue } => Msg::Background { red, green, blue },
            TerminalEvent::Resumed => Msg::Resumed,
            TerminalEvent::Terminate { code } => Msg::Terminate { code },
            TerminalEvent::Gone { reason } => {
                tracing::warn!(component = "terminal", reason, "the terminal is gone");
                self.is_gone = true;
                return;
            }
        };
        self.update(msg);
    }

    fn take_news(&mut self, news: News) {
        let msg = match news {
            News::Opened(opened) => Msg::Opened(opened),
            News::OpenFailed(failure) => Msg::OpenFailed(failure),
            News::Event(event) => Msg::Event(event),
            News::RecordsSkipped { count } => Msg::RecordsSkipped { count },
            News::Ended { reason } => Msg::AgentEnded { reason },
            News::Closed => {
                if let Some(handoff) = &mut self.handoff {
                    handoff.closed = Some(Instant::now());
                    // The last rows are all that is still waited for.
                    self.frames.note_key();
                }
                return;
            }
        };
        self.update(msg);
    }

    fn update(&mut self, msg: Msg) {
        self.frames.note_message();
        let effects = ui::update(&mut self.model, self.clock.stamp(), msg);
        for effect in effects {
            self.carry_out(effect);
        }
    }

    fn carry_out(&mut self, effect: UiEffect) {
        match effect {
            UiEffect::Send { id, command } => {
                if let Err(failure) = self.connection.send(id, command) {
                    self.update(Msg::SendFailed { command: id, failure });
                }
            }
            UiEffect::OpenNew => self.hand_off(Next::NewSession),
            UiEffect::Suspend => {
                if let Err(reason) = self.terminal.suspend() {
                    self.update(Msg::SuspendRefused { reason });
                }
            }
            UiEffect::Quit { code, farewell } => self.hand_off(Next::Exit { code, farewell }),
        }
    }

    /// Closes the agent for the sake of what follows; nothing takes the place of an exit.
    fn hand_off(&mut self, to: Next) {
        if self.handoff.as_ref().is_some_and(|handoff| matches!(handoff.to, Next::Exit { .. })) {
            return;
        }
        self.connection.close();
        self.handoff = Some(Handoff { to, began: Instant::now(), closed: None });
    }

    /// Whether the agent is closed and its last rows are on the screen, or that has taken too long.
    fn may_hand_off(&self) -> bool {
        let now = Instant::now();
        let is_at_rest = || {
            let next = self.need().wake.is_none_or(|wake| wake >= now + Duration::from_millis(REST_MS));
            next && self.flight.is_none() && !self.is_dirty()
        };
        self.handoff
            .as_ref()
            .is_some_and(|handoff| handoff.deadline() <= now || handoff.closed.is_some() && is_at_rest())
    }

    /// Lets text that is behind catch up, and icons move, when it is time.
    /// `before` is what the model needed before the wait: asked now, it would name the moment after this one.
    fn step_if_due(&mut self, before: Need) {
        let wake = before.wake.into_iter().chain(self.need().wake).min();
        if self.frames.take_step(wake, Instant::now()) {
            self.update(Msg::Frame);
        }
    }

    fn paint_if_due(&mut self) {
        let now = Instant::now();
        let Some(number) = self.frames.take_turn(self.is_dirty(), now) else { return };
        let revision = self.model.revision();
        match ui::view(&self.model, self.clock.stamp().at_ms, number) {
            Some(ui::View { frame, receipt }) => {
                self.flight = Some(Flight { number, revision, receipt });
                self.frames.note_painted(number, now);
                self.terminal.paint(frame);
            }
            None => self.frames.note_nothing_to_paint(),
        }
    }

    fn need(&self) -> Need {
        let now_ms = self.clock.stamp().at_ms;
        let wake = self.model.wake_at(now_ms);
        Need {
            is_dirty: self.is_dirty(),
            wake: wake.map(|wake| Instant::now() + Duration::from_millis(wake.saturating_sub(now_ms))),
        }
    }

    /// Whether a frame might differ from the last one the terminal took.
    fn is_dirty(&self) -> bool {
        self.taken_revision != Some(self.model.revision())
    }

    /// Closes the agent in bounded time, and undoes what can be undone of a terminal that is gone.
    async fn end_without_terminal(mut self) -> i32 {
        self.connection.close();
        let closed = async { while !matches!(self.connection.news().await, News::Closed) {} };
        if timeout(Duration::from_millis(GONE_MS_MAX), closed).await.is_err() {
            tracing::warn!(component = "runtime", GONE_MS_MAX, "the agent did not close in time");
        }
        self.terminal.leave(Vec::new());
        GONE_CODE
    }
}

impl Handoff {
    /// When what follows waits no longer.
    fn deadline(&self) -> Instant {
        match self.closed {
            Some(closed) => closed + Duration::from_millis(LAST_ROWS_MS_MAX),
            None => self.began + Duration::from_millis(HANDOFF_MS_MAX),
        }
    }
}

fn channel_closed() -> TerminalEvent {
    TerminalEvent::Gone { reason: "the terminal sends no more events".to_owned() }
}
