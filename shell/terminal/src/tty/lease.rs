//! The lease: whether the terminal is ours, who may write to it, and what gives it back.
//! It can end on any thread: by the program, a signal, a panic, or a Ctrl+C that nobody reads.

use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use ports::TerminalEvent;

use super::Sink;
use super::device::Device;
use crate::paint::Painter;

/// How long whoever gives the terminal back waits for a write under way to stop.
const WRITER_WAIT: Duration = Duration::from_millis(200);

/// How long the last bytes may wait for a terminal that takes none.
const LAST_WRITE_WAIT: Duration = Duration::from_millis(200);

/// How long answers and key releases on their way are waited for before they are dropped.
const DRAIN_WAIT: Duration = Duration::from_millis(10);

const STEP: Duration = Duration::from_millis(2);

pub(super) struct Lease {
    device: Device,
    sink: Sink,
    /// Events handed to the sink, and events read by whoever is behind it.
    told: AtomicU64,
    read: AtomicU64,
    painter: Mutex<Painter>,
    /// What gives back all that the frames written so far have set.
    undo: Mutex<Undo>,
    /// Raw mode is on and frames may be written; off while the process is being stopped.
    is_held: AtomicBool,
    /// Over for good.
    is_ended: AtomicBool,
    /// The process was stopped and goes on: the terminal is to be taken again once it is ours to use.
    is_retake_due: AtomicBool,
    is_resize_due: AtomicBool,
    continued: (Mutex<bool>, Condvar),
    wake: PipeWriter,
}

#[derive(Default)]
struct Undo {
    bytes: Vec<u8>,
    leaves_unknown_column: bool,
}

