//! The keymap: which key means which action, as rows of data; hints and help are made from the same rows.
//! Decides no precedence between contexts and does nothing about an action: `update` does.

use screen::{Key, KeyCode, Modifiers};

use crate::composer::Edit;

/// What a key means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Edit(Edit),
    Submit,
    /// Takes the row of the completion menu, or opens it.
    Complete,
    /// The Esc ladder.
    Escape,
    /// The Ctrl+C ladder.
    Clear,
    Exit,
    Suspend,
    ShowKeys,
    CycleDetail,
    Viewport(Scroll),
    Menu(MenuKey),
    Gate(GateKey),
}

/// A move of the transcript window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scroll {
    PageUp,
    PageDown,
    Top,
    Bottom,
}

/// A key of an open completion menu or list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MenuKey {
    Up,
    Down,
    PageUp,
    PageDown,
    Confirm,
    Complete,
    Close,
}

/// A key of an armed approval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GateKey {
    Up,
    Down,
    /// Takes the marked row.
    Confirm,
    ApproveOnce,
    Deny,
    /// Puts the mark on the row with this number, from 1.
    Mark(u8),
    /// Arms the prompt, or enters it.
    Enter,
}

/// Where a binding holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// Everywhere but in an overlay, before gate, menu and composer.
    Global,
    Gate,
    Menu,
    /// The transcript window of fullscreen.
    Viewport,
    /// The prompt while nothing is written.
    EmptyPrompt,
    Composer,
}

/// One row of the table. `keys` are written as in `keybindings.json`; the first is the one hints name.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    pub action: Action,
    pub keys: &'static [&'static str],
    pub context: Context,
    pub help: &'static str,
}

/// Returns what a key means in a context.
/// A Ctrl, Alt or Super binding also fires by the key's place when the layout's letter is not a Latin one.
pub fn resolve(context: Context, key: Key) -> Option<Action> {
    let by_place = latin_key(key).map(format);
    let find = |written: String| {
        BINDINGS.iter().find(|binding| binding.context == context && binding.keys.contains(&written.as_str()))
    };
    find(format(key)).or_else(|| find(by_place?)).map(|binding| binding.action)
}

/// The rows of the panel that `?` shows.
pub fn main_bindings() -> impl Iterator<Item = &'static Binding> {
    MAIN_ACTIONS.iter().filter_map(|action| BINDINGS.iter().find(|binding| binding.action == *action))
}

/// Returns the first key of an action as people read it, such as `Ctrl+O`; empty if it has none.
pub fn hint(action: Action) -> String {
    let first = BINDINGS.iter().find(|binding| binding.action == action).and_then(|binding| binding.keys.first());
    first.map(|key| label(key)).unwrap_or_default()
}

/// Returns a key of the table as people read it: `ctrl+pageUp` is `Ctrl+PageUp`.
pub fn label(key: &str) -> String {
    let parts = key.split('+').map(|part| match part {
        "escape" => "Esc".to_owned(),
        "plus" => "+".to_owned(),
        _ => {
            let mut characters = part.chars();
            characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
        }
    });
    parts.collect::<Vec<_>>().join("+")
}

/// Writes a key in the one form the table has for it: `ctrl+shift+z`, and no shift where the character shows it.
pub fn format(key: Key) -> String {
    let Modifiers { ctrl, alt, shift, super_ } = key.modifiers;
    let shift = match typed_sign(key.code) {
        Some(letter) if letter.is_alphabetic() => shift || letter.is_uppercase(),
        Some(_) => false,
        None => shift,
    };
    let held = [("ctrl+", ctrl), ("shift+", shift), ("alt+", alt), ("super+", super_)];
    let modifiers: String = held.into_iter().filter_map(|(modifier, is_held)| is_held.then_some(modifier)).collect();
    modifiers + &name(key.code)
}

/// Reads a key as [`format`] writes it, whatever the case and order of its parts; none if it is no key.
/// A single upper-case letter means shift and that letter.
pub fn parse(text: &str) -> Option<Key> {
    let mut parts: Vec<&str> = text.split('+').collect();
    let code = code(parts.pop()?)?;
    let mut modifiers = Modifiers::NONE;
    for part in parts {
        match part.to_ascii_lowercase().as_str() {
            "ctrl" | "control" => modifiers.ctrl = true,
            "alt" | "option" | "opt" | "meta" => modifiers.alt = true,
            "shift" => modifiers.shift = true,
            "super" | "cmd" | "command" | "win" => modifiers.super_ = true,
            _ => return None,
        }
    }
    Some(Key::new(code, modifiers))
}

/// What the panel that `?` opens lists, in this order.
const MAIN_ACTIONS: &[Action] = &[
    Action::Submit,
    Action::Edit(Edit::NewLine),
    Action::Escape,
    Action::Clear,
    Action::Exit,
    Action::Suspend,
    Action::CycleDetail,
    Action::Edit(Edit::CursorUp),
    Action::Edit(Edit::Undo),
    Action::Edit(Edit::ExpandPaste),
    Action::Viewport(Scroll::PageUp),
    Action::Viewport(Scroll::Bottom),
];

