//! What is said: the prompt, the model's thinking, its answer.

use screen::{Role, Row, Span, Style, WrapOptions, wrap};
use transcript::{Answer, Thinking, User};

use super::{Detail, EntryView, surfaced};
use crate::number;

/// Blanks before code rows.
const CODE_INDENT_COLS: usize = 2;

const PROMPT: &str = "> ";
const INDENT: &str = "  ";

pub(super) fn user(user: &User, view: &EntryView) -> Vec<Row> {
    let style = Style::new(Role::UserMessageText).on(Role::UserMessageBg);
    let mark = Span::new(style.clone().bold(), PROMPT);
    let indent = Span::new(style.clone(), INDENT);
    let mut rows = Vec::new();
    for line in user.text.trim_end().split('\n') {
        let mut spans = vec![Span::new(style.clone(), line)];
        let mut first = &indent;
        if rows.is_empty() {
            first = &mark;
            if user.is_steered {
                spans.insert(0, Span::new(Style::new(Role::Dim).on(Role::UserMessageBg), "steered · "));
            }
        }
        let options = WrapOptions {
            width_cols: view.width_cols,
            first_indent: std::slice::from_ref(first),
            next_indent: std::slice::from_ref(&indent),
            unbroken: None,
        };
        rows.extend(wrap(&spans, &options));
    }
    rows.into_iter().map(|row| surfaced(row, Role::UserMessageBg, view)).collect()
}

pub(super) fn thinking(thinking: &Thinking, view: &EntryView) -> Vec<Row> {
    let style = Style::new(Role::ThinkingText).italic();
    let header = match thinking.duration_ms {
        None => "Thinking".to_owned(),
        Some(ms) if ms < 1_000 => format!("Thought for {}", number::duration(ms)),
        Some(ms) => format!("Thought for {}", number::elapsed(ms)),
    };
    let mut rows = vec![Row::of(style.clone(), header).cut(view.width_cols)];
    match view.detail {
        Detail::Overview => {}
        Detail::Details | Detail::All => rows.extend(indented(&thinking.text, &style, view.width_cols)),
    }
    rows
}

pub(super) fn answer(answer: &Answer, view: &EntryView) -> Vec<Row> {
    let mut rows = markup::markdown(answer.shown(), &markdown_options(view));
    rows.extend(incomplete_mark(answer, view));
    rows
}

pub(super) fn markdown_options(view: &EntryView) -> markup::Options {
    markup::Options { width_cols: view.width_cols, base: Role::MdBody, code_indent_cols: CODE_INDENT_COLS }
}

/// The row below an answer that was cut; the reason is told where the turn ends.
pub(super) fn incomplete_mark(answer: &Answer, view: &EntryView) -> Option<Row> {
    let is_cut = answer.cut.is_some() && !answer.is_behind();
    is_cut.then(|| Row::of(Style::new(Role::Dim).italic(), "(incomplete)").cut(view.width_cols))
}

/// Paragraphs below a header.
fn indented(text: &str, style: &Style, width_cols: usize) -> Vec<Row> {
    let indent = [Span::new(style.clone(), INDENT)];
    let options = WrapOptions { width_cols, first_indent: &indent, next_indent: &indent, unbroken: None };
    let mut rows = Vec::new();
    for line in text.trim().split('\n') {
        match line.trim() {
            "" => rows.push(Row::blank()),
            line => rows.extend(wrap(&[Span::new(style.clone(), line)], &options)),
        }
    }
    rows
}
