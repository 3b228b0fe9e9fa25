//! The tools of the built-in agent: one `.rs` with what a tool does and one `.md` with what the model is told.
//! Ask for no permission: a call says what it needs, and runs when it is told to.

mod arguments;
mod bash;
mod change;
mod edit;
mod file;
mod paths;
mod process;
mod read;
mod seen;
mod tail;
mod work;
mod write;

use std::sync::{Arc, Mutex};

use ports::Tool;

pub use bash::{BashOptions, shell};
pub use seen::Seen;

/// Returns all tools, in the order in which the model is told of them.
pub fn all(bash: BashOptions) -> Vec<Box<dyn Tool>> {
    let writer: Writer = Arc::default();
    vec![
        Box::new(read::Read),
        Box::new(edit::Edit { writer: writer.clone() }),
        Box::new(write::Write { writer }),
        Box::new(bash::Bash { options: bash }),
    ]
}

/// Held while a file is compared and replaced, so that two calls of one step do not undo each other.
type Writer = Arc<Mutex<()>>;
