//! The whole program in one thread: keys in, screen text out.
//! Doubles only what `ports` names; a test that needs more than `check` is a test of something smaller.

mod check;
mod clock;
mod faulty_journal;
mod kit;
mod script;
mod scripted_model;
mod scripted_tools;
mod window;
mod witness;

pub use check::{Check, check};
pub use kit::{Setup, Testkit, Tools};
