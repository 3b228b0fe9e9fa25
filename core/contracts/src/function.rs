//! A function with contracts: its clauses are taken off it, and its body is wrapped once.
//! Two functions come of it: the checked one for builds with `debug_assertions`, and the plain one for all others.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::clause::Clause;
use crate::tokens::{Misuse, braced, check, is_sign, is_word, spelled, worked_out};
use crate::{old, rounds};

/// Returns the function with `first` and all contracts below it in force, or the error and the item without them.
pub(crate) fn with_contracts(first: Result<Clause, Misuse>, item: TokenStream) -> TokenStream {
    let function = match Function::parse(item.clone()) {
        Ok(function) => function,
        Err(misuse) => return misuse.into_error().into_iter().chain(item).collect(),
    };
    let checked = first.and_then(|first| function.clauses(first)).and_then(|clauses| function.written(&clauses));
    checked
        .unwrap_or_else(|misuse| misuse.into_error().into_iter().chain(function.plain(&TokenStream::new())).collect())
}

/// A free function without type parameters, as tokens.
struct Function {
    /// The contracts that stand below the one at hand: path, name and what is in their parentheses.
    contracts: Vec<Contract>,
    /// All other attributes.
    attributes: TokenStream,
    /// From the visibility to the type it returns.
    head: TokenStream,
    name: String,
    parameters: Vec<Parameter>,
    /// Empty if it returns nothing.
    returns: TokenStream,
    body: TokenStream,
}

struct Contract {
    path: TokenStream,
    name: String,
    inside: TokenStream,
    at: Span,
}

struct Parameter {
    name: Ident,
    is_reference: bool,
}

impl Function {
    fn parse(item: TokenStream) -> Result<Function, Misuse> {
        let tokens: Vec<TokenTree> = item.into_iter().collect();
        let (contracts, attributes, rest) = take_attributes(&tokens);
        let stray = |at: Option<&TokenTree>| {
            let at = at.map_or_else(Span::call_site, TokenTree::span);
            Misuse::new(
                at,
                "a contract stands on a free `fn` without type parameters and without `async`, `const` or `unsafe`",
            )
        };
        let visibility = match rest {
            [first, TokenTree::Group(_), ..] if is_word(first, "pub") => 2,
            [first, ..] if is_word(first, "pub") => 1,
            _ => 0,
        };
        let (name, parameters) = match &rest[visibility..] {
            [word, TokenTree::Ident(name), TokenTree::Group(parameters), ..] if is_word(word, "fn") => {
                (name, parameters)
            }
            [word, _, stranger, ..] if is_word(word, "fn") => return Err(stray(Some(stranger))),
            other => return Err(stray(other.first())),
        };
        let (body, head) = match rest.split_last() {
            Some((TokenTree::Group(body), head)) if body.delimiter() == Delimiter::Brace => (body, head),
            other => return Err(stray(other.map(|(last, _)| last))),
        };
        // Visibility, `fn`, name and parameters; then the arrow's two signs.
        let returns = head.iter().skip(visibility + 3 + 2).cloned().collect();
        Ok(Function {
            contracts,
            attributes,
            head: head.iter().cloned().collect(),
            name: name.to_string(),
            parameters: read_parameters(parameters),
            returns,
            body: body.stream(),
        })
    }

    fn clauses(&self, first: Clause) -> Result<Vec<Clause>, Misuse> {
        let mut clauses = vec![first];
        for contract in &self.contracts {
            clauses.push(Clause::read(&contract.name, contract.inside.clone(), contract.at)?);
        }
        Ok(clauses)
    }

    fn written(&self, clauses: &[Clause]) -> Result<TokenStream, Misuse> {
        let body = self.checked_body(clauses)?;
        let is_spec = clauses.iter().any(|clause| matches!(clause, Clause::Spec));
        let mark = spelled(if is_spec { "#[allow(dead_code, clippy::all)]" } else { "" });
        let mut whole = spelled("#[cfg(debug_assertions)]");
        whole.extend(self.function(&mark, body));
        whole.extend(spelled(
            "#[cfg(not(debug_assertions))] #[allow(unused_variables, unused_assignments, unused_mut)]",
        ));
        whole.extend(self.plain(&mark));
        Ok(whole)
    }

    /// The function as written, less its contracts; what only they use is no reason to warn.
    fn plain(&self, mark: &TokenStream) -> TokenStream {
        self.function(mark, self.body.clone())
    }

    fn function(&self, mark: &TokenStream, body: TokenStream) -> TokenStream {
        let mut inside = self.imports();
        inside.extend(body);
        let mut whole = mark.clone();
        whole.extend(self.attributes.clone());
        whole.extend(self.head.clone());
        whole.extend([braced(inside)]);
        whole
    }

    /// Uses of the attributes and macros that were taken off, whose imports would seem idle.
    fn imports(&self) -> TokenStream {
        let mut imports = TokenStream::new();
        let mut add = |path: TokenStream| {
            imports.extend(spelled("#[allow(unused_imports)] use"));
            imports.extend(path);
            imports.extend(spelled("as _;"));
        };
        for contract in &self.contracts {
            add(contract.path.clone());
        }
        for step in ["invariant", "decreases"] {
            if rounds::speaks(&self.body, step) {
                add(spelled(step));
            }
        }
        imports
    }

