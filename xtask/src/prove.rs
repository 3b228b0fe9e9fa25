//! `prove`: translates each file of core/laws and has Why3 prove every goal of it, by Z3 or by CVC4.
//! Decides nothing about Rust (`lawc` does) and keeps what was proved in core/laws/proofs.

mod broken;
mod differential;
mod session;
mod table;
mod why3;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};

use session::{Goal, Proof, Session};
use table::Counts;
use why3::Why3;

/// Seconds of processor time an attempt may take, tried in turn: most goals are easy, and a hard one is worth waiting for.
const ATTEMPT_SECONDS: [u32; 3] = [1, 5, 20];
/// Seconds of processor time for a proof that was found before. Generous: a busy machine must not lose it.
const REPLAY_SECONDS: u32 = 60;

const USAGE: &str = "usage: cargo xtask prove [sessions | broken | differential] [file…]
  sessions      every goal of every file is proved; new proofs are saved in core/laws/proofs
  broken        every broken variant of a proved law is rejected
  differential  the functions say the same as Rust and through WhyML
  (nothing)     all three";

/// A file of core/laws, translated.
pub(crate) struct Source {
    pub stem: String,
    pub path: PathBuf,
    pub rust: String,
    pub module: lawc::Module,
}

pub fn run(root: &Path, words: &[String]) -> anyhow::Result<()> {
    let (part, files) = match words.split_first() {
        Some((first, rest)) if ["sessions", "broken", "differential"].contains(&first.as_str()) => {
            (Some(first.as_str()), rest)
        }
        Some(_) | None => (None, words),
    };
    let sources = sources(root, files)?;
    let Some(why3) = Why3::find(root.join("target/prove"))? else {
        println!("prove: why3, z3 and cvc4 are not installed (Debian: apt install why3 z3 cvc4); nothing was proved");
        return if must_prove() { bail!("the provers are required here") } else { Ok(()) };
    };
    let wants = |named: &str| part.is_none_or(|part| part == named);
    if wants("sessions") {
        let counts = sessions(root, &why3, &sources)?;
        if files.is_empty() && !must_prove() {
            table::save(&root.join("core/laws/proofs/goals.toml"), &counts)?;
        }
    }
    if wants("broken") {
        broken::run(root, &why3, &sources)?;
    }
    if wants("differential") {
        differential::run(root, &why3, &sources)?;
    }
    Ok(())
}

/// In CI the provers must be there and the saved sessions must be whole; at home both are helped along.
fn must_prove() -> bool {
    std::env::var_os("CI").is_some()
}

/// Reads and translates the files of core/laws, or those of them that are named.
fn sources(root: &Path, files: &[String]) -> anyhow::Result<Vec<Source>> {
    let folder = root.join("core/laws/src");
    let mut sources = Vec::new();
    for path in crate::tidy::files(&folder, ".rs")? {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("").to_owned();
        if stem == "lib" {
            only_modules(&path)?;
            continue;
        }
        if !(files.is_empty() || files.contains(&stem)) {
            continue;
        }
        let rust = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let module = lawc::translate(&stem, &rust, lawc::Purpose::Prove)
            .with_context(|| path.strip_prefix(root).unwrap_or(&path).display().to_string())?;
        sources.push(Source { stem, path, rust, module });
    }
    if sources.is_empty() {
        bail!("no such file in core/laws/src\n{USAGE}");
    }
    Ok(sources)
}

/// What stands in lib.rs itself would be proved by nobody.
fn only_modules(path: &Path) -> anyhow::Result<()> {
    let file = syn::parse_file(&std::fs::read_to_string(path)?)?;
    match file.items.iter().all(|item| matches!(item, syn::Item::Mod(module) if module.content.is_none())) {
        true => Ok(()),
        false => bail!("{}: only `pub mod` lines belong there; code goes into a file of its own", path.display()),
    }
}

