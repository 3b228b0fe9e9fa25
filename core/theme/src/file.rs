//! The theme file: strict JSON, valid as a whole or not at all.
//! Opens nothing (`store` does); the schema for editors is a file of its own.

use std::collections::BTreeMap;

use screen::Role;
use serde::Deserialize;
use serde_json::value::RawValue;
use settings::Warning;

use crate::{Mode, Rgb, Theme, Value};

/// Reads a theme file; `path` is how the warning names it.
pub(crate) fn read(path: &str, text: &str) -> Result<Theme, Warning> {
    parse(text).map_err(|Fault { line, reason }| Warning {
        sentence: format!("{path}:{line}: {reason}; this theme file is not used"),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'text> {
    /// For editors.
    #[serde(rename = "$schema", default)]
    _schema: Option<serde::de::IgnoredAny>,
    name: String,
    #[serde(borrow, default)]
    vars: BTreeMap<String, &'text RawValue>,
    #[serde(borrow)]
    colors: BTreeMap<String, &'text RawValue>,
    #[serde(borrow, default)]
    export: Export<'text>,
}

/// Surfaces of an exported page.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "camelCase")]
struct Export<'text> {
    #[serde(borrow)]
    page_bg: Option<&'text RawValue>,
    #[serde(borrow)]
    card_bg: Option<&'text RawValue>,
    #[serde(borrow)]
    info_bg: Option<&'text RawValue>,
}

/// A value as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Index(u8),
    Text(String),
}

struct Fault {
    /// From 1.
    line: usize,
    reason: String,
}

fn parse(text: &str) -> Result<Theme, Fault> {
    let file: File = serde_json::from_str(text).map_err(not_json)?;
    if file.name.is_empty() || file.name == "auto" {
        return Err(Fault { line: 1, reason: format!("a theme cannot be named `{}`", file.name) });
    }
    let reader = Reader { text, vars: &file.vars };
    for (name, written) in &file.vars {
        reader.value(name, written)?;
    }
    let page = reader.optional("export.pageBg", file.export.page_bg)?;
    reader.optional("export.cardBg", file.export.card_bg)?;
    reader.optional("export.infoBg", file.export.info_bg)?;
    let given = reader.colors(&file.colors)?;
    complete(file.name, given, page).map_err(|token| Fault {
        line: 1 + text.find("\"colors\"").map_or(0, |start| line_breaks(&text[..start])),
        reason: format!("the token `{token}` is missing"),
    })
}

type Given = [Option<Value>; Role::COUNT];

/// Fills in what a file may leave out; the token it may not is the error.
fn complete(name: String, given: Given, page: Option<Value>) -> Result<Theme, &'static str> {
    let get = |role: Role| given[role.index()];
    let own = |value: Option<Value>| value.filter(|value| *value != Value::Terminal);
    let mut values = [Value::Terminal; Role::COUNT];
    let mut from_built_in = Vec::new();
    for role in Role::ALL {
        values[role.index()] = match (get(*role), role) {
            (Some(value), _) => value,
            (None, Role::MdBody) => get(Role::Text).ok_or(Role::Text.token())?,
            (None, Role::Background) => own(page)
                .or(own(get(Role::UserMessageBg)))
                .unwrap_or_else(|| Theme::built_in(Mode::Dark).value(Role::Background)),
            (None, Role::Foreground | Role::RefinementHeader | Role::RefinementSummary) => {
                from_built_in.push(*role);
                Value::Terminal
            }
            (None, role) => return Err(role.token()),
        };
    }
    let mut theme = Theme { name, values };
    if !from_built_in.is_empty() {
        let built_in = Theme::built_in(theme.mode());
        for role in from_built_in {
            theme.values[role.index()] = built_in.value(role);
        }
    }
    Ok(theme)
}

struct Reader<'file> {
    text: &'file str,
    vars: &'file BTreeMap<String, &'file RawValue>,
}

impl Reader<'_> {
    fn colors(&self, colors: &BTreeMap<String, &RawValue>) -> Result<Given, Fault> {
        let mut given = [None; Role::COUNT];
        for (token, written) in colors {
            let role = Role::ALL
                .iter()
                .find(|role| role.token() == token)
                .ok_or_else(|| self.fault(written, format!("`{token}` is no token of a theme")))?;
            given[role.index()] = Some(self.value(token, written)?);
        }
        Ok(given)
    }

    fn optional(&self, key: &str, written: Option<&RawValue>) -> Result<Option<Value>, Fault> {
        written.map(|written| self.value(key, written)).transpose()
    }

    /// Follows variables to a value; as many steps as there are variables show a circle.
    fn value(&self, key: &str, written: &RawValue) -> Result<Value, Fault> {
        let mut at = written;
        for _ in 0..=self.vars.len() {
            match serde_json::from_str(at.get()) {
                Ok(Written::Index(index)) => return Ok(Value::Index(index)),
                Ok(Written::Text(text)) if text.is_empty() => return Ok(Value::Terminal),
                Ok(Written::Text(text)) => {
                    if let Some(color) = Rgb::parse(&text) {
                        return Ok(Value::Color(color));
                    }
                    at = self.vars.get(&text).ok_or_else(|| {
                        self.fault(written, format!("`{key}` is `{text}`, which is neither a color nor a variable"))
                    })?;
                }
                Err(_) => {
                    let expected = "`#rrggbb`, an empty string, a number from 0 to 255 or a variable";
                    return Err(self.fault(written, format!("`{key}` is not {expected}")));
                }
            }
        }
        Err(self.fault(written, format!("`{key}` leads in a circle")))
    }

    fn fault(&self, at: &RawValue, reason: String) -> Fault {
        let offset = at.get().as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        Fault { line: 1 + line_breaks(self.text.get(..offset).unwrap_or_default()), reason }
    }
}

