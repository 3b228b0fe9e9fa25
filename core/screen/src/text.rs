//! The one place that cleans text, and the one that measures it.

/// Keeps printable text; see the helper's brief.
pub fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// How many columns clean text takes.
pub fn width_cols(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
