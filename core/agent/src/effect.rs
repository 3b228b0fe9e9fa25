//! All that the shell must do, in the order it is returned; a failed append stops the rest.

use protocol::{Event, Message, ModelRef, StepId, ToolCallId, TurnId};

#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Stores an enduring event, then delivers it.
    Append(Event),
    /// Delivers an ephemeral event.
    Emit(Event),
    StartStream {
        step: StepId,
        model: ModelRef,
        messages: Vec<Message>,
    },
    AbortStream {
        step: StepId,
    },
    /// Decodes a call's arguments and keeps the decoded call; answered by `CallPrepared`.
    PrepareCall {
        call: ToolCallId,
        name: String,
        arguments: String,
    },
    /// Runs the decoded call, exactly as it was prepared.
    RunCall {
        call: ToolCallId,
    },
    /// Stops a running call, or forgets a prepared one.
    CancelCall {
        call: ToolCallId,
    },
    /// Fires once after a while; setting a timer again replaces it.
    SetTimer {
        timer: Timer,
        delay_ms: u64,
    },
}

/// What a timer is for; a timer whose reason is gone is ignored when it fires.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Timer {
    FirstByte(StepId),
    Stall(StepId),
    Retry(TurnId),
    /// An interrupted turn ends now, whether its tools have or not.
    Interrupt(TurnId),
}
