//! Where an agent's tasks run. Knows nothing of what they do.

use std::time::Duration;

use futures::future::BoxFuture;

/// The name of an agent's threads; a panic there is caught and ends the call or the agent, not the program.
pub const AGENT_THREAD: &str = "agent";

/// How long work on the blocking pool may keep an ended agent's thread.
const THREAD_END_MS_MAX: u64 = 500;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// A thread of its own, so that a slow disk or a long fold never holds up a key.
    OwnThread,
    /// The runtime that opens it: the whole program in one thread, on one clock.
    SameRuntime,
}

impl Home {
    /// Starts `task` there; fails when the system gives no thread.
    pub(crate) fn start(self, task: BoxFuture<'static, ()>) -> std::io::Result<()> {
        match self {
            Home::SameRuntime => {
                tokio::spawn(task);
                Ok(())
            }
            Home::OwnThread => {
                let runtime =
                    tokio::runtime::Builder::new_current_thread().enable_all().thread_name(AGENT_THREAD).build()?;
                std::thread::Builder::new().name(AGENT_THREAD.to_owned()).spawn(move || {
                    runtime.block_on(task);
                    runtime.shutdown_timeout(Duration::from_millis(THREAD_END_MS_MAX));
                })?;
                Ok(())
            }
        }
    }
}
