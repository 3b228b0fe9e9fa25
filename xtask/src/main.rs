//! The house's own commands: `cargo xtask ci | tidy | prove | laws | mutants | picture`. Parses the word and runs it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks by printing")]

mod ci;
mod imports;
mod laws;
mod mutants;
mod picture;
mod prove;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask ci | tidy | prove | laws | mutants | picture
  ci       all that must pass: format, tidy, clippy, tests, proofs
  tidy     the rules of docs/STYLE.md that a machine can check
  prove    has every goal of core/laws proved, and every broken variant of it rejected
  laws     writes docs/laws.md from docs/laws.toml and the sources
  mutants  breaks each law that a test keeps, and demands that the test fails; ids after it choose some
  picture  draws docs/picture.svg from the program's own output";

fn main() -> ExitCode {
    let root = root();
    let result = match std::env::args().nth(1).as_deref() {
        Some("ci") => ci::run(&root),
        Some("tidy") => tidy::run(&root),
        Some("prove") => prove::run(&root, &std::env::args().skip(2).collect::<Vec<_>>()),
        Some("laws") => laws::run(&root),
        Some("mutants") => mutants::run(&root, &std::env::args().skip(2).collect::<Vec<_>>()),
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
