//! Who gets a key: overlay, global chords, gate prompt, menu, transcript window, composer, in this order.
//! What a key means is in `keymap`, what the ladders do in `ladder`.

use protocol::{Command, GateAction, InterruptTarget, Stamp};
use screen::{Key, KeyCode};

use crate::composer::{DraftFull, Edit};
use crate::entry::Detail;
use crate::gate_prompt::Arming;
use crate::keymap::{self, Action, Context, GateKey, MenuKey};
use crate::ladder::Rung;
use crate::model::{Mode, Model, Session, Stop};
use crate::overlay::{Choice, Overlay, PanelKind};
use crate::toast::ToastKind;
use crate::update::{self, Scroll, send, toast};
use crate::{UiEffect, help, submit};

pub(crate) fn key(model: &mut Model, stamp: Stamp, key: Key) -> Vec<UiEffect> {
    let global = keymap::resolve(Context::Global, key);
    if !matches!(key.code, KeyCode::Escape) && global != Some(Action::Clear) {
        model.ladder.note_other_key();
    }
    if let Some(effects) = overlay_key(model, stamp, key) {
        return effects;
    }
    if let Some(action) = global {
        return act(model, stamp, action);
    }
    if let Some(effects) = gate_key(model, stamp, key) {
        return effects;
    }
    let owners = [
        (model.menu.is_open(), Context::Menu),
        (model.options.mode == Mode::Fullscreen, Context::Viewport),
        (model.composer.is_empty(), Context::EmptyPrompt),
        (true, Context::Composer),
    ];
    let action = owners.into_iter().filter(|(holds, _)| *holds).find_map(|(_, context)| keymap::resolve(context, key));
    match (action, key.typed()) {
        (Some(action), _) => act(model, stamp, action),
        (None, Some(character)) => {
            let typed = model.composer.insert_typed(character);
            after_edit(model, typed)
        }
        (None, None) => {
            model.composer.end_run();
            Vec::new()
        }
    }
}

/// A paste goes to the draft; over an overlay there is no field for it.
pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<UiEffect> {
    model.ladder.note_other_key();
    if model.overlay.is_some() {
        return toast(model, ToastKind::Note, "there is no field here to paste into".to_owned());
    }
    let now_ms = model.now_ms;
    if let Some(gate) = &mut model.gate {
        gate.disarm(now_ms);
    }
    let pasted = model.composer.paste(text);
    after_edit(model, pasted)
}

/// What an open overlay does with a key; none if the key is for others.
fn overlay_key(model: &mut Model, stamp: Stamp, key: Key) -> Option<Vec<UiEffect>> {
    let clear = keymap::resolve(Context::Global, key) == Some(Action::Clear);
    if clear || keymap::resolve(Context::Global, key) == Some(Action::Suspend) {
        return None;
    }
    let menu = keymap::resolve(Context::Menu, key);
    match model.overlay.as_mut()? {
        Overlay::Panel { kind: PanelKind::Keys, .. } => {
            model.overlay = None;
            return (key.code == KeyCode::Escape).then(Vec::new);
        }
        Overlay::Panel { kind: PanelKind::Help, .. } => {
            let rows_max = model.size.map_or(0, crate::view::overlay_rows_max);
            let page = (rows_max / 2) as isize;
            match menu {
                Some(Action::Menu(MenuKey::Close)) => model.overlay = None,
                Some(Action::Menu(MenuKey::Up)) => model.overlay.as_mut()?.scroll(-1, rows_max),
                Some(Action::Menu(MenuKey::Down)) => model.overlay.as_mut()?.scroll(1, rows_max),
                Some(Action::Menu(MenuKey::PageUp)) => model.overlay.as_mut()?.scroll(-page, rows_max),
                Some(Action::Menu(MenuKey::PageDown)) => model.overlay.as_mut()?.scroll(page, rows_max),
                Some(_) | None => {}
            }
        }
        Overlay::Confirm { marked, act } => match (menu, key.typed()) {
            (Some(Action::Menu(MenuKey::Close)), _) | (_, Some('n')) => model.overlay = None,
            (Some(Action::Menu(MenuKey::Up | MenuKey::Down | MenuKey::Complete)), _) => *marked = marked.other(),
            (_, Some('1')) => *marked = Choice::No,
            (_, Some('2')) => *marked = Choice::Yes,
            (Some(Action::Menu(MenuKey::Confirm)), _) => {
                let confirmed = (*marked == Choice::Yes).then(|| act.clone());
                model.overlay = None;
                return Some(confirmed.map_or_else(Vec::new, |act| submit::carry_out(model, stamp, act)));
            }
            (Some(_) | None, _) => {}
        },
    }
    Some(Vec::new())
}

