//! What a client asks of an agent. What came of it is an event whose cause names the command.

use crate::{Block, GateId, InputId, LoopId};

#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Starts a turn, or waits for the next step boundary while one runs.
    Submit {
        /// The active loop if none is named.
        to: Option<LoopId>,
        /// Chosen by the client, so that it can tell what became of its message.
        input: InputId,
        blocks: Vec<Block>,
    },
    Interrupt {
        target: InterruptTarget,
    },
    /// Lets the call behind a gate run, this once.
    Approve {
        gate: GateId,
    },
    Deny {
        gate: GateId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterruptTarget {
    Loop(LoopId),
    Session,
}
