//! Decisions that can be said with whole numbers, booleans, plain enums and slices, written so that a prover can check them.
//! Keeps to the small part of Rust that the prover's translator reads; text, sessions and trees are decided elsewhere.

// The translator takes every number for 64 bits; one that falls back to 32 would be another.
#![cfg_attr(not(test), deny(clippy::default_numeric_fallback))]
#![allow(clippy::manual_div_ceil, clippy::manual_checked_ops, reason = "the translator does not read such methods")]

pub mod band;
pub mod contrast;
pub mod indexed;
pub mod ledger;
pub mod luminance;
pub mod pace;
pub mod paint;
pub mod ramp;
pub mod retry;
pub mod selection;
pub mod speed;
pub mod stack;
