//! Contracts of the proved code: a prover reads them from the source, and a build with `debug_assertions` runs them.
//! Proves nothing, leaves nothing in a release build, and depends on nothing, so that nobody needs a prover to build.
//!
//! The first contract on a function takes all its other contracts with it and wraps the body once.
//! A contract that does not hold is a panic that names the function and the law.

mod clause;
mod function;
mod old;
mod rounds;
mod tokens;

use proc_macro::{Span, TokenStream};

use clause::Clause;
use tokens::{Misuse, check};

/// What must hold when the function is called: `#[requires(low <= high)]`.
///
/// ```compile_fail
/// #[contracts::requires(true)] // a contract stands on a function
/// struct Room;
/// ```
#[proc_macro_attribute]
pub fn requires(condition: TokenStream, item: TokenStream) -> TokenStream {
    function::with_contracts(Clause::read("requires", condition, Span::call_site()), item)
}

/// What holds when the function returns, under the id of its law: `#[ensures(some_law: result <= room)]`.
/// `result` is what it returns, `old(x)` is the parameter `x` as it was at the call.
///
/// ```compile_fail
/// #[contracts::ensures(result < 10)] // the law has no name
/// fn digit(number: u64) -> u64 {
///     number % 10
/// }
/// ```
#[proc_macro_attribute]
pub fn ensures(condition: TokenStream, item: TokenStream) -> TokenStream {
    function::with_contracts(Clause::read("ensures", condition, Span::call_site()), item)
}

/// Marks a function that is a law: it returns true for every argument.
///
/// ```compile_fail
/// #[contracts::law] // a law is true or it is not
/// fn half(number: u64) -> u64 {
///     number / 2
/// }
/// ```
#[proc_macro_attribute]
pub fn law(nothing: TokenStream, item: TokenStream) -> TokenStream {
    function::with_contracts(Clause::read("law", nothing, Span::call_site()), item)
}

/// Marks a function that only contracts speak of.
#[proc_macro_attribute]
pub fn spec(nothing: TokenStream, item: TokenStream) -> TokenStream {
    function::with_contracts(Clause::read("spec", nothing, Span::call_site()), item)
}

/// What gets smaller with each call of a recursive function. Only worked out here; that it falls is the prover's to see.
#[proc_macro_attribute]
pub fn variant(measure: TokenStream, item: TokenStream) -> TokenStream {
    function::with_contracts(Clause::read("variant", measure, Span::call_site()), item)
}

/// What holds each time a loop tests its condition; stands first in its body.
/// Without a contract on the function it is checked where it stands.
#[proc_macro]
pub fn invariant(condition: TokenStream) -> TokenStream {
    step("an invariant does not hold", condition)
}

/// What gets smaller with each round of a loop; stands first in its body.
/// Without a contract on the function it is only worked out.
#[proc_macro]
pub fn decreases(measure: TokenStream) -> TokenStream {
    old::replaced(measure)
        .map(|(measure, _)| tokens::in_debug(tokens::worked_out(measure)))
        .unwrap_or_else(|misuse: Misuse| misuse.into_error())
}

/// A step shown to the prover: it holds where it stands.
#[proc_macro]
pub fn lemma(condition: TokenStream) -> TokenStream {
    step("a lemma does not hold", condition)
}

fn step(broken: &str, condition: TokenStream) -> TokenStream {
    let message = format!("{broken}: {condition}");
    old::replaced(condition)
        .map(|(condition, _)| tokens::in_debug(check(condition, &message)))
        .unwrap_or_else(Misuse::into_error)
}
