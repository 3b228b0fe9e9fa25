//! The real program in a real pty against the scripted model server: what only a process can show.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod endings;
mod kill;
mod leaving;
mod mock;
mod troubles;
mod window;
