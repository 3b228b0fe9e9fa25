//! All that can reach the machine.

use protocol::{Chunk, Command, CommandId, Failure, Requirement, StepId, ToolCallId, ToolOutput};

use crate::Timer;

#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    Command { id: CommandId, command: Command },
    Outcome(Outcome),
}

/// How an effect went.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    StreamChunk {
        step: StepId,
        chunk: Chunk,
    },
    StreamFailed {
        step: StepId,
        failure: Failure,
    },
    /// The stream is over; without a `Chunk::Done` before, it was cut.
    StreamEnded {
        step: StepId,
    },
    /// A call was decoded, or the model is told what is wrong with its arguments.
    CallPrepared {
        call: ToolCallId,
        result: Result<Prepared, String>,
    },
    CallOutput {
        call: ToolCallId,
        chunk: String,
    },
    CallFinished {
        call: ToolCallId,
        output: ToolOutput,
    },
    TimerFired {
        timer: Timer,
    },
    /// The journal took nothing; the session takes no more work.
    AppendFailed {
        failure: Failure,
    },
}

/// What a decoded call would do.
#[derive(Clone, PartialEq, Debug)]
pub struct Prepared {
    pub summary: String,
    pub requirements: Vec<Requirement>,
    pub preview: String,
    pub directory: String,
}
