//! Painting: whether a frame, one of its redraws or nothing reaches the terminal, and what becomes of its history rows.
//! Encodes no bytes and compares no cells: a check is a result, a row is a number.

use contracts::{decreases, ensures, invariant, law, requires, spec};

/// The ways to draw a frame, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// What leads from the last picture to this one.
    Frame,
    /// The live area drawn whole.
    LiveRedraw,
    /// The screen pushed into the scrollback, the picture on a blank one.
    FreshRedraw,
}

/// How far the painting of a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// The attempt is to be drawn and checked.
    Checking,
    /// The attempt is to be written.
    Passed,
    /// Nothing is to be written.
    Rejected,
}

/// The painting of one frame: the attempt at hand and what is to be done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Painting {
    pub attempt: Attempt,
    pub state: State,
}

/// The rows that were given to the scrollback since the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct History {
    /// How many are written.
    pub written: u64,
    /// How many wait, as their frames were rejected.
    pub pending: u64,
}

/// Every frame begins with itself, however the one before it ended.
pub fn begin() -> Painting {
    Painting { attempt: Attempt::Frame, state: State::Checking }
}

/// Takes the result of the check of the attempt at hand; what is decided stays decided.
pub fn after_check(painting: Painting, passed: bool) -> Painting {
    match painting.state {
        State::Passed | State::Rejected => painting,
        State::Checking => {
            if passed {
                Painting { state: State::Passed, ..painting }
            } else {
                match painting.attempt {
                    Attempt::Frame => Painting { attempt: Attempt::LiveRedraw, ..painting },
                    Attempt::LiveRedraw => Painting { attempt: Attempt::FreshRedraw, ..painting },
                    Attempt::FreshRedraw => Painting { state: State::Rejected, ..painting },
                }
            }
        }
    }
}

/// Returns the history after a frame with `rows` of its own: a painted one writes the pending rows and then its own,
/// of a rejected one its own wait behind the pending ones.
#[requires(history.written as i128 + history.pending as i128 + rows as i128 <= u64::MAX as i128)]
#[ensures(paint_rows_conserved: result.written + result.pending == history.written + history.pending + rows)]
#[ensures(paint_pending_kept: if painted { result.pending == 0 } else { result.written == history.written })]
pub fn after_frame(history: History, rows: u64, painted: bool) -> History {
    if painted {
        History { written: history.written + history.pending + rows, pending: 0 }
    } else {
        History { pending: history.pending + rows, ..history }
    }
}

/// Rejections in a row, and which of them the log records: numbers 1, 2, 4, 8 and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rejections {
    pub count: u64,
    /// The number of the next one to be recorded, or of this one; 0 when no number is left that is double the last.
    pub logged: u64,
}

/// Where a row of rejections begins: after a frame that was painted, and at the start.
pub fn no_rejections() -> Rejections {
    Rejections { count: 0, logged: 1 }
}

/// Returns the row of rejections after a frame that ended so.
#[ensures(returns: state != State::Checking || result == before)]
#[ensures(returns: state != State::Passed || (result.count == 0 && result.logged == 1))]
#[ensures(returns: state != State::Rejected || result.count == before.count.saturating_add(1))]
#[ensures(returns: state != State::Rejected || result.logged == logged_after(before))]
pub fn after_painting(before: Rejections, state: State) -> Rejections {
    match state {
        State::Checking => before,
        State::Passed => no_rejections(),
        State::Rejected => Rejections { count: before.count.saturating_add(1), logged: logged_after(before) },
    }
}

fn logged_after(before: Rejections) -> u64 {
    if !is_logged(before) {
        before.logged
    } else if before.logged <= u64::MAX / 2 {
        before.logged * 2
    } else {
        0
    }
}

/// Whether the log records the rejection that came last.
pub fn is_logged(rejections: Rejections) -> bool {
    rejections.count == rejections.logged
}

/// How the three checks of a frame would go; those that are not run do not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    pub frame: bool,
    pub live_redraw: bool,
    pub fresh_redraw: bool,
}

/// Whether this attempt's own check passes.
pub fn passes(checks: Checks, attempt: Attempt) -> bool {
    match attempt {
        Attempt::Frame => checks.frame,
        Attempt::LiveRedraw => checks.live_redraw,
        Attempt::FreshRedraw => checks.fresh_redraw,
    }
}

