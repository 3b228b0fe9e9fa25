//! Code: the bodies of functions as WhyML programs over machine numbers, where every step must be safe.
//! A number that overflows, an index outside its slice or a division by zero is a goal for the prover.

use syn::{Arm, BinOp, Block, Expr, ExprBinary, ExprMatch, ExprStruct, ExprWhile, Lit, Local, Member, Pat, Stmt, UnOp};

use crate::contract::Said;
use crate::item::Items;
use crate::scope::{Holds, Scope};
use crate::{Purpose, Refusal, Shape, name, no};

impl Items {
    /// The statements of a block, the last one its value.
    pub(crate) fn statements(&self, rest: &[Stmt], scope: &Scope) -> Result<Said, Refusal> {
        match rest {
            [] => Ok(("()".into(), Shape::Unit)),
            [Stmt::Local(local), rest @ ..] => self.bound(local, rest, scope),
            [Stmt::Macro(step), rest @ ..] if step.mac.path.is_ident("lemma") => {
                let (then, shape) = self.statements(rest, scope)?;
                if self.purpose == Purpose::Run {
                    return Ok((then, shape));
                }
                let step = self.clause("lemma", step.mac.tokens.clone(), scope)?;
                Ok((format!("assert {{ {step} }};\n    {then}"), shape))
            }
            [Stmt::Expr(last, None)] => self.run(last, scope),
            [Stmt::Expr(step, _), rest @ ..] => {
                let (text, shape) = self.run(step, scope)?;
                let (then, then_shape) = self.statements(rest, scope)?;
                if shape == Shape::Unit {
                    Ok((format!("{text};\n    {then}"), then_shape))
                } else {
                    Ok((format!("let _ = {text} in\n    {then}"), then_shape))
                }
            }
            [other, ..] => no(other, "this kind of statement"),
        }
    }

