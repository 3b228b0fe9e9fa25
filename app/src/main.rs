//! `eukhe`: reads the arguments, builds the shell, hands it to the runtime. Decides nothing else.

mod arguments;
mod compose;
mod log;
mod look;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;

/// Wrong usage.
const EXIT_USAGE: u8 = 2;
/// No session could be opened.
const EXIT_FAILED: u8 = 1;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        complain("standard input and output must be a terminal; run eukhe in one, without a pipe");
        return ExitCode::from(EXIT_USAGE);
    }
    match compose::run(&arguments) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(EXIT_FAILED)),
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(EXIT_FAILED)
        }
    }
}

fn complain(words: &str) {
    // With standard error gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "eukhe: {words}");
}
