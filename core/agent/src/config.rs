//! What a session is told when it opens. Nothing here has a default: `settings` has them.

use protocol::{AccessProfile, ModelRef};

#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    pub agent_name: String,
    /// Where the tools work, as it is stored and shown.
    pub workspace: String,
    /// Fixed for a session's life.
    pub profile: AccessProfile,
    /// The session runs on the scripted model.
    pub tour: bool,
    pub model: ModelRef,
    pub limits: Limits,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Answers in one turn; at the limit the turn fails and names `turn.stepsMax`. 0 is none.
    pub steps_max: u64,
    /// Tool calls in one turn; a batch that goes over it is not run, and the turn fails. 0 is none.
    pub tool_calls_max: u64,
    /// Messages waiting for a loop; the next one is rejected.
    pub queued_max: usize,
    pub retry: Retry,
    /// How long a server may take to begin its answer; none waits for ever.
    pub first_byte_ms: Option<u64>,
    /// The longest silence in a stream; none waits for ever.
    pub stall_ms: Option<u64>,
    /// How long an interrupted turn waits for its tools to end.
    pub interrupt_ms: u64,
}

/// How failed requests that may succeed later are repeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retry {
    pub enabled: bool,
    /// Retries in one episode, the first try not counted.
    pub retries_max: u32,
    /// The first delay; each further one doubles.
    pub base_delay_ms: u64,
    pub delay_max_ms: u64,
}
