//! `old(x)`: the parameter `x` as it was at the call, kept under a name of its own.
//! Where it is kept is the function's to say.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::tokens::{Misuse, is_sign, is_word};

/// Returns the tokens with each `old(x)` replaced by the name of what was kept, and each `x`.
pub(crate) fn replaced(tokens: TokenStream) -> Result<(TokenStream, Vec<Ident>), Misuse> {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut names = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let calls = matches!(rest.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        let is_method = out.last().is_some_and(|before| is_sign(before, '.'));
        match token {
            TokenTree::Ident(old) if calls && !is_method && old.to_string() == "old" => {
                let parameter = parameter(&old, rest.next())?;
                out.push(kept(&parameter).into());
                names.push(parameter);
            }
            TokenTree::Group(group) => {
                let (inside, more) = replaced(group.stream())?;
                let mut whole = Group::new(group.delimiter(), inside);
                whole.set_span(group.span());
                out.push(whole.into());
                names.extend(more);
            }
            other => out.push(other),
        }
    }
    Ok((out.into_iter().collect(), names))
}

/// Returns each `x` of an `old(x)` in the steps of a body: its invariants, measures and lemmas.
pub(crate) fn named_in_steps(body: TokenStream) -> Result<Vec<Ident>, Misuse> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let is_step = at >= 2
            && is_sign(&tokens[at - 1], '!')
            && ["invariant", "decreases", "lemma"].iter().any(|step| is_word(&tokens[at - 2], step));
        names.extend(if is_step { replaced(group.stream())?.1 } else { named_in_steps(group.stream())? });
    }
    Ok(names)
}

/// The name under which a parameter's first value is kept.
pub(crate) fn kept(parameter: &Ident) -> Ident {
    Ident::new(&format!("__old_{parameter}"), Span::call_site().located_at(parameter.span()))
}

fn parameter(old: &Ident, argument: Option<TokenTree>) -> Result<Ident, Misuse> {
    if let Some(TokenTree::Group(group)) = argument {
        let mut inside = group.stream().into_iter();
        if let (Some(TokenTree::Ident(parameter)), None) = (inside.next(), inside.next()) {
            return Ok(parameter);
        }
    }
    Err(Misuse::new(old.span(), "`old` takes the name of a parameter"))
}
