//! The terminal's modes: what is set on each screen, and its exact undoing.

use super::pen::Pen;
use crate::input::Fact;

pub(super) const UPDATE_BEGIN: &str = "\x1b[?2026h";
pub(super) const UPDATE_END: &str = "\x1b[?2026l";

/// Ends what a frame that was cut off may have left open.
pub(super) const CUT_FRAME_SHORT: &str = "\x1b[?2026l\x1b[m\x1b[?7h";

pub(super) const TITLE_PUSH: &str = "\x1b[22;2t";
pub(super) const TITLE_POP: &str = "\x1b[23;2t";

/// What a program that was killed may have left on: mouse reports, and the keyboard modes.
const RESET: &str = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[=0u\x1b[>4;0m";

/// The terminal's background, alternate scroll, the kitty keyboard, and last a question that every terminal answers.
const QUESTIONS: &str = "\x1b]11;?\x1b\\\x1b[?1007$p\x1b[?u\x1b[c";

/// Bracketed paste and focus reports, which both screens share.
const SHARED_ON: &str = "\x1b[?2004h\x1b[?1004h";
const SHARED_OFF: &str = "\x1b[?1004l\x1b[?2004l";

/// Kitty keyboard: disambiguate (1) and alternate keys (4), never releases. Each screen has a stack of its own.
const KITTY_PUSH: &str = "\x1b[>5u";
const KITTY_POP: &str = "\x1b[<1u";

const MODIFY_OTHER_KEYS_ON: &str = "\x1b[>4;2m";
const MODIFY_OTHER_KEYS_OFF: &str = "\x1b[>4;0m";

/// The wheel must never arrive as arrow keys.
const ALTERNATE_SCROLL_ON: &str = "\x1b[?1007h";
const ALTERNATE_SCROLL_OFF: &str = "\x1b[?1007l";

const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

const ALTERNATE_ON: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const ALTERNATE_OFF: &str = "\x1b[?7h\x1b[?1049l";

const CURSOR_ON: &str = "\x1b[?25h";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Screen {
    Normal,
    Alternate,
}

/// What is known of the terminal, and what was set because of it.
#[derive(Debug, Default)]
pub(super) struct Modes {
    asked: bool,
    has_no_kitty_keyboard: bool,
    has_alternate_scroll: bool,
    modifies_other_keys: bool,
    stopped_alternate_scroll: bool,
}

impl Modes {
    /// What is set once, whichever screen comes first.
    pub(super) fn enter_first(&mut self, pen: &mut Pen) {
        pen.put(RESET);
        if !self.asked {
            self.asked = true;
            pen.put(QUESTIONS);
        }
        pen.put(SHARED_ON);
    }

    pub(super) fn enter(&mut self, screen: Screen, pen: &mut Pen) {
        match screen {
            Screen::Normal => pen.put(KITTY_PUSH),
            Screen::Alternate => {
                pen.put(ALTERNATE_ON);
                pen.put(KITTY_PUSH);
                pen.put(MOUSE_ON);
            }
        }
        self.follow_facts(screen, pen);
    }

    /// Undoes [`Modes::enter`].
    pub(super) fn leave(&self, screen: Screen, pen: &mut Pen) {
        match screen {
            Screen::Normal => pen.put(KITTY_POP),
            Screen::Alternate => {
                pen.put(MOUSE_OFF);
                pen.put(KITTY_POP);
                pen.put(ALTERNATE_OFF);
            }
        }
    }

    /// Undoes the rest.
    pub(super) fn leave_all(&self, pen: &mut Pen) {
        if self.modifies_other_keys {
            pen.put(MODIFY_OTHER_KEYS_OFF);
        }
        if self.stopped_alternate_scroll {
            pen.put(ALTERNATE_SCROLL_ON);
        }
        pen.put(SHARED_OFF);
        pen.put(CURSOR_ON);
    }

    pub(super) fn learn(&mut self, fact: Fact) {
        match fact {
            Fact::NoKittyKeyboard => self.has_no_kitty_keyboard = true,
            Fact::AlternateScroll => self.has_alternate_scroll = true,
        }
    }

    /// Sets what the facts known by now ask for on this screen.
    pub(super) fn follow_facts(&mut self, screen: Screen, pen: &mut Pen) {
        if self.has_no_kitty_keyboard && !self.modifies_other_keys {
            self.modifies_other_keys = true;
            pen.put(MODIFY_OTHER_KEYS_ON);
        }
        if self.has_alternate_scroll && !self.stopped_alternate_scroll && screen == Screen::Alternate {
            self.stopped_alternate_scroll = true;
            pen.put(ALTERNATE_SCROLL_OFF);
        }
    }

    /// Nothing is set any more; what is known stays.
    pub(super) fn forget(&mut self) {
        self.modifies_other_keys = false;
        self.stopped_alternate_scroll = false;
    }
}
