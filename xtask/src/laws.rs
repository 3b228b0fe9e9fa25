//! The laws: the table in docs/laws.toml, and what in the sources keeps each of them true.
//! Proves nothing and runs no test; `prove` and `mutants` do.

mod page;
mod twin;
mod usage;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

pub use twin::HELPER_LABELS;
use twin::Twins;
pub use twin::{Kind, Twin};

const TABLE: &str = "docs/laws.toml";
const PAGE: &str = "docs/laws.md";
/// Written by `prove`: `[<file stem>]`, and below it `<label> = <count of goals>`.
const GOALS: &str = "core/laws/proofs/goals.toml";

/// How many goals the prover has for each label, by file stem.
type Goals = BTreeMap<String, BTreeMap<String, u64>>;

/// Every law with its twins.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub groups: Vec<Group>,
    pub laws: Vec<Law>,
    /// Labels of contracts and names of tests that are no law of the table.
    others: Vec<Twin>,
}

/// Laws that belong together on the page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub name: String,
    /// Whatever in the sources begins so must be a law of the table.
    pub prefixes: Vec<String>,
    /// A sentence to read before the laws.
    pub about: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Law {
    pub row: LawRow,
    /// What keeps it true, the strongest first.
    pub twins: Vec<Twin>,
    /// It is proved of code that the program does not ask, and nothing else is known of it.
    is_unused: bool,
}

/// A law as the table has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LawRow {
    pub id: String,
    pub group: String,
    pub sentence: String,
    /// The part of the program that it waits for; without that it has no twin.
    pub waits_for: Option<String>,
    /// The part that will ask what is proved, while none does.
    pub unused_until: Option<String>,
    /// Changes of the code that its check must reject.
    #[serde(default)]
    pub broken: Vec<Broken>,
}

/// One way to break a law: a text that stands once in a file, and what to put there.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    pub file: String,
    pub find: String,
    pub replace: String,
}

/// A broken variant with the law that must not hold in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    pub law: String,
    pub file: String,
    pub find: String,
    pub replace: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    group: Vec<Group>,
    law: Vec<LawRow>,
}

/// `laws`: writes the page.
pub fn run(root: &Path) -> anyhow::Result<()> {
    let page = Table::read(root)?.page(&goals(root)?);
    std::fs::write(root.join(PAGE), page).context(PAGE)?;
    println!("wrote {PAGE}");
    Ok(())
}

/// Returns a sentence for each law, twin, broken variant or page that is not as it should be.
pub fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let table = Table::read(root)?;
    let mut faults = table.faults();
    for variant in table.variants() {
        faults.extend(variant.fault(root));
    }
    if std::fs::read_to_string(root.join(PAGE)).unwrap_or_default() != table.page(&goals(root)?) {
        faults.push(format!("{PAGE} is stale: `cargo xtask laws` writes it"));
    }
    Ok(faults)
}

impl Table {
    /// Reads the table and the sources below `root`.
    pub fn read(root: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(root.join(TABLE)).context(TABLE)?;
        let mut twins = Twins::default();
        for path in crate::tidy::files(root, ".rs")? {
            let source = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            twins.read(&name, &source).with_context(|| name.clone())?;
        }
        Self::new(&text, twins)
    }

    fn new(text: &str, twins: Twins) -> anyhow::Result<Self> {
        let File { group, law } = toml::from_str(text).context(TABLE)?;
        let Twins { found: mut others, usage } = twins;
        let laws = law
            .into_iter()
            .map(|row| {
                let mut twins: Vec<Twin> = others.extract_if(.., |twin| twin.name == row.id).collect();
                twins.sort();
                let is_unused = twins.first().is_some_and(|twin| twin.kind == Kind::Proved)
                    && twins.iter().all(|twin| twin.is_of_laws() && !usage.asks(twin.stem(), &row.id));
                Law { row, twins, is_unused }
            })
            .collect();
        Ok(Self { groups: group, laws, others })
    }

    /// The variants that the prover must reject.
    pub fn proved_variants(&self) -> Vec<Variant> {
        self.variants().filter(|variant| self.is_proved_variant(variant)).collect()
    }

    /// The variants that a test must reject.
    pub fn tested_variants(&self) -> Vec<Variant> {
        self.variants().filter(|variant| !self.is_proved_variant(variant)).collect()
    }

    pub fn law(&self, id: &str) -> Option<&Law> {
        self.laws.iter().find(|law| law.row.id == id)
    }

    fn variants(&self) -> impl Iterator<Item = Variant> {
        self.laws.iter().flat_map(|law| law.row.broken.iter().map(|broken| Variant::new(&law.row.id, broken)))
    }

