//! Stopping a turn, wherever it is.

use testkit::check;

#[test]
fn an_interrupted_answer_keeps_its_text_and_says_so_once() {
    check(
        "hi <enter> «Hel» <esc> «late»",
        r#"

> hi

Hel
(incomplete)

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn before_the_first_byte_there_is_only_the_row() {
    check(
        "hi <enter> <esc>",
        r#"

> hi

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn while_thinking_the_thought_stays() {
    check(
        "hi <enter> «think: Well» <esc>",
        r#"

> hi

Thought for 0.0s

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn while_arguments_stream_the_card_is_cancelled() {
    check(
        r#"hi <enter> «!part look {"command":"s» <esc>"#,
        r#"

> hi

  – look {"command":"s  cancelled

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn while_a_tool_runs_its_card_is_cancelled() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «output: main.rs» <esc>"#,
        r#"

> hi

  – look src  cancelled

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_tool_that_refuses_to_end_does_not_hold_the_turn() {
    check(
        r#"hi <enter> «!tool stubborn {"command":"src"}» «end» <esc> <wait 200ms>"#,
        r#"

> hi

  – stubborn src  cancelled

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn at_a_gate_the_gate_closes() {
    check(
        r#"hi <enter> «!tool bash {"command":"ls"}» «end» <esc>"#,
        r#"

> hi

  – bash $ ls  cancelled

! Interrupted





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn while_a_retry_waits_the_episode_ends() {
    check(
        "hi <enter> «fail 500» <esc>",
        r#"

> hi

! Interrupted while waiting to try again: the server failed
  (500)

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn the_next_prompt_starts_a_turn_as_ever() {
    check(
        "hi <enter> «Hel» <esc> again <enter> «Hello.» «end»",
        r#"

> hi

Hel
(incomplete)

! Interrupted

> again

Hello.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn after_an_interrupted_tool_the_next_request_is_whole() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» <esc> go on <enter> «Going on.» «end»"#,
        r#"

> hi

  – look src  cancelled

! Interrupted

> go on

Going on.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}
