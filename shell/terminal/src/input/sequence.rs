//! What complete sequences mean, as tables. Holds no state.

use ports::TerminalEvent;
use screen::{Key, KeyCode, Modifiers, Mouse, MouseKind};

/// What a control sequence says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Reply {
    Key(Key),
    /// One byte of a character that was sent as if each byte were a key.
    Byte(u8),
    Event(TerminalEvent),
    PasteBegins,
    KittyKeyboard,
    AlternateScroll,
    /// The answer that every terminal gives, to the last question.
    EndOfAnswers,
}

const KEY_RELEASED: u32 = 3;
const MODE_ALTERNATE_SCROLL: u32 = 1007;
const MODE_SET: u32 = 1;

/// The keys that end a sequence with a letter, as `CSI 1;5A` or `SS3 A`.
const LETTER_KEYS: &[(u8, KeyCode)] = &[
    (b'A', KeyCode::Up),
    (b'B', KeyCode::Down),
    (b'C', KeyCode::Right),
    (b'D', KeyCode::Left),
    (b'F', KeyCode::End),
    (b'H', KeyCode::Home),
    (b'P', KeyCode::Function(1)),
    (b'Q', KeyCode::Function(2)),
    (b'R', KeyCode::Function(3)),
    (b'S', KeyCode::Function(4)),
];

/// The keys of `CSI number ~`.
const NUMBER_KEYS: &[(u32, KeyCode)] = &[
    (1, KeyCode::Home),
    (2, KeyCode::Insert),
    (3, KeyCode::Delete),
    (4, KeyCode::End),
    (5, KeyCode::PageUp),
    (6, KeyCode::PageDown),
    (7, KeyCode::Home),
    (8, KeyCode::End),
    (11, KeyCode::Function(1)),
    (12, KeyCode::Function(2)),
    (13, KeyCode::Function(3)),
    (14, KeyCode::Function(4)),
    (15, KeyCode::Function(5)),
    (17, KeyCode::Function(6)),
    (18, KeyCode::Function(7)),
    (19, KeyCode::Function(8)),
    (20, KeyCode::Function(9)),
    (21, KeyCode::Function(10)),
    (23, KeyCode::Function(11)),
    (24, KeyCode::Function(12)),
];

/// The keys that the kitty protocol tells by a number of their own: `CSI number u`.
const KITTY_KEYS: &[(u32, KeyCode)] = &[
    (8, KeyCode::Backspace),
    (9, KeyCode::Tab),
    (13, KeyCode::Enter),
    (27, KeyCode::Escape),
    (127, KeyCode::Backspace),
    (57414, KeyCode::Enter),
    (57417, KeyCode::Left),
    (57418, KeyCode::Right),
    (57419, KeyCode::Up),
    (57420, KeyCode::Down),
    (57421, KeyCode::PageUp),
    (57422, KeyCode::PageDown),
    (57423, KeyCode::Home),
    (57424, KeyCode::End),
    (57425, KeyCode::Insert),
    (57426, KeyCode::Delete),
];

/// The keypad's characters, in the order of their numbers; the CR stands for Enter, which is in the table above.
const KITTY_KEYPAD_FIRST: u32 = 57399;
const KITTY_KEYPAD: &str = "0123456789./*-+\r=,";

/// Numbers that the protocol gives to keys without a character: locks, media keys, modifiers.
const KITTY_PRIVATE: std::ops::RangeInclusive<u32> = 0xe000..=0xf8ff;

/// The keypad in application mode: `SS3 j` to `SS3 y`.
const SS3_KEYPAD_FIRST: u8 = b'j';
const SS3_KEYPAD: &str = "*+,-./0123456789";

