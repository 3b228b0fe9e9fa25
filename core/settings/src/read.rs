//! Reads the texts of settings files into settings and warnings.
//! Never fails: what is wrong is left as it was, and told.

use serde_json::value::RawValue;

use crate::json::{NotJson, Object, line_of};
use crate::table::Kind;
use crate::{Row, Scope, Settings, TABLE};

/// One settings file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// As warnings name it.
    pub path: String,
    pub origin: Origin,
    pub text: String,
}

/// Whose settings a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Global,
    Project,
}

/// What is wrong in a file, as a sentence for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    pub sentence: String,
}

/// A bad value is quoted up to this many characters.
const QUOTED_CHARS_MAX: usize = 60;

/// Merges the files over the defaults, later ones first in rank; a bad value counts as not written.
pub fn read(files: &[File]) -> (Settings, Vec<Warning>) {
    let mut reader = Reader { settings: Settings::default(), warnings: Vec::new() };
    for file in files {
        reader.read_file(file);
    }
    (reader.settings, reader.warnings)
}

struct Reader {
    settings: Settings,
    warnings: Vec<Warning>,
}

impl Reader {
    fn read_file(&mut self, file: &File) {
        match Object::parse(file.text.trim_start_matches('\u{feff}')) {
            Ok(object) => self.read_object(file, "", object),
            Err(NotJson { line, column, reason }) => self.warn(format!(
                "{} is not used: line {line}, column {column}: {reason}; correct it there, it must be strict JSON",
                file.path
            )),
        }
    }

    fn read_object(&mut self, file: &File, prefix: &str, object: Object<'_>) {
        for (name, value) in object.0 {
            let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
            self.read_member(file, &key, value);
        }
    }

    fn read_member(&mut self, file: &File, key: &str, value: &RawValue) {
        let is_short = key == "models.main" && text_of(value).is_some();
        let key = if is_short { "models.main.model" } else { key };
        if let Some(row) = row_of(key) {
            return self.read_value(file, row, value);
        }
        let place = place(file, value);
        let is_group = TABLE.iter().any(|row| row.key.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')));
        if !is_group {
            let (written, nearest) = (quote(key), nearest(key));
            return self
                .warn(format!("{place}: `{written}` is no setting of this version; the nearest is `{nearest}`"));
        }
        match Object::parse(value.get()) {
            Ok(object) => self.read_object(file, key, object),
            Err(NotJson { reason, .. }) => self.warn(format!("{place}: `{key}` was ignored: {reason}")),
        }
    }

    fn read_value(&mut self, file: &File, row: &Row, value: &RawValue) {
        match (file.origin, row.scope) {
            (Origin::Global, _) | (Origin::Project, Scope::Project) => {
                if !set(&mut self.settings, &row.kind, value) {
                    let (place, quoted, expected) = (place(file, value), quote(value.get()), row.expected());
                    self.warn(format!("{place}: `{}` is {quoted} and was ignored; expected {expected}", row.key));
                }
            }
            (Origin::Project, Scope::Global) => self.warn(format!(
                "{}: `{}` is ignored: it counts only in the global settings file",
                place(file, value),
                row.key
            )),
            (Origin::Project, Scope::Trusted) => self.warn(format!(
                "{}: `{}` is ignored: it can run code or reach a host, so it counts only in the global settings file",
                place(file, value),
                row.key
            )),
        }
    }

    fn warn(&mut self, sentence: String) {
        self.warnings.push(Warning { sentence });
    }
}

/// Sets what `value` says, if it is of the kind; returns whether it was.
fn set(settings: &mut Settings, kind: &Kind, value: &RawValue) -> bool {
    match kind {
        Kind::Flag(set) => match value.get() {
            "true" => set(settings, true),
            "false" => set(settings, false),
            _ => return false,
        },
        Kind::Whole { range, set } => match whole_of(value).filter(|number| range.contains(number)) {
            Some(number) => set(settings, number),
            None => return false,
        },
        Kind::Choice { names, set } => {
            let index = text_of(value).and_then(|text| names.iter().position(|name| *name == text));
            match index {
                Some(index) => set(settings, index),
                None => return false,
            }
        }
        Kind::Text { set, .. } => match text_of(value) {
            Some(text) => set(settings, text),
            None => return false,
        },
        Kind::Model(set) => match text_of(value).filter(|text| is_model(text)) {
            Some(model) => set(settings, model),
            None => return false,
        },
    }
    true
}

fn row_of(key: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.key == key)
}