/// Runs one check if one is still to be run.
pub fn step(painting: Painting, checks: Checks) -> Painting {
    after_check(painting, passes(checks, painting.attempt))
}

/// Runs all checks that are to be run.
pub fn settled(checks: Checks) -> Painting {
    step(step(step(begin(), checks), checks), checks)
}

/// What is written passed its own check; what is not has failed all three.
#[law]
pub fn verify_only_checked(checks: Checks) -> bool {
    match settled(checks).state {
        State::Checking => false,
        State::Passed => passes(checks, settled(checks).attempt),
        State::Rejected => !checks.frame && !checks.live_redraw && !checks.fresh_redraw,
    }
}

/// The first of frame, live redraw and fresh redraw that passes is written; if none does, nothing is.
#[law]
pub fn paint_first_passing_check(checks: Checks) -> bool {
    if checks.frame {
        settled(checks).state == State::Passed && settled(checks).attempt == Attempt::Frame
    } else if checks.live_redraw {
        settled(checks).state == State::Passed && settled(checks).attempt == Attempt::LiveRedraw
    } else if checks.fresh_redraw {
        settled(checks).state == State::Passed && settled(checks).attempt == Attempt::FreshRedraw
    } else {
        settled(checks).state == State::Rejected
    }
}

/// A frame that passes its check is written after this one check.
#[law]
pub fn paint_passed_is_written(checks: Checks) -> bool {
    !checks.frame || (step(begin(), checks).state == State::Passed && step(begin(), checks).attempt == Attempt::Frame)
}

/// A redraw is asked for only when the checks before it were run and failed, and never a fourth check.
#[law]
pub fn paint_asks_in_order(checks: Checks) -> bool {
    let first = begin();
    let second = step(first, checks);
    let third = step(second, checks);
    first.attempt == Attempt::Frame
        && (second.state != State::Checking || (second.attempt == Attempt::LiveRedraw && !checks.frame))
        && (third.state != State::Checking
            || (third.attempt == Attempt::FreshRedraw && !checks.frame && !checks.live_redraw))
        && step(third, checks).state != State::Checking
}

/// Fills in which of the rejections in a row are logged, the first at place 0.
#[ensures(paint_log_doubles: logged.len() == 0 || logged[0])]
#[ensures(paint_log_doubles: (0..logged.len()).all(|i| !logged[i] || i >= logged.len() - 1 - i || logged[i + 1 + i]))]
#[ensures(paint_log_doubles: (0..logged.len()).all(|i| !logged[i] || (i + 1..logged.len()).all(|j| !logged[j] || i < j - i)))]
pub fn logged_rejections(logged: &mut [bool]) {
    let mut rejections = no_rejections();
    let mut next = 0;
    while next < logged.len() {
        invariant!(next <= logged.len() && rejections.count == next as u64);
        invariant!(if next == 0 { rejections.logged == 1 } else { logged[0] });
        invariant!(rejections.logged == 0 || next as u64 <= rejections.logged);
        invariant!((0..next).all(|i| !logged[i] || is_doubled(logged, next, logged_after(rejections), i)));
        decreases!(logged.len() - next);
        rejections = after_painting(rejections, State::Rejected);
        logged[next] = is_logged(rejections);
        next += 1;
    }
}

/// Whether, of the first `next` rejections, the double of a logged one is logged, or is the one to come, and none between.
#[spec]
fn is_doubled(logged: &[bool], next: usize, coming: u64, i: usize) -> bool {
    let double = (i as i128 + 1) * 2;
    (i + 1..next).all(|j| !logged[j] || double <= j as i128 + 1)
        && (if double <= next as i128 {
            (0..next).any(|j| j as i128 + 1 == double && logged[j])
        } else {
            coming as i128 == double || (coming == 0 && double > u64::MAX as i128)
        })
}

/// A frame as the rows under it see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handover {
    pub rows: u64,
    pub checks: Checks,
}

/// The history after some frames, and how many rows they have handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Account {
    pub handed: u64,
    pub history: History,
}

