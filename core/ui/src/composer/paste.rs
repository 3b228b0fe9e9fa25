//! What text becomes on its way into the draft: clean, and folded behind a marker when it is long.

use screen::text;

use super::draft::Draft;

/// A paste of more lines than this is shown as a marker.
const SHOWN_LINES_MAX: usize = 10;
/// A paste of more characters than this is shown as a marker.
const SHOWN_CHARACTERS_MAX: usize = 1_000;

/// Makes a paste a piece of a draft; `number` names its marker, if it gets one.
pub(super) fn pasted(text: &str, number: usize) -> Draft {
    let line_count = text.lines().count();
    let character_count = text.chars().count();
    if line_count > SHOWN_LINES_MAX {
        Draft::marker(&format!("[paste #{number} +{line_count} lines]"), text)
    } else if character_count > SHOWN_CHARACTERS_MAX {
        Draft::marker(&format!("[paste #{number} {character_count} characters]"), text)
    } else {
        Draft::plain(text)
    }
}

/// Keeps text, tabs and line feeds; CRLF and CR become LF. `before` is what the text will stand behind:
/// a joiner or selector has a meaning only after the sign it belongs to.
/// Control characters go one by one: no unfinished sequence takes the words behind it along.
pub(super) fn kept(text: &str, before: Option<char>) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut kept = String::with_capacity(text.len());
    let mut before = before;
    for part in text.split_inclusive(['\n', '\t']) {
        let (words, separator) = match part.strip_suffix(['\n', '\t']) {
            Some(words) => (words, &part[words.len()..]),
            None => (part, ""),
        };
        kept.push_str(&kept_words(words, before.take()));
        kept.push_str(separator);
    }
    kept
}

fn kept_words(words: &str, before: Option<char>) -> String {
    let printable = before.into_iter().chain(words.chars().filter(|character| !character.is_control()));
    let clean = text::clean(&printable.collect::<String>());
    match before.and_then(|before| clean.strip_prefix(before)) {
        Some(kept) => kept.to_owned(),
        None => clean,
    }
}
