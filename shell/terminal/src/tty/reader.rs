//! The reader thread: bytes to events, whatever the writer is doing.

use std::io::{self, PipeReader, Read as _};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use ports::TerminalEvent;
use screen::Key;

use super::device::{Listening, Read};
use super::lease::Lease;
use super::writer::Job;
use super::{Pulse, spawn};
use crate::input::{Decoder, Input};

/// How often the background is left, at the latest, when no signal tells.
const BACKGROUND_STEP: Duration = Duration::from_millis(200);

/// Two presses of Ctrl+C that stay unread so long end the process.
const UNREAD_WAIT: Duration = Duration::from_secs(3);
const UNREAD_CODE: i32 = 130;

pub(super) struct Setup {
    pub(super) wake: PipeReader,
    pub(super) jobs: SyncSender<Job>,
    pub(super) pulse: Pulse,
}

pub(super) fn start(lease: Arc<Lease>, setup: Setup, escape_wait_ms: u64) -> io::Result<()> {
    let reader = Reader {
        interrupts: Interrupts { pulse: setup.pulse, presses: [0; 2], end: None },
        wake: setup.wake,
        jobs: setup.jobs,
        decoder: Decoder::new(escape_wait_ms),
        lease,
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

/// Presses of Ctrl+C that nobody has read.
struct Interrupts {
    pulse: Pulse,
    /// Where the last two stand among all events, counted from 1.
    presses: [u64; 2],
    end: Option<Instant>,
}

impl Reader {
    fn run(mut self) {
        let mut inputs = Vec::new();
        while !self.lease.is_ended() {
            self.lease.retake_if_due();
            self.wait(&mut inputs);
            if self.interrupts.are_unread() {
                self.lease.end(&[]);
                std::process::exit(UNREAD_CODE);
            }
            for input in inputs.drain(..) {
                match input {
                    Input::Event(event) => {
                        let is_interrupt = event == TerminalEvent::Key(Key::ctrl('c'));
                        self.lease.tell(event);
                        if is_interrupt {
                            self.interrupts.note();
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
            Listening::On => self.interrupts.sooner_than(pause),
            Listening::Off => Some(BACKGROUND_STEP),
        };
        let ready = self.lease.device().wait(self.wake.as_fd(), listening, wait);
        if ready.wake {
            // Many wakes are one.
            let _ = self.wake.read(&mut [0; 64]);
        }
        if ready.input && self.lease.is_usable() {
            self.read(inputs);
        } else if ready.is_timed_out && listening == Listening::On && wait == pause {
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
    /// A press was just told.
    fn note(&mut self) {
        if self.end.is_none() {
            self.presses = [self.presses[1], self.pulse.told()];
            let is_watched = self.presses[0] > 0 && self.pulse.read() > 0;
            self.end = (is_watched && self.is_first_unread()).then(|| Instant::now() + UNREAD_WAIT);
        }
    }

    fn are_unread(&mut self) -> bool {
        if !self.is_first_unread() {
            self.end = None;
        }
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn is_first_unread(&self) -> bool {
        self.pulse.read() < self.presses[0]
    }

    fn sooner_than(&self, wait: Option<Duration>) -> Option<Duration> {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        [left, wait].into_iter().flatten().min()
    }
}
