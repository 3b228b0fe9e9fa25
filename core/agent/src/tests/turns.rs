//! Turns that end with an answer, what is queued meanwhile, and the limits of a turn.

use super::world::{check, check_with, config};
use crate::{Config, Limits};

#[test]
fn the_first_prompt_stores_the_session_and_asks_the_model() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > first-byte
        > text Hel
        ~ TextDelta Hel
        > text lo
        ~ TextDelta lo
        > wait 700
        > done
        + StepAnswered s1 [Hello] EndTurn
        + StepDone s1
        + TurnDone 5 tokens, 700 ms
        + LoopIdle
        > end
        > submit again
        + TurnStarted [again]
        ~ StepStarted s2
        StartStream s2: user [hi], model [Hello], user [again]
    ",
    );
}

#[test]
fn thinking_keeps_its_signature_and_its_place() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > think let me
        ~ ThinkingDelta let me
        > think  see
        ~ ThinkingDelta  see
        > sign abc
        > text Yes
        ~ TextDelta Yes
        > done
        + StepAnswered s1 [(let me see abc); Yes] EndTurn
        + StepDone s1
        + TurnDone 5 tokens, 0 ms
        + LoopIdle
        > submit more
        + TurnStarted [more]
        ~ StepStarted s2
        StartStream s2: user [hi], model [(let me see abc); Yes], user [more]
    ",
    );
}

#[test]
fn a_message_sent_while_tools_run_goes_along_with_the_next_request() {
    check(
        "
        > submit look
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [look]
        ~ StepStarted s1
        StartStream s1: user [look]
        > call 0 read {}
        ~ ToolArgsDelta c1 read {}
        > done
        + StepAnswered s1 [c1=read{}] EndTurn
        PrepareCall c1 read {}
        > prepared c1 read
        ~ ToolStarted c1 read `a read`
        RunCall c1
        > submit also b
        + InputQueued [also b]
        > finished c1 text of a
        + ToolFinished c1 read `a read` Done: text of a
        + StepDone s1
        + InputFolded [also b]
        ~ StepStarted s2
        StartStream s2: user [look], model [c1=read{}], result c1 text of a, user [also b]
    ",
    );
}

#[test]
fn messages_that_the_last_answer_could_not_take_start_the_next_turn() {
    check(
        "
        > submit one
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [one]
        ~ StepStarted s1
        StartStream s1: user [one]
        > submit two
        + InputQueued [two]
        > submit three
        + InputQueued [three]
        > text Fine
        ~ TextDelta Fine
        > done
        + StepAnswered s1 [Fine] EndTurn
        + StepDone s1
        + TurnDone 5 tokens, 0 ms
        + TurnStarted [two]
        + InputFolded [three]
        ~ StepStarted s2
        StartStream s2: user [one], model [Fine], user [two; three]
        > text Done
        ~ TextDelta Done
        > done
        + StepAnswered s2 [Done] EndTurn
        + StepDone s2
        + TurnDone 5 tokens, 0 ms
        + LoopIdle
    ",
    );
}

#[test]
fn a_full_queue_gives_the_message_back() {
    check(
        "
        > submit one
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [one]
        ~ StepStarted s1
        StartStream s1: user [one]
        > submit two
        + InputQueued [two]
        > submit three
        + InputQueued [three]
        > submit four
        + InputRejected [four] QueueFull
    ",
    );
}

#[test]
fn an_empty_message_is_refused() {
    check(
        "
        > submit
        ~ refused: the message is empty; write something first
    ",
    );
}

#[test]
fn commands_with_nothing_to_act_on_are_refused() {
    check(
        "
        > interrupt
        ~ refused: nothing runs that could be interrupted
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > call 0 bash {}
        ~ ToolArgsDelta c1 bash {}
        > done
        + StepAnswered s1 [c1=bash{}] EndTurn
        PrepareCall c1 bash {}
        > prepared c1 command
        + GateOpened g1 c1: command
        > approve g1
        + GateResolved g1 Approved by You
        ~ ToolStarted c1 bash `a command`
        RunCall c1
        > approve g1
        ~ refused: this question is no longer open
        > deny g1
        ~ refused: this question is no longer open
    ",
    );
}

#[test]
fn a_turn_that_asks_too_often_ends_at_its_limit_of_steps() {
    let limits = Limits { steps_max: 1, ..config().limits };
    let config = Config { limits, ..config() };
    check_with(
        config,
        "
        > submit look
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [look]
        ~ StepStarted s1
        StartStream s1: user [look]
        > call 0 read {}
        ~ ToolArgsDelta c1 read {}
        > done
        + StepAnswered s1 [c1=read{}] EndTurn
        PrepareCall c1 read {}
        > prepared c1 read
        ~ ToolStarted c1 read `a read`
        RunCall c1
        > submit wait
        + InputQueued [wait]
        > finished c1 text of a
        + ToolFinished c1 read `a read` Done: text of a
        + StepDone s1
        + InputCancelled [wait] TurnFailed
        + TurnFailed Limit: The turn reached its limit of 1 steps; send a message to go on, or raise `turn.stepsMax`
        + LoopIdle
    ",
    );
}

#[test]
fn a_batch_over_the_limit_of_calls_is_not_run() {
    let limits = Limits { tool_calls_max: 1, ..config().limits };
    let config = Config { limits, ..config() };
    check_with(
        config,
        "
        > submit look
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [look]
        ~ StepStarted s1
        StartStream s1: user [look]
        > call 0 read {}
        ~ ToolArgsDelta c1 read {}
        > call 1 read {}
        ~ ToolArgsDelta c2 read {}
        > done
        + StepAnswered s1 [c1=read{}; c2=read{}] EndTurn
        + ToolFinished c1 read `{}` Cancelled: Not run: the turn reached its limit of tool calls.
        + ToolFinished c2 read `{}` Cancelled: Not run: the turn reached its limit of tool calls.
        + StepDone s1
        + TurnFailed Limit: The turn reached its limit of 1 tool calls; send a message to go on, or raise `turn.toolCallsMax`
        + LoopIdle
    ",
    );
}
