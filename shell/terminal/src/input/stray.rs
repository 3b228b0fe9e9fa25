//! Tells reports that have lost their ESC from text that someone types.

/// What held bytes are, the first of which is a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Text,
    /// So far like a report.
    Unfinished,
    Report,
}

pub(super) fn judge(held: &[u8]) -> Verdict {
    match held {
        [b'[' | b']'] | [b'[', b'<' | b'?'] => Verdict::Unfinished,
        [b'[', b'<', rest @ ..] => judge_parameters(rest, b"Mm"),
        [b'[', b'?', rest @ ..] => judge_parameters(rest, b"cnuy"),
        [b']', rest @ ..] => judge_color(rest),
        _ => Verdict::Text,
    }
}

/// Whether an unfinished report has come so far that no person typed it.
pub(super) fn is_surely_report(held: &[u8]) -> bool {
    match held {
        [b'[', b'<' | b'?', rest @ ..] => !rest.is_empty(),
        [b']', rest @ ..] => rest.contains(&b';'),
        _ => false,
    }
}

/// A mouse report or an answer: numbers, then one of the last bytes.
fn judge_parameters(rest: &[u8], lasts: &[u8]) -> Verdict {
    let Some((last, parameters)) = rest.split_last() else { return Verdict::Unfinished };
    let numbers = |bytes: &[u8]| {
        bytes.first().is_some_and(u8::is_ascii_digit)
            && bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b'$' | b':'))
    };
    if numbers(rest) {
        Verdict::Unfinished
    } else if lasts.contains(last) && numbers(parameters) {
        Verdict::Report
    } else {
        Verdict::Text
    }
}

/// The answer to a question for a color: `11;rgb:` or `4;1;rgb:`, then hex digits, then BEL or ESC and a backslash.
fn judge_color(rest: &[u8]) -> Verdict {
    let body = match rest {
        [body @ .., 0x07] | [body @ .., 0x1b, b'\\'] => {
            return if is_color_prefix(body) && body.contains(&b'/') { Verdict::Report } else { Verdict::Text };
        }
        [body @ .., 0x1b] => body,
        body => body,
    };
    if is_color_prefix(body) { Verdict::Unfinished } else { Verdict::Text }
}

fn is_color_prefix(body: &[u8]) -> bool {
    let digits = body.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b';')).count();
    let (numbers, rest) = body.split_at(digits);
    if !numbers.first().is_some_and(u8::is_ascii_digit) {
        return body.is_empty();
    }
    let colors = |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'/');
    [b"rgb:".as_slice(), b"rgba:"].iter().any(|name| match rest.strip_prefix(*name) {
        Some(rest) => colors(rest),
        None => name.starts_with(rest),
    }) && (rest.is_empty() || numbers.ends_with(b";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_unfinished_to_its_last_byte_and_text_is_text_at_once() {
        let reports: [&[u8]; 7] = [
            b"[<65;40;17M",
            b"[<0;1;1m",
            b"[?62;22c",
            b"[?5u",
            b"[?1007;1$y",
            b"]11;rgb:1e1e/1e1e/1e1e\x07",
            b"]11;rgb:1e1e/1e1e/1e1e\x1b\\",
        ];
        for report in reports {
            for end in 1..report.len() {
                assert_eq!(judge(&report[..end]), Verdict::Unfinished, "{:?}", String::from_utf8_lossy(&report[..end]));
            }
            assert_eq!(judge(report), Verdict::Report, "{:?}", String::from_utf8_lossy(report));
        }
        let texts: [&[u8]; 9] = [b"[a", b"[<a", b"[?a", b"[<;", b"[1", b"]x", b"]11;x", b"]1r", b"]11;rgb:1e\x07"];
        for text in texts {
            assert_eq!(judge(text), Verdict::Text, "{:?}", String::from_utf8_lossy(text));
        }
    }
}
