//! The interface: [`Model`], [`update`], [`view`]. Touches no terminal and knows no agent.

pub mod msg;
pub mod effect;

pub use effect::UiEffect;
pub use msg::{Msg, Opened};
