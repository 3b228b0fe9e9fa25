//! Contracts of the proved code: they vanish when it is compiled, and a prover reads them from the source.
//! Checks nothing itself, and depends on nothing, so that nobody needs a prover to build.

use proc_macro::TokenStream;

/// What must hold when the function is called: `#[requires(low <= high)]`.
#[proc_macro_attribute]
pub fn requires(_condition: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// What holds when the function returns, under the id of its law: `#[ensures(some_law: result <= room)]`.
/// `result` is what it returns, `old(x)` is `x` as it was at the call.
#[proc_macro_attribute]
pub fn ensures(_condition: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Marks a function that is a law: it returns true for every argument.
#[proc_macro_attribute]
pub fn law(_nothing: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Marks a function that only contracts speak of.
#[proc_macro_attribute]
pub fn spec(_nothing: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// What gets smaller with each call of a recursive function.
#[proc_macro_attribute]
pub fn variant(_measure: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// What holds each time a loop tests its condition.
#[proc_macro]
pub fn invariant(_condition: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// What gets smaller with each round of a loop.
#[proc_macro]
pub fn decreases(_measure: TokenStream) -> TokenStream {
    TokenStream::new()
}
