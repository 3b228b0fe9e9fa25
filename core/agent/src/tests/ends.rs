//! Turns that end without an answer, and tries that do: failures, retries, limits of time, a full disk.

use super::world::{check, check_with, config};
use crate::{Config, Limits};

#[test]
fn a_reply_cut_in_mid_text_is_kept_and_never_joined_with_the_next_try() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > text Hel
        ~ TextDelta Hel
        > call 0 read {\"pa
        ~ ToolArgsDelta c1 read {\"pa
        > end
        + StepAnswered s1 [Hel; c1=read{\"pa] Broken, cut: The stream ended before the answer was complete
        + ToolFinished c1 read `{\"pa` Cancelled: Not run: the answer was cut off.
        + StepDone s1
        ~ RetryScheduled 1 of 2: The stream ended before the answer was complete
        SetTimer retry soon
        > fire retry
        ~ StepStarted s2
        StartStream s2: user [hi]
        > text Hello
        ~ TextDelta Hello
        > done
        + RetryEpisodeEnded Recovered after 1: The stream ended before the answer was complete
        + StepAnswered s2 [Hello] EndTurn
        + StepDone s2
        + TurnDone 5 tokens, 0 ms
        + LoopIdle
        > submit more
        + TurnStarted [more]
        ~ StepStarted s3
        StartStream s3: user [hi], model [Hello], user [more]
    ",
    );
}

#[test]
fn retries_that_are_used_up_come_to_one_episode_and_one_end() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > fail overloaded
        ~ RetryScheduled 1 of 2: The server is overloaded
        SetTimer retry soon
        > fire retry
        ~ StepStarted s2
        StartStream s2: user [hi]
        > fail overloaded
        ~ RetryScheduled 2 of 2: The server is overloaded
        SetTimer retry soon
        > fire retry
        ~ StepStarted s3
        StartStream s3: user [hi]
        > text so
        ~ TextDelta so
        > fail overloaded
        + StepAnswered s3 [so] Broken, cut: The server is overloaded
        + StepDone s3
        + RetryEpisodeEnded GaveUp after 2: The server is overloaded
        + TurnFailed Overloaded: The server is overloaded; wait
        + LoopIdle
        > submit go on
        + TurnStarted [go on]
        ~ StepStarted s4
        StartStream s4: user [hi], model [so], user [go on]
    ",
    );
}

#[test]
fn a_missing_key_ends_the_turn_at_once_and_the_queue_comes_back_in_order() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > submit two
        + InputQueued [two]
        > submit three
        + InputQueued [three]
        > fail key
        + InputCancelled [two] TurnFailed
        + InputCancelled [three] TurnFailed
        + TurnFailed MissingKey: There is no key; set MOCK_API_KEY
        + LoopIdle
    ",
    );
}

#[test]
fn a_key_that_is_gone_during_retries_ends_their_episode() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > fail overloaded
        ~ RetryScheduled 1 of 2: The server is overloaded
        SetTimer retry soon
        > fire retry
        ~ StepStarted s2
        StartStream s2: user [hi]
        > fail key
        + RetryEpisodeEnded GaveUp after 1: There is no key
        + TurnFailed MissingKey: There is no key; set MOCK_API_KEY
        + LoopIdle
    ",
    );
}

#[test]
fn an_empty_answer_is_asked_for_once_more_and_then_the_turn_says_so() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > done
        ~ RetryScheduled 1 of 1: The answer was empty
        SetTimer retry soon
        > fire retry
        ~ StepStarted s2
        StartStream s2: user [hi]
        > done
        + RetryEpisodeEnded GaveUp after 1: The answer was empty
        + TurnFailed Empty: The turn ended without a reply; send a message to go on, or start with another `--model`
        + LoopIdle
    ",
    );
}

#[test]
fn thinking_without_an_answer_is_kept_but_is_no_reply() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > think hm
        ~ ThinkingDelta hm
        > done
        + StepAnswered s1 [(hm)] EndTurn, cut: The answer was empty
        + StepDone s1
        ~ RetryScheduled 1 of 1: The answer was empty
        SetTimer retry soon
        > fire retry
        ~ StepStarted s2
        StartStream s2: user [hi]
        > text Yes
        ~ TextDelta Yes
        > done
        + RetryEpisodeEnded Recovered after 1: The answer was empty
        + StepAnswered s2 [Yes] EndTurn
        + StepDone s2
        + TurnDone 10 tokens, 0 ms
        + LoopIdle
    ",
    );
}

#[test]
fn a_refusal_without_words_is_not_asked_for_again() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > done refusal
        + TurnFailed Other: The model refused to answer; say it in another way, or choose another model
        + LoopIdle
    ",
    );
}

#[test]
fn a_server_that_never_begins_to_answer_is_given_up() {
    let limits = Limits { first_byte_ms: Some(30_000), stall_ms: Some(5_000), ..config().limits };
    check_with(
        Config { limits, ..config() },
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        SetTimer first-byte 30000
        > wait 30000
        > fire first-byte
        AbortStream s1
        ~ RetryScheduled 1 of 2: The server did not begin to answer within 30 s
        SetTimer retry soon
        > fire retry
        ~ StepStarted s2
        StartStream s2: user [hi]
        SetTimer first-byte 30000
        > first-byte
        SetTimer stall 5000
        > fire first-byte
    ",
    );
}

#[test]
fn a_stream_that_falls_silent_is_given_up_and_one_that_is_slow_is_not() {
    let limits = Limits { stall_ms: Some(5_000), ..config().limits };
    check_with(
        Config { limits, ..config() },
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > text one
        SetTimer stall 5000
        ~ TextDelta one
        > wait 3000
        > text two
        ~ TextDelta two
        > wait 2000
        > fire stall
        SetTimer stall 3000
        > wait 3000
        > fire stall
        AbortStream s1
        + StepAnswered s1 [onetwo] Broken, cut: The answer stopped coming for 5 s
        + StepDone s1
        ~ RetryScheduled 1 of 2: The answer stopped coming for 5 s
        SetTimer retry soon
    ",
    );
}

#[test]
fn a_journal_that_takes_nothing_ends_all_work_and_every_command_says_why() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > text Hel
        ~ TextDelta Hel
        > append-failed
        AbortStream s1
        ~ refused: The disk is full; make room
        > text lo
        > submit again
        ~ refused: The disk is full; make room
        > interrupt
        ~ refused: The disk is full; make room
    ",
    );
}

#[test]
fn a_full_disk_during_a_tool_stops_the_tool() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > call 0 read a
        ~ ToolArgsDelta c1 read a
        > done
        + StepAnswered s1 [c1=reada] EndTurn
        PrepareCall c1 read a
        > prepared c1 read
        ~ ToolStarted c1 read `a read`
        RunCall c1
        > append-failed
        CancelCall c1
        ~ refused: The disk is full; make room
        > finished c1 a
    ",
    );
}
