//! Contracts: expressions as a prover reads them, over numbers without bounds.
//! Nothing here runs; the same expressions are executed as plain Rust in debug builds.

use proc_macro2::TokenStream;
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprMatch, ExprMethodCall, ExprStruct, Lit, Member, Pat, RangeLimits, Stmt, UnOp,
};

use crate::item::Items;
use crate::scope::{Holds, Scope, as_read};
use crate::{Refusal, Shape, name, no};

/// An expression in WhyML with its shape.
pub(crate) type Said = (String, Shape);

impl Items {
    /// A condition, from the tokens of an attribute or a macro.
    pub(crate) fn condition(&self, tokens: TokenStream, scope: &Scope) -> Result<String, Refusal> {
        let expression: Expr =
            syn::parse2(tokens).map_err(|error| crate::refusal(error.span(), "a contract that is no expression"))?;
        self.formula(&expression, scope)
    }

    /// A condition with its Rust text as its name, so that a goal nobody proves tells which clause it is.
    pub(crate) fn clause(&self, kind: &str, tokens: TokenStream, scope: &Scope) -> Result<String, Refusal> {
        let told = told(&tokens);
        Ok(format!("[@expl:{kind} {told}] {}", self.condition(tokens, scope)?))
    }

    /// A measure that falls: of a loop or a recursion.
    pub(crate) fn measure(&self, tokens: TokenStream, scope: &Scope) -> Result<String, Refusal> {
        let expression: Expr =
            syn::parse2(tokens).map_err(|error| crate::refusal(error.span(), "a measure that is no expression"))?;
        self.number(&expression, scope)
    }

    pub(crate) fn formula(&self, expression: &Expr, scope: &Scope) -> Result<String, Refusal> {
        match self.said(expression, scope)? {
            (text, Shape::Bool) => Ok(text),
            _ => no(expression, "a condition that is no bool"),
        }
    }

    fn number(&self, expression: &Expr, scope: &Scope) -> Result<String, Refusal> {
        match self.said(expression, scope)? {
            (text, Shape::Number) => Ok(text),
            _ => no(expression, "something else than a number"),
        }
    }

