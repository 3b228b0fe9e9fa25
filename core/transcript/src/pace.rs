//! Pace: how much of an answer a frame shows. The rate is `laws::pace`; here it meets text.
//! What counts is the grapheme cluster: none is ever shown in halves.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::Answer;

/// How fast shown text follows what has arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaceRate {
    /// At least so many characters a frame; 0 counts as 1.
    pub chars_min: u64,
    /// The frames a backlog is spread over, less one.
    pub lag: u64,
}

impl PaceRate {
    /// Characters that one frame reveals of a backlog.
    pub(crate) fn reveal(self, backlog: u64) -> u64 {
        laws::pace::frame(self.chars_min.max(1), self.lag, backlog, 0)
    }
}

impl Answer {
    /// Takes text that has just arrived. What it completes of a shown character is shown with it.
    pub(crate) fn append(&mut self, text: &str) {
        let was_behind = self.is_behind();
        self.text.push_str(text);
        if !was_behind {
            self.shown_bytes = cluster_end(&self.text, self.shown_bytes);
        }
    }

    /// Characters that have arrived and are not on screen.
    pub(crate) fn backlog(&self) -> u64 {
        let hidden = &self.text[self.shown_bytes..];
        let count = if is_plain(hidden) { hidden.len() } else { hidden.graphemes(true).count() };
        count as u64
    }

    /// Shows so many more characters, or all there are. Returns how many.
    pub(crate) fn reveal(&mut self, chars: u64) -> u64 {
        let hidden = &self.text[self.shown_bytes..];
        let (mut bytes, mut count) = (0, 0);
        for cluster in hidden.graphemes(true).take(usize::try_from(chars).unwrap_or(usize::MAX)) {
            bytes += cluster.len();
            count += 1;
        }
        self.shown_bytes += bytes;
        count
    }
}

/// Returns `at`, or the end of the character it stands in.
pub(crate) fn cluster_end(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0).unwrap_or(true) {
        return at;
    }
    cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len())
}

/// Whether each byte is a character of its own.
fn is_plain(text: &str) -> bool {
    text.is_ascii() && !text.contains('\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: PaceRate = PaceRate { chars_min: 2, lag: 3 };

    fn answer(text: &str) -> Answer {
        Answer { text: text.into(), shown_bytes: 0, cut: None }
    }

    fn frame(answer: &mut Answer, rate: PaceRate) {
        answer.reveal(rate.reveal(answer.backlog()));
    }

    #[test]
    fn a_burst_of_400_characters_takes_19_frames() {
        let mut answer = answer(&"x".repeat(400));
        let frames = (0..).take_while(|_| answer.is_behind().then(|| frame(&mut answer, RATE)).is_some()).count();
        assert_eq!(frames, 19);
    }

    #[test]
    fn a_family_or_a_flag_is_never_shown_in_halves() {
        let mut answer = answer("a👨‍👩‍👧🇩🇪e\u{301}\r\nz");
        let rate = PaceRate { chars_min: 1, lag: u64::MAX };
        let mut seen = Vec::new();
        while answer.is_behind() {
            frame(&mut answer, rate);
            seen.push(answer.shown().to_owned());
        }
        let family = "a👨‍👩‍👧";
        let expected = [
            "a".to_owned(),
            family.to_owned(),
            format!("{family}🇩🇪"),
            format!("{family}🇩🇪e\u{301}"),
            format!("{family}🇩🇪e\u{301}\r\n"),
            format!("{family}🇩🇪e\u{301}\r\nz"),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_completes_a_shown_character_is_shown_with_it() {
        let mut answer = answer("👩");
        answer.reveal(1);
        answer.append("\u{200d}🚀 up");
        assert_eq!(answer.shown(), "👩\u{200d}🚀");
    }

    #[test]
    fn the_largest_settings_overflow_nothing() {
        for rate in [
            PaceRate { chars_min: u64::MAX, lag: u64::MAX },
            PaceRate { chars_min: 0, lag: u64::MAX },
            PaceRate { chars_min: u64::MAX, lag: 0 },
            PaceRate { chars_min: 0, lag: 0 },
        ] {
            let mut answer = answer("some text");
            frame(&mut answer, rate);
            assert!(answer.shown_bytes > 0, "{rate:?}");
        }
    }
}
