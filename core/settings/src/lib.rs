//! The settings: their table, their types, and reading them from files.
//! Touches no file: `store` brings the text, and what a setting does is decided where it is used.

mod json;
mod read;
mod table;
mod value;

pub use read::{File, Origin, Warning, read};
pub use table::{Row, Scope, TABLE};
pub use value::{
    Background, Bash, Colors, Detail, Host, Patience, Retry, Settings, StreamPace, TerminalSettings, Timeouts, Turn,
};
