//! What a transcript holds after given events. Each log is also restored from what it stores.

use protocol::{Block, Enduring, GateAnswer, InputId, InputReason, ModelRef, RetryOutcome, ToolOutcome, Usage};

use super::log::Log;
use super::{Notable, Queued, Transcript};
use crate::{
    Activity, Answer, EntryKind, EntryState, LocalRow, NoticeLevel, PaceRate, ToolState, TurnEnd, TurnEnding, Work,
};

const RATE: PaceRate = PaceRate { chars_min: 2, lag: 3 };

fn live(log: &Log) -> Transcript {
    let mut transcript = Transcript::new();
    for event in &log.events {
        transcript.fold(event);
    }
    transcript
}

fn restored(log: &Log) -> Transcript {
    let mut transcript = Transcript::new();
    transcript.restore(log.events.iter().filter(|event| event.enduring().is_some()));
    transcript
}

/// Folds the log live, shows all of it, and compares with what a person reads; a restored one must read the same.
#[track_caller]
fn check(log: &Log, expected: &str) {
    let mut shown = live(log);
    shown.reveal_all();
    assert_eq!(read(&shown), expected.trim_start(), "live");
    assert_eq!(read(&restored(log)), expected.trim_start(), "restored");
}

/// One line for each entry; `|` stands where shown text ends, `…` ends the line of an active entry.
fn read(transcript: &Transcript) -> String {
    let mut lines = String::new();
    for entry in transcript.entries() {
        lines += &line(&entry.kind);
        lines += match entry.state {
            EntryState::Active => " …\n",
            EntryState::Final => "\n",
        };
    }
    lines
}

fn line(kind: &EntryKind) -> String {
    match kind {
        EntryKind::User(user) if user.is_steered => format!("you, steering: {}", user.text),
        EntryKind::User(user) => format!("you: {}", user.text),
        EntryKind::Thinking(thinking) => format!("thinking {:?}: {}", thinking.duration_ms, thinking.text),
        EntryKind::Answer(answer) => answer_line(answer),
        EntryKind::Tool(card) => {
            let state = match &card.state {
                ToolState::Writing => "writing".to_owned(),
                ToolState::Queued => "queued".to_owned(),
                ToolState::WaitsForApproval => "waits".to_owned(),
                ToolState::Running(run) => format!("running {:?}", run.output),
                ToolState::Ended(output) => format!("{:?} {:?}", output.outcome, output.text),
                ToolState::Cancelled => "cancelled".to_owned(),
            };
            let decision = card.decision.map(|decision| format!(" {:?}", decision.answer)).unwrap_or_default();
            format!("{} {} {state}{decision}", card.name, card.summary.as_ref().unwrap_or(&card.arguments))
        }
        EntryKind::TurnEnd(end) => format!("! {:?} {}; {}", end.ending, end.message, end.next_step),
        EntryKind::Notice { level, text } => format!("{level:?}: {text}"),
        EntryKind::ModelChanged { from, to } => format!("model {from} to {to}"),
        EntryKind::Unknown { type_name } => format!("unknown {type_name}"),
    }
}

fn answer_line(answer: &Answer) -> String {
    let (shown, hidden) = answer.text.split_at(answer.shown_bytes);
    let bar = if hidden.is_empty() { "" } else { "|" };
    let cut = answer.cut.as_ref().map(|failure| format!(" (cut: {})", failure.message)).unwrap_or_default();
    format!("{shown}{bar}{hidden}{cut}")
}