/// What the gate prompt does with a key; none if the key is for others.
fn gate_key(model: &mut Model, stamp: Stamp, key: Key) -> Option<Vec<UiEffect>> {
    let (draft, now_ms) = (model.draft(), model.now_ms);
    let action = keymap::resolve(Context::Gate, key);
    let gate = model.gate.as_mut()?;
    gate.arm_by_pause(now_ms);
    let arrow = matches!(action, Some(Action::Gate(GateKey::Up | GateKey::Down)));
    match (gate.arming(), action) {
        (Arming::Unarmed, Some(Action::Gate(GateKey::Enter))) if !model.menu.is_open() => gate.enter(),
        (Arming::Unarmed, Some(_)) if arrow && draft == crate::gate_prompt::Draft::Empty => gate.enter(),
        (Arming::Unarmed, _) => {
            gate.disarm(now_ms);
            return None;
        }
        (Arming::Armed, Some(Action::Gate(GateKey::ApproveOnce | GateKey::Mark(_)))) | (Arming::Armed, None)
            if key.typed().is_some() =>
        {
            gate.disarm(now_ms);
            return None;
        }
        // With something written, Enter is for what is written.
        (Arming::Armed, Some(Action::Gate(GateKey::Confirm))) if draft == crate::gate_prompt::Draft::Written => {
            gate.disarm(now_ms);
            return None;
        }
        (Arming::Armed, Some(Action::Gate(GateKey::Deny))) if key.typed().is_some() => {
            gate.disarm(now_ms);
            return None;
        }
        (Arming::Armed, Some(Action::Gate(GateKey::Enter))) => gate.enter(),
        (Arming::Armed | Arming::Entered, Some(Action::Gate(gate_key))) => {
            return Some(answer_key(model, stamp, gate_key));
        }
        (Arming::Armed, Some(_) | None) => {
            gate.disarm(now_ms);
            return None;
        }
        (Arming::Entered, Some(_) | None) => {}
    }
    if model.gate.as_ref().is_some_and(|gate| gate.arming() != Arming::Unarmed) {
        model.menu.close();
    }
    Some(Vec::new())
}

fn answer_key(model: &mut Model, stamp: Stamp, key: GateKey) -> Vec<UiEffect> {
    let Some(gate) = &mut model.gate else { return Vec::new() };
    match key {
        GateKey::Up | GateKey::Down => {
            gate.enter();
            gate.move_mark(if key == GateKey::Up { -1 } else { 1 });
        }
        GateKey::Mark(number) => gate.mark(usize::from(number)),
        GateKey::Enter => gate.enter(),
        GateKey::Confirm => {
            let action = gate.marked();
            return answer(model, stamp, action);
        }
        GateKey::ApproveOnce => return answer(model, stamp, GateAction::Approve),
        GateKey::Deny => return answer(model, stamp, GateAction::Deny),
    }
    Vec::new()
}

fn answer(model: &mut Model, stamp: Stamp, action: GateAction) -> Vec<UiEffect> {
    let (size, now_ms) = (model.size, model.now_ms);
    let Some(gate) = &mut model.gate else { return Vec::new() };
    let command = match action {
        GateAction::Approve => {
            let fits =
                size.is_some_and(|size| gate.offers_approval(usize::from(size.cols), crate::view::gate_rows_max(size)));
            if !fits {
                return toast(model, ToastKind::Error, "enlarge the window to approve".to_owned());
            }
            Command::Approve { gate: gate.gate() }
        }
        GateAction::Deny => Command::Deny { gate: gate.gate() },
    };
    gate.note_sent(now_ms);
    let (id, effect) = send(stamp, command);
    model.gate_command = Some(id);
    vec![effect]
}

