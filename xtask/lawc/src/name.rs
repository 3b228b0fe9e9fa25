//! Names: how an identifier of Rust is spelled in WhyML.
//! Every name of the prelude and every keyword steps aside, so that no name can mean something else there.

/// Keywords of WhyML and of its program part, and what the prelude and its libraries define.
const TAKEN: &[&str] = &[
    "abs",
    "absurd",
    "abstract",
    "alias",
    "any",
    "as",
    "assert",
    "assume",
    "at",
    "get",
    "axiom",
    "begin",
    "bool",
    "break",
    "by",
    "check",
    "clone",
    "coinductive",
    "constant",
    "continue",
    "diverges",
    "div",
    "do",
    "done",
    "downto",
    "else",
    "end",
    "ensures",
    "epsilon",
    "eq_bool",
    "exception",
    "exists",
    "export",
    "false",
    "float",
    "for",
    "forall",
    "fun",
    "function",
    "ghost",
    "goal",
    "if",
    "import",
    "in",
    "inductive",
    "int",
    "invariant",
    "label",
    "lemma",
    "len",
    "let",
    "map",
    "match",
    "max",
    "max_uint64",
    "meta",
    "min",
    "mod",
    "module",
    "mutable",
    "namespace",
    "not",
    "num",
    "of_int",
    "old",
    "one",
    "partial",
    "predicate",
    "private",
    "pure",
    "raise",
    "raises",
    "range",
    "reads",
    "real",
    "rec",
    "ref",
    "requires",
    "result",
    "return",
    "returns",
    "scope",
    "slice",
    "so",
    "string",
    "then",
    "theory",
    "to",
    "to_int",
    "true",
    "try",
    "type",
    "uint64",
    "unit",
    "use",
    "val",
    "variant",
    "while",
    "with",
    "writes",
    "zero",
    "length_uint64",
];
/// How the names begin that lawc makes.
const MADE: &[&str] = &["eq_", "m_", "slice_", "table_", "u_", "int_", "min_", "max_"];

/// A local variable, a parameter or a function.
pub fn of_value(name: &str) -> String {
    let steps_aside = TAKEN.contains(&name) || MADE.iter().any(|made| name.starts_with(made)) || name.ends_with('_');
    if steps_aside { format!("{name}_") } else { name.to_owned() }
}

/// The logical twin of a function.
pub(crate) fn of_model(function: &str) -> String {
    format!("m_{function}")
}

/// The function that reads a constant table.
pub(crate) fn of_table(table: &str) -> String {
    format!("table_{}", table.to_lowercase())
}

pub(crate) fn of_type(name: &str) -> String {
    let mut spelled = String::from("t");
    for letter in name.chars() {
        if letter.is_uppercase() {
            spelled.push('_');
        }
        spelled.extend(letter.to_lowercase());
    }
    spelled
}

pub fn of_variant(enumeration: &str, variant: &str) -> String {
    format!("{enumeration}_{variant}")
}

pub fn of_field(record: &str, field: &str) -> String {
    format!("{}'{field}", of_type(record)).replace('\'', "__")
}
