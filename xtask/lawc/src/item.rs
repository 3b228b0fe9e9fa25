//! Items: what a file declares, in the order in which WhyML needs it, and its functions with their contracts.
//! Bodies are `code`'s, conditions `contract`'s.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::visit::Visit;
use syn::{Attribute, Expr, File, FnArg, Item, ItemFn, Meta, Pat, ReturnType, Signature, Token, Type};

use crate::constant::Constants;
use crate::scope::{Holds, Scope};
use crate::shape::Shapes;
use crate::{Module, Purpose, Refusal, Shape, name, no, refusal};

/// A function of the file, as a caller from outside needs to know it.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: String,
    pub kind: Kind,
    pub params: Vec<Param>,
    pub returns: Shape,
    /// What must hold at a call, as Rust.
    pub requires: Vec<String>,
    /// The labels of what holds at its return.
    pub ensures: Vec<String>,
    /// Counted from 1.
    pub line: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub name: String,
    pub shape: Shape,
    /// Whether it is a slice the function may change.
    pub changes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Code,
    /// True for every argument.
    Law,
    /// Only contracts speak of it.
    Contract,
}

/// What other functions need to know of one.
pub(crate) struct Known {
    pub params: Vec<(String, Shape)>,
    pub returns: Shape,
    pub changes_a_slice: bool,
    pub only_in_contracts: bool,
    /// How contracts call it, if they can.
    pub model: Option<String>,
}

/// Everything in a file, and what is known so far of its functions.
pub(crate) struct Items {
    pub shapes: Shapes,
    pub constants: Constants,
    pub purpose: Purpose,
    functions: Vec<ItemFn>,
    known: BTreeMap<String, Known>,
}

/// The contract of one function, read from its attributes.
#[derive(Default)]
struct Contract {
    kind: Option<Kind>,
    requires: Vec<TokenStream>,
    ensures: Vec<Ensures>,
    variant: Option<TokenStream>,
}

/// `law_id: condition`
struct Ensures {
    label: syn::Ident,
    condition: Expr,
}

impl Parse for Ensures {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let label = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Self { label, condition: input.parse()? })
    }
}

impl Items {
    pub fn read(file: &File) -> Result<Self, Refusal> {
        let mut items = Items {
            shapes: Shapes::default(),
            constants: Constants::default(),
            purpose: Purpose::Prove,
            functions: Vec::new(),
            known: BTreeMap::new(),
        };
        attributes_are_known(file)?;
        for item in &file.items {
            match item {
                Item::Use(import) if is_of_contracts(import) => {}
                Item::Mod(module) if is_test(&module.attrs) => {}
                Item::Enum(item) => {
                    only_known(&item.attrs, &["doc", "derive"])?;
                    items.shapes.declare_enum(item)?;
                }
                Item::Struct(item) => {
                    only_known(&item.attrs, &["doc", "derive"])?;
                    items.shapes.declare_struct(item)?;
                }
                Item::Const(item) => {
                    only_known(&item.attrs, &["doc", "rustfmt"])?;
                    items.constants.declare(item)?;
                }
                Item::Fn(function) => items.functions.push(function.clone()),
                other => return no(other, "this kind of item"),
            }
        }
        for function in items.functions.clone() {
            items.declare(&function)?;
        }
        Ok(items)
    }

    pub fn write(mut self, stem: &str, purpose: Purpose) -> Result<Module, Refusal> {
        self.purpose = purpose;
        let (first, rest) = stem.split_at(usize::from(!stem.is_empty()));
        let imports = match purpose {
            Purpose::Prove => "  use int.Int\n  use int.MinMax\n  use int.ComputerDivision\n  use mach.int.UInt64\n",
            Purpose::Run => "  use int.Int\n",
        };
        let mut text = format!("module {}{rest}\n{imports}  use prelude.Prelude\n\n", first.to_uppercase());
        text += &self.shapes.write();
        text += &self.constants.write(purpose);
        for at in self.order()? {
            let function = self.functions[at].clone();
            text += &self.function(&function)?;
        }
        text += "end\n";
        let functions: Result<Vec<Function>, Refusal> = self.functions.iter().map(|one| self.described(one)).collect();
        Ok(Module {
            text,
            enumerations: self.shapes.enumerations.clone(),
            records: self.shapes.records.clone(),
            functions: functions?,
        })
    }

    pub fn signature(&self, function: &str) -> Option<&Known> {
        self.known.get(function)
    }

