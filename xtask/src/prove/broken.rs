//! Broken variants: each proved law has one that the provers must not let through.
//! A variant is a text of docs/laws.toml in place of another; it is rejected when a goal of it is proved by nobody.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};

use super::Source;
use super::session::{Goal, Session};
use super::why3::Why3;
use crate::laws::{Table, Variant};

/// A goal of the sound code takes far less; a variant's must have its chance too.
const SECONDS_MIN: u32 = 2;
/// How often longer than the slowest proof of the sound code a variant's goal may take.
const PATIENCE: f64 = 3.0;
/// Open goals asked at once: one that stays open is enough.
const ASKED_AT_ONCE: usize = 4;

pub fn run(root: &Path, why3: &Why3, sources: &[Source]) -> anyhow::Result<()> {
    let why3 = why3.within("broken")?;
    let start = Instant::now();
    let mut passed = Vec::new();
    let mut count = 0;
    println!("\n{:34} {:>7}  rejected at", "broken variant of", "seconds");
    for variant in Table::read(root)?.proved_variants() {
        let Some(source) = sources.iter().find(|source| source.path == root.join(&variant.file)) else { continue };
        let begun = Instant::now();
        let rejected = reject(root, &why3, source, &variant).with_context(|| variant.law.clone())?;
        let told = rejected.as_deref().unwrap_or("NOT REJECTED");
        println!("  {:32} {:>7.1}  {told}", variant.law, begun.elapsed().as_secs_f64());
        count += 1;
        if rejected.is_none() {
            passed.push(format!("  {}: `{}` in place of `{}`\n", variant.law, variant.replace, variant.find));
        }
    }
    println!("{count} broken variants in {:.0} s", start.elapsed().as_secs_f64());
    if passed.is_empty() { Ok(()) } else { bail!("proved although it is broken:\n{}", passed.concat()) }
}

/// Returns the first goal of the variant that nobody proves.
fn reject(root: &Path, why3: &Why3, source: &Source, variant: &Variant) -> anyhow::Result<Option<String>> {
    let at = source.rust.find(&variant.find).context("the text to break is not there")?;
    let rust = source.rust.replacen(&variant.find, &variant.replace, 1);
    let module = lawc::translate(&source.stem, &rust, lawc::Purpose::Prove).context("the variant")?;
    why3.put(&source.stem, &module.text)?;
    let line = source.rust[..at].lines().count();
    let broken = module.functions.iter().rev().find(|function| function.line <= line.max(1) + 1);
    let concerned: Vec<&str> = module
        .functions
        .iter()
        .filter(|one| one.name == variant.law || one.ensures.contains(&variant.law))
        .chain(broken)
        .map(|function| function.name.as_str())
        .collect();
    let saved = root.join("core/laws/proofs").join(&source.stem);
    let mut session = Session::parse(&std::fs::read_to_string(saved.join("why3session.xml"))?)?;
    std::fs::create_dir_all(why3.folder().join(&source.stem))?;
    std::fs::copy(saved.join("why3shapes.gz"), why3.folder().join(&source.stem).join("why3shapes.gz"))?;
    let concerns = |goal: &Goal| concerned.contains(&goal.function.as_str());
    let proved = session.goals().into_iter().filter(concerns).filter_map(|goal| Some((goal.name, goal.proof?)));
    let proved: BTreeMap<_, _> = proved.collect();
    let slowest = proved.values().map(|proof| proof.seconds).fold(0.0, f64::max);
    session.limit(SECONDS_MIN.max((slowest * PATIENCE).ceil() as u32));
    session.fill(&proved);
    session = why3.replay(&source.stem, &session)?;
    session.split();
    session = why3.replay(&source.stem, &session)?;
    let mut open: Vec<Goal> =
        session.goals().into_iter().filter(concerns).filter(|goal| goal.proof.is_none()).collect();
    while !open.is_empty() {
        let asked: Vec<Goal> = open.drain(..open.len().min(ASKED_AT_ONCE)).collect();
        session.ask(&asked);
        session = why3.replay(&source.stem, &session)?;
        let names: Vec<&str> = asked.iter().map(|goal| goal.name.as_str()).collect();
        let still =
            session.goals().into_iter().find(|goal| names.contains(&goal.name.as_str()) && goal.proof.is_none());
        if let Some(goal) = still {
            return Ok(Some(format!("{}: {}", goal.function, goal.label)));
        }
    }
    Ok(None)
}
