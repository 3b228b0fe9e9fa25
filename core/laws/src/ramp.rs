//! The effort ramp: the rungs of a ladder of effort levels, one color channel at a time.
//! Makes no color, and knows neither which levels there are nor where they are painted.

use contracts::{ensures, law, lemma, requires, spec};

/// The most rungs a ladder may have: the largest distance of two channels times this is still a number.
pub const RUNGS_MAX: u64 = 72_340_172_838_076_673;

/// Returns the channel of rung `k` of `n`, counted from 1, between the ends `low` and `high` of the ramp.
/// The distance is cut to a whole number measured from the smaller end, so that a falling channel mirrors a rising one.
#[requires(is_rung(low, high, k, n))]
#[ensures(ramp_rungs: low > high || is_part(result - low, high - low, k, n))]
#[ensures(ramp_rungs: low < high || is_part(result - high, low - high, n - k, n))]
#[ensures(ramp_rungs: low.min(high) <= result && result <= low.max(high))]
#[ensures(ramp_rungs: k < n || result == high)]
pub fn rung(low: u64, high: u64, k: u64, n: u64) -> u64 {
    if low <= high { low + part(high - low, k, n) } else { high + part(low - high, n - k, n) }
}

/// Whether these are two channels and a rung that a ladder can have.
pub fn is_rung(low: u64, high: u64, k: u64, n: u64) -> bool {
    low <= 255 && high <= 255 && 1 <= k && k <= n && n <= RUNGS_MAX
}

/// Returns `weight` parts of `n` of a distance, cut to a whole number.
#[requires(distance <= 255 && weight <= n && 1 <= n && n <= RUNGS_MAX)]
#[ensures(ramp_rungs: is_part(result, distance, weight, n))]
#[ensures(ramp_rungs: result <= distance)]
#[ensures(ramp_rungs: weight < n || result == distance)]
fn part(distance: u64, weight: u64, n: u64) -> u64 {
    lemma!(distance as i128 * weight as i128 <= distance as i128 * n as i128);
    lemma!(distance as i128 * n as i128 <= 255 * n as i128);
    distance * weight / n
}

/// No rung goes back from the one before it: the channel only ever moves towards `high`.
#[law]
pub fn ramp_never_back(low: u64, high: u64, j: u64, k: u64, n: u64) -> bool {
    if k < j || !is_rung(low, high, j, n) || !is_rung(low, high, k, n) {
        true
    } else if low <= high {
        parts_rise(high - low, j, k, n) && rung(low, high, j, n) <= rung(low, high, k, n)
    } else {
        parts_rise(low - high, n - k, n - j, n) && rung(low, high, k, n) <= rung(low, high, j, n)
    }
}

/// Any two rungs differ where the ends are at least as far apart as there are rungs.
#[law]
pub fn ramp_distinct(low: u64, high: u64, j: u64, k: u64, n: u64) -> bool {
    if k <= j || low.abs_diff(high) < n || !is_rung(low, high, j, n) || !is_rung(low, high, k, n) {
        true
    } else if low <= high {
        parts_rise(high - low, j, k, n) && rung(low, high, j, n) != rung(low, high, k, n)
    } else {
        parts_rise(low - high, n - k, n - j, n) && rung(low, high, j, n) != rung(low, high, k, n)
    }
}

/// More parts of a distance are not less of it, and more of it where each part is at least one.
#[requires(distance <= 255 && less <= more && more <= n && 1 <= n && n <= RUNGS_MAX)]
#[ensures(ramp_rungs: result)]
fn parts_rise(distance: u64, less: u64, more: u64, n: u64) -> bool {
    let one = part(distance, less, n);
    let other = part(distance, more, n);
    lemma!(distance as i128 * less as i128 <= distance as i128 * more as i128);
    lemma!((one as i128) * (n as i128) < (other as i128 + 1) * n as i128);
    lemma!(less == more || distance as i128 * less as i128 + distance as i128 <= distance as i128 * more as i128);
    lemma!(less == more || distance < n || (one as i128 + 1) * (n as i128) < (other as i128 + 1) * n as i128);
    one <= other && (less == more || distance < n || one < other)
}

/// Whether a channel has moved by `weight` parts of `n` of a distance, cut to a whole number.
#[spec]
fn is_part(moved: u64, distance: u64, weight: u64, n: u64) -> bool {
    moved as i128 * n as i128 <= distance as i128 * weight as i128
        && (distance as i128) * (weight as i128) < (moved as i128 + 1) * n as i128
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn channel() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), Just(255), 0..=255_u64]
    }

    /// A ladder's size with two of its rungs, the first not above the second.
    fn rungs() -> impl Strategy<Value = (u64, u64, u64)> {
        let size = prop_oneof![1..=12_u64, 1..=300_u64, 1..=RUNGS_MAX, (RUNGS_MAX - 3)..=RUNGS_MAX];
        size.prop_flat_map(|n| {
            let one = move || prop_oneof![1..=n, 1..=n.min(4), (n - n.min(4) + 1)..=n];
            (one(), one(), Just(n)).prop_map(|(one, two, n)| (one.min(two), one.max(two), n))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn ramp_rungs(low in channel(), high in channel(), (k, _, n) in rungs()) {
            let (bottom, weight) = if low <= high { (low, k) } else { (high, n - k) };
            let expected = u128::from(bottom) + u128::from(low.abs_diff(high)) * u128::from(weight) / u128::from(n);
            prop_assert_eq!(u128::from(rung(low, high, k, n)), expected);
            prop_assert_eq!(rung(low, high, n, n), high);
        }

        #[test]
        fn ramp_never_back(low in channel(), high in channel(), (j, k, n) in rungs()) {
            prop_assert!(super::ramp_never_back(low, high, j, k, n));
        }

        #[test]
        fn ramp_distinct(low in channel(), high in channel(), (j, k, n) in rungs()) {
            prop_assert!(super::ramp_distinct(low, high, j, k, n));
            let n = n.min(low.abs_diff(high));
            let all: std::collections::BTreeSet<u64> = (1..=n).map(|k| rung(low, high, k, n)).collect();
            prop_assert_eq!(all.len() as u64, n);
        }
    }

    #[test]
    fn a_channel_rises_or_falls_to_its_high_end() {
        assert_eq!([1, 2, 3, 4].map(|k| rung(0, 10, k, 4)), [2, 5, 7, 10]);
        assert_eq!([1, 2, 3, 4].map(|k| rung(10, 0, k, 4)), [7, 5, 2, 0]);
        assert_eq!([1, 2, 3].map(|k| rung(7, 7, k, 3)), [7, 7, 7]);
        assert_eq!(rung(0, 255, RUNGS_MAX, RUNGS_MAX), 255);
    }
}
