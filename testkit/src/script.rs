//! The language of scripts: keys and windows in `<angle brackets>`, the model and its tools in `«quotes»`,
//! all else is typed. Plays nothing.

use protocol::{Failure, FailureKind};
use screen::{Key, KeyCode, Modifiers, Size};

use crate::faulty_journal::Health;

/// One step of a script.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token {
    Type(String),
    Key(Key),
    Paste(String),
    /// Lets time go by.
    Wait {
        delay_ms: u64,
    },
    Resize(Size),
    /// The window tells that it has, or has not, the focus.
    Focus(bool),
    /// A signal asks the program to end.
    Terminate {
        code: i32,
    },
    /// The terminal goes away.
    Gone,
    /// Everything is dropped as it stands, as by `kill -9`.
    Kill,
    /// The program starts again on the same journal, as with `-c`.
    Reopen,
    /// The journal's disk takes no more, hangs, or is sound again.
    Disk(Health),
    /// Waits, in real time, for real work to show this text.
    Until(String),
    Model(ModelToken),
    Tool(ToolToken),
}

/// What the scripted model does next.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ModelToken {
    Text(String),
    Thinking(String),
    Call {
        name: String,
        arguments: String,
    },
    /// The first part of a call's arguments; the next `Call` of that name completes it.
    CallPart {
        name: String,
        arguments: String,
    },
    End,
    /// The answer ends at the output limit.
    Length,
    /// The answer ends without any content.
    Empty,
    /// The stream ends before the model said why.
    Cut,
    Fail(Failure),
}

/// What the oldest running scripted tool does next.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ToolToken {
    Output(String),
    Done(String),
    Failed(String),
    Panic,
}

/// Reads a script; a token it does not know is a mistake in the test, and panics.
pub(crate) fn parse(script: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = script;
    while !rest.is_empty() {
        let next = rest.find(['<', '«']).unwrap_or(rest.len());
        let typed = rest[..next].trim();
        if !typed.is_empty() {
            tokens.push(Token::Type(typed.to_owned()));
        }
        rest = &rest[next..];
        if let Some(inside) = rest.strip_prefix('<') {
            let end = inside.find('>').unwrap_or_else(|| panic!("`<` without `>` in {rest:?}"));
            tokens.extend(angle(&inside[..end]));
            rest = &inside[end + 1..];
        } else if let Some(inside) = rest.strip_prefix('«') {
            let end = inside.find('»').unwrap_or_else(|| panic!("`«` without `»` in {rest:?}"));
            tokens.push(quoted(&inside[..end]));
            rest = &inside[end + '»'.len_utf8()..];
        }
    }
    tokens
}

fn angle(inside: &str) -> Vec<Token> {
    let (word, argument) = inside.split_once(' ').unwrap_or((inside, ""));
    let token = match word {
        "wait" => Token::Wait { delay_ms: milliseconds(argument) },
        "resize" => Token::Resize(size(argument)),
        "paste" => Token::Paste(unescape(argument)),
        "type" => Token::Type(unescape(argument)),
        "disk" => Token::Disk(match argument {
            "full" => Health::Full,
            "stuck" => Health::Stuck,
            "sound" => Health::Sound,
            _ => panic!("a disk is full, stuck or sound"),
        }),
        "until" => Token::Until(argument.to_owned()),
        "focus" => Token::Focus(true),
        "blur" => Token::Focus(false),
        "terminate" => Token::Terminate { code: argument.parse().expect("`<terminate CODE>`") },
        "gone" => Token::Gone,
        "kill" => Token::Kill,
        "reopen" => Token::Reopen,
        _ => return keys(inside),
    };
    vec![token]
}

/// `ctrl+c`, or `up*3` for the same key several times.
fn keys(name: &str) -> Vec<Token> {
    let (name, count) = match name.rsplit_once('*') {
        Some((name, count)) if !name.is_empty() => (name, count.parse().expect("`<key*COUNT>`")),
        _ => (name, 1),
    };
    vec![Token::Key(key(name)); count]
}

fn key(name: &str) -> Key {
    let mut modifiers = Modifiers::NONE;
    let mut rest = name;
    while let Some((word, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
        match word {
            "ctrl" => modifiers.ctrl = true,
            "alt" => modifiers.alt = true,
            "shift" => modifiers.shift = true,
            "super" => modifiers.super_ = true,
            _ => panic!("`{name}` names no key"),
        }
        rest = after;
    }
    Key::new(code(rest).unwrap_or_else(|| panic!("`{name}` names no key")), modifiers)
}

fn code(name: &str) -> Option<KeyCode> {
    Some(match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Escape,
        "tab" => KeyCode::Tab,
        "backspace" => KeyCode::Backspace,
        "delete" => KeyCode::Delete,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pageup" => KeyCode::PageUp,
        "pagedown" => KeyCode::PageDown,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "space" => KeyCode::Char(' '),
        "lt" => KeyCode::Char('<'),
        single => KeyCode::Char(Some(single).filter(|text| text.chars().count() == 1)?.chars().next()?),
    })
}

