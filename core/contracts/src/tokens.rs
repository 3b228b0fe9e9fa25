//! Tokens: how checks are spelled, and errors in the use of a contract.
//! Knows neither functions nor clauses.

use proc_macro::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

/// A contract that cannot be read, with the place to blame.
pub(crate) struct Misuse {
    pub at: Span,
    pub message: String,
}

impl Misuse {
    pub fn new(at: Span, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }

    pub fn into_error(self) -> TokenStream {
        let message = TokenTree::from(Literal::string(&self.message));
        let error = spelled("::core::compile_error!").into_iter().chain([braced(message.into())]);
        located(error.collect(), self.at)
    }
}

/// Returns a block that panics with `message` unless `condition` is true; the place it tells is the condition's.
pub(crate) fn check(condition: TokenStream, message: &str) -> TokenStream {
    let at = place(&condition);
    let words = TokenTree::from(Literal::string(message));
    let panic = spelled("::core::panic!")
        .into_iter()
        .chain([parenthesized(spelled("\"{}\",").into_iter().chain([words]).collect())]);
    let mut block = spelled("let holds: bool =");
    block.extend(condition);
    block.extend(spelled("; if !holds"));
    block.extend([braced(located(panic.collect(), at))]);
    quiet(block)
}

/// Returns a block that works out a measure and does nothing with it.
pub(crate) fn worked_out(measure: TokenStream) -> TokenStream {
    let mut block = spelled("let _ =");
    block.extend([parenthesized(measure)]);
    block.extend(spelled("as i128;"));
    quiet(block)
}

/// A block whose wording is for the prover, and so is not for clippy.
pub(crate) fn quiet(block: TokenStream) -> TokenStream {
    let mut quiet = spelled("#[allow(clippy::all, unused_comparisons, unused_parens)]");
    quiet.extend([braced(block)]);
    quiet
}

pub(crate) fn in_debug(statement: TokenStream) -> TokenStream {
    let mut whole = spelled("#[cfg(debug_assertions)]");
    whole.extend(statement);
    whole
}

/// Our own tokens from text.
pub(crate) fn spelled(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|_| panic!("the contracts' own text is Rust: {text}"))
}

pub(crate) fn braced(inside: TokenStream) -> TokenTree {
    Group::new(Delimiter::Brace, inside).into()
}

pub(crate) fn parenthesized(inside: TokenStream) -> TokenTree {
    Group::new(Delimiter::Parenthesis, inside).into()
}

/// Whether a token is the given word.
pub(crate) fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == word)
}

pub(crate) fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn place(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span())
}

fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let one = |token: TokenTree| {
        let mut token = match token {
            TokenTree::Group(group) => Group::new(group.delimiter(), located(group.stream(), at)).into(),
            other => other,
        };
        token.set_span(at);
        token
    };
    tokens.into_iter().map(one).collect()
}
