//! Laws of themes: which one a name comes to, and what each token colors.
//! `EUKHE_CASES`, read when the tests are built, sets how many random files are tried.

use std::collections::BTreeSet;

use proptest::prelude::*;
use screen::{Role, RoleKind};
use settings::Warning;

use crate::{Canvas, Depth, Mode, Rgb, Theme, ThemeFile, Value, file, name_for, palette, resolve};

const EUKHE: &str = include_str!("../themes/eukhe.json");
/// What a setting may ask for: the default, another built-in one, one that only files have, one that nobody has.
const NAMES: [&str; 4] = ["eukhe", "light", "mine", "nobody"];
/// Tokens that a file may leave out.
const OPTIONAL: [Role; 5] =
    [Role::Background, Role::Foreground, Role::MdBody, Role::RefinementHeader, Role::RefinementSummary];

fn cases() -> ProptestConfig {
    ProptestConfig::with_cases(option_env!("EUKHE_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(1_000))
}

/// A file, and the theme it comes to by itself.
#[derive(Clone, Debug)]
struct Kind {
    file: ThemeFile,
    theme: Option<Theme>,
}

/// One file of every kind. Each valid one has a background of its own, by which it is known.
fn kinds() -> Vec<Kind> {
    let named = |name: &str, background: &str| {
        EUKHE.replace("\"name\": \"eukhe\"", &format!("\"name\": \"{name}\"")).replace("#16181b", background)
    };
    let texts = [
        "{".to_owned(),
        named("mine", "#010000"),
        named("mine", "#020000"),
        named("eukhe", "#030000"),
        named("light", "#040000"),
        EUKHE.replace("\"dim\"", "\"dimm\""),
    ];
    let kind = |text| {
        let file = ThemeFile { path: "x.json".to_owned(), text };
        Kind { theme: file::read(&file.path, &file.text).ok(), file }
    };
    texts.map(kind).into()
}

/// Every list of at most three of them, the same one twice too.
fn lists() -> Vec<Vec<Kind>> {
    let kinds = kinds();
    let longer = |list: &Vec<Kind>| -> Vec<Vec<Kind>> {
        kinds.iter().map(|kind| [list.as_slice(), std::slice::from_ref(kind)].concat()).collect()
    };
    let ones: Vec<Vec<Kind>> = longer(&Vec::new());
    let twos: Vec<Vec<Kind>> = ones.iter().flat_map(longer).collect();
    let threes: Vec<Vec<Kind>> = twos.iter().flat_map(longer).collect();
    [vec![Vec::new()], ones, twos, threes].concat()
}

fn resolved(name: &str, list: &[Kind]) -> (Theme, Vec<Warning>) {
    let files: Vec<ThemeFile> = list.iter().map(|kind| kind.file.clone()).collect();
    resolve(name, &files)
}

/// The first valid theme of that name: of the files, then of the built-in ones.
fn first_valid(name: &str, list: &[Kind], built_in: &[Theme]) -> Option<Theme> {
    let valid = list.iter().filter_map(|kind| kind.theme.as_ref());
    valid.chain(built_in).find(|theme| theme.name == name).cloned()
}

fn built_in() -> [Theme; 2] {
    [Mode::Dark, Mode::Light].map(Theme::built_in)
}

fn says_unknown(warnings: &[Warning]) -> bool {
    warnings.iter().any(|warning| warning.sentence.starts_with("no theme is named"))
}

/// Exhausted: every list of at most 3 files of 6 kinds, two of them invalid; the agent directory is not read yet.
#[test]
fn theme_first_valid_wins() {
    let built_in = built_in();
    for list in lists() {
        for name in NAMES {
            let first = first_valid(name, &list, &built_in);
            assert_eq!(resolved(name, &list).0, first.unwrap_or(built_in[0].clone()), "{name} of {list:?}");
        }
    }
}

/// Exhausted: every list of at most 3 files of 6 kinds; the terminal's background unknown, black or white.
#[test]
fn theme_empty_is_default() {
    let built_in = built_in();
    for list in lists() {
        for background in [None, Some(Rgb::new(0, 0, 0)), Some(Rgb::new(255, 255, 255))] {
            let (theme, warnings) = resolved(name_for("", background), &list);
            assert_eq!(Some(theme), first_valid("eukhe", &list, &built_in), "{list:?}");
            assert!(!says_unknown(&warnings), "{list:?}");
        }
    }
}

/// The text of a file: one of the kinds, cut off or with a few bytes exchanged.
fn damaged() -> impl Strategy<Value = String> {
    let text = prop::sample::select(kinds()).prop_map(|kind| kind.file.text);
    prop_oneof![
        (text.clone(), any::<prop::sample::Index>()).prop_map(|(text, end)| text[..end.index(text.len())].to_owned()),
        (text, any::<prop::sample::Index>(), "[\"{}:,#0-9a-f]{0,3}").prop_map(|(mut text, at, new)| {
            let at = at.index(text.len());
            text.replace_range(at..(at + new.len()).min(text.len()), &new);
            text
        }),
        "\\PC{0,40}",
    ]
}

fn asked_for() -> impl Strategy<Value = String> {
    prop_oneof![prop::sample::select(&NAMES).prop_map(str::to_owned), "\\PC{0,12}"]
}

/// A theme file that is valid, with what it says for each token.
fn valid_file() -> impl Strategy<Value = (String, Vec<Option<Value>>)> {
    let color = any::<[u8; 3]>().prop_map(|[red, green, blue]| Value::Color(Rgb::new(red, green, blue)));
    let value = prop_oneof![6 => color, 1 => any::<u8>().prop_map(Value::Index), 1 => Just(Value::Terminal)];
    let values = prop::collection::vec((value, any::<bool>()), Role::COUNT);
    values.prop_map(|values| {
        let given: Vec<Option<Value>> = Role::ALL
            .iter()
            .zip(values)
            .map(|(role, (value, is_left_out))| (!is_left_out || !OPTIONAL.contains(role)).then_some(value))
            .collect();
        let colors: Vec<String> = Role::ALL
            .iter()
            .filter_map(|role| Some(format!("\"{}\": {}", role.token(), written(given[role.index()]?))))
            .collect();
        (format!("{{\"name\": \"mine\", \"colors\": {{{}}}}}", colors.join(", ")), given)
    })
}

fn written(value: Value) -> String {
    match value {
        Value::Color(Rgb { red, green, blue }) => format!("\"#{red:02x}{green:02x}{blue:02x}\""),
        Value::Index(index) => index.to_string(),
        Value::Terminal => "\"\"".to_owned(),
    }
}

proptest! {
    #![proptest_config(cases())]

    /// Sampled: 1,000 names with up to 2 damaged files each, more by `EUKHE_CASES`.
    #[test]
    fn theme_unknown_warns(name in asked_for(), texts in prop::collection::vec(damaged(), 0..3)) {
        let files: Vec<ThemeFile> =
            texts.into_iter().map(|text| ThemeFile { path: "x.json".to_owned(), text }).collect();
        let (theme, warnings) = resolve(&name, &files);
        let mut of_files = files.iter().filter_map(|file| file::read(&file.path, &file.text).ok());
        let is_known = ["eukhe", "light"].contains(&name.as_str()) || of_files.any(|known| known.name == name);
        prop_assert_eq!(says_unknown(&warnings), !is_known);
        prop_assert!(is_known || theme == Theme::built_in(Mode::Dark));
    }

    /// Sampled: 1,000 valid files, more by `EUKHE_CASES`.
    #[test]
    fn theme_palette_total((text, given) in valid_file()) {
        let theme = file::read("x.json", &text).map_err(|warning| TestCaseError::fail(warning.sentence))?;
        let built_in = Theme::built_in(theme.mode());
        for role in Role::ALL {
            let fallback = match role {
                Role::Background => match given[Role::UserMessageBg.index()] {
                    Some(Value::Terminal) | None => Theme::built_in(Mode::Dark).value(Role::Background),
                    Some(own) => own,
                },
                Role::MdBody => theme.value(Role::Text),
                role => built_in.value(*role),
            };
            prop_assert_eq!(theme.value(*role), given[role.index()].unwrap_or(fallback), "{:?}", role);
        }
    }
}

/// Exhausted: each of the 59 tokens changed alone, in both built-in themes, in all colors and in 256.
#[test]
fn role_total() {
    let tokens: BTreeSet<&str> = Role::ALL.iter().map(|role| role.token()).collect();
    assert_eq!(tokens.len(), Role::COUNT);
    for (theme, depth) in
        built_in().into_iter().flat_map(|theme| [Depth::True, Depth::Indexed256].map(|depth| (theme.clone(), depth)))
    {
        let before = palette(&theme, depth, Canvas::Theme);
        for role in Role::ALL {
            let mut changed = theme.clone();
            changed.values[role.index()] = Value::Color(Rgb::new(255, 0, 255));
            let after = palette(&changed, depth, Canvas::Theme);
            let differs = |other: &&Role| before.inks[other.index()] != after.inks[other.index()];
            let colored: Vec<Role> = Role::ALL.iter().filter(differs).copied().collect();
            let expected = if role.kind() == RoleKind::Lift { vec![] } else { vec![*role] };
            assert_eq!(colored, expected, "{} at {depth:?}", theme.name);
            let is_canvas = matches!(role, Role::Background | Role::Foreground);
            assert_eq!(before.canvas != after.canvas, is_canvas, "{role:?} at {depth:?}");
        }
    }
}
