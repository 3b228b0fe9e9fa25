//! Ends of a turn that nobody wanted.

use testkit::check;

#[test]
fn a_missing_key_names_the_variable() {
    check(
        "hi <enter> «fail key»",
        r#"

> hi

! there is no key for `script`; set SCRIPT_API_KEY

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_refused_key_is_not_tried_again() {
    check(
        "hi <enter> «fail 401»",
        r#"

> hi

! the server refused the key; check the key and send it
  again

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_bad_request_names_its_reason() {
    check(
        "hi <enter> «fail 400»",
        r#"

> hi

! the server could not read the request; try another model

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_stream_that_is_cut_short_keeps_its_text() {
    check(
        "hi <enter> «Hel» «cut» <wait 60s> «cut» <wait 60s> «cut» <wait 60s> «cut»",
        r#"

> hi

Hel
(incomplete)

! Gave up after 3 retries: The stream ended before the
  answer was complete; send the message again

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_prompt_after_a_failure_goes_out_as_ever() {
    check(
        "hi <enter> «fail 400» again <enter> «Hello.» «end»",
        r#"

> hi

! the server could not read the request; try another model

> again

Hello.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}
