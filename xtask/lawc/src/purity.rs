//! Purity: whether an expression changes anything.
//! Rust and WhyML need not agree on the order in which the parts of an expression are taken; so parts change nothing.

use syn::visit::Visit;
use syn::{Expr, Macro, spanned::Spanned};

use crate::item::Items;
use crate::{Refusal, refusal};

impl Items {
    /// Refuses an expression that assigns, loops, or calls what may change a slice.
    pub(crate) fn changes_nothing(&self, expression: &Expr) -> Result<(), Refusal> {
        let mut search = Changes { items: self, found: None };
        search.visit_expr(expression);
        search.found.map_or(Ok(()), Err)
    }
}

struct Changes<'a> {
    items: &'a Items,
    found: Option<Refusal>,
}

impl Changes<'_> {
    fn find(&mut self, at: &impl Spanned, what: &str) {
        self.found.get_or_insert_with(|| refusal(at.span(), what));
    }
}

impl<'ast> Visit<'ast> for Changes<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Assign(_) => self.find(expression, "an assignment inside an expression"),
            Expr::Binary(binary) if is_assigning(&binary.op) => {
                self.find(expression, "an assignment inside an expression");
            }
            Expr::While(_) | Expr::Loop(_) | Expr::ForLoop(_) => self.find(expression, "a loop inside an expression"),
            Expr::Call(call) => {
                let changes = match &*call.func {
                    Expr::Path(path) => {
                        path.path.get_ident().and_then(|ident| self.items.signature(&ident.to_string()))
                    }
                    _ => None,
                };
                if changes.is_some_and(|signature| signature.changes_a_slice) {
                    self.find(expression, "a call that changes a slice inside an expression");
                }
            }
            _ => {}
        }
        syn::visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, step: &'ast Macro) {
        if !step.path.is_ident("lemma") {
            self.find(step, "this macro");
        }
    }
}

fn is_assigning(operator: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        operator,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}
