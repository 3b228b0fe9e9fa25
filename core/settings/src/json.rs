//! JSON objects whose values know where in the text they stand.
//! Strict JSON only; what the values mean is `read`'s business.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in their order, each value as it is written.
pub(crate) struct Object<'text>(pub(crate) Vec<(String, &'text RawValue)>);

/// Why a text is no object, with the place from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotJson {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) reason: String,
}

impl<'text> Object<'text> {
    /// Parses a text that is one object.
    pub(crate) fn parse(text: &'text str) -> Result<Self, NotJson> {
        serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line().max(1), error.column().max(1));
            let full = error.to_string();
            let reason = full.split(" at line ").next().unwrap_or(&full).to_owned();
            NotJson { line, column, reason }
        })
    }
}

/// Returns the line of `part`, a piece of `text`, from 1.
pub(crate) fn line_of(text: &str, part: &RawValue) -> usize {
    let offset = part.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Object<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object in braces")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members: Vec<(String, &'de RawValue)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if members.iter().any(|(name, _)| *name == key) {
                return Err(A::Error::custom(format_args!("`{key}` stands there twice")));
            }
            members.push((key, map.next_value()?));
        }
        Ok(Object(members))
    }
}
