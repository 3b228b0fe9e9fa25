//! Broken variants: each proved law has one that the provers must not let through.
//! A variant is a text of docs/laws.toml in place of another; it is rejected when a goal of it is proved by nobody.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};

use super::Source;
use super::session::{Goal, Session};
use super::why3::Why3;
use crate::laws::{Table, Variant};

/// Seconds of processor time in which nearly every goal of the sound code is proved.
const SECONDS: u32 = 1;
/// How often longer than the slowest such goal of the sound code a goal must stay open to count.
const PATIENCE: f64 = 3.0;
/// Goals asked at once: one that stays open is enough.
const ASKED_AT_ONCE: usize = 6;
/// Seconds for a goal that the sound code has none like.
const UNKNOWN_SECONDS: u32 = 5;
const WORKERS: usize = 2;

pub fn run(root: &Path, why3: &Why3, sources: &[Source]) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut variants = Table::read(root)?.proved_variants();
    variants.retain(|variant| sources.iter().any(|source| source.path == root.join(&variant.file)));
    let next = AtomicUsize::new(0);
    let passed = Mutex::new(Vec::new());
    println!("\n{:34} {:>7}  rejected at", "broken variant of", "seconds");
    let work = |worker: usize| -> anyhow::Result<()> {
        let why3 = why3.within(&format!("broken{worker}"))?;
        while let Some(variant) = variants.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begun = Instant::now();
            let source = sources.iter().find(|source| source.path == root.join(&variant.file));
            let rejected =
                reject(root, &why3, source.context("its file")?, variant).with_context(|| variant.law.clone())?;
            let told = rejected.as_deref().unwrap_or("NOT REJECTED");
            println!("  {:32} {:>7.1}  {told}", variant.law, begun.elapsed().as_secs_f64());
            if rejected.is_none() {
                let Variant { law, find, replace, .. } = variant;
                let mut passed = passed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                passed.push(format!("  {law}: `{replace}` in place of `{find}`\n"));
            }
        }
        Ok(())
    };
    // Why3 prepares the goals of one variant while the provers are at another.
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || work(worker))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker returns its errors"))
    })?;
    println!("{} broken variants in {:.0} s", variants.len(), start.elapsed().as_secs_f64());
    let passed = passed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
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
    let sound = saved(root, source)?;
    let mut session = super::unsettled(why3, &source.stem, &sound)?;
    let mut goals = session.goals();
    // A goal that names the law is the likeliest to stay open, and then one of the functions around it.
    let first = |goal: &Goal| {
        let names_it = goal.label == variant.law || goal.function == variant.law;
        (!names_it, !concerned.contains(&goal.function.as_str()))
    };
    let mut asked: Vec<String> = Vec::new();
    loop {
        goals.retain(|goal| !asked.contains(&goal.name));
        goals.sort_by_key(first);
        goals.truncate(ASKED_AT_ONCE);
        if goals.is_empty() {
            return Ok(None);
        }
        asked.extend(goals.iter().map(|goal| goal.name.clone()));
        for suspect in open(why3, &source.stem, &mut session, &goals, SECONDS)? {
            let patience =
                slowest(&sound, &suspect).map_or(UNKNOWN_SECONDS, |slowest| (slowest * PATIENCE).ceil() as u32);
            let suspect = std::slice::from_ref(&suspect);
            if patience <= SECONDS || !open(why3, &source.stem, &mut session, suspect, patience)?.is_empty() {
                return Ok(Some(format!("{}: {}", suspect[0].function, suspect[0].label)));
            }
        }
        goals = session.goals();
    }
}

/// Returns which of these goals nobody proves in so many seconds.
fn open(why3: &Why3, stem: &str, session: &mut Session, asked: &[Goal], seconds: u32) -> anyhow::Result<Vec<Goal>> {
    session.ask(asked);
    session.limit(seconds);
    *session = why3.replay(stem, session)?;
    let names: Vec<&str> = asked.iter().map(|goal| goal.name.as_str()).collect();
    let mut open = session.goals();
    open.retain(|goal| names.contains(&goal.name.as_str()) && goal.proof.is_none());
    Ok(open)
}

/// What the provers found for the sound file.
fn saved(root: &Path, source: &Source) -> anyhow::Result<Session> {
    let path = root.join("core/laws/proofs").join(&source.stem).join("why3session.xml");
    Session::parse(&std::fs::read_to_string(&path).with_context(|| path.display().to_string())?)
}

/// Seconds of the slowest proof of the sound function, among goals of the same label, if it has any.
fn slowest(sound: &Session, suspect: &Goal) -> Option<f64> {
    let alike = sound.goals().into_iter();
    let alike = alike.filter(|goal| goal.function == suspect.function && goal.label == suspect.label);
    alike.filter_map(|goal| goal.proof).map(|proof| proof.seconds).max_by(f64::total_cmp)
}