#[rustfmt::skip]
pub const BINDINGS: &[Binding] = &[
    global(Action::Clear, &["ctrl+c"], "deny, clear the draft, stop the turn, quit"),
    global(Action::Suspend, &["ctrl+z"], "suspend to the shell"),
    global(Action::CycleDetail, &["ctrl+o"], "show more or less detail"),

    gate(GateKey::Up, &["up"], "mark the row above"),
    gate(GateKey::Down, &["down"], "mark the row below"),
    gate(GateKey::Confirm, &["enter"], "take the marked row"),
    gate(GateKey::ApproveOnce, &["y"], "approve this once"),
    gate(GateKey::Deny, &["n", "escape"], "deny"),
    gate(GateKey::Mark(1), &["1"], "mark the first row"),
    gate(GateKey::Mark(2), &["2"], "mark the second row"),
    gate(GateKey::Enter, &["tab"], "go to the question"),

    menu(MenuKey::Up, &["up"], "row above"),
    menu(MenuKey::Down, &["down"], "row below"),
    menu(MenuKey::PageUp, &["pageUp"], "page up"),
    menu(MenuKey::PageDown, &["pageDown"], "page down"),
    menu(MenuKey::Confirm, &["enter"], "take the row, and submit a whole command"),
    menu(MenuKey::Complete, &["tab"], "take the row"),
    menu(MenuKey::Close, &["escape"], "close the menu"),

    viewport(Scroll::PageUp, &["pageUp"], "page up in the transcript"),
    viewport(Scroll::PageDown, &["pageDown"], "page down in the transcript"),
    viewport(Scroll::Top, &["ctrl+home"], "to the first row of the transcript"),
    viewport(Scroll::Bottom, &["ctrl+end"], "to the end of the transcript"),

    binding(Context::EmptyPrompt, Action::Exit, &["ctrl+d"], "quit, when nothing is written"),
    binding(Context::EmptyPrompt, Action::ShowKeys, &["?"], "show the main keys, when nothing is written"),

    binding(Context::Composer, Action::Submit, &["enter"], "send the prompt"),
    binding(Context::Composer, Action::Complete, &["tab"], "complete"),
    binding(Context::Composer, Action::Escape, &["escape"], "stop the turn, or twice clear the draft"),
    edit(Edit::NewLine, &["ctrl+j", "shift+enter"], "new line (backslash and enter too)"),
    edit(Edit::CursorUp, &["up"], "row above, or the prompt before"),
    edit(Edit::CursorDown, &["down"], "row below, or the prompt after"),
    edit(Edit::CursorLeft, &["left", "ctrl+b"], "left"),
    edit(Edit::CursorRight, &["right", "ctrl+f"], "right"),
    edit(Edit::CursorWordLeft, &["alt+left", "ctrl+left", "alt+b"], "word left"),
    edit(Edit::CursorWordRight, &["alt+right", "ctrl+right", "alt+f"], "word right"),
    edit(Edit::CursorLineStart, &["home", "ctrl+a", "super+left"], "start of the row, then of the line"),
    edit(Edit::CursorLineEnd, &["end", "ctrl+e", "super+right"], "end of the row, then of the line"),
    edit(Edit::CursorParagraphUp, &["ctrl+up"], "paragraph up"),
    edit(Edit::CursorParagraphDown, &["ctrl+down"], "paragraph down"),
    edit(Edit::CursorDocStart, &["ctrl+home", "super+home", "super+up"], "start of the draft"),
    edit(Edit::CursorDocEnd, &["ctrl+end", "super+end", "super+down"], "end of the draft"),
    edit(Edit::PageUp, &["pageUp"], "page up"),
    edit(Edit::PageDown, &["pageDown"], "page down"),
    edit(Edit::JumpForward, &["ctrl+]"], "to the next place of a character"),
    edit(Edit::JumpBackward, &["ctrl+alt+]"], "to the place of a character before"),
    edit(Edit::DeleteCharBackward, &["backspace", "shift+backspace"], "delete backward"),
    edit(Edit::DeleteCharForward, &["delete", "ctrl+d"], "delete forward"),
    edit(Edit::DeleteWordBackward, &["ctrl+w", "alt+backspace", "ctrl+backspace"], "delete the word before"),
    edit(Edit::DeleteWordForward, &["alt+d", "alt+delete", "ctrl+delete"], "delete the word after"),
    edit(Edit::DeleteToLineStart, &["ctrl+u"], "delete to the start of the line"),
    edit(Edit::DeleteToLineEnd, &["ctrl+k"], "delete to the end of the line"),
    edit(Edit::Yank, &["ctrl+y"], "put back what was deleted"),
    edit(Edit::YankPop, &["alt+y"], "an older deleted text in its place"),
    edit(Edit::Undo, &["ctrl+-", "super+z"], "undo"),
    edit(Edit::Redo, &["ctrl+shift+z", "shift+super+z"], "redo"),
    edit(Edit::ExpandPaste, &["alt+p"], "show the text of the paste at the cursor"),
];

