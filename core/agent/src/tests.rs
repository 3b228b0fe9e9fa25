//! Tests of the whole machine: scripts of what comes in with what goes out, and laws over random sessions.

mod calls;
mod ends;
mod laws_of_sessions;
mod restored;
mod turns;
mod world;
