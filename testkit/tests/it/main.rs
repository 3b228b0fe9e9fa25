//! The whole program as a person sees it: keys and model chunks in, the cells of the window out.

mod approval;
mod commands;
mod composer;
mod disk;
mod failures;
mod frames;
mod interrupt;
mod ladders;
mod queue;
mod random_sessions;
mod real_tools;
mod reopen;
mod retries;
mod start;
mod tool_calls;
mod turn;
mod windows;
