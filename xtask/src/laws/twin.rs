//! Twins: what in the sources bears the name of a law, and which of the proved code is asked.
//! Knows no table; whether a name is a law is for `laws` to say.

use std::collections::BTreeSet;
use std::path::Path;

use syn::parse::{Parse, ParseStream};
use syn::visit::Visit;

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
        Path::new(&self.file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("")
    }
}

/// All that was found so far.
#[derive(Default, Debug)]
pub struct Twins {
    /// Each name once for a file and kind.
    pub found: Vec<Twin>,
    /// The modules of `laws` that other crates name.
    pub used: BTreeSet<String>,
}

impl Twins {
    /// Reads one file; `name` is its path from the root.
    pub fn read(&mut self, name: &str, source: &str) -> syn::Result<()> {
        let is_proved = name.starts_with(PROVED_FOLDER);
        let mut reader = Reader { file: name, is_proved, twins: self, fault: None };
        reader.visit_file(&syn::parse_file(source)?);
        reader.fault.map_or(Ok(()), Err)
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

struct Reader<'a> {
    file: &'a str,
    is_proved: bool,
    twins: &'a mut Twins,
    fault: Option<syn::Error>,
}

impl Reader<'_> {
    fn function(&mut self, attributes: &[syn::Attribute], name: &syn::Ident) {
        for attribute in attributes {
            if attribute.path().is_ident("test") {
                let (kind, bound) = tried(attributes);
                self.add(kind, name, bound);
            } else if self.is_proved && attribute.path().is_ident("law") {
                self.add(Kind::Proved, name, None);
            } else if self.is_proved && attribute.path().is_ident("ensures") {
                match attribute.parse_args::<Label>() {
                    Ok(Label(label)) => self.add(Kind::Proved, &label, None),
                    Err(error) => self.fault = Some(error),
                }
            }
        }
    }

    /// Its own benches and tests ask nothing for the program.
    fn uses(&mut self, modules: impl IntoIterator<Item = String>) {
        if !self.file.starts_with(LAWS_FOLDER) {
            self.twins.used.extend(modules);
        }
    }

    fn add(&mut self, kind: Kind, name: &syn::Ident, bound: Option<String>) {
        let twin = Twin { kind, file: self.file.to_owned(), name: name.to_string(), bound };
        if !self.twins.found.contains(&twin) {
            self.twins.found.push(twin);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig.ident);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let mut names = path.segments.iter().map(|segment| segment.ident.to_string());
        if names.next().as_deref() == Some("laws") {
            self.uses(names.next());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        if path.ident == "laws" {
            self.uses(first_names(&path.tree));
        }
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        if item.path.segments.last().is_some_and(|last| last.ident == "proptest") {
            match item.parse_body::<RandomTests>() {
                Ok(RandomTests(tests)) => tests.iter().for_each(|(attributes, name)| self.function(attributes, name)),
                Err(error) => self.fault = Some(error),
            }
        }
    }
}

/// What a `use` takes out of a crate.
fn first_names(tree: &syn::UseTree) -> Vec<String> {
    match tree {
        syn::UseTree::Path(path) => vec![path.ident.to_string()],
        syn::UseTree::Name(name) => vec![name.ident.to_string()],
        syn::UseTree::Rename(rename) => vec![rename.ident.to_string()],
        syn::UseTree::Group(group) => group.items.iter().flat_map(first_names).collect(),
        syn::UseTree::Glob(_) => Vec::new(),
    }
}

/// What a test tries, by the first line of its doc.
fn tried(attributes: &[syn::Attribute]) -> (Kind, Option<String>) {
    let line = attributes.iter().find_map(doc_line).unwrap_or_default();
    let after = |word: &str| line.trim().strip_prefix(word).map(|bound| bound.trim().to_owned());
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