/// Plays any frames, with any results of their checks, as a painter would: `sent` gets the rows in the order in which
/// they are written, `queue` holds the pending ones. A row is its number in the order of handing over, from 0.
/// Rows for which the slices have no place are not handed over.
#[requires(queue.len() == sent.len())]
#[ensures(paint_rows_conserved: result.handed == result.history.written + result.history.pending)]
#[ensures(paint_pending_kept: (0..result.history.written as usize).all(|i| sent[i] == i as u64))]
#[ensures(paint_pending_kept: (0..result.history.pending as usize).all(|i| queue[i] == result.history.written + i as u64))]
pub fn play(frames: &[Handover], queue: &mut [u64], sent: &mut [u64]) -> Account {
    let mut history = History { written: 0, pending: 0 };
    let mut handed = 0;
    let mut next = 0;
    while next < frames.len() {
        invariant!(next <= frames.len() && queue.len() == sent.len() && handed <= sent.len() as u64);
        invariant!(handed == history.written + history.pending);
        invariant!((0..history.written as usize).all(|i| sent[i] == i as u64));
        invariant!((0..history.pending as usize).all(|i| queue[i] == history.written + i as u64));
        decreases!(frames.len() - next);
        let rows = frames[next].rows.min(sent.len() as u64 - handed);
        let painted = settled(frames[next].checks).state == State::Passed;
        if painted {
            copy(queue, history.pending as usize, sent, history.written as usize);
            number(sent, (history.written + history.pending) as usize, rows as usize, handed);
        } else {
            number(queue, history.pending as usize, rows as usize, handed);
        }
        history = after_frame(history, rows, painted);
        handed += rows;
        next += 1;
    }
    Account { handed, history }
}

/// Copies the first `count` rows of `from` into `to`, from place `at` on.
#[requires(count <= from.len() && at <= to.len() && count <= to.len() - at)]
#[ensures(leaves: (0..at).all(|i| to[i] == old(to)[i]))]
#[ensures(leaves: (at..at + count).all(|i| to[i] == from[i - at]))]
fn copy(from: &[u64], count: usize, to: &mut [u64], at: usize) {
    let mut next = 0;
    while next < count {
        invariant!(next <= count && count <= from.len() && at <= to.len() && count <= to.len() - at);
        invariant!((0..at).all(|i| to[i] == old(to)[i]));
        invariant!((at..at + next).all(|i| to[i] == from[i - at]));
        decreases!(count - next);
        to[at + next] = from[next];
        next += 1;
    }
}

