//! The arguments of a call while the model still writes them: text members out of unfinished JSON.
//! Judges nothing: a tool decodes the whole arguments by itself.

use std::iter::Peekable;
use std::str::Chars;

/// Returns the text of a member of the outermost object as far as it has come, none if it has not begun.
pub(super) fn text_member(arguments: &str, name: &str) -> Option<String> {
    let mut chars = arguments.chars().peekable();
    (next_mark(&mut chars)? == '{').then_some(())?;
    loop {
        match next_mark(&mut chars)? {
            ',' => {}
            '"' => {
                let (key, _) = text(&mut chars);
                (next_mark(&mut chars)? == ':').then_some(())?;
                let value = value(&mut chars)?;
                if key == name {
                    return Some(value);
                }
            }
            _ => return None,
        }
    }
}

/// Returns the next character that is no blank.
fn next_mark(chars: &mut Peekable<Chars>) -> Option<char> {
    chars.find(|char| !char.is_whitespace())
}

/// Reads a value to its end, or as far as it has come; none if it has not begun. What is no text reads as empty.
fn value(chars: &mut Peekable<Chars>) -> Option<String> {
    let first = next_mark(chars)?;
    if first == '"' {
        return Some(text(chars).0);
    }
    let mut depth = usize::from(matches!(first, '{' | '['));
    while let Some(&next) = chars.peek() {
        match next {
            ',' | '}' if depth == 0 => break,
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        chars.next();
        if next == '"' {
            text(chars);
        }
    }
    Some(String::new())
}

/// Reads text behind its opening quote. Returns it and whether it was closed.
fn text(chars: &mut Peekable<Chars>) -> (String, bool) {
    let mut text = String::new();
    while let Some(next) = chars.next() {
        match next {
            '"' => return (text, true),
            '\\' => text.extend(escaped(chars)),
            _ => text.push(next),
        }
    }
    (text, false)
}

/// Reads what follows a backslash; none if it has not come whole.
fn escaped(chars: &mut Peekable<Chars>) -> Option<char> {
    match chars.next()? {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'b' | 'f' => None,
        'u' => {
            let high = code_unit(chars)?;
            let mut units = vec![high];
            if (0xd800..0xdc00).contains(&high) {
                (chars.next()? == '\\' && chars.next()? == 'u').then_some(())?;
                units.push(code_unit(chars)?);
            }
            char::decode_utf16(units).next()?.ok()
        }
        literal => Some(literal),
    }
}

fn code_unit(chars: &mut Peekable<Chars>) -> Option<u16> {
    let digits: String = chars.take(4).collect();
    (digits.len() == 4).then(|| u16::from_str_radix(&digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_read_as_far_as_it_has_come() {
        let whole = r#" {"n": 1, "o": {"path": [1, "}"]}, "path": "src/\u00e9\ud83d\ude80\n\"x\".rs", "z": true}"#;
        assert_eq!(text_member(whole, "path").as_deref(), Some("src/é🚀\n\"x\".rs"));
        assert_eq!(text_member(whole, "o").as_deref(), Some(""));
        assert_eq!(text_member(whole, "none"), None);
        let partial: Vec<Option<String>> =
            [r#"{"pa"#, r#"{"path""#, r#"{"path":"#, r#"{"path": "sr"#, r#"{"path": "a\u00"#, r#"{"path": "a\"#]
                .map(|arguments| text_member(arguments, "path"))
                .into();
        assert_eq!(partial, [None, None, None, Some("sr".into()), Some("a".into()), Some("a".into())]);
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        for arguments in ["", "null", "[\"path\"]", "path", "{", "{{{", "{\"path\" \"x\"}"] {
            assert_eq!(text_member(arguments, "path"), None, "{arguments}");
        }
    }
}
