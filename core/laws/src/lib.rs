//! Decisions that can be said with whole numbers, booleans, plain enums and slices, written so that a prover can check them.
//! Keeps to the small part of Rust that the prover's translator reads; text, sessions and trees are decided elsewhere.

pub mod ledger;
pub mod pace;
pub mod retry;
pub mod stack;
