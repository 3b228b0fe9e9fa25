//! One command in a session of its own: started, watched, and stopped with all it started.
//! What the output means and how it is kept is the caller's business.
//!
//! Runs on a thread, by the real clock: a child does not know of any other.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use process_wrap::std::{CommandWrap, ProcessSession};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// Output is handed on at most this often.
const HAND_ON_MS: u64 = 30;

/// Output is handed on at once when so much has come.
const HAND_ON_BYTES: usize = 64 * 1_024;

/// How long output is still waited for when the shell has ended and something else holds the pipe.
const DRAIN_MS_MAX: u64 = 100;

/// How long a process may take to end by itself before it is killed.
const GRACE_MS_MAX: u64 = 100;

/// How long a killed process may take to be gone; then it is left to the system.
const KILLED_MS_MAX: u64 = 50;

/// How often the group is looked at while it ends.
const LOOK_MS: u64 = 2;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Exited { code: i32 },
    Killed { signal: i32 },
    TimedOut,
    Cancelled,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    pub(crate) ending: Ending,
    /// The shell had ended, and something it had started was stopped.
    pub(crate) stopped_others: bool,
}

/// The hold on a running command: when the other end is dropped, the command is stopped.
pub(crate) struct Leash(PipeReader);

impl Leash {
    pub(crate) fn new() -> io::Result<(Self, PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        Ok((Self(reader), writer))
    }
}

/// Runs `command` in `directory` to its end, or until `time_max` is over or the leash is let go.
/// `hand_on` gets standard output and standard error as they come.
pub(crate) fn run(
    mut command: Command,
    directory: &Path,
    time_max: Duration,
    leash: &Leash,
    hand_on: impl FnMut(&[u8]),
) -> io::Result<Report> {
    let (output, writer) = io::pipe()?;
    rustix::io::ioctl_fionbio(&output, true)?;
    command.current_dir(directory).stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let child = Child::start(command)?;
    let mut watch = Watch { output: Some(output), pending: Vec::new(), handed_on: Instant::now(), hand_on };
    let end = watch.until_end(&child, leash, time_max)?;
    // What still runs now was left in the background, or is what has to stop.
    let stopped_others = child.stop_group();
    watch.read_what_is_there()?;
    watch.flush();
    let ending = match end {
        End::Exited => child.ending()?,
        End::TimedOut => Ending::TimedOut,
        End::Cancelled => Ending::Cancelled,
    };
    Ok(Report { ending, stopped_others: stopped_others && end == End::Exited })
}

/// Why the watch is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Exited,
    TimedOut,
    Cancelled,
}

/// A started command and the group of all it starts.
struct Child {
    group: Pid,
    /// Closed when the shell has ended.
    exit: PipeReader,
    status: Receiver<io::Result<ExitStatus>>,
}

impl Child {
    /// Starts a command without a terminal, in a session and group of its own, with a thread that waits for it.
    fn start(command: Command) -> io::Result<Self> {
        let (exit, exit_writer) = io::pipe()?;
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessSession);
        let mut child = command.spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process has a positive number");
        let (sender, status) = channel();
        let wait = move || {
            // The receiver is gone when the command outlived its killing; it is reaped all the same.
            let _ = sender.send(child.wait());
            drop(exit_writer);
        };
        let waiter = std::thread::Builder::new().name("command".to_owned()).spawn(wait);
        waiter.inspect_err(|_| signal(group, Signal::KILL))?;
        Ok(Self { group, exit, status })
    }

    /// Ends the group, kindly first; returns whether there was anything left to end.
    fn stop_group(&self) -> bool {
        if !self.is_group_alive() {
            return false;
        }
        signal(self.group, Signal::TERM);
        if !self.is_gone_within(GRACE_MS_MAX) {
            signal(self.group, Signal::KILL);
            self.is_gone_within(KILLED_MS_MAX);
        }
        true
    }

    fn is_gone_within(&self, time_ms_max: u64) -> bool {
        let end = Instant::now() + Duration::from_millis(time_ms_max);
        while self.is_group_alive() {
            if Instant::now() >= end {
                return false;
            }
            std::thread::sleep(Duration::from_millis(LOOK_MS));
        }
        true
    }

    fn is_group_alive(&self) -> bool {
        test_kill_process_group(self.group).is_ok()
    }

    fn ending(&self) -> io::Result<Ending> {
        let status = self.status.recv().map_err(io::Error::other)??;
        Ok(match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited { code },
            (None, signal) => Ending::Killed { signal: signal.unwrap_or(0) },
        })
    }
}

