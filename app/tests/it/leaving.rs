//! Every way out gives the terminal back; without a terminal nothing but words is written.

use std::process::Stdio;

use rustix::process::Signal;

use crate::modes;
use crate::program::{EUKHE, IDLE, Place, Program, ROWS, Surface, Wire, is_idle, is_working};
use crate::server::Server;
use crate::window::Window;

const ESCAPE: u8 = 0x1b;
const NO_TERMINAL: &str = "eukhe: standard input and output must be a terminal; run eukhe in one, without a pipe\n";

type Way = fn(&Program);

#[test]
fn every_way_out_gives_back_the_modes_and_the_line_settings() {
    let ways: [(Way, i32); 4] = [
        (|program| program.signal(Signal::TERM), 143),
        (|program| program.signal(Signal::HUP), 129),
        (|program| program.signal(Signal::INT), 130),
        (press_ctrl_c_until_the_end, 0),
    ];
    let server = Server::start();
    let found = Window::new(ROWS).settings();
    for surface in [Surface::Fullscreen, Surface::Inline] {
        for prompt in [None, Some("mock:hang"), Some("mock:tool"), Some("mock:long,rate=400")] {
            for (leave, code) in ways {
                let place = Place::new("{}");
                let mut program = place.start(Wire::OpenAi, surface, &server, &[]);
                begin(&program, prompt);
                assert_ne!(program.window.settings(), found);
                leave(&program);
                assert_eq!(program.exit_code(), Some(code), "{surface:?}, {prompt:?}");
                let written = program.window.drain();
                let left = (modes::left_set(&written), program.window.settings());
                assert_eq!(left, (Vec::<String>::new(), found.clone()), "{surface:?}, {prompt:?}, {code}");
            }
        }
    }
}

#[test]
fn without_a_terminal_it_says_so_and_writes_no_escape() {
    let place = Place::new("{}");
    for arguments in [&[][..], &["-c"], &["tour"], &["--inline", "words"]] {
        let output = place.command().args(arguments).stdin(Stdio::null()).output().unwrap();
        let said = (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        assert_eq!(said, (Some(2), String::new(), NO_TERMINAL.to_owned()), "{arguments:?}");
    }
}

#[test]
fn with_one_end_that_is_no_terminal_it_says_so_and_writes_no_escape() {
    for redirection in ["< /dev/null", "> /dev/null"] {
        let place = Place::new("{}");
        let window = Window::new(ROWS);
        let mut child = window.run("sh", |command| {
            place.prepare(command);
            command.args(["-c", &format!("exec {EUKHE} {redirection}")]);
        });
        assert_eq!(child.wait().unwrap().code(), Some(2), "{redirection}");
        let written = window.drain();
        assert_eq!(String::from_utf8_lossy(&written), NO_TERMINAL.replace('\n', "\r\n"), "{redirection}");
    }
}

#[test]
fn questions_about_the_program_itself_are_answered_in_plain_text() {
    let place = Place::new("{}");
    for argument in ["--version", "--help"] {
        let output = place.command().arg(argument).stdin(Stdio::null()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{argument}");
        assert!(!output.stdout.is_empty() && !output.stdout.contains(&ESCAPE), "{argument}");
    }
}

fn begin(program: &Program, prompt: Option<&str>) {
    let Some(prompt) = prompt else { return };
    program.send(prompt);
    match prompt {
        "mock:tool" => program.window.expect("bash asks for permission"),
        _ => program.window.until("working row", |picture| picture.rows().iter().any(|row| is_working(row))),
    }
}

/// The first press stops what runs, if anything does; two more with nothing between them quit.
fn press_ctrl_c_until_the_end(program: &Program) {
    if !is_idle(&program.window.rows()) {
        program.window.press_ctrl_c();
        program.window.expect("! Interrupted");
        program.window.expect(IDLE);
    }
    program.window.press_ctrl_c();
    program.window.press_ctrl_c();
}
