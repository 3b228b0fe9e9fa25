//! Keys and mouse as values, whatever bytes they came as.

/// One press of a key; releases never get here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    pub code: KeyCode,
    pub modifiers: Modifiers,
    /// The letter at this key's place on a US layout, where the terminal tells it.
    pub base: Option<char>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyCode {
    /// A printable character as the layout gives it, shift already applied.
    Char(char),
    Enter,
    Escape,
    Tab,
    Backspace,
    Delete,
    Insert,
    Home,
    End,
    PageUp,
    PageDown,
    Up,
    Down,
    Left,
    Right,
    Function(u8),
}

/// Modifier keys held; shift is not set for a character that already shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Modifiers {
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
    pub super_: bool,
}

impl Modifiers {
    pub const NONE: Self = Self { ctrl: false, alt: false, shift: false, super_: false };
    pub const CTRL: Self = Self { ctrl: true, ..Self::NONE };
    pub const ALT: Self = Self { alt: true, ..Self::NONE };
    pub const SHIFT: Self = Self { shift: true, ..Self::NONE };
}

impl Key {
    pub const fn new(code: KeyCode, modifiers: Modifiers) -> Self {
        Self { code, modifiers, base: None }
    }

    pub const fn plain(code: KeyCode) -> Self {
        Self::new(code, Modifiers::NONE)
    }

    pub const fn char(character: char) -> Self {
        Self::plain(KeyCode::Char(character))
    }

    pub const fn ctrl(character: char) -> Self {
        Self::new(KeyCode::Char(character), Modifiers::CTRL)
    }

    /// The character this key types, if it is no shortcut.
    pub fn typed(&self) -> Option<char> {
        match self.code {
            KeyCode::Char(character) if !self.modifiers.ctrl && !self.modifiers.alt && !self.modifiers.super_ => {
                Some(character)
            }
            _ => None,
        }
    }
}

/// One mouse report; `row` and `col` count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mouse {
    pub kind: MouseKind,
    pub row: u16,
    pub col: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MouseKind {
    WheelUp,
    WheelDown,
    Press,
    Drag,
    Release,
}
