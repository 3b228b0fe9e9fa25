//! The first frame and what it says.

use testkit::{Check, check};

#[test]
fn the_splash_stands_above_the_composer() {
    Check::inline("60x16").with_splash().plays(
        "<wait 0ms>",
        r#"

 eukhe 0.0.0 · session 01234567
 script/model
 ~/demo
 /help lists commands and keys · Ctrl+C twice quits

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn notices_and_setting_warnings_stand_below_the_splash() {
    Check::inline("60x16")
        .with_splash()
        .with_notice("No key was found: /help tells how to get a model")
        .with_warning("settings.json:3: `terminal.fulscreen` is no setting")
        .plays(
            "<wait 0ms>",
            r#"

 eukhe 0.0.0 · session 01234567
 script/model
 ~/demo
 /help lists commands and keys · Ctrl+C twice quits
 • No key was found: /help tells how to get a model
 ! settings.json:3: `terminal.fulscreen` is no setting

> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
        );
}

#[test]
fn fullscreen_starts_with_the_splash_too() {
    Check::fullscreen("60x14").with_splash().plays(
        "<wait 0ms>",
        r#"
 eukhe 0.0.0 · session 01234567
 script/model
 ~/demo
 /help lists commands and keys · Ctrl+C twice quits








> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted
"#,
    );
}

#[test]
fn a_prompt_of_the_command_line_is_sent_at_once() {
    Check::inline("60x16").with_prompt("hi there").plays(
        "«Hello.» «end»",
        r#"

> hi there

Hello.


> write a prompt; Enter sends it
 script/model · [D] ~/demo · trusted             ctx: 120/?
"#,
    );
}

#[test]
fn a_signal_ends_it_with_its_code() {
    check(
        "draft <terminate 143>",
        r#"
[exit 143]
"#,
    );
}

#[test]
fn a_terminal_that_is_gone_ends_it() {
    check(
        "hi <enter> «Hel» <gone>",
        r#"

> hi
[exit 129]
"#,
    );
}
