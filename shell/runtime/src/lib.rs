//! The loops: effects are carried out, outcomes fed back.
//! Decides nothing: `agent` and `ui` do, as pure code; here are only channels, tasks, timers and their limits.

mod interface;
mod connection;
mod frames;
mod host;
mod home;
mod builtin;
mod actor;
mod work;
mod fanout;
mod clock;

pub use clock::SystemClock;
pub use home::Home;
pub use host::{BuiltinHost, HostParts};
pub use interface::{InterfaceOptions, InterfaceParts, run};
