//! A pty, and everything that is written to it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use screen::Size;

/// No wait of a healthy run comes near it.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Pty {
    master: File,
    name: OsString,
    /// While it is open, reading the other end cannot fail between two programs.
    slave: OwnedFd,
    record: Arc<(Mutex<Vec<u8>>, Condvar)>,
}

impl Pty {
    /// Opens a pty; what is written to it is recorded only from [`Pty::record`] on.
    pub(crate) fn new(size: Option<Size>) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = OsString::from_vec(ptsname(&master, Vec::new()).unwrap().into_bytes());
        let slave = open(&name);
        let pty = Self { master: File::from(master), name, slave, record: Arc::default() };
        if let Some(size) = size {
            pty.resize(size);
        }
        pty
    }

    pub(crate) fn record(self) -> Self {
        let (mut master, record) = (self.master.try_clone().unwrap(), self.record.clone());
        std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(count) = master.read(&mut bytes) {
                record.0.lock().unwrap().extend_from_slice(&bytes[..count]);
                record.1.notify_all();
            }
        });
        self
    }

    pub(crate) fn slave(&self) -> OwnedFd {
        open(&self.name)
    }

    pub(crate) fn resize(&self, size: Size) {
        let window = Winsize { ws_row: size.rows, ws_col: size.cols, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.master, window).unwrap();
    }

    pub(crate) fn settings(&self) -> Termios {
        tcgetattr(&self.slave).unwrap()
    }

    pub(crate) fn type_bytes(&self, bytes: &[u8]) {
        (&self.master).write_all(bytes).unwrap();
    }

    pub(crate) fn written(&self) -> Vec<u8> {
        self.record.0.lock().unwrap().clone()
    }

    /// Waits until `text` was written `count` times in all.
    pub(crate) fn expect(&self, text: &str, count: usize) {
        let (record, news) = &*self.record;
        let seen = |record: &mut Vec<u8>| String::from_utf8_lossy(record).matches(text).count() < count;
        let (record, waited) = news.wait_timeout_while(record.lock().unwrap(), PATIENCE, seen).unwrap();
        assert!(!waited.timed_out(), "{text:?} not {count} times in {:?}", String::from_utf8_lossy(&record));
    }

    /// Runs a program in a session of its own, with this as its terminal.
    pub(crate) fn run(&self, arguments: &[&str]) -> Child {
        let end = || Stdio::from(self.slave());
        Command::new("setsid").arg("-c").args(arguments).stdin(end()).stdout(end()).stderr(end()).spawn().unwrap()
    }
}

fn open(name: &OsString) -> OwnedFd {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    rustix::fs::open(name.as_os_str(), flags, Mode::empty()).unwrap()
}

/// Waits for the end of a child that was told to end.
pub(crate) fn exit_code(mut child: Child) -> Option<i32> {
    let (tell, told) = std::sync::mpsc::channel();
    let id = rustix::process::Pid::from_child(&child);
    std::thread::spawn(move || tell.send(child.wait().unwrap().code()));
    told.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        rustix::process::kill_process(id, rustix::process::Signal::KILL).unwrap();
        panic!("the child does not end");
    })
}
