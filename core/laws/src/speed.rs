//! The arithmetic of generation speed: tokens taken from text, tokens a second, and how much came from a cache.
//! Reads no clock, counts no text and writes no words; all figures come in as whole numbers.

use contracts::{ensures, lemma, requires, spec};

/// Times count up to this, about 584,000 years: a thousand times it is still a number.
pub const TIME_MS_MAX: u64 = 18_446_744_073_709_551;

/// A decode is shown from this time after its first token on.
pub const DECODE_SHOWN_MS: u64 = 250;

/// What can be said of the prompt of a response that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefill {
    /// The provider has not counted the prompt: only the time to the first token is known.
    Uncounted,
    /// At least 95 % of the prompt came from a cache: a rate of the rest would say nothing.
    Cached,
    /// The rate of what came from no cache can be shown.
    Rated,
}

/// Returns the tokens that so many UTF-16 units of text are taken for: 3.5 units a token, rounded up.
#[ensures(speed_units_rounded_up: units as i128 * 2 <= result as i128 * 7)]
#[ensures(speed_units_rounded_up: result as i128 * 7 <= units as i128 * 2 + 6)]
pub fn tokens_of_units(units: u64) -> u64 {
    units / 7 * 2 + (units % 7 * 2 + 6) / 7
}

/// Returns how many tokens the next prompt is taken to have that no cache holds: the last response's output and the
/// text that came after it, in UTF-16 units; at most the largest number.
#[ensures(speed_estimate_saturates: result as i128
    == (last_output as i128 + tokens_of_units(units_since) as i128).min(u64::MAX as i128))]
pub fn uncached_tokens(last_output: u64, units_since: u64) -> u64 {
    last_output.saturating_add(tokens_of_units(units_since))
}

/// Returns how many tokens a second `tokens` in `time_ms` are, cut to a whole number and to the largest one.
/// Where no time has passed there is no rate, and it is 0.
#[ensures(speed_rate_exact: is_rate(result, tokens, time_ms))]
pub fn tokens_per_s(tokens: u64, time_ms: u64) -> u64 {
    let time = counted_ms(time_ms);
    if time == 0 {
        0
    } else {
        let whole = tokens / time;
        let rest = tokens % time;
        lemma!(whole as i128 * time as i128 + rest as i128 == tokens as i128);
        rate_of_parts(whole, rest, time)
    }
}

/// Returns the rate of a decode: the tokens after the first, in the time since the first.
#[ensures(speed_decode_after_first: is_rate(result, output.saturating_sub(1), since_first_ms))]
pub fn decode_per_s(output: u64, since_first_ms: u64) -> u64 {
    tokens_per_s(output.saturating_sub(1), since_first_ms)
}

/// Whether a decode has run long enough that its rate says something.
pub fn decode_is_shown(since_first_ms: u64) -> bool {
    since_first_ms >= DECODE_SHOWN_MS
}

/// Returns the rate of a prefill: the prompt's tokens that came from no cache, in the time to the first token.
#[ensures(speed_prefill_uncached: is_rate(result, input.saturating_add(cache_write), first_token_ms))]
pub fn prefill_per_s(input: u64, cache_write: u64, first_token_ms: u64) -> u64 {
    tokens_per_s(input.saturating_add(cache_write), first_token_ms)
}

/// Returns what can be said of a prompt whose tokens the provider counted so; all zeros are no count.
#[ensures(speed_cached_exact: (result == Prefill::Cached) == is_mostly_cached(input, cache_read, cache_write))]
#[ensures(speed_cached_exact: (result == Prefill::Uncounted) == (input == 0 && cache_read == 0 && cache_write == 0))]
pub fn prefill(input: u64, cache_read: u64, cache_write: u64) -> Prefill {
    let uncached = input.saturating_add(cache_write);
    if cache_read == 0 && uncached == 0 {
        Prefill::Uncounted
    } else if cache_read / 19 >= uncached {
        // 19 of 20 parts are 95 %; a sum that was too large for a number is more than a nineteenth of any number.
        Prefill::Cached
    } else {
        Prefill::Rated
    }
}

/// Returns the rate of `whole * time + rest` tokens, taken apart so that no product overflows.
#[requires(rest < time && time <= TIME_MS_MAX && whole as i128 * time as i128 + rest as i128 <= u64::MAX as i128)]
#[ensures(speed_rate_exact: result as i128 * time as i128 <= (whole as i128 * time as i128 + rest as i128) * 1000)]
#[ensures(speed_rate_exact: result == u64::MAX
    || (whole as i128 * time as i128 + rest as i128) * 1000 < (result as i128 + 1) * time as i128)]
fn rate_of_parts(whole: u64, rest: u64, time: u64) -> u64 {
    if whole > u64::MAX / 1000 {
        lemma!(0 <= (whole as i128 * 1000 - u64::MAX as i128) * time as i128);
        u64::MAX
    } else {
        let part = rest_per_s(rest, time);
        let rate = (whole * 1000).saturating_add(part);
        lemma!(0 <= (whole as i128 * 1000 + part as i128 - rate as i128) * time as i128);
        rate
    }
}

/// Returns the rate of what is left when the tokens are divided by the time.
#[requires(rest < time && time <= TIME_MS_MAX)]
#[ensures(speed_rate_exact: result as i128 * time as i128 <= rest as i128 * 1000)]
#[ensures(speed_rate_exact: rest as i128 * 1000 < (result as i128 + 1) * time as i128)]
#[ensures(speed_rate_exact: result <= 999)]
fn rest_per_s(rest: u64, time: u64) -> u64 {
    rest * 1000 / time
}