/// Returns the key of a control byte; none if the byte is none.
pub(super) fn control(byte: u8) -> Option<Key> {
    Some(match byte {
        0x00 => Key::ctrl(' '),
        0x08 | 0x7f => Key::plain(KeyCode::Backspace),
        0x09 => Key::plain(KeyCode::Tab),
        0x0d => Key::plain(KeyCode::Enter),
        0x01..=0x1a => Key::ctrl(char::from(byte - 1 + b'a')),
        0x1b => Key::plain(KeyCode::Escape),
        // The byte of Ctrl and minus, which is typed far more often than Ctrl and underscore.
        0x1f => Key::ctrl('-'),
        0x1c..=0x1e => Key::ctrl(char::from(byte + 0x40)),
        0x20..=0x7e | 0x80..=0xff => return None,
    })
}

pub(super) fn ss3(last: u8) -> Option<Key> {
    if let Some(code) = find(LETTER_KEYS, last) {
        return Some(Key::plain(code));
    }
    match last {
        b'M' => Some(Key::plain(KeyCode::Enter)),
        b'I' => Some(Key::plain(KeyCode::Tab)),
        b'X' => Some(Key::char('=')),
        b'a'..=b'd' => rxvt_arrow(last, Modifiers::CTRL),
        b'j'..=b'y' => SS3_KEYPAD.chars().nth(usize::from(last - SS3_KEYPAD_FIRST)).map(Key::char),
        _ => None,
    }
}

/// Reads a control sequence from the bytes between its introducer and its last byte; none if it means nothing to us.
pub(super) fn csi(held: &[u8], last: u8) -> Option<Reply> {
    let text = std::str::from_utf8(held).ok()?;
    match (held.first(), last) {
        (Some(b'<'), b'M' | b'm') => mouse(&text[1..], last).map(Reply::Event),
        (Some(b'?'), b'u') => Some(Reply::KittyKeyboard),
        (Some(b'?'), b'c') => Some(Reply::EndOfAnswers),
        (Some(b'?'), b'y') => is_alternate_scroll(&text[1..]).then_some(Reply::AlternateScroll),
        (Some(b'<' | b'=' | b'>' | b'?'), _) => None,
        (Some(b'['), b'A'..=b'E') => Some(Reply::Key(Key::plain(KeyCode::Function(last - b'A' + 1)))),
        (None, b'I') => Some(Reply::Event(TerminalEvent::Focus(true))),
        (None, b'O') => Some(Reply::Event(TerminalEvent::Focus(false))),
        (None, b'a'..=b'd') => rxvt_arrow(last, Modifiers::SHIFT).map(Reply::Key),
        (_, b'~' | b'^' | b'$' | b'@') => numbered(&Parameters::parse(text), last),
        (_, b'u') => kitty(&Parameters::parse(text)),
        (_, _) => lettered(&Parameters::parse(text), last).map(Reply::Key),
    }
}

pub(super) fn old_mouse(buttons: u8, col: u8, row: u8) -> Option<TerminalEvent> {
    let buttons = u32::from(buttons.checked_sub(32)?);
    let kind = if buttons & 0b11 == 3 && buttons < 64 { Some(MouseKind::Release) } else { mouse_kind(buttons, b'M') };
    let from_one = |byte: u8| u16::from(byte.saturating_sub(33));
    kind.map(|kind| TerminalEvent::Mouse(Mouse { kind, row: from_one(row), col: from_one(col) }))
}

/// Reads the answer with the terminal's background; everything else is dropped.
pub(super) fn osc(held: &[u8]) -> Option<TerminalEvent> {
    let color = std::str::from_utf8(held).ok()?.strip_prefix("11;")?;
    let (red, green, blue) = match color.strip_prefix('#') {
        Some(digits) if digits.is_ascii() && digits.len() % 3 == 0 => {
            let third = digits.len() / 3;
            (&digits[..third], &digits[third..2 * third], &digits[2 * third..])
        }
        _ => {
            let mut parts = color.strip_prefix("rgb:").or(color.strip_prefix("rgba:"))?.split('/');
            (parts.next()?, parts.next()?, parts.next()?)
        }
    };
    Some(TerminalEvent::Background { red: channel(red)?, green: channel(green)?, blue: channel(blue)? })
}

