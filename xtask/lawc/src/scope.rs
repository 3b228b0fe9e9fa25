//! Scope: what each local name stands for while a body is read.
//! Functions and types are the file's, not the scope's.

use crate::Shape;
use crate::name;

/// A local name.
#[derive(Clone, Debug)]
struct Local {
    name: String,
    shape: Shape,
    holds: Holds,
}

/// Whether a number is a machine number, which a contract must turn into an unbounded one, or already that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    Machine,
    /// Already an unbounded one for the prover, but no larger than a machine number where it runs.
    Bounded,
    Unbounded,
}

/// The local names, the innermost last.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    locals: Vec<Local>,
    /// What the function at hand returns, where a contract may speak of it.
    pub result: Option<Shape>,
}

impl Scope {
    pub fn with(&self, name: &str, shape: Shape, holds: Holds) -> Scope {
        let mut inner = self.clone();
        inner.locals.push(Local { name: name.to_owned(), shape, holds });
        inner
    }

    pub fn with_result(&self, shape: Shape) -> Scope {
        Scope { result: Some(shape), ..self.clone() }
    }

    pub fn shape(&self, name: &str) -> Option<&Shape> {
        self.find(name).map(|local| &local.shape)
    }

    /// The name as a contract says it.
    pub fn in_contract(&self, name: &str) -> Option<(String, Shape)> {
        if let ("result", Some(shape)) = (name, &self.result) {
            return Some((as_read("result", shape, Holds::Machine), shape.clone()));
        }
        let Local { name, shape, holds } = self.find(name)?;
        Some((as_read(&name::of_value(name), shape, *holds), shape.clone()))
    }

    /// Whether a name stands for a number without bounds.
    pub fn is_unbounded(&self, name: &str) -> bool {
        self.find(name).is_some_and(|local| local.holds == Holds::Unbounded)
    }

    fn find(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }
}

/// A value as contracts read it.
pub(crate) fn as_read(spelled: &str, shape: &Shape, holds: Holds) -> String {
    match (shape, holds) {
        (Shape::Number, Holds::Machine) => format!("(num {spelled})"),
        _ => spelled.to_owned(),
    }
}
