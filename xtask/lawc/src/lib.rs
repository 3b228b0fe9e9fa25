//! lawc: reads a file of `core/laws` and says the same in WhyML, the language of the Why3 prover.
//! Knows a small part of Rust and refuses the rest; proves nothing and trusts that the file compiles.

mod code;
mod constant;
mod contract;
mod item;
mod name;
mod purity;
mod scope;
mod shape;

use std::fmt;

pub use item::{Function, Kind, Param};
pub use name::{of_field as field_name, of_value as value_name, of_variant as variant_name};
pub use shape::{Enumeration, Record, Shape};

use proc_macro2::Span;
use syn::spanned::Spanned;

/// What the translated files stand on: machine numbers, slices, and the methods of numbers. Proved itself.
pub const PRELUDE: &str = include_str!("prelude.mlw");
/// The same names over plain numbers and arrays, for Why3's interpreter, which cannot run the prelude above.
pub const RUNNING_PRELUDE: &str = include_str!("running_prelude.mlw");

/// One translated file.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// The WhyML module; it uses the module `Prelude` of the file `prelude`.
    pub text: String,
    pub enumerations: Vec<Enumeration>,
    pub records: Vec<Record>,
    /// All functions in the order of the source, contracts' own ones too.
    pub functions: Vec<Function>,
}

/// Something in the file that lawc does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Counted from 1.
    pub line: usize,
    pub what: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: not in the subset: {}", self.line, self.what)
    }
}

impl std::error::Error for Refusal {}

/// What the translation is for: a prover reads contracts, Why3's interpreter wants bodies alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    Prove,
    Run,
}

/// Translates one file. `stem` is its name without `.rs`, and names the module.
///
/// # Errors
///
/// The first thing that is not in the subset, with its line.
pub fn translate(stem: &str, source: &str, purpose: Purpose) -> Result<Module, Refusal> {
    let file = syn::parse_file(source).map_err(|error| refusal(error.span(), &error.to_string()))?;
    item::Items::read(&file)?.write(stem, purpose)
}

/// Makes a refusal for the line where `at` begins.
fn no<T>(at: &impl Spanned, what: impl AsRef<str>) -> Result<T, Refusal> {
    Err(refusal(at.span(), what.as_ref()))
}

fn refusal(span: Span, what: &str) -> Refusal {
    Refusal { line: span.start().line, what: what.to_owned() }
}

#[cfg(test)]
mod tests;
