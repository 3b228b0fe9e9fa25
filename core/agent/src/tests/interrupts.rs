//! Interrupts in every state of a turn: what is kept, what comes back, and that nothing goes on.

use super::world::check;

#[test]
fn an_interrupt_before_the_first_token_ends_the_turn() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > interrupt
        AbortStream s1
        + TurnInterrupted
        + LoopIdle
        > text late
        > done
        > submit again
        + TurnStarted [again]
        ~ StepStarted s2
        StartStream s2: user [hi; again]
    ",
    );
}

#[test]
fn an_interrupt_in_mid_text_keeps_the_text_and_gives_the_queue_back() {
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
        > submit two
        + InputQueued [two]
        > submit three
        + InputQueued [three]
        > interrupt
        AbortStream s1
        + InputCancelled [two] TurnInterrupted
        + InputCancelled [three] TurnInterrupted
        + StepAnswered s1 [Hel] Broken, cut: Interrupted
        + StepDone s1
        + TurnInterrupted
        + LoopIdle
        > on s1 text late
        > submit again
        + TurnStarted [again]
        ~ StepStarted s2
        StartStream s2: user [hi], model [Hel], user [again]
    ",
    );
}

#[test]
fn an_interrupt_while_waiting_for_a_retry_stops_the_episode() {
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
        > interrupt
        + RetryEpisodeEnded Stopped after 1: The server is overloaded
        + TurnInterrupted
        + LoopIdle
        > fire retry
    ",
    );
}

#[test]
fn an_interrupt_while_calls_are_decoded_cancels_them() {
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
        > interrupt
        CancelCall c1
        + ToolFinished c1 read `a` Cancelled: The user interrupted the turn before this call ended.
        + StepDone s1
        + TurnInterrupted
        + LoopIdle
        > prepared c1 read
    ",
    );
}

#[test]
fn an_interrupt_at_a_question_closes_it_and_runs_nothing() {
    check(
        "
        > submit hi
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [hi]
        ~ StepStarted s1
        StartStream s1: user [hi]
        > call 0 bash a
        ~ ToolArgsDelta c1 bash a
        > call 1 read b
        ~ ToolArgsDelta c2 read b
        > done
        + StepAnswered s1 [c1=basha; c2=readb] EndTurn
        PrepareCall c1 bash a
        PrepareCall c2 read b
        > prepared c1 command
        > prepared c2 read
        + GateOpened g1 c1: command
        > interrupt
        CancelCall c1
        CancelCall c2
        + GateResolved g1 TurnEnded by Program
        + ToolFinished c1 bash `a command` Cancelled: The user interrupted the turn before this call ended.
        + ToolFinished c2 read `a read` Cancelled: The user interrupted the turn before this call ended.
        + StepDone s1
        + TurnInterrupted
        + LoopIdle
        > approve g1
        ~ refused: this question is no longer open
    ",
    );
}

#[test]
fn an_interrupted_tool_that_ends_in_time_keeps_its_output() {
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
        > call 1 bash b
        ~ ToolArgsDelta c2 bash b
        > done
        + StepAnswered s1 [c1=reada; c2=bashb] EndTurn
        PrepareCall c1 read a
        PrepareCall c2 bash b
        > prepared c1 read
        > prepared c2 command
        + GateOpened g1 c2: command
        > approve g1
        + GateResolved g1 Approved by You
        ~ ToolStarted c1 read `a read`
        RunCall c1
        > interrupt
        CancelCall c1
        CancelCall c2
        + ToolFinished c2 bash `a command` Cancelled: The user interrupted the turn before this call ended.
        SetTimer interrupt 150
        > output c1 last words
        ~ ToolOutput c1 last words
        > finished c1 half of a
        + ToolFinished c1 read `a read` Done: half of a
        + StepDone s1
        + TurnInterrupted
        + LoopIdle
        > fire interrupt
    ",
    );
}

#[test]
fn a_tool_that_does_not_end_is_not_waited_for() {
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
        > interrupt
        CancelCall c1
        SetTimer interrupt 150
        > wait 150
        > fire interrupt
        + ToolFinished c1 read `a read` Cancelled: The user interrupted the turn before this call ended.
        + StepDone s1
        + TurnInterrupted
        + LoopIdle
        > finished c1 late
    ",
    );
}

#[test]
fn a_second_interrupt_waits_no_longer() {
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
        > interrupt
        CancelCall c1
        SetTimer interrupt 150
        > interrupt
        + ToolFinished c1 read `a read` Cancelled: The user interrupted the turn before this call ended.
        + StepDone s1
        + TurnInterrupted
        + LoopIdle
        > interrupt
        ~ refused: nothing runs that could be interrupted
    ",
    );
}

#[test]
fn a_message_sent_after_the_interrupt_starts_the_next_turn() {
    check("
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
        > submit before
        + InputQueued [before]
        > interrupt
        CancelCall c1
        + InputCancelled [before] TurnInterrupted
        SetTimer interrupt 150
        > submit after
        + InputQueued [after]
        > fire interrupt
        + ToolFinished c1 read `a read` Cancelled: The user interrupted the turn before this call ended.
        + StepDone s1
        + TurnInterrupted
        + TurnStarted [after]
        ~ StepStarted s2
        StartStream s2: user [hi], model [c1=reada], result c1 The user interrupted the turn before this call ended., user [after]
    ");
}
