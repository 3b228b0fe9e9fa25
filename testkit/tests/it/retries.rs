//! Requests that fail and may succeed later.

use testkit::{Check, check};

#[test]
fn a_failed_request_counts_down_to_its_retry() {
    check(
        "hi <enter> «fail 500»",
        r#"

> hi

 ◐ Retrying in 2s (1 of 3): the server faile… 0s · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn the_countdown_goes_on() {
    check(
        "hi <enter> «fail 500» <wait 1s>",
        r#"

> hi

 ◐ Retrying in 1s (1 of 3): the server faile… 1s · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_retry_that_succeeds_leaves_no_row() {
    check(
        "hi <enter> «fail 500» <wait 5s> «Hello.» «end»",
        r#"

> hi

Hello.
  the provider answered again after 1 retry

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn what_the_server_asks_for_is_waited() {
    check(
        "hi <enter> «fail 429 after=30» <wait 10s>",
        r#"

> hi

 ◐ Retrying in 21s (1 of 3): the server ask… 10s · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn retries_used_up_are_one_row() {
    check(
        "hi <enter> «fail 500» <wait 60s> «fail 500» <wait 60s> «fail 500» <wait 60s> «fail 500»",
        r#"

> hi

! Gave up after 3 retries: the server failed (500); send the
  prompt again

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_failed_try_keeps_its_text_and_is_not_joined_to_the_next() {
    check(
        "hi <enter> «Hel» «reset» <wait 5s> «Hello again.» «end»",
        r#"

> hi

Hel
(incomplete)

Hello again.
  the provider answered again after 1 retry

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn an_empty_answer_is_tried_once_more() {
    check(
        "hi <enter> «empty» <wait 5s> «Hello.» «end»",
        r#"

> hi

Hello.
  the provider answered again after 1 retry

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn two_empty_answers_end_the_turn_with_a_row() {
    check(
        "hi <enter> «empty» <wait 5s> «empty»",
        r#"

> hi

! Gave up after 1 retry: The turn ended without a reply;
  send a message to go on, or start with another `--model`

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_chunk_that_cannot_be_read_breaks_the_stream_like_a_reset() {
    check(
        "hi <enter> «malformed» <wait 5s> «Hello.» «end»",
        r#"

> hi

Hello.
  the provider answered again after 1 retry

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_stalled_stream_is_tried_again() {
    Check::inline("60x16").with_stall_limit(5_000).plays(
        "hi <enter> «Hel» <wait 6s>",
        r#"

> hi

Hel
(incomplete)

 ◐ Retrying in 1s (1 of 3): The answer… 6s · ↓ 1 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}
