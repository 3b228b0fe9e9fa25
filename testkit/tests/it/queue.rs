//! Prompts that are sent while a turn runs.

use testkit::check;

#[test]
fn enter_while_a_turn_runs_queues_the_message() {
    check(
        "hi <enter> «Hel» wait <enter>",
        r#"

> hi

Hel

 ◓ Writing 0s · ↓ 1 · Esc stops, 1 queued comes back
 Steering  wait
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_steered_message_folds_at_the_step_boundary() {
    check(
        r#"hi <enter> «!tool look {"command":"src"}» «end» also this <enter> «done: main.rs» «Both done.» «end»"#,
        r#"

> hi

  ✓ look src

> steered · also this

Both done.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn without_a_step_boundary_it_starts_the_next_turn() {
    check(
        "hi <enter> «Hel» and now <enter> «lo.» «end» «Now this.» «end»",
        r#"

> hi

Hello.

> and now

Now this.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn more_than_three_queued_messages_are_counted() {
    check(
        "hi <enter> «Hel» a <enter> b <enter> c <enter> d <enter> e <enter>",
        r#"

> hi

Hel

 ◒ Writing 0s · ↓ 1 · Esc stops, 5 queued come back
 Steering  a
 Steering  b
 Steering  c
 2 more
> Enter adds to the running turn
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn an_interrupt_gives_queued_messages_back_in_order() {
    check(
        "hi <enter> «Hel» first <enter> second <enter> draft <esc>",
        r#"

> hi

Hel
(incomplete)

! Interrupted
  2 messages are back in the draft

> first

  second

  draft
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_failed_turn_gives_them_back_too() {
    check(
        "hi <enter> «Hel» first <enter> «fail 400»",
        r#"

> hi

Hel
(incomplete)

! the server could not read the request; try another model
  a message that was not delivered is back in the draft

> first
 script/model · [D] ~/demo · trusted
"#,
    );
}
