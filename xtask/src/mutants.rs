//! `mutants`: breaks each law that a test keeps, in a copy of the tree, and demands that its test fails.
//! Laws that are proved are broken by `prove`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::laws::{Kind, Table, Twin, Variant};

/// Where the copy is, and what is built of it; kept, so that the next run builds little.
const COPY: &str = "target/mutants/tree";
const COPY_TARGET: &str = "target/mutants/target";
/// What the last test printed.
const OUTPUT: &str = "target/mutants/output";
/// A test that has not ended by then never will.
const PATIENCE: Duration = Duration::from_secs(900);

/// Breaks the laws of these ids, or all.
pub fn run(root: &Path, ids: &[String]) -> anyhow::Result<()> {
    let table = Table::read(root)?;
    if let Some(id) = ids.iter().find(|id| table.law(id).is_none()) {
        bail!("no law is named `{id}`; docs/laws.md lists them");
    }
    let mut trials = trials(root, &table)?;
    trials.retain(|trial| ids.is_empty() || ids.contains(&trial.variant.law));
    let copy = Copy { tree: root.join(COPY), target: root.join(COPY_TARGET), output: root.join(OUTPUT) };
    copy.follow(root)?;
    copy.check_unbroken(&trials)?;
    let mut left = 0;
    println!("{:<32} {:<46} {:<10} seconds", "law", "broken in", "verdict");
    for Trial { variant, suites } in &trials {
        let start = Instant::now();
        let verdict = copy.verdict(variant, suites)?;
        let seconds = start.elapsed().as_secs_f32();
        println!("{:<32} {:<46} {:<10} {seconds:.1}", variant.law, variant.file, verdict.word());
        if verdict != Verdict::Rejected {
            left += 1;
            println!("  `{}` became `{}`\n{}", variant.find, variant.replace, copy.last_output());
        }
    }
    match left {
        0 => Ok(()),
        _ => bail!("{left} of {} broken variants were not rejected by the test of their law", trials.len()),
    }
}

/// A broken variant, and the tests that may reject it.
struct Trial {
    variant: Variant,
    suites: Vec<Suite>,
}

/// One test program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Suite {
    package: String,
    /// How cargo is told which of the package's programs it is.
    target: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// The law's test failed.
    Rejected,
    Survived,
    /// It does not compile, or there is no such test.
    NotRun,
    /// The test did not end.
    Hung,
}

/// What one run of a law's tests came to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Outcome {
    passed: BTreeSet<String>,
    failed: BTreeSet<String>,
    has_ended: bool,
}

/// Variants that build the same program stand together, so that little is built twice.
fn trials(root: &Path, table: &Table) -> anyhow::Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for variant in table.tested_variants() {
        let law = table.law(&variant.law).context("the variant has a law")?;
        // What is tested in core/laws does not depend on anything else.
        let is_near = |twin: &&Twin| twin.kind != Kind::Proved && (variant.is_of_laws() || !twin.is_of_laws());
        let tests = law.twins.iter().filter(is_near);
        let mut suites: Vec<Suite> = tests.map(|twin| Suite::of(root, &twin.file)).collect::<anyhow::Result<_>>()?;
        suites.sort();
        suites.dedup();
        // What is nearest to the broken file fails soonest.
        let own = package(root, &variant.file)?.1;
        suites.sort_by_key(|suite| suite.package != own);
        trials.push(Trial { variant, suites });
    }
    trials.sort_by(|one, other| (&one.suites, &one.variant.file).cmp(&(&other.suites, &other.variant.file)));
    Ok(trials)
}

impl Suite {
    /// The program that a file's tests are in.
    fn of(root: &Path, file: &str) -> anyhow::Result<Self> {
        let (folder, package) = package(root, file)?;
        let inside = Path::new(file).strip_prefix(&folder)?;
        let mut parts = inside.iter().map(|part| part.to_string_lossy().into_owned());
        let target = match (parts.next().as_deref(), parts.next()) {
            (Some("tests"), Some(name)) => {
                vec!["--test".to_owned(), name.trim_end_matches(".rs").to_owned()]
            }
            _ if root.join(&folder).join("src/lib.rs").is_file() => vec!["--lib".to_owned()],
            _ => vec!["--bins".to_owned()],
        };
        Ok(Self { package, target })
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-p {} {}", self.package, self.target.join(" "))
    }
}

