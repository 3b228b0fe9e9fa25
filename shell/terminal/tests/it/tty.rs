//! The real terminal on a pty: in this process, and as a child with signals and a shell.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ports::{Fate, Terminal as _, TerminalEvent};
use rustix::process::{Pid, Signal, kill_process};
use screen::{Frame, Key, KeyCode, Size};
use terminal::{Options, Tty};

use crate::frames::{WIDE, fullscreen, inline, rows};
use crate::modes;
use crate::pty::{Pty, exit_code};

const PATIENCE: Duration = Duration::from_secs(20);

fn open(pty: &Pty) -> (Tty, Receiver<TerminalEvent>) {
    let (tell, told) = channel();
    let options = Options { input: pty.slave(), output: pty.slave(), escape_wait_ms: 25, caught_thread: "agent" };
    (Tty::open(options, Arc::new(move |event| drop(tell.send(event)))).unwrap(), told)
}

fn next(events: &Receiver<TerminalEvent>) -> TerminalEvent {
    events.recv_timeout(PATIENCE).expect("an event in time")
}

fn numbered(number: u64, frame: Frame) -> Frame {
    Frame { number, ..frame }
}

fn text(pty: &Pty) -> String {
    String::from_utf8(pty.written()).unwrap()
}

#[test]
fn case_24_leaving_gives_back_every_mode_and_the_line_settings() {
    for frame in [inline(WIDE, rows(&["h"]), rows(&["live"])), fullscreen(WIDE, rows(&["window"]))] {
        let pty = Pty::new(Some(WIDE)).record();
        let found = format!("{:?}", pty.settings());
        let (mut tty, events) = open(&pty);
        assert_eq!(next(&events), TerminalEvent::Resized(WIDE));
        assert_ne!(format!("{:?}", pty.settings()), found);
        tty.paint(numbered(7, frame));
        assert_eq!(next(&events), TerminalEvent::Painted { frame: 7, fate: Fate::Written });
        let start = Instant::now();
        tty.leave(vec!["resume with \x1b[31meukhe -c".to_owned()]);
        assert!(start.elapsed() < Duration::from_millis(25), "{:?}", start.elapsed());
        pty.expect("resume with eukhe -c\r\n", 1);
        assert_eq!(modes::left_set(&pty.written()), Vec::<String>::new());
        assert_eq!(format!("{:?}", pty.settings()), found);
    }
}

#[test]
fn a_terminal_opened_and_left_without_a_frame_gets_no_byte() {
    let pty = Pty::new(Some(WIDE)).record();
    let found = format!("{:?}", pty.settings());
    let (tty, _events) = open(&pty);
    drop(tty);
    assert_eq!((pty.written(), format!("{:?}", pty.settings())), (Vec::new(), found));
}

#[test]
fn a_frame_for_another_size_is_not_written() {
    let pty = Pty::new(Some(WIDE)).record();
    let (mut tty, events) = open(&pty);
    next(&events);
    let size = Size { cols: 60, rows: 20 };
    pty.resize(size);
    tty.paint(numbered(1, inline(WIDE, rows(&["h"]), rows(&["live"]))));
    assert_eq!(next(&events), TerminalEvent::Painted { frame: 1, fate: Fate::Stale { size } });
    assert_eq!(pty.written(), b"");
    tty.paint(numbered(2, inline(size, rows(&["h"]), rows(&["live"]))));
    assert_eq!(next(&events), TerminalEvent::Painted { frame: 2, fate: Fate::Written });
    pty.expect("live", 1);
}

#[test]
fn case_12_a_size_that_does_not_come_is_assumed() {
    let pty = Pty::new(None).record();
    let (mut tty, events) = open(&pty);
    assert_eq!(next(&events), TerminalEvent::Resized(WIDE));
    tty.paint(inline(WIDE, vec![], rows(&["live"])));
    assert_eq!(next(&events), TerminalEvent::Painted { frame: 1, fate: Fate::Written });
}

