//! The terminal crate as its users see it: painters on a virtual terminal, the decoder, and a real pty.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod decoding;
mod frames;
mod fullscreen;
mod inline;
mod laws;
mod model;
mod modes;
mod pty;
mod tty;
