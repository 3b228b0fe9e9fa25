//! The writer thread: one frame at a time to the terminal, and what became of it back.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use ports::{Fate, TerminalEvent};
use screen::Frame;

use super::lease::Lease;
use super::spawn;
use crate::input::Fact;
use crate::paint::Painter;

/// How often a frame that came in the background asks whether it may be written.
const BACKGROUND_STEP: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) enum Job {
    Frame(Frame),
    Learn(Fact),
}

pub(super) fn start(lease: Arc<Lease>, jobs: Receiver<Job>) -> io::Result<()> {
    spawn("terminal-writer", move || {
        for job in jobs {
            if let Err(error) = carry_out(&lease, job) {
                lease.tell(TerminalEvent::Gone { reason: format!("the terminal takes no more output: {error}") });
                return;
            }
            if lease.is_ended() {
                return;
            }
        }
    })
}

fn carry_out(lease: &Lease, job: Job) -> io::Result<()> {
    loop {
        let mut painter = lease.painter();
        if lease.is_ended() {
            return Ok(());
        }
        if lease.is_usable() {
            return match job {
                Job::Frame(frame) => paint(lease, &mut painter, &frame),
                Job::Learn(fact) => {
                    let bytes = painter.learn(fact);
                    lease.write(&painter, &bytes)
                }
            };
        }
        drop(painter);
        std::thread::sleep(BACKGROUND_STEP);
    }
}

/// The size is read right before encoding: a frame for another size would be painted wrong, so it is not.
fn paint(lease: &Lease, painter: &mut Painter, frame: &Frame) -> io::Result<()> {
    let size = lease.device().size().unwrap_or(frame.size);
    if size != frame.size {
        lease.tell(TerminalEvent::Painted { frame: frame.number, fate: Fate::Stale { size } });
        return Ok(());
    }
    let bytes = painter.encode(frame);
    lease.write(painter, &bytes)?;
    lease.tell(TerminalEvent::Painted { frame: frame.number, fate: Fate::Written });
    Ok(())
}