    fn declare(&mut self, function: &ItemFn) -> Result<(), Refusal> {
        plain(&function.sig)?;
        let contract = Contract::read(function)?;
        let mut params = Vec::new();
        let kind = contract.kind.unwrap_or(Kind::Code);
        for Param { name, shape, .. } in self.params(&function.sig, kind)? {
            params.push((name, shape));
        }
        let known = Known {
            params,
            returns: self.returns(&function.sig, kind)?,
            changes_a_slice: self.params(&function.sig, kind)?.iter().any(|param| param.changes),
            only_in_contracts: contract.kind == Some(Kind::Contract),
            model: None,
        };
        if self.known.insert(function.sig.ident.to_string(), known).is_some() {
            return no(&function.sig.ident, "two functions of one name");
        }
        Ok(())
    }

    fn described(&self, function: &ItemFn) -> Result<Function, Refusal> {
        let contract = Contract::read(function)?;
        let kind = contract.kind.unwrap_or(Kind::Code);
        Ok(Function {
            name: function.sig.ident.to_string(),
            kind,
            params: self.params(&function.sig, kind)?,
            returns: self.returns(&function.sig, kind)?,
            requires: contract.requires.iter().map(ToString::to_string).collect(),
            ensures: contract.ensures.iter().map(|one| one.label.to_string()).collect(),
            line: function.sig.ident.span().start().line,
        })
    }