impl Lease {
    /// Switches raw mode on. The pipe wakes the reader.
    pub(super) fn take(device: Device, sink: Sink) -> io::Result<(Self, PipeReader)> {
        device.set_raw()?;
        let (wake_reader, wake) = io::pipe()?;
        let lease = Self {
            device,
            sink,
            told: AtomicU64::new(0),
            read: AtomicU64::new(0),
            painter: Mutex::new(Painter::new()),
            undo: Mutex::new(Undo { bytes: Vec::new(), leaves_unknown_column: true }),
            is_held: AtomicBool::new(true),
            is_ended: AtomicBool::new(false),
            is_retake_due: AtomicBool::new(false),
            is_resize_due: AtomicBool::new(false),
            continued: (Mutex::new(false), Condvar::new()),
            wake,
        };
        Ok((lease, wake_reader))
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn tell(&self, event: TerminalEvent) {
        if !self.is_ended() {
            self.told.fetch_add(1, Ordering::Relaxed);
            (self.sink)(event);
        }
    }

    /// Tells what must be known although the terminal is given back.
    pub(super) fn tell_after_end(&self, event: TerminalEvent) {
        (self.sink)(event);
    }

    /// To be called once for every event that was read.
    pub(super) fn count_read(&self) {
        self.read.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn told_count(&self) -> u64 {
        self.told.load(Ordering::Relaxed)
    }

    pub(super) fn read_count(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The window may have another size; the reader tells it.
    pub(super) fn note_resize(&self) {
        self.is_resize_due.store(true, Ordering::Release);
        self.wake();
    }

    pub(super) fn tell_resize_if_due(&self) {
        if self.is_resize_due.swap(false, Ordering::AcqRel)
            && let Some(size) = self.device.size()
        {
            self.tell(TerminalEvent::Resized(size));
        }
    }

    pub(super) fn is_ended(&self) -> bool {
        self.is_ended.load(Ordering::Acquire)
    }

    /// Whether reading and writing is ours right now; in the background it is not.
    pub(super) fn is_usable(&self) -> bool {
        self.is_held.load(Ordering::Acquire)
            && !self.is_ended()
            && !self.is_retake_due.load(Ordering::Acquire)
            && self.device.is_foreground()
    }

    /// The painter, and with it the right to write.
    pub(super) fn painter(&self) -> MutexGuard<'_, Painter> {
        lock(&self.painter)
    }

    /// As [`Lease::painter`]; none if a write under way does not end in time.
    pub(super) fn painter_within(&self, wait: Duration) -> Option<MutexGuard<'_, Painter>> {
        let end = Instant::now() + wait;
        loop {
            match self.painter.try_lock() {
                Ok(painter) => return Some(painter),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if Instant::now() >= end => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(STEP),
            }
        }
    }

    /// Writes what the painter made, after noting how to undo it. Ends early when the lease does.
    pub(super) fn write(&self, painter: &Painter, bytes: &[u8]) -> io::Result<()> {
        *lock(&self.undo) = Undo { bytes: painter.leave(), leaves_unknown_column: painter.leaves_unknown_column() };
        self.device.write(bytes, || self.is_ended())
    }

    /// Ends the lease: gives everything back, then prints rows for the normal screen. A second call does nothing.
    pub(super) fn end(&self, farewell: &[String]) {
        if self.is_ended.swap(true, Ordering::AcqRel) {
            return;
        }
        self.wake();
        // On a writer that panicked this waits in vain, and then the bytes go out all the same.
        let _painter = self.painter_within(WRITER_WAIT);
        if self.is_held.swap(false, Ordering::AcqRel) {
            self.give_back(farewell);
        }
    }

    /// Gives the terminal back for as long as the process is stopped; false if it has ended already.
    pub(super) fn release(&self) -> bool {
        let is_released = self.is_held.swap(false, Ordering::AcqRel);
        if is_released {
            *lock(&self.continued.0) = false;
            self.give_back(&[]);
        }
        is_released
    }

    /// The process goes on after a stop, whoever stopped it.
    pub(super) fn go_on(&self) {
        self.is_retake_due.store(true, Ordering::Release);
        *lock(&self.continued.0) = true;
        self.continued.1.notify_all();
        self.wake();
    }

    /// Whether the process was continued since the release, waiting for the news.
    pub(super) fn is_continued_within(&self, wait: Duration) -> bool {
        let (continued, news) = &self.continued;
        let waited = news.wait_timeout_while(lock(continued), wait, |continued| !*continued);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Takes the terminal again after a stop, once it may be used.
    pub(super) fn retake_if_due(&self) {
        if self.is_ended() || !self.is_retake_due.load(Ordering::Acquire) || !self.device.is_foreground() {
            return;
        }
        let mut painter = self.painter();
        // A stop that came from outside left every mode set.
        let undo = std::mem::take(&mut lock(&self.undo).bytes);
        let _ = self.device.write(&undo, || self.is_ended());
        painter.forget();
        let _ = self.device.set_raw();
        self.is_held.store(true, Ordering::Release);
        self.is_retake_due.store(false, Ordering::Release);
        drop(painter);
        // The window may have changed while nobody could be told.
        self.is_resize_due.store(true, Ordering::Release);
        self.tell_resize_if_due();
        self.tell(TerminalEvent::Resumed);
    }

    fn wake(&self) {
        // A full pipe wakes as well.
        let _ = (&self.wake).write(&[0]);
    }

    /// All modes off in one write, then what is still on its way in is dropped, then the line settings.
    /// In the background nothing is written and no mode is changed.
    fn give_back(&self, farewell: &[String]) {
        if !self.device.is_foreground() {
            return;
        }
        let undo = std::mem::take(&mut *lock(&self.undo));
        let mut bytes = undo.bytes;
        if undo.leaves_unknown_column && !farewell.is_empty() {
            bytes.extend_from_slice(b"\r\n");
        }
        for row in farewell {
            bytes.extend_from_slice(screen::text::clean(row).as_bytes());
            bytes.extend_from_slice(b"\r\n");
        }
        let end = Instant::now() + LAST_WRITE_WAIT;
        // Nothing can be done for a terminal that is gone.
        let _ = self.device.write(&bytes, || Instant::now() >= end);
        std::thread::sleep(DRAIN_WAIT);
        let _ = self.device.set_found();
    }
}

/// A panic under a lock leaves what it guards as good as it was: bytes and flags.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