fn deny_and_stop(model: &mut Model, stamp: Stamp) -> Vec<UiEffect> {
    // The interrupt closes the gate as well, so one command does both and cannot half fail.
    let now_ms = model.now_ms;
    if let Some(gate) = &mut model.gate {
        gate.note_sent(now_ms);
    }
    stop(model, stamp)
}

fn act(model: &mut Model, stamp: Stamp, action: Action) -> Vec<UiEffect> {
    if !matches!(action, Action::Edit(_)) {
        model.composer.end_run();
    }
    match action {
        Action::Edit(edit) => edit_draft(model, edit),
        Action::Submit => submit::enter(model, stamp),
        Action::Complete => submit::complete(model),
        Action::Escape => {
            let (now_ms, situation) = (model.now_ms, model.situation());
            let rung = model.ladder.escape(now_ms, situation);
            climb(model, stamp, rung)
        }
        Action::Clear => {
            let (now_ms, situation) = (model.now_ms, model.situation());
            let rung = model.ladder.ctrl_c(now_ms, situation);
            climb(model, stamp, rung)
        }
        Action::Exit => submit::quit(model),
        Action::Suspend => vec![UiEffect::Suspend],
        Action::ShowKeys => {
            model.overlay = Some(help::keys());
            Vec::new()
        }
        Action::CycleDetail => cycle_detail(model),
        Action::Viewport(by) => {
            update::scroll(
                model,
                match by {
                    keymap::Scroll::PageUp => Scroll::Pages(-1),
                    keymap::Scroll::PageDown => Scroll::Pages(1),
                    keymap::Scroll::Top => Scroll::Top,
                    keymap::Scroll::Bottom => Scroll::End,
                },
            );
            Vec::new()
        }
        Action::Menu(key) => submit::menu_key(model, stamp, key),
        // The gate prompt has taken its keys before anybody else was asked.
        Action::Gate(_) => Vec::new(),
    }
}

fn climb(model: &mut Model, stamp: Stamp, rung: Rung) -> Vec<UiEffect> {
    match rung {
        Rung::CloseOverlay => model.overlay = None,
        Rung::DenyGate => return answer(model, stamp, GateAction::Deny),
        Rung::DenyGateAndStop => return deny_and_stop(model, stamp),
        Rung::CloseMenu => model.menu.close(),
        Rung::Stop => return stop(model, stamp),
        Rung::ClearDraft => {
            model.composer.clear_into_history();
            model.menu.close();
        }
        Rung::Quit => return submit::leave(model),
        Rung::HintClear | Rung::HintQuit | Rung::Nothing => {}
    }
    Vec::new()
}

/// Tells the turn to stop; the row says so until its end is an event.
fn stop(model: &mut Model, stamp: Stamp) -> Vec<UiEffect> {
    let target = match model.session {
        Session::Open { loop_id: Some(loop_id), .. } => InterruptTarget::Loop(loop_id),
        Session::Open { loop_id: None, .. }
        | Session::Opening { .. }
        | Session::Replacing { .. }
        | Session::Failed
        | Session::Ended => InterruptTarget::Session,
    };
    let (command, effect) = send(stamp, Command::Interrupt { target });
    model.stop = Some(Stop { command });
    vec![effect]
}

fn cycle_detail(model: &mut Model) -> Vec<UiEffect> {
    let (detail, label) = match model.detail {
        Detail::Overview => (Detail::Details, "details"),
        Detail::Details => (Detail::All, "all"),
        Detail::All => (Detail::Overview, "overview"),
    };
    model.detail = detail;
    match model.options.mode {
        Mode::Inline => toast(model, ToastKind::Note, format!("detail: {label}, for what comes from here on")),
        Mode::Fullscreen => Vec::new(),
    }
}

fn edit_draft(model: &mut Model, edit: Edit) -> Vec<UiEffect> {
    let width_cols = model.size.map_or(80, |size| usize::from(size.cols));
    let edited = model.composer.edit(edit, width_cols);
    after_edit(model, edited)
}

/// The menu follows the draft.
fn after_edit(model: &mut Model, edited: Result<(), DraftFull>) -> Vec<UiEffect> {
    model.menu.follow(model.composer.command_line());
    match edited {
        Ok(()) => Vec::new(),
        Err(full) => toast(model, ToastKind::Error, full.to_string()),
    }
}
