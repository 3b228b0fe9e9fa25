//! Writing a prompt.

use testkit::{Check, check};

#[test]
fn ctrl_j_makes_a_new_line() {
    check(
        "one <ctrl+j> two",
        r#"


> one
  two
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn backslash_and_enter_make_a_new_line() {
    check(
        r#"one\ <enter> two"#,
        r#"


> one
  two
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_prompt_of_two_lines_is_sent_whole() {
    check(
        "one <ctrl+j> two <enter> «Got both.» «end»",
        r#"

> one
  two

Got both.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_short_paste_is_text() {
    check(
        r#"<paste one\ntwo>"#,
        r#"


> one
  two
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_long_paste_is_a_marker() {
    check(
        r#"see <space> <paste 1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12>"#,
        r#"


> see [paste #1 +12 lines]
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_paste_marker_is_sent_as_its_text() {
    Check::inline("40x30").plays(
        r#"<paste 1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12> <enter> «Twelve.» «end»"#,
        r#"

> 1
  2
  3
  4
  5
  6
  7
  8
  9
  10
  11
  12

Twelve.


> write a prompt; Enter sends it
 script/model · trusted      ctx: 120/?
"#,
    );
}

#[test]
fn a_paste_with_escapes_is_only_its_text() {
    check(
        r#"<paste a\e[31mb\rc>"#,
        r#"


> a[31mb
  c
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn up_walks_the_history_and_down_comes_back() {
    check(
        "first <enter> «One.» «end» second <enter> «Two.» «end» draft <home> <up> <up>",
        r#"

> first

One.

> second

Two.


> first
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn down_brings_the_unsent_draft_back() {
    check(
        "first <enter> «One.» «end» draft <home> <up> <down>",
        r#"

> first

One.


> draft
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_wide_draft_wraps_at_words() {
    Check::inline("30x10").plays(
        "this draft is wider than the window and goes on 漢字も",
        r#"


> this draft is wider than
  the window and goes on 漢字
  も
 script/model
"#,
    );
}

#[test]
fn words_are_deleted_and_yanked() {
    check(
        "one two three <ctrl+w> <ctrl+w> <ctrl+y>",
        r#"


> one two three
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn undo_takes_a_word_back() {
    check(
        "one two <ctrl+->",
        r#"


> one
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_blank_draft_is_not_sent() {
    check(
        "<space> <space> <enter>",
        r#"


>
 script/model · [D] ~/demo · trusted
"#,
    );
}
