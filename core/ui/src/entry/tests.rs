//! What entries look like, as plain text, and what holds for the rows of any entry.

use std::sync::Arc;

use protocol::{Failure, FailureKind, GateAnswer, GateSource, ModelRef, Stamp, ToolOutcome, ToolOutput};
use screen::{Role, Row};
use transcript::{
    Answer, Decision, Entry, EntryId, EntryKind, EntryState, LiveRun, NoticeLevel, Thinking, ToolCard, ToolState,
    TurnEnd, TurnEnding, User,
};

use super::{Detail, EntryView, RowCache, Surface, gap_between, rows};

const NOW_MS: u64 = 1_000_000;

fn view(width_cols: usize, detail: Detail) -> EntryView {
    EntryView { width_cols, detail, now_ms: NOW_MS, surface: Surface::Fullscreen }
}

fn entry(kind: EntryKind) -> Entry {
    Entry { id: EntryId(1), revision: 0, state: EntryState::Final, kind }
}

/// Compares the plain text of an entry's rows, each between bars so that blanks at its end are seen.
#[track_caller]
fn check(kind: EntryKind, view: EntryView, expected: &str) {
    let rows = rows(&entry(kind), &view);
    let shown: Vec<String> = rows.iter().map(|row| format!("|{}|", row.plain())).collect();
    assert_eq!(shown.join("\n"), expected.trim_matches('\n'));
    assert!(rows.iter().all(|row| row.width_cols() <= view.width_cols), "a row is too wide");
}

fn card(name: &str, arguments: &str, state: ToolState) -> ToolCard {
    let call = Stamp { at_ms: 0, seed: 1 }.ids().make();
    ToolCard { call, name: name.into(), arguments: arguments.into(), summary: None, decision: None, state }
}

fn ended(outcome: ToolOutcome, text: &str) -> ToolOutput {
    ToolOutput { outcome, text: text.into(), shown: None, facts: Vec::new(), duration_ms: 40 }
}