    fn bound(&self, local: &Local, rest: &[Stmt], scope: &Scope) -> Result<Said, Refusal> {
        let (pattern, annotated) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.shapes.of(&typed.ty)?)),
            plain => (plain, None),
        };
        let Pat::Ident(pattern) = pattern else { return no(local, "a pattern in a let") };
        if pattern.by_ref.is_some() || pattern.subpat.is_some() {
            return no(local, "a let that is more than a name");
        }
        let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
            return no(local, "a let without a value");
        };
        let (value, shape) = self.run(&init.expr, scope)?;
        if matches!(shape, Shape::Unit | Shape::Slice(_)) || annotated.is_some_and(|annotated| annotated != shape) {
            return no(local, "a let of a slice, of nothing or of another type");
        }
        let named = pattern.ident.to_string();
        let (then, then_shape) = self.statements(rest, &scope.with(&named, shape, Holds::Machine))?;
        let kept = if pattern.mutability.is_some() { "ref " } else { "" };
        Ok((format!("let {kept}{} = {value} in\n    {then}", name::of_value(&named)), then_shape))
    }

    fn block(&self, block: &Block, scope: &Scope) -> Result<Said, Refusal> {
        let (text, shape) = self.statements(&block.stmts, scope)?;
        Ok((format!("({text})"), shape))
    }

    /// An expression that may change something: a statement, the value of a let, an assignment or a block.
    fn run(&self, expression: &Expr, scope: &Scope) -> Result<Said, Refusal> {
        match expression {
            Expr::Paren(inner) => self.run(&inner.expr, scope),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block, scope),
            Expr::If(choice) => {
                let condition = self.truth(&choice.cond, scope)?;
                let (then, shape) = self.block(&choice.then_branch, scope)?;
                let (otherwise, other) = match &choice.else_branch {
                    Some((_, otherwise)) => self.run(otherwise, scope)?,
                    None => ("()".into(), Shape::Unit),
                };
                if shape != other {
                    return no(choice, "branches of two kinds");
                }
                Ok((format!("(if {condition} then {then} else {otherwise})"), shape))
            }
            Expr::Match(choice) => self.run_match(choice, scope),
            Expr::While(repeated) => self.run_while(repeated, scope),
            Expr::Assign(assigned) => {
                let (value, shape) = self.run(&assigned.right, scope)?;
                self.assigned(&assigned.left, &value, &shape, scope)
            }
            Expr::Binary(binary) if assigning(&binary.op).is_some() => {
                let sign = assigning(&binary.op).unwrap_or_default();
                let (before, after) =
                    (self.machine_number(&binary.left, scope)?, self.machine_number(&binary.right, scope)?);
                self.assigned(&binary.left, &format!("({before} {sign} {after})"), &Shape::Number, scope)
            }
            Expr::Call(call) => self.call(call, scope),
            other => self.value(other, scope),
        }
    }

    fn run_match(&self, choice: &ExprMatch, scope: &Scope) -> Result<Said, Refusal> {
        let (of, of_shape) = self.value(&choice.expr, scope)?;
        let mut arms = Vec::new();
        let mut shapes: Vec<Shape> = Vec::new();
        for arm in &choice.arms {
            let pattern = self.pattern(arm, &of_shape)?;
            let (text, shape) = self.run(&arm.body, scope)?;
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

    /// The pattern of an arm: variants of one enum, joined by `|`, without a guard.
    pub(crate) fn pattern(&self, arm: &Arm, of: &Shape) -> Result<String, Refusal> {
        let Shape::Enumeration(_) = of else { return no(&arm.pat, "a match on something else than an enum") };
        if arm.guard.is_some() {
            return no(&arm.pat, "a guard in a match");
        }
        let cases: Vec<&Pat> = match &arm.pat {
            Pat::Or(either) => either.cases.iter().collect(),
            one => vec![one],
        };
        let mut spelled = Vec::new();
        for case in cases {
            let Pat::Path(path) = case else { return no(case, "a pattern that is no variant") };
            let (variant, shape) = self.variant_of(path)?;
            if shape != *of {
                return no(case, "a variant of another enum");
            }
            spelled.push(variant);
        }
        Ok(spelled.join(" | "))
    }

    fn run_while(&self, repeated: &ExprWhile, scope: &Scope) -> Result<Said, Refusal> {
        if repeated.label.is_some() {
            return no(repeated, "a loop with a label");
        }
        let condition = self.truth(&repeated.cond, scope)?;
        let mut clauses = String::new();
        let mut measured = false;
        let mut steps = repeated.body.stmts.as_slice();
        while let [Stmt::Macro(clause), rest @ ..] = steps {
            let tokens = clause.mac.tokens.clone();
            let is_read = self.purpose == Purpose::Prove;
            if clause.mac.path.is_ident("invariant") {
                if is_read {
                    clauses += &format!("\n      invariant {{ {} }}", self.clause("invariant", tokens, scope)?);
                }
            } else if clause.mac.path.is_ident("decreases") {
                measured = true;
                if is_read {
                    clauses += &format!("\n      variant {{ {} }}", self.measure(tokens, scope)?);
                }
            } else {
                break;
            }
            steps = rest;
        }
        if !measured {
            return no(repeated, "a loop without `decreases!`");
        }
        let (body, Shape::Unit) = self.statements(steps, scope)? else {
            return no(repeated, "a loop whose body has a value");
        };
        Ok((format!("while {condition} do{clauses}\n    {body}\n    done"), Shape::Unit))
    }

    /// `place = value`.
    fn assigned(&self, place: &Expr, value: &str, shape: &Shape, scope: &Scope) -> Result<Said, Refusal> {
        let (_, known) = self.value(place, scope)?;
        if known != *shape {
            return no(place, "an assignment of another kind");
        }
        let text = match place {
            Expr::Path(path) => match path.path.get_ident() {
                Some(ident) => format!("{} <- {value}", name::of_value(&ident.to_string())),
                None => return no(place, "an assignment to a path"),
            },
            Expr::Index(index) => {
                let (slice, _) = self.value(&index.expr, scope)?;
                format!("slice_set {slice} {} {value}", self.machine_number(&index.index, scope)?)
            }
            Expr::Field(field) => {
                let (of, of_shape) = self.value(&field.base, scope)?;
                let (spelled, _) = self.field_of(place, &of_shape, &field.member)?;
                let changed = format!("{{ {of} with {spelled} = {value} }}");
                return self.assigned(&field.base, &changed, &of_shape, scope);
            }
            other => return no(other, "an assignment to this"),
        };
        Ok((text, Shape::Unit))
    }

    fn truth(&self, expression: &Expr, scope: &Scope) -> Result<String, Refusal> {
        match self.value(expression, scope)? {
            (text, Shape::Bool) => Ok(text),
            _ => no(expression, "a condition that is no bool"),
        }
    }

    fn machine_number(&self, expression: &Expr, scope: &Scope) -> Result<String, Refusal> {
        match self.value(expression, scope)? {
            (text, Shape::Number) => Ok(text),
            _ => no(expression, "something else than a number"),
        }
    }

    /// An expression that changes nothing, so that the order in which its parts are taken is no matter.
    fn value(&self, expression: &Expr, scope: &Scope) -> Result<Said, Refusal> {
        self.changes_nothing(expression)?;
        match expression {
            Expr::Paren(inner) => self.value(&inner.expr, scope),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) if matches!(number.suffix(), "" | "u64" | "usize") => {
                    match number.base10_parse::<u64>() {
                        Ok(number) => Ok((literal_number(number), Shape::Number)),
                        Err(_) => no(expression, "a number over 64 bits"),
                    }
                }
                Lit::Bool(truth) => Ok((truth.value.to_string(), Shape::Bool)),
                _ => no(expression, "this literal"),
            },
            Expr::Path(path) => {
                let ident = path.path.get_ident().map(ToString::to_string);
                if let Some((named, shape)) =
                    ident.and_then(|named| Some((named.clone(), scope.shape(&named)?.clone())))
                {
                    return Ok((name::of_value(&named), shape));
                }
                match self.constant_of(path) {
                    Some(number) => Ok((literal_number(number), Shape::Number)),
                    None => self.variant_of(path),
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                Ok((format!("(not {})", self.truth(&unary.expr, scope)?), Shape::Bool))
            }
            Expr::Binary(binary) => self.binary(binary, scope),
            Expr::Cast(cast) => match &*cast.ty {
                syn::Type::Path(path) if path.path.is_ident("u64") || path.path.is_ident("usize") => {
                    Ok((self.machine_number(&cast.expr, scope)?, Shape::Number))
                }
                _ => no(expression, "a cast to this type"),
            },
            Expr::Index(index) => {
                let at = self.machine_number(&index.index, scope)?;
                if let Some(table) = self.table_of(&index.expr) {
                    return Ok((format!("({} {at})", name::of_table(table)), Shape::Number));
                }
                match self.value(&index.expr, scope)? {
                    (slice, Shape::Slice(element)) => Ok((format!("(slice_get {slice} {at})"), *element)),
                    _ => no(expression, "an index into something else than a slice"),
                }
            }
            Expr::Field(field) => {
                let (of, shape) = self.value(&field.base, scope)?;
                let (spelled, shape) = self.field_of(expression, &shape, &field.member)?;
                Ok((format!("{of}.{spelled}"), shape))
            }
            Expr::Struct(literal) => self.literal(literal, scope),
            Expr::MethodCall(call) => self.method(call, scope),
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Call(_) => self.run(expression, scope),
            other => no(other, "this kind of expression"),
        }
    }

    fn binary(&self, binary: &ExprBinary, scope: &Scope) -> Result<Said, Refusal> {
        let (left, shape) = self.value(&binary.left, scope)?;
        let (right, other) = self.value(&binary.right, scope)?;
        if shape != other {
            return no(binary, "two kinds of values joined");
        }
        let numbers = shape == Shape::Number;
        let truths = shape == Shape::Bool;
        let (sign, becomes) = match &binary.op {
            BinOp::Add(_) if numbers => ("+", Shape::Number),
            BinOp::Sub(_) if numbers => ("-", Shape::Number),
            BinOp::Mul(_) if numbers => ("*", Shape::Number),
            BinOp::Div(_) if numbers => ("/", Shape::Number),
            BinOp::Rem(_) if numbers => ("%", Shape::Number),
            BinOp::Lt(_) if numbers => ("<", Shape::Bool),
            BinOp::Le(_) if numbers => ("<=", Shape::Bool),
            BinOp::Gt(_) if numbers => (">", Shape::Bool),
            BinOp::Ge(_) if numbers => (">=", Shape::Bool),
            BinOp::Eq(_) if numbers => ("=", Shape::Bool),
            BinOp::And(_) if truths => ("&&", Shape::Bool),
            BinOp::Or(_) if truths => ("||", Shape::Bool),
            BinOp::Ne(_) if numbers => return Ok((format!("(not ({left} = {right}))"), Shape::Bool)),
            BinOp::Eq(_) | BinOp::Ne(_) => {
                let equal = match &shape {
                    Shape::Bool => format!("(eq_bool {left} {right})"),
                    Shape::Enumeration(named) => format!("(eq_{} {left} {right})", name::of_type(named)),
                    _ => return no(binary, "a comparison of these values"),
                };
                let text = if matches!(binary.op, BinOp::Ne(_)) { format!("(not {equal})") } else { equal };
                return Ok((text, Shape::Bool));
            }
            _ => return no(binary, "this operator on these values"),
        };
        Ok((format!("({left} {sign} {right})"), becomes))
    }

    fn literal(&self, literal: &ExprStruct, scope: &Scope) -> Result<Said, Refusal> {
        let Some(record) = literal.path.get_ident().and_then(|ident| self.shapes.record(&ident.to_string())) else {
            return no(literal, "a struct of this type");
        };
        let shape = Shape::Record(record.name.clone());
        let mut fields = Vec::new();
        for field in &literal.fields {
            let (spelled, expected) = self.field_of(&field.expr, &shape, &field.member)?;
            let (value, given) = self.value(&field.expr, scope)?;
            if given != expected {
                return no(field, "a field of another kind");
            }
            fields.push(format!("{spelled} = {value}"));
        }
        let fields = fields.join("; ");
        match &literal.rest {
            None => Ok((format!("{{ {fields} }}"), shape)),
            Some(base) => match self.value(base, scope)? {
                (base, given) if given == shape && !fields.is_empty() => {
                    Ok((format!("{{ {base} with {fields} }}"), shape))
                }
                _ => no(literal, "a struct built on this"),
            },
        }
    }

    fn method(&self, call: &syn::ExprMethodCall, scope: &Scope) -> Result<Said, Refusal> {
        let method = call.method.to_string();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        match (method.as_str(), arguments.as_slice()) {
            ("len", []) => match self.value(&call.receiver, scope)? {
                (slice, Shape::Slice(_)) => Ok((format!("(slice_len {slice})"), Shape::Number)),
                _ => no(call, "the length of something else than a slice"),
            },
            ("min" | "max" | "saturating_sub" | "saturating_add" | "abs_diff", [other]) => {
                let (one, other) = (self.machine_number(&call.receiver, scope)?, self.machine_number(other, scope)?);
                Ok((format!("(u_{method} {one} {other})"), Shape::Number))
            }
            _ => no(call, format!("the method `{method}`")),
        }
    }

    fn call(&self, call: &syn::ExprCall, scope: &Scope) -> Result<Said, Refusal> {
        let Expr::Path(path) = &*call.func else { return no(call, "a call of something else than a name") };
        let Some(function) = path.path.get_ident().map(ToString::to_string) else {
            return no(call, "a call by a path");
        };
        let Some(signature) = self.signature(&function) else { return no(call, format!("the function `{function}`")) };
        if signature.only_in_contracts {
            return no(call, format!("a call of `{function}`, which only contracts may speak of"));
        }
        if call.args.len() != signature.params.len() {
            return no(call, "a call with another number of arguments");
        }
        let mut said = vec![name::of_value(&function)];
        for (argument, (_, shape)) in call.args.iter().zip(&signature.params) {
            let (text, given) = self.value(argument, scope)?;
            if given != *shape {
                return no(argument, "an argument of another kind");
            }
            said.push(text);
        }
        if said.len() == 1 {
            said.push("()".into());
        }
        Ok((format!("({})", said.join(" ")), signature.returns.clone()))
    }

    /// The field of a record by its spelling, with its shape.
    pub(crate) fn field_of(&self, at: &Expr, of: &Shape, member: &Member) -> Result<Said, Refusal> {
        let (Shape::Record(named), Member::Named(field)) = (of, member) else {
            return no(at, "a field of something else than a struct");
        };
        let record = self.shapes.record(named);
        let field = field.to_string();
        match record.and_then(|record| record.fields.iter().find(|(known, _)| *known == field)) {
            Some((_, shape)) => Ok((name::of_field(named, &field), shape.clone())),
            None => no(at, format!("the field `{field}`")),
        }
    }

    /// A variant of one of the file's enums, written by its path.
    pub(crate) fn variant_of(&self, path: &syn::ExprPath) -> Result<Said, Refusal> {
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [of, variant] = names.as_slice()
            && self.shapes.enumeration(of).is_some_and(|known| known.variants.contains(variant))
        {
            return Ok((name::of_variant(of, variant), Shape::Enumeration(of.clone())));
        }
        no(path, format!("the path `{}`", names.join("::")))
    }
}

fn literal_number(number: u64) -> String {
    format!("({number}:uint64)")
}

fn assigning(operator: &BinOp) -> Option<&'static str> {
    match operator {
        BinOp::AddAssign(_) => Some("+"),
        BinOp::SubAssign(_) => Some("-"),
        BinOp::MulAssign(_) => Some("*"),
        BinOp::DivAssign(_) => Some("/"),
        _ => None,
    }
}
