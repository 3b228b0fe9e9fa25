//! Model APIs behind the `Provider` port: hosted and local models over HTTP, and the tour's scripted one.
//! Tries nothing twice and limits no silence (`agent` does both); reads no environment (`app` does).

mod calls;
mod chat;
mod environment;
mod events;
mod exchange;
mod host;
mod http;
mod messages;
mod rejection;
mod scripted;
mod wire;

pub use environment::{Environment, pick};
pub use http::Http;
pub use scripted::{Scripted, tour, tour_files};
