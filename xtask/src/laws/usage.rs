//! Usage: whether the program asks what was proved.
//! Reads names only: a function counts as asked where its module and its own name stand in another crate's code.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::Visit;

/// The functions of the proved files, and who names what of them.
#[derive(Default, Debug)]
pub struct Usage {
    /// By module and name.
    functions: BTreeMap<(String, String), Function>,
    /// What the other crates' files name.
    mentions: Vec<Mention>,
}

#[derive(Default, Debug)]
struct Function {
    /// The laws it carries: its labels, and its own name if it is one.
    laws: BTreeSet<String>,
    calls: BTreeSet<String>,
    /// It says something of the functions it calls: it is a law itself, or plays many steps over a slice.
    speaks_of_others: bool,
}

#[derive(Default, Debug)]
struct Mention {
    /// Modules of `laws`.
    modules: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Usage {
    /// Notes a function of a proved file. `laws` are those it carries.
    pub fn note(&mut self, module: &str, item: &syn::ItemFn, laws: BTreeSet<String>) {
        let mut calls = Calls::default();
        calls.visit_block(&item.block);
        let is_slice = |input: &syn::FnArg| match input {
            syn::FnArg::Typed(typed) => matches!(&*typed.ty, syn::Type::Reference(_)),
            syn::FnArg::Receiver(_) => false,
        };
        let gives_bool = matches!(&item.sig.output, syn::ReturnType::Type(_, given) if is_bool(given));
        let speaks_of_others = gives_bool || item.sig.inputs.iter().any(is_slice);
        let key = (module.to_owned(), item.sig.ident.to_string());
        self.functions.insert(key, Function { laws, calls: calls.0, speaks_of_others });
    }

    /// Notes what another crate's file names; its tests ask nothing for the program.
    pub fn read(&mut self, file: &syn::File) {
        let mut reader = Reader::default();
        reader.visit_file(file);
        if !reader.0.modules.is_empty() {
            self.mentions.push(reader.0);
        }
    }

    /// Whether a law of this module is one of code that the program asks.
    pub fn asks(&self, module: &str, law: &str) -> bool {
        let asked = self.asked(module);
        let carriers = self.functions.iter().filter(|((of, _), function)| of == module && function.laws.contains(law));
        carriers.into_iter().any(|((_, name), _)| self.concerns(module, name, &asked, &mut BTreeSet::new()))
    }

    /// The functions that other crates name, and all that those call.
    fn asked(&self, module: &str) -> BTreeSet<String> {
        let is_named = |name: &String| {
            self.mentions.iter().any(|mention| mention.modules.contains(module) && mention.names.contains(name))
        };
        let names = self.functions.keys().filter(|(of, _)| of == module).map(|(_, name)| name);
        let mut open: Vec<String> = names.filter(|name| is_named(name)).cloned().collect();
        let mut asked = BTreeSet::new();
        while let Some(name) = open.pop() {
            let Some(function) = self.functions.get(&(module.to_owned(), name.clone())) else { continue };
            if asked.insert(name) {
                open.extend(function.calls.iter().cloned());
            }
        }
        asked
    }

    /// Whether a function is asked, or says something of one that is.
    fn concerns(&self, module: &str, name: &str, asked: &BTreeSet<String>, seen: &mut BTreeSet<String>) -> bool {
        if asked.contains(name) {
            return true;
        }
        let Some(function) = self.functions.get(&(module.to_owned(), name.to_owned())) else { return false };
        seen.insert(name.to_owned())
            && function.speaks_of_others
            && function.calls.iter().any(|called| self.concerns(module, called, asked, seen))
    }
}

fn is_bool(given: &syn::Type) -> bool {
    matches!(given, syn::Type::Path(path) if path.path.is_ident("bool"))
}

/// The last names of all paths in a body.
#[derive(Default)]
struct Calls(BTreeSet<String>);

impl<'ast> Visit<'ast> for Calls {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.extend(path.segments.last().map(|last| last.ident.to_string()));
        syn::visit::visit_path(self, path);
    }
}

#[derive(Default)]
struct Reader(Mention);

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_of_tests = |attribute: &syn::Attribute| {
            attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
        };
        if !item.attrs.iter().any(is_of_tests) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [first, module, ..] = names.as_slice()
            && first == "laws"
        {
            self.0.modules.insert(module.clone());
        }
        self.0.names.extend(names);
        syn::visit::visit_path(self, path);
    }

    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        if path.ident == "laws" {
            self.0.modules.extend(first_names(&path.tree));
        }
        self.0.names.insert(path.ident.to_string());
        syn::visit::visit_use_path(self, path);
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.0.names.insert(name.ident.to_string());
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.0.names.insert(rename.ident.to_string());
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

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: &str = "
        fn frame() -> u64 { reveal(1) }
        fn reveal(one: u64) -> u64 { one }
        fn rate() -> u64 { reveal(1) }
        fn frames(shown: &mut [u64]) { frame(); }
        fn never_back() -> bool { frame() == 1 }
        fn never_late() -> bool { rate() == 1 }";

    fn usage(other: &str) -> Usage {
        let mut usage = Usage::default();
        for item in syn::parse_file(PACE).unwrap().items {
            let syn::Item::Fn(function) = item else { continue };
            let law = BTreeSet::from([format!("pace_{}", function.sig.ident)]);
            usage.note("pace", &function, law);
        }
        usage.read(&syn::parse_file(other).unwrap());
        usage
    }

    fn asked(other: &str) -> Vec<&'static str> {
        let laws = ["pace_frame", "pace_reveal", "pace_rate", "pace_frames", "pace_never_back", "pace_never_late"];
        let usage = usage(other);
        laws.into_iter().filter(|law| usage.asks("pace", law)).collect()
    }

    #[test]
    fn a_law_is_asked_with_what_calls_its_function_or_with_the_functions_it_speaks_of() {
        let all_but_rates = ["pace_frame", "pace_reveal", "pace_frames", "pace_never_back"];
        assert_eq!(asked("fn show() { laws::pace::frame() }"), all_but_rates);
        assert_eq!(asked("use laws::{pace, stack}; fn show() { pace::frame() }"), all_but_rates);
        assert_eq!(asked("use laws::pace::reveal;"), ["pace_reveal"]);
    }

    #[test]
    fn another_module_of_that_name_and_a_test_ask_nothing() {
        assert_eq!(asked("use crate::pace; fn show() { pace::frame() }"), [""; 0]);
        assert_eq!(asked("#[cfg(test)] mod tests { fn show() { laws::pace::frame() } }"), [""; 0]);
    }
}
