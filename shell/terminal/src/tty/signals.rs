//! Signals to events, and the end of a program that does not react to them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ports::TerminalEvent;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::iterator::Signals;

use super::lease::Lease;
use super::spawn;

/// How long the program may take to give the terminal back after it was told to end.
const REACTION_WAIT: Duration = Duration::from_secs(2);

/// An exit code names a signal so.
const SIGNAL_CODE_BASE: i32 = 128;

pub(super) fn start(lease: Arc<Lease>) -> io::Result<()> {
    let mut signals = Signals::new([SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT])?;
    let lease = Arc::downgrade(&lease);
    spawn("terminal-signals", move || {
        let is_ending = AtomicBool::new(false);
        for signal in signals.forever() {
            match (signal, lease.upgrade().filter(|lease| !lease.is_ended())) {
                (SIGWINCH, Some(lease)) => lease.note_resize(),
                (SIGCONT, Some(lease)) => lease.go_on(),
                (SIGWINCH | SIGCONT, None) => {}
                // The terminal is given back; what is still being closed is not worth a signal that does nothing.
                (_, None) => std::process::exit(SIGNAL_CODE_BASE + signal),
                (_, Some(lease)) => {
                    let code = SIGNAL_CODE_BASE + signal;
                    if !is_ending.swap(true, Ordering::Relaxed) {
                        end_without_reaction(lease.clone(), code);
                    }
                    // This thread must not wait for whoever reads events, as signals are for when nobody does.
                    let _ = spawn("terminal-signal", move || lease.tell(TerminalEvent::Terminate { code }));
                }
            }
        }
    })
}

fn end_without_reaction(lease: Arc<Lease>, code: i32) {
    let watch = move || {
        std::thread::sleep(REACTION_WAIT);
        if !lease.is_ended() {
            lease.end(&[]);
            std::process::exit(code);
        }
    };
    if spawn("terminal-end", watch).is_err() {
        std::process::exit(code);
    }
}
