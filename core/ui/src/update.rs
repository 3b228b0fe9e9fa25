//! What each message does to the model, and what the shell is asked to do about it.
//! Keys are in `keys`, prompts and commands in `submit`.

use protocol::{Body, Command, Enduring, Ephemeral, Event, Failure, Source, Stamp};
use screen::{Mouse, MouseKind, Size};
use transcript::{LocalRow, Notable, NoticeLevel, TurnEnd, TurnEnding};

use crate::blocks::Blocks;
use crate::gate_prompt::GatePrompt;
use crate::model::{Mode, Model, Preface, Receipt, Session};
use crate::toast::ToastKind;
use crate::viewport::Viewport;
use crate::{Msg, Opened, UiEffect, keys, submit, view};

/// Rows one notch of the wheel moves.
const WHEEL_ROWS: isize = 3;
/// The exit code when no session could be opened.
const EXIT_NO_SESSION: i32 = 1;

/// Takes one message in and returns what the shell must do.
pub fn update(model: &mut Model, stamp: Stamp, msg: Msg) -> Vec<UiEffect> {
    model.now_ms = stamp.at_ms;
    if let Session::Opening { since_ms } = &mut model.session {
        since_ms.get_or_insert(stamp.at_ms);
    }
    if !is_return(&msg) {
        put_back_returned(model);
    }
    if let Msg::Painted { receipt, .. } = msg {
        painted(model, receipt);
        return Vec::new();
    }
    model.touch();
    match msg {
        Msg::Key(key) => keys::key(model, stamp, key),
        Msg::Paste(text) => keys::paste(model, &text),
        Msg::Mouse(mouse) => wheel(model, mouse),
        Msg::Focus(_) | Msg::Resumed => Vec::new(),
        Msg::Resized(size) | Msg::FrameStale { size, .. } => resized(model, size),
        Msg::Background { red, green, blue } => background(model, (red, green, blue)),
        Msg::Opened(opened) => session_opened(model, stamp, *opened),
        Msg::OpenFailed(failure) => open_failed(model, failure),
        Msg::Event(event) => happened(model, &event),
        Msg::SendFailed { command, failure } => send_failed(model, command, &failure),
        Msg::RecordsSkipped { count } => records_skipped(model, count),
        Msg::AgentEnded { reason } => agent_ended(model, &reason),
        Msg::SuspendRefused { reason } => toast(model, ToastKind::Error, reason),
        Msg::Frame => time_passed(model),
        Msg::Terminate { code } => vec![UiEffect::Quit { code, farewell: Vec::new() }],
        Msg::Painted { .. } => Vec::new(),
    }
}

/// Whether more texts may come back right behind this one.
fn is_return(msg: &Msg) -> bool {
    let Msg::Event(event) = msg else { return false };
    matches!(event.enduring(), Some(Enduring::InputCancelled { .. }))
}

/// Puts texts that came back in front of the draft, in the order they were written.
fn put_back_returned(model: &mut Model) {
    let returned = std::mem::take(&mut model.returned);
    for text in returned.iter().rev() {
        model.composer.put_back(text);
        model.touch();
    }
    match returned.len() {
        0 => {}
        1 => drop(toast(model, ToastKind::Note, "a message that was not delivered is back in the draft".to_owned())),
        count => drop(toast(model, ToastKind::Note, format!("{count} messages are back in the draft"))),
    }
}

/// What the last frame held is the terminal's now.
fn painted(model: &mut Model, receipt: Receipt) {
    if receipt.commits_preface {
        model.preface.is_committed = true;
        model.touch();
    }
    if let Some(entry) = receipt.commits_through {
        model.transcript.commit(entry);
        model.touch();
    }
    if let Some(gate) = model.gate.as_mut().filter(|gate| Some(gate.gate()) == receipt.gate) {
        gate.note_shown(model.now_ms);
    }
}

fn time_passed(model: &mut Model) -> Vec<UiEffect> {
    model.transcript.advance(model.options.pace);
    model.toasts.expire(model.now_ms);
    let now_ms = model.now_ms;
    if model.gate.as_mut().is_some_and(|gate| gate.arm_by_pause(now_ms)) {
        model.menu.close();
    }
    Vec::new()
}

fn resized(model: &mut Model, size: Size) -> Vec<UiEffect> {
    model.size = Some(size);
    Vec::new()
}

fn background(model: &mut Model, (red, green, blue): (u8, u8, u8)) -> Vec<UiEffect> {
    let told = theme::Rgb { red, green, blue };
    // Without a choice a light terminal gets the light theme: a dark one on it is only patches of background.
    let chosen = if model.options.theme_setting.is_empty() { "auto" } else { &model.options.theme_setting };
    let name = theme::name_for(chosen, Some(told));
    if name != model.options.theme.name && chosen == "auto" {
        (model.options.theme, _) = theme::resolve(name, &[]);
    }
    let canvas = theme::canvas(model.options.background, &model.options.theme, Some(told));
    model.palette = std::sync::Arc::new(theme::palette(&model.options.theme, model.options.depth, canvas));
    Vec::new()
}

