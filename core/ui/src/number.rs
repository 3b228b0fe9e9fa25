//! Numbers as a person reads them. Cut, never rounded up: what is shown has been reached.

/// `999`, `1.5K`, `128K`, `2.5M`, `1B`.
pub(crate) fn count(number: u64) -> String {
    scaled(number, 1_000, &["", "K", "M", "B"])
}

/// `512 B`, `1.5 KB`, `3 MB`.
pub(crate) fn size(bytes: usize) -> String {
    scaled(bytes as u64, 1_024, &[" B", " KB", " MB", " GB"])
}

/// Time that still runs: `3s`, `1m 05s`, `1h 02m 03s`.
pub(crate) fn elapsed(ms: u64) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m {seconds:02}s"),
        (_, _) => format!("{hours}h {minutes:02}m {seconds:02}s"),
    }
}

/// Time that is over: `0.4s`, `12.3s`, and from a minute on as [`elapsed`].
pub(crate) fn duration(ms: u64) -> String {
    if ms < 60_000 { format!("{}.{}s", ms / 1_000, ms % 1_000 / 100) } else { elapsed(ms) }
}

/// One decimal below 10 of a unit, if it is not 0.
fn scaled(number: u64, step: u64, units: &[&str]) -> String {
    let (mut unit, mut scale) = (0, 1);
    while number / scale >= step && unit + 1 < units.len() {
        unit += 1;
        scale *= step;
    }
    let (whole, tenths) = (number / scale, number % scale * 10 / scale);
    let unit = units[unit];
    if whole < 10 && tenths > 0 { format!("{whole}.{tenths}{unit}") } else { format!("{whole}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_decimal_only_below_ten_of_a_unit() {
        let counts = [0, 999, 1_000, 1_599, 9_999, 12_800, 128_000, 999_999, 1_000_000, 2_500_000, 1_000_000_000];
        let shown = ["0", "999", "1K", "1.5K", "9.9K", "12K", "128K", "999K", "1M", "2.5M", "1B"];
        assert_eq!(counts.map(count), shown);
        assert_eq!(count(u64::MAX), "18446744073B");
    }

    #[test]
    fn sizes_count_in_1024() {
        assert_eq!(
            [0, 512, 1_024, 1_536, 240 * 1_024, 3 << 20].map(size),
            ["0 B", "512 B", "1 KB", "1.5 KB", "240 KB", "3 MB"]
        );
    }

    #[test]
    fn running_time_has_seconds_and_past_time_has_tenths() {
        let times = [0, 999, 3_400, 59_999, 65_000, 3_723_000];
        assert_eq!(times.map(elapsed), ["0s", "0s", "3s", "59s", "1m 05s", "1h 02m 03s"]);
        assert_eq!(times.map(duration), ["0.0s", "0.9s", "3.4s", "59.9s", "1m 05s", "1h 02m 03s"]);
    }
}