const fn binding(context: Context, action: Action, keys: &'static [&'static str], help: &'static str) -> Binding {
    Binding { action, keys, context, help }
}

const fn global(action: Action, keys: &'static [&'static str], help: &'static str) -> Binding {
    binding(Context::Global, action, keys, help)
}

const fn gate(key: GateKey, keys: &'static [&'static str], help: &'static str) -> Binding {
    binding(Context::Gate, Action::Gate(key), keys, help)
}

const fn menu(key: MenuKey, keys: &'static [&'static str], help: &'static str) -> Binding {
    binding(Context::Menu, Action::Menu(key), keys, help)
}

const fn viewport(scroll: Scroll, keys: &'static [&'static str], help: &'static str) -> Binding {
    binding(Context::Viewport, Action::Viewport(scroll), keys, help)
}

const fn edit(edit: Edit, keys: &'static [&'static str], help: &'static str) -> Binding {
    binding(Context::Composer, Action::Edit(edit), keys, help)
}

/// Keys that have a name; a function key is `f` and its number.
const NAMES: &[(&str, KeyCode)] = &[
    ("space", KeyCode::Char(' ')),
    ("plus", KeyCode::Char('+')),
    ("enter", KeyCode::Enter),
    ("return", KeyCode::Enter),
    ("escape", KeyCode::Escape),
    ("esc", KeyCode::Escape),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageUp", KeyCode::PageUp),
    ("pageDown", KeyCode::PageDown),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
];

/// The character of a key whose face shows whether shift is held; the blank looks the same.
fn typed_sign(code: KeyCode) -> Option<char> {
    if let KeyCode::Char(character) = code { Some(character).filter(|character| *character != ' ') } else { None }
}

fn name(code: KeyCode) -> String {
    let named = NAMES.iter().find(|(_, named)| *named == code).map(|(name, _)| (*name).to_owned());
    named.unwrap_or_else(|| match code {
        KeyCode::Char(character) => character.to_lowercase().collect(),
        KeyCode::Function(number) => format!("f{number}"),
        KeyCode::Enter
        | KeyCode::Escape
        | KeyCode::Tab
        | KeyCode::Backspace
        | KeyCode::Delete
        | KeyCode::Insert
        | KeyCode::Home
        | KeyCode::End
        | KeyCode::PageUp
        | KeyCode::PageDown
        | KeyCode::Up
        | KeyCode::Down
        | KeyCode::Left
        | KeyCode::Right => unreachable!("the table of names has it"),
    })
}

fn code(name: &str) -> Option<KeyCode> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return Some(KeyCode::Char(character));
    }
    let named = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, code)| *code);
    named.or_else(|| {
        let number = name.strip_prefix(['f', 'F'])?.parse().ok()?;
        (1..=FUNCTION_KEY_MAX).contains(&number).then_some(KeyCode::Function(number))
    })
}

const FUNCTION_KEY_MAX: u8 = 12;

/// The same shortcut on the Latin letter at this key's place, if the layout's own letter is no Latin one.
/// A Latin letter means itself: else Ctrl+W on a French keyboard would suspend, for W lies where Z does.
fn latin_key(key: Key) -> Option<Key> {
    let KeyCode::Char(character) = key.code else { return None };
    let is_shortcut = key.modifiers.ctrl || key.modifiers.alt || key.modifiers.super_;
    if !is_shortcut || character.is_ascii_alphabetic() {
        return None;
    }
    let place = key.base.or_else(|| us_key(character))?;
    let modifiers = Modifiers { shift: key.modifiers.shift || character.is_uppercase(), ..key.modifiers };
    Some(Key::new(KeyCode::Char(place), modifiers))
}

/// The US key at the place of a Cyrillic or Greek letter.
fn us_key(letter: char) -> Option<char> {
    let letter = letter.to_lowercase().next()?;
    LAYOUTS.iter().find_map(|(letters, keys)| {
        letters.chars().zip(keys.chars()).find(|(own, _)| *own == letter).map(|(_, place)| place)
    })
}

/// Letters, and the US keys at their places: Russian, what Ukrainian and Belarusian have besides, Greek.
const LAYOUTS: &[(&str, &str)] = &[
    ("ёйцукенгшщзхъфывапролджэячсмитьбю", "`qwertyuiop[]asdfghjkl;'zxcvbnm,."),
    ("іїєґў", "s]'\\o"),
    ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
];

#[cfg(test)]
mod tests;
