//! What Esc and Ctrl+C mean right now: one press does the first rung that applies.
//! Decides only; `update` carries the rung out.

/// Two presses of Esc within this time are one double press.
const DOUBLE_ESC_MS: u64 = 500;
/// The exit hint stands this long.
const EXIT_HINT_MS: u64 = 2_000;
/// A reflex second Ctrl+C comes within this time and does not quit.
const REFLEX_MS: u64 = 500;

/// What of the interface the ladders look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation {
    pub overlay_open: bool,
    pub gate_armed: bool,
    pub menu_open: bool,
    /// A turn runs and was not yet told to stop.
    pub stoppable: bool,
    pub draft_written: bool,
}

/// What a further Ctrl+C meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    Stoppable,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rung {
    CloseOverlay,
    DenyGate,
    /// Denies the gate and stops the turn.
    DenyGateAndStop,
    CloseMenu,
    Stop,
    /// Shows that a second Esc clears the draft.
    HintClear,
    ClearDraft,
    Quit,
    /// Shows that a further Ctrl+C quits.
    HintQuit,
    Nothing,
}

#[derive(Clone, Default, Debug)]
pub struct Ladder {
    esc_armed_until_ms: Option<u64>,
    /// A double press has fired; Esc rests until another key comes.
    esc_spent: bool,
    exit_armed_until_ms: Option<u64>,
    /// When a Ctrl+C last cleared or stopped something.
    disturbed_at_ms: Option<u64>,
}

impl Ladder {
    /// What the status line says instead of everything else.
    pub fn hint(&self, now_ms: u64, work: Work) -> Option<&'static str> {
        if self.exit_armed_until_ms.is_some_and(|until_ms| now_ms < until_ms) {
            Some(match work {
                Work::Stoppable => "Ctrl+C again stops the turn",
                Work::None => "Ctrl+C again quits",
            })
        } else if self.esc_armed_until_ms.is_some_and(|until_ms| now_ms < until_ms) {
            Some("Esc again clears the draft")
        } else {
            None
        }
    }

    /// When a hint goes.
    pub fn wake_at(&self, now_ms: u64) -> Option<u64> {
        [self.esc_armed_until_ms, self.exit_armed_until_ms].into_iter().flatten().filter(|&at_ms| at_ms > now_ms).min()
    }

    /// Any key but Esc and Ctrl+C.
    pub fn note_other_key(&mut self) {
        self.esc_armed_until_ms = None;
        self.esc_spent = false;
        self.exit_armed_until_ms = None;
    }

    pub fn escape(&mut self, now_ms: u64, situation: Situation) -> Rung {
        self.exit_armed_until_ms = None;
        let second = self.esc_armed_until_ms.take().is_some_and(|until_ms| now_ms < until_ms);
        if situation.overlay_open {
            Rung::CloseOverlay
        } else if situation.gate_armed {
            Rung::DenyGate
        } else if situation.menu_open {
            Rung::CloseMenu
        } else if situation.stoppable {
            Rung::Stop
        } else if !situation.draft_written || self.esc_spent {
            Rung::Nothing
        } else if second {
            self.esc_spent = true;
            Rung::ClearDraft
        } else {
            self.esc_armed_until_ms = Some(now_ms + DOUBLE_ESC_MS);
            Rung::HintClear
        }
    }

    pub fn ctrl_c(&mut self, now_ms: u64, situation: Situation) -> Rung {
        self.esc_armed_until_ms = None;
        let armed = self.exit_armed_until_ms.is_some_and(|until_ms| now_ms < until_ms);
        if situation.overlay_open {
            Rung::CloseOverlay
        } else if situation.menu_open {
            Rung::CloseMenu
        } else if situation.gate_armed {
            Rung::DenyGateAndStop
        } else if situation.draft_written {
            self.disturb(now_ms);
            Rung::ClearDraft
        } else if situation.stoppable {
            self.disturb(now_ms);
            Rung::Stop
        } else if armed && !self.is_reflex(now_ms) {
            Rung::Quit
        } else {
            self.exit_armed_until_ms = Some(now_ms + EXIT_HINT_MS);
            self.disturbed_at_ms = None;
            Rung::HintQuit
        }
    }

    fn disturb(&mut self, now_ms: u64) {
        self.exit_armed_until_ms = Some(now_ms + EXIT_HINT_MS);
        self.disturbed_at_ms = Some(now_ms);
    }

    fn is_reflex(&self, now_ms: u64) -> bool {
        self.disturbed_at_ms.is_some_and(|at_ms| now_ms < at_ms + REFLEX_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Situation =
        Situation { overlay_open: false, gate_armed: false, menu_open: false, stoppable: false, draft_written: false };
    const WRITTEN: Situation = Situation { draft_written: true, ..IDLE };
    const RUNNING: Situation = Situation { stoppable: true, ..IDLE };

    #[test]
    fn two_presses_of_ctrl_c_quit_an_idle_interface() {
        let mut ladder = Ladder::default();
        assert_eq!(ladder.ctrl_c(1_000, IDLE), Rung::HintQuit);
        assert_eq!(ladder.hint(1_500, Work::None), Some("Ctrl+C again quits"));
        assert_eq!(ladder.ctrl_c(1_250, IDLE), Rung::Quit);
    }

    #[test]
    fn case_57_a_reflex_second_ctrl_c_after_clearing_only_shows_the_hint() {
        let mut ladder = Ladder::default();
        assert_eq!(ladder.ctrl_c(1_000, WRITTEN), Rung::ClearDraft);
        assert_eq!(ladder.ctrl_c(1_300, IDLE), Rung::HintQuit);
        assert_eq!(ladder.ctrl_c(1_400, IDLE), Rung::Quit);
    }

    #[test]
    fn the_exit_hint_runs_out_and_another_key_takes_it_away() {
        let mut ladder = Ladder::default();
        ladder.ctrl_c(1_000, IDLE);
        assert_eq!(ladder.ctrl_c(3_000, IDLE), Rung::HintQuit);
        ladder.note_other_key();
        assert_eq!(ladder.ctrl_c(3_100, IDLE), Rung::HintQuit);
    }

    #[test]
    fn esc_twice_clears_a_draft_and_then_rests_until_another_key() {
        let mut ladder = Ladder::default();
        assert_eq!(ladder.escape(1_000, WRITTEN), Rung::HintClear);
        assert_eq!(ladder.escape(1_400, WRITTEN), Rung::ClearDraft);
        assert_eq!(ladder.escape(1_500, WRITTEN), Rung::Nothing);
        ladder.note_other_key();
        assert_eq!(ladder.escape(2_000, WRITTEN), Rung::HintClear);
        assert_eq!(ladder.escape(2_600, WRITTEN), Rung::HintClear);
    }

    #[test]
    fn a_press_that_stopped_something_is_not_the_first_of_a_double() {
        let mut ladder = Ladder::default();
        let busy = Situation { draft_written: true, ..RUNNING };
        assert_eq!(ladder.escape(1_000, busy), Rung::Stop);
        assert_eq!(ladder.escape(1_100, WRITTEN), Rung::HintClear);
    }
}
