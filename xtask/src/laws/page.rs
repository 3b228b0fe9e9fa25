//! docs/laws.md: the table of laws as a page to read.
//! Decides nothing; its words beside the table's are here.

use std::collections::BTreeSet;

use super::{Goals, Group, Kind, Law, Table};

const HEAD: &str = "\
# Laws

Made by `cargo xtask laws` from `laws.toml`, the sources and the count of goals; do not edit.

A law is a sentence that holds for every input, not for examples.
It has an id, and a twin of the same name in the code: a contract or a test.
How a law is known, strongest first:

- **proved**: a prover has checked it for every input that `requires` admits, on the code that runs (`cargo xtask prove`); goals are what had to be proved for it;
- **exhausted**: a test tries every input up to its bound;
- **sampled**: a test tries random inputs, and prints the seed of one that fails.

The strongest is listed first, with its bound; what else checks the law follows it.
What is **not used yet** is proved of a decision that no other crate asks for: the law of the program is still missing.
Each law was broken on purpose: `laws.toml` has the broken variants, and `cargo xtask prove` and `cargo xtask mutants` demand that each is rejected.
";

const TRUSTED: &str = "\
## What is trusted

Nothing checks these; a mistake in one of them could make a law false that is listed as known.

- `lawc` (`xtask/lawc`), which says the code in WhyML, and its prelude of machine numbers, slices and constant tables. `cargo xtask prove differential` runs every function of `core/laws` as Rust and, through that WhyML and Why3's extraction, as OCaml, on 10,000 random inputs each. That compares bodies; contracts it does not see: those run in debug builds, and tests of `lawc` hold their translation.
- Why3, which makes the goals from that.
- One solver a goal, Z3 4.8.12 or CVC4 1.8: a goal counts when one of them proves it.
- `rustc` and LLVM, which compile the code that was proved.
- That `usize` has 64 bits.
- What a proved function `requires`, at its first caller outside `core/laws`: within it callers are proved to keep it, outside they must see to it themselves. Debug builds check it when they run.
- For sampled laws: that the generators come near what could break them.
- That a sentence says what its contract or test says: only readers see to that.
";

impl Table {
    /// Returns the page.
    pub(super) fn page(&self, goals: &Goals) -> String {
        let mut page = format!("{HEAD}{}", self.tally(goals));
        for group in &self.groups {
            page += &self.section(group, goals);
        }
        page + &self.missing() + "\n" + TRUSTED
    }

    fn tally(&self, goals: &Goals) -> String {
        let count = |kind| self.laws.iter().filter(|law| law.kind() == kind).count();
        let all: u64 = goals.values().flat_map(|labels| labels.values()).sum();
        let counted = if all == 0 { String::new() } else { format!(" ({all} goals)") };
        let unused = self.laws.iter().filter(|law| law.is_unused).count();
        format!(
            "\nProved are {}{counted}, {unused} of them not used yet; exhausted {}, sampled {}; {} wait for a part.\n",
            count(Some(Kind::Proved)),
            count(Some(Kind::Exhausted)),
            count(Some(Kind::Sampled)),
            count(None),
        )
    }

    /// The laws of a group that hold.
    fn section(&self, group: &Group, goals: &Goals) -> String {
        let rows: String = self.of(group).filter(|law| law.kind().is_some()).map(|law| law.line(goals)).collect();
        if rows.is_empty() {
            return String::new();
        }
        let about = group.about.as_ref().map_or_else(String::new, |about| format!("{about}\n\n"));
        let head = "| id | law | known | where | bound | goals |\n| --- | --- | --- | --- | --- | --- |\n";
        format!("\n## {}\n\n{about}{head}{rows}", group.name)
    }

    fn missing(&self) -> String {
        let waiting = self.groups.iter().flat_map(|group| self.of(group));
        let rows: String = waiting
            .filter_map(|law| {
                let waits_for = match (&law.row.waits_for, &law.row.unused_until) {
                    (Some(part), _) => part.clone(),
                    (None, Some(part)) => format!("{part}; its decision is proved and will be used there"),
                    (None, None) => return None,
                };
                Some(line(&[code(&law.row.id), law.row.sentence.clone(), waits_for]))
            })
            .collect();
        format!("\n## Still missing\n\n| id | law | waits for |\n| --- | --- | --- |\n{rows}")
    }

    fn of(&self, group: &Group) -> impl Iterator<Item = &Law> {
        self.laws.iter().filter(|law| law.row.group == group.name)
    }
}

impl Law {
    fn line(&self, goals: &Goals) -> String {
        let kinds: BTreeSet<Kind> = self.twins.iter().map(|twin| twin.kind).collect();
        let mut known: Vec<&str> = kinds.into_iter().map(Kind::word).collect();
        known.extend(self.is_unused.then_some("not used yet"));
        let mut files: Vec<String> = Vec::new();
        for twin in &self.twins {
            if !files.contains(&code(&twin.file)) {
                files.push(code(&twin.file));
            }
        }
        let bounds: Vec<&str> = self.twins.iter().filter_map(|twin| twin.bound.as_deref()).collect();
        let bound = match self.kind() {
            Some(Kind::Proved) => [vec!["every input"], bounds].concat().join("; "),
            Some(Kind::Exhausted | Kind::Sampled) | None => bounds.join("; "),
        };
        let sentence = self.row.sentence.clone();
        line(&[code(&self.row.id), sentence, known.join(", "), files.join(", "), bound, self.goals(goals)])
    }

    fn goals(&self, goals: &Goals) -> String {
        let count: u64 = goals.values().filter_map(|labels| labels.get(&self.row.id)).sum();
        match self.kind() {
            Some(Kind::Proved) if count > 0 => count.to_string(),
            Some(Kind::Proved) => "–".to_owned(),
            Some(Kind::Exhausted | Kind::Sampled) | None => String::new(),
        }
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn line(cells: &[String]) -> String {
    let cells =
        cells.iter().map(|cell| if cell.is_empty() { " |".into() } else { format!(" {} |", cell.replace('|', "\\|")) });
    format!("|{}\n", cells.collect::<String>())
}