/// Text between paste brackets. Some multiplexers send its bytes as keys; those are put together again.
pub(super) fn paste_text(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(start) = rest.windows(2).position(|pair| pair == b"\x1b[") {
        let body = &rest[start + 2..];
        let end = body.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';')).unwrap_or(body.len());
        let byte = body.get(end).and_then(|last| pasted_byte(&body[..end], *last));
        text.extend_from_slice(&rest[..start]);
        match byte {
            Some(byte) => {
                text.push(byte);
                rest = &body[end + 1..];
            }
            None => {
                text.extend_from_slice(&rest[start..start + 2]);
                rest = body;
            }
        }
    }
    text.extend_from_slice(rest);
    String::from_utf8_lossy(&text).into_owned()
}

fn pasted_byte(held: &[u8], last: u8) -> Option<u8> {
    let parameters = Parameters::parse(std::str::from_utf8(held).ok()?);
    let (code, modifiers) = match last {
        b'u' => (parameters.first(0)?, parameters.modifiers()),
        b'~' if parameters.first(0) == Some(27) => (parameters.first(2)?, parameters.modifiers()),
        _ => return None,
    };
    let byte = u8::try_from(code).ok()?;
    Some(if modifiers.ctrl && byte.is_ascii_alphabetic() { byte & 0x1f } else { byte })
}

/// Numbers separated by semicolons, each with parts separated by colons; any may be left out.
struct Parameters<'a>(Vec<&'a str>);

impl<'a> Parameters<'a> {
    fn parse(text: &'a str) -> Self {
        Self(text.split(';').collect())
    }

    fn part(&self, index: usize, part: usize) -> Option<u32> {
        self.0.get(index)?.split(':').nth(part)?.parse().ok()
    }

    fn first(&self, index: usize) -> Option<u32> {
        self.part(index, 0)
    }

    fn is_release(&self) -> bool {
        self.part(1, 1) == Some(KEY_RELEASED)
    }

    fn modifiers(&self) -> Modifiers {
        modifiers(self.first(1).unwrap_or(1))
    }
}

/// Modifiers as terminals number them: one more than the sum of their bits.
fn modifiers(number: u32) -> Modifiers {
    let bits = number.saturating_sub(1);
    Modifiers {
        shift: bits & 1 != 0,
        // Bit 32 is meta, which is Alt on the keyboards there are.
        alt: bits & (2 | 32) != 0,
        ctrl: bits & 4 != 0,
        super_: bits & 8 != 0,
    }
}

fn numbered(parameters: &Parameters, last: u8) -> Option<Reply> {
    if parameters.is_release() {
        return None;
    }
    let number = parameters.first(0)?;
    match number {
        27 => return Some(Reply::Key(other_key(parameters.first(2)?, parameters.modifiers()))),
        200 => return Some(Reply::PasteBegins),
        _ => {}
    }
    let mut held = parameters.modifiers();
    held.ctrl |= matches!(last, b'^' | b'@');
    held.shift |= matches!(last, b'$' | b'@');
    Some(Reply::Key(Key::new(find(NUMBER_KEYS, number)?, held)))
}

fn kitty(parameters: &Parameters) -> Option<Reply> {
    if parameters.is_release() {
        return None;
    }
    let code = parameters.first(0)?;
    let held = parameters.modifiers();
    if held == Modifiers::NONE && (0x80..=0xff).contains(&code) {
        return u8::try_from(code).ok().map(Reply::Byte);
    }
    if let Some(code) = find(KITTY_KEYS, code) {
        return Some(Reply::Key(Key::new(code, held)));
    }
    let keypad = code.checked_sub(KITTY_KEYPAD_FIRST).and_then(|index| KITTY_KEYPAD.chars().nth(index as usize));
    if let Some(character) = keypad {
        return Some(Reply::Key(Key::new(KeyCode::Char(character), held)));
    }
    if KITTY_PRIVATE.contains(&code) {
        return None;
    }
    Some(Reply::Key(typed(code, parameters.part(0, 1), parameters.part(0, 2), held)))
}

