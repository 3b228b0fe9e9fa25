//! Twins: what in the sources bears the name of a law.
//! Knows no table; whether a name is a law is for `laws` to say.

use std::collections::BTreeSet;
use std::path::Path;

use syn::parse::{Parse, ParseStream};
use syn::visit::Visit;

use super::usage::Usage;

/// Its own benches and tests ask nothing for the program.
const LAWS_FOLDER: &str = "core/laws/";
/// Where contracts are read.
pub const PROVED_FOLDER: &str = "core/laws/src/";
/// Labels of clauses that are no law: what a function returns, and what it leaves in a slice.
pub const HELPER_LABELS: [&str; 2] = ["returns", "leaves"];

/// How a law is known, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// By a prover, for every input.
    Proved,
    /// By a test that tries every input up to a bound.
    Exhausted,
    /// By a test of random inputs.
    Sampled,
}

/// One place that keeps a law true.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Twin {
    pub kind: Kind,
    pub file: String,
    pub name: String,
    /// What a test tries, by its own words.
    pub bound: Option<String>,
}

impl Twin {
    /// The name of its file, without the ending.
    pub fn stem(&self) -> &str {
        stem(&self.file)
    }

    /// Whether it stands beside the proved code, and so says nothing of the rest of the program.
    pub fn is_of_laws(&self) -> bool {
        self.file.starts_with(LAWS_FOLDER)
    }
}

/// All that was found so far.
#[derive(Default, Debug)]
pub struct Twins {
    /// Each name once for a file and kind.
    pub found: Vec<Twin>,
    pub usage: Usage,
}

impl Twins {
    /// Reads one file; `name` is its path from the root.
    pub fn read(&mut self, name: &str, source: &str) -> syn::Result<()> {
        let file = syn::parse_file(source)?;
        let is_proved = name.starts_with(PROVED_FOLDER);
        let mut reader = Reader { file: name, twins: self, fault: None };
        reader.visit_file(&file);
        if is_proved {
            file.items.iter().for_each(|item| reader.proved(item));
        }
        reader.fault.map_or(Ok(()), Err)?;
        if !name.starts_with(LAWS_FOLDER) {
            self.usage.read(&file);
        }
        Ok(())
    }
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Exhausted => "exhausted",
            Self::Sampled => "sampled",
        }
    }
}

fn stem(file: &str) -> &str {
    Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("")
}

struct Reader<'a> {
    file: &'a str,
    twins: &'a mut Twins,
    fault: Option<syn::Error>,
}

impl Reader<'_> {
    fn test(&mut self, attributes: &[syn::Attribute], name: &syn::Ident) {
        if is_test(attributes) {
            let (kind, bound) = tried(attributes);
            self.add(kind, &name.to_string(), bound);
        }
    }

    fn proved(&mut self, item: &syn::Item) {
        let syn::Item::Fn(item) = item else { return };
        if is_test(&item.attrs) {
            return;
        }
        let mut laws = BTreeSet::new();
        for attribute in &item.attrs {
            if attribute.path().is_ident("law") {
                laws.insert(item.sig.ident.to_string());
            } else if attribute.path().is_ident("ensures") {
                match attribute.parse_args::<Label>() {
                    Ok(Label(label)) => laws.extend([label.to_string()]),
                    Err(error) => self.fault = Some(error),
                }
            }
        }
        for law in &laws {
            self.add(Kind::Proved, law, None);
        }
        self.twins.usage.note(stem(self.file), item, laws);
    }

    fn add(&mut self, kind: Kind, name: &str, bound: Option<String>) {
        let twin = Twin { kind, file: self.file.to_owned(), name: name.to_owned(), bound };
        if !self.twins.found.contains(&twin) {
            self.twins.found.push(twin);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.test(&item.attrs, &item.sig.ident);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        if item.path.segments.last().is_some_and(|last| last.ident == "proptest") {
            match item.parse_body::<RandomTests>() {
                Ok(RandomTests(tests)) => tests.iter().for_each(|(attributes, name)| self.test(attributes, name)),
                Err(error) => self.fault = Some(error),
            }
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("test"))
}

/// What a test tries, by the first line of its doc.
fn tried(attributes: &[syn::Attribute]) -> (Kind, Option<String>) {
    let line = attributes.iter().find_map(doc_line).unwrap_or_default();
    let after = |word: &str| line.trim().strip_prefix(word).map(|bound| bound.trim().trim_end_matches('.').to_owned());
    match (after("Exhausted:"), after("Sampled:")) {
        (Some(bound), _) => (Kind::Exhausted, Some(bound)),
        (None, bound) => (Kind::Sampled, bound),
    }
}

fn doc_line(attribute: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if pair.path.is_ident("doc") => {
            Some(text.value())
        }
        _ => None,
    }
}

/// The name before the colon of `#[ensures(name: condition)]`.
struct Label(syn::Ident);

impl Parse for Label {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let label = input.parse()?;
        input.parse::<syn::Token![:]>()?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(Self(label))
    }
}

/// The functions in a `proptest!`, whose arguments are no Rust that `syn` knows.
struct RandomTests(Vec<(Vec<syn::Attribute>, syn::Ident)>);

impl Parse for RandomTests {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut tests = Vec::new();
        input.call(syn::Attribute::parse_inner)?;
        while !input.is_empty() {
            let attributes = input.call(syn::Attribute::parse_outer)?;
            input.parse::<syn::Token![fn]>()?;
            tests.push((attributes, input.parse()?));
            while !input.peek(syn::token::Brace) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
            input.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(Self(tests))
    }
}
