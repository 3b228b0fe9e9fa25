//! Frames to bytes, without a terminal: the painters of both surfaces, and the modes they need.
//! Reads no window size and writes to nothing; the writer thread and the virtual terminal of tests do.

mod cells;
mod fullscreen;
mod ink;
mod inline;
mod modes;
mod pen;
mod scroll;

use screen::{Frame, Size, Surface};

use self::fullscreen::Fullscreen;
use self::inline::{Inline, Start};
use self::modes::Modes;
use self::pen::Pen;
use crate::input::Fact;

/// Turns frames into the bytes that lead from what it believes to be on screen to what the frame says.
#[derive(Debug, Default)]
pub struct Painter {
    stage: Stage,
    inline: Inline,
    fullscreen: Fullscreen,
    modes: Modes,
    title: Option<String>,
}

/// Which screen of the terminal is ours.
#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    /// None: the terminal is as it was found.
    #[default]
    Out,
    Inline,
    /// With what leaving it will find on the normal screen, and the window's size when that was left.
    Fullscreen {
        below: Start,
        entered_at: Size,
    },
}

impl Painter {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the bytes for a frame, to be written as one; empty if nothing changed.
    /// The first frame, and one of another surface, sets the modes it needs before it paints.
    pub fn encode(&mut self, frame: &Frame) -> Vec<u8> {
        let mut setup = Pen::new();
        let mut pen = Pen::new();
        let Frame { size, caret, palette, .. } = frame;
        match &frame.surface {
            Surface::Inline { history, live } => {
                self.turn_inline(*size, &mut setup);
                let picture = inline::Picture { size: *size, palette, history, live, caret: *caret };
                self.inline.paint(&picture, &mut pen);
            }
            Surface::Fullscreen { rows } => {
                self.turn_fullscreen(*size, &mut setup);
                let picture = fullscreen::Picture { size: *size, palette, rows, caret: *caret };
                self.fullscreen.paint(&picture, &mut pen);
            }
        }
        self.retitle(frame, &mut setup);
        seal(setup, pen)
    }

    /// Returns the bytes for something learned of the terminal; often empty.
    pub fn learn(&mut self, fact: Fact) -> Vec<u8> {
        let mut pen = Pen::new();
        self.modes.learn(fact);
        if let Some(screen) = self.screen() {
            self.modes.follow_facts(screen, &mut pen);
        }
        pen.into_bytes()
    }

    /// Returns the bytes that give back all that was changed, and leave the cursor where output may go on.
    /// They hold wherever a frame was cut off, and may be asked for before they are needed.
    pub fn leave(&self) -> Vec<u8> {
        let mut pen = Pen::new();
        if let Some(screen) = self.screen() {
            pen.put(modes::CUT_FRAME_SHORT);
            if screen == modes::Screen::Normal {
                self.inline.erase(&mut pen);
            }
            if self.title.is_some() {
                pen.put(modes::TITLE_POP);
            }
            self.modes.leave(screen, &mut pen);
            self.modes.leave_all(&mut pen);
        }
        pen.into_bytes()
    }

    /// Whether text after [`Painter::leave`] must begin a line of its own, as the column is not known.
    pub fn leaves_unknown_column(&self) -> bool {
        match self.stage {
            Stage::Out => true,
            Stage::Inline => false,
            Stage::Fullscreen { below, .. } => below == Start::AnyColumn,
        }
    }

    /// Forgets the screen, as someone else has had it: the next frame is a first paint with all modes.
    pub fn forget(&mut self) {
        self.stage = Stage::Out;
        self.title = None;
        self.modes.forget();
    }

    fn screen(&self) -> Option<modes::Screen> {
        match self.stage {
            Stage::Out => None,
            Stage::Inline => Some(modes::Screen::Normal),
            Stage::Fullscreen { .. } => Some(modes::Screen::Alternate),
        }
    }

    fn turn_inline(&mut self, size: Size, pen: &mut Pen) {
        let start = match self.stage {
            Stage::Inline => return,
            Stage::Out => {
                self.modes.enter_first(pen);
                Start::AnyColumn
            }
            Stage::Fullscreen { below, entered_at } => {
                self.modes.leave(modes::Screen::Alternate, pen);
                if entered_at == size { below } else { Start::Anywhere }
            }
        };
        self.modes.enter(modes::Screen::Normal, pen);
        self.inline = Inline::new(start);
        self.stage = Stage::Inline;
    }

    fn turn_fullscreen(&mut self, size: Size, pen: &mut Pen) {
        let below = match self.stage {
            Stage::Fullscreen { .. } => return,
            Stage::Out => {
                self.modes.enter_first(pen);
                Start::AnyColumn
            }
            Stage::Inline => {
                self.inline.erase(pen);
                self.modes.leave(modes::Screen::Normal, pen);
                Start::OwnRow
            }
        };
        self.modes.enter(modes::Screen::Alternate, pen);
        self.fullscreen = Fullscreen::default();
        self.stage = Stage::Fullscreen { below, entered_at: size };
    }

    fn retitle(&mut self, frame: &Frame, pen: &mut Pen) {
        if self.title == frame.title {
            return;
        }
        match (&self.title, &frame.title) {
            (None, Some(_)) => pen.put(modes::TITLE_PUSH),
            (Some(_), None) => pen.put(modes::TITLE_POP),
            (Some(_), Some(_)) | (None, None) => {}
        }
        if let Some(title) = &frame.title {
            pen.format(format_args!("\x1b]2;{}\x1b\\", screen::text::clean(title)));
        }
        self.title.clone_from(&frame.title);
    }
}

/// Makes one write of a frame: its modes, then its cells inside one synchronized update.
/// Every byte of a frame goes through here, so this is where a check of them belongs.
fn seal(setup: Pen, body: Pen) -> Vec<u8> {
    let mut bytes = setup.into_bytes();
    if !body.is_unused() {
        bytes.extend_from_slice(modes::UPDATE_BEGIN.as_bytes());
        bytes.extend_from_slice(&body.into_bytes());
        bytes.extend_from_slice(modes::UPDATE_END.as_bytes());
    }
    bytes
}
