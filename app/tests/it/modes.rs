//! Reads off a record of bytes which modes it leaves set.

use std::collections::BTreeMap;

/// Modes that differ from how a terminal is found, by name; empty if all was given back.
pub(crate) fn left_set(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    // The window also has the wheel as arrow keys on, and says so when asked.
    let mut modes = BTreeMap::from([(7, true), (25, true), (1007, true)]);
    let found = modes.clone();
    let (mut kitty, mut titles, mut other_keys) = ([0_i32; 2], 0, false);
    for sequence in text.split("\x1b[").skip(1) {
        let end = sequence.find(|character: char| character.is_ascii_alphabetic()).unwrap_or(0);
        let (body, last) = (&sequence[..end], sequence[end..].chars().next().unwrap_or(' '));
        let screen = usize::from(modes.get(&1049) == Some(&true));
        match (body, last) {
            (body, 'h' | 'l') if body.starts_with('?') => {
                modes.insert(body[1..].parse::<u32>().unwrap(), last == 'h');
            }
            (">5", 'u') => kitty[screen] += 1,
            ("<1", 'u') => kitty[screen] -= 1,
            ("22;2", 't') => titles += 1,
            ("23;2", 't') => titles -= 1,
            (">4;2", 'm') => other_keys = true,
            (">4;0", 'm') => other_keys = false,
            _ => {}
        }
    }
    let mut left: Vec<String> = modes
        .into_iter()
        .filter(|(mode, on)| found.get(mode).copied().unwrap_or(false) != *on)
        .map(|(mode, on)| format!("?{mode}{}", if on { 'h' } else { 'l' }))
        .collect();
    left.extend((kitty != [0, 0]).then(|| format!("kitty {kitty:?}")));
    left.extend((titles != 0).then(|| format!("titles {titles}")));
    left.extend(other_keys.then(|| "modifyOtherKeys".to_owned()));
    left
}
