//! Tests of the table, of how twins are found, and of what each fault says.

use super::*;

const GROUPS: &str = "[[group]]\nname = \"Pace\"\nprefixes = [\"pace_\"]\n";

/// Paths with their texts.
type Files<'a> = &'a [(&'a str, &'a str)];

fn twins(files: Files) -> Twins {
    let mut twins = Twins::default();
    for (name, source) in files {
        twins.read(name, source).unwrap();
    }
    twins
}

fn table(laws: &str, files: Files) -> Table {
    Table::new(&format!("{GROUPS}{laws}"), twins(files)).unwrap()
}

fn law(id: &str, more: &str) -> String {
    format!("[[law]]\nid = \"{id}\"\ngroup = \"Pace\"\nsentence = \"It holds.\"\n{more}\n")
}

const USE: &str = "use laws::pace::pace_one;";
const BROKEN: &str = "broken = [{ file = 'a.rs', find = '1', replace = '2' }]";

fn found(files: Files) -> Vec<(String, Kind, Option<String>)> {
    twins(files).found.into_iter().map(|twin| (twin.name, twin.kind, twin.bound)).collect()
}

#[test]
fn laws_and_labels_are_twins_in_the_proved_folder_alone() {
    let source =
        "#[law] fn pace_one() -> bool { true }\n#[ensures(pace_two: result == 1)] #[ensures(returns: true)] fn f() {}";
    let proved = |name: &str| (name.to_owned(), Kind::Proved, None);
    assert_eq!(found(&[("core/laws/src/pace.rs", source)]), ["pace_one", "pace_two", "returns"].map(proved));
    assert_eq!(found(&[("core/agent/src/pace.rs", source)]), []);
}

#[test]
fn tests_are_twins_wherever_they_stand_and_their_doc_has_the_bound() {
    let source = "
        mod tests {
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(9))]
                /// Sampled: 9 numbers.
                #[test]
                fn pace_one(a in 0..9_u64, (b, c) in pair()) { prop_assert!(a < 9); }
                #[test]
                fn pace_two(a in \"x{0,3}\") { }
            }
            /// Exhausted: every byte.
            #[test]
            fn pace_three() {}
            /// Not a test, and no twin.
            fn pace_four() {}
        }";
    let expected = [
        ("pace_one".to_owned(), Kind::Sampled, Some("9 numbers".to_owned())),
        ("pace_two".to_owned(), Kind::Sampled, None),
        ("pace_three".to_owned(), Kind::Exhausted, Some("every byte".to_owned())),
    ];
    assert_eq!(found(&[("core/agent/src/pace.rs", source)]), expected);
}

#[test]
fn the_strongest_twin_of_a_law_comes_first() {
    let files = [
        ("core/agent/src/pace.rs", USE),
        ("core/laws/src/pace.rs", "#[test] fn pace_one() {} #[law] fn pace_one() {}"),
        ("core/a/src/b.rs", "/// Exhausted: all.\n#[test] fn pace_one() {}"),
    ];
    let table = table(&law("pace_one", BROKEN), &files);
    let kinds: Vec<Kind> = table.laws[0].twins.iter().map(|twin| twin.kind).collect();
    assert_eq!(kinds, [Kind::Proved, Kind::Exhausted, Kind::Sampled]);
    assert_eq!(table.faults(), [""; 0]);
}

