//! When a frame may be painted: at least 16 ms apart, at once for a key, one in flight.
//! Looks at no clock by itself and paints nothing.

use tokio::time::{Duration, Instant};

/// The least time between two frames, and between two steps of the pace.
/// A frame that a key caused is not held back by it.
const FRAME_MS_MIN: u64 = 16;

const FRAME_GAP: Duration = Duration::from_millis(FRAME_MS_MIN);

/// What the model says of its need for a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Need {
    /// A frame would differ from the last one taken.
    pub(crate) is_dirty: bool,
    /// When it is time for a frame without any message.
    pub(crate) wake: Option<Instant>,
}

#[derive(Debug, Default)]
pub(crate) struct Frames {
    last_number: u64,
    is_in_flight: bool,
    painted_at: Option<Instant>,
    stepped_at: Option<Instant>,
    key_waits: bool,
    /// The model had nothing to paint, though it is dirty: it waits for a message, such as its size.
    is_held: bool,
}

impl Frames {
    /// A key, or what is as good as one, wants to be seen at once.
    pub(crate) fn note_key(&mut self) {
        self.key_waits = true;
    }

    /// Any message may have brought what the model lacked.
    pub(crate) fn note_message(&mut self) {
        self.is_held = false;
    }

    /// What became of the frame in flight is known.
    pub(crate) fn note_fate(&mut self) {
        self.is_in_flight = false;
    }

    /// When something is to be done next; never while a frame is in flight.
    pub(crate) fn due(&self, need: Need, now: Instant) -> Option<Instant> {
        if self.is_in_flight || self.is_held {
            return None;
        }
        let paint = need.is_dirty.then(|| self.paint_from(now));
        let step = need.wake.map(|wake| self.step_from(wake, now));
        [paint, step].into_iter().flatten().min()
    }

    /// From when what an agent says can be seen, if that is not now: with the next frame.
    pub(crate) fn news_from(&self, now: Instant) -> Option<Instant> {
        self.painted_at.map(|at| at + FRAME_GAP).filter(|from| *from > now)
    }

    /// Whether the pace may make a step, and notes that it does.
    pub(crate) fn take_step(&mut self, wake: Option<Instant>, now: Instant) -> bool {
        let is_due = !self.is_in_flight && wake.is_some_and(|wake| self.step_from(wake, now) <= now);
        if is_due {
            self.stepped_at = Some(now);
        }
        is_due
    }

    /// The number of the frame to paint now, if one may be.
    pub(crate) fn take_turn(&mut self, is_dirty: bool, now: Instant) -> Option<u64> {
        // A key that changed nothing gives no later frame the right to be early.
        self.key_waits &= is_dirty;
        let is_free = !self.is_in_flight && !self.is_held;
        (is_dirty && is_free && self.paint_from(now) <= now).then_some(self.last_number + 1)
    }

    pub(crate) fn note_painted(&mut self, frame: u64, now: Instant) {
        self.last_number = frame;
        self.is_in_flight = true;
        self.painted_at = Some(now);
        self.key_waits = false;
    }

    pub(crate) fn note_nothing_to_paint(&mut self) {
        self.is_held = true;
    }

    /// From when a frame may be painted.
    fn paint_from(&self, now: Instant) -> Instant {
        match self.painted_at {
            Some(at) if !self.key_waits => at + FRAME_GAP,
            Some(_) | None => now,
        }
    }

    /// From when the pace may make the step that is due at `wake`: with a frame, and 16 ms after the last step.
    fn step_from(&self, wake: Instant, now: Instant) -> Instant {
        let since_step = self.stepped_at.map_or(wake, |at| at + FRAME_GAP);
        wake.max(since_step).max(self.paint_from(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRTY: Need = Need { is_dirty: true, wake: None };

    fn after(start: Instant, delay_ms: u64) -> Instant {
        start + Duration::from_millis(delay_ms)
    }

    fn painted_once(start: Instant) -> Frames {
        let mut frames = Frames::default();
        assert_eq!(frames.take_turn(true, start), Some(1));
        frames.note_painted(1, start);
        frames.note_fate();
        frames
    }

    #[test]
    fn the_first_frame_is_painted_at_once_and_the_next_16_ms_later() {
        let start = Instant::now();
        assert_eq!(Frames::default().due(DIRTY, start), Some(start));
        let mut frames = painted_once(start);
        assert_eq!(frames.due(DIRTY, after(start, 3)), Some(after(start, 16)));
        assert_eq!(frames.take_turn(true, after(start, 15)), None);
        assert_eq!(frames.take_turn(true, after(start, 16)), Some(2));
    }

    #[test]
    fn a_frame_that_a_key_caused_is_painted_at_once() {
        let start = Instant::now();
        let mut frames = painted_once(start);
        frames.note_key();
        assert_eq!(frames.take_turn(true, after(start, 2)), Some(2));
    }

    #[test]
    fn a_key_that_changed_nothing_makes_no_later_frame_early() {
        let start = Instant::now();
        let mut frames = painted_once(start);
        frames.note_key();
        assert_eq!(frames.take_turn(false, after(start, 1)), None);
        assert_eq!(frames.take_turn(true, after(start, 2)), None);
    }

    #[test]
    fn nothing_is_due_while_a_frame_is_in_flight_or_nothing_changed() {
        let start = Instant::now();
        let mut frames = painted_once(start);
        assert_eq!(frames.due(Need { is_dirty: false, wake: None }, after(start, 100)), None);
        frames.note_painted(2, after(start, 20));
        frames.note_key();
        assert_eq!(frames.due(Need { is_dirty: true, wake: Some(start) }, after(start, 100)), None);
        assert_eq!(frames.take_turn(true, after(start, 100)), None);
    }

    #[test]
    fn the_pace_keeps_its_16_ms_however_many_keys_come() {
        let start = Instant::now();
        let mut frames = painted_once(start);
        let mut steps = Vec::new();
        for now_ms in 0..100 {
            frames.note_key();
            if frames.take_step(Some(start), after(start, now_ms)) {
                steps.push(now_ms);
            }
        }
        assert_eq!(steps, [0, 16, 32, 48, 64, 80, 96]);
    }

    #[test]
    fn a_model_without_a_size_is_asked_again_only_after_a_message() {
        let start = Instant::now();
        let mut frames = Frames::default();
        frames.note_nothing_to_paint();
        assert_eq!(frames.due(DIRTY, start), None);
        frames.note_message();
        assert_eq!(frames.due(DIRTY, start), Some(start));
    }
}
