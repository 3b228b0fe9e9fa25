//! Tool calls that need nobody's permission.

use testkit::check;

#[test]
fn a_call_whose_arguments_stream_shows_what_is_known() {
    check(
        r#"hi <enter> «!part look {"command":"sr»"#,
        r#"

> hi

  · look {"command":"sr

 ◐ Writing code 0s · ↓ 4 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_running_call_shows_its_live_output() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «output: main.rs\nlib.rs\n»"#,
        r#"

> hi

  ◐ look src

 ◐ Executing look 0s · ↓ 20 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_finished_call_is_followed_by_the_next_step() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «done: main.rs» «There is one file.» «end»"#,
        r#"

> hi

  ✓ look src

There is one file.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_failed_call_shows_its_error_and_the_turn_goes_on() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «failed: no such directory» «I could not look.» «end»"#,
        r#"

> hi

  ✗ look src  failed
  no such directory

I could not look.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn text_before_a_call_stays_above_its_card() {
    check(
        r#"hi <enter> «Let me look.» «!tool look {"command":"src"}» «end» «done: main.rs» «Done.» «end»"#,
        r#"

> hi

Let me look.

  ✓ look src

Done.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn calls_of_one_batch_run_side_by_side() {
    check(
        r#"hi <enter> «!tool look {"command":"a"}» «!tool look {"command":"b"}» «end» «done: one» «done: two» «Both.» «end»"#,
        r#"

> hi

  ✓ look a
  ✓ look b

Both.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn an_unknown_tool_is_told_to_the_model_and_the_turn_goes_on() {
    check(
        r#"hi <enter> «!tool fly {"to":"the moon"}» «end» «I cannot fly.» «end»"#,
        r#"

> hi

  ✗ fly {"to":"the moon"}  failed
  there is no tool `fly`; the tools are: look, bash, stubb
  orn

I cannot fly.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn arguments_that_are_no_json_are_told_to_the_model() {
    check(
        r#"hi <enter> «!tool look {"command"» «end» «Sorry.» «end»"#,
        r#"

> hi

  ✗ look {"command"  failed
  the arguments are no JSON: EOF while parsing an object a
  t line 1 column 10

Sorry.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_tool_that_panics_fails_and_the_turn_goes_on() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «panic» «It broke.» «end»"#,
        r#"

> hi

  ✗ look src  failed
  this tool crashed; this is a fault of eukhe, not of the
  arguments

It broke.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_turn_that_ends_after_its_tools_alone_says_that_no_reply_came() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» «done: main.rs» «empty» «empty»"#,
        r#"

> hi

  ✓ look src

 ◐ Retrying in 2s (1 of 1): The answe… 0s · ↓ 20 · Esc stops
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}
