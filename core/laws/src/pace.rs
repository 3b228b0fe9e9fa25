//! Pace: how much of an answer that has arrived is shown with the next frame.
//! Knows no text and no time: a frame is a step, a character is a number.

use contracts::{decreases, ensures, invariant, lemma, requires, spec};

/// Returns how many characters one frame reveals of a backlog, at least `least` of them; 0 counts as 1.
/// A `lag` of n spreads the backlog over about n more frames.
#[ensures(pace_reveal_formula: result as i128 == revealed(least, lag, backlog))]
#[ensures(pace_lag_at_cap: lag < backlog || result == backlog.min(least.max(1)))]
pub fn reveal(least: u64, lag: u64, backlog: u64) -> u64 {
    let share = if lag >= backlog { 0 } else { backlog / (lag + 1) };
    backlog.min(least.max(1).max(share))
}

/// Returns how many of the `arrived` characters are shown after one more frame.
#[requires(shown <= arrived)]
#[ensures(pace_never_ahead: result <= arrived)]
#[ensures(pace_never_back: shown <= result)]
#[ensures(pace_drains: result == arrived || shown < result)]
pub fn frame(least: u64, lag: u64, arrived: u64, shown: u64) -> u64 {
    shown + reveal(least, lag, arrived - shown)
}

/// Runs any number of frames over whatever arrives: frame `i` comes when `arrived[i]` characters have.
/// Notes in `shown` how many characters each frame has on screen.
#[requires(arrived.len() == shown.len() && rises(arrived))]
#[ensures(pace_never_ahead: (0..shown.len()).all(|i| shown[i] <= arrived[i]))]
#[ensures(pace_never_back: (0..shown.len()).all(|i| (i..shown.len()).all(|j| shown[i] <= shown[j])))]
#[ensures(pace_drains: (0..shown.len()).all(|i| (i..shown.len()).all(|j| drained(arrived, shown, i, j))))]
pub fn frames(least: u64, lag: u64, arrived: &[u64], shown: &mut [u64]) {
    let mut on_screen = 0;
    let mut next = 0;
    while next < shown.len() {
        invariant!(next <= shown.len() && arrived.len() == shown.len());
        invariant!(if next == 0 { on_screen == 0 } else { on_screen == shown[next - 1] });
        invariant!((0..next).all(|i| shown[i] <= arrived[i] && shown[i] <= on_screen));
        invariant!((0..next).all(|i| (i..next).all(|j| shown[i] <= shown[j])));
        invariant!((0..next).all(|i| (i..next).all(|j| drained(arrived, shown, i, j))));
        decreases!(shown.len() - next);
        lemma!((0..next).all(|i| arrived[i] <= arrived[next - 1] && arrived[next - 1] <= arrived[next]));
        on_screen = frame(least, lag, arrived[next], on_screen);
        shown[next] = on_screen;
        lemma!((0..next).all(|i| drained(arrived, shown, i, next - 1) && drained(arrived, shown, i, next)));
        next += 1;
    }
}

/// The formula of `reveal`, over numbers without bounds.
#[spec]
fn revealed(least: u64, lag: u64, backlog: u64) -> i128 {
    (backlog as i128).min((least as i128).max(1).max(backlog as i128 / (lag as i128 + 1)))
}

/// Whether nothing that has arrived is taken back.
#[spec]
fn rises(arrived: &[u64]) -> bool {
    (0..arrived.len()).all(|i| (i..arrived.len()).all(|j| arrived[i] <= arrived[j]))
}

/// Whether, with nothing arriving from frame `i` to frame `j`, all is shown by then or each frame showed a character:
/// so a backlog of n is gone after n frames.
#[spec]
fn drained(arrived: &[u64], shown: &[u64], i: usize, j: usize) -> bool {
    arrived[i] != arrived[j] || shown[j] == arrived[j] || shown[i] as i128 + (j - i) as i128 <= shown[j] as i128
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any number, the small and the largest ones often.
    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![0..200_u64, any::<u64>(), (u64::MAX - 3)..=u64::MAX]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn pace_never_ahead(least in number(), lag in number(), arrived in arrivals()) {
            prop_assert!(shown_after(least, lag, &arrived).iter().zip(&arrived).all(|(shown, arrived)| shown <= arrived));
        }

        #[test]
        fn pace_never_back(least in number(), lag in number(), arrived in arrivals()) {
            prop_assert!(shown_after(least, lag, &arrived).is_sorted());
        }

        #[test]
        fn pace_reveal_formula(least in number(), lag in number(), backlog in number()) {
            let share = u128::from(backlog) / (u128::from(lag) + 1);
            let expected = u128::from(backlog).min(u128::from(least.max(1)).max(share));
            prop_assert_eq!(u128::from(reveal(least, lag, backlog)), expected);
        }

        #[test]
        fn pace_lag_at_cap(least in number(), lag in number(), backlog in number()) {
            prop_assert_eq!(reveal(least, lag.max(backlog), backlog), backlog.min(least.max(1)));
        }

        #[test]
        fn pace_drains(least in 0..50_u64, lag in number(), backlog in 0..40_u64, before in arrivals_of(0..8_u64)) {
            let last = before.last().copied().unwrap_or(0);
            let shown = shown_after(least, lag, &before).last().copied().unwrap_or(0);
            let end = shown.saturating_add(backlog).max(last);
            let frames_needed = usize::try_from(end - shown).unwrap_or(usize::MAX);
            let arrived = [before, vec![end; frames_needed]].concat();
            prop_assert_eq!(shown_after(least, lag, &arrived).last().copied().unwrap_or(0), end);
        }
    }

    /// What has arrived by each frame: small and large amounts, and frames in which nothing comes.
    fn arrivals() -> impl Strategy<Value = Vec<u64>> {
        arrivals_of(prop_oneof![3 => 0..30_u64, 1 => number()])
    }

    fn arrivals_of(amount: impl Strategy<Value = u64>) -> impl Strategy<Value = Vec<u64>> {
        let amount = prop_oneof![Just(0), amount];
        proptest::collection::vec(amount, 0..12).prop_map(|amounts| {
            let total = |sum: &mut u64, amount: u64| {
                *sum = sum.saturating_add(amount);
                Some(*sum)
            };
            amounts.into_iter().scan(0, total).collect()
        })
    }

    fn shown_after(least: u64, lag: u64, arrived: &[u64]) -> Vec<u64> {
        let mut shown = vec![0; arrived.len()];
        frames(least, lag, arrived, &mut shown);
        shown
    }

    #[test]
    fn a_burst_of_400_characters_takes_19_frames_by_default() {
        let shown = shown_after(2, 3, &[400; 40]);
        assert_eq!(shown.iter().position(|shown| *shown == 400), Some(18));
    }

    #[test]
    fn a_backlog_of_forty_at_a_lag_of_three_shows_ten_more() {
        assert_eq!(frame(2, 3, 140, 100), 110);
        assert_eq!(frame(2, 3, 140, 139), 140);
        assert_eq!(frame(0, u64::MAX, u64::MAX, 0), 1);
    }
}
