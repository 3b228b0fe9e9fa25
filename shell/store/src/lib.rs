//! What is kept on disk: the agent directory with journal, settings and log.
//! Decides nothing: what an event means is `agent`'s business, what a setting means `settings`'.

mod catalog;
mod home;
mod journal;
mod lease;
mod log;
mod schema;
mod v1;

pub use home::Home;
pub use journal::SqliteJournal;
pub use log::LogFile;