/// Puts `count` rows into a list from place `at` on, numbered from `first`.
#[requires(at <= list.len() && count <= list.len() - at && first as i128 + count as i128 <= u64::MAX as i128)]
#[ensures(leaves: (0..at).all(|i| list[i] == old(list)[i]))]
#[ensures(leaves: (at..at + count).all(|i| list[i] as i128 == first as i128 + (i - at) as i128))]
fn number(list: &mut [u64], at: usize, count: usize, first: u64) {
    let mut next = 0;
    while next < count {
        invariant!(next <= count && at <= list.len() && count <= list.len() - at);
        invariant!((0..at).all(|i| list[i] == old(list)[i]));
        invariant!((at..at + next).all(|i| list[i] as i128 == first as i128 + (i - at) as i128));
        decreases!(count - next);
        list[at + next] = first + next as u64;
        next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CHECKS: [Checks; 8] = {
        let mut all = [Checks { frame: false, live_redraw: false, fresh_redraw: false }; 8];
        let mut bits = 0;
        while bits < 8 {
            all[bits] = Checks { frame: bits & 1 > 0, live_redraw: bits & 2 > 0, fresh_redraw: bits & 4 > 0 };
            bits += 1;
        }
        all
    };

    /// What a painter would draw and check, in order, and what it would write then.
    fn painted(checks: Checks) -> (Vec<Attempt>, Option<Attempt>) {
        let mut drawn = Vec::new();
        let mut painting = begin();
        while painting.state == State::Checking {
            assert!(drawn.len() < 3, "more than three checks: {drawn:?}");
            drawn.push(painting.attempt);
            painting = after_check(painting, passes(checks, painting.attempt));
        }
        (drawn, (painting.state == State::Passed).then_some(painting.attempt))
    }

    /// Exhausted: all results of the three checks.
    #[test]
    fn verify_only_checked() {
        for checks in CHECKS {
            assert!(painted(checks).1.is_none_or(|attempt| passes(checks, attempt)), "{checks:?}");
            assert!(super::verify_only_checked(checks), "{checks:?}");
        }
    }

    /// Exhausted: all results of the three checks.
    #[test]
    fn paint_first_passing_check() {
        for checks in CHECKS {
            let in_order = [
                (checks.frame, Attempt::Frame),
                (checks.live_redraw, Attempt::LiveRedraw),
                (checks.fresh_redraw, Attempt::FreshRedraw),
            ];
            let first = in_order.iter().find(|(passes, _)| *passes).map(|(_, attempt)| *attempt);
            assert_eq!(painted(checks).1, first, "{checks:?}");
            assert!(super::paint_first_passing_check(checks), "{checks:?}");
        }
    }

    /// Exhausted: all results of the three checks.
    #[test]
    fn paint_passed_is_written() {
        for checks in CHECKS.iter().filter(|checks| checks.frame) {
            assert_eq!(painted(*checks), (vec![Attempt::Frame], Some(Attempt::Frame)));
            assert!(super::paint_passed_is_written(*checks));
        }
    }

    /// Exhausted: all results of the three checks.
    #[test]
    fn paint_asks_in_order() {
        let order = [Attempt::Frame, Attempt::LiveRedraw, Attempt::FreshRedraw];
        for checks in CHECKS {
            let (drawn, _) = painted(checks);
            assert_eq!(drawn, order[..drawn.len()], "{checks:?}");
            let failed = |drawn: &[Attempt]| drawn.iter().all(|attempt| !passes(checks, *attempt));
            assert!(drawn.split_last().is_some_and(|(_, before)| failed(before)), "{checks:?}");
            assert!(super::paint_asks_in_order(checks), "{checks:?}");
        }
    }

    /// Exhausted: the first 100,000 rejections in a row.
    #[test]
    fn paint_log_doubles() {
        let mut rejections = no_rejections();
        for number in 1..=100_000_u64 {
            rejections = after_painting(rejections, State::Rejected);
            assert_eq!(is_logged(rejections), number.is_power_of_two(), "{number}");
        }
        for count in 0..64 {
            let mut logged = vec![false; count];
            logged_rejections(&mut logged);
            assert!(logged.iter().zip(1_u64..).all(|(logged, number)| *logged == number.is_power_of_two()));
        }
    }

    #[test]
    fn the_log_is_silent_when_no_number_is_left_that_is_double_the_last() {
        let half = u64::MAX / 2 + 1;
        let mut rejections = Rejections { count: half - 1, logged: half };
        let logged: Vec<bool> = (0..3)
            .map(|_| {
                rejections = after_painting(rejections, State::Rejected);
                is_logged(rejections)
            })
            .collect();
        assert_eq!(logged, [true, false, false]);
        rejections.count = u64::MAX;
        assert!(!is_logged(after_painting(rejections, State::Rejected)));
        assert_eq!(after_painting(rejections, State::Passed), no_rejections());
    }

    fn handovers() -> impl Strategy<Value = Vec<Handover>> {
        let rows = prop_oneof![9 => 0..4_u64, 1 => Just(u64::MAX)];
        // A rejection is as likely as not, so that rows pile up.
        let checks = prop_oneof![Just(CHECKS[0]), proptest::sample::select(CHECKS.to_vec())];
        proptest::collection::vec((rows, checks).prop_map(|(rows, checks)| Handover { rows, checks }), 0..9)
    }

    /// The same with lists that grow: what was sent, and what waits, by number.
    fn expected(frames: &[Handover], places: usize) -> (Vec<u64>, Vec<u64>) {
        let (mut sent, mut pending) = (Vec::new(), Vec::new());
        let mut numbers = 0..places as u64;
        for frame in frames {
            pending.extend(numbers.by_ref().take(frame.rows.min(places as u64) as usize));
            if painted(frame.checks).1.is_some() {
                sent.append(&mut pending);
            }
        }
        (sent, pending)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn paint_pending_kept(frames in handovers(), places in 0..20_usize) {
            let (mut queue, mut sent) = (vec![0; places], vec![0; places]);
            let Account { history, .. } = play(&frames, &mut queue, &mut sent);
            sent.truncate(history.written as usize);
            queue.truncate(history.pending as usize);
            prop_assert_eq!((sent, queue), expected(&frames, places));
        }

        #[test]
        fn paint_rows_conserved(written in any::<u64>(), pending in 0..9_u64, rows in 0..9_u64, painted in any::<bool>()) {
            let written = written.min(u64::MAX - pending - rows);
            let after = after_frame(History { written, pending }, rows, painted);
            let expected = if painted { (written + pending + rows, 0) } else { (written, pending + rows) };
            prop_assert_eq!((after.written, after.pending), expected);
        }
    }
}