/// The folder and name of the package a file belongs to.
fn package(root: &Path, file: &str) -> anyhow::Result<(PathBuf, String)> {
    for folder in Path::new(file).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
        let Ok(text) = std::fs::read_to_string(root.join(folder).join("Cargo.toml")) else { continue };
        let manifest: toml::Table = text.parse().with_context(|| folder.display().to_string())?;
        let name = manifest.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
        return Ok((folder.to_owned(), name.context("a package has a name")?.to_owned()));
    }
    bail!("{file} is in no package")
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Survived => "SURVIVED",
            Self::NotRun => "NOT RUN",
            Self::Hung => "HUNG",
        }
    }
}

/// A copy of the tree in which code may be broken.
struct Copy {
    tree: PathBuf,
    target: PathBuf,
    output: PathBuf,
}

impl Copy {
    /// Makes the copy what the tree is; a file that is the same keeps its time, so that it is not built again.
    fn follow(&self, root: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(&self.tree)?;
        let kept: BTreeSet<PathBuf> = paths(root)?;
        for path in paths(&self.tree)?.difference(&kept) {
            std::fs::remove_file(self.tree.join(path))?;
        }
        for path in &kept {
            let text = std::fs::read(root.join(path)).with_context(|| path.display().to_string())?;
            self.write(path, &text)?;
        }
        Ok(())
    }

    fn write(&self, path: &Path, text: &[u8]) -> anyhow::Result<()> {
        let place = self.tree.join(path);
        if std::fs::read(&place).is_ok_and(|found| found == text) {
            return Ok(());
        }
        std::fs::create_dir_all(place.parent().context("a file lies in a folder")?)?;
        std::fs::write(&place, text).with_context(|| place.display().to_string())
    }

    /// A test that fails by itself rejects nothing.
    fn check_unbroken(&self, trials: &[Trial]) -> anyhow::Result<()> {
        let mut ids: BTreeMap<&Suite, BTreeSet<&str>> = BTreeMap::new();
        for Trial { variant, suites } in trials {
            for suite in suites {
                ids.entry(suite).or_default().insert(&variant.law);
            }
        }
        for (suite, ids) in ids {
            println!("unbroken: {suite}");
            let outcome = self.test(suite, &ids)?;
            if !outcome.failed.is_empty() || outcome.passed.len() < ids.len() {
                bail!("{suite}: the laws do not pass as they are\n{}", self.last_output());
            }
        }
        Ok(())
    }

    fn verdict(&self, variant: &Variant, suites: &[Suite]) -> anyhow::Result<Verdict> {
        let path = Path::new(&variant.file);
        let source = std::fs::read_to_string(self.tree.join(path)).with_context(|| variant.file.clone())?;
        self.write(path, variant.applied(&source)?.as_bytes())?;
        let mut verdict = Verdict::NotRun;
        for suite in suites {
            verdict = self.test(suite, &BTreeSet::from([variant.law.as_str()]))?.verdict(&variant.law);
            if verdict != Verdict::Survived {
                break;
            }
        }
        self.write(path, source.as_bytes())?;
        Ok(verdict)
    }

