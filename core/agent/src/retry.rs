//! Retries: whether a failed request is sent again, and after which wait.
//! The wait itself is a law; the timer is the shell's.

use laws::retry::{SETTING_MS_MAX, retry_delay_ms};
use protocol::{Failure, FailureKind};

use crate::Retry;

/// By how much chance may shorten a delay, so that many clients do not come back at once.
const JITTER_PERMILLE_MAX: u64 = 250;
/// How often an answer without content is asked for again.
const EMPTY_RETRIES_MAX: u32 = 1;

/// Failed tries of one step in a row.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Episode {
    /// Retries scheduled so far.
    pub(crate) retries: u32,
    /// How many of the failures were answers without content.
    empties: u32,
    /// The newest failure, in words.
    pub(crate) reason: String,
}

/// The next try.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NextTry {
    pub(crate) episode: Episode,
    /// How many retries there can be at most, as far as is known now.
    pub(crate) retries_max: u32,
    pub(crate) delay_ms: u64,
}

/// Returns the next try after `failure`, none when there is no use or no retry left.
pub(crate) fn next_try(
    retry: &Retry,
    episode: Option<&Episode>,
    failure: &Failure,
    randomness: u64,
) -> Option<NextTry> {
    let before = episode.cloned().unwrap_or_default();
    let is_empty = failure.kind == FailureKind::Empty;
    let retries_max = if is_empty { retry.retries_max.min(before.retries + 1) } else { retry.retries_max };
    let is_spent = before.retries >= retries_max || (is_empty && before.empties >= EMPTY_RETRIES_MAX);
    if !retry.enabled || !failure.kind.is_transient() || is_spent {
        return None;
    }
    let episode = Episode {
        retries: before.retries + 1,
        empties: before.empties + u32::from(is_empty),
        reason: failure.message.clone(),
    };
    let delay_ms = retry_delay_ms(
        u64::from(episode.retries),
        // A longer setting counts as the longest.
        retry.base_delay_ms.min(SETTING_MS_MAX),
        retry.delay_max_ms.min(SETTING_MS_MAX),
        failure.retry_after_ms.unwrap_or(0),
        randomness % (JITTER_PERMILLE_MAX + 1),
    );
    Some(NextTry { episode, retries_max, delay_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: Retry = Retry { enabled: true, retries_max: 3, base_delay_ms: 2_000, delay_max_ms: 60_000 };

    fn failure(kind: FailureKind) -> Failure {
        Failure::new(kind, "it failed", "wait")
    }

    /// The attempts and delays of a server that fails in the same way for ever.
    fn tries(retry: &Retry, failure: &Failure) -> Vec<(u32, u32, u64)> {
        let mut tries = Vec::new();
        let mut episode = None;
        while let Some(next) = next_try(retry, episode.as_ref(), failure, 0) {
            tries.push((next.episode.retries, next.retries_max, next.delay_ms));
            episode = Some(next.episode);
        }
        tries
    }

    #[test]
    fn an_overloaded_server_is_asked_again_as_often_as_the_setting_says() {
        assert_eq!(tries(&RETRY, &failure(FailureKind::Overloaded)), [(1, 3, 2_000), (2, 3, 4_000), (3, 3, 8_000)]);
    }

    #[test]
    fn a_server_that_names_its_wait_is_given_it() {
        let busy = Failure { retry_after_ms: Some(20_000), ..failure(FailureKind::RateLimited) };
        assert_eq!(tries(&RETRY, &busy), [(1, 3, 20_000), (2, 3, 20_000), (3, 3, 20_000)]);
    }

    #[test]
    fn an_answer_without_content_is_asked_for_once_more() {
        assert_eq!(tries(&RETRY, &failure(FailureKind::Empty)), [(1, 1, 2_000)]);
    }

    #[test]
    fn what_somebody_must_mend_is_not_tried_again() {
        assert_eq!(tries(&RETRY, &failure(FailureKind::Unauthorized)), []);
        assert_eq!(tries(&Retry { enabled: false, ..RETRY }, &failure(FailureKind::Overloaded)), []);
        assert_eq!(tries(&Retry { retries_max: 0, ..RETRY }, &failure(FailureKind::Empty)), []);
    }
}