/// A key as xterm's modifyOtherKeys tells it: by the character that it types with shift held.
fn other_key(code: u32, held: Modifiers) -> Key {
    let shifted = char::from_u32(code).and_then(|plain| plain.to_uppercase().next()).map(u32::from);
    typed(code, shifted, None, held)
}

/// A key with a character: shift is applied to it where the terminal did not.
fn typed(code: u32, shifted: Option<u32>, base: Option<u32>, mut held: Modifiers) -> Key {
    if let Some(code) = find(KITTY_KEYS, code) {
        return Key::new(code, held);
    }
    let plain = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    if let Some(key) = u8::try_from(code).ok().and_then(control) {
        return Key { modifiers: Modifiers { ctrl: true, ..held }, ..key };
    }
    let mut character = plain;
    if held.shift {
        if let Some(shifted) = shifted.and_then(char::from_u32) {
            character = shifted;
            held.shift = false;
        } else if plain.is_alphabetic() {
            character = plain.to_uppercase().next().unwrap_or(plain);
            held.shift = false;
        }
    }
    Key { code: KeyCode::Char(character), modifiers: held, base: base.and_then(char::from_u32) }
}

fn lettered(parameters: &Parameters, last: u8) -> Option<Key> {
    if parameters.is_release() {
        return None;
    }
    // `CSI row;col R` would be a cursor report; only `CSI 1;modifiers R` is F3.
    if last == b'R' && parameters.first(0).is_some_and(|first| first != 1) {
        return None;
    }
    let held = parameters.modifiers();
    if last == b'Z' {
        return Some(Key::new(KeyCode::Tab, Modifiers { shift: true, ..held }));
    }
    Some(Key::new(find(LETTER_KEYS, last)?, held))
}

fn rxvt_arrow(last: u8, held: Modifiers) -> Option<Key> {
    Some(Key::new(find(LETTER_KEYS, last.to_ascii_uppercase())?, held))
}

fn mouse(text: &str, last: u8) -> Option<TerminalEvent> {
    let parameters = Parameters::parse(text);
    let kind = mouse_kind(parameters.first(0)?, last)?;
    let from_one = |index| parameters.first(index).and_then(|value| u16::try_from(value.saturating_sub(1)).ok());
    Some(TerminalEvent::Mouse(Mouse { kind, row: from_one(2)?, col: from_one(1)? }))
}

/// The wheel and the left button; the bits of modifiers say nothing to us.
fn mouse_kind(buttons: u32, last: u8) -> Option<MouseKind> {
    const MODIFIERS: u32 = 4 | 8 | 16;
    match (buttons & !MODIFIERS, last) {
        (64, b'M') => Some(MouseKind::WheelUp),
        (65, b'M') => Some(MouseKind::WheelDown),
        (0, b'M') => Some(MouseKind::Press),
        (0, b'm') => Some(MouseKind::Release),
        (32, b'M') => Some(MouseKind::Drag),
        _ => None,
    }
}

fn is_alternate_scroll(text: &str) -> bool {
    let parameters = Parameters::parse(text.trim_end_matches('$'));
    parameters.first(0) == Some(MODE_ALTERNATE_SCROLL) && parameters.first(1) == Some(MODE_SET)
}

/// One to four hex digits, scaled to eight bits.
fn channel(digits: &str) -> Option<u8> {
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let largest = (1_u32 << (4 * digits.len())) - 1;
    u8::try_from(value * 255 / largest).ok()
}

fn find<K: PartialEq + Copy>(table: &[(K, KeyCode)], key: K) -> Option<KeyCode> {
    table.iter().find(|(known, _)| *known == key).map(|(_, code)| *code)
}
