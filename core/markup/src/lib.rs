//! Markdown, code and diffs to rows of roles.
//! Makes no color (`theme` does) and keeps no transcript: text and a width come in, rows go out.

mod block;
mod code;
mod diff;
mod inline;
mod source;
mod stream;
mod table;
mod unfinished;

pub use block::{Options, markdown};
pub use code::code;
pub use diff::diff;
pub use stream::Stream;
