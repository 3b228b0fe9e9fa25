//! What Backspace takes of one cluster: all of it, or in some scripts its last code point only.

use std::ops::RangeInclusive;

/// Returns what is left of a cluster after Backspace; no joiner or selector is left without what it stood on.
pub(super) fn left_by_backspace(cluster: &str) -> &str {
    let mut characters = cluster.char_indices();
    let (Some((_, base)), Some((last, _))) = (characters.next(), characters.next_back()) else { return "" };
    if !is_typed_in_parts(base) || cluster.contains(is_selector) {
        return "";
    }
    cluster[..last].trim_end_matches(|character| is_joiner(character) || is_selector(character))
}

/// Blocks of the scripts that are typed part by part.
const TYPED_IN_PARTS: &[RangeInclusive<char>] = &[
    '\u{590}'..='\u{5ff}',     // Hebrew
    '\u{600}'..='\u{6ff}',     // Arabic
    '\u{750}'..='\u{77f}',     // Arabic
    '\u{870}'..='\u{8ff}',     // Arabic
    '\u{900}'..='\u{dff}',     // Devanagari to Sinhala
    '\u{e00}'..='\u{eff}',     // Thai, Lao
    '\u{f00}'..='\u{fff}',     // Tibetan
    '\u{1000}'..='\u{109f}',   // Myanmar
    '\u{1100}'..='\u{11ff}',   // Hangul jamo
    '\u{1780}'..='\u{17ff}',   // Khmer
    '\u{1a20}'..='\u{1aaf}',   // Tai Tham
    '\u{1b00}'..='\u{1bbf}',   // Balinese, Sundanese
    '\u{1cd0}'..='\u{1cff}',   // Vedic signs
    '\u{a8e0}'..='\u{a8ff}',   // Devanagari
    '\u{a960}'..='\u{a97f}',   // Hangul jamo
    '\u{a980}'..='\u{a9ff}',   // Javanese, Myanmar
    '\u{aa60}'..='\u{aa7f}',   // Myanmar
    '\u{d7b0}'..='\u{d7ff}',   // Hangul jamo
    '\u{fb1d}'..='\u{fb4f}',   // Hebrew
    '\u{fb50}'..='\u{fdff}',   // Arabic
    '\u{fe70}'..='\u{fefc}',   // Arabic
    '\u{11000}'..='\u{1107f}', // Brahmi
    '\u{11080}'..='\u{11fff}', // Kaithi to Tamil
];

fn is_typed_in_parts(base: char) -> bool {
    TYPED_IN_PARTS.iter().any(|block| block.contains(&base))
}

fn is_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}')
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}
