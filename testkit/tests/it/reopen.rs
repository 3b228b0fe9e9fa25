//! Killed and opened again: what was shown is there.

use testkit::{Check, check};

#[test]
fn a_finished_turn_is_there_again() {
    check(
        "hi <enter> «Hello.» «end» <kill> <reopen>",
        r#"

> hi

Hello.

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_turn_killed_while_it_streamed_is_interrupted() {
    check(
        "hi <enter> «Hel» <kill> <reopen>",
        r#"

> hi

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_turn_killed_before_its_first_byte_is_interrupted() {
    check(
        "hi <enter> <kill> <reopen>",
        r#"

> hi

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_call_killed_while_it_ran_is_cancelled() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «output: main.rs» <kill> <reopen>"#,
        r#"

> hi

  – look {"command":"src"}  cancelled

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn after_a_killed_call_the_next_request_is_whole() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» <kill> <reopen> go on <enter> «Going on.» «end»"#,
        r#"

> hi

  – look {"command":"src"}  cancelled

! Interrupted

> go on

Going on.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_gate_killed_is_closed() {
    check(
        r#"hi <enter> «!tool bash {"command":"ls"}» «end» <kill> <reopen>"#,
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
fn a_queued_message_of_a_killed_turn_comes_back() {
    check(
        "hi <enter> «Hel» and this <enter> <kill> <reopen>",
        r#"

> hi

! Interrupted
  a message that was not delivered is back in the draft

> and this
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_killed_retry_is_interrupted() {
    check(
        "hi <enter> «fail 500» <kill> <reopen>",
        r#"

> hi

! Interrupted

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn prompts_are_in_the_history() {
    check(
        "first <enter> «One.» «end» <kill> <reopen> <up>",
        r#"

> first

One.

> first
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn nothing_said_is_nothing_stored() {
    check(
        "hi <kill> <reopen>",
        r#"


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn after_new_the_newer_session_opens() {
    check(
        "one <enter> «First.» «end» /new <enter> two <enter> «Second.» «end» <kill> <reopen>",
        r#"

> two

Second.

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn an_approved_call_is_marked_as_before() {
    check(
        r#"test <enter> «!tool bash {"command":"ls"}» «end» <tab> y «done: ok» «Done.» «end» <kill> <reopen>"#,
        r#"

> test

  ✓ bash $ ls  approved by you

Done.

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn every_end_of_a_turn_reads_as_before() {
    Check::inline("60x40").plays("one <enter> «fail 400» two <enter> «Hel» <esc> three <enter> «empty» <wait 5s> «empty» four <enter> «Cut» «length» <kill> <reopen>", r#"

> one

! the server could not read the request; try another model

> two

Hel
(incomplete)

! Interrupted

> three

! Gave up after 1 retry: The turn ended without a reply;
  send a message to go on, or start with another `--model`

> four

Cut
(incomplete)

! The answer reached the output limit of the model; send `go
  on` for the rest

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#);
}

#[test]
fn a_turn_that_was_quit_keeps_what_came() {
    check(
        "hi <enter> «Hel» /quit <enter> <down> <enter> <reopen>",
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
fn a_tool_that_refuses_to_end_does_not_hold_a_quit() {
    check(
        r#"hi <enter> «!tool stubborn {"command":"src"}» «end» /quit <enter> <down> <enter> <wait 1s> <reopen>"#,
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
fn an_answer_and_its_thought_read_as_before() {
    check(
        "hi <enter> «think: What could they want?» <wait 2s> «Hello.» «end» <kill> <reopen>",
        r#"

> hi

Thought for 2s

Hello.

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_session_opened_in_fullscreen_reads_the_same() {
    Check::fullscreen("60x14").plays(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «done: main.rs» «One file.» «end» <kill> <reopen>"#,
        r#"
> hi

  ✓ look src

One file.







> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_turn_that_was_quit_stays_in_the_scrollback() {
    check(
        "hi <enter> «Hel» /quit <enter> <down> <enter>",
        r#"

> hi

Hel
(incomplete)

! Interrupted
`eukhe -c` goes on with this session
[exit 0]
"#,
    );
}
