//! What Enter and Tab do with the draft: a prompt is sent, a command carried out, a mistyped one asked about.

use protocol::{Block, Command, Stamp};

use crate::keymap::MenuKey;
use crate::model::{Model, Session};
use crate::outbox::Travelling;
use crate::overlay::{Act, Choice, Overlay};
use crate::slash::{self, Busy, COMMANDS, Pressed, Resolved};
use crate::toast::ToastKind;
use crate::update::toast;
use crate::{UiEffect, help};

/// The exit code when there never was a session.
const EXIT_NO_SESSION: i32 = 1;

pub(crate) fn enter(model: &mut Model, stamp: Stamp) -> Vec<UiEffect> {
    if model.composer.newline_for_backslash() {
        model.menu.follow(model.composer.command_line());
        return Vec::new();
    }
    let line = model.composer.text();
    if !line.starts_with('/') {
        return send_draft(model, stamp);
    }
    let pressed = COMMANDS.enter(&line, model.menu.chosen());
    match pressed {
        Pressed::Line(completed) => {
            complete_to(model, &completed);
            Vec::new()
        }
        Pressed::Submit(line) => submit_line(model, stamp, &line),
    }
}

/// Tab: the marked row, or the first, is written out.
pub(crate) fn complete(model: &mut Model) -> Vec<UiEffect> {
    if let Some(line) = model.composer.command_line() {
        let chosen = model.menu.chosen().or_else(|| model.menu.first());
        match COMMANDS.tab(&line, chosen) {
            Some(completed) => complete_to(model, &completed),
            None => model.menu.follow(Some(line)),
        }
    }
    Vec::new()
}

pub(crate) fn menu_key(model: &mut Model, stamp: Stamp, key: MenuKey) -> Vec<UiEffect> {
    match key {
        MenuKey::Up => model.menu.move_mark(-1),
        MenuKey::Down => model.menu.move_mark(1),
        MenuKey::PageUp => model.menu.page(-1),
        MenuKey::PageDown => model.menu.page(1),
        MenuKey::Confirm => return enter(model, stamp),
        MenuKey::Complete => return complete(model),
        MenuKey::Close => {
            let line = model.composer.command_line();
            model.menu.close_for(line);
        }
    }
    Vec::new()
}

/// Sends a prompt, or keeps it until there is a session to send it to.
pub(crate) fn send(model: &mut Model, stamp: Stamp, text: String) -> Vec<UiEffect> {
    if matches!(model.session, Session::Opening { .. }) {
        model.outbox.hold(text);
        return Vec::new();
    }
    let mut ids = stamp.ids();
    let (id, input) = (ids.make(), ids.make());
    let blocks = vec![Block::text(text.as_str())];
    model.outbox.send(Travelling { command: id, input, text, sent_at_ms: stamp.at_ms });
    model.viewport.go_to_end();
    vec![UiEffect::Send { id, command: Command::Submit { to: None, input, blocks } }]
}

/// Leaves, after a question if that would stop a turn.
pub(crate) fn quit(model: &mut Model) -> Vec<UiEffect> {
    if model.is_working() {
        model.overlay = Some(Overlay::Confirm { act: Act::Quit, marked: Choice::No });
        return Vec::new();
    }
    leave(model)
}

pub(crate) fn leave(model: &Model) -> Vec<UiEffect> {
    let farewell = match &model.session {
        Session::Open { .. } if !model.transcript.entries().is_empty() => {
            model.options.farewell.iter().cloned().collect()
        }
        Session::Open { .. }
        | Session::Opening { .. }
        | Session::Replacing { .. }
        | Session::Failed
        | Session::Ended => Vec::new(),
    };
    let code = if matches!(model.session, Session::Failed) { EXIT_NO_SESSION } else { 0 };
    vec![UiEffect::Quit { code, farewell }]
}

/// Does what was asked about.
pub(crate) fn carry_out(model: &mut Model, stamp: Stamp, act: Act) -> Vec<UiEffect> {
    match act {
        Act::Quit => leave(model),
        Act::NewSession { prompt } => {
            model.session = Session::Replacing { since_ms: stamp.at_ms, prompt };
            vec![UiEffect::OpenNew]
        }
    }
}

fn submit_line(model: &mut Model, stamp: Stamp, line: &str) -> Vec<UiEffect> {
    let resolved = COMMANDS.resolve(line);
    let trouble = resolved.trouble();
    match resolved {
        Resolved::Runs { row, arguments } => run(model, stamp, row, arguments),
        Resolved::NoCommand { nearest: Some(_) } if model.doubted_line.as_deref() != Some(line) => {
            model.doubted_line = Some(line.to_owned());
            toast(model, ToastKind::Error, trouble.unwrap_or_default())
        }
        Resolved::Unknown { .. } => toast(model, ToastKind::Error, trouble.unwrap_or_default()),
        Resolved::NoCommand { .. } | Resolved::Opens { .. } => send_draft(model, stamp),
    }
}

fn run(model: &mut Model, stamp: Stamp, row: &'static slash::Row, arguments: &str) -> Vec<UiEffect> {
    let prompt = match (row.command, slash::new_session_prompt(arguments)) {
        (slash::Command::New, Err(trouble)) => return toast(model, ToastKind::Error, trouble),
        (slash::Command::New, Ok(prompt)) => prompt.map(str::to_owned),
        (slash::Command::Quit | slash::Command::Help, _) => None,
    };
    if matches!(model.session, Session::Replacing { .. }) && row.command == slash::Command::New {
        return toast(model, ToastKind::Note, "a new session is being opened already".to_owned());
    }
    model.composer.take();
    model.menu.close();
    model.doubted_line = None;
    let act = match row.command {
        slash::Command::Help => {
            model.overlay = Some(help::commands());
            return Vec::new();
        }
        slash::Command::New => Act::NewSession { prompt },
        slash::Command::Quit => Act::Quit,
    };
    if row.busy == Busy::Ask && model.is_working() {
        model.overlay = Some(Overlay::Confirm { act, marked: Choice::No });
        return Vec::new();
    }
    carry_out(model, stamp, act)
}

fn send_draft(model: &mut Model, stamp: Stamp) -> Vec<UiEffect> {
    let refusal = match model.session {
        Session::Replacing { .. } => "a new session is being opened; the draft stays",
        Session::Failed | Session::Ended => "no session is open; the draft stays",
        Session::Opening { .. } | Session::Open { .. } => "",
    };
    if !refusal.is_empty() {
        return toast(model, ToastKind::Error, refusal.to_owned());
    }
    let Some(text) = model.composer.take() else { return Vec::new() };
    model.menu.close();
    model.doubted_line = None;
    send(model, stamp, text)
}

fn complete_to(model: &mut Model, line: &str) {
    model.composer.complete(line);
    model.menu.follow(model.composer.command_line());
}