#[test]
fn keys_come_while_the_terminal_takes_no_bytes_and_leaving_does_not_wait_for_it() {
    let pty = Pty::new(Some(WIDE));
    let (mut tty, events) = open(&pty);
    next(&events);
    let many: Vec<String> = (0..5_000).map(|index| format!("a row of history with the number {index}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    tty.paint(inline(WIDE, rows(&many), rows(&["live"])));
    pty.type_bytes(b"x\x1b");
    assert_eq!(next(&events), TerminalEvent::Key(Key::char('x')));
    assert_eq!(next(&events), TerminalEvent::Key(Key::plain(KeyCode::Escape)));
    let start = Instant::now();
    tty.leave(Vec::new());
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn a_closed_terminal_is_told_once() {
    let pty = Pty::new(Some(WIDE));
    let (tty, events) = open(&pty);
    next(&events);
    drop(pty);
    assert!(matches!(next(&events), TerminalEvent::Gone { .. }));
    drop(tty);
    assert!(events.recv_timeout(PATIENCE).is_err());
}

#[test]
fn what_is_no_terminal_is_refused_with_the_next_step() {
    let file = || std::os::fd::OwnedFd::from(std::fs::File::open("/dev/null").unwrap());
    let options = Options { input: file(), output: file(), escape_wait_ms: 25, caught_thread: "agent" };
    let error = Tty::open(options, Arc::new(|_| {})).err().unwrap();
    assert_eq!(error.to_string(), "standard input is no terminal: start this in one");
}

/// Marks a run of this test binary as the program under test.
const CHILD: &str = "EUKHE_TERMINAL_CHILD";

/// The program that the tests below run: it paints, and each letter makes it do one thing.
#[test]
fn child() {
    let Some(surface) = std::env::var_os(CHILD) else { return };
    let (tell, events) = channel();
    let mut tty =
        Tty::open(Options::of_process("agent").unwrap(), Arc::new(move |event| drop(tell.send(event)))).unwrap();
    let (mut said, mut size, mut number) = ("ready".to_owned(), WIDE, 0);
    for event in events {
        tty.note_read();
        match event {
            TerminalEvent::Resized(new) => size = new,
            TerminalEvent::Resumed => said = "resumed".to_owned(),
            TerminalEvent::Terminate { code } => {
                tty.leave(vec![format!("ended by {code}")]);
                std::process::exit(code);
            }
            TerminalEvent::Key(key) => match key.typed() {
                Some('z') => said = tty.suspend().err().unwrap_or_else(|| "suspended".to_owned()),
                Some('p') => panic!("on purpose"),
                Some('h') => loop {
                    std::thread::park();
                },
                other => said = format!("key {other:?}"),
            },
            TerminalEvent::Painted { .. } => continue,
            _ => {}
        }
        number += 1;
        let live = rows(&[&said]);
        let frame = if surface == "inline" { inline(size, vec![], live) } else { fullscreen(size, live) };
        tty.paint(numbered(number, frame));
    }
}

fn child_command(surface: &str) -> Vec<String> {
    let binary = std::env::current_exe().unwrap().display().to_string();
    let mark = format!("{CHILD}={surface}");
    ["env", &mark, &binary, "--exact", "tty::child", "--nocapture"].map(String::from).to_vec()
}

fn run_child(pty: &Pty, surface: &str) -> std::process::Child {
    let command = child_command(surface);
    let child = pty.run(&command.iter().map(String::as_str).collect::<Vec<_>>());
    pty.expect("ready", 1);
    child
}

#[test]
fn case_25_a_signal_to_end_gives_everything_back() {
    for (surface, signal, code) in
        [("inline", Signal::TERM, 143), ("fullscreen", Signal::HUP, 129), ("inline", Signal::INT, 130)]
    {
        let pty = Pty::new(Some(WIDE)).record();
        let child = run_child(&pty, surface);
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(exit_code(child), Some(code));
        pty.expect(&format!("ended by {code}"), 1);
        assert_eq!(modes::left_set(&pty.written()), Vec::<String>::new());
    }
}

#[test]
fn a_program_that_hangs_is_ended_with_everything_given_back() {
    let pty = Pty::new(Some(WIDE)).record();
    let found = format!("{:?}", pty.settings());
    let child = run_child(&pty, "fullscreen");
    pty.type_bytes(b"h");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(exit_code(child), Some(143));
    assert_eq!((modes::left_set(&pty.written()), format!("{:?}", pty.settings())), (Vec::new(), found));
}

#[test]
fn two_presses_of_ctrl_c_that_nobody_reads_end_the_program() {
    let pty = Pty::new(Some(WIDE)).record();
    let child = run_child(&pty, "inline");
    pty.type_bytes(b"h\x03\x03");
    assert_eq!(exit_code(child), Some(130));
    assert_eq!(modes::left_set(&pty.written()), Vec::<String>::new());
}

#[test]
fn case_26_a_panic_gives_the_terminal_back_before_it_speaks() {
    let pty = Pty::new(Some(WIDE)).record();
    let child = run_child(&pty, "fullscreen");
    pty.type_bytes(b"p");
    assert_eq!(exit_code(child), Some(101));
    pty.expect("on purpose", 1);
    let written = text(&pty);
    let (before, _) = written.split_once("on purpose").unwrap();
    assert_eq!(modes::left_set(before.as_bytes()), Vec::<String>::new());
}

#[test]
fn case_31_without_a_shell_above_it_refuses_to_stop() {
    let pty = Pty::new(Some(WIDE)).record();
    let child = run_child(&pty, "inline");
    pty.type_bytes(b"z");
    pty.expect("there is no shell above that could continue this", 1);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(exit_code(child), Some(143));
}

#[test]
fn case_29_suspending_gives_the_shell_its_terminal_and_coming_back_takes_it_again() {
    let pty = Pty::new(Some(WIDE)).record();
    let shell = pty.run(&["env", "PS1=shell> ", "bash", "--norc", "--noprofile", "-i"]);
    pty.expect("shell> ", 1);
    pty.type_bytes(format!("{}\n", child_command("inline").join(" ")).as_bytes());
    pty.expect("ready", 1);
    for round in 1..=2 {
        pty.type_bytes(b"z");
        pty.expect("shell> ", 2 * round);
        assert_eq!(modes::left_set(&without_bash(&text(&pty))), Vec::<String>::new());
        pty.type_bytes(format!("echo still {round}\n").as_bytes());
        pty.expect(&format!("\rstill {round}\r\n"), 1);
        pty.type_bytes(b"fg\n");
        pty.expect("resumed", round);
        pty.type_bytes(b"k");
        pty.expect("key Some('k')", round);
    }
    pty.type_bytes(b"z");
    pty.expect("shell> ", 6);
    pty.type_bytes(b"kill -KILL %1; wait; exit 0\nexit 0\n");
    assert_eq!(exit_code(shell), Some(0));
}

/// The line editor of the shell sets bracketed paste for itself.
fn without_bash(text: &str) -> Vec<u8> {
    text.replace("\x1b[?2004hshell> ", "shell> ").into_bytes()
}
