//! The interface: [`Model`], [`update`], [`view`]. Touches no terminal and knows no agent.

pub mod msg;
pub mod effect;
mod model;
mod update;
mod keys;
mod submit;
mod ladder;
mod outbox;
mod view;
mod blocks;
mod viewport;
pub mod entry;
pub mod composer;
pub mod keymap;
pub mod slash;
mod menu;
mod gate_prompt;
mod overlay;
mod help;
mod splash;
mod status_line;
mod working_row;
mod toast;
mod number;

pub use effect::UiEffect;
pub use entry::Detail;
pub use model::{Mode, Model, Options, Receipt, SplashChoice, TitleChoice};
pub use msg::{Msg, Opened};
pub use update::update;
pub use view::{View, view};
