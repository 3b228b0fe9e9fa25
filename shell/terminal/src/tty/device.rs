//! The terminal device: bytes in and out, its size and its line settings. Decides nothing.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{self, OptionalActions, QueueSelector, Termios};
use screen::Size;

/// How long one wait for room in the output lasts, before it is asked whether to go on.
const WRITE_WAIT: Duration = Duration::from_millis(50);

/// Bytes read at once.
const READ_BYTES_MAX: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct Device {
    input: OwnedFd,
    output: OwnedFd,
    found: Termios,
}

/// Whether input is waited for; a process in the background must not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Listening {
    On,
    Off,
}

/// What ended a wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    pub(super) wake: bool,
    pub(super) input: bool,
    pub(super) is_timed_out: bool,
}

/// What a read gave.
#[derive(Debug)]
pub(super) enum Read {
    Bytes(Vec<u8>),
    Nothing,
    Gone { reason: String },
}

impl Device {
    /// Opens both ends anew, so that they can be set not to block without that reaching other processes.
    pub(super) fn open(input: &OwnedFd, output: &OwnedFd) -> io::Result<Self> {
        for (end, name) in [(input, "standard input"), (output, "standard output")] {
            if !termios::isatty(end) {
                return Err(io::Error::other(format!("{name} is no terminal: start this in one")));
            }
        }
        Ok(Self { found: termios::tcgetattr(input)?, input: reopen(input)?, output: reopen(output)? })
    }

    pub(super) fn set_raw(&self) -> io::Result<()> {
        let mut raw = self.found.clone();
        raw.make_raw();
        Ok(termios::tcsetattr(&self.input, OptionalActions::Now, &raw)?)
    }

    /// Puts the line settings back as they were found, and drops what was typed and not read.
    pub(super) fn set_found(&self) -> io::Result<()> {
        termios::tcflush(&self.input, QueueSelector::IFlush)?;
        Ok(termios::tcsetattr(&self.input, OptionalActions::Now, &self.found)?)
    }

    /// The window's size, if the terminal has told it.
    pub(super) fn size(&self) -> Option<Size> {
        let size = termios::tcgetwinsize(&self.output).ok()?;
        (size.ws_col > 0 && size.ws_row > 0).then_some(Size { cols: size.ws_col, rows: size.ws_row })
    }

    /// Whether this process may use the terminal; a terminal that does not control it has no background.
    pub(super) fn is_foreground(&self) -> bool {
        termios::tcgetpgrp(&self.output).map_or(true, |group| group == rustix::process::getpgrp())
    }

    /// Waits until there is input, if it is listened to, or `wake` is readable; without a time it waits for ever.
    pub(super) fn wait(&self, wake: BorrowedFd, listening: Listening, wait: Option<Duration>) -> Ready {
        let mut ends = vec![PollFd::new(&wake, PollFlags::IN)];
        if listening == Listening::On {
            ends.push(PollFd::new(&self.input, PollFlags::IN));
        }
        // An interrupted wait leaves the flags empty: the caller looks around and waits again.
        let is_whole = poll(&mut ends, wait.map(timespec).as_ref()).is_ok();
        let is_ready = |index: usize| ends.get(index).is_some_and(|end| is_whole && !end.revents().is_empty());
        Ready { wake: is_ready(0), input: is_ready(1), is_timed_out: is_whole && !is_ready(0) && !is_ready(1) }
    }

    pub(super) fn read(&self) -> Read {
        let mut bytes = vec![0; READ_BYTES_MAX];
        match rustix::io::read(&self.input, &mut bytes) {
            Ok(0) => Read::Gone { reason: "the terminal was closed".to_owned() },
            Ok(count) => {
                bytes.truncate(count);
                Read::Bytes(bytes)
            }
            Err(Errno::INTR | Errno::AGAIN) => Read::Nothing,
            Err(error) => Read::Gone { reason: format!("the terminal cannot be read: {error}") },
        }
    }

    /// Writes everything, waiting for room; gives up when asked to between two waits.
    pub(super) fn write(&self, mut bytes: &[u8], gives_up: impl Fn() -> bool) -> io::Result<()> {
        while !bytes.is_empty() {
            match rustix::io::write(&self.output, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if gives_up() => return Err(io::ErrorKind::TimedOut.into()),
                Err(Errno::AGAIN) => {
                    let _ = poll(&mut [PollFd::new(&self.output, PollFlags::OUT)], Some(&timespec(WRITE_WAIT)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Opens the terminal by its name, or as the controlling one where the name belongs to another user.
fn reopen(end: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let by_name = termios::ttyname(end, Vec::new()).and_then(|name| rustix::fs::open(&name, flags, Mode::empty()));
    if let Ok(end) = by_name {
        return Ok(end);
    }
    let is_controlling = termios::tcgetsid(end).is_ok_and(|session| Ok(session) == rustix::process::getsid(None));
    if is_controlling && let Ok(end) = rustix::fs::open(Path::new("/dev/tty"), flags, Mode::empty()) {
        return Ok(end);
    }
    end.as_fd().try_clone_to_owned()
}

fn timespec(duration: Duration) -> Timespec {
    Timespec::try_from(duration).expect("waits are short")
}