    fn checked_body(&self, clauses: &[Clause]) -> Result<TokenStream, Misuse> {
        let (mut at_entry, mut at_exit) = (TokenStream::new(), TokenStream::new());
        let mut kept = old::named_in_steps(self.body.clone())?;
        for clause in clauses {
            match clause {
                Clause::Requires { condition } => {
                    let message = format!("`{}` requires what does not hold: {condition}", self.name);
                    at_entry.extend(check(condition.clone(), &message));
                }
                Clause::Ensures { law, condition } => {
                    let message = format!("`{}` breaks `{law}`: {condition}", self.name);
                    let (condition, names) = old::replaced(condition.clone())?;
                    at_exit.extend(check(condition, &message));
                    kept.extend(names);
                }
                Clause::Law => {
                    self.require_truth()?;
                    at_exit.extend(check(spelled("result"), &format!("the law `{}` does not hold", self.name)));
                }
                Clause::Spec => {}
                Clause::Variant { measure } => at_entry.extend(worked_out(measure.clone())),
            }
        }
        at_entry.extend(self.snapshots(&kept)?);
        let body = rounds::checked(self.body.clone(), &self.name)?;
        if at_exit.is_empty() {
            return Ok(at_entry.into_iter().chain(body).collect());
        }
        refuse_early_end(&self.body)?;
        let mut whole = at_entry;
        if self.returns.is_empty() {
            whole.extend([braced(body)]);
            whole.extend(at_exit);
        } else {
            whole.extend(spelled("let result:"));
            whole.extend(self.returns.clone());
            whole.extend(spelled("=").into_iter().chain([braced(body)]).chain(spelled(";")));
            whole.extend(at_exit);
            whole.extend(spelled("result"));
        }
        Ok(whole)
    }

    fn require_truth(&self) -> Result<(), Misuse> {
        if self.returns.to_string() == "bool" {
            return Ok(());
        }
        Err(Misuse::new(Span::call_site(), format!("the law `{}` must return `bool`", self.name)))
    }

    /// What `old(x)` speaks of, each once, as it is before the body runs.
    fn snapshots(&self, names: &[Ident]) -> Result<TokenStream, Misuse> {
        let mut snapshots = TokenStream::new();
        let mut done: Vec<String> = Vec::new();
        for name in names {
            let text = name.to_string();
            let Some(parameter) = self.parameters.iter().find(|known| known.name.to_string() == text) else {
                return Err(Misuse::new(name.span(), format!("`{}` has no parameter `{text}`", self.name)));
            };
            if !done.contains(&text) {
                let value =
                    if parameter.is_reference { format!("&*(*{text}).to_owned()") } else { format!("{text}.clone()") };
                snapshots.extend(spelled(&format!("#[allow(clippy::all)] let __old_{text} = {value};")));
                done.push(text);
            }
        }
        Ok(snapshots)
    }
}

/// Splits the attributes off an item: the contracts, all others, and what follows.
fn take_attributes(tokens: &[TokenTree]) -> (Vec<Contract>, TokenStream, &[TokenTree]) {
    let (mut contracts, mut others, mut rest) = (Vec::new(), TokenStream::new(), tokens);
    while let [hash, TokenTree::Group(group), after @ ..] = rest {
        if !is_sign(hash, '#') {
            break;
        }
        match Contract::read(group) {
            Some(contract) => contracts.push(contract),
            None => others.extend([hash.clone(), group.clone().into()]),
        }
        rest = after;
    }
    (contracts, others, rest)
}

impl Contract {
    /// An attribute `name`, `name(…)`, `contracts::name` or `contracts::name(…)`, if it is one of ours.
    fn read(attribute: &Group) -> Option<Contract> {
        let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
        let (path, inside) = match tokens.split_last() {
            Some((TokenTree::Group(inside), path)) => (path, inside.stream()),
            _ => (tokens.as_slice(), TokenStream::new()),
        };
        let name = match path {
            [name] => name.to_string(),
            [first, _, _, name] if is_word(first, "contracts") => name.to_string(),
            _ => return None,
        };
        let path = path.iter().cloned().collect();
        Clause::is_named(&name).then(|| Contract { path, name, inside, at: attribute.span() })
    }
}

/// The parameters that are a name and a type.
fn read_parameters(list: &Group) -> Vec<Parameter> {
    let tokens: Vec<TokenTree> = list.stream().into_iter().collect();
    let mut parameters = Vec::new();
    for at in 1..tokens.len() {
        let begins = at == 1 || is_sign(&tokens[at - 2], ',') || is_word(&tokens[at - 2], "mut");
        if let (true, TokenTree::Ident(name)) = (begins && is_sign(&tokens[at], ':'), &tokens[at - 1]) {
            let is_reference = tokens.get(at + 1).is_some_and(|token| is_sign(token, '&'));
            parameters.push(Parameter { name: name.clone(), is_reference });
        }
    }
    parameters
}

/// A body that ends before its end would leave the checks there out.
fn refuse_early_end(body: &TokenStream) -> Result<(), Misuse> {
    for token in body.clone() {
        if is_word(&token, "return") || is_sign(&token, '?') {
            return Err(Misuse::new(
                token.span(),
                "a function with `ensures` or `law` ends at its end, where they are checked",
            ));
        }
        if let TokenTree::Group(group) = &token {
            refuse_early_end(&group.stream())?;
        }
    }
    Ok(())
}
