//! Constants: numbers that are worked out here, and tables that a function reads.
//! A constant is written into the code as its value; the WhyML text has no constants.

use syn::{BinOp, Expr, ExprPath, ItemConst, Lit, Type};

use crate::item::Items;
use crate::{Purpose, Refusal, name, no};

/// The constants of a file.
#[derive(Default)]
pub(crate) struct Constants {
    numbers: Vec<(String, u64)>,
    tables: Vec<(String, Vec<u64>)>,
}

impl Constants {
    pub fn declare(&mut self, item: &ItemConst) -> Result<(), Refusal> {
        let named = item.ident.to_string();
        match &*item.ty {
            Type::Path(path) if path.path.is_ident("u64") || path.path.is_ident("usize") => {
                let number = self.evaluate(&item.expr)?;
                self.numbers.push((named, number));
            }
            Type::Array(array) if matches!(&*array.elem, Type::Path(path) if path.path.is_ident("u64")) => {
                let Expr::Array(list) = &*item.expr else { return no(&item.expr, "a table that is no list") };
                let numbers: Result<Vec<u64>, Refusal> = list.elems.iter().map(|one| self.evaluate(one)).collect();
                let numbers = numbers?;
                if numbers.is_empty() {
                    return no(item, "an empty table");
                }
                self.tables.push((named, numbers));
            }
            other => return no(other, "a constant of this type"),
        }
        Ok(())
    }

    fn number(&self, named: &str) -> Option<u64> {
        self.numbers.iter().find(|(known, _)| known == named).map(|(_, number)| *number)
    }

    fn evaluate(&self, expression: &Expr) -> Result<u64, Refusal> {
        let number = match expression {
            Expr::Paren(inner) => Some(self.evaluate(&inner.expr)?),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => number.base10_parse().ok(),
                _ => None,
            },
            Expr::Path(path) => path.path.get_ident().and_then(|ident| self.number(&ident.to_string())),
            Expr::Index(index) => self.entry(index)?,
            Expr::Binary(binary) => {
                let (left, right) = (self.evaluate(&binary.left)?, self.evaluate(&binary.right)?);
                match binary.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    BinOp::Rem(_) => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        };
        number.map_or_else(|| no(expression, "a constant that is worked out like this"), Ok)
    }

    fn entry(&self, index: &syn::ExprIndex) -> Result<Option<u64>, Refusal> {
        let at = self.evaluate(&index.index)?;
        let Expr::Path(path) = &*index.expr else { return Ok(None) };
        let table = self.tables.iter().find(|(known, _)| path.path.is_ident(known));
        Ok(table.and_then(|(_, numbers)| numbers.get(usize::try_from(at).ok()?).copied()))
    }

    /// Each table as a logical function of the index, and as the program that reads it.
    pub fn write(&self, purpose: Purpose) -> String {
        let mut text = String::new();
        for (named, numbers) in &self.tables {
            let reads = name::of_table(named);
            let cases = |spelled: &dyn Fn(u64) -> String| {
                let last = numbers.len() - 1;
                let mut cases = String::new();
                for (at, number) in numbers.iter().enumerate() {
                    let value = spelled(*number);
                    cases += &if at < last { format!("if i = {at} then {value} else ") } else { value };
                }
                cases
            };
            let plain = cases(&|number| number.to_string());
            match purpose {
                Purpose::Prove => {
                    text += &format!("  function m_{reads} (i: int) : int =\n    {plain}\n");
                    text += &format!(
                        "  val {reads} (i: uint64) : uint64\n    requires {{ [@expl:index in bounds] num i < {} }}\n    \
                         ensures {{ num result = m_{reads} (num i) }}\n\n",
                        numbers.len()
                    );
                }
                Purpose::Run => text += &format!("  let {reads} (i: uint64) : uint64 =\n    {plain}\n\n"),
            }
        }
        text
    }
}

impl Items {
    /// The value of a constant: one of the file's, or the largest number.
    pub(crate) fn constant_of(&self, path: &ExprPath) -> Option<u64> {
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["u64" | "usize", "MAX"] => Some(u64::MAX),
            [named] => self.constants.number(named),
            _ => None,
        }
    }

    /// The table an expression names.
    pub(crate) fn table_of(&self, expression: &Expr) -> Option<&str> {
        let Expr::Path(path) = expression else { return None };
        let named = path.path.get_ident()?;
        self.constants.tables.iter().map(|(known, _)| known.as_str()).find(|known| named == known)
    }
}