    /// An expression in a contract.
    pub(crate) fn said(&self, expression: &Expr, scope: &Scope) -> Result<Said, Refusal> {
        match expression {
            Expr::Paren(inner) => self.said(&inner.expr, scope),
            Expr::Group(inner) => self.said(&inner.expr, scope),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) if matches!(number.suffix(), "" | "u64" | "usize" | "i128") => {
                    Ok((number.base10_digits().to_owned(), Shape::Number))
                }
                Lit::Bool(truth) => Ok((truth.value.to_string(), Shape::Bool)),
                _ => no(expression, "this literal in a contract"),
            },
            Expr::Path(path) => self.said_path(path, scope),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                Ok((format!("(not {})", self.formula(&unary.expr, scope)?), Shape::Bool))
            }
            Expr::Binary(binary) => self.said_binary(binary, scope),
            Expr::If(choice) => {
                let Some((_, otherwise)) = &choice.else_branch else { return no(choice, "an if without else") };
                let condition = self.formula(&choice.cond, scope)?;
                let (then, shape) = self.said_block(&choice.then_branch, scope)?;
                let (otherwise, other) = self.said(otherwise, scope)?;
                if shape != other {
                    return no(choice, "branches of two kinds");
                }
                Ok((format!("(if {condition} then {then} else {otherwise})"), shape))
            }
            Expr::Block(block) if block.label.is_none() => self.said_block(&block.block, scope),
            Expr::Match(choice) => self.said_match(choice, scope),
            Expr::Index(index) => self.said_index(&index.expr, &index.index, scope),
            Expr::Field(field) => {
                let (of, shape) = self.said(&field.base, scope)?;
                let (spelled, shape) = self.field_of(expression, &shape, &field.member)?;
                Ok((as_read(&format!("{of}.{spelled}"), &shape, Holds::Machine), shape))
            }
            Expr::Cast(cast) => match &*cast.ty {
                syn::Type::Path(path)
                    if path.path.is_ident("i128") || (is_machine(&path.path) && is_read(&cast.expr, scope)) =>
                {
                    Ok((self.number(&cast.expr, scope)?, Shape::Number))
                }
                _ => no(expression, "a cast to this type"),
            },
            Expr::MethodCall(call) => self.said_method(call, scope),
            Expr::Call(call) => self.said_call(call, scope),
            _ => no(expression, "this kind of expression in a contract"),
        }
    }

    fn said_path(&self, path: &syn::ExprPath, scope: &Scope) -> Result<Said, Refusal> {
        if let Some(local) = path.path.get_ident().and_then(|ident| scope.in_contract(&ident.to_string())) {
            return Ok(local);
        }
        if let Some(number) = self.constant_of(path) {
            return Ok((number.to_string(), Shape::Number));
        }
        self.variant_of(path)
    }

    fn said_binary(&self, binary: &ExprBinary, scope: &Scope) -> Result<Said, Refusal> {
        if let (BinOp::Eq(_), Expr::Struct(literal)) = (&binary.op, &*binary.right) {
            return self.said_fields(&binary.left, literal, scope);
        }
        let (left, shape) = self.said(&binary.left, scope)?;
        let (right, other) = self.said(&binary.right, scope)?;
        if shape != other {
            return no(binary, "two kinds of values joined");
        }
        let numbers = shape == Shape::Number;
        let truths = shape == Shape::Bool;
        let (sign, becomes) = match &binary.op {
            BinOp::Add(_) if numbers => ("+", Shape::Number),
            BinOp::Sub(_) if numbers => ("-", Shape::Number),
            BinOp::Mul(_) if numbers => ("*", Shape::Number),
            BinOp::Div(_) if numbers => return Ok((format!("(div {left} {right})"), Shape::Number)),
            BinOp::Rem(_) if numbers => return Ok((format!("(mod {left} {right})"), Shape::Number)),
            BinOp::Lt(_) if numbers => ("<", Shape::Bool),
            BinOp::Le(_) if numbers => ("<=", Shape::Bool),
            BinOp::Gt(_) if numbers => (">", Shape::Bool),
            BinOp::Ge(_) if numbers => (">=", Shape::Bool),
            BinOp::And(_) if truths => ("/\\", Shape::Bool),
            BinOp::Or(_) if truths => ("\\/", Shape::Bool),
            BinOp::Eq(_) if truths => ("<->", Shape::Bool),
            BinOp::Ne(_) if truths => return Ok((format!("(not ({left} <-> {right}))"), Shape::Bool)),
            BinOp::Eq(_) if !matches!(shape, Shape::Slice(_)) => ("=", Shape::Bool),
            BinOp::Ne(_) if !matches!(shape, Shape::Slice(_)) => ("<>", Shape::Bool),
            _ => return no(binary, "this operator on these values in a contract"),
        };
        Ok((format!("({left} {sign} {right})"), becomes))
    }

    /// `value == Record { field: …, ..base }`, field by field: a record cannot be built of numbers without bounds.
    fn said_fields(&self, value: &Expr, literal: &ExprStruct, scope: &Scope) -> Result<Said, Refusal> {
        let (value_text, Shape::Record(named)) = self.said(value, scope)? else {
            return no(value, "a struct compared with something else");
        };
        let record = literal.path.get_ident().and_then(|ident| self.shapes.record(&ident.to_string()));
        let Some(record) = record.filter(|record| record.name == named) else {
            return no(literal, "a struct of another type");
        };
        let base = match &literal.rest {
            Some(base) => match self.said(base, scope)? {
                (text, Shape::Record(given)) if given == named => Some(text),
                _ => return no(base, "a struct built on something else"),
            },
            None => None,
        };
        let mut equal = Vec::new();
        for (field, shape) in &record.fields {
            let spelled = name::of_field(&named, field);
            let read = |of: &str| as_read(&format!("{of}.{spelled}"), shape, Holds::Machine);
            let given = literal.fields.iter().find(|one| matches!(&one.member, Member::Named(name) if name == field));
            let other = match (given, &base) {
                (Some(given), _) => match self.said(&given.expr, scope)? {
                    (text, given_shape) if given_shape == *shape => text,
                    _ => return no(given, "a field of another kind"),
                },
                (None, Some(base)) => read(base),
                (None, None) => return no(literal, format!("a struct without its field `{field}`")),
            };
            let sign = if *shape == Shape::Bool { "<->" } else { "=" };
            equal.push(format!("({} {sign} {other})", read(&value_text)));
        }
        let unknown = literal
            .fields
            .iter()
            .find(|one| self.field_of(&one.expr, &Shape::Record(named.clone()), &one.member).is_err());
        match unknown {
            Some(unknown) => no(unknown, "a field that is not there"),
            None => Ok((format!("({})", equal.join(" /\\ ")), Shape::Bool)),
        }
    }

    fn said_block(&self, block: &Block, scope: &Scope) -> Result<Said, Refusal> {
        self.said_statements(block, &block.stmts, scope)
    }

    pub(crate) fn said_statements(&self, whole: &Block, rest: &[Stmt], scope: &Scope) -> Result<Said, Refusal> {
        match rest {
            [Stmt::Expr(last, None)] => self.said(last, scope),
            [Stmt::Local(local), rest @ ..] => {
                let Pat::Ident(pattern) = &local.pat else { return no(local, "a pattern in a let") };
                let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
                    return no(local, "a let without a value");
                };
                if pattern.mutability.is_some() || pattern.by_ref.is_some() || pattern.subpat.is_some() {
                    return no(local, "a let that is more than a name");
                }
                let (value, shape) = self.said(&init.expr, scope)?;
                let value = if shape == Shape::Bool { format!("(if {value} then True else False)") } else { value };
                let named = self.fresh(&pattern.ident, scope)?;
                let inner = scope.with(&named, shape, Holds::Unbounded);
                let (text, shape) = self.said_statements(whole, rest, &inner)?;
                Ok((format!("(let {} = {value} in {text})", name::of_value(&named)), shape))
            }
            // A step shown to the prover says nothing more about the value.
            [Stmt::Macro(step), rest @ ..] if step.mac.path.is_ident("lemma") => {
                self.said_statements(whole, rest, scope)
            }
            [other, ..] => no(other, "this statement in a contract"),
            [] => no(whole, "a block without a value"),
        }
    }

    fn said_match(&self, choice: &ExprMatch, scope: &Scope) -> Result<Said, Refusal> {
        let (of, of_shape) = self.said(&choice.expr, scope)?;
        let mut arms = Vec::new();
        let mut shapes: Vec<Shape> = Vec::new();
        for arm in &choice.arms {
            let pattern = self.pattern(arm, &of_shape)?;
            let (text, shape) = self.said(&arm.body, scope)?;
            arms.push(format!("| {pattern} -> {text}"));
            shapes.push(shape);
        }
        match shapes.split_first() {
            Some((first, rest)) if rest.iter().all(|shape| shape == first) => {
                Ok((format!("(match {of} with {} end)", arms.join(" ")), first.clone()))
            }
            _ => no(choice, "arms of two kinds"),
        }
    }

    fn said_index(&self, slice: &Expr, at: &Expr, scope: &Scope) -> Result<Said, Refusal> {
        let at = self.number(at, scope)?;
        if let Some(table) = self.table_of(slice) {
            return Ok((format!("(m_{} {at})", name::of_table(table)), Shape::Number));
        }
        let (slice_text, Shape::Slice(element)) = self.said(slice, scope)? else {
            return no(slice, "an index into something else than a slice");
        };
        Ok((as_read(&format!("(get {slice_text} {at})"), &element, Holds::Machine), *element))
    }

    fn said_method(&self, call: &ExprMethodCall, scope: &Scope) -> Result<Said, Refusal> {
        let method = call.method.to_string();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        match (method.as_str(), arguments.as_slice()) {
            ("all" | "any", [over]) => self.quantified(call, over, scope),
            ("len", []) => match self.said(&call.receiver, scope)? {
                (slice, Shape::Slice(_)) => Ok((format!("(len {slice})"), Shape::Number)),
                _ => no(call, "the length of something else than a slice"),
            },
            ("min" | "max", [other]) => {
                let (one, other) = (self.number(&call.receiver, scope)?, self.number(other, scope)?);
                Ok((format!("(MinMax.{method} {one} {other})"), Shape::Number))
            }
            ("saturating_sub" | "saturating_add", [other])
                if !(is_read(&call.receiver, scope) && is_read(other, scope)) =>
            {
                no(call, format!("`{method}` of what has no bounds"))
            }
            ("saturating_sub" | "saturating_add" | "abs_diff", [other]) => {
                let (one, other) = (self.number(&call.receiver, scope)?, self.number(other, scope)?);
                Ok((format!("(int_{method} {one} {other})"), Shape::Number))
            }
            _ => no(call, format!("the method `{method}` in a contract")),
        }
    }

    /// `(from..to).all(|i| …)` and `.any`.
    fn quantified(&self, call: &ExprMethodCall, over: &Expr, scope: &Scope) -> Result<Said, Refusal> {
        let Expr::Closure(closure) = over else { return no(over, "a quantifier over something else than a closure") };
        let mut range = &*call.receiver;
        while let Expr::Paren(inner) = range {
            range = &inner.expr;
        }
        let Expr::Range(range) = range else { return no(range, "a quantifier over something else than a range") };
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) = (&range.start, &range.end, range.limits) else {
            return no(range, "a range that is not `from..to`");
        };
        let mut inputs = closure.inputs.iter();
        let (Some(Pat::Ident(variable)), None) = (inputs.next(), inputs.next()) else {
            return no(closure, "a quantifier that does not name one variable");
        };
        let named = self.fresh(&variable.ident, scope)?;
        let holds = if is_sum(start, scope) && is_sum(end, scope) { Holds::Bounded } else { Holds::Unbounded };
        let (start, end) = (self.number(start, scope)?, self.number(end, scope)?);
        let body = self.formula(&closure.body, &scope.with(&named, Shape::Number, holds))?;
        let variable = name::of_value(&named);
        let range = format!("{start} <= {variable} < {end}");
        let text = if call.method == "all" {
            format!("(forall {variable}:int. {range} -> {body})")
        } else {
            format!("(exists {variable}:int. {range} /\\ {body})")
        };
        Ok((text, Shape::Bool))
    }

    /// A name that a contract binds: none that means something already, for the bounds of a range may speak of that.
    fn fresh(&self, ident: &syn::Ident, scope: &Scope) -> Result<String, Refusal> {
        let named = ident.to_string();
        let is_taken = ["result", "old"].contains(&named.as_str()) || scope.in_contract(&named).is_some();
        if is_taken { no(ident, format!("`{named}` bound once more in a contract")) } else { Ok(named) }
    }

    fn said_call(&self, call: &syn::ExprCall, scope: &Scope) -> Result<Said, Refusal> {
        let Expr::Path(path) = &*call.func else { return no(call, "a call of something else than a name") };
        let Some(function) = path.path.get_ident().map(ToString::to_string) else {
            return no(call, "a call by a path");
        };
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let ("old", [Expr::Path(before)]) = (function.as_str(), arguments.as_slice()) {
            let local = before.path.get_ident().and_then(|ident| scope.in_contract(&ident.to_string()));
            return match local {
                Some((slice, shape @ Shape::Slice(_))) => Ok((format!("(old {slice})"), shape)),
                Some(scalar) => Ok(scalar),
                None => no(call, "`old` of something else than a parameter"),
            };
        }
        let Some(signature) = self.signature(&function) else { return no(call, format!("the function `{function}`")) };
        let Some(model) = &signature.model else {
            return no(call, format!("a contract that calls `{function}`, which has no logical twin"));
        };
        if arguments.len() != signature.params.len() {
            return no(call, "a call with another number of arguments");
        }
        let mut said = vec![model.clone()];
        for (argument, (_, shape)) in arguments.into_iter().zip(&signature.params) {
            let (text, given) = self.said(argument, scope)?;
            if given != *shape {
                return no(argument, "an argument of another kind");
            }
            said.push(if given == Shape::Bool { format!("(if {text} then True else False)") } else { text });
        }
        Ok((format!("({})", said.join(" ")), signature.returns.clone()))
    }
}

