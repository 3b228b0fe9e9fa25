//! Sessions opened again: what a process that is gone left open is closed by new events, and the talk goes on.

use protocol::ModelRef;

use super::world::{World, config};
use crate::Config;

/// Plays a script in one process, opens what it stored in another, plays on there, and compares that.
#[track_caller]
fn check_restored(before: &str, config_after: Config, expected: &str) {
    let mut first = World::new(config());
    for line in before.lines().map(str::trim).filter(|line| !line.is_empty()) {
        first.play(line);
    }
    let (mut second, mut played) = World::restored(config_after, &first.stored, 99);
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for line in expected.iter().filter_map(|line| line.strip_prefix("> ")) {
        played.push(format!("> {line}"));
        played.extend(second.play(line));
    }
    assert!(played == expected, "played:\n{}\n\nexpected:\n{}\n", played.join("\n"), expected.join("\n"));
}

#[test]
fn a_session_that_was_at_rest_is_opened_without_a_new_event() {
    check_restored(
        "
        submit hi
        text Hello
        done
    ",
        config(),
        "
        > submit more
        + TurnStarted [more]
        ~ StepStarted s2
        StartStream s2: user [hi], model [Hello], user [more]
    ",
    );
}

#[test]
fn a_turn_killed_in_mid_stream_is_interrupted() {
    check_restored(
        "
        submit hi
        text Hel
    ",
        config(),
        "
        + TurnInterrupted
        + LoopIdle
        + SessionRestored 1 turns, 0 gates
        > submit more
        + TurnStarted [more]
        ~ StepStarted s1
        StartStream s1: user [hi; more]
    ",
    );
}

#[test]
fn a_turn_killed_in_a_tool_leaves_a_hole_that_the_next_request_fills() {
    check_restored("
        submit hi
        call 0 read a
        call 1 read b
        done
        prepared c1 read
        prepared c2 read
        finished c1 text of a
    ", config(), "
        + TurnInterrupted
        + LoopIdle
        + SessionRestored 1 turns, 0 gates
        > submit more
        + TurnStarted [more]
        ~ StepStarted s2
        StartStream s2: user [hi], model [c1=reada; c2=readb], result c1 text of a, result c2 The program ended before this call had a result. It may have run in part., user [more]
    ");
}

#[test]
fn a_question_that_nobody_waits_for_is_closed() {
    check_restored(
        "
        submit hi
        call 0 bash a
        done
        prepared c1 command
    ",
        config(),
        "
        + GateResolved g1 RestoreUnavailable by Program
        + TurnInterrupted
        + LoopIdle
        + SessionRestored 1 turns, 1 gates
        > approve g1
        ~ refused: this question is no longer open
    ",
    );
}

#[test]
fn messages_that_waited_come_back_in_order() {
    check_restored(
        "
        submit hi
        submit two
        submit three
    ",
        config(),
        "
        + InputCancelled [two] ProcessEnded
        + InputCancelled [three] ProcessEnded
        + TurnInterrupted
        + LoopIdle
        + SessionRestored 1 turns, 0 gates
        > submit more
        + TurnStarted [more]
        ~ StepStarted s1
        StartStream s1: user [hi; more]
    ",
    );
}

#[test]
fn another_model_is_told_of_once() {
    let other = Config { model: ModelRef { provider: "mock".to_owned(), id: "two".to_owned() }, ..config() };
    check_restored(
        "
        submit hi
        text Hello
        done
    ",
        other,
        "
        + ModelChanged mock/one to mock/two
        > submit more
        + TurnStarted [more]
        ~ StepStarted s2
        StartStream s2: user [hi], model [Hello], user [more]
    ",
    );
}

#[test]
fn a_cut_reply_of_an_ended_turn_goes_along_as_text_without_its_calls() {
    check_restored(
        "
        submit hi
        think hm
        text Let me look
        call 0 read {\"pa
        interrupt
    ",
        config(),
        "
        > submit more
        + TurnStarted [more]
        ~ StepStarted s2
        StartStream s2: user [hi], model [Let me look], user [more]
    ",
    );
}

#[test]
fn a_log_that_lost_its_first_rows_still_opens() {
    let mut first = World::new(config());
    for line in ["submit hi", "call 0 read a", "done", "prepared c1 read", "finished c1 a"] {
        first.play(line);
    }
    let (mut second, mended) = World::restored(config(), &first.stored[3..], 99);
    assert_eq!(mended, ["+ TurnInterrupted", "+ LoopIdle", "+ SessionRestored 1 turns, 0 gates"]);
    let played = second.play("submit more");
    let request = "StartStream s2: user [(A message of this conversation could not be read.)], model [c1=reada], \
                   result c1 a, user [more]";
    assert_eq!(played.last().map(String::as_str), Some(request));
}

#[test]
fn an_empty_log_opens_as_a_new_session() {
    let (mut world, mended) = World::restored(config(), &[], 99);
    assert_eq!(mended, [""; 0]);
    assert_eq!(world.play("submit hi").len(), 5);
}