/// Returns the time a rate is taken over.
fn counted_ms(time_ms: u64) -> u64 {
    time_ms.min(TIME_MS_MAX)
}

/// Whether this is the rate of so many tokens: the largest whole number whose product with the time is not above them.
#[spec]
fn is_rate(rate: u64, tokens: u64, time_ms: u64) -> bool {
    if time_ms == 0 {
        rate == 0
    } else {
        rate as i128 * counted_ms(time_ms) as i128 <= tokens as i128 * 1000
            && (rate == u64::MAX || tokens as i128 * 1000 < (rate as i128 + 1) * counted_ms(time_ms) as i128)
    }
}

/// Whether at least 95 % of a prompt, if there is one, came from a cache.
#[spec]
fn is_mostly_cached(input: u64, cache_read: u64, cache_write: u64) -> bool {
    0 < cache_read && (input as i128 + cache_read as i128 + cache_write as i128) * 95 <= cache_read as i128 * 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any number, the small and the largest ones often.
    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![0..40_u64, 0..1_000_000_u64, any::<u64>(), (u64::MAX - 40)..=u64::MAX]
    }

    /// The tokens of a prompt as input, cache read and cache write, often just about 95 % from the cache.
    fn prompt() -> impl Strategy<Value = (u64, u64, u64)> {
        let near = (0..=u64::MAX / 19, 0..=4_u64, 0..=10_u64).prop_map(|(uncached, off, tenths)| {
            let written = uncached / 10 * tenths;
            (uncached - written, (uncached * 19 + off).saturating_sub(2), written)
        });
        prop_oneof![near, (number(), number(), number()), (0..3_u64, 0..60_u64, 0..3_u64)]
    }

    fn rate(tokens: u64, time_ms: u64) -> u64 {
        let time = u128::from(time_ms.min(TIME_MS_MAX));
        (u128::from(tokens) * 1000).checked_div(time).map_or(0, |rate| rate.min(u128::from(u64::MAX)) as u64)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn speed_units_rounded_up(units in number()) {
            prop_assert_eq!(u128::from(tokens_of_units(units)), (u128::from(units) * 2).div_ceil(7));
        }

        #[test]
        fn speed_estimate_saturates(last_output in number(), units in number()) {
            let sum = u128::from(last_output) + (u128::from(units) * 2).div_ceil(7);
            prop_assert_eq!(u128::from(uncached_tokens(last_output, units)), sum.min(u128::from(u64::MAX)));
        }

        #[test]
        fn speed_rate_exact(tokens in number(), time_ms in number()) {
            prop_assert_eq!(tokens_per_s(tokens, time_ms), rate(tokens, time_ms));
        }

        #[test]
        fn speed_decode_after_first(output in number(), time_ms in number()) {
            prop_assert_eq!(decode_per_s(output, time_ms), rate(output.max(1) - 1, time_ms));
        }

        #[test]
        fn speed_prefill_uncached((input, _, cache_write) in prompt(), time_ms in number()) {
            let uncached = u128::from(input) + u128::from(cache_write);
            let counted = uncached.min(u128::from(u64::MAX)) as u64;
            prop_assert_eq!(prefill_per_s(input, cache_write, time_ms), rate(counted, time_ms));
        }

        #[test]
        fn speed_cached_exact((input, cache_read, cache_write) in prompt()) {
            let whole = [input, cache_read, cache_write].into_iter().map(u128::from).sum::<u128>();
            let expected = if whole == 0 {
                Prefill::Uncounted
            } else if u128::from(cache_read) * 100 >= whole * 95 {
                Prefill::Cached
            } else {
                Prefill::Rated
            };
            prop_assert_eq!(prefill(input, cache_read, cache_write), expected);
        }
    }

    #[test]
    fn a_token_is_three_and_a_half_units_of_text() {
        assert_eq!([0, 1, 3, 4, 7, 8].map(tokens_of_units), [0, 1, 1, 2, 2, 3]);
        assert_eq!(tokens_of_units(u64::MAX), 5_270_498_306_774_157_605);
        assert_eq!(uncached_tokens(1_000, 700), 1_200);
        assert_eq!(uncached_tokens(u64::MAX, 1), u64::MAX);
    }

    #[test]
    fn a_rate_is_cut_and_never_divides_by_no_time() {
        assert_eq!(tokens_per_s(1_999, 2_000), 999);
        assert_eq!(tokens_per_s(5, 0), 0);
        assert_eq!(tokens_per_s(u64::MAX, 1), u64::MAX);
        assert_eq!(tokens_per_s(u64::MAX, u64::MAX), 1_000_000);
    }

    #[test]
    fn the_first_token_of_a_decode_took_no_time_of_it() {
        assert_eq!([0, 1, 2, 51].map(|output| decode_per_s(output, 1_000)), [0, 0, 1, 50]);
        assert_eq!([0, 249, 250].map(decode_is_shown), [false, false, true]);
    }

    #[test]
    fn nineteen_of_twenty_prompt_tokens_from_the_cache_are_a_cached_prompt() {
        assert_eq!(prefill(0, 0, 0), Prefill::Uncounted);
        assert_eq!(prefill(1, 19, 0), Prefill::Cached);
        assert_eq!(prefill(1, 18, 0), Prefill::Rated);
        assert_eq!(prefill(5, 100, 0), Prefill::Cached);
        assert_eq!(prefill(5, 100, 1), Prefill::Rated);
        assert_eq!(prefill(u64::MAX, u64::MAX, u64::MAX), Prefill::Rated);
        assert_eq!(prefill_per_s(900, 100, 500), 2_000);
    }
}
