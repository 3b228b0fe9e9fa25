//! Random sessions, killed anywhere: what was settled reads as before, and the next request is one that is taken.

use protocol::{IdSource, Stamp};
use testkit::{Check, Testkit};

/// Sessions of one run; each is a seed, and a failing one names it.
const SESSION_COUNT: u64 = 40;
/// The longest session, in acts.
const ACTS_MAX: u64 = 24;

/// What a person, a model or a tool may do next, whether it makes sense or not.
const ACTS: &[&str] = &[
    "hello there <enter>",
    "and this too <enter>",
    "half a thought",
    "<esc>",
    "<tab> y",
    "<tab> n",
    "<wait 100ms> <ctrl+c> <wait 3s>",
    "«Some words of an answer, and then some more of them. »",
    "«A second paragraph.\\n\\n- with\\n- a list\\n\\n»",
    "«think: Let me see.»",
    "«!tool look {\"command\":\"src\"}»",
    "«!tool bash {\"command\":\"cargo test\"}»",
    "«!tool stubborn {\"command\":\"wait\"}»",
    "«!tool fly {}»",
    "«end»",
    "«end»",
    "«end»",
    "«output: a line\\n»",
    "«done: all of it»",
    "«done: all of it»",
    "«failed: not today»",
    "«panic»",
    "«empty»",
    "«length»",
    "«cut»",
    "«fail 500»",
    "«fail 400»",
    "«reset»",
    "<wait 5s>",
    "<resize 60x12>",
    "<resize 60x20>",
];

#[test]
fn a_session_killed_anywhere_reads_as_before_and_goes_on() {
    for seed in 1..=SESSION_COUNT {
        let (mut kit, script) = killed_session(seed);
        let before = kit.committed_rows();
        kit.play("<resize 60x20> <kill> <reopen>");
        let after = kit.committed_rows();
        let missing = first_missing(&before, &after);
        assert_eq!(
            missing,
            None,
            "seed {seed}, after\n{script}\nbefore:\n{}\nafter:\n{}",
            before.join("\n"),
            after.join("\n")
        );
        kit.play("<ctrl+c> <wait 3s> go on <enter> «Going on.» «end»");
        assert!(kit.screen().contains("Going on."), "seed {seed}, after\n{script}\n{}", kit.screen());
        assert_eq!(kit.request_faults(), Vec::<String>::new(), "seed {seed}, after\n{script}");
    }
}

#[test]
fn the_same_seed_gives_the_same_window() {
    let (first, script) = killed_session(7);
    let (second, _) = killed_session(7);
    assert_eq!(first.screen(), second.screen(), "after\n{script}");
}

fn killed_session(seed: u64) -> (Testkit, String) {
    let mut random = Stamp { at_ms: 0, seed }.ids();
    let mut setup = Check::inline("60x20").setup();
    setup.seed = seed;
    let mut kit = Testkit::start(setup);
    let mut script = String::new();
    for _ in 0..1 + random.random() % ACTS_MAX {
        let act = pick(&mut random);
        script.push_str(act);
        script.push('\n');
        kit.play(act);
    }
    (kit, script)
}

fn pick(random: &mut IdSource) -> &'static str {
    let index = random.random() % ACTS.len() as u64;
    ACTS[usize::try_from(index).expect("the table is short")]
}

/// The first row that does not come again, in the same order.
fn first_missing<'a>(before: &'a [String], after: &[String]) -> Option<&'a String> {
    let mut rest = after.iter();
    before.iter().find(|row| !rest.any(|other| other == *row))
}
