//! A theme: a value for every role, and how one is chosen by name.
//! How its file is read is `file`'s business; what it comes to on a terminal is `palette`'s.

use screen::Role;
use settings::Warning;

use crate::{Rgb, file};

/// The name an empty setting stands for, and the theme there always is.
const DEFAULT_NAME: &str = "eukhe";

const BUILT_IN: [(Mode, &str); 2] =
    [(Mode::Dark, include_str!("../themes/eukhe.json")), (Mode::Light, include_str!("../themes/light.json"))];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theme {
    pub name: String,
    pub(crate) values: [Value; Role::COUNT],
}

/// What a theme says for one role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Color(Rgb),
    /// One of the terminal's 256 colors.
    Index(u8),
    /// The terminal's own default.
    Terminal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Dark,
    Light,
}

/// The text of a registered theme file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThemeFile {
    /// As warnings name it.
    pub path: String,
    pub text: String,
}

/// Returns the theme with this name: the first valid file that has it, else a built-in one, else the default.
/// Every file that cannot be used gives one warning.
pub fn resolve(name: &str, files: &[ThemeFile]) -> (Theme, Vec<Warning>) {
    let mut warnings = Vec::new();
    let mut chosen: Option<Theme> = None;
    for file in files {
        match file::read(&file.path, &file.text) {
            Err(warning) => warnings.push(warning),
            Ok(theme) if theme.name != name => {}
            Ok(theme) => match &chosen {
                None => chosen = Some(theme),
                Some(first) if first.values == theme.values => {}
                Some(_) => warnings.push(hidden(&file.path, name)),
            },
        }
    }
    let theme = chosen.or_else(|| built_in().find(|theme| theme.name == name)).unwrap_or_else(|| {
        warnings.push(unknown(name));
        Theme::built_in(Mode::Dark)
    });
    (theme, warnings)
}

/// Returns the name that the setting `theme` stands for, with the terminal's background as far as it is known.
pub fn name_for(setting: &str, background: Option<Rgb>) -> &str {
    match setting {
        "" => DEFAULT_NAME,
        "auto" if background.is_some_and(Rgb::is_light) => "light",
        "auto" => DEFAULT_NAME,
        name => name,
    }
}

impl Theme {
    pub fn value(&self, role: Role) -> Value {
        self.values[role.index()]
    }

    /// By the luminance of its background; the name says nothing about it.
    pub fn mode(&self) -> Mode {
        if self.measured(Role::Background).is_light() { Mode::Light } else { Mode::Dark }
    }

    /// The color that contrast is measured with: the terminal's default counts as the theme's own.
    pub(crate) fn measured(&self, role: Role) -> Rgb {
        match (self.value(role), standard_of(role)) {
            (Value::Color(color), _) => color,
            (Value::Index(index), _) => Rgb::of_index(index),
            (Value::Terminal, standard) if standard != role => self.measured(standard),
            (Value::Terminal, standard) => Self::built_in(Mode::Dark).measured(standard),
        }
    }

    pub(crate) fn built_in(mode: Mode) -> Self {
        let (_, text) = BUILT_IN.iter().find(|(of, _)| *of == mode).expect("there is one for each mode");
        file::read("built-in theme", text).expect("the built-in themes are valid")
    }
}

fn built_in() -> impl Iterator<Item = Theme> {
    BUILT_IN.iter().map(|(mode, _)| Theme::built_in(*mode))
}

/// The role whose color the terminal's default counts as.
fn standard_of(role: Role) -> Role {
    match role.kind() {
        screen::RoleKind::Surface => Role::Background,
        screen::RoleKind::Text | screen::RoleKind::Line | screen::RoleKind::Lift => Role::Foreground,
    }
}

fn unknown(name: &str) -> Warning {
    let known: Vec<String> = built_in().map(|theme| format!("`{}`", theme.name)).collect();
    Warning {
        sentence: format!(
            "no theme is named `{name}`, so `{DEFAULT_NAME}` is used; built in are {}",
            known.join(" and ")
        ),
    }
}

fn hidden(path: &str, name: &str) -> Warning {
    Warning { sentence: format!("{path}: another file before it already gives the theme `{name}`; rename one of them") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(path: &str, text: String) -> ThemeFile {
        ThemeFile { path: path.to_owned(), text }
    }

    fn renamed(background: &str) -> String {
        BUILT_IN[0].1.replace("\"name\": \"eukhe\"", "\"name\": \"mine\"").replace("#16181b", background)
    }

    fn sentences(warnings: Vec<Warning>) -> Vec<String> {
        warnings.into_iter().map(|warning| warning.sentence).collect()
    }

    #[test]
    fn built_in_themes_are_found_by_name_and_have_the_mode_of_their_background() {
        for (name, mode) in [("eukhe", Mode::Dark), ("light", Mode::Light)] {
            let (theme, warnings) = resolve(name, &[]);
            assert_eq!((theme.name.as_str(), theme.mode(), warnings), (name, mode, vec![]));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn a_theme_has_the_mode_of_its_background_whatever_its_name(
            name in "dark|light|eukhe|\\PC{0,8}", background in any::<[u8; 3]>(), other in any::<[u8; 3]>(),
        ) {
            let [red, green, blue] = background;
            let color = |[red, green, blue]: [u8; 3]| Value::Color(Rgb::new(red, green, blue));
            let mut values = [color(other); Role::COUNT];
            values[Role::Background.index()] = color(background);
            let luminance = laws::luminance::luminance(red.into(), green.into(), blue.into());
            let mode = if luminance * 2 > laws::luminance::WHITE { Mode::Light } else { Mode::Dark };
            prop_assert_eq!(Theme { name, values }.mode(), mode);
        }
    }

    #[test]
    fn a_name_nobody_has_gives_the_default_and_a_warning() {
        let (theme, warnings) = resolve("nope", &[]);
        assert_eq!(theme, Theme::built_in(Mode::Dark));
        assert_eq!(
            sentences(warnings),
            ["no theme is named `nope`, so `eukhe` is used; built in are `eukhe` and `light`"]
        );
    }

    #[test]
    fn the_first_valid_file_wins_and_another_one_of_that_name_is_told() {
        let files = [
            file("bad.json", "{".to_owned()),
            file("one.json", renamed("#101010")),
            file("same.json", renamed("#101010")),
            file("two.json", renamed("#202020")),
        ];
        let (theme, warnings) = resolve("mine", &files);
        assert_eq!(theme.value(Role::Background), Value::Color(Rgb::new(16, 16, 16)));
        assert_eq!(
            sentences(warnings),
            [
                "bad.json:1: EOF while parsing an object; this theme file is not used",
                "two.json: another file before it already gives the theme `mine`; rename one of them",
            ]
        );
    }

    #[test]
    fn the_automatic_theme_follows_the_terminal() {
        assert_eq!(name_for("", Some(Rgb::new(255, 255, 255))), "eukhe");
        assert_eq!(name_for("auto", Some(Rgb::new(255, 255, 255))), "light");
        assert_eq!(name_for("auto", Some(Rgb::new(0, 0, 0))), "eukhe");
        assert_eq!(name_for("auto", None), "eukhe");
        assert_eq!(name_for("mine", None), "mine");
    }
}
