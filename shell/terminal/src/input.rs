//! Bytes from the terminal to keys, pastes, mouse and what it answers.
//! Reads nothing and has no clock: the reader thread feeds it, and says when nothing more has come in time.
//!
//! What is not understood is dropped as a whole. A reply that comes late, in pieces or without its ESC is never text.

mod sequence;
mod stray;

use ports::TerminalEvent;
use screen::{Key, KeyCode, Modifiers};

use self::sequence::Reply;
use self::stray::Verdict;

/// How long `ESC [` and its like may stand alone before they are Alt and that key; longer than any split of a report.
const INTRODUCER_WAIT_MS: u64 = 250;

/// How long a sequence may stop in its middle; what has come of it is dropped then.
const SEQUENCE_WAIT_MS: u64 = 2_000;

/// How long a paste may stop before it is taken for ended, as its end mark may be lost.
const PASTE_WAIT_MS: u64 = 5_000;

/// How long a lone bracket is held back: it may begin a report that has lost its ESC.
const STRAY_START_WAIT_MS: u64 = 40;

/// How long a report without ESC may stop in its middle.
const STRAY_WAIT_MS: u64 = 250;

/// Bytes kept of one sequence; the rest of a longer one is skipped, and it means nothing.
const SEQUENCE_BYTES_MAX: usize = 4_096;

/// A longer paste comes as several, cut at blanks.
const PASTE_BYTES_MAX: usize = 16 << 20;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const PASTE_END: &[u8] = b"\x1b[201~";

/// What the decoder makes of bytes.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    Event(TerminalEvent),
    Fact(Fact),
}

/// Something learned of the terminal that its painter must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// It answered, but not to the question for the kitty keyboard protocol.
    NoKittyKeyboard,
    /// It turns the wheel into arrow keys on the alternate screen.
    AlternateScroll,
}

/// A stream of bytes, taken apart.
#[derive(Debug)]
pub struct Decoder {
    escape_wait_ms: u64,
    state: State,
    /// The bytes of what has begun, without its ESC and introducer.
    held: Vec<u8>,
    /// The bytes of a character that comes as if each of them were a key.
    keyed: Vec<u8>,
    has_kitty_keyboard: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Between things, or within a character of several bytes.
    Ground {
        prefix: Prefix,
    },
    /// After one or two ESC.
    Escape {
        count: usize,
    },
    Ss3 {
        prefix: Prefix,
    },
    Csi {
        prefix: Prefix,
    },
    /// A mouse report of the old kind: three bytes more.
    OldMouse,
    /// An operating system command, or a string of another kind, begun by this byte.
    Text {
        introducer: u8,
    },
    /// An ESC within such a string: its end, if a backslash follows.
    TextEscape {
        introducer: u8,
    },
    Paste,
    /// Text that may be a report without its ESC.
    Stray,
}

/// Whether an ESC stood before that belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Prefix {
    None,
    Escape,
}

const GROUND: State = State::Ground { prefix: Prefix::None };

impl Decoder {
    /// A lone ESC is the key after `escape_wait_ms`.
    pub fn new(escape_wait_ms: u64) -> Self {
        Self { escape_wait_ms, state: GROUND, held: Vec::new(), keyed: Vec::new(), has_kitty_keyboard: false }
    }