fn tests_fail() -> ToolCard {
    let text = "running 3 tests\ntest a ... ok\ntest b ... FAILED\ntest c ... ok\n\nfailures:\n    b\n";
    let output = ToolOutput { facts: vec!["exit 101".into()], duration_ms: 2_345, ..ended(ToolOutcome::Failed, text) };
    let card = card("bash", r#"{"command":"cargo test"}"#, ToolState::Ended(output));
    ToolCard { summary: Some("$ cargo test".into()), ..card }
}

#[test]
fn a_prompt_stands_behind_its_mark_with_its_lines_kept() {
    let user = User { text: "fix the resize\n\nand tell me why it broke\n".into(), is_steered: false };
    check(
        EntryKind::User(user),
        view(20, Detail::Overview),
        "
|> fix the resize|
|  |
|  and tell me why it|
|  broke|
",
    );
    let user = User { text: "faster".into(), is_steered: true };
    check(EntryKind::User(user), view(20, Detail::Overview), "|> steered · faster|");
}

#[test]
fn thinking_is_a_header_and_at_details_its_text() {
    let thinking =
        |duration_ms| EntryKind::Thinking(Thinking { text: "First a list.\n\nThen a look.".into(), duration_ms });
    check(thinking(None), view(40, Detail::Overview), "|Thinking|");
    check(thinking(Some(12_900)), view(40, Detail::Overview), "|Thought for 12s|");
    check(
        thinking(Some(400)),
        view(40, Detail::Details),
        "
|Thought for 0.4s|
|  First a list.|
||
|  Then a look.|
",
    );
}

#[test]
fn an_answer_shows_what_is_paced_and_says_when_it_was_cut() {
    let cut = Failure::new(FailureKind::Connection, "the connection was reset", "try again");
    let answer = Answer { text: "Some **text** and more".into(), shown_bytes: 13, cut: Some(cut) };
    check(EntryKind::Answer(answer.clone()), view(40, Detail::Overview), "|Some text|");
    let whole = Answer { shown_bytes: answer.text.len(), ..answer };
    check(
        EntryKind::Answer(whole),
        view(40, Detail::Overview),
        "
|Some text and more|
|(incomplete)|
",
    );
}

#[test]
fn a_card_is_one_row_that_says_how_the_call_ended() {
    let done = ToolOutput { facts: vec!["120 lines".into()], ..ended(ToolOutcome::Done, "x") };
    let states = [
        (ToolState::Writing, "|  · read src/lib.rs|"),
        (ToolState::Queued, "|  · read src/lib.rs|"),
        (ToolState::WaitsForApproval, "|  · read src/lib.rs  waits for approval|"),
        (ToolState::Cancelled, "|  – read src/lib.rs  cancelled|"),
        (ToolState::Ended(done), "|  ✓ read src/lib.rs  120 lines|"),
        (ToolState::Ended(ended(ToolOutcome::Denied, "denied")), "|  ⊘ read src/lib.rs  denied|"),
        (ToolState::Ended(ended(ToolOutcome::Cancelled, "")), "|  – read src/lib.rs  cancelled|"),
    ];
    for (state, expected) in states {
        check(EntryKind::Tool(card("read", r#"{"path":"src/lib.rs"}"#, state)), view(60, Detail::Overview), expected);
    }
}

#[test]
fn a_card_shows_its_clock_after_a_second_and_who_decided() {
    let run = LiveRun { started_at_ms: NOW_MS - 3_250, summary: "$ cargo test".into(), output: "a\nb\n".into() };
    let running = card("bash", "{}", ToolState::Running(run));
    check(EntryKind::Tool(running.clone()), view(60, Detail::Overview), "|  ◓ bash $ cargo test  3s|");
    let decision = Some(Decision { answer: GateAnswer::Approved, source: GateSource::You });
    check(
        EntryKind::Tool(ToolCard { decision, ..running }),
        view(60, Detail::Details),
        "
|  ◓ bash $ cargo test  3s · approved by you|
|  a|
|  b|
",
    );
    let denied = card("edit", r#"{"path":"a.rs"}"#, ToolState::Ended(ended(ToolOutcome::Denied, "denied")));
    let decision = Some(Decision { answer: GateAnswer::Denied, source: GateSource::You });
    check(
        EntryKind::Tool(ToolCard { decision, ..denied }),
        view(60, Detail::Details),
        "|  ⊘ edit a.rs  denied · by you|",
    );
}

#[test]
fn a_failure_shows_the_start_of_its_text_at_overview_and_the_end_of_its_output_at_details() {
    check(
        EntryKind::Tool(tests_fail()),
        view(60, Detail::Overview),
        "
|  ✗ bash $ cargo test  exit 101 · 2.3s|
|  running 3 tests|
|  test a ... ok|
|  test b ... FAILED|
|  4 more rows|
",
    );
    check(
        EntryKind::Tool(tests_fail()),
        view(60, Detail::Details),
        "
|  ✗ bash $ cargo test  exit 101 · 2.3s|
|  2 earlier rows|
|  test b ... FAILED|
|  test c ... ok|
|  |
|  failures:|
|      b|
",
    );
}

#[test]
fn a_narrow_card_has_no_padding_and_is_cut_at_its_summary() {
    check(
        EntryKind::Tool(tests_fail()),
        view(34, Detail::Overview),
        "
|✗ bash $ cargo t…  exit 101 · 2.3s|
|running 3 tests|
|test a ... ok|
|test b ... FAILED|
|4 more rows|
",
    );
}

#[test]
fn an_edit_counts_in_its_header_and_shows_its_diff_at_details() {
    let diff = "--- a.rs\n+++ a.rs\n@@ -1,2 +1,2 @@\n fn a() {\n-    1\n+    2\n";
    let output =
        ToolOutput { shown: Some(diff.into()), facts: vec!["+1 -1".into()], ..ended(ToolOutcome::Done, "edited a.rs") };
    let edit = card("edit", r#"{"path":"a.rs"}"#, ToolState::Ended(output));
    check(EntryKind::Tool(edit.clone()), view(40, Detail::Overview), "|✓ edit a.rs  +1 -1|");
    check(
        EntryKind::Tool(edit),
        view(40, Detail::Details),
        "
|✓ edit a.rs  +1 -1|
|@@ -1,2 +1,2 @@|
|  fn a() {|
|-     1|
|+     2|
",
    );
}

#[test]
fn a_command_of_several_lines_is_whole_below_its_header() {
    let run = card("bash", r#"{"command":"cd /tmp\nls -la"}"#, ToolState::Ended(ended(ToolOutcome::Done, "total 0\n")));
    check(EntryKind::Tool(run.clone()), view(60, Detail::Overview), "|  ✓ bash $ cd /tmp|");
    check(
        EntryKind::Tool(run),
        view(60, Detail::All),
        "
|  ✓ bash $ cd /tmp|
|  cd /tmp|
|  ls -la|
|  total 0|
",
    );
}

#[test]
fn an_unknown_tool_shows_its_arguments() {
    let call = card("mcp__maps__route", "{\"to\": \"Rome\"}", ToolState::Ended(ended(ToolOutcome::Done, "far")));
    check(
        EntryKind::Tool(call),
        view(60, Detail::Details),
        "
|  ✓ mcp__maps__route {\"to\": \"Rome\"}|
|  {\"to\": \"Rome\"}|
|  far|
",
    );
}

#[test]
fn output_keeps_a_lines_last_state_and_no_control_bytes() {
    let text = "10%\r50%\rdone\n\u{1b}[31mred\u{1b}[0m\ttab\u{7}\n";
    let run = card("bash", r#"{"command":"x"}"#, ToolState::Ended(ended(ToolOutcome::Done, text)));
    check(
        EntryKind::Tool(run),
        view(60, Detail::All),
        "
|  ✓ bash $ x|
|  done|
|  red   tab|
",
    );
    let editor = "\u{1b}[?1049hdrawing".to_owned() + &"x".repeat(2_000);
    let run = card("bash", r#"{"command":"vi"}"#, ToolState::Ended(ended(ToolOutcome::Done, &editor)));
    check(
        EntryKind::Tool(run),
        view(60, Detail::All),
        "
|  ✓ bash $ vi|
|  full-screen output, 1.9 KB not shown|
",
    );
}

#[test]
fn content_shows_while_it_is_written() {
    let arguments = r#"{"path":"notes.md","content":"one\ntwo\nthr"#;
    check(
        EntryKind::Tool(card("write", arguments, ToolState::Writing)),
        view(60, Detail::Details),
        "
|  · write notes.md|
|  one|
|  two|
|  thr|
",
    );
}

#[test]
fn each_end_of_a_turn_says_what_happened_and_what_to_do() {
    let end = |ending, message: &str, next_step: &str| {
        EntryKind::TurnEnd(TurnEnd { ending, message: message.into(), next_step: next_step.into() })
    };
    let busy = "the server answered 503";
    let wide = view(80, Detail::Overview);
    check(end(TurnEnding::Interrupted, "", ""), wide, "|! Interrupted|");
    check(
        end(TurnEnding::Interrupted, "while waiting to try again: busy", ""),
        wide,
        "|! Interrupted while waiting to try again: busy|",
    );
    check(end(TurnEnding::Failed, "no key is set", "use /login"), wide, "|! no key is set; use /login|");
    check(
        end(TurnEnding::GaveUp { attempts: 4 }, busy, "try again"),
        wide,
        "|! Gave up after 4 retries: the server answered 503; try again|",
    );
    check(
        end(TurnEnding::Incomplete, "the output limit was reached", "ask to go on"),
        wide,
        "|! The answer is incomplete: the output limit was reached; ask to go on|",
    );
    check(
        end(TurnEnding::NoReply, "", "send a message to go on"),
        view(30, Detail::Overview),
        "
|! The turn ended without a|
|  reply; send a message to go|
|  on|
",
    );
}

#[test]
fn remarks_are_told_apart_without_color() {
    let notice = |level, text: &str| EntryKind::Notice { level, text: text.into() };
    let wide = view(60, Detail::Overview);
    check(notice(NoticeLevel::Info, "all is well"), wide, "|· all is well|");
    check(notice(NoticeLevel::Warning, "a key is old"), wide, "|! a key is old|");
    check(notice(NoticeLevel::Error, "the disk\nis full"), wide, "|✗ the disk is full|");
    let model = |id: &str| ModelRef { provider: "openai".into(), id: id.into() };
    check(
        EntryKind::ModelChanged { from: model("a"), to: model("b") },
        wide,
        "|· the model is openai/b now, it was openai/a|",
    );
    check(
        EntryKind::Unknown { type_name: "MoonPhaseChanged".into() },
        wide,
        "|· an event of a newer version: MoonPhaseChanged|",
    );
}

#[test]
fn only_a_window_of_our_own_gets_surfaces_to_the_edge() {
    let user = entry(EntryKind::User(User { text: "hi".into(), is_steered: false }));
    let fills = |surface| {
        let view = EntryView { surface, ..view(80, Detail::Details) };
        let card = entry(EntryKind::Tool(tests_fail()));
        let rows: Vec<Row> = rows(&user, &view).into_iter().chain(rows(&card, &view).into_iter().take(2)).collect();
        rows.iter().map(|row| row.fill).collect::<Vec<_>>()
    };
    assert_eq!(fills(Surface::Inline), [None, None, None]);
    assert_eq!(
        fills(Surface::Fullscreen),
        [Some(Role::UserMessageBg), Some(Role::ToolErrorBg), Some(Role::ToolPanelBg)]
    );
}

#[test]
fn a_scrollback_gets_no_blanks_at_the_end_of_a_row() {
    let inline = EntryView { surface: Surface::Inline, ..view(60, Detail::Details) };
    check(
        EntryKind::User(User { text: "one\n\ntwo  ".into(), is_steered: false }),
        inline,
        "
|> one|
||
|  two|
",
    );
    check(
        EntryKind::Tool(tests_fail()),
        inline,
        "
|  ✗ bash $ cargo test  exit 101 · 2.3s|
|  2 earlier rows|
|  test b ... FAILED|
|  test c ... ok|
||
|  failures:|
|      b|
",
    );
}

#[test]
fn the_work_of_one_go_stays_together() {
    let user = entry(EntryKind::User(User { text: "hi".into(), is_steered: false }));
    let thinking = entry(EntryKind::Thinking(Thinking { text: "hm".into(), duration_ms: None }));
    let tool = entry(EntryKind::Tool(tests_fail()));
    let end = entry(EntryKind::TurnEnd(TurnEnd {
        ending: TurnEnding::Interrupted,
        message: String::new(),
        next_step: String::new(),
    }));
    let pairs = [(&user, &thinking), (&thinking, &tool), (&tool, &tool), (&tool, &end), (&end, &end), (&user, &user)];
    assert_eq!(pairs.map(|(above, below)| gap_between(above, below)), [true, false, false, true, false, true]);
}

#[test]
fn rows_are_kept_until_the_entry_or_the_look_at_it_changes() {
    let mut cache = RowCache::default();
    let mut entry = entry(EntryKind::Tool(tests_fail()));
    let overview = view(60, Detail::Overview);
    let same = |one: &[Arc<Row>], other: &[Arc<Row>]| one.iter().zip(other).all(|(one, other)| Arc::ptr_eq(one, other));
    let first = cache.rows(&entry, &overview).to_vec();
    let later = EntryView { now_ms: NOW_MS + 60_000, ..overview };
    assert!(same(&first, cache.rows(&entry, &later)), "time alone changes no settled row");
    entry.revision += 1;
    assert!(!same(&first, cache.rows(&entry, &overview)));
    assert_eq!(cache.rows(&entry, &view(60, Detail::Details)).len(), 7);
    assert_eq!(cache.rows(&entry, &overview).len(), 5);
}

#[test]
fn only_what_runs_moves_with_time() {
    let mut cache = RowCache::default();
    let run = LiveRun { started_at_ms: NOW_MS, summary: "$ ls".into(), output: String::new() };
    let entry = entry(EntryKind::Tool(card("bash", "{}", ToolState::Running(run))));
    let mut shown = |now_ms| cache.rows(&entry, &EntryView { now_ms, ..view(60, Detail::Overview) })[0].plain();
    let pictures = [0, 249, 250, 1_000].map(|ms| shown(NOW_MS + ms));
    assert_eq!(pictures, ["  ◐ bash $ ls", "  ◐ bash $ ls", "  ◓ bash $ ls", "  ◐ bash $ ls  1s"]);
}

#[test]
fn a_streaming_answer_ends_as_the_rows_of_its_whole_text() {
    let text = "# Title\n\nSome *text* with `code`.\n\n```rust\nfn main() {}\n```\n\n- one\n- two\n";
    let mut cache = RowCache::default();
    let look = view(30, Detail::Overview);
    let mut entry = entry(EntryKind::Answer(Answer { text: text.into(), shown_bytes: 0, cut: None }));
    entry.state = EntryState::Active;
    for end in (0..=text.len()).step_by(3) {
        entry.revision += 1;
        entry.kind = EntryKind::Answer(Answer { text: text.into(), shown_bytes: end, cut: None });
        assert!(cache.rows(&entry, &look).iter().all(|row| row.width_cols() <= 30));
    }
    entry.revision += 1;
    entry.state = EntryState::Final;
    entry.kind = EntryKind::Answer(Answer { text: text.into(), shown_bytes: text.len(), cut: None });
    let settled: Vec<Row> = cache.rows(&entry, &look).iter().map(|row| Row::clone(row)).collect();
    assert_eq!(settled, rows(&entry, &look));
}

mod random {
    use proptest::prelude::*;

    use super::*;

    fn text() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "a",
            " ",
            "\n",
            "\t",
            "日本",
            "👩‍👩‍👧",
            "e\u{301}",
            "\u{1b}[31m",
            "\u{1b}]8;;",
            "\r",
            "\u{202e}",
            "word",
            "```",
            "| a | b |",
            "- ",
            "\"",
            "\\",
            "{",
            "\u{9b}1A",
        ]);
        prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn kind() -> impl Strategy<Value = EntryKind> {
        let output = (text(), text(), prop::option::of(text()), 0..4usize).prop_map(|(text, fact, shown, outcome)| {
            let outcomes = [ToolOutcome::Done, ToolOutcome::Failed, ToolOutcome::Denied, ToolOutcome::Cancelled];
            ToolOutput { outcome: outcomes[outcome], text, shown, facts: vec![fact], duration_ms: 99_000 }
        });
        let run = (text(), text()).prop_map(|(summary, output)| LiveRun { started_at_ms: 5, summary, output });
        let state = prop_oneof![
            Just(ToolState::Writing),
            Just(ToolState::WaitsForApproval),
            Just(ToolState::Cancelled),
            run.prop_map(ToolState::Running),
            output.prop_map(ToolState::Ended),
        ];
        let name = prop_oneof![Just("bash".to_owned()), Just("edit".to_owned()), Just("write".to_owned()), text()];
        let decision = Decision { answer: GateAnswer::Approved, source: GateSource::You };
        let arguments = text().prop_map(|text| format!("{{\"command\":\"{text}\",\"content\":\"{text}"));
        let tool = (name, arguments, prop::option::of(text()), prop::option::of(Just(decision)), state).prop_map(
            |(name, arguments, summary, decision, state)| {
                EntryKind::Tool(ToolCard { summary, decision, ..card(&name, &arguments, state) })
            },
        );
        let end = (text(), text()).prop_map(|(message, next_step)| {
            EntryKind::TurnEnd(TurnEnd { ending: TurnEnding::GaveUp { attempts: 3 }, message, next_step })
        });
        prop_oneof![
            tool,
            end,
            (text(), any::<bool>()).prop_map(|(text, is_steered)| EntryKind::User(User { text, is_steered })),
            text().prop_map(|text| EntryKind::Thinking(Thinking { text, duration_ms: Some(99) })),
            text().prop_map(|text| EntryKind::Answer(Answer { shown_bytes: text.len(), text, cut: None })),
            text().prop_map(|text| EntryKind::Notice { level: NoticeLevel::Error, text }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn no_row_is_wider_than_asked_and_none_holds_a_control_byte(
            kind in kind(),
            width_cols in 1..90usize,
            level in 0..3usize,
        ) {
            let detail = [Detail::Overview, Detail::Details, Detail::All][level];
            for row in rows(&entry(kind), &view(width_cols, detail)) {
                prop_assert!(row.width_cols() <= width_cols, "{:?}", row.plain());
                prop_assert!(!row.plain().chars().any(char::is_control), "{:?}", row.plain());
            }
        }
    }
}
