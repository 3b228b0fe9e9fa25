//! The built-in agent as a state machine: [`Session::handle`] takes an [`Input`] and returns [`Effect`]s.
//! Reads no clock, starts nothing, stores nothing: `shell/runtime` carries the effects out, in order.

mod agent_loop;
mod batch;
pub mod config;
mod context;
pub mod effect;
pub mod input;
mod moment;
mod policy;
mod record;
mod retry;
pub mod session;
mod step;
mod stream;
mod turn;

#[cfg(test)]
mod tests;

pub use config::{Config, Limits, Retry};
pub use effect::{Effect, Timer};
pub use input::{Input, Outcome, Prepared};
pub use session::Session;
