//! The table that `prove` prints: each law with its goals, who proved them, and how long that took.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use lawc::{Function, Kind};

use super::session::Goal;

/// How many goals each law has in each file.
pub type Counts = BTreeMap<String, BTreeMap<String, usize>>;

#[derive(Default)]
struct Row {
    kind: &'static str,
    goals: usize,
    proved: BTreeMap<String, usize>,
    seconds: f64,
}

/// Prints the table and returns the goals of each law.
pub fn print(files: &[(String, Vec<Goal>)], functions: &[&Function], taken: Duration) -> Counts {
    let mut counts = Counts::new();
    let (mut all, mut done) = (0, 0);
    println!("{:34} {:9} {:>5}  {:18} {:>7}", "law", "kind", "goals", "prover", "seconds");
    for (stem, goals) in files {
        println!("{stem}");
        let mut rows: BTreeMap<(bool, String), Row> = BTreeMap::new();
        for goal in goals {
            let (law, kind) = law_of(goal, functions);
            let named = law.clone().unwrap_or_else(|| "every step safe".into());
            let row = rows.entry((law.is_none(), named)).or_insert_with(|| Row { kind, ..Row::default() });
            row.goals += 1;
            all += 1;
            if let Some(proof) = &goal.proof {
                done += 1;
                *row.proved.entry(proof.prover.clone()).or_default() += 1;
                row.seconds += proof.seconds;
            }
        }
        for ((is_step, named), row) in rows {
            let mut provers: Vec<String> =
                row.proved.iter().map(|(prover, goals)| format!("{prover} {goals}")).collect();
            let missing = row.goals - row.proved.values().sum::<usize>();
            if missing > 0 {
                provers.push(format!("NONE {missing}"));
            }
            println!("  {named:32} {:9} {:>5}  {:18} {:>7.2}", row.kind, row.goals, provers.join(", "), row.seconds);
            if !is_step {
                counts.entry(stem.clone()).or_default().insert(named, row.goals);
            }
        }
    }
    println!("{done} of {all} goals proved in {:.0} s", taken.as_secs_f64());
    counts
}

/// The law a goal belongs to: all goals of a law's own function, and those an `ensures` names.
fn law_of(goal: &Goal, functions: &[&Function]) -> (Option<String>, &'static str) {
    let function = functions.iter().find(|function| function.name == goal.function);
    if function.is_some_and(|function| function.kind == Kind::Law) {
        return (Some(goal.function.clone()), "law");
    }
    let is_helper = crate::laws::HELPER_LABELS.contains(&goal.label.as_str());
    if !is_helper && function.is_some_and(|function| function.ensures.contains(&goal.label)) {
        return (Some(goal.label.clone()), "contract");
    }
    (None, "step")
}

/// Writes the counts where docs/laws.md takes them from.
pub fn save(path: &Path, counts: &Counts) -> anyhow::Result<()> {
    let mut text = String::from("# How many goals the provers settle for each law. Written by `cargo xtask prove`.\n");
    for (stem, laws) in counts {
        text += &format!("\n[{stem}]\n");
        for (law, goals) in laws {
            text += &format!("{law} = {goals}\n");
        }
    }
    std::fs::write(path, text)?;
    Ok(())
}
