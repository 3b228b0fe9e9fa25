//! A turn from Enter to its end.

use testkit::{Check, check};

#[test]
fn a_prompt_that_travels_shows_that_work_runs() {
    check(
        "hi <enter>",
        r#"

> hi

 ◐ Waiting 0s · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn an_answer_streams_in_above_the_composer() {
    check(
        "hi <enter> «Hel»",
        r#"

> hi

Hel

 ◐ Writing 0s · ↓ 1 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn an_answer_that_has_ended_leaves_only_itself() {
    check(
        "hi <enter> «Hello, » «how are you?» «end»",
        r#"

> hi

Hello, how are you?


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn two_turns_stand_one_under_the_other() {
    check(
        "one <enter> «First.» «end» two <enter> «Second.» «end»",
        r#"

> one

First.

> two

Second.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn thinking_is_one_row_and_the_answer_follows() {
    check(
        "hi <enter> «think: What could they want?» <wait 2s> «Hello.» «end»",
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
fn thinking_alone_shows_while_it_streams() {
    check(
        "hi <enter> «think: What could they want?» <wait 2s>",
        r#"

> hi

Thinking

 ◐ Thinking 2s · ↓ 6 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_long_answer_wraps_at_words_and_scrolls_into_the_scrollback() {
    Check::inline("40x8").plays(r#"tell me <enter> «The first paragraph has some words that wrap.\n\nThe second one, too, is long enough to wrap around.\n\n- a list\n- of things\n\n```\ncode here\n```\n\nThe last one ends it.» «end»"#, r#"

> tell me

The first paragraph has some words that
wrap.

The second one, too, is long enough to
wrap around.

• a list
• of things

  code here

The last one ends it.

> write a prompt; Enter sends it
 script/model · trusted      ctx: 120/?
"#);
}

#[test]
fn an_answer_with_escape_sequences_shows_none_of_them() {
    check(
        r#"hi <enter> «a\e[2Jb\e]0;owned\e\\c\e[31mred» «end»"#,
        r#"

> hi

abcred


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn an_answer_cut_at_the_output_limit_says_so() {
    check(
        "hi <enter> «This is as far as» «length»",
        r#"

> hi

This is as far as
(incomplete)

! The answer reached the output limit of the model; send `go
  on` for the rest

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn fullscreen_shows_the_transcript_above_the_dock() {
    Check::fullscreen("60x14").plays(
        "hi <enter> «Hello.» «end» again <enter> «Once more»",
        r#"
> hi

Hello.

> again

Once more




 ◐ Writing 0s · ↓ 3 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn typing_while_an_answer_streams_stays_in_the_draft() {
    check(
        "hi <enter> «Hel» next question «lo.» «end»",
        r#"

> hi

Hello.


> next question
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn seconds_count_while_the_model_thinks() {
    check(
        "hi <enter> <wait 75s>",
        r#"

> hi

 ◐ Waiting 1m 15s · no data for 1m 15s · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn silence_of_the_provider_is_told_after_ten_seconds() {
    check(
        "hi <enter> «Hel» <wait 14s>",
        r#"

> hi

Hel

 ◐ Writing 14s · ↓ 1 · no data for 13s · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}
