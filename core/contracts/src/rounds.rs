//! Rounds: loops whose invariants are checked at every test of the condition, and whose measure must fall.
//! A loop is known by what its body begins with; every other token stays as it is.

use proc_macro::{Group, TokenStream, TokenTree};

use crate::old;
use crate::tokens::{Misuse, braced, check, is_sign, is_word, parenthesized, quiet, spelled};

/// Returns the body with the checks of its loops in place; `name` is the function's.
pub(crate) fn checked(body: TokenStream, name: &str) -> Result<TokenStream, Misuse> {
    let mut out: Vec<TokenTree> = Vec::new();
    // Where in `out` the loop at hand begins.
    let mut began = None;
    for token in body {
        match token {
            TokenTree::Group(group) => {
                let promises = Promises::read(group.stream());
                match began {
                    Some(start) if promises.is_any() => {
                        let head = out.split_off(start).into_iter().collect();
                        out.push(promises.checked(head, name)?);
                        began = None;
                    }
                    _ => {
                        let mut whole = Group::new(group.delimiter(), checked(group.stream(), name)?);
                        whole.set_span(group.span());
                        out.push(whole.into());
                    }
                }
            }
            other => {
                if is_word(&other, "while") {
                    began = Some(out.len());
                } else if is_sign(&other, ';') || is_word(&other, "loop") || is_word(&other, "for") {
                    began = None;
                }
                out.push(other);
            }
        }
    }
    Ok(out.into_iter().collect())
}

/// Whether a step of this name, a macro, stands anywhere in the body.
pub(crate) fn speaks(body: &TokenStream, step: &str) -> bool {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    let called = tokens.windows(2).any(|pair| is_word(&pair[0], step) && is_sign(&pair[1], '!'));
    called || tokens.iter().any(|token| matches!(token, TokenTree::Group(group) if speaks(&group.stream(), step)))
}

/// What the body of a loop begins with, and the rest of it.
struct Promises {
    invariants: Vec<TokenStream>,
    measures: Vec<TokenStream>,
    rest: TokenStream,
}

impl Promises {
    fn read(body: TokenStream) -> Promises {
        let tokens: Vec<TokenTree> = body.into_iter().collect();
        let mut rest = tokens.as_slice();
        let (mut invariants, mut measures) = (Vec::new(), Vec::new());
        while let [word, bang, TokenTree::Group(said), semicolon, after @ ..] = rest {
            if !is_sign(bang, '!') || !is_sign(semicolon, ';') {
                break;
            } else if is_word(word, "invariant") {
                invariants.push(said.stream());
            } else if is_word(word, "decreases") {
                measures.push(said.stream());
            } else {
                break;
            }
            rest = after;
        }
        Promises { invariants, measures, rest: rest.iter().cloned().collect() }
    }

    fn is_any(&self) -> bool {
        !self.invariants.is_empty() || !self.measures.is_empty()
    }

    /// The loop as a block: the invariants before it and after each round, the measure at the start of each.
    fn checked(self, head: TokenStream, name: &str) -> Result<TokenTree, Misuse> {
        let mut invariants = TokenStream::new();
        for invariant in self.invariants {
            let message = format!("a loop in `{name}` breaks its invariant: {invariant}");
            invariants.extend(check(old::replaced(invariant)?.0, &message));
        }
        let (mut before, mut round) = (invariants.clone(), TokenStream::new());
        for (number, measure) in self.measures.into_iter().enumerate() {
            before.extend(spelled(&format!("let mut __measure_{number}: ::core::option::Option<i128> = None;")));
            round.extend(falls(measure, number, name)?);
        }
        round.extend([braced(checked(self.rest, name)?)]);
        round.extend(invariants);
        before.extend(head);
        before.extend([braced(round)]);
        Ok(braced(before))
    }
}

/// A block that compares a measure with that of the round before.
fn falls(measure: TokenStream, number: usize, name: &str) -> Result<TokenStream, Misuse> {
    let message = format!("a round in `{name}` brings its loop no nearer to its end: {measure}");
    let (measure, _) = old::replaced(measure)?;
    let mut block = spelled("let measure =");
    block.extend([parenthesized(measure)]);
    block.extend(spelled("as i128;"));
    block.extend(check(spelled(&format!("__measure_{number}.is_none_or(|before| measure < before)")), &message));
    block.extend(spelled(&format!("__measure_{number} = Some(measure);")));
    Ok(quiet(block))
}
