//! The reader thread: bytes to events, whatever the writer is doing.

use std::io::{self, PipeReader, Read as _};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use ports::TerminalEvent;
use screen::{Key, KeyCode, Modifiers};

use super::device::{Listening, Read};
use super::lease::Lease;
use super::spawn;
use super::writer::Job;
use crate::input::{Decoder, Input};

/// How often the background is left, at the latest, when no signal tells.
const BACKGROUND_STEP: Duration = Duration::from_millis(200);

/// Two presses of Ctrl+C that stay unread so long end the process.
const UNREAD_WAIT: Duration = Duration::from_secs(3);
const UNREAD_CODE: i32 = 130;

pub(super) struct Setup {
    pub(super) lease: Arc<Lease>,
    pub(super) wake: PipeReader,
    pub(super) jobs: SyncSender<Job>,
    pub(super) escape_wait_ms: u64,
}

pub(super) fn start(setup: Setup) -> io::Result<()> {
    let reader = Reader {
        lease: setup.lease,
        wake: setup.wake,
        jobs: setup.jobs,
        decoder: Decoder::new(setup.escape_wait_ms),
        interrupts: Interrupts::default(),
    };
    spawn("terminal-reader", move || reader.run())
}

struct Reader {
    lease: Arc<Lease>,
    wake: PipeReader,
    jobs: SyncSender<Job>,
    decoder: Decoder,
    interrupts: Interrupts,
}

/// Presses of Ctrl+C, by where the last two stand among all events, counted from 1.
#[derive(Default)]
struct Interrupts {
    presses: [u64; 2],
    is_watched: Arc<AtomicBool>,
}

impl Reader {
    fn run(mut self) {
        let mut inputs = Vec::new();
        while !self.lease.is_ended() {
            self.lease.retake_if_due();
            self.lease.tell_resize_if_due();
            self.wait(&mut inputs);
            for input in inputs.drain(..) {
                match input {
                    Input::Event(event) => {
                        let is_interrupt = is_interrupt(&event);
                        self.lease.tell(event);
                        if is_interrupt {
                            self.interrupts.note(&self.lease);
                        }
                    }
                    // A writer that is busy for so long has nothing to learn from.
                    Input::Fact(fact) => drop(self.jobs.try_send(Job::Learn(fact))),
                }
            }
        }
    }

    /// Waits for bytes, for a pause that ends a sequence, or to be woken.
    fn wait(&mut self, inputs: &mut Vec<Input>) {
        let listening = if self.lease.is_usable() { Listening::On } else { Listening::Off };
        let pause = self.decoder.wait_ms().map(Duration::from_millis);
        let wait = match listening {
            Listening::On => pause,
            Listening::Off => Some(BACKGROUND_STEP),
        };
        let ready = self.lease.device().wait(self.wake.as_fd(), listening, wait);
        if ready.wake {
            // Many wakes are one.
            let _ = self.wake.read(&mut [0; 64]);
        }
        if ready.input && self.lease.is_usable() {
            self.read(inputs);
        } else if ready.is_timed_out && listening == Listening::On {
            self.decoder.time_out(inputs);
        }
    }

    fn read(&mut self, inputs: &mut Vec<Input>) {
        match self.lease.device().read() {
            Read::Bytes(bytes) => self.decoder.feed(&bytes, inputs),
            Read::Nothing => {}
            Read::Gone { reason } => {
                self.lease.tell(TerminalEvent::Gone { reason });
                self.lease.end(&[]);
            }
        }
    }
}

impl Interrupts {
    /// A press was just told; if it and the one before stay unread, the process ends.
    /// Nothing of that holds before the first event was read.
    fn note(&mut self, lease: &Arc<Lease>) {
        self.presses = [self.presses[1], lease.told_count()];
        let first = self.presses[0];
        let is_unread = move |lease: &Lease| lease.read_count() < first;
        if lease.read_count() == 0 || !is_unread(lease) || self.is_watched.swap(true, Ordering::Relaxed) {
            return;
        }
        let (lease, is_watched) = (lease.clone(), self.is_watched.clone());
        let watch = move || {
            std::thread::sleep(UNREAD_WAIT);
            // Once the terminal is given back, whoever ends the program does it in order.
            if is_unread(&lease) && !lease.is_ended() {
                lease.end(&[]);
                std::process::exit(UNREAD_CODE);
            }
            is_watched.store(false, Ordering::Relaxed);
        };
        // Without a thread the next press tries again.
        if spawn("terminal-unread", watch).is_err() {
            self.is_watched.store(false, Ordering::Relaxed);
        }
    }
}

/// Ctrl+C, on a layout of another script too.
fn is_interrupt(event: &TerminalEvent) -> bool {
    let TerminalEvent::Key(Key { code, modifiers, base }) = event else { return false };
    *modifiers == Modifiers::CTRL && (*code == KeyCode::Char('c') || *base == Some('c'))
}
