//! The loops: effects are carried out, outcomes fed back.
//! Decides nothing: `agent` and `ui` do, as pure code; here are only channels, tasks, timers and their limits.

mod actor;
mod builtin;
mod clock;
mod connection;
mod fanout;
mod frames;
mod home;
mod host;
mod interface;
mod work;

pub use clock::SystemClock;
pub use home::{AGENT_THREAD, Home};
pub use host::{BuiltinHost, HostParts, ModelChoice, model_of};
pub use interface::{InterfaceOptions, InterfaceParts, run};
