//! Slash commands.

use testkit::{Check, check};

#[test]
fn a_slash_opens_the_menu() {
    check(
        "/",
        r#"


   /new [--] [prompt]  leaves this session and begins a new
   /quit               leaves
   /help               all commands, grouped
> /
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn letters_narrow_the_menu() {
    check(
        "/he",
        r#"


 > /help  all commands, grouped
> /he
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn new_begins_another_session_under_a_separator() {
    check(
        "hi <enter> «Hello.» «end» /new <enter>",
        r#"

> hi

Hello.
── new session · 01234567 ──

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn new_forgets_what_was_said() {
    check(
        "hi <enter> «Hello.» «end» /new <enter> again <enter> «Hello, stranger.» «end»",
        r#"

> hi

Hello.
── new session · 01234567 ──

> again

Hello, stranger.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn help_lists_the_keys() {
    Check::inline("60x20").plays(
        "/help <enter>",
        r#"


 Session
  /new [--] [prompt], /clear  leaves this session and begins
  /quit, /exit                leaves
 Interface
  /help                       all commands, grouped
 Everywhere
  Ctrl+C                      deny, clear the draft, stop th
  Ctrl+Z                      suspend to the shell
  Ctrl+O                      show more or less detail
 With nothing written
  Ctrl+D                      quit, when nothing is written
  ?                           show the main keys, when nothi
 Writing
 Esc closes · ↓ 53 more
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn escape_closes_help() {
    check(
        "/help <enter> <esc>",
        r#"











> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn quit_ends_with_how_to_come_back() {
    check(
        "hi <enter> «Hello.» «end» /quit <enter>",
        r#"

> hi

Hello.
`eukhe -c` goes on with this session
[exit 0]
"#,
    );
}

#[test]
fn an_unknown_command_close_to_one_is_not_sent() {
    check(
        "/hepl <enter>",
        r#"

  did you mean /help? Enter again sends the line to the mo

> /hepl
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn enter_again_sends_it_as_a_prompt() {
    check(
        "/hepl <enter> <enter> «What?» «end»",
        r#"

> /hepl

What?

  did you mean /help? Enter again sends the line to the mo

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_name_close_to_nothing_is_a_prompt() {
    check(
        "/etcetera and so on <enter> «Yes.» «end»",
        r#"

> /etcetera and so on

Yes.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_path_is_a_prompt() {
    check(
        "/usr/bin <enter> «A directory.» «end»",
        r#"

> /usr/bin

A directory.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn quit_asks_first_while_a_turn_runs() {
    check(
        "hi <enter> «Hel» /quit <enter>",
        r#"

> hi

Hel

 ◓ Writing 0s · ↓ 1
 A turn is running. Stop it and leave?
 > 1. No
   2. Yes
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_quit_that_was_not_meant_goes_on() {
    check(
        "hi <enter> «Hel» /quit <enter> <enter> «lo.» «end»",
        r#"

> hi

Hello.




> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn new_while_a_turn_runs_stops_it_and_begins_another_session() {
    check(
        "hi <enter> «Hel» /new <enter> <down> <enter>",
        r#"

> hi

Hel
(incomplete)

! Interrupted
── new session · 01234567 ──

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}
