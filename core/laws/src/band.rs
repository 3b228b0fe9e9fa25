//! The usage band: how full the context window is, by the three shares at which its tone changes.
//! Knows no color, and counts no token.

use contracts::{ensures, law, requires};

/// Returns how many of the shares 1/2, 7/10 and 9/10 of the `window` the `tokens` have reached.
/// A window of 0 is one that is not known: nothing of it is reached.
#[ensures(band_exact: result <= 3)]
#[ensures(band_exact: (1 <= result) == (0 < window && window as i128 <= tokens as i128 * 2))]
#[ensures(band_exact: (2 <= result) == (0 < window && window as i128 * 7 <= tokens as i128 * 10))]
#[ensures(band_exact: (3 <= result) == (0 < window && window as i128 * 9 <= tokens as i128 * 10))]
pub fn band(tokens: u64, window: u64) -> u64 {
    if window == 0 || tokens < share(window, 5) {
        0
    } else if tokens < share(window, 7) {
        1
    } else if tokens < share(window, 9) {
        2
    } else {
        3
    }
}

/// Returns the fewest tokens that reach so many tenths of a window.
/// Quotient and remainder are taken apart, so that no product overflows.
#[requires(tenths <= 10)]
#[ensures(band_exact: window as i128 * tenths as i128 <= result as i128 * 10)]
#[ensures(band_exact: (result as i128) * 10 < window as i128 * tenths as i128 + 10)]
fn share(window: u64, tenths: u64) -> u64 {
    window / 10 * tenths + (window % 10 * tenths + 9) / 10
}

/// More tokens in the same window never lower the band.
#[law]
pub fn band_monotone(fewer: u64, more: u64, window: u64) -> bool {
    more < fewer || band(fewer, window) <= band(more, window)
}

/// Tokens and window in a unit that is smaller by `scale` come to the same band.
#[requires(1 <= scale)]
#[requires(tokens as i128 * scale as i128 <= u64::MAX as i128)]
#[requires(window as i128 * scale as i128 <= u64::MAX as i128)]
#[ensures(band_monotone: result)]
pub fn band_scaled(tokens: u64, window: u64, scale: u64) -> bool {
    band(tokens * scale, window * scale) == band(tokens, window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any number, the small and the largest ones often.
    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![0..40_u64, any::<u64>(), (u64::MAX - 40)..=u64::MAX]
    }

    /// A window with tokens that are just about one of its shares, or any.
    fn usage() -> impl Strategy<Value = (u64, u64)> {
        (number(), 0..=10_u128, 0..=4_u64, any::<bool>(), number()).prop_map(|(window, tenths, off, near, any)| {
            let share = (u128::from(window) * tenths / 10) as u64;
            (if near { share.saturating_add(off).saturating_sub(2) } else { any }, window)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn band_exact((tokens, window) in usage()) {
            let reached = |num: u128, den: u128| window > 0 && u128::from(window) * num <= u128::from(tokens) * den;
            let shares = [(1, 2), (7, 10), (9, 10)];
            let count = shares.into_iter().filter(|(num, den)| reached(*num, *den)).count();
            prop_assert_eq!(band(tokens, window), count as u64);
        }

        #[test]
        fn band_monotone((tokens, window) in usage(), other in number(), scale in number()) {
            prop_assert!(super::band_monotone(tokens.min(other), tokens.max(other), window));
            let scale = 1 + scale % (u64::MAX / tokens.max(window).max(2));
            prop_assert!(band_scaled(tokens, window, scale));
        }
    }

    #[test]
    fn each_share_of_a_window_is_reached_by_its_last_token() {
        let bands = |window: u64, tokens: [u64; 8]| tokens.map(|tokens| band(tokens, window));
        assert_eq!(bands(200, [0, 99, 100, 139, 140, 179, 180, 900]), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(bands(1, [0, 1, 1, 1, 1, 1, 1, u64::MAX]), [0, 3, 3, 3, 3, 3, 3, 3]);
        assert_eq!(band(u64::MAX, u64::MAX), 3);
        assert_eq!(band(u64::MAX / 10 * 9, u64::MAX), 2);
        assert_eq!(band(u64::MAX, 0), 0);
    }
}
