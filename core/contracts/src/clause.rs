//! Clauses: what the attributes of a function say.
//! Knows their names and their shape, not the function they stand on.

use proc_macro::{Spacing, Span, TokenStream, TokenTree};

use crate::tokens::Misuse;

/// One contract of a function.
pub(crate) enum Clause {
    Requires { condition: TokenStream },
    Ensures { law: String, condition: TokenStream },
    Law,
    Spec,
    Variant { measure: TokenStream },
}

/// The attributes by name; all others are somebody else's.
const NAMES: [&str; 5] = ["requires", "ensures", "law", "spec", "variant"];

impl Clause {
    pub fn is_named(name: &str) -> bool {
        NAMES.contains(&name)
    }

    /// Reads what stands in the parentheses of the attribute `name`; `at` is the attribute itself.
    pub fn read(name: &str, inside: TokenStream, at: Span) -> Result<Clause, Misuse> {
        match name {
            "requires" if inside.is_empty() => {
                Err(Misuse::new(at, "`requires` needs its condition: `#[requires(a < b)]`"))
            }
            "requires" => Ok(Clause::Requires { condition: inside }),
            "ensures" => Self::read_ensures(inside, at),
            "variant" if inside.is_empty() => {
                Err(Misuse::new(at, "`variant` needs what gets smaller: `#[variant(left)]`"))
            }
            "variant" => Ok(Clause::Variant { measure: inside }),
            _ if !inside.is_empty() => Err(Misuse::new(at, format!("`{name}` stands alone: `#[{name}]`"))),
            "law" => Ok(Clause::Law),
            _ => Ok(Clause::Spec),
        }
    }

    fn read_ensures(inside: TokenStream, at: Span) -> Result<Clause, Misuse> {
        let mut rest = inside.into_iter();
        let (law, colon) = (rest.next(), rest.next());
        match (law, colon) {
            (Some(TokenTree::Ident(law)), Some(TokenTree::Punct(colon)))
                if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
            {
                let condition: TokenStream = rest.collect();
                if condition.is_empty() {
                    return Err(Misuse::new(law.span(), format!("`{law}` needs its condition")));
                }
                Ok(Clause::Ensures { law: law.to_string(), condition })
            }
            (law, _) => Err(Misuse::new(
                law.map_or(at, |token| token.span()),
                "`ensures` names its law first: `#[ensures(law_id: condition)]`",
            )),
        }
    }
}
