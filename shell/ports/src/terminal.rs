//! The terminal: frames go out, keys and the frames' fates come back.

use screen::{Frame, Key, Mouse, Size};

/// Takes one frame at a time; what became of it comes as [`TerminalEvent::Painted`].
/// All events reach the interface through the channel the terminal was opened with.
pub trait Terminal: Send {
    /// Hands a frame over. At most one is in flight: the next only after its fate is known.
    fn paint(&mut self, frame: Frame);

    /// An event of this terminal was taken: somebody reads, so two presses of Ctrl+C need not end the process.
    fn note_read(&mut self) {}

    /// Gives back everything that was changed, in the order that is safe, and returns when it is done.
    /// `farewell` rows go to the normal screen below what is there.
    fn leave(&mut self, farewell: Vec<String>);

    /// Gives the terminal back, stops the process, and takes the terminal again when it goes on.
    /// Without job control it refuses and says why.
    fn suspend(&mut self) -> Result<(), String>;
}

#[derive(Clone, PartialEq, Debug)]
pub enum TerminalEvent {
    Key(Key),
    /// Text between paste brackets, as it came.
    Paste(String),
    Mouse(Mouse),
    Focus(bool),
    Resized(Size),
    Painted {
        frame: u64,
        fate: Fate,
    },
    /// The terminal's own background, if it told.
    Background {
        red: u8,
        green: u8,
        blue: u8,
    },
    /// Back from being suspended: everything must be painted anew.
    Resumed,
    /// A signal asks the program to end; the number is the exit code it stands for.
    Terminate {
        code: i32,
    },
    /// The terminal is gone; nothing can be written any more.
    Gone {
        reason: String,
    },
}

/// What became of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Its bytes were written, or it changed nothing; its history rows are the writer's.
    Written,
    /// The window has another size by now: nothing was written, nothing was taken.
    Stale { size: Size },
}
