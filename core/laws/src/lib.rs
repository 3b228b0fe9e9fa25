//! Decisions that can be said with whole numbers, booleans, plain enums and slices, and are therefore proved.
//! Keeps to the small part of Rust that the prover's translator reads; text, sessions and trees are decided elsewhere.

pub mod ledger;
pub mod pace;
pub mod retry;
pub mod stack;
