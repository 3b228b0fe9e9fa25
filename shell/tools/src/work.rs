//! What the file tools' calls have in common: work on the blocking pool that ends in a tool's output.

use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use protocol::{ToolOutcome, ToolOutput};
use tokio_util::sync::CancellationToken;

/// What a call that did its work has to tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Done {
    pub(crate) text: String,
    pub(crate) shown: Option<String>,
    pub(crate) facts: Vec<String>,
}

/// Runs short work that cannot be interrupted, unless the call is cancelled before it starts.
pub(crate) fn run(
    cancel: CancellationToken,
    work: impl FnOnce() -> Result<Done, String> + Send + 'static,
) -> BoxFuture<'static, ToolOutput> {
    Box::pin(async move {
        if cancel.is_cancelled() {
            let done = Done { text: "cancelled before it began".to_owned(), shown: None, facts: Vec::new() };
            return output(ToolOutcome::Cancelled, done, Duration::ZERO);
        }
        let started = Instant::now();
        let result = tokio::task::spawn_blocking(work).await;
        let result = result.unwrap_or_else(|error| Err(format!("the tool broke: {error}")));
        match result {
            Ok(done) => output(ToolOutcome::Done, done, started.elapsed()),
            Err(text) => {
                let done = Done { text, shown: None, facts: Vec::new() };
                output(ToolOutcome::Failed, done, started.elapsed())
            }
        }
    })
}

pub(crate) fn output(outcome: ToolOutcome, done: Done, duration: Duration) -> ToolOutput {
    let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    ToolOutput { outcome, text: done.text, shown: done.shown, facts: done.facts, duration_ms }
}
