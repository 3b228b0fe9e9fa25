//! Batches of calls: what is asked, what runs, and what the model is told of it.

use super::world::check;

#[test]
fn every_question_of_a_batch_is_answered_before_anything_of_it_runs() {
    check(
        "
        > submit do it
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [do it]
        ~ StepStarted s1
        StartStream s1: user [do it]
        > call 0 bash make
        ~ ToolArgsDelta c1 bash make
        > call 1 read a
        ~ ToolArgsDelta c2 read a
        > call 2 write b
        ~ ToolArgsDelta c3 write b
        > done
        + StepAnswered s1 [c1=bashmake; c2=reada; c3=writeb] EndTurn
        PrepareCall c1 bash make
        PrepareCall c2 read a
        PrepareCall c3 write b
        > prepared c3 write
        > prepared c1 command
        > prepared c2 read
        + GateOpened g1 c1: command
        > approve g1
        + GateResolved g1 Approved by You
        + GateOpened g2 c3: write
        > approve g2
        + GateResolved g2 Approved by You
        ~ ToolStarted c1 bash `a command`
        RunCall c1
    ",
    );
}

#[test]
fn calls_that_only_read_run_together_and_others_alone_in_order() {
    check("
        > submit do it
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [do it]
        ~ StepStarted s1
        StartStream s1: user [do it]
        > call 0 read a
        ~ ToolArgsDelta c1 read a
        > call 1 read b
        ~ ToolArgsDelta c2 read b
        > call 2 bash make
        ~ ToolArgsDelta c3 bash make
        > call 3 read c
        ~ ToolArgsDelta c4 read c
        > done
        + StepAnswered s1 [c1=reada; c2=readb; c3=bashmake; c4=readc] EndTurn
        PrepareCall c1 read a
        PrepareCall c2 read b
        PrepareCall c3 bash make
        PrepareCall c4 read c
        > prepared c1 read
        > prepared c2 read
        > prepared c3 command
        > prepared c4 read
        + GateOpened g1 c3: command
        > approve g1
        + GateResolved g1 Approved by You
        ~ ToolStarted c1 read `a read`
        RunCall c1
        ~ ToolStarted c2 read `a read`
        RunCall c2
        > finished c2 b
        + ToolFinished c2 read `a read` Done: b
        > finished c1 a
        + ToolFinished c1 read `a read` Done: a
        ~ ToolStarted c3 bash `a command`
        RunCall c3
        > finished c3 made
        + ToolFinished c3 bash `a command` Done: made
        ~ ToolStarted c4 read `a read`
        RunCall c4
        > finished c4 c
        + ToolFinished c4 read `a read` Done: c
        + StepDone s1
        ~ StepStarted s2
        StartStream s2: user [do it], model [c1=reada; c2=readb; c3=bashmake; c4=readc], result c1 a, result c2 b, result c3 made, result c4 c
    ");
}

#[test]
fn a_denied_call_is_told_to_the_model_and_the_turn_goes_on() {
    check("
        > submit do it
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [do it]
        ~ StepStarted s1
        StartStream s1: user [do it]
        > call 0 bash rm
        ~ ToolArgsDelta c1 bash rm
        > call 1 read a
        ~ ToolArgsDelta c2 read a
        > done
        + StepAnswered s1 [c1=bashrm; c2=reada] EndTurn
        PrepareCall c1 bash rm
        PrepareCall c2 read a
        > prepared c1 command
        > prepared c2 read
        + GateOpened g1 c1: command
        > deny g1
        + GateResolved g1 Denied by You
        CancelCall c1
        + ToolFinished c1 bash `a command` Denied: The user denied this call, and it was not run.
        ~ ToolStarted c2 read `a read`
        RunCall c2
        > finished c2 a
        + ToolFinished c2 read `a read` Done: a
        + StepDone s1
        ~ StepStarted s2
        StartStream s2: user [do it], model [c1=bashrm; c2=reada], result c1 The user denied this call, and it was not run., result c2 a
    ");
}

#[test]
fn a_call_that_cannot_be_decoded_asks_nobody_and_is_told_to_the_model() {
    check("
        > submit do it
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [do it]
        ~ StepStarted s1
        StartStream s1: user [do it]
        > call 0 bash {\"com
        ~ ToolArgsDelta c1 bash {\"com
        > call 1 bash make
        ~ ToolArgsDelta c2 bash make
        > done
        + StepAnswered s1 [c1=bash{\"com; c2=bashmake] EndTurn
        PrepareCall c1 bash {\"com
        PrepareCall c2 bash make
        > bad c1 The arguments are no JSON.
        + ToolFinished c1 bash `{\"com` Failed: The arguments are no JSON.
        > prepared c2 command
        + GateOpened g1 c2: command
        > deny g1
        + GateResolved g1 Denied by You
        CancelCall c2
        + ToolFinished c2 bash `a command` Denied: The user denied this call, and it was not run.
        + StepDone s1
        ~ StepStarted s2
        StartStream s2: user [do it], model [c1=bash{\"com; c2=bashmake], result c1 The arguments are no JSON., result c2 The user denied this call, and it was not run.
    ");
}

#[test]
fn live_output_is_shown_only_while_its_call_runs() {
    check(
        "
        > submit do it
        + SessionStarted
        + LoopStarted mock/one
        + TurnStarted [do it]
        ~ StepStarted s1
        StartStream s1: user [do it]
        > call 0 read a
        ~ ToolArgsDelta c1 read a
        > call 1 bash make
        ~ ToolArgsDelta c2 bash make
        > done
        + StepAnswered s1 [c1=reada; c2=bashmake] EndTurn
        PrepareCall c1 read a
        PrepareCall c2 bash make
        > prepared c1 read
        > output c1 too early
        > prepared c2 command
        + GateOpened g1 c2: command
        > approve g1
        + GateResolved g1 Approved by You
        ~ ToolStarted c1 read `a read`
        RunCall c1
        > output c1 now
        ~ ToolOutput c1 now
        > finished c1 a
        + ToolFinished c1 read `a read` Done: a
        ~ ToolStarted c2 bash `a command`
        RunCall c2
        > output c1 too late
        > finished c1 again
    ",
    );
}
