//! `ci`: all that must pass before a change lands, in the order that fails soonest.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"],
    &["test", "--workspace", "--quiet"],
];

pub fn run(root: &Path) -> anyhow::Result<()> {
    crate::tidy::run(root)?;
    for step in STEPS {
        println!("\n$ cargo {}", step.join(" "));
        let status =
            Command::new(env!("CARGO")).args(*step).current_dir(root).status().context("cargo did not start")?;
        if !status.success() {
            bail!("`cargo {}` failed", step.join(" "));
        }
    }
    println!("\n$ cargo xtask prove");
    crate::prove::run(root, &[])
}
