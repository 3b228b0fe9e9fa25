//! Text on its way into a row: the one place that cleans it, and the one that measures and cuts it.
//! Knows no style and breaks no lines (`wrap` does).

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What a tab is shown as.
const TAB: &str = "   ";

/// The most columns one cluster takes, whatever its parts come to.
const CLUSTER_COLS_MAX: usize = 2;

const ELLIPSIS: char = '…';
const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Keeps what may stand in a row: printable text, a tab as three blanks.
/// Everything else goes: control characters (line ends too), whole escape sequences in both their forms
/// even when unfinished, bidi controls, and characters without width that only hide something.
pub fn clean(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut keeper = Keeper { kept: String::with_capacity(text.len()) };
    let mut parser = vte::Parser::new();
    if text.contains(is_c1) {
        parser.advance(&mut keeper, seven_bit(text).as_bytes());
    } else {
        parser.advance(&mut keeper, text.as_bytes());
    }
    keeper.kept
}

/// Splits output into clean lines at LF and CRLF; a carriage return alone leaves a line's last state.
/// No sequence reaches past its line, so an unfinished one hides the rest of one line at most.
pub fn clean_lines(text: &str) -> Vec<String> {
    text.lines().map(last_state).collect()
}

/// Shows what [`clean`] would hide: control, bidi and zero-width characters, blanks that are not the
/// common one, and what could not be decoded become `\u{202e}`; a backslash is doubled.
pub fn visible_escapes(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => shown.push_str(r"\\"),
            _ if deceives(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

/// Returns how many columns clean text takes.
pub fn width_cols(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(cluster_width_cols).sum() }
}

/// Returns how many columns one cluster takes: measured once as a whole, at most two.
pub fn cluster_width_cols(cluster: &str) -> usize {
    UnicodeWidthStr::width(cluster).min(CLUSTER_COLS_MAX)
}

/// Cuts clean text to `cols` columns; where the cut goes through a wide glyph stands a blank.
pub fn cut(text: &str, cols: usize) -> String {
    let (head, head_cols) = head(text, cols);
    let mut kept = head.to_owned();
    if head.len() < text.len() && head_cols < cols {
        kept.push(' ');
    }
    kept
}

/// Cuts clean text at its end, with `…` for what is gone.
pub fn cut_end(text: &str, cols: usize) -> String {
    if cols == 0 || width_cols(text) <= cols {
        return cut(text, cols);
    }
    format!("{}{ELLIPSIS}", head(text, cols - 1).0)
}

/// Cuts clean text in its middle, with `…` for what is gone; the longer half is the tail.
pub fn cut_middle(text: &str, cols: usize) -> String {
    if cols == 0 || width_cols(text) <= cols {
        return cut(text, cols);
    }
    let head_cols = (cols - 1) / 2;
    format!("{}{ELLIPSIS}{}", head(text, head_cols).0, tail(text, cols - 1 - head_cols))
}

/// True for a cluster whose width terminals do not agree on: after it the painter moves the cursor to a known column.
pub fn is_contested(cluster: &str) -> bool {
    let mut characters = cluster.chars();
    let Some(first) = characters.next() else { return false };
    matches!(first, '\u{1f1e6}'..='\u{1f1ff}' | '\u{1fa70}'..='\u{1faff}')
        || characters.any(|mark| !is_settled_mark(mark))
}

/// The widest head of `text` within `cols`, and its width.
fn head(text: &str, cols: usize) -> (&str, usize) {
    let mut taken_cols = 0;
    for (start, cluster) in text.grapheme_indices(true) {
        let next_cols = taken_cols + cluster_width_cols(cluster);
        if next_cols > cols {
            return (&text[..start], taken_cols);
        }
        taken_cols = next_cols;
    }
    (text, taken_cols)
}

/// The widest tail of `text` within `cols`.
pub(crate) fn tail(text: &str, cols: usize) -> &str {
    let mut taken_cols = 0;
    let mut start = text.len();
    for (cluster_start, cluster) in text.grapheme_indices(true).rev() {
        taken_cols += cluster_width_cols(cluster);
        if taken_cols > cols {
            break;
        }
        start = cluster_start;
    }
    &text[start..]
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// What a line shows when its carriage returns have been followed; progress bars end so.
fn last_state(line: &str) -> String {
    line.rsplit('\r').map(clean).find(|state| !state.is_empty()).unwrap_or_default()
}

fn is_c1(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9f}')
}

/// Writes the one-character forms of the escape sequences (C1) as the two-character forms that the parser knows.
fn seven_bit(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_c1(character) {
            let last = char::from_u32(character as u32 - 0x40).expect("0x40 to 0x5f are ASCII");
            written.extend(['\u{1b}', last]);
        } else {
            written.push(character);
        }
    }
    written
}

