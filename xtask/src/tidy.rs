//! `tidy`: the rules of docs/STYLE.md that a machine can check, each with the way out in its message.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use syn::spanned::Spanned;
use syn::visit::Visit;

/// The longest function; longer ones hide a second one.
const FUNCTION_LINES_MAX: usize = 70;
/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils.rs", "util.rs", "common.rs", "helpers.rs", "misc.rs"];
/// Folders that hold no code of ours.
const SKIPPED: &[&str] = &["target", ".git", "node_modules"];

pub fn run(root: &Path) -> anyhow::Result<()> {
    let mut faults = crate::imports::check(root)?;
    for path in files(root, ".rs")? {
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        faults.extend(check_file(&name, &text));
    }
    faults.extend(crate::laws::check(root)?);
    if faults.is_empty() {
        println!("tidy: nothing to say");
        return Ok(());
    }
    bail!("tidy:\n  {}", faults.join("\n  "))
}

/// All files below `root` whose path ends so, sorted.
pub fn files(root: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if path.is_dir() && !SKIPPED.contains(&name) {
                folders.push(path);
            } else if path.is_file() && name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn check_file(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !text.starts_with("//!") {
        faults.push(format!("{name}: begin with a `//!` line that says what the file is, and what it is not"));
    }
    let last = name.rsplit('/').next().unwrap_or(name);
    if EMPTY_NAMES.contains(&last) {
        faults.push(format!("{name}: name the file after the type it is built around"));
    }
    match syn::parse_file(text) {
        Ok(file) => {
            let mut long = LongFunctions { name, faults: Vec::new() };
            long.visit_file(&file);
            faults.extend(long.faults);
        }
        Err(error) => faults.push(format!("{name}: {error}")),
    }
    faults
}

struct LongFunctions<'a> {
    name: &'a str,
    faults: Vec<String>,
}

impl LongFunctions<'_> {
    fn measure(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line.saturating_sub(signature.span().start().line) + 1;
        if lines > FUNCTION_LINES_MAX {
            let (name, function) = (self.name, &signature.ident);
            self.faults.push(format!(
                "{name}: `{function}` has {lines} lines; find the second function in it ({FUNCTION_LINES_MAX} at most)"
            ));
        }
    }
}

impl<'ast> Visit<'ast> for LongFunctions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig, &item.block);
        syn::visit::visit_impl_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_first_line_and_with_an_empty_name_is_told_both() {
        let faults = check_file("core/ui/src/utils.rs", "fn short() {}\n");
        assert_eq!(faults.len(), 2);
    }

    #[test]
    fn a_function_of_seventy_one_lines_is_one_too_many() {
        let body = |lines: usize| format!("//! Text.\nfn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2));
        assert_eq!(check_file("a.rs", &body(70)), Vec::<String>::new());
        assert_eq!(check_file("a.rs", &body(71)).len(), 1);
    }
}