    /// Runs the tests of these names; what they print is in the output file.
    fn test(&self, suite: &Suite, ids: &BTreeSet<&str>) -> anyhow::Result<Outcome> {
        let output = File::create(&self.output)?;
        let mut command = Command::new(env!("CARGO"));
        command.args(["test", "--color=never", "--package", &suite.package]).args(&suite.target).arg("--").args(ids);
        command.current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target);
        // No smaller counterexample is wanted, and none must stay behind for the next variant.
        command.env("PROPTEST_MAX_SHRINK_ITERS", "0").env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true");
        let mut child = command
            .process_group(0)
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .context("cargo did not start")?;
        let start = Instant::now();
        while child.try_wait()?.is_none() {
            if start.elapsed() > PATIENCE {
                // The test is a child of cargo; both are in a group of their own.
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
                child.wait()?;
                return Ok(Outcome::default());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Outcome { has_ended: true, ..outcome(&std::fs::read_to_string(&self.output)?) })
    }

    fn last_output(&self) -> String {
        let output = std::fs::read(&self.output).unwrap_or_default();
        String::from_utf8_lossy(&output).lines().map(|line| format!("  | {line}\n")).collect()
    }
}

impl Outcome {
    fn verdict(&self, id: &str) -> Verdict {
        if self.failed.contains(id) {
            Verdict::Rejected
        } else if !self.has_ended {
            Verdict::Hung
        } else if self.passed.contains(id) {
            Verdict::Survived
        } else {
            Verdict::NotRun
        }
    }
}

/// Reads what the test program printed: `test path::of::name ... FAILED`.
fn outcome(output: &str) -> Outcome {
    let mut outcome = Outcome::default();
    for line in output.lines() {
        let Some((path, end)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) else { continue };
        let name = path.rsplit("::").next().unwrap_or(path).to_owned();
        if end == "ok" {
            outcome.passed.insert(name);
        } else if end == "FAILED" {
            outcome.failed.insert(name);
        }
    }
    outcome
}

/// The paths of all files below a folder, from there.
fn paths(folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let files = crate::tidy::files(folder, "")?;
    files.iter().map(|path| Ok(path.strip_prefix(folder)?.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_failed_is_told_from_one_that_passed_and_one_that_was_not_run() {
        let output = "running 2 tests\ntest tests::pace_one ... FAILED\ntest pace_two ... ok\n\ntest result: FAILED.";
        let outcome = Outcome { has_ended: true, ..outcome(output) };
        assert_eq!(
            ["pace_one", "pace_two", "pace_three"].map(|id| outcome.verdict(id)),
            [Verdict::Rejected, Verdict::Survived, Verdict::NotRun]
        );
        assert_eq!(Outcome::default().verdict("pace_one"), Verdict::Hung);
    }

    #[test]
    fn the_program_of_a_test_is_found_by_its_path() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
        let named = |file| Suite::of(root, file).unwrap().to_string();
        assert_eq!(named("core/agent/src/tests/laws_of_sessions.rs"), "-p eukhe-agent --lib");
        assert_eq!(named("testkit/tests/it/random_sessions.rs"), "-p eukhe-testkit --test it");
        assert_eq!(named("shell/store/tests/journal.rs"), "-p eukhe-store --test journal");
        assert_eq!(named("xtask/src/mutants.rs"), "-p eukhe-xtask --bins");
    }

    #[test]
    fn a_copy_follows_its_tree() {
        let root = std::env::temp_dir().join(format!("eukhe-mutants-{}", std::process::id()));
        let copy =
            Copy { tree: root.join("target/tree"), target: root.join("target/t"), output: root.join("target/o") };
        let place = |path: &str| root.join(path);
        std::fs::create_dir_all(place("a/b")).unwrap();
        std::fs::create_dir_all(place("target/tree/a")).unwrap();
        std::fs::write(place("a/b/kept.rs"), "kept").unwrap();
        std::fs::write(place("target/tree/a/gone.rs"), "gone").unwrap();
        copy.follow(&root).unwrap();
        let first = std::fs::metadata(place("target/tree/a/b/kept.rs")).unwrap().modified().unwrap();
        copy.follow(&root).unwrap();
        let second = std::fs::metadata(place("target/tree/a/b/kept.rs")).unwrap().modified().unwrap();
        let found = paths(&copy.tree).unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(found, BTreeSet::from([PathBuf::from("a/b/kept.rs")]));
        assert_eq!(first, second);
    }
}