fn wheel(model: &mut Model, mouse: Mouse) -> Vec<UiEffect> {
    let down = match mouse.kind {
        MouseKind::WheelUp => -WHEEL_ROWS,
        MouseKind::WheelDown => WHEEL_ROWS,
        MouseKind::Press | MouseKind::Drag | MouseKind::Release => return Vec::new(),
    };
    match &mut model.overlay {
        Some(overlay) => overlay.scroll(down, model.size.map_or(0, view::overlay_rows_max)),
        None => scroll(model, Scroll::Rows(down)),
    }
    Vec::new()
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Scroll {
    Rows(isize),
    /// A window's height less one row.
    Pages(isize),
    Top,
    End,
}

/// Moves the transcript window; inline the terminal's own scrollback does that.
pub(crate) fn scroll(model: &mut Model, by: Scroll) {
    let (Mode::Fullscreen, Some(size)) = (model.options.mode, model.size) else { return };
    let window_rows = view::window_rows(model, size, model.now_ms);
    let mut viewport = model.viewport;
    match by {
        Scroll::Top => viewport.go_to_top(),
        Scroll::End => viewport.go_to_end(),
        Scroll::Rows(down) => viewport.scroll(&Blocks::new(model, size, model.now_ms), window_rows, down),
        Scroll::Pages(down) => {
            let rows = down * window_rows.saturating_sub(1).max(1) as isize;
            viewport.scroll(&Blocks::new(model, size, model.now_ms), window_rows, rows);
        }
    }
    model.viewport = viewport;
}

fn session_opened(model: &mut Model, stamp: Stamp, opened: Opened) -> Vec<UiEffect> {
    let replaced = matches!(model.session, Session::Replacing { .. });
    let had_rows = model.transcript.committed() > 0;
    let prompt = match &mut model.session {
        Session::Replacing { prompt, .. } => prompt.take(),
        Session::Opening { .. } => model.options.prompt.take(),
        Session::Open { .. } | Session::Failed | Session::Ended => None,
    };
    model.session = Session::Open { id: opened.session, loop_id: None };
    if replaced {
        begin_anew(model, had_rows);
    }
    model.preface = Preface {
        agent_name: opened.agent_name,
        model: opened.model,
        workspace: opened.workspace,
        profile: opened.profile,
        notices: opened.notices,
        separator: model.preface.separator,
        is_committed: model.preface.is_committed,
    };
    model.composer.set_history(opened.prompts);
    let notables = model.transcript.restore(&opened.backlog);
    for event in &opened.backlog {
        note_header(model, event);
    }
    if opened.skipped_count > 0 {
        records_skipped(model, opened.skipped_count);
    }
    take_notables(model, notables);
    put_back_returned(model);
    sync_gate(model);
    let held = model.outbox.take_held();
    held.into_iter().chain(prompt).flat_map(|text| submit::send(model, stamp, text)).collect()
}

fn records_skipped(model: &mut Model, count: usize) -> Vec<UiEffect> {
    let what = if count == 1 { "1 stored record" } else { &format!("{count} stored records") };
    let text = format!("{what} could not be read; the rest is whole");
    model.transcript.note(LocalRow::Notice { level: NoticeLevel::Warning, text });
    Vec::new()
}

/// A new transcript is a new ledger: the scrollback keeps the old one, behind a separator if it has rows.
fn begin_anew(model: &mut Model, had_rows: bool) {
    let inline = model.options.mode == Mode::Inline;
    model.transcript.clear();
    model.cache.borrow_mut().clear();
    model.viewport = Viewport::default();
    model.gate = None;
    model.stop = None;
    model.preface.separator = (inline && had_rows).then_some("new session");
    // The splash of the first transcript stands in the scrollback already.
    model.preface.is_committed = inline && !had_rows && model.preface.is_committed;
}

fn open_failed(model: &mut Model, failure: Failure) -> Vec<UiEffect> {
    let words = format!("no session could be opened: {}", failure.message);
    if matches!(model.session, Session::Replacing { .. }) {
        let farewell =
            vec![format!("{words}; {}", failure.next_step), "eukhe -c opens the last session again".to_owned()];
        return vec![UiEffect::Quit { code: EXIT_NO_SESSION, farewell }];
    }
    model.session = Session::Failed;
    return_texts(model);
    let text = format!("{words}; {}", failure.next_step);
    model.transcript.note(LocalRow::Notice { level: NoticeLevel::Error, text });
    Vec::new()
}

fn agent_ended(model: &mut Model, reason: &str) -> Vec<UiEffect> {
    model.session = Session::Ended;
    return_texts(model);
    let notables = model.transcript.close();
    take_notables(model, notables);
    put_back_returned(model);
    sync_gate(model);
    let text = format!("the session has ended: {reason}; leave with Ctrl+C twice and open it again with `eukhe -c`");
    model.transcript.note(LocalRow::Notice { level: NoticeLevel::Error, text });
    Vec::new()
}

/// Whatever was on its way comes back into the composer.
fn return_texts(model: &mut Model) {
    for text in model.outbox.take_all().into_iter().rev() {
        model.composer.put_back(&text);
    }
}

fn send_failed(model: &mut Model, command: protocol::CommandId, failure: &Failure) -> Vec<UiEffect> {
    refused(model, command, &failure.message);
    Vec::new()
}

/// A command came to nothing: its text, or its gate, is as before.
fn refused(model: &mut Model, command: protocol::CommandId, reason: &str) {
    if let Some(prompt) = model.outbox.refused(command) {
        model.composer.put_back(&prompt.text);
        let end = TurnEnd {
            ending: TurnEnding::Failed,
            message: format!("The prompt was not taken: {reason}"),
            next_step: "it is back in the composer".to_owned(),
        };
        model.transcript.note(LocalRow::LostPrompt { input: prompt.input, end });
    } else if model.gate_command == Some(command) {
        model.gate_command = None;
        if let Some(gate) = &mut model.gate {
            gate.note_failed(reason.to_owned());
        }
    } else if model.stop.is_some_and(|stop| stop.command == command) {
        model.stop = None;
        // Ctrl+C at a gate answers it by stopping the turn; the gate is open still.
        if let Some(gate) = &mut model.gate {
            gate.note_failed(reason.to_owned());
        }
        toast(model, ToastKind::Note, reason.to_owned());
    }
}

fn happened(model: &mut Model, event: &Event) -> Vec<UiEffect> {
    note_header(model, event);
    if let Body::Ephemeral(Ephemeral::CommandAnswered { command, refused: Some(reason) }) = &event.body {
        refused(model, *command, reason);
    }
    let notables = model.transcript.fold(event);
    take_notables(model, notables);
    if !matches!(event.enduring(), Some(Enduring::InputCancelled { .. })) {
        put_back_returned(model);
    }
    sync_gate(model);
    Vec::new()
}

/// What the interface itself must remember of an event.
fn note_header(model: &mut Model, event: &Event) {
    if let (Session::Open { loop_id, .. }, Some(of_event)) = (&mut model.session, event.header.loop_id) {
        loop_id.get_or_insert(of_event);
    }
    match event.enduring() {
        Some(Enduring::TurnDone { .. } | Enduring::TurnFailed { .. } | Enduring::TurnInterrupted {}) => {
            model.stop = None
        }
        Some(Enduring::ModelChanged { to, .. }) => model.preface.model = to.to_string(),
        Some(Enduring::GateResolved { .. }) => {
            if let Source::Command(command) = event.header.cause.from {
                model.gate_command.take_if(|sent| *sent == command);
            }
        }
        Some(_) | None => {}
    }
}

fn take_notables(model: &mut Model, notables: Vec<Notable>) {
    for notable in notables {
        match notable {
            Notable::InputQueued(input) | Notable::InputTaken(input) => model.outbox.arrived(input),
            Notable::InputReturned { input, text, .. } => {
                model.outbox.arrived(input);
                model.returned.push(text);
            }
            Notable::TurnEnded => {}
            Notable::RetryRecovered { attempts } => {
                toast(
                    model,
                    ToastKind::Note,
                    format!(
                        "the provider answered again after {attempts} {}",
                        if attempts == 1 { "retry" } else { "retries" }
                    ),
                );
            }
        }
    }
}

/// The prompt shown is the oldest open gate's; it leaves when its event says so.
fn sync_gate(model: &mut Model) {
    let head = model.transcript.gates().first();
    let shown = model.gate.as_ref().map(GatePrompt::gate);
    if shown != head.map(|gate| gate.id) {
        model.gate = head.map(|gate| GatePrompt::new(gate.clone(), model.now_ms));
        model.gate_command = None;
    }
}

pub(crate) fn toast(model: &mut Model, kind: ToastKind, text: String) -> Vec<UiEffect> {
    let now_ms = model.now_ms;
    model.toasts.add(now_ms, kind, text);
    Vec::new()
}

/// Asks the agent for something; its answer is an event.
pub(crate) fn send(stamp: Stamp, command: Command) -> (protocol::CommandId, UiEffect) {
    let id = stamp.ids().make();
    (id, UiEffect::Send { id, command })
}
