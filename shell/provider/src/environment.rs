//! What the environment says of providers, and which model that comes to.
//! Reads no variable itself: the caller hands a reader in.

use protocol::ModelRef;

use crate::scripted::tour;

/// The variables that matter to providers; an empty one counts as not set.
#[derive(Clone, Debug)]
pub struct Environment {
    pub(crate) anthropic: Access,
    pub(crate) openai: Access,
}

/// How one provider is reached.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) key: Option<Secret>,
    pub(crate) base_url: Option<String>,
}

impl Environment {
    /// Collects the variables through `read`, such as `|name| std::env::var(name).ok()`.
    pub fn collect(read: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name: &str| read(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let access = |key: &str, base_url: &str| Access { key: value(key).map(Secret::new), base_url: value(base_url) };
        Self {
            anthropic: access("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
            openai: access("OPENAI_API_KEY", "OPENAI_BASE_URL"),
        }
    }
}

/// A key: it goes into a header and nowhere else, least of all into a log.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Secret(..)")
    }
}

/// Chooses the model: the flag, else the setting, else the first provider the environment names, else the tour.
pub fn pick(environment: &Environment, flag: Option<ModelRef>, setting: Option<ModelRef>) -> ModelRef {
    let known = |access: &Access| access.key.is_some() || access.base_url.is_some();
    let found = || {
        [(&environment.anthropic, ANTHROPIC_DEFAULT), (&environment.openai, OPENAI_DEFAULT)]
            .into_iter()
            .find(|(access, _)| known(access))
            .map(|(_, (provider, id))| ModelRef { provider: provider.to_owned(), id: id.to_owned() })
    };
    flag.or(setting).or_else(found).unwrap_or_else(tour)
}

const ANTHROPIC_DEFAULT: (&str, &str) = ("anthropic", "claude-sonnet-4-6");
const OPENAI_DEFAULT: (&str, &str) = ("openai", "gpt-5");

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::collect(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn picked(variables: &[(&str, &str)], flag: Option<&str>, setting: Option<&str>) -> String {
        let model = |text: &str| text.parse().expect("a model in a test");
        pick(&environment(variables), flag.map(model), setting.map(model)).to_string()
    }

    #[test]
    fn the_flag_beats_the_setting_and_the_setting_beats_the_environment() {
        let keys = [("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b")];
        assert_eq!(picked(&keys, Some("openai/x"), Some("openai/y")), "openai/x");
        assert_eq!(picked(&keys, None, Some("openai/y")), "openai/y");
        assert_eq!(picked(&keys, None, None), "anthropic/claude-sonnet-4-6");
    }

    #[test]
    fn a_key_or_a_base_url_is_enough_and_an_empty_variable_is_none() {
        assert_eq!(picked(&[("OPENAI_API_KEY", "k")], None, None), "openai/gpt-5");
        assert_eq!(picked(&[("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")], None, None), "openai/gpt-5");
        assert_eq!(picked(&[("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")], None, None), "anthropic/claude-sonnet-4-6");
        assert_eq!(picked(&[("ANTHROPIC_API_KEY", " "), ("OPENAI_API_KEY", "")], None, None), "tour/scripted");
    }

    #[test]
    fn a_key_does_not_show_when_the_environment_is_printed() {
        let shown = format!("{:?}", environment(&[("OPENAI_API_KEY", "sk-planted")]));
        assert!(!shown.contains("planted"), "{shown}");
    }
}
