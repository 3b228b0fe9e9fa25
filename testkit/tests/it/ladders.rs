//! The Esc and Ctrl+C ladders.

use testkit::check;

#[test]
fn esc_over_a_draft_hints_first() {
    check(
        "some text <esc>",
        r#"


> some text
 Esc again clears the draft
"#,
    );
}

#[test]
fn esc_esc_clears_the_draft_into_the_history() {
    check(
        "some text <esc> <esc>",
        r#"


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn up_brings_a_cleared_draft_back() {
    check(
        "some text <esc> <esc> <up>",
        r#"


> some text
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_slow_second_esc_is_a_first_one() {
    check(
        "some text <esc> <wait 600ms> <esc>",
        r#"


> some text
 Esc again clears the draft
"#,
    );
}

#[test]
fn ctrl_c_clears_the_draft_and_arms_the_exit() {
    check(
        "some text <ctrl+c>",
        r#"


> write a prompt; Enter sends it
 Ctrl+C again quits
"#,
    );
}

#[test]
fn ctrl_c_on_nothing_arms_the_exit() {
    check(
        "<ctrl+c>",
        r#"


> write a prompt; Enter sends it
 Ctrl+C again quits
"#,
    );
}

#[test]
fn the_exit_hint_goes_after_two_seconds() {
    check(
        "<ctrl+c> <wait 2100ms>",
        r#"


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn ctrl_c_twice_quits() {
    check(
        "<ctrl+c> <wait 100ms> <ctrl+c>",
        r#"
[exit 0]
"#,
    );
}

#[test]
fn ctrl_c_right_after_one_that_cleared_only_arms_anew() {
    check(
        "some text <ctrl+c> <ctrl+c>",
        r#"


> write a prompt; Enter sends it
 Ctrl+C again quits
"#,
    );
}

#[test]
fn ctrl_c_stops_a_turn_and_arms_the_exit() {
    check(
        "hi <enter> «Hel» <ctrl+c>",
        r#"

> hi

Hel
(incomplete)

! Interrupted

> write a prompt; Enter sends it
 Ctrl+C again quits
"#,
    );
}

#[test]
fn ctrl_d_on_an_empty_composer_quits() {
    check(
        "hi <enter> «Hello.» «end» <ctrl+d>",
        r#"

> hi

Hello.
`eukhe -c` goes on with this session
[exit 0]
"#,
    );
}

#[test]
fn ctrl_z_without_job_control_says_so() {
    check(
        "draft <ctrl+z>",
        r#"

  there is no job control in a test

> draft
 script/model · [D] ~/demo · trusted
"#,
    );
}
