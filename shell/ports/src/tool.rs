//! Tools: arguments are decoded into a call before permission is asked, and that call is what runs.

use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use protocol::{Requirement, ToolOutput};
use tokio_util::sync::CancellationToken;

use crate::ToolSpec;

pub trait Tool: Send + Sync {
    fn spec(&self) -> ToolSpec;

    /// Decodes arguments into a call, or says for the model what is wrong with them.
    fn prepare(&self, arguments: &str, context: &ToolContext) -> Result<Box<dyn Call>, String>;
}

/// A decoded call: what it would do, and doing it.
pub trait Call: Send {
    /// The call in one line, for the card's header.
    fn summary(&self) -> String;

    /// What it needs; an empty list needs nothing.
    fn requirements(&self) -> Vec<Requirement>;

    /// What approval would carry out: the whole command, the diff.
    fn preview(&self) -> String;

    /// Carries the call out. When `cancel` fires it ends soon, and nothing it started goes on.
    fn run(self: Box<Self>, output: OutputSink, cancel: CancellationToken) -> BoxFuture<'static, ToolOutput>;
}

/// Where live output goes; it is shown while the call runs and never stored.
pub type OutputSink = Arc<dyn Fn(String) + Send + Sync>;

/// What tools of one session share.
#[derive(Clone)]
pub struct ToolContext {
    /// Canonical; relative paths start here.
    pub workspace: PathBuf,
    /// Whole outputs that were cut go here.
    pub blobs: PathBuf,
    /// Files the model has read, with what they looked like then; `edit` and `write` ask it.
    pub seen: Arc<dyn SeenFiles>,
}

/// Remembers which files were read, so that no edit hits a file that changed meanwhile.
pub trait SeenFiles: Send + Sync {
    /// Notes the content a file had when it was read or written.
    fn note(&self, path: &std::path::Path, content: &[u8]);

    /// Whether the file was read and still has that content; none if it was never read.
    fn is_unchanged(&self, path: &std::path::Path, content: &[u8]) -> Option<bool>;
}
