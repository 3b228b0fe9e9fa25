//! The tools with real files and real children.

mod bash;
mod files;
mod world;