/// What the parser reports goes through here; all that is no text is left to the trait's empty defaults.
struct Keeper {
    kept: String,
}

impl vte::Perform for Keeper {
    fn print(&mut self, character: char) {
        match character {
            '\u{2028}' | '\u{2029}' => self.kept.push(' '),
            ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER if !self.can_join() => {}
            '\u{fe0e}' | '\u{fe0f}' if !self.can_vary() => {}
            _ if character.is_control() || hides(character) => {}
            _ => self.kept.push(character),
        }
    }

    fn execute(&mut self, byte: u8) {
        if byte == b'\t' {
            self.kept.push_str(TAB);
        }
    }
}

impl Keeper {
    /// A joiner has a meaning after a letter of a script that joins, or after a sign; never twice.
    fn can_join(&self) -> bool {
        self.kept.chars().next_back().is_some_and(|last| {
            !last.is_ascii() && !last.is_whitespace() && !matches!(last, ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER)
        })
    }

    fn can_vary(&self) -> bool {
        self.kept.chars().next_back().is_some_and(|last| {
            !last.is_whitespace()
                && !matches!(last, ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER | '\u{fe0e}' | '\u{fe0f}')
        })
    }
}

/// Characters that are not seen and change what is: bidi controls, invisible operators, tags, selectors without use.
fn hides(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}'..='\u{17b5}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// What could make a person approve something else than what is there.
fn deceives(character: char) -> bool {
    hides(character)
        || character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(
            character,
            ZERO_WIDTH_JOINER
                | ZERO_WIDTH_NON_JOINER
                | '\u{fe0e}'
                | '\u{fe0f}'
                | '\u{fffd}'
                | '\u{2800}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{3164}'
                | '\u{ffa0}'
        )
}

