//! All that the interface asks of the shell.

use protocol::{Command, CommandId};

#[derive(Clone, PartialEq, Debug)]
pub enum UiEffect {
    /// Answered by events that name the command, or by `Msg::SendFailed`.
    Send { id: CommandId, command: Command },
    /// Closes the present session, then opens a new one; answered by `Opened` or `OpenFailed`.
    OpenNew,
    /// Stops the process; answered by `Resumed` or `SuspendRefused`.
    Suspend,
    /// Ends the interface with this exit code.
    /// `farewell` goes to the normal screen after the terminal is given back.
    Quit { code: i32, farewell: Vec<String> },
}
