//! The built-in agent as a state machine: [`Session::handle`] takes an [`Input`] and returns [`Effect`]s.
//! Reads no clock, starts nothing, stores nothing: `shell/runtime` carries the effects out, in order.

pub mod input;
pub mod effect;

pub use effect::{Effect, Timer};
pub use input::{Input, Outcome, Prepared};
