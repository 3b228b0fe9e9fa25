//! The real terminal: a reader thread, a writer thread, the signals, and the way back out.
//! Chooses no bytes of a frame (`paint` does) and no meaning of a key (`input` does).

mod device;
mod job_control;
mod lease;
mod reader;
mod signals;
mod writer;

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ports::{Terminal, TerminalEvent};
use screen::{Frame, Size};

use self::device::Device;
use self::lease::Lease;
use self::writer::Job;

/// A lone ESC byte is the key after this time, longer where the network may split a sequence.
const ESCAPE_WAIT_MS: u64 = 25;
const ESCAPE_WAIT_SSH_MS: u64 = 50;

/// A size that the terminal has not told by then is taken for this one.
const SIZE_WAIT: Duration = Duration::from_millis(250);
const SIZE_ASSUMED: Size = Size { cols: 80, rows: 24 };

/// Jobs on their way to the writer: the frame in flight, and facts. A fact more is dropped.
const JOBS_MAX: usize = 8;

/// What a panic means as an exit code.
const PANIC_CODE: i32 = 101;

/// Where events go. Called on the terminal's threads, and once by [`Tty::open`]; while it blocks, no key is read.
pub type Sink = Arc<dyn Fn(TerminalEvent) + Send + Sync>;

#[derive(Debug)]
pub struct Options {
    pub input: OwnedFd,
    pub output: OwnedFd,
    /// After this time a lone ESC byte is the key.
    pub escape_wait_ms: u64,
    /// Panics of threads with this name are caught by whoever runs them: they end nothing, and go to the log.
    pub caught_thread: &'static str,
}

/// A terminal that was taken, and is given back at the latest when this is dropped.
pub struct Tty {
    lease: Arc<Lease>,
    jobs: SyncSender<Job>,
}

impl Options {
    /// Standard input and output, and a wait by whether this is an ssh session.
    ///
    /// # Errors
    /// A standard stream is closed.
    pub fn of_process(caught_thread: &'static str) -> io::Result<Self> {
        let is_remote = ["SSH_TTY", "SSH_CONNECTION"].iter().any(|name| std::env::var_os(name).is_some());
        Ok(Self {
            input: io::stdin().as_fd().try_clone_to_owned()?,
            output: io::stdout().as_fd().try_clone_to_owned()?,
            escape_wait_ms: if is_remote { ESCAPE_WAIT_SSH_MS } else { ESCAPE_WAIT_MS },
            caught_thread,
        })
    }
}

impl Tty {
    /// Takes the terminal: raw mode is on and the size told when this returns. Modes come with the first frame.
    ///
    /// # Errors
    /// Input or output is no terminal, or cannot be set up.
    pub fn open(options: Options, sink: Sink) -> io::Result<Self> {
        let device = Device::open(&options.input, &options.output)?;
        let (lease, wake) = Lease::take(device, sink)?;
        let lease = Arc::new(lease);
        give_back_on_panic(Arc::downgrade(&lease), options.caught_thread);
        tell_size(&lease)?;
        let (jobs, queue) = std::sync::mpsc::sync_channel(JOBS_MAX);
        signals::start(lease.clone())?;
        writer::start(lease.clone(), queue)?;
        reader::start(reader::Setup {
            lease: lease.clone(),
            wake,
            jobs: jobs.clone(),
            escape_wait_ms: options.escape_wait_ms,
        })?;
        Ok(Self { lease, jobs })
    }
}

impl Terminal for Tty {
    fn paint(&mut self, frame: Frame) {
        // The writer is gone only once the terminal is, and that has been told.
        let _ = self.jobs.send(Job::Frame(frame));
    }

    fn note_read(&mut self) {
        self.lease.count_read();
    }

    fn leave(&mut self, farewell: Vec<String>) {
        self.lease.end(&farewell);
    }

    fn suspend(&mut self) -> Result<(), String> {
        job_control::suspend(&self.lease)
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.lease.end(&[]);
    }
}

fn tell_size(lease: &Arc<Lease>) -> io::Result<()> {
    if let Some(size) = lease.device().size() {
        lease.tell(TerminalEvent::Resized(size));
        return Ok(());
    }
    let lease = lease.clone();
    spawn("terminal-size", move || {
        std::thread::sleep(SIZE_WAIT);
        lease.tell(TerminalEvent::Resized(lease.device().size().unwrap_or(SIZE_ASSUMED)));
    })
}

/// A panic's message must not be lost on the alternate screen or in raw mode.
fn give_back_on_panic(lease: Weak<Lease>, caught_thread: &'static str) {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let lease = lease.upgrade().filter(|lease| !lease.is_ended());
        if lease.is_some() && std::thread::current().name() == Some(caught_thread) {
            // Printed, the message would stand amid the picture.
            tracing::error!(component = "terminal", panic = %panic, "a panic that is caught");
            return;
        }
        if let Some(lease) = &lease {
            lease.end(&[]);
        }
        previous(panic);
        if let Some(lease) = lease {
            // On a thread of its own: whoever panics may be the one who reads events.
            let _ =
                spawn("terminal-panic", move || lease.tell_after_end(TerminalEvent::Terminate { code: PANIC_CODE }));
        }
    }));
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
}
