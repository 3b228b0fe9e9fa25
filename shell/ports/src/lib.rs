//! What the world gives, as traits; every one has a double in `testkit` or a second maker.

pub mod agent;
pub mod clock;
pub mod journal;
pub mod provider;
pub mod terminal;
pub mod tool;

pub use agent::{Agent, Delivery, Host, Opening, Presentation, Which};
pub use clock::Clock;
pub use journal::{Backlog, Journal, JournalError, SessionRow, Stored};
pub use provider::{ModelRequest, Provider, ToolSpec};
pub use terminal::{Fate, Terminal, TerminalEvent};
pub use tool::{Call, OutputSink, SeenFiles, Tool, ToolContext};
