//! Stopping the process and going on, where a shell is there to do the second.

use std::time::Duration;

use rustix::process::{Pid, Signal, getpgid, getpgrp, getpid, getppid, getsid, kill_process_group};

use super::lease::Lease;

/// How long a write under way may hold the suspension up.
const WRITER_WAIT: Duration = Duration::from_secs(1);

/// How soon after going on the news of it must be there; without it the process was never stopped.
const NEWS_WAIT: Duration = Duration::from_millis(500);

const NO_SHELL: &str = "there is no shell above that could continue this: run it from a shell to suspend it";
const NO_OUTPUT: &str = "the terminal takes no output right now, so it cannot be given back: try again";

/// Gives the terminal back and stops the process group; returns when it goes on. The reader then takes it again.
pub(super) fn suspend(lease: &Lease) -> Result<(), String> {
    if !has_job_control() {
        return Err(NO_SHELL.to_owned());
    }
    let painter = lease.painter_within(WRITER_WAIT).ok_or(NO_OUTPUT)?;
    if !lease.release() {
        return Ok(());
    }
    drop(painter);
    let stopped = kill_process_group(getpgrp(), Signal::TSTP);
    if stopped.is_ok() && lease.is_continued_within(NEWS_WAIT) {
        return Ok(());
    }
    // The kernel ignores the signal where nobody could continue the group.
    lease.go_on();
    Err(NO_SHELL.to_owned())
}

/// Whether a process of another group of this session is above: a shell that sees the stop.
fn has_job_control() -> bool {
    let session = getsid(None);
    if session == Ok(getpid()) {
        return false;
    }
    let group = getpgrp();
    let mut parent = getppid();
    while let Some(process) = parent {
        if getsid(Some(process)) != session {
            return false;
        }
        if getpgid(Some(process)) != Ok(group) {
            return true;
        }
        parent = parent_of(process);
    }
    false
}

/// The parent of another process, as Linux tells it. Elsewhere the kernel decides when the signal is sent.
fn parent_of(process: Pid) -> Option<Pid> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    Pid::from_raw(after_name.split_whitespace().nth(1)?.parse().ok()?)
}
