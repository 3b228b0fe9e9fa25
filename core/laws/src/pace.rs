//! Pace: how much of an answer that has arrived is shown with the next frame.
//! Knows no text and no time: a frame is a step, a character is a number.

use contracts::{law, requires, variant};

/// Returns how many characters one frame reveals of a backlog, at least `least` of them; 0 counts as 1.
/// A `lag` of n spreads the backlog over about n more frames.
pub fn reveal(least: u64, lag: u64, backlog: u64) -> u64 {
    let share = if lag >= backlog { 0 } else { backlog / (lag + 1) };
    backlog.min(least.max(1).max(share))
}

/// Returns how many of the `arrived` characters are shown after one more frame.
#[requires(shown <= arrived)]
pub fn frame(least: u64, lag: u64, arrived: u64, shown: u64) -> u64 {
    shown + reveal(least, lag, arrived - shown)
}

/// What is shown has arrived.
#[law]
pub fn pace_never_ahead(least: u64, lag: u64, arrived: u64, shown: u64) -> bool {
    shown > arrived || frame(least, lag, arrived, shown) <= arrived
}

/// What is shown stays shown.
#[law]
pub fn pace_never_back(least: u64, lag: u64, arrived: u64, shown: u64) -> bool {
    shown > arrived || frame(least, lag, arrived, shown) >= shown
}

/// One frame reveals the larger of the least and the backlog's share. The largest lag is left to `pace_lag_at_cap`.
#[law]
pub fn pace_reveal_formula(least: u64, lag: u64, backlog: u64) -> bool {
    lag == u64::MAX || reveal(least, lag, backlog) == backlog.min(least.max(1).max(backlog / (1 + lag)))
}

/// A lag as large as the backlog reveals the least, and the largest numbers change nothing.
#[law]
pub fn pace_lag_at_cap(least: u64, lag: u64, backlog: u64) -> bool {
    lag < backlog || reveal(least, lag, backlog) == backlog.min(least.max(1))
}

/// With nothing more arriving, as many frames as there are characters show them all.
#[law]
#[variant(frames)]
pub fn pace_drains(least: u64, lag: u64, backlog: u64, frames: u64) -> bool {
    if frames < backlog {
        true
    } else if frames == 0 {
        backlog == 0
    } else {
        pace_drains(least, lag, backlog - reveal(least, lag, backlog), frames - 1)
    }
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
        fn pace_never_ahead(least in number(), lag in number(), arrived in number(), shown in number()) {
            let shown = shown.min(arrived);
            prop_assert!(super::pace_never_ahead(least, lag, arrived, shown));
        }

        #[test]
        fn pace_never_back(least in number(), lag in number(), arrived in number(), shown in number()) {
            let shown = shown.min(arrived);
            prop_assert!(super::pace_never_back(least, lag, arrived, shown));
        }

        #[test]
        fn pace_reveal_formula(least in number(), lag in number(), backlog in number()) {
            prop_assert!(super::pace_reveal_formula(least, lag, backlog));
        }

        #[test]
        fn pace_lag_at_cap(least in number(), lag in number(), backlog in number()) {
            prop_assert!(super::pace_lag_at_cap(least, lag.max(backlog), backlog));
        }

        #[test]
        fn pace_drains(least in 0..50_u64, lag in number(), backlog in 0..300_u64, spare in 0..5_u64) {
            prop_assert!(super::pace_drains(least, lag, backlog, backlog + spare));
        }
    }

    #[test]
    fn a_backlog_of_forty_at_a_lag_of_three_shows_ten_more() {
        assert_eq!(frame(2, 3, 140, 100), 110);
        assert_eq!(frame(2, 3, 140, 139), 140);
        assert_eq!(frame(0, u64::MAX, u64::MAX, 0), 1);
    }
}
