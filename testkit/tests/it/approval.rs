//! Approvals: unarmed at first, armed by a pause, answered by a person only.

use testkit::{Check, check};

#[test]
fn a_gate_waits_above_the_composer() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end»"#,
        r#"

> test it

 ◐ Waiting for approval 0s · ↓ 20 · Esc stops
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  cargo test
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> Tab answers above; what is written adds to the turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn keys_before_it_is_armed_go_to_the_draft() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» y"#,
        r#"

> test it

 ◐ Waiting for approval 0s · ↓ 20 · Esc stops
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  cargo test
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> y
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_pause_of_half_a_second_arms_it_and_letters_stay_the_drafts() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <wait 500ms>"#,
        r#"

> test it

 ◑ Waiting for approval 0s · ↓ 20 · Esc denies
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  cargo test
▌   1. Approve this once
▌ > 2. Deny
▌  Tab, then y approves · Esc denies
> Tab answers above; what is written adds to the turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn y_approves_once_it_is_entered() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <tab> y"#,
        r#"

> test it






  ◐ bash $ cargo test  approved by you

 ◓ Executing bash 0s · ↓ 20 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn an_approved_call_runs_and_says_who_approved() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <tab> y «done: ok» «All green.» «end»"#,
        r#"

> test it

  ✓ bash $ cargo test  approved by you

All green.





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn enter_takes_the_marked_row_which_is_deny() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <wait 500ms> <enter> «I may not.» «end»"#,
        r#"

> test it

  ⊘ bash $ cargo test  denied · by you

I may not.





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn up_and_enter_approve() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <tab> <up> <enter> «done: ok» «Fine.» «end»"#,
        r#"

> test it

  ✓ bash $ cargo test  approved by you

Fine.





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn n_denies() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <tab> n «I may not.» «end»"#,
        r#"

> test it

  ⊘ bash $ cargo test  denied · by you

I may not.





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn escape_denies() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <wait 500ms> <esc> «I may not.» «end»"#,
        r#"

> test it

  ⊘ bash $ cargo test  denied · by you

I may not.





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn ctrl_c_denies_and_interrupts() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <wait 500ms> <ctrl+c>"#,
        r#"

> test it

  – bash $ cargo test  cancelled

! Interrupted





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_capital_letter_is_no_answer() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <tab> Y"#,
        r#"

> test it
  · bash $ cargo test  waits for approval

 ◓ Waiting for approval 0s · ↓ 20 · Esc denies
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  cargo test
▌   1. Approve this once
▌ > 2. Deny
▌  y approves · n or Esc denies · ↑↓ Enter choose · Ctrl+C…
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn tab_enters_it_at_once() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <tab> y «done: ok» «Fine.» «end»"#,
        r#"

> test it

  ✓ bash $ cargo test  approved by you

Fine.





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn armed_over_a_draft_letters_still_go_to_the_draft() {
    check(
        r#"test it <enter> and then <wait 100ms> «!tool bash {"command":"cargo test"}» «end» <wait 600ms> y"#,
        r#"

> test it

 ◐ Waiting for approval 1s · ↓ 20 · Esc stops
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  cargo test
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> and theny
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn the_second_gate_of_a_batch_starts_unarmed() {
    check(
        r#"both <enter> «!tool bash {"command":"one"}» «!tool bash {"command":"two"}» «end» <tab> y <wait 100ms> y"#,
        r#"

> both

 ◑ Waiting for approval 0s · ↓ 20 · Esc stops
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  two
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> y
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn each_gate_of_a_batch_is_answered_for_itself() {
    check(
        r#"both <enter> «!tool bash {"command":"one"}» «!tool bash {"command":"two"}» «end» <tab> y <tab> n «done: one ran» «One of them.» «end»"#,
        r#"

> both

  ✓ bash $ one  approved by you
  ⊘ bash $ two  denied · by you

One of them.




> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn escape_before_it_is_armed_interrupts_the_turn() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <esc>"#,
        r#"

> test it

  – bash $ cargo test  cancelled

! Interrupted





> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn hostile_text_in_a_command_is_shown_as_escapes() {
    check(
        r#"go <enter> «!tool bash {"command":"echo \u202Ehi\u001b[2J"}» «end»"#,
        r#"

> go

 ◐ Waiting for approval 0s · ↓ 20 · Esc stops
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  echo \u{202e}hi\u{1b}[2J
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> Tab answers above; what is written adds to the turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_window_too_small_for_the_command_offers_only_deny() {
    Check::inline("40x6").plays(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <wait 500ms>"#,
        r#"

> test it
▌ bash asks for permission
▌  enlarge the window to approve
▌ > 2. Deny
▌  Esc denies
> Tab answers above; what is written add
 script/model · trusted      ctx: 120/?
"#,
    );
}

#[test]
fn a_sentence_that_begins_with_y_after_a_pause_approves_nothing() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» <wait 900ms> you must"#,
        r#"

> test it

 ◐ Waiting for approval 1s · ↓ 20 · Esc stops
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  cargo test
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> you must
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn enter_over_a_written_draft_sends_the_draft_and_denies_nothing() {
    check(
        r#"test it <enter> «!tool bash {"command":"cargo test"}» «end» wait <wait 900ms> <enter>"#,
        r#"

> test it

 ◐ Waiting for a… 1s · ↓ 20 · Esc stops, 1 queued comes back
 Steering  wait
▌ bash asks for permission
▌  run a command
▌  in /home/you/demo
▌  cargo test
▌   1. Approve this once
▌ > 2. Deny
▌  keys still go to the draft; Tab answers
> Tab answers above; what is written adds to the turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}