fn text_of(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Returns a whole number; one too large to count reads as the largest.
fn whole_of(value: &RawValue) -> Option<u64> {
    let digits = value.get();
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| digits.parse().unwrap_or(u64::MAX))
}

fn is_model(text: &str) -> bool {
    text.split_once('/').is_some_and(|(provider, id)| !provider.is_empty() && !id.is_empty())
}

fn place(file: &File, value: &RawValue) -> String {
    format!("{}:{}", file.path, line_of(&file.text, value))
}

/// Returns a value as it is written, on one line and cut if it is long.
fn quote(written: &str) -> String {
    let one_line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(QUOTED_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

/// Returns the known key that differs in the fewest letters.
fn nearest(key: &str) -> &'static str {
    let by_distance = TABLE.iter().min_by_key(|row| distance(row.key, key));
    by_distance.expect("the table has rows").key
}

/// Counts the letters to change, add or leave out (Levenshtein), whatever their case.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, other) in right.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Background, Bash, Colors, Detail, Host, Patience, Retry, StreamPace, TerminalSettings, Timeouts, Turn,
    };

    fn file(origin: Origin, text: &str) -> File {
        let path = match origin {
            Origin::Global => "settings.json",
            Origin::Project => ".eukhe/settings.json",
        };
        File { path: path.to_owned(), origin, text: text.to_owned() }
    }

    /// Reads one global file.
    fn global(text: &str) -> (Settings, Vec<String>) {
        sentences(read(&[file(Origin::Global, text)]))
    }

    fn sentences((settings, warnings): (Settings, Vec<Warning>)) -> (Settings, Vec<String>) {
        (settings, warnings.into_iter().map(|warning| warning.sentence).collect())
    }

    fn defaults_but(warning: &str) -> (Settings, Vec<String>) {
        (Settings::default(), vec![warning.to_owned()])
    }

    #[test]
    fn every_setting_can_be_written() {
        let text = r#"{
            "theme": "light", "quietStartup": true, "chatDetail": "all",
            "terminal": {
                "fullscreen": false, "streamPace": { "minChars": 0, "lag": 9 },
                "colors": "256", "background": "terminal", "title": false
            },
            "models": { "main": { "model": "openai/org/gpt" } },
            "retry": { "enabled": false, "maxRetries": 20, "baseDelayMs": 100, "maxDelayMs": 3600000 },
            "timeouts": { "connectMs": 1000, "firstByteMs": 0, "stallMs": 5 },
            "turn": { "stepsMax": 0, "toolCallsMax": 100000 },
            "shellPath": "/bin/zsh", "bash": { "timeoutSeconds": 1, "timeoutMaxSeconds": 86400 }
        }"#;
        let wanted = Settings {
            theme: "light".into(),
            quiet_start: true,
            detail: Detail::All,
            terminal: TerminalSettings {
                fullscreen: false,
                pace: StreamPace { min_chars: 0, lag: 9 },
                colors: Colors::Indexed256,
                background: Background::Terminal,
                title: false,
            },
            model: Some("openai/org/gpt".into()),
            retry: Retry { enabled: false, retries_max: 20, base_delay_ms: 100, delay_ms_max: 3_600_000 },
            timeouts: Timeouts {
                connect_ms: 1_000,
                first_byte: Patience::Chosen { ms: 0 },
                stall: Patience::Chosen { ms: 5 },
            },
            turn: Turn { steps_max: 0, tool_calls_max: 100_000 },
            shell_path: "/bin/zsh".into(),
            bash: Bash { timeout_s: 1, timeout_s_max: 86_400 },
        };
        assert_eq!(global(text), (wanted, vec![]));
    }

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_types() {
        for row in TABLE {
            let Some(default) = row.default else { continue };
            let (mut settings, warnings) = global(&format!("{{\"{}\": {default}}}", row.key));
            // A written limit is a chosen one, also where it equals the default.
            for patience in [&mut settings.timeouts.first_byte, &mut settings.timeouts.stall] {
                if let Patience::Chosen { ms } = *patience {
                    *patience = Patience::Default { ms };
                }
            }
            assert_eq!((settings, warnings), (Settings::default(), vec![]), "{}", row.key);
        }
    }

    #[test]
    fn every_row_says_what_it_does_and_what_it_takes() {
        for row in TABLE {
            assert!(row.help.ends_with('.') && !row.expected().is_empty(), "{}", row.key);
            assert_eq!(TABLE.iter().filter(|other| other.key == row.key).count(), 1, "{}", row.key);
        }
    }

    #[test]
    fn the_project_wins_key_by_key() {
        let files = [
            file(Origin::Global, r#"{"retry": {"maxRetries": 5, "baseDelayMs": 500}, "theme": "dark"}"#),
            file(Origin::Project, r#"{"retry": {"maxRetries": 1}}"#),
        ];
        let mut wanted = Settings { theme: "dark".into(), ..Settings::default() };
        wanted.retry.retries_max = 1;
        wanted.retry.base_delay_ms = 500;
        assert_eq!(sentences(read(&files)), (wanted, vec![]));
    }

    #[test]
    fn a_string_in_a_roles_place_is_its_model() {
        let wanted = Settings { model: Some("anthropic/opus".into()), ..Settings::default() };
        assert_eq!(global(r#"{"models": {"main": "anthropic/opus"}}"#), (wanted, vec![]));
    }

    #[test]
    fn a_value_of_the_wrong_type_is_told_with_its_line() {
        let warning = "settings.json:3: `retry.maxRetries` is \"3\" and was ignored; \
                       expected a whole number from 0 to 20";
        assert_eq!(global("{\n \"retry\": {\n  \"maxRetries\": \"3\"\n }\n}"), defaults_but(warning));
    }

    #[test]
    fn a_number_just_outside_its_range_is_not_clamped() {
        let warning = "settings.json:1: `bash.timeoutSeconds` is 86401 and was ignored; \
                       expected a whole number from 1 to 86400";
        assert_eq!(global(r#"{"bash": {"timeoutSeconds": 86401}}"#), defaults_but(warning));
    }

    #[test]
    fn numbers_that_are_not_whole_are_refused_and_huge_ones_are_taken() {
        let warning =
            "settings.json:1: `terminal.streamPace.lag` is 2.5 and was ignored; expected a whole number from 0";
        assert_eq!(global(r#"{"terminal": {"streamPace": {"lag": 2.5}}}"#), defaults_but(warning));
        let (settings, warnings) = global(r#"{"terminal": {"streamPace": {"lag": 99999999999999999999999}}}"#);
        assert_eq!((settings.terminal.pace.lag, warnings), (u64::MAX, vec![]));
    }

    #[test]
    fn an_unknown_key_is_told_once_with_the_nearest_one() {
        let warning =
            "settings.json:1: `terminal.fulscreen` is no setting of this version; the nearest is `terminal.fullscreen`";
        assert_eq!(global(r#"{"terminal": {"fulscreen": {"a": 1, "b": 2}}}"#), defaults_but(warning));
    }

    #[test]
    fn a_value_in_the_place_of_a_group_is_told() {
        let warning =
            "settings.json:1: `retry` was ignored: invalid type: boolean `false`, expected an object in braces";
        assert_eq!(global(r#"{"retry": false}"#), defaults_but(warning));
    }

    #[test]
    fn a_file_that_is_no_json_is_not_used_at_all() {
        let warning = "settings.json is not used: line 2, column 1: trailing comma; \
                       correct it there, it must be strict JSON";
        assert_eq!(global("{\"theme\": \"light\",\n}"), defaults_but(warning));
        let warning = "settings.json is not used: line 1, column 1: invalid type: sequence, \
                       expected an object in braces; correct it there, it must be strict JSON";
        assert_eq!(global("[]"), defaults_but(warning));
    }

    #[test]
    fn a_key_that_stands_there_twice_is_an_error_not_a_guess() {
        let warning = "settings.json is not used: line 1, column 26: `theme` stands there twice; \
                       correct it there, it must be strict JSON";
        assert_eq!(global(r#"{"theme": "light", "theme": "a"}"#), defaults_but(warning));
        let warning = "settings.json:1: `turn` was ignored: `stepsMax` stands there twice";
        assert_eq!(global(r#"{"turn": {"stepsMax": 1, "stepsMax": 2}}"#), defaults_but(warning));
    }

    #[test]
    fn a_project_can_neither_choose_the_model_nor_the_shell_nor_the_colors() {
        let project = r#"{"models": {"main": "evil/model"}, "shellPath": "/tmp/sh", "terminal": {"colors": "none"}}"#;
        let (settings, warnings) = sentences(read(&[file(Origin::Project, project)]));
        let why = "it can run code or reach a host, so it counts only in the global settings file";
        let wanted = vec![
            format!(".eukhe/settings.json:1: `models.main.model` is ignored: {why}"),
            format!(".eukhe/settings.json:1: `shellPath` is ignored: {why}"),
            ".eukhe/settings.json:1: `terminal.colors` is ignored: it counts only in the global settings file".into(),
        ];
        assert_eq!((settings, warnings), (Settings::default(), wanted));
    }

    #[test]
    fn a_bad_value_of_the_project_leaves_the_global_one() {
        let files =
            [file(Origin::Global, r#"{"chatDetail": "all"}"#), file(Origin::Project, r#"{"chatDetail": "every"}"#)];
        let warning = ".eukhe/settings.json:1: `chatDetail` is \"every\" and was ignored; \
                       expected one of \"overview\", \"details\", \"all\"";
        let wanted = Settings { detail: Detail::All, ..Settings::default() };
        assert_eq!(sentences(read(&files)), (wanted, vec![warning.to_owned()]));
    }

    #[test]
    fn a_local_host_is_waited_for_unless_a_limit_was_chosen() {
        let limits = |patience: Patience| [patience.limit_ms(Host::Local), patience.limit_ms(Host::Remote)];
        assert_eq!(limits(Patience::Default { ms: 9 }), [None, Some(9)]);
        assert_eq!(limits(Patience::Chosen { ms: 9 }), [Some(9), Some(9)]);
        assert_eq!(limits(Patience::Chosen { ms: 0 }), [None, None]);
    }

    #[test]
    fn a_byte_order_mark_does_no_harm() {
        let wanted = Settings { quiet_start: true, ..Settings::default() };
        assert_eq!(global("\u{feff}{\"quietStartup\": true}"), (wanted, vec![]));
    }

    #[test]
    fn whatever_stands_in_a_file_nothing_panics() {
        for text in ["", " ", "{", "null", "{\"\": 1}", "{\"retry\":{\"\":{}}}", "{\"a\":\"\u{202e}\"}"] {
            let (settings, _) = global(text);
            assert_eq!(settings, Settings::default(), "{text:?}");
        }
        let deep = format!("{}{}", "{\"terminal\":".repeat(5_000), "}".repeat(5_000));
        assert_eq!(global(&deep).0, Settings::default());
    }
}
