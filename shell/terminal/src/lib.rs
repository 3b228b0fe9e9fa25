//! The terminal: frames to bytes, bytes to keys, and every mode given back.
//! Decides nothing of what is shown, and knows no theme, no transcript and no agent.

mod input;
mod paint;
mod tty;

pub use input::{Decoder, Fact, Input};
pub use paint::Painter;
pub use tty::{Options, Sink, Tty};
