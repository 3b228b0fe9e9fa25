//! A journal whose disk fails, or hangs.

use testkit::{Check, check};

#[test]
fn a_full_disk_gives_the_prompt_back() {
    check(
        "<disk full> hi <enter>",
        r#"

! The prompt was not taken: the journal /tmp/journal.db: no
  space left on device; check that the disk has room and the
  file can be written, then start eukhe again with -c; it is
  back in the composer
✗ the session has ended: the journal /tmp/journal.db: no
  space left on device; leave with Ctrl+C twice and open it
  again with `eukhe -c`

> hi
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_disk_that_fills_up_in_a_turn_ends_the_session() {
    check(
        "hi <enter> «Hello.» <disk full> «end»",
        r#"

> hi

Hello.
(incomplete)

✗ the session has ended: the journal /tmp/journal.db: no
  space left on device; leave with Ctrl+C twice and open it
  again with `eukhe -c`

> no session is open; Ctrl+C twice leaves
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn after_a_full_disk_the_draft_stays_and_no_more_work_is_taken() {
    check(
        "<disk full> hi <enter> <disk sound> <enter>",
        r#"

! The prompt was not taken: the journal /tmp/journal.db: no
  space left on device; check that the disk has room and the
  file can be written, then start eukhe again with -c; it is
  back in the composer
✗ the session has ended: the journal /tmp/journal.db: no
  space left on device; leave with Ctrl+C twice and open it
  again with `eukhe -c`
  no session is open; the draft stays

> hi
 script/model · [D] ~/demo · trusted


"#,
    );
}

#[test]
fn keys_are_echoed_while_the_disk_hangs() {
    Check::inline("60x16").with_own_thread().plays("<until trusted> <disk stuck> hi <enter> and more <until and more> <disk sound> «Hello.» «end» <backspace*8> <until write a prompt>", r#"

> hi

Hello.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#);
}
