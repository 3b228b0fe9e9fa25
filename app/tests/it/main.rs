//! The real program in a real terminal against a scripted model server: what only a process can show.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod bad_input;
mod kill;
mod leaving;
mod turns;

mod modes;
mod program;
mod server;
mod window;