fn line_breaks(text: &str) -> usize {
    text.matches('\n').count()
}

fn not_json(error: serde_json::Error) -> Fault {
    let full = error.to_string();
    let reason = full.split(" at line ").next().unwrap_or(&full).to_owned();
    Fault { line: error.line().max(1), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EUKHE: &str = include_str!("../themes/eukhe.json");

    /// The default theme with one line exchanged.
    fn with(old: &str, new: &str) -> String {
        assert!(EUKHE.contains(old), "{old}");
        EUKHE.replacen(old, new, 1)
    }

    fn warning(text: &str) -> String {
        read("x.json", text).expect_err("the file is invalid").sentence
    }

    #[test]
    fn an_invalid_file_is_told_with_its_line_and_token() {
        let cases = [
            (with("\"name\": \"eukhe\"", "\"name\": \"auto\""), "x.json:1: a theme cannot be named `auto`"),
            (with("\"dim\": \"inkDim\"", "\"dimm\": \"inkDim\""), "x.json:38: `dimm` is no token of a theme"),
            (with("    \"dim\": \"inkDim\",\n", ""), "x.json:24: the token `dim` is missing"),
            (
                with("\"dim\": \"inkDim\"", "\"dim\": \"gone\""),
                "x.json:38: `dim` is `gone`, which is neither a color nor a variable",
            ),
            (with("\"inkDim\": \"#959da6\"", "\"inkDim\": \"inkDim\""), "x.json:12: `inkDim` leads in a circle"),
            (
                with("\"dim\": \"inkDim\"", "\"dim\": 256"),
                "x.json:38: `dim` is not `#rrggbb`, an empty string, a number from 0 to 255 or a variable",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(warning(&text), format!("{expected}; this theme file is not used"));
        }
    }

    #[test]
    fn keys_that_no_theme_has_make_the_file_invalid() {
        assert!(warning(&with("\"name\"", "\"other\": 1, \"name\"")).starts_with("x.json:2: unknown field `other`"));
        assert!(
            warning(&with("\"colors\"", "\"export\": {\"cardbg\": \"\"}, \"colors\""))
                .starts_with("x.json:24: unknown field `cardbg`")
        );
    }

    #[test]
    fn what_may_be_left_out_falls_back() {
        let mut text = with("    \"background\": \"coal\",\n", "");
        for line in ["\"foreground\": \"ink\"", "\"refinementHeader\": \"lilac\"", "\"mdBody\": \"ink\""] {
            text = text.replacen(&format!("    {line},\n"), "", 1);
        }
        let theme = read("x.json", &text).unwrap();
        let (built_in, value) = (Theme::built_in(Mode::Dark), |role| theme.value(role));
        assert_eq!(value(Role::Background), value(Role::UserMessageBg));
        assert_eq!(value(Role::Foreground), built_in.value(Role::Foreground));
        assert_eq!(value(Role::RefinementHeader), built_in.value(Role::RefinementHeader));
        assert_eq!(value(Role::MdBody), value(Role::Text));

        let on_page = text.replacen("\"colors\"", "\"export\": {\"pageBg\": \"#fafafa\"}, \"colors\"", 1);
        let light = read("x.json", &on_page).unwrap();
        assert_eq!(light.mode(), Mode::Light);
        assert_eq!(light.value(Role::Foreground), Theme::built_in(Mode::Light).value(Role::Foreground));
    }

    #[test]
    fn a_value_is_a_color_an_index_the_default_or_a_variable() {
        let theme = read("x.json", &with("\"dim\": \"inkDim\"", "\"dim\": 244")).unwrap();
        assert_eq!(theme.value(Role::Dim), Value::Index(244));
        let theme = read("x.json", &with("\"dim\": \"inkDim\"", "\"dim\": \"\"")).unwrap();
        assert_eq!(theme.value(Role::Dim), Value::Terminal);
        assert_eq!(theme.measured(Role::Dim), theme.measured(Role::Foreground));
        let theme = read("x.json", &with("\"sky\": \"#8ab8e6\"", "\"sky\": \"mint\"")).unwrap();
        assert_eq!(theme.value(Role::MdLink), Value::Color(Rgb::new(0x7e, 0xca, 0xb8)));
    }
}
