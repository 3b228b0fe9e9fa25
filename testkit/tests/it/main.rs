//! The whole program as a person sees it: keys and model chunks in, the cells of the window out.

mod turn;
mod tool_calls;
mod approval;
mod interrupt;
mod retries;
mod failures;
mod queue;
mod ladders;
mod composer;
mod commands;
mod reopen;
mod start;
mod windows;
mod disk;
mod real_tools;
mod random_sessions;
