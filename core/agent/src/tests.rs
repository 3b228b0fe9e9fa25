//! Tests of the whole machine: scripts of what comes in with what goes out, and laws over random sessions.

mod calls;
mod ends;
mod interrupts;
mod laws_of_sessions;
mod random;
mod restored;
mod turns;
mod world;
