//! Retry delays: how long to wait before a failed request is sent again.
//! Decides neither whether it is sent again nor how often.

use contracts::{decreases, ensures, invariant, law, requires};

/// The longest delay a setting may ask for: an hour.
pub const SETTING_MS_MAX: u64 = 3_600_000;

/// How much of the wait that a server asked for counts: ten minutes.
pub const SERVER_WAIT_MS_MAX: u64 = 600_000;

/// Returns the wait before retry number `attempt`, counted from 1.
/// Doubles from `base_ms` to `max_ms`, shortened by `jitter_permille`; a server's own wait counts if that is longer.
#[requires(base_ms <= SETTING_MS_MAX && max_ms <= SETTING_MS_MAX && jitter_permille <= 1000)]
#[ensures(retry_capped: result <= max_ms || result <= server_wait_ms(server_ms))]
#[ensures(retry_server_honored: server_wait_ms(server_ms) <= result)]
pub fn retry_delay_ms(attempt: u64, base_ms: u64, max_ms: u64, server_ms: u64, jitter_permille: u64) -> u64 {
    let delay = backoff_ms(attempt, base_ms, max_ms);
    let shortened = delay - delay * jitter_permille / 1000;
    shortened.max(server_wait_ms(server_ms))
}

/// Returns how much of the wait a server asked for counts.
pub fn server_wait_ms(server_ms: u64) -> u64 {
    server_ms.min(SERVER_WAIT_MS_MAX)
}

/// Returns the wait before any jitter: `base_ms`, doubled with each attempt after the first, at most `max_ms`.
#[requires(base_ms <= SETTING_MS_MAX && max_ms <= SETTING_MS_MAX)]
#[ensures(retry_capped: result <= max_ms)]
#[ensures(retry_begins_at_base: result == max_ms || base_ms <= result)]
pub fn backoff_ms(attempt: u64, base_ms: u64, max_ms: u64) -> u64 {
    let mut delay = base_ms.min(max_ms);
    let mut number = 1;
    while number < attempt && 0 < delay && delay < max_ms {
        invariant!(delay <= max_ms && (delay == max_ms || base_ms <= delay));
        invariant!(1 <= number && (number == 1 || number <= attempt));
        decreases!(attempt - number);
        delay = max_ms.min(delay * 2);
        number += 1;
    }
    delay
}

/// The server's wait counts in full up to ten minutes, and no further.
#[law]
pub fn retry_server_bounded(server_ms: u64) -> bool {
    server_wait_ms(server_ms) <= SERVER_WAIT_MS_MAX
        && (server_ms > SERVER_WAIT_MS_MAX || server_wait_ms(server_ms) == server_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any attempt, the first ones often.
    fn attempt() -> impl Strategy<Value = u64> {
        prop_oneof![0..8_u64, any::<u64>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn retry_capped(
            attempt in attempt(), base in 0..=SETTING_MS_MAX, max in 0..=SETTING_MS_MAX, server in any::<u64>(), jitter in 0..=1000_u64,
        ) {
            let delay = retry_delay_ms(attempt, base, max, server, jitter);
            prop_assert!(delay <= max.max(600_000.min(server)));
        }

        #[test]
        fn retry_server_honored(
            attempt in attempt(), base in 0..=SETTING_MS_MAX, max in 0..=SETTING_MS_MAX, server in any::<u64>(), jitter in 0..=1000_u64,
        ) {
            prop_assert!(retry_delay_ms(attempt, base, max, server, jitter) >= server.min(600_000));
        }

        #[test]
        fn retry_server_bounded(server in any::<u64>()) {
            prop_assert!(super::retry_server_bounded(server));
        }

        #[test]
        fn retry_begins_at_base(attempt in attempt(), base in 0..=SETTING_MS_MAX, max in 0..=SETTING_MS_MAX) {
            let delay = backoff_ms(attempt, base, max);
            prop_assert!(delay == max || delay >= base);
        }

        /// Sampled: 100,000 retries of up to the hundredth, each with the next.
        #[test]
        fn retry_never_sooner_than_before(attempt in 0..100_u64, base in 0..=SETTING_MS_MAX, max in 0..=SETTING_MS_MAX) {
            prop_assert!(backoff_ms(attempt, base, max) <= backoff_ms(attempt + 1, base, max));
        }
    }

    #[test]
    fn delays_double_from_base_to_max() {
        let delays: Vec<u64> = (1..=7).map(|attempt| retry_delay_ms(attempt, 2_000, 60_000, 0, 0)).collect();
        assert_eq!(delays, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    }

    #[test]
    fn jitter_shortens_a_delay_but_never_below_what_the_server_asked_for() {
        assert_eq!(retry_delay_ms(1, 2_000, 60_000, 0, 250), 1_500);
        assert_eq!(retry_delay_ms(1, 2_000, 60_000, 1_900, 250), 1_900);
        assert_eq!(retry_delay_ms(1, 2_000, 60_000, 20_000, 250), 20_000);
    }
}