    fn params(&self, signature: &Signature, kind: Kind) -> Result<Vec<Param>, Refusal> {
        let mut params = Vec::new();
        for input in &signature.inputs {
            let FnArg::Typed(typed) = input else { return no(input, "a method") };
            let Pat::Ident(pattern) = &*typed.pat else { return no(input, "a pattern as a parameter") };
            if pattern.mutability.is_some() || pattern.by_ref.is_some() || pattern.subpat.is_some() {
                return no(input, "a parameter that is more than a name");
            }
            if ["result", "old"].iter().any(|taken| pattern.ident == taken) {
                return no(input, "a parameter with a name that contracts use");
            }
            let changes = matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some());
            params.push(Param { name: pattern.ident.to_string(), shape: self.shape(&typed.ty, kind)?, changes });
        }
        Ok(params)
    }

    fn shape(&self, written: &Type, kind: Kind) -> Result<Shape, Refusal> {
        match kind {
            Kind::Contract => self.shapes.of_spoken(written),
            Kind::Code | Kind::Law => self.shapes.of(written),
        }
    }

    fn returns(&self, signature: &Signature, kind: Kind) -> Result<Shape, Refusal> {
        match &signature.output {
            ReturnType::Default => Ok(Shape::Unit),
            ReturnType::Type(_, written) => match self.shape(written, kind)? {
                Shape::Slice(_) => no(written, "a slice as a result"),
                shape => Ok(shape),
            },
        }
    }

    /// The functions in an order in which each stands behind those it speaks of.
    fn order(&self) -> Result<Vec<usize>, Refusal> {
        let mut order = Vec::new();
        let mut marks = vec![Mark::New; self.functions.len()];
        for at in 0..self.functions.len() {
            self.visit(at, &mut marks, &mut order)?;
        }
        Ok(order)
    }

    fn visit(&self, at: usize, marks: &mut [Mark], order: &mut Vec<usize>) -> Result<(), Refusal> {
        match marks[at] {
            Mark::Done => return Ok(()),
            Mark::Open => return no(&self.functions[at].sig.ident, "functions that call each other in a circle"),
            Mark::New => marks[at] = Mark::Open,
        }
        let contract = Contract::read(&self.functions[at])?;
        let mut words = Vec::new();
        idents(self.functions[at].block.to_token_stream(), &mut words);
        contract.requires.iter().for_each(|condition| idents(condition.clone(), &mut words));
        contract.ensures.iter().for_each(|one| idents(one.condition.to_token_stream(), &mut words));
        for (other, function) in self.functions.iter().enumerate() {
            if other != at && words.iter().any(|word| function.sig.ident == word) {
                self.visit(other, marks, order)?;
            }
        }
        marks[at] = Mark::Done;
        order.push(at);
        Ok(())
    }

    fn function(&mut self, function: &ItemFn) -> Result<String, Refusal> {
        let contract = Contract::read(function)?;
        let kind = contract.kind.unwrap_or(Kind::Code);
        let params = self.params(&function.sig, kind)?;
        let returns = self.returns(&function.sig, kind)?;
        if contract.kind == Some(Kind::Contract) {
            return match self.purpose {
                Purpose::Prove => self.spoken_of(function, &params, &returns),
                Purpose::Run => Ok(String::new()),
            };
        }
        if contract.kind == Some(Kind::Law) && returns != Shape::Bool {
            return no(&function.sig, "a law that is no bool");
        }
        let named = function.sig.ident.to_string();
        let recursive = {
            let mut words = Vec::new();
            idents(function.block.to_token_stream(), &mut words);
            words.contains(&named)
        };
        if recursive != contract.variant.is_some() {
            return no(&function.sig, "a recursion without `variant`, or the other way round");
        }
        let model = match (contract.kind, self.purpose) {
            (None, Purpose::Prove) => self.model(function, &params, &returns),
            _ => None,
        };
        let clauses = match self.purpose {
            Purpose::Prove => self.clauses(&named, &contract, &params, &returns, model.is_some())?,
            Purpose::Run => String::new(),
        };
        let machine = scope_of(&params, Holds::Machine);
        let (body, shape) = self.statements(&function.block.stmts, &machine)?;
        if shape != returns {
            return no(&function.sig, "a body of another kind than the result");
        }
        let params = written(&params, Shape::in_code);
        let params = if params.is_empty() { " ()".to_owned() } else { params };
        let recursive = if recursive { "rec " } else { "" };
        let program = format!(
            "  let {recursive}{}{params} : {}{clauses}\n  =\n    {body}\n\n",
            name::of_value(&named),
            returns.in_code()
        );
        if let (Some((call, _)), Some(known)) = (&model, self.known.get_mut(&named)) {
            known.model = Some(call.clone());
        }
        Ok(model.map_or_else(String::new, |(_, text)| text) + &program)
    }

    /// A function that only contracts speak of.
    fn spoken_of(&mut self, function: &ItemFn, params: &[Param], returns: &Shape) -> Result<String, Refusal> {
        let named = function.sig.ident.to_string();
        let (body, shape) =
            self.said_statements(&function.block, &function.block.stmts, &scope_of(params, Holds::Unbounded))?;
        if shape != *returns {
            return no(&function.sig, "a body of another kind than the result");
        }
        let call = name::of_model(&named);
        let text = logical(&call, params, returns, &body);
        if let Some(known) = self.known.get_mut(&named) {
            known.model = Some(call);
        }
        Ok(text)
    }

    /// The logical twin of a function that is one expression: its call and its text.
    fn model(&self, function: &ItemFn, params: &[Param], returns: &Shape) -> Option<(String, String)> {
        if params.iter().any(|param| param.changes) || *returns == Shape::Unit {
            return None;
        }
        let scope = scope_of(params, Holds::Bounded);
        let (body, _) = self.said_statements(&function.block, &function.block.stmts, &scope).ok()?;
        let call = name::of_model(&function.sig.ident.to_string());
        let text = logical(&call, params, returns, &body);
        Some((call, text))
    }

    fn clauses(
        &self,
        named: &str,
        contract: &Contract,
        params: &[Param],
        returns: &Shape,
        has_model: bool,
    ) -> Result<String, Refusal> {
        let mut text = String::new();
        let machine = scope_of(params, Holds::Machine);
        for requires in &contract.requires {
            text += &format!("\n    requires {{ {} }}", self.clause("requires", requires.clone(), &machine)?);
        }
        let after = machine.with_result(returns.clone());
        for Ensures { label, condition } in &contract.ensures {
            text += &format!("\n    ensures {{ [@expl:{label}] {} }}", self.formula(condition, &after)?);
        }
        if contract.kind == Some(Kind::Law) {
            text += &format!("\n    ensures {{ [@expl:{named}] result }}");
        }
        if has_model {
            let arguments: String = params
                .iter()
                .map(|param| match param.shape {
                    Shape::Number => format!(" (num {})", name::of_value(&param.name)),
                    _ => format!(" {}", name::of_value(&param.name)),
                })
                .collect();
            let twin = format!("{}{arguments}", name::of_model(named));
            text += &match returns {
                Shape::Bool => format!("\n    ensures {{ [@expl:twin] result <-> {twin} }}"),
                Shape::Number => format!("\n    ensures {{ [@expl:twin] num result = {twin} }}"),
                _ => format!("\n    ensures {{ [@expl:twin] result = {twin} }}"),
            };
        }
        if let Some(variant) = &contract.variant {
            text += &format!("\n    variant {{ {} }}", self.measure(variant.clone(), &machine)?);
        }
        Ok(text)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Contract {
    fn read(function: &ItemFn) -> Result<Self, Refusal> {
        let mut contract = Contract::default();
        for attribute in &function.attrs {
            let path = attribute.path();
            let tokens = || match &attribute.meta {
                Meta::List(list) => Ok(list.tokens.clone()),
                _ => no(attribute, "a contract without a condition"),
            };
            if path.is_ident("requires") {
                contract.requires.push(tokens()?);
            } else if path.is_ident("ensures") {
                let parsed: syn::Result<Ensures> = syn::parse2(tokens()?);
                let message = "an `ensures` that is not `law_id: condition`";
                contract.ensures.push(parsed.map_err(|error| refusal(error.span(), message))?);
            } else if path.is_ident("variant") {
                contract.variant = Some(tokens()?);
            } else if path.is_ident("law") {
                contract.kind = Some(Kind::Law);
            } else if path.is_ident("spec") {
                contract.kind = Some(Kind::Contract);
            } else {
                only_known(std::slice::from_ref(attribute), &["allow", "doc", "expect", "must_use", "inline"])?;
            }
        }
        if contract.kind == Some(Kind::Contract) && (!contract.requires.is_empty() || !contract.ensures.is_empty()) {
            return no(&function.sig, "a contract of a function that only contracts speak of");
        }
        Ok(contract)
    }
}

fn scope_of(params: &[Param], holds: Holds) -> Scope {
    params.iter().fold(Scope::default(), |scope, param| scope.with(&param.name, param.shape.clone(), holds))
}

fn written(params: &[Param], spelled: fn(&Shape) -> String) -> String {
    params.iter().map(|param| format!(" ({}: {})", name::of_value(&param.name), spelled(&param.shape))).collect()
}

fn logical(call: &str, params: &[Param], returns: &Shape, body: &str) -> String {
    let params = written(params, Shape::in_contract);
    match returns {
        Shape::Bool => format!("  predicate {call}{params} =\n    {body}\n\n"),
        other => format!("  function {call}{params} : {} =\n    {body}\n\n", other.in_contract()),
    }
}

fn plain(signature: &Signature) -> Result<(), Refusal> {
    let fancy = signature.unsafety.is_some()
        || signature.asyncness.is_some()
        || signature.constness.is_some()
        || signature.abi.is_some()
        || signature.variadic.is_some()
        || !signature.generics.params.is_empty()
        || signature.generics.where_clause.is_some();
    if fancy { no(signature, "a function that is more than `fn`") } else { Ok(()) }
}

fn only_known(attributes: &[Attribute], known: &[&str]) -> Result<(), Refusal> {
    let unknown = attributes.iter().find(|attribute| {
        let first = attribute.path().segments.first().map(|segment| segment.ident.to_string());
        !first.is_some_and(|first| known.contains(&first.as_str()))
    });
    unknown.map_or(Ok(()), |attribute| no(attribute, "this attribute"))
}

/// Refuses an attribute that could change what runs, wherever it stands but in tests.
fn attributes_are_known(file: &File) -> Result<(), Refusal> {
    struct Unknown(Option<Refusal>);
    impl<'ast> Visit<'ast> for Unknown {
        fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
            if !is_test(&module.attrs) {
                syn::visit::visit_item_mod(self, module);
            }
        }

        fn visit_attribute(&mut self, attribute: &'ast Attribute) {
            if let Err(refusal) = only_known(std::slice::from_ref(attribute), KNOWN) {
                self.0.get_or_insert(refusal);
            }
        }
    }
    let mut unknown = Unknown(None);
    unknown.visit_file(file);
    unknown.0.map_or(Ok(()), Err)
}

/// Every attribute that may stand in a file: what each item may have is narrower.
const KNOWN: &[&str] = &[
    "allow", "derive", "doc", "ensures", "expect", "inline", "law", "must_use", "requires", "rustfmt", "spec",
    "variant",
];

/// `use contracts::{…}` under the names that they have there.
fn is_of_contracts(import: &syn::ItemUse) -> bool {
    let text = import.tree.to_token_stream().to_string();
    text.starts_with("contracts ::") && !text.contains(" as ") && !text.contains('*')
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.to_token_stream().to_string().replace(' ', "") == "#[cfg(test)]")
}

/// All identifiers in `tokens`, within groups too.
fn idents(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(ident.to_string()),
            TokenTree::Group(group) => idents(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