fn quoted(inside: &str) -> Token {
    if let Some(call) = inside.strip_prefix("!tool ") {
        let (name, arguments) = call.split_once(' ').unwrap_or((call, "{}"));
        return Token::Model(ModelToken::Call { name: name.to_owned(), arguments: arguments.to_owned() });
    }
    if let Some(call) = inside.strip_prefix("!part ") {
        let (name, arguments) = call.split_once(' ').unwrap_or((call, ""));
        return Token::Model(ModelToken::CallPart { name: name.to_owned(), arguments: arguments.to_owned() });
    }
    if let Some((word, text)) = inside.split_once(": ") {
        let text = unescape(text);
        match word {
            "think" => return Token::Model(ModelToken::Thinking(text)),
            "output" => return Token::Tool(ToolToken::Output(text)),
            "done" => return Token::Tool(ToolToken::Done(text)),
            "failed" => return Token::Tool(ToolToken::Failed(text)),
            _ => {}
        }
    }
    match inside {
        "end" => Token::Model(ModelToken::End),
        "length" => Token::Model(ModelToken::Length),
        "empty" => Token::Model(ModelToken::Empty),
        "cut" => Token::Model(ModelToken::Cut),
        "panic" => Token::Tool(ToolToken::Panic),
        _ => match failure(inside) {
            Some(failure) => Token::Model(ModelToken::Fail(failure)),
            None => Token::Model(ModelToken::Text(unescape(inside))),
        },
    }
}

fn failure(words: &str) -> Option<Failure> {
    let (kind, message, next_step) = match words.split(' ').take(2).collect::<Vec<_>>()[..] {
        ["fail", "401"] => (FailureKind::Unauthorized, "the server refused the key", "check the key and send it again"),
        ["fail", "400"] => (FailureKind::BadRequest, "the server could not read the request", "try another model"),
        ["fail", "429"] => (FailureKind::RateLimited, "the server asks to slow down", "wait a moment"),
        ["fail", "500"] => (FailureKind::Server, "the server failed (500)", "send the prompt again"),
        ["fail", "key"] => (FailureKind::MissingKey, "there is no key for `script`", "set SCRIPT_API_KEY"),
        ["reset"] => (FailureKind::Connection, "the connection was reset", "check the network"),
        ["malformed"] => (FailureKind::Malformed, "the server sent what cannot be read", "send the prompt again"),
        _ => return None,
    };
    let retry_after_ms = words
        .split(' ')
        .find_map(|word| word.strip_prefix("after="))
        .map(|seconds| 1000 * seconds.parse::<u64>().expect("`after=SECONDS`"));
    Some(Failure { retry_after_ms, ..Failure::new(kind, message, next_step) })
}

fn milliseconds(text: &str) -> u64 {
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1),
        None => (text.strip_suffix('s').expect("`<wait 500ms>` or `<wait 2s>`"), 1000),
    };
    factor * number.parse::<u64>().expect("`<wait 500ms>` or `<wait 2s>`")
}

pub(crate) fn size(text: &str) -> Size {
    let (cols, rows) = text.split_once('x').expect("a size is COLSxROWS");
    Size { cols: cols.parse().expect("columns are a number"), rows: rows.parse().expect("rows are a number") }
}

/// `\n`, `\t`, `\e` and `\\`, since a script is one line of words.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('r') => plain.push('\r'),
                Some('e') => plain.push('\u{1b}'),
                Some('\\') => plain.push('\\'),
                other => panic!("`\\{other:?}` is no escape of a script"),
            },
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_words_keys_and_model_text() {
        assert_eq!(
            parse("hi there <enter> «Hel» <ctrl+c> «!tool bash {\"command\":\"ls\"}» «end» <wait 2s> <up*2>"),
            [
                Token::Type("hi there".into()),
                Token::Key(Key::plain(KeyCode::Enter)),
                Token::Model(ModelToken::Text("Hel".into())),
                Token::Key(Key::ctrl('c')),
                Token::Model(ModelToken::Call { name: "bash".into(), arguments: "{\"command\":\"ls\"}".into() }),
                Token::Model(ModelToken::End),
                Token::Wait { delay_ms: 2000 },
                Token::Key(Key::plain(KeyCode::Up)),
                Token::Key(Key::plain(KeyCode::Up)),
            ]
        );
    }

    #[test]
    fn a_failure_carries_what_the_server_asked_for() {
        let Token::Model(ModelToken::Fail(failure)) = &parse("«fail 429 after=3»")[0] else { panic!("no failure") };
        assert_eq!((failure.kind, failure.retry_after_ms), (FailureKind::RateLimited, Some(3000)));
    }
}
