//! What the program has to say: ends of turns, notices, changes. One paragraph each, readable without color.

use protocol::ModelRef;
use screen::{Role, Row, Span, WrapOptions, wrap};
use transcript::{NoticeLevel, TurnEnd, TurnEnding};

pub(super) fn turn_end(end: &TurnEnd, width_cols: usize) -> Vec<Row> {
    let (role, what) = match end.ending {
        TurnEnding::Interrupted => (Role::Warning, "Interrupted".to_owned()),
        TurnEnding::NoReply => (Role::Warning, "The turn ended without a reply".to_owned()),
        TurnEnding::Incomplete => (Role::Error, "The answer is incomplete".to_owned()),
        TurnEnding::GaveUp { attempts: 1 } => (Role::Error, "Gave up after 1 retry".to_owned()),
        TurnEnding::GaveUp { attempts } => (Role::Error, format!("Gave up after {attempts} retries")),
        TurnEnding::Failed => (Role::Error, String::new()),
    };
    let separator = match end.ending {
        TurnEnding::Interrupted => " ",
        TurnEnding::NoReply | TurnEnding::Incomplete | TurnEnding::GaveUp { .. } | TurnEnding::Failed => ": ",
    };
    let happened = joined(&[&what, &end.message], separator);
    paragraph(role, "!", &joined(&[&happened, &end.next_step], "; "), width_cols)
}

pub(super) fn notice(level: NoticeLevel, text: &str, width_cols: usize) -> Vec<Row> {
    match level {
        NoticeLevel::Info => paragraph(Role::Dim, "·", text, width_cols),
        NoticeLevel::Warning => paragraph(Role::Warning, "!", text, width_cols),
        NoticeLevel::Error => paragraph(Role::Error, "✗", text, width_cols),
    }
}

pub(super) fn model_changed(from: &ModelRef, to: &ModelRef, width_cols: usize) -> Vec<Row> {
    paragraph(Role::Dim, "·", &format!("the model is {to} now, it was {from}"), width_cols)
}

pub(super) fn unknown(type_name: &str, width_cols: usize) -> Vec<Row> {
    let words = format!("an event of a newer version: {type_name}");
    paragraph(Role::Dim, "·", &words, width_cols)
}

/// Joins what is not empty.
fn joined(parts: &[&str], separator: &str) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}

fn paragraph(role: Role, mark: &str, text: &str, width_cols: usize) -> Vec<Row> {
    let options = WrapOptions {
        width_cols,
        first_indent: &[Span::new(role, format!("{mark} "))],
        next_indent: &[Span::new(role, "  ")],
        unbroken: None,
    };
    wrap(&[Span::new(role, text.split_whitespace().collect::<Vec<_>>().join(" "))], &options)
}