#[test]
fn a_turn_reads_as_prompt_thinking_card_and_answer() {
    let mut log = Log::new(1);
    log.turn("what is here?").step().thinking("A list").wait(2_000).thinking(" will do.").text("Let me look.");
    let call = log.call("bash", r#"{"command":"ls"}"#);
    log.answered().start(call, "bash", "$ ls").output(call, "a\n").finish(call, "bash", ToolOutcome::Done, "a\nb\n");
    log.store(Enduring::StepDone {}).step().text("Two ").text("files.").answered().store(Enduring::StepDone {}).done();
    check(
        &log,
        r#"
you: what is here?
thinking Some(2000): A list will do.
Let me look.
bash bash it Done "a\nb\n"
Two files.
"#,
    );
}

#[test]
fn streamed_text_is_shown_by_and_by_and_settles_when_all_is_shown() {
    let mut log = Log::new(2);
    log.turn("hi").step().text("Hello, you!");
    let mut transcript = live(&log);
    assert_eq!(read(&transcript), "you: hi\n|Hello, you! …\n");
    transcript.advance(RATE);
    transcript.advance(RATE);
    assert_eq!(read(&transcript), "you: hi\nHell|o, you! …\n");
    let seen = log.events.len();
    log.answered().done();
    log.events[seen..].iter().for_each(|event| drop(transcript.fold(event)));
    assert_eq!(read(&transcript), "you: hi\nHell|o, you! …\n");
    assert!(transcript.work().is_some(), "the working row stays while text is behind");
    while transcript.advance(RATE) {}
    assert_eq!(read(&transcript), "you: hi\nHello, you!\n");
    assert_eq!(transcript.work(), None);
}

#[test]
fn a_stored_answer_that_differs_shows_no_less_than_was_shown() {
    let mut log = Log::new(3);
    log.turn("hi").step().text("One two").thinking("hm").text(" three");
    let mut transcript = live(&log);
    transcript.advance(PaceRate { chars_min: 9, lag: 0 });
    log.blocks = vec![Block::text("One two three four")];
    let seen = log.events.len();
    log.answered();
    log.events[seen..].iter().for_each(|event| drop(transcript.fold(event)));
    assert_eq!(read(&transcript), "you: hi\nOne two three| four …\n");
}

#[test]
fn an_answer_whose_deltas_were_dropped_is_paced_from_its_stored_form() {
    let mut log = Log::new(4);
    log.turn("hi").step().text("Hello").answered();
    let mut transcript = Transcript::new();
    for event in log.events.iter().filter(|event| event.enduring().is_some()) {
        transcript.fold(event);
    }
    assert_eq!(read(&transcript), "you: hi\n|Hello …\n");
}

#[test]
fn a_delta_that_comes_after_its_answer_or_its_turn_changes_nothing() {
    let mut log = Log::new(5);
    log.turn("hi").step().text("Hello").answered().text(" late").done().text(" later").step().text("much later");
    check(&log, "you: hi\nHello\n");
}

#[test]
fn a_blank_answer_is_no_entry_and_the_turn_says_it_had_no_reply() {
    let mut log = Log::new(6);
    log.turn("hi").step().text("\n \n").answered().done();
    check(&log, "you: hi\n! NoReply ; send a message to go on\n");
}

#[test]
fn a_turn_that_ends_after_its_tools_or_before_a_request_says_it_had_no_reply() {
    let mut log = Log::new(7);
    log.turn("hi").step().text("Let me look.");
    let call = log.call("read", "{}");
    log.answered().finish(call, "read", ToolOutcome::Done, "x").done();
    log.turn("and?").done();
    check(
        &log,
        r#"
you: hi
Let me look.
read read it Done "x"
! NoReply ; send a message to go on
you: and?
! NoReply ; send a message to go on
"#,
    );
}

#[test]
fn a_stream_that_is_cut_keeps_its_text_and_leaves_one_row() {
    let mut log = Log::new(8);
    log.turn("hi").step().text("Half an ans").cut("the connection was reset").failed("the connection was reset");
    check(
        &log,
        "
you: hi
Half an ans (cut: the connection was reset)
! Failed the connection was reset; try again
",
    );
}

#[test]
fn an_answer_cut_at_its_limit_leaves_the_reason() {
    let mut log = Log::new(9);
    log.turn("hi").step().text("Half an ans").cut("the output limit was reached").done();
    check(
        &log,
        "
you: hi
Half an ans (cut: the output limit was reached)
! Incomplete the output limit was reached; try again
",
    );
}

#[test]
fn the_text_of_a_failed_try_stays_and_is_never_joined_to_the_next() {
    let mut log = Log::new(10);
    log.turn("hi").step().text("Hel").cut("reset").retry(2).wait(2_000).step().text("Hello").answered();
    log.episode(2, RetryOutcome::Recovered).done();
    check(&log, "you: hi\nHel (cut: reset)\nHello\n");
    let told: Vec<Notable> = {
        let mut transcript = Transcript::new();
        log.events.iter().flat_map(|event| transcript.fold(event)).collect()
    };
    assert_eq!(told[1..], [Notable::RetryRecovered { attempts: 2 }, Notable::TurnEnded]);
}

#[test]
fn shown_text_that_nobody_stored_stays_and_is_marked() {
    let mut log = Log::new(11);
    log.turn("hi").step().text("Hel");
    log.call("bash", r#"{"command":"l"#);
    log.retry(2).step().text("Hello").answered().done();
    let mut shown = live(&log);
    shown.reveal_all();
    assert_eq!(read(&shown), "you: hi\nHel (cut: the stream ended early)\nHello\n");
}

#[test]
fn retries_that_ended_are_one_row_whatever_the_order_they_were_stored_in() {
    let expected = "you: hi\n! GaveUp { attempts: 4 } busy; try again\n";
    let mut before = Log::new(12);
    before.turn("hi").step().retry(2).step().episode(4, RetryOutcome::GaveUp).failed("busy");
    check(&before, expected);
    let mut after = Log::new(12);
    after.turn("hi").step().retry(2).step().failed("busy").episode(4, RetryOutcome::GaveUp);
    check(&after, expected);
}

#[test]
fn an_interrupt_keeps_the_text_and_cancels_what_has_no_result() {
    let mut log = Log::new(13);
    log.turn("hi").step().text("Running.");
    let (done, open) = (log.call("bash", r#"{"command":"ls"}"#), log.call("bash", r#"{"command":"sleep 9"}"#));
    log.answered().start(done, "bash", "$ ls").start(open, "bash", "$ sleep 9").output(open, "zzz");
    log.finish(done, "bash", ToolOutcome::Done, "a").interrupted();
    check(
        &log,
        r#"
you: hi
Running.
bash bash it Done "a"
bash {"command":"sleep 9"} cancelled
! Interrupted ; 
"#,
    );
}

#[test]
fn a_gate_makes_its_card_wait_and_leaves_who_decided() {
    let mut log = Log::new(14);
    log.turn("hi").step();
    let call = log.call("edit", "{}");
    log.answered();
    let gate = log.gate(call, "edit", "a.rs");
    let waiting = live(&log);
    assert_eq!(read(&waiting), "you: hi\nedit a.rs waits …\n");
    assert_eq!(waiting.work().unwrap().activity, Activity::WaitingForApproval);
    assert_eq!(waiting.gates().iter().map(|gate| gate.id).collect::<Vec<_>>(), [gate]);
    log.resolve(call, gate, GateAnswer::Denied);
    assert_eq!(live(&log).gates(), []);
    log.finish(call, "edit", ToolOutcome::Denied, "not allowed").step().text("Then not.").answered().done();
    check(&log, "you: hi\nedit edit it Denied \"not allowed\" Denied\nThen not.\n");
}

#[test]
fn no_gate_outlives_its_turn() {
    let mut log = Log::new(15);
    log.turn("hi").step();
    let call = log.call("edit", "{}");
    log.answered();
    log.gate(call, "edit", "a.rs");
    log.interrupted();
    assert_eq!(live(&log).gates(), []);
}

#[test]
fn arguments_show_as_they_come_and_output_while_it_runs() {
    let mut log = Log::new(16);
    log.turn("hi").step();
    let call = log.call("bash", r#"{"command":"ls"}"#);
    assert_eq!(read(&live(&log)), "you: hi\nbash {\"command\":\"ls\"} writing …\n");
    assert_eq!(live(&log).work().unwrap().activity, Activity::WritingCode);
    log.answered().start(call, "bash", "$ ls").output(call, "a\n").output(call, "b");
    assert_eq!(read(&live(&log)), "you: hi\nbash {\"command\":\"ls\"} running \"a\\nb\" …\n");
    assert_eq!(live(&log).work().unwrap().activity, Activity::ExecutingTool("bash".into()));
}

#[test]
fn a_result_without_a_known_call_still_makes_a_card() {
    let mut log = Log::new(17);
    log.turn("hi").step();
    let call = log.ids.make();
    log.finish(call, "read", ToolOutcome::Failed, "no such file").step().text("Sorry.").answered().done();
    check(&log, "you: hi\nread read it Failed \"no such file\"\nSorry.\n");
}

#[test]
fn a_message_waits_in_the_queue_until_it_is_taken_or_given_back() {
    let mut log = Log::new(18);
    log.turn("hi").step();
    let (steer, other) = (log.queue("faster"), log.queue("and then?"));
    let waiting = |input: InputId, text: &str| Queued { input, text: text.into(), at_ms: 1_000_000 };
    assert_eq!(live(&log).queue(), [waiting(steer, "faster"), waiting(other, "and then?")]);
    log.store(Enduring::InputFolded { input: steer, blocks: vec![Block::text("faster")] });
    log.store(Enduring::InputCancelled {
        input: other,
        reason: InputReason::TurnInterrupted,
        blocks: vec![Block::text("and then?")],
    });
    log.interrupted();
    assert_eq!(live(&log).queue(), []);
    check(&log, "you: hi\nyou, steering: faster\n! Interrupted ; \n");
    let back = Notable::InputReturned { input: other, reason: InputReason::TurnInterrupted, text: "and then?".into() };
    let mut transcript = Transcript::new();
    assert_eq!(transcript.restore(&log.events), [back]);
    assert_eq!(transcript.restore(&log.events), [], "a window gives a text back once");
    log.turn("again").step().text("Yes.").answered().done();
    assert_eq!(Transcript::new().restore(&log.events), [], "what was said since is newer than the text");
}

#[test]
fn rows_of_this_window_keep_their_place_when_the_session_is_read_again() {
    let mut log = Log::new(19);
    log.turn("hi").step().text("Hello").answered().done();
    let mut transcript = Transcript::new();
    transcript.note(LocalRow::Notice { level: NoticeLevel::Warning, text: "first".into() });
    log.events.iter().for_each(|event| drop(transcript.fold(event)));
    let lost = log.ids.make();
    let end = TurnEnd { ending: TurnEnding::Failed, message: "lost".into(), next_step: "send it again".into() };
    transcript.note(LocalRow::LostPrompt { input: lost, end });
    transcript.note(LocalRow::Notice { level: NoticeLevel::Info, text: "then".into() });
    transcript.reveal_all();
    let before = "Warning: first\nyou: hi\nHello\n! Failed lost; send it again\nInfo: then\n";
    assert_eq!(read(&transcript), before);
    let ids: Vec<_> = transcript.entries().iter().map(|entry| entry.id).collect();
    transcript.restore(&log.events);
    assert_eq!(read(&transcript), before);
    assert!(transcript.entries().iter().all(|entry| !ids.contains(&entry.id)), "ids are never used again");
    log.turn_of(lost, "lost after all?").done();
    transcript.restore(&log.events);
    let after =
        "Warning: first\nyou: hi\nHello\nInfo: then\nyou: lost after all?\n! NoReply ; send a message to go on\n";
    assert_eq!(read(&transcript), after);
    transcript.clear();
    transcript.restore(&[]);
    assert_eq!(read(&transcript), "");
}

#[test]
fn the_clock_starts_with_the_prompt_and_not_while_another_turn_runs() {
    let mut log = Log::new(20);
    let first = log.queue("hi");
    assert_eq!(live(&log).work().map(|work| (work.since_ms, work.activity)), Some((1_000_000, Activity::Waiting)));
    log.wait(50).turn_of(first, "hi");
    assert_eq!(live(&log).work().map(|work| work.since_ms), Some(1_000_000));
    log.wait(1_000);
    let second = log.queue("more");
    log.wait(5_000).step().text("Hello").answered().done();
    log.wait(10).turn_of(second, "more");
    assert_eq!(live(&log).work().map(|work| work.since_ms), Some(1_006_050));
}

#[test]
fn work_tells_what_runs_and_when_the_provider_was_last_heard() {
    let mut log = Log::new(21);
    log.turn("hi").wait(10).step();
    let work = |log: &Log| live(log).work();
    let base =
        Work { since_ms: 1_000_000, activity: Activity::Waiting, last_byte_at_ms: Some(1_000_010), output_tokens: 0 };
    assert_eq!(work(&log), Some(base.clone()));
    log.wait(90).thinking("1234567");
    let thinking =
        Work { activity: Activity::Thinking, last_byte_at_ms: Some(1_000_100), output_tokens: 2, ..base.clone() };
    assert_eq!(work(&log), Some(thinking.clone()));
    log.text("```rust\n");
    assert_eq!(work(&log), Some(Work { activity: Activity::WritingCode, output_tokens: 5, ..thinking.clone() }));
    log.text("x\n```\n");
    assert_eq!(work(&log), Some(Work { activity: Activity::Writing, output_tokens: 6, ..thinking }));
    log.cut("reset").retry(2);
    let activity =
        Activity::Retrying { attempt: 2, attempts_max: 3, at_ms: 1_002_100, reason: "the server answered 503".into() };
    assert_eq!(work(&log), Some(Work { activity, last_byte_at_ms: None, output_tokens: 10, ..base }));
    log.failed("busy");
    let mut transcript = live(&log);
    transcript.reveal_all();
    assert_eq!(transcript.work(), None);
    assert_eq!(transcript.usage(), Some(Usage { input: 100, output: 10, ..Usage::default() }));
}

#[test]
fn what_is_not_understood_and_a_change_of_model_have_their_rows() {
    let mut log = Log::new(22);
    let model = |id: &str| ModelRef { provider: "openai".into(), id: id.into() };
    log.store(Enduring::ModelChanged { from: model("a"), to: model("b") });
    log.store(Enduring::Unknown { type_name: "MoonPhaseChanged".into(), version: 7, body: Default::default() });
    check(&log, "model openai/a to openai/b\nunknown MoonPhaseChanged\n");
}

#[test]
fn live_output_keeps_whole_lines_of_its_end() {
    let mut log = Log::new(23);
    log.turn("hi").step();
    let call = log.call("bash", "{}");
    log.answered().start(call, "bash", "$ yes");
    for number in 0..20_000 {
        log.output(call, &format!("line {number}\n"));
    }
    let transcript = live(&log);
    let EntryKind::Tool(card) = &transcript.entries()[1].kind else { panic!("a card") };
    let ToolState::Running(run) = &card.state else { panic!("it runs") };
    let lines: Vec<&str> = run.output.lines().collect();
    assert!(run.output.len() <= 2 * crate::LiveRun::OUTPUT_BYTES_MAX);
    assert!(lines[0].starts_with("line ") && lines.last() == Some(&"line 19999"), "{:?}", lines[0]);
}

#[test]
fn when_no_event_can_come_any_more_nothing_runs_and_nothing_is_lost() {
    let mut log = Log::new(24);
    log.turn("hi").step().text("Running.");
    let call = log.call("bash", "{}");
    log.answered();
    log.gate(call, "bash", "$ ls");
    let input = log.queue("and then?");
    let mut transcript = live(&log);
    let back = Notable::InputReturned { input, reason: InputReason::ProcessEnded, text: "and then?".into() };
    assert_eq!(transcript.close(), [back]);
    assert_eq!(read(&transcript), "you: hi\nRunning.\nbash $ ls cancelled\n");
    assert_eq!((transcript.work(), transcript.gates(), transcript.queue()), (None, &[][..], &[][..]));
}
