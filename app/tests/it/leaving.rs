//! Every way out gives the terminal back; without a terminal there is one clear error and no escape byte.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;

use rustix::process::Signal;

use crate::window::{Place, Window};

/// The private modes that are still on at the end of what was written.
fn modes_left(bytes: &[u8]) -> Vec<u32> {
    let text = String::from_utf8_lossy(bytes);
    let mut on = std::collections::BTreeSet::new();
    for part in text.split("\x1b[?").skip(1) {
        let end = part.find(|sign: char| !sign.is_ascii_digit() && sign != ';').unwrap_or(part.len());
        for mode in part[..end].split(';').filter_map(|mode| mode.parse::<u32>().ok()) {
            match part[end..].chars().next() {
                Some('h') => drop(on.insert(mode)),
                Some('l') => drop(on.remove(&mode)),
                Some(_) | None => {}
            }
        }
    }
    // The cursor and autowrap are on in a terminal at rest.
    on.into_iter().filter(|mode| ![7, 25].contains(mode)).collect()
}

fn tour(place: &Place, surface: &[&str]) -> Window {
    let window = place.run(&[&["tour"], surface].concat(), &[]);
    window.until("Enter sends it");
    window
}

#[test]
fn every_way_out_has_its_exit_code_and_leaves_no_mode_on() {
    let place = Place::new();
    for surface in [&[] as &[&str], &["--inline"]] {
        for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
            let mut window = tour(&place, surface);
            window.signal(signal);
            let status = window.ended();
            assert_eq!((status.code(), status.signal()), (Some(code), None), "{signal:?} {surface:?}");
            assert_eq!(modes_left(&window.bytes()), Vec::<u32>::new(), "{signal:?} {surface:?}");
        }
        let mut window = tour(&place, surface);
        window.keys("\x03");
        window.until("Ctrl+C again quits");
        window.keys("\x03");
        assert_eq!(window.ended().code(), Some(0));
        assert_eq!(modes_left(&window.bytes()), Vec::<u32>::new());
    }
}

#[test]
fn without_a_terminal_there_is_one_error_and_no_escape_byte() {
    let place = Place::new();
    for arguments in [&[] as &[&str], &["-c"], &["tour"]] {
        let output = place.command(arguments, &[]).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(!output.stderr.is_empty() && output.stdout.is_empty());
        assert!(!output.stderr.contains(&0x1b));
    }
    for arguments in [["--version"], ["--help"]] {
        let output = place.command(&arguments, &[]).stdin(Stdio::null()).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.contains(&0x1b)), (Some(0), false));
    }
}
