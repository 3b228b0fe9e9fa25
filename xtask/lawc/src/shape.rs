//! Shapes: the types of the subset and how WhyML spells them.
//! Infers nothing: what a name stands for is the scope's.

use syn::{Fields, ItemEnum, ItemStruct, Type};

use crate::name;
use crate::{Refusal, no};

/// A type of the subset. `u64` and `usize` are one: both have 64 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Unit,
    Number,
    Bool,
    Enumeration(String),
    Record(String),
    Slice(Box<Shape>),
}

/// An enum of variants without fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumeration {
    pub name: String,
    pub variants: Vec<String>,
}

/// A struct of named fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub name: String,
    pub fields: Vec<(String, Shape)>,
}

/// The types a file declares.
#[derive(Default)]
pub(crate) struct Shapes {
    pub enumerations: Vec<Enumeration>,
    pub records: Vec<Record>,
}

impl Shapes {
    pub fn declare_enum(&mut self, item: &ItemEnum) -> Result<(), Refusal> {
        if !item.generics.params.is_empty() {
            return no(item, "an enum with parameters");
        }
        let mut variants = Vec::new();
        for variant in &item.variants {
            if !matches!(variant.fields, Fields::Unit) {
                return no(variant, "an enum variant with fields");
            }
            if variant.discriminant.is_some() {
                return no(variant, "an enum variant with a number");
            }
            variants.push(variant.ident.to_string());
        }
        if variants.is_empty() {
            return no(item, "an enum without variants");
        }
        self.enumerations.push(Enumeration { name: item.ident.to_string(), variants });
        Ok(())
    }

    pub fn declare_struct(&mut self, item: &ItemStruct) -> Result<(), Refusal> {
        if !item.generics.params.is_empty() {
            return no(item, "a struct with parameters");
        }
        let Fields::Named(named) = &item.fields else { return no(item, "a struct without named fields") };
        let mut fields = Vec::new();
        for field in &named.named {
            let shape = self.of(&field.ty)?;
            let Some(ident) = &field.ident else { return no(field, "a field without a name") };
            if matches!(shape, Shape::Slice(_)) {
                return no(field, "a slice in a struct");
            }
            fields.push((ident.to_string(), shape));
        }
        if fields.is_empty() {
            return no(item, "a struct without fields");
        }
        self.records.push(Record { name: item.ident.to_string(), fields });
        Ok(())
    }

    /// The shape of a type in a function that only contracts speak of, where a number may be wider than 64 bits.
    pub fn of_spoken(&self, written: &Type) -> Result<Shape, Refusal> {
        match written {
            Type::Path(path) if path.path.is_ident("i128") => Ok(Shape::Number),
            other => self.of(other),
        }
    }

    /// The shape of a type as written; `&mut` and `&` are the same here.
    pub fn of(&self, written: &Type) -> Result<Shape, Refusal> {
        match written {
            Type::Path(path) if path.qself.is_none() => {
                let Some(ident) = path.path.get_ident() else { return no(written, "a type by its path") };
                match ident.to_string().as_str() {
                    "u64" | "usize" => Ok(Shape::Number),
                    "bool" => Ok(Shape::Bool),
                    named if self.enumeration(named).is_some() => Ok(Shape::Enumeration(named.into())),
                    named if self.record(named).is_some() => Ok(Shape::Record(named.into())),
                    other => no(written, format!("the type `{other}`")),
                }
            }
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) if reference.lifetime.is_none() => match self.of(&slice.elem)? {
                    Shape::Slice(_) => no(written, "a slice of slices"),
                    element => Ok(Shape::Slice(Box::new(element))),
                },
                _ => no(written, "a reference to something else than a slice"),
            },
            _ => no(written, "this kind of type"),
        }
    }

    pub fn enumeration(&self, name: &str) -> Option<&Enumeration> {
        self.enumerations.iter().find(|known| known.name == name)
    }

    pub fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|known| known.name == name)
    }

    /// The declarations in WhyML, with a function that compares the values of each enum.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for Enumeration { name, variants } in &self.enumerations {
            let (kind, of) = (name::of_type(name), |variant: &String| name::of_variant(name, variant));
            let all: Vec<String> = variants.iter().map(of).collect();
            let pairs: Vec<String> = all.iter().map(|variant| format!("{variant}, {variant} -> true")).collect();
            let rest = if all.len() > 1 { " | _ -> false" } else { "" };
            text += &format!("  type {kind} = {}\n", all.join(" | "));
            text += &format!("  let eq_{kind} (a b: {kind}) : bool\n    ensures {{ result <-> a = b }}\n");
            text += &format!("  = match a, b with | {}{rest} end\n\n", pairs.join(" | "));
        }
        for Record { name, fields } in &self.records {
            let field =
                |(field, shape): &(String, Shape)| format!("{}: {}", name::of_field(name, field), shape.in_code());
            let fields: Vec<String> = fields.iter().map(field).collect();
            text += &format!("  type {} = {{ {} }}\n\n", name::of_type(name), fields.join("; "));
        }
        text
    }
}

impl Shape {
    /// As programs have it.
    pub(crate) fn in_code(&self) -> String {
        match self {
            Shape::Unit => "unit".into(),
            Shape::Number => "uint64".into(),
            Shape::Bool => "bool".into(),
            Shape::Enumeration(name) | Shape::Record(name) => name::of_type(name),
            Shape::Slice(element) => format!("slice {}", element.in_code()),
        }
    }

    /// As contracts have it: numbers without bounds.
    pub(crate) fn in_contract(&self) -> String {
        match self {
            Shape::Number => "int".into(),
            other => other.in_code(),
        }
    }
}