#[test]
fn each_fault_says_the_way_out() {
    let sampled = ("core/a/src/b.rs", "/// Sampled: 9 numbers.\n#[test] fn pace_one() {}");
    let unbound = ("core/a/src/b.rs", "#[test] fn pace_one() {}");
    let label = ("core/laws/src/pace.rs", "#[ensures(pace_other: true)] fn f() {}");
    let waits = "waits_for = \"the painter\"";
    let unasked = ("core/laws/src/pace.rs", "#[law] fn pace_one() {}");
    let until = "unused_until = \"the painter\"\n".to_owned() + BROKEN;
    let cases: [(String, Files, &str); 10] = [
        (
            law("pace_one", BROKEN),
            &[unasked, ("core/laws/benches/pace.rs", USE)],
            "docs/laws.toml: `pace_one` is proved of code that nothing outside core/laws asks: say `unused_until` when",
        ),
        (
            law("pace_one", &until),
            &[unasked, ("core/agent/src/pace.rs", "fn f() { laws::pace::pace_one() }")],
            "docs/laws.toml: `pace_one` is `unused_until` something, and not unused: delete that",
        ),
        (
            law("pace_one", ""),
            &[],
            "docs/laws.toml: `pace_one` has no twin: give a law or a test its name, or say what it `waits_for`",
        ),
        (
            law("pace_one", &format!("{waits}\n{BROKEN}")),
            &[sampled],
            "docs/laws.toml: `pace_one` waits for a part, and has a twin: delete `waits_for`",
        ),
        (
            law("pace_one", ""),
            &[sampled],
            "docs/laws.toml: `pace_one` was never broken: add a `broken` variant that fails",
        ),
        (
            law("pace_one", BROKEN),
            &[unbound],
            "docs/laws.toml: `pace_one` does not say its bound: begin its test's doc with `Sampled: …` or `Exhausted: …`",
        ),
        (
            law("pace_two", waits),
            &[sampled],
            "core/a/src/b.rs: the test `pace_one` is named like a law of docs/laws.toml; add it there, or name it as a sentence",
        ),
        (
            law("pace_one", waits),
            &[label],
            "core/laws/src/pace.rs: `pace_other` is no law of docs/laws.toml; add it there, or label the clause `returns` or `leaves`",
        ),
        (
            law("pace_one", waits) + &law("pace_one", waits),
            &[],
            "docs/laws.toml: `pace_one` stands there twice; keep one",
        ),
        (
            law("pace_one", waits).replace("group = \"Pace\"", "group = \"Peace\""),
            &[],
            "docs/laws.toml: `pace_one` is in no group of the table; add the `[[group]]`",
        ),
    ];
    for (laws, files, fault) in cases {
        assert_eq!(table(&laws, files).faults(), [fault]);
    }
}

#[test]
fn a_key_that_the_table_does_not_have_is_an_error() {
    let text = format!("{GROUPS}{}", law("pace_one", "wait_for = \"the painter\""));
    assert!(Table::new(&text, Twins::default()).is_err());
}

#[test]
fn a_variant_of_a_proved_law_is_the_provers_where_it_breaks_proved_code() {
    let broken = "broken = [{ file = 'core/laws/src/pace.rs', find = '1', replace = '2' }, { file = 'core/a/src/b.rs', find = '1', replace = '2' }]";
    let files = [
        ("core/laws/src/pace.rs", "#[law] fn pace_one() {}"),
        ("core/a/src/b.rs", "#[test] fn pace_one() {}\n/// Sampled: 9.\n#[test] fn pace_two() {}"),
    ];
    let table = table(&(law("pace_one", broken) + &law("pace_two", broken)), &files);
    let named = |variants: Vec<Variant>| -> Vec<(String, String)> {
        variants.into_iter().map(|variant| (variant.law, variant.file)).collect()
    };
    let pair = |law: &str, file: &str| (law.to_owned(), file.to_owned());
    assert_eq!(named(table.proved_variants()), [pair("pace_one", "core/laws/src/pace.rs")]);
    assert_eq!(
        named(table.tested_variants()),
        [
            pair("pace_one", "core/a/src/b.rs"),
            pair("pace_two", "core/laws/src/pace.rs"),
            pair("pace_two", "core/a/src/b.rs")
        ]
    );
}

#[test]
fn a_variant_fits_a_text_that_is_there_once() {
    let broken = Broken { file: "a.rs".to_owned(), find: "min".to_owned(), replace: "max".to_owned() };
    let variant = Variant::new("pace_one", &broken);
    assert_eq!(variant.applied("a.min(b)").unwrap(), "a.max(b)");
    assert!(variant.applied("a").is_err());
    assert!(variant.applied("a.min(b).min(c)").is_err());
}

#[test]
fn the_page_has_what_holds_by_group_and_then_what_is_missing() {
    let files = [
        ("core/agent/src/pace.rs", USE),
        ("core/laws/src/pace.rs", "#[law] fn pace_one() {}\n/// Sampled: 9 numbers\n#[test] fn pace_one() {}"),
        ("core/a/src/b.rs", "/// Exhausted: every a|b\n#[test] fn pace_two() {}"),
    ];
    let laws = law("pace_one", BROKEN) + &law("pace_two", BROKEN) + &law("pace_three", "waits_for = \"the painter\"");
    let goals =
        Goals::from([("pace".to_owned(), BTreeMap::from([("pace_one".to_owned(), 3), ("returns".to_owned(), 4)]))]);
    let page = table(&laws, &files).page(&goals);
    for line in [
        "Proved are 1 (7 goals), 0 of them not used yet; exhausted 1, sampled 0; 1 wait for a part.",
        "| `pace_one` | It holds. | proved, sampled | `core/laws/src/pace.rs` | every input; 9 numbers | 3 |",
        "| `pace_two` | It holds. | exhausted | `core/a/src/b.rs` | every a\\|b | |",
        "| `pace_three` | It holds. | the painter |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line}\n\n{page}");
    }
}