/// Sends a signal to a group that may be gone already.
fn signal(group: Pid, signal: Signal) {
    let _ = kill_process_group(group, signal);
}

/// What is read of a running command.
struct Watch<HandOn> {
    /// None when all writers have closed it.
    output: Option<PipeReader>,
    pending: Vec<u8>,
    handed_on: Instant,
    hand_on: HandOn,
}

impl<HandOn: FnMut(&[u8])> Watch<HandOn> {
    fn until_end(&mut self, child: &Child, leash: &Leash, time_max: Duration) -> io::Result<End> {
        let deadline = Instant::now() + time_max;
        let mut drained_at = None;
        loop {
            let due = [Some(deadline), drained_at, self.hand_on_at()].into_iter().flatten().min();
            let ready = self.wait(child, leash, drained_at.is_some(), due.unwrap_or(deadline))?;
            if ready.let_go {
                return Ok(End::Cancelled);
            }
            if ready.exited && drained_at.is_none() {
                drained_at = Some(Instant::now() + Duration::from_millis(DRAIN_MS_MAX));
            }
            if ready.output {
                self.read_some()?;
            }
            let now = Instant::now();
            if self.pending.len() >= HAND_ON_BYTES || self.hand_on_at().is_some_and(|due| now >= due) {
                self.flush();
            }
            if drained_at.is_some_and(|end| self.output.is_none() || now >= end) {
                return Ok(End::Exited);
            }
            if now >= deadline {
                return Ok(End::TimedOut);
            }
        }
    }

    /// Waits until something happens or `due` has come.
    fn wait(&self, child: &Child, leash: &Leash, has_exited: bool, due: Instant) -> io::Result<Ready> {
        let left = due.saturating_duration_since(Instant::now());
        let timeout =
            Timespec { tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: left.subsec_nanos().into() };
        let watched = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
        let mut fds = vec![watched(leash.0.as_fd())];
        fds.extend((!has_exited).then(|| watched(child.exit.as_fd())));
        fds.extend(self.output.as_ref().map(|output| watched(output.as_fd())));
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(Ready {
            let_go: ready.next().unwrap_or(false),
            exited: has_exited || ready.next().unwrap_or(false),
            output: ready.next().unwrap_or(false),
        })
    }

    /// Reads what is there once; the end of the output closes it.
    fn read_some(&mut self) -> io::Result<bool> {
        let Some(output) = &mut self.output else { return Ok(false) };
        let mut buffer = [0; HAND_ON_BYTES];
        match output.read(&mut buffer) {
            Ok(0) => self.output = None,
            Ok(count) => {
                self.pending.extend_from_slice(&buffer[..count]);
                return Ok(true);
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
        Ok(false)
    }

    /// Reads the rest after the group has ended, at most one pipe full: a stray writer could go on for ever.
    fn read_what_is_there(&mut self) -> io::Result<()> {
        self.read_some()?;
        self.read_some()?;
        Ok(())
    }

    fn hand_on_at(&self) -> Option<Instant> {
        (!self.pending.is_empty()).then(|| self.handed_on + Duration::from_millis(HAND_ON_MS))
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            (self.hand_on)(&self.pending);
            self.pending.clear();
            self.handed_on = Instant::now();
        }
    }
}

/// What a wait was ended by.
struct Ready {
    let_go: bool,
    exited: bool,
    output: bool,
}