    fn is_proved_variant(&self, variant: &Variant) -> bool {
        let is_proved = self.law(&variant.law).and_then(Law::kind) == Some(Kind::Proved);
        is_proved && variant.is_of_laws()
    }

    fn faults(&self) -> Vec<String> {
        let mut faults: Vec<String> = self.laws.iter().flat_map(Law::faults).collect();
        for (index, Law { row, .. }) in self.laws.iter().enumerate() {
            if self.laws[..index].iter().any(|law| law.row.id == row.id) {
                faults.push(format!("{TABLE}: `{}` stands there twice; keep one", row.id));
            }
            if !self.groups.iter().any(|group| group.name == row.group) {
                faults.push(format!("{TABLE}: `{}` is in no group of the table; add the `[[group]]`", row.id));
            }
        }
        faults.extend(self.others.iter().filter_map(|twin| self.stranger(twin)));
        faults
    }

    /// What is wrong with a name that no law has.
    fn stranger(&self, Twin { name, kind, file, .. }: &Twin) -> Option<String> {
        if *kind == Kind::Proved {
            let helpers = HELPER_LABELS.map(|label| format!("`{label}`")).join(" or ");
            let is_helper = HELPER_LABELS.contains(&name.as_str());
            return (!is_helper).then(|| {
                format!("{file}: `{name}` is no law of {TABLE}; add it there, or label the clause {helpers}")
            });
        }
        let prefixes = self.groups.iter().flat_map(|group| &group.prefixes);
        let is_like_a_law = prefixes.into_iter().any(|prefix| name.starts_with(prefix));
        is_like_a_law.then(|| {
            format!("{file}: the test `{name}` is named like a law of {TABLE}; add it there, or name it as a sentence")
        })
    }
}

impl Law {
    /// How it is known; none while it waits.
    pub fn kind(&self) -> Option<Kind> {
        self.twins.first().map(|twin| twin.kind)
    }

    fn faults(&self) -> Vec<String> {
        let LawRow { id, waits_for, unused_until, broken, .. } = &self.row;
        let mut faults = Vec::new();
        let mut fault = |words: &str| faults.push(format!("{TABLE}: `{id}` {words}"));
        let Some(kind) = self.kind() else {
            if waits_for.is_none() {
                fault("has no twin: give a law or a test its name, or say what it `waits_for`");
            }
            return faults;
        };
        if waits_for.is_some() {
            fault("waits for a part, and has a twin: delete `waits_for`");
        }
        if broken.is_empty() {
            fault("was never broken: add a `broken` variant that fails");
        }
        if kind != Kind::Proved && self.twins.iter().any(|twin| twin.bound.is_none()) {
            fault("does not say its bound: begin its test's doc with `Sampled: …` or `Exhausted: …`");
        }
        match (self.is_unused, unused_until) {
            (true, None) => fault("is proved of code that nothing outside core/laws asks: say `unused_until` when"),
            (false, Some(_)) => fault("is `unused_until` something, and not unused: delete that"),
            (true, Some(_)) | (false, None) => {}
        }
        faults
    }
}

impl Variant {
    fn new(law: &str, broken: &Broken) -> Self {
        let Broken { file, find, replace } = broken.clone();
        Self { law: law.to_owned(), file, find, replace }
    }

    /// Whether it breaks proved code.
    pub fn is_of_laws(&self) -> bool {
        self.file.starts_with(twin::PROVED_FOLDER)
    }

    /// Returns the file's text, broken.
    ///
    /// # Errors
    ///
    /// The text to find is not there exactly once.
    pub fn applied(&self, source: &str) -> anyhow::Result<String> {
        match source.matches(&self.find).count() {
            1 => Ok(source.replacen(&self.find, &self.replace, 1)),
            count => anyhow::bail!(
                "{TABLE}: the broken variant of `{}` finds `{}` {count} times in {}; it must be there once",
                self.law,
                self.find,
                self.file
            ),
        }
    }

    fn fault(&self, root: &Path) -> Option<String> {
        let Ok(source) = std::fs::read_to_string(root.join(&self.file)) else {
            return Some(format!("{TABLE}: `{}` is broken in {}, which is not there", self.law, self.file));
        };
        match self.applied(&source) {
            Err(error) => Some(error.to_string()),
            Ok(broken) if broken == source => Some(format!("{TABLE}: a variant of `{}` breaks nothing", self.law)),
            Ok(_) => None,
        }
    }
}

fn goals(root: &Path) -> anyhow::Result<Goals> {
    match std::fs::read_to_string(root.join(GOALS)) {
        Ok(text) => toml::from_str(&text).context(GOALS),
        Err(_) => Ok(Goals::new()),
    }
}

#[cfg(test)]
mod tests;
