//! Windows that are narrow, low, or change their size.

use testkit::Check;

#[test]
fn forty_by_twelve_shows_a_whole_turn() {
    Check::inline("40x12").plays(r#"hi <enter> «!tool look {"command":"src"}» «end» «done: main.rs» «There is one file in this directory, and that is main.rs.»"#, r#"

> hi

✓ look src

There is one file in this directory, and
that is main.rs.

 ◓ Writing 0s · ↓ 37 · Esc stops
> Enter adds to the running turn
 script/model · trusted      ctx: 120/?
"#);
}

#[test]
fn twenty_by_five_still_works() {
    Check::inline("20x5").plays(
        "hi <enter> «Hello you»",
        r#"

> hi
Hello you
 ◐ Writing 0s · ↓ 3…
> Enter adds to the
 script/model


"#,
    );
}

#[test]
fn twenty_by_five_fullscreen_still_works() {
    Check::fullscreen("20x5").plays(
        "hi <enter> «Hello you» «end» more",
        r#"
> hi

Hello you
> more
 script/model
"#,
    );
}

#[test]
fn smaller_than_that_says_so() {
    Check::fullscreen("19x4").plays(
        "hi",
        r#"
window too small (2
"#,
    );
}

#[test]
fn what_was_typed_in_a_window_too_small_is_there_afterwards() {
    Check::fullscreen("19x4").plays(
        "hi <resize 40x10>",
        r#"








> hi
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_narrower_window_wraps_the_live_answer_anew() {
    Check::inline("60x12").plays(r"list <enter> «1\n\n2\n\n3\n\n4\n\n5» «end» hi <enter> «An answer that is long enough to need two rows.» <resize 30x12> « And more.» «end»", r#"

> list

1

2

3

4

5

> hi

An answer that is long enough
to need two rows. And more.

> write a prompt; Enter sends
 script/model      ctx: 120/?
"#);
}

// Rows below the live area that were never used let the model, and alacritty with it, push live rows
// into the scrollback when it rewraps; that leaves a stale row, as long as the screen is not full.
#[test]
fn a_halved_window_that_was_not_full_keeps_a_stale_row() {
    Check::inline("60x12").plays(
        "hi <enter> «An answer that is long enough to need two rows.» <resize 30x12> « And more.» «end»",
        r#"

> hi

An answer that is long enough

An answer that is long enough
to need two rows. And more.


> write a prompt; Enter sends
 script/model      ctx: 120/?
"#,
    );
}

#[test]
fn a_gate_in_a_small_window_grows_with_it() {
    Check::inline("40x6").plays(
        r#"go <enter> «!tool bash {"command":"ls"}» «end» <resize 60x16>"#,
        r#"

> go

 ◐ Waiting for approval 0s · ↓ 20 · Esc stops
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  ls
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> Tab answers above; what is written adds to the turn
 script/model · [D] ~/demo · trusted             ctx: 120/?


"#,
    );
}

#[test]
fn fullscreen_scrolls_back_and_says_how_much_is_below() {
    Check::fullscreen("40x10").plays(
        r#"list <enter> «1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n\n9» «end» <pageup>"#,
        r#"
3

4

5

 ↓ 7 more rows below · Ctrl+End

> write a prompt; Enter sends it
 script/model · trusted      ctx: 120/?
"#,
    );
}

#[test]
fn sending_a_prompt_jumps_to_the_end() {
    Check::fullscreen("40x10").plays(
        r#"list <enter> «1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n\n9» «end» <pageup> go <enter>"#,
        r#"

8

9

> go

 ◐ Waiting 0s · Esc stops
> Enter adds to the running turn
 script/model · trusted      ctx: 120/?
"#,
    );
}
