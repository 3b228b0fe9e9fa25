//! Laws of random sessions, as a person sees them: killed anywhere, on a disk that fills up, stopped at any moment.
//! `EUKHE_CASES`, read when the tests are built, sets how many sessions are tried; a failure names the seed of its own.

use protocol::{IdSource, Stamp};
use testkit::{Check, Testkit};

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

/// The seeds of one run.
fn seeds() -> std::ops::RangeInclusive<u64> {
    1..=option_env!("EUKHE_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(40)
}

/// Sampled: 40 sessions of up to 24 acts, looked at after each, more by `EUKHE_CASES`.
#[test]
fn turn_row_iff_work() {
    for seed in seeds() {
        let (mut kit, mut random) = started(seed, Check::fullscreen("60x20"));
        let mut script = String::new();
        for _ in 0..1 + random.random() % ACTS_MAX {
            let act = pick(&mut random);
            script.push_str(act);
            kit.play(act);
            let is_shown = kit.screen().lines().any(is_working_row);
            assert_eq!(is_shown, kit.has_work(), "seed {seed}, after\n{script}\n{}", kit.screen());
        }
    }
}

/// Sampled: 40 sessions of up to 24 acts, each with a number in every prompt, more by `EUKHE_CASES`.
#[test]
fn input_never_lost() {
    for seed in seeds() {
        let (mut kit, mut random) = started(seed, Check::inline("80x60"));
        let (mut script, mut count) = (String::new(), 0);
        for _ in 0..1 + random.random() % ACTS_MAX {
            let act = if random.random().is_multiple_of(3) {
                count += 1;
                format!("n{count}. <enter> <wait 1s>\n")
            } else {
                format!("{} <wait 1s>\n", pick(&mut random))
            };
            // These throw a draft away, or the rows of a window, or are prompts without a number.
            if ["<ctrl+c>", "<resize", "o <enter>", "e <enter>"].iter().any(|word| act.contains(word)) {
                continue;
            }
            kit.play(&act);
            script.push_str(&act);
        }
        // A gate is denied first, then the turn is stopped.
        for _ in 0..3 {
            kit.play("<esc> <wait 3s>");
        }
        assert!(!kit.has_work(), "it never stops, seed {seed}, after\n{script}");
        // What came back is sent again, as a long draft shows its end only.
        kit.play("<enter> «Good.» «end»");
        let shown: String = kit.screen().split_whitespace().collect();
        for number in 1..=count {
            let text = format!("n{number}.");
            assert!(shown.contains(&text), "{text} is lost, seed {seed}, after\n{script}\n{}", kit.screen());
        }
    }
}

/// Sampled: 40 sessions of up to 24 acts, in a window that has another size after each, more by `EUKHE_CASES`.
#[test]
fn tx_resize_keeps() {
    for seed in seeds() {
        let (mut kit, mut random) = started(seed, Check::inline("60x20"));
        let mut script = String::new();
        for _ in 0..1 + random.random() % ACTS_MAX {
            let size = ["60x20", "60x12", "50x16", "80x24"][random.random() as usize % 4];
            let (act, resize) = (pick(&mut random), format!("<resize {size}>\n"));
            kit.play(act);
            let before: String = kit.committed_rows().concat().split_whitespace().collect();
            kit.play(&resize);
            let after: String = kit.committed_rows().concat().split_whitespace().collect();
            script.extend([act, " ", &resize]);
            assert!(after.starts_with(&before), "seed {seed}, after\n{script}\n{before}\n{after}");
        }
    }
}

/// Sampled: 40 sessions of up to 24 acts, then the disk is full; more by `EUKHE_CASES`.
#[test]
fn journal_before_screen() {
    for seed in seeds() {
        let (mut kit, script) = random_session(seed);
        kit.play("<disk full> one more <enter> «And more.» «end» «done: late» <esc> <wait 3s>");
        assert_eq!(kit.told_before_stored(), Vec::<String>::new(), "seed {seed}, after\n{script}");
    }
}

#[test]
fn a_session_killed_anywhere_reads_as_before_and_goes_on() {
    for seed in seeds() {
        let (mut kit, script) = random_session(seed);
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
    let (first, script) = random_session(7);
    let (second, _) = random_session(7);
    assert_eq!(first.screen(), second.screen(), "after\n{script}");
}

fn random_session(seed: u64) -> (Testkit, String) {
    let (mut kit, mut random) = started(seed, Check::inline("60x20"));
    let mut script = String::new();
    for _ in 0..1 + random.random() % ACTS_MAX {
        let act = pick(&mut random);
        script.push_str(act);
        script.push('\n');
        kit.play(act);
    }
    (kit, script)
}

fn started(seed: u64, check: Check) -> (Testkit, IdSource) {
    let mut setup = check.setup();
    setup.seed = seed;
    (Testkit::start(setup), Stamp { at_ms: 0, seed }.ids())
}

fn is_working_row(row: &str) -> bool {
    row.strip_prefix(' ').is_some_and(|rest| rest.starts_with(['◐', '◓', '◑', '◒']))
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