    /// Takes bytes as they were read, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8], inputs: &mut Vec<Input>) {
        for byte in bytes {
            self.take(*byte, inputs);
        }
    }

    /// Returns how long to wait for more before [`Decoder::time_out`]; none if nothing has begun.
    pub fn wait_ms(&self) -> Option<u64> {
        let introducer_or = |wait_ms| if self.held.is_empty() { INTRODUCER_WAIT_MS } else { wait_ms };
        match self.state {
            State::Ground { .. } => None,
            State::Escape { .. } => Some(self.escape_wait_ms),
            State::Ss3 { .. } => Some(INTRODUCER_WAIT_MS),
            State::Csi { .. } | State::Text { .. } => Some(introducer_or(SEQUENCE_WAIT_MS)),
            State::OldMouse | State::TextEscape { .. } => Some(SEQUENCE_WAIT_MS),
            State::Paste => Some(PASTE_WAIT_MS),
            State::Stray if self.held.len() == 1 => Some(STRAY_START_WAIT_MS),
            State::Stray => Some(STRAY_WAIT_MS),
        }
    }

    /// Ends what has begun: nothing more came within [`Decoder::wait_ms`].
    pub fn time_out(&mut self, inputs: &mut Vec<Input>) {
        let state = std::mem::replace(&mut self.state, GROUND);
        let held = std::mem::take(&mut self.held);
        match state {
            State::Ground { .. } => (self.state, self.held) = (state, held),
            State::Escape { count } => (0..count).for_each(|_| push_key(inputs, Key::plain(KeyCode::Escape))),
            State::Ss3 { prefix } => push_introducer(inputs, prefix, b'O'),
            State::Csi { prefix } if held.is_empty() => push_introducer(inputs, prefix, b'['),
            State::Text { introducer } if held.is_empty() => push_introducer(inputs, Prefix::None, introducer),
            State::Csi { .. } | State::OldMouse | State::Text { .. } | State::TextEscape { .. } => {}
            State::Paste => push_paste(inputs, &held),
            State::Stray if stray::is_surely_report(&held) => {}
            State::Stray => self.release(&held, inputs),
        }
    }

    fn take(&mut self, byte: u8, inputs: &mut Vec<Input>) {
        match self.state {
            State::Ground { prefix } => self.take_ground(byte, prefix, inputs),
            State::Escape { count } => self.take_escape(byte, count, inputs),
            State::Ss3 { prefix } => self.take_ss3(byte, prefix, inputs),
            State::Csi { prefix } => self.take_csi(byte, prefix, inputs),
            State::OldMouse => self.take_old_mouse(byte, inputs),
            State::Text { introducer } => self.take_text(byte, introducer, inputs),
            State::TextEscape { introducer } => self.take_text_escape(byte, introducer, inputs),
            State::Paste => self.take_paste(byte, inputs),
            State::Stray => self.take_stray(byte, inputs),
        }
    }

    fn take_ground(&mut self, byte: u8, prefix: Prefix, inputs: &mut Vec<Input>) {
        if byte != ESC {
            self.give_up_keyed(inputs);
        }
        if !self.held.is_empty() {
            self.continue_character(byte, prefix, inputs);
        } else if byte == ESC {
            self.state = State::Escape { count: 1 };
        } else if matches!(byte, b'[' | b']') && prefix == Prefix::None {
            self.held.push(byte);
            self.state = State::Stray;
        } else if let Some(key) = sequence::control(byte) {
            self.state = GROUND;
            push_key(inputs, prefixed(key, prefix));
        } else {
            self.continue_character(byte, prefix, inputs);
        }
    }

    /// Puts a character together from its bytes; what is no UTF-8 is read byte by byte as Latin-1.
    fn continue_character(&mut self, byte: u8, prefix: Prefix, inputs: &mut Vec<Input>) {
        self.held.push(byte);
        match std::str::from_utf8(&self.held) {
            Ok(text) => {
                text.chars().for_each(|character| push_key(inputs, prefixed(Key::char(character), prefix)));
                self.held.clear();
                self.state = GROUND;
            }
            Err(error) if error.error_len().is_none() => self.state = State::Ground { prefix },
            Err(_) => {
                self.held.pop();
                let latin = std::mem::take(&mut self.held);
                latin.iter().for_each(|byte| push_latin(inputs, *byte, prefix));
                self.state = GROUND;
                if latin.is_empty() {
                    push_latin(inputs, byte, prefix);
                } else {
                    self.take(byte, inputs);
                }
            }
        }
    }

    fn take_escape(&mut self, byte: u8, count: usize, inputs: &mut Vec<Input>) {
        let prefix = if count > 1 { Prefix::Escape } else { Prefix::None };
        match byte {
            ESC => {
                // Of three the first is surely a press.
                if count > 1 {
                    push_key(inputs, Key::plain(KeyCode::Escape));
                }
                self.state = State::Escape { count: 2 };
            }
            b'[' => self.state = State::Csi { prefix },
            b'O' => self.state = State::Ss3 { prefix },
            b']' | b'P' | b'_' | b'^' | b'X' => self.state = State::Text { introducer: byte },
            _ => {
                if count > 1 {
                    push_key(inputs, Key::plain(KeyCode::Escape));
                }
                self.take_ground(byte, Prefix::Escape, inputs);
            }
        }
    }

    fn take_ss3(&mut self, byte: u8, prefix: Prefix, inputs: &mut Vec<Input>) {
        self.state = GROUND;
        if byte == ESC {
            push_introducer(inputs, prefix, b'O');
            self.take(byte, inputs);
        } else if let Some(key) = sequence::ss3(byte) {
            push_key(inputs, prefixed(key, prefix));
        }
    }

    fn take_csi(&mut self, byte: u8, prefix: Prefix, inputs: &mut Vec<Input>) {
        match byte {
            // The Linux console's F1 to F5.
            _ if self.held == b"[" => self.end_csi(byte, prefix, inputs),
            b'[' if self.held.is_empty() => self.held.push(byte),
            b'M' if self.held.is_empty() => self.state = State::OldMouse,
            // rxvt's shift: a byte that elsewhere stands before the last one.
            b'$' if !self.held.is_empty() && self.held.iter().all(u8::is_ascii_digit) => {
                self.end_csi(byte, prefix, inputs);
            }
            b' '..=b'?' => self.hold(byte),
            b'@'..=b'~' => self.end_csi(byte, prefix, inputs),
            _ => self.abort(byte, inputs),
        }
    }

    fn end_csi(&mut self, last: u8, prefix: Prefix, inputs: &mut Vec<Input>) {
        let held = std::mem::take(&mut self.held);
        self.state = GROUND;
        let reply = sequence::csi(&held, last);
        if !matches!(reply, Some(Reply::Byte(_))) {
            self.give_up_keyed(inputs);
        }
        match reply {
            None => {}
            Some(Reply::Key(key)) => push_key(inputs, prefixed(key, prefix)),
            Some(Reply::Byte(byte)) => self.take_keyed(byte, inputs),
            Some(Reply::Event(event)) => inputs.push(Input::Event(event)),
            Some(Reply::PasteBegins) => self.state = State::Paste,
            Some(Reply::KittyKeyboard) => self.has_kitty_keyboard = true,
            Some(Reply::AlternateScroll) => inputs.push(Input::Fact(Fact::AlternateScroll)),
            Some(Reply::EndOfAnswers) if self.has_kitty_keyboard => {}
            Some(Reply::EndOfAnswers) => inputs.push(Input::Fact(Fact::NoKittyKeyboard)),
        }
    }

    fn take_keyed(&mut self, byte: u8, inputs: &mut Vec<Input>) {
        self.keyed.push(byte);
        match std::str::from_utf8(&self.keyed) {
            Ok(text) => {
                text.chars().for_each(|character| push_key(inputs, Key::char(character)));
                self.keyed.clear();
            }
            Err(error) if error.error_len().is_none() => {}
            Err(_) => self.give_up_keyed(inputs),
        }
    }

    /// They were keys after all.
    fn give_up_keyed(&mut self, inputs: &mut Vec<Input>) {
        self.keyed.drain(..).for_each(|byte| push_latin(inputs, byte, Prefix::None));
    }

    fn take_old_mouse(&mut self, byte: u8, inputs: &mut Vec<Input>) {
        self.held.push(byte);
        if let [buttons, col, row] = *self.held {
            self.held.clear();
            self.state = GROUND;
            inputs.extend(sequence::old_mouse(buttons, col, row).map(Input::Event));
        }
    }

    fn take_text(&mut self, byte: u8, introducer: u8, inputs: &mut Vec<Input>) {
        match byte {
            BEL => self.end_text(introducer, inputs),
            ESC => self.state = State::TextEscape { introducer },
            0..=0x1f => self.abort(byte, inputs),
            _ => self.hold(byte),
        }
    }

    fn take_text_escape(&mut self, byte: u8, introducer: u8, inputs: &mut Vec<Input>) {
        if byte == b'\\' {
            self.end_text(introducer, inputs);
        } else {
            self.state = State::Text { introducer };
            self.time_out(inputs);
            self.state = State::Escape { count: 1 };
            self.take(byte, inputs);
        }
    }

    fn end_text(&mut self, introducer: u8, inputs: &mut Vec<Input>) {
        let held = std::mem::take(&mut self.held);
        self.state = GROUND;
        if introducer == b']' {
            inputs.extend(sequence::osc(&held).map(Input::Event));
        }
    }

    fn take_paste(&mut self, byte: u8, inputs: &mut Vec<Input>) {
        self.held.push(byte);
        if byte == b'~' && self.held.ends_with(PASTE_END) {
            let held = std::mem::take(&mut self.held);
            self.state = GROUND;
            push_paste(inputs, &held[..held.len() - PASTE_END.len()]);
        } else if self.held.len() >= PASTE_BYTES_MAX && matches!(byte, b' ' | b'\r' | b'\n') {
            let held = std::mem::take(&mut self.held);
            push_paste(inputs, &held);
        }
    }

    fn take_stray(&mut self, byte: u8, inputs: &mut Vec<Input>) {
        self.held.push(byte);
        match stray::judge(&self.held) {
            Verdict::Unfinished => {}
            Verdict::Report => {
                let held = std::mem::take(&mut self.held);
                self.state = State::Escape { count: 1 };
                self.feed(&held, inputs);
            }
            Verdict::Text => {
                let held = std::mem::take(&mut self.held);
                self.release(&held, inputs);
            }
        }
    }

    /// Gives held text out as the keys it is; only its first byte was the reason to hold it.
    fn release(&mut self, held: &[u8], inputs: &mut Vec<Input>) {
        self.state = GROUND;
        push_key(inputs, Key::char(char::from(held[0])));
        self.feed(&held[1..], inputs);
    }

    fn hold(&mut self, byte: u8) {
        if self.held.len() < SEQUENCE_BYTES_MAX {
            self.held.push(byte);
        }
    }

    /// Ends a sequence that a byte broke off, and takes the byte for itself.
    fn abort(&mut self, byte: u8, inputs: &mut Vec<Input>) {
        self.time_out(inputs);
        self.take(byte, inputs);
    }
}

fn push_key(inputs: &mut Vec<Input>, key: Key) {
    inputs.push(Input::Event(TerminalEvent::Key(key)));
}

fn push_latin(inputs: &mut Vec<Input>, byte: u8, prefix: Prefix) {
    let character = char::from(byte);
    if !character.is_control() {
        push_key(inputs, prefixed(Key::char(character), prefix));
    }
}

fn push_paste(inputs: &mut Vec<Input>, bytes: &[u8]) {
    inputs.push(Input::Event(TerminalEvent::Paste(sequence::paste_text(bytes))));
}

/// An introducer that nothing followed was Alt and that key.
fn push_introducer(inputs: &mut Vec<Input>, prefix: Prefix, introducer: u8) {
    if prefix == Prefix::Escape {
        push_key(inputs, Key::plain(KeyCode::Escape));
    }
    push_key(inputs, Key::new(KeyCode::Char(char::from(introducer)), Modifiers::ALT));
}

fn prefixed(mut key: Key, prefix: Prefix) -> Key {
    key.modifiers.alt |= prefix == Prefix::Escape;
    key
}