/// The Rust text of a condition, as short as a table can show it, in signs that a label of WhyML may have.
fn told(tokens: &TokenStream) -> String {
    const TIGHT: [(&str, &str); 11] = [
        (" . ", "."),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        (" ,", ","),
        ("[ ", "["),
        (" ]", "]"),
        (" [", "["),
        (" .. ", ".."),
        ("| i |", "|i|"),
        ("| j |", "|j|"),
    ];
    let mut text = tokens.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    for (loose, tight) in TIGHT {
        text = text.replace(loose, tight);
    }
    let text = text.replace('[', "(").replace(']', ")");
    match text.char_indices().nth(LABEL_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The longest text of a clause in a label.
const LABEL_CHARS: usize = 70;

/// Whether an end of a range is of machine numbers, which Rust then holds the variable to.
fn is_sum(expression: &Expr, scope: &Scope) -> bool {
    match expression {
        Expr::Binary(sum) => is_sum(&sum.left, scope) && is_sum(&sum.right, scope),
        Expr::Cast(cast) => matches!(&*cast.ty, syn::Type::Path(path) if is_machine(&path.path)),
        other => is_read(other, scope),
    }
}

fn is_machine(path: &syn::Path) -> bool {
    path.is_ident("u64") || path.is_ident("usize")
}

/// Whether an expression is a machine number as it stands. What was worked out over numbers without bounds is none,
/// and a cast would cut it off where the program runs and leave it whole here.
fn is_read(expression: &Expr, scope: &Scope) -> bool {
    match expression {
        Expr::Paren(inner) => is_read(&inner.expr, scope),
        Expr::Path(path) => path.path.get_ident().is_none_or(|ident| !scope.is_unbounded(&ident.to_string())),
        Expr::Lit(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::MethodCall(call) => call.method == "len",
        _ => false,
    }
}