/// Marks that every terminal draws over the cell before them: accents, and the points of Hebrew, Arabic and kana.
fn is_settled_mark(mark: char) -> bool {
    matches!(
        mark,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
            | '\u{670}' | '\u{6d6}'..='\u{6ed}' | '\u{3099}' | '\u{309a}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_text_is_left_of_output_that_moves_the_cursor() {
        let cases = [
            ("plain", "plain"),
            ("a\tb", "a   b"),
            ("\x1b[2J \x1b[5;10H x \r y \x08 z \x1b[?1049h", "  x  y  z "),
            ("ok \x1b[1A \x1b[K Approved by user", "ok   Approved by user"),
            ("\x1b[31mred\x1b[0m", "red"),
            ("\x1b]0;title\x07after", "after"),
            ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\!", "link!"),
            ("before\x1b]0;x", "before"),
            ("before\x1b[", "before"),
            ("before\x1b", "before"),
            ("\x1bPq#0~\x1b\\sixel", "sixel"),
            ("\x1b_Gpayload\x1b\\kitty", "kitty"),
            ("é\u{9b}31mred\u{9d}0;t\u{9c}!", "éred!"),
            ("two\nlines\r\n", "twolines"),
            ("del\x7f nul\0 bell\x07", "del nul bell"),
        ];
        for (text, kept) in cases {
            assert_eq!(clean(text), kept, "{text:?}");
        }
    }

    #[test]
    fn what_hides_text_goes_and_what_joins_clusters_stays() {
        assert_eq!(clean("rm \u{202e}-rf\u{200b} x\u{2066}\u{feff}\u{e0041}"), "rm -rf x");
        assert_eq!(clean("a\u{200d}b \u{200d}c"), "ab c");
        assert_eq!(clean("👨\u{200d}👩\u{200d}👧"), "👨\u{200d}👩\u{200d}👧");
        assert_eq!(clean("❤\u{fe0f}\u{fe0f} 1\u{fe0f}\u{20e3}"), "❤\u{fe0f} 1\u{fe0f}\u{20e3}");
        assert_eq!(clean("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(clean("שלום README.md 42"), "שלום README.md 42");
    }

    #[test]
    fn a_carriage_return_leaves_the_last_state_of_its_line() {
        assert_eq!(
            clean_lines("10%\r50%\r\x1b[K100%\r\nnext\r\n\nlast\r"),
            ["100%", "next", "", "last"].map(String::from)
        );
        assert_eq!(clean_lines("a\x1b]0;never closed\nb"), ["a", "b"].map(String::from));
        assert_eq!(clean_lines(""), Vec::<String>::new());
    }

    #[test]
    fn an_approval_shows_what_is_hidden() {
        assert_eq!(
            visible_escapes("rm \u{202e}-rf\u{200b} C:\\x\x1b\u{a0}\u{fffd}é"),
            r"rm \u{202e}-rf\u{200b} C:\\x\u{1b}\u{a0}\u{fffd}é"
        );
    }

    #[test]
    fn a_cluster_is_measured_once() {
        let cases =
            [("abc", 3), ("日本", 4), ("👨\u{200d}👩\u{200d}👧", 2), ("e\u{301}", 1), ("🎉", 2), ("🇩🇪", 2), ("👍🏽", 2)];
        for (text, cols) in cases {
            assert_eq!(width_cols(text), cols, "{text}");
        }
    }

    #[test]
    fn a_cut_through_a_wide_glyph_leaves_a_blank() {
        assert_eq!(cut("a日本", 2), "a ");
        assert_eq!(cut("a日本", 3), "a日");
        assert_eq!(cut("a日本", 5), "a日本");
        assert_eq!(cut("e\u{301}x", 1), "e\u{301}");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn an_ellipsis_stands_where_text_was_cut() {
        assert_eq!(cut_end("abcdef", 4), "abc…");
        assert_eq!(cut_end("abc", 3), "abc");
        assert_eq!(cut_end("日本語", 4), "日…");
        assert_eq!(cut_middle("~/src/eukhe/core", 9), "~/sr…core");
        assert_eq!(cut_middle("abc", 1), "…");
        assert_eq!((cut_end("abc", 0), cut_middle("abc", 0)), (String::new(), String::new()));
    }

    #[test]
    fn contested_clusters_are_those_terminals_disagree_on() {
        for contested in ["❤\u{fe0f}", "👨\u{200d}👩", "🇩🇪", "👍🏽", "1\u{fe0f}\u{20e3}", "ที่", "ทำ", "कि", "\u{1faf6}"]
        {
            assert!(is_contested(contested), "{contested}");
        }
        for settled in ["a", "日", "🎉", "e\u{301}", "ท", "שׁ", "é", ""] {
            assert!(!is_contested(settled), "{settled}");
        }
    }

    proptest! {
        #[test]
        fn cleaning_never_leaves_a_control_and_cleans_once_for_all(text in "(\\PC|[\\x00-\\x9f]|\\x1b[\\[\\]P_]?|[\u{2000}-\u{2070}]){0,40}") {
            let kept = clean(&text);
            prop_assert!(!kept.chars().any(|c| c.is_control() || hides(c)), "{kept:?}");
            prop_assert_eq!(clean(&kept), kept);
        }

        #[test]
        fn a_cut_is_never_wider_than_asked(text in "(\\PC|👨\u{200d}👩|e\u{301}){0,30}", cols in 0usize..20) {
            let text = clean(&text);
            for kept in [cut(&text, cols), cut_end(&text, cols), cut_middle(&text, cols)] {
                prop_assert!(width_cols(&kept) <= cols, "{kept:?}");
            }
            prop_assert!(width_cols(&cut(&text, cols)) == cols.min(width_cols(&text)));
        }
    }
}
