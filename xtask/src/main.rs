//! The house's own commands: `cargo xtask ci | tidy | picture`. Parses the word and runs it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks by printing")]

mod ci;
mod imports;
mod picture;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask ci | tidy | picture
  ci       all that must pass: format, tidy, clippy, tests
  tidy     the rules of docs/STYLE.md that a machine can check
  picture  draws docs/picture.svg from the program's own output";

fn main() -> ExitCode {
    let root = root();
    let result = match std::env::args().nth(1).as_deref() {
        Some("ci") => ci::run(&root),
        Some("tidy") => tidy::run(&root),
        Some("picture") => picture::run(&root),
        Some(_) | None => Err(anyhow::anyhow!(USAGE)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}