/// Proves every goal of every file, and of the prelude they stand on.
fn sessions(root: &Path, why3: &Why3, sources: &[Source]) -> anyhow::Result<Counts> {
    let start = Instant::now();
    let mut files = vec![("prelude".to_owned(), lawc::PRELUDE.to_owned())];
    files.extend(sources.iter().map(|source| (source.stem.clone(), source.module.text.clone())));
    let mut proved = Vec::new();
    let mut open = Vec::new();
    for (stem, text) in &files {
        let saved = root.join("core/laws/proofs").join(stem);
        let session = settle(why3, stem, text, &saved).with_context(|| stem.clone())?;
        let goals = session.goals();
        if !session.is_whole() && goals.iter().all(|goal| goal.proof.is_some()) {
            bail!("{stem}: why3 does not call it proved");
        }
        open.extend(goals.iter().filter(|goal| goal.proof.is_none()).map(|goal| (stem.clone(), goal.clone())));
        proved.push((stem.clone(), goals));
    }
    let functions: Vec<&lawc::Function> = sources.iter().flat_map(|source| &source.module.functions).collect();
    let counts = table::print(&proved, &functions, start.elapsed());
    if !open.is_empty() {
        bail!("not proved:\n{}", open.iter().map(|(stem, goal)| said(stem, goal, &functions)).collect::<String>());
    }
    Ok(counts)
}

/// Replays what was proved of a file before, tries what is left, and saves what is new.
fn settle(why3: &Why3, stem: &str, text: &str, saved: &Path) -> anyhow::Result<Session> {
    why3.put(stem, text)?;
    let path = saved.join("why3session.xml");
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => Session::parse(&text).with_context(|| path.display().to_string())?,
        Err(_) => Session::empty(stem, &theory(stem)),
    };
    let shapes = (saved.join("why3shapes.gz"), why3.folder().join(stem).join("why3shapes.gz"));
    std::fs::create_dir_all(why3.folder().join(stem))?;
    if shapes.0.is_file() {
        std::fs::copy(&shapes.0, &shapes.1)?;
    } else {
        let _ = std::fs::remove_file(&shapes.1);
    }
    let mut session = before.clone();
    session.limit(REPLAY_SECONDS);
    session = why3.replay(stem, &session)?;
    // Once more where the first attempt took a goal of the older text for one of now.
    for _ in 0..2 {
        if !session.is_whole() && !must_prove() {
            session = attempt(why3, stem, &session)?;
        }
    }
    let mut clean = before.clone();
    clean.drop_detached();
    if session.is_whole() && !must_prove() && !(clean == before && same_proofs(&before, &session)) {
        session.drop_detached();
        std::fs::create_dir_all(saved)?;
        std::fs::write(&path, session.write())?;
        std::fs::copy(&shapes.1, &shapes.0)?;
    }
    Ok(session)
}

/// Tries both provers on each open goal, a little longer each time.
fn attempt(why3: &Why3, stem: &str, before: &Session) -> anyhow::Result<Session> {
    let proofs = |session: &Session| session.goals().into_iter().filter_map(|goal| Some((goal.name, goal.proof?)));
    let mut proved: BTreeMap<String, Proof> = proofs(before).collect();
    let mut session = unsettled(why3, stem, before)?;
    for limit in ATTEMPT_SECONDS {
        let mut open = session.goals();
        open.retain(|goal| !proved.contains_key(&goal.name));
        session.ask(&open);
        session.limit(limit);
        session = why3.replay(stem, &session)?;
        proved.extend(proofs(&session));
    }
    session.fill(&proved);
    // Why3 writes the shapes of the goals, which find a proof again when the code around it has changed.
    session.limit(REPLAY_SECONDS);
    why3.replay(stem, &session)
}

/// The goals of the text as it is now, with no proof yet.
fn unsettled(why3: &Why3, stem: &str, before: &Session) -> anyhow::Result<Session> {
    let mut session = why3.replay(stem, &before.bare())?;
    while session.split() {
        session = why3.replay(stem, &session)?;
    }
    Ok(session)
}

fn same_proofs(one: &Session, two: &Session) -> bool {
    let told = |session: &Session| -> Vec<(String, String, Option<String>)> {
        let goals = session.goals().into_iter();
        goals.map(|goal| (goal.name, goal.label, goal.proof.map(|proof| proof.prover))).collect()
    };
    told(one) == told(two)
}

/// A goal nobody proved, by the function and the clause it comes from.
fn said(stem: &str, goal: &Goal, functions: &[&lawc::Function]) -> String {
    let line = functions.iter().find(|function| function.name == goal.function).map_or(0, |function| function.line);
    let Goal { function, label, name, .. } = goal;
    format!("  core/laws/src/{stem}.rs:{line}: `{function}`: {label}   ({name} in target/prove/{stem}.mlw)\n")
}

/// Why3 names the module after the file.
fn theory(stem: &str) -> String {
    let (first, rest) = stem.split_at(usize::from(!stem.is_empty()));
    first.to_uppercase() + rest
}
