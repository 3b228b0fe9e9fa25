//! Tests of the slash commands: the laws, on a table with every kind of path, and the shipped table.

use proptest::prelude::*;

use super::*;

/// Cases a law is tried on.
const LAW_CASES: u32 = 100_000;

const fn row(path: &'static [&'static str], arguments: &'static str, flags: Flags) -> Row {
    let (busy, group, command) = (Busy::Now, Group::Session, Command::Help);
    Row { path, aliases: &[], arguments, flags, busy, group, command, help: "" }
}

const KINDS: Table = Table(&[
    row(&["model"], "", Flags::Run),
    row(&["model", "main"], "[text]", Flags::RunFree),
    row(&["model", "memory"], "[text]", Flags::RunFree),
    row(&["effort"], "[level]", Flags::RunFree),
    row(&["effort", "high"], "", Flags::Run),
    row(&["effort", "highest"], "", Flags::Run),
    row(&["permissions"], "", Flags::Run),
    row(&["permissions", "allow"], "<rule>", Flags::Argument),
    row(&["permissions", "remove"], "<number>", Flags::Argument),
    row(&["permissions", "remove", "all"], "", Flags::Run),
    row(&["import"], "<path>", Flags::Argument),
    Row { aliases: &[Alias { name: "thinking", takes: Takes::Nothing }], ..row(&["mode"], "[mode]", Flags::RunFree) },
]);

fn at(path: &[&str]) -> &'static Row {
    KINDS.rows().iter().find(|row| row.path == path).expect("the test names a path of the table")
}

fn shipped(name: &str) -> &'static Row {
    COMMANDS.rows().iter().find(|row| row.path == [name]).expect("the test names a shipped command")
}

#[test]
fn a_line_runs_with_the_rest_of_it_as_typed() {
    let new = shipped("new");
    assert_eq!(COMMANDS.resolve("/new"), Resolved::Runs { row: new, arguments: "" });
    assert_eq!(COMMANDS.resolve("/NEW  two  blanks\n"), Resolved::Runs { row: new, arguments: " two  blanks\n" });
    assert_eq!(COMMANDS.resolve("/new\nfix it"), Resolved::Runs { row: new, arguments: "fix it" });
    assert_eq!(COMMANDS.resolve("/exit "), Resolved::Runs { row: shipped("quit"), arguments: "" });
    assert_eq!(KINDS.resolve("/model Main x/y"), Resolved::Runs { row: at(&["model", "main"]), arguments: "x/y" });
    assert_eq!(KINDS.resolve("/effort HIGH"), Resolved::Runs { row: at(&["effort", "high"]), arguments: "" });
    assert_eq!(KINDS.resolve("/effort other"), Resolved::Runs { row: at(&["effort"]), arguments: "other" });
}

#[test]
fn a_bare_path_that_does_nothing_opens() {
    assert_eq!(KINDS.resolve("/import"), Resolved::Opens { row: at(&["import"]) });
    assert_eq!(KINDS.enter("/import", None), Pressed::Line("/import ".to_owned()));
    assert_eq!(KINDS.menu("/import ").ghost, "<path>");
}

#[test]
fn words_where_none_belong_are_an_error_with_the_usage() {
    let cases = [
        (COMMANDS.resolve("/quit now"), "/quit takes no `now`; usage: /quit"),
        (COMMANDS.resolve("/clear all"), "/new takes no `all`; usage: /new [--] [prompt]"),
        (KINDS.resolve("/permissions allwo x"), "/permissions has no `allwo`; did you mean /permissions allow?"),
        (KINDS.resolve("/permissions frobnicate"), "/permissions takes no `frobnicate`; usage: /permissions"),
    ];
    for (resolved, trouble) in cases {
        assert_eq!(resolved.trouble().as_deref(), Some(trouble));
    }
}

#[test]
fn paths_long_words_and_indented_lines_are_prompts() {
    let long = format!("/{}", "n".repeat(65));
    for line in ["/new/x", "/etc/passwd please", " /new", "new", "", "/", &long] {
        assert_eq!(COMMANDS.resolve(line), Resolved::NoCommand { nearest: None }, "{line}");
    }
}

#[test]
fn a_name_close_to_a_command_is_asked_about_and_others_are_prompts() {
    let cases = [
        ("/hlep", Some("help")),
        ("/nww", Some("new")),
        ("/nwe", None),
        ("/claer", Some("clear")),
        ("/quitt now", Some("quit")),
        ("/deploy", None),
    ];
    for (line, nearest) in cases {
        assert_eq!(COMMANDS.resolve(line), Resolved::NoCommand { nearest }, "{line}");
    }
    let note = "did you mean /help? Enter again sends the line to the model as it is";
    assert_eq!(COMMANDS.resolve("/hlep").trouble().as_deref(), Some(note));
}

#[test]
fn the_menu_of_the_first_word_ranks_by_its_letters() {
    let names = |line: &str| COMMANDS.menu(line).rows.iter().map(|row| row.path[0]).collect::<Vec<_>>();
    assert_eq!(names("/"), ["new", "quit", "help"]);
    assert_eq!(names("/H"), ["help"]);
    assert_eq!(names("/e"), ["new", "help"]);
    assert_eq!(names("/zz"), [""; 0]);
    assert_eq!(names("/new "), [""; 0]);
    assert_eq!(names("new"), [""; 0]);
    assert_eq!(COMMANDS.menu("/new").ghost, " [--] [prompt]");
    assert_eq!(COMMANDS.menu("/new ").ghost, "[--] [prompt]");
    assert_eq!(COMMANDS.menu("/new x").ghost, "");
}

#[test]
fn tab_and_enter_take_the_row() {
    let (new, help) = (shipped("new"), shipped("help"));
    assert_eq!(COMMANDS.tab("/n", Some(new)), Some("/new ".to_owned()));
    assert_eq!(COMMANDS.tab("/h", Some(help)), Some("/help".to_owned()));
    assert_eq!(COMMANDS.tab("/h", Some(new)), None);
    assert_eq!(COMMANDS.enter("/h", Some(help)), Pressed::Submit("/help".to_owned()));
    assert_eq!(COMMANDS.enter("/NEW", Some(new)), Pressed::Submit("/NEW".to_owned()));
    assert_eq!(COMMANDS.enter("/new later", Some(help)), Pressed::Submit("/new later".to_owned()));
    assert_eq!(
        KINDS.enter("/permissions a", Some(at(&["permissions", "allow"]))),
        Pressed::Line("/permissions allow ".to_owned())
    );
}

#[test]
fn the_prompt_of_a_new_session_may_begin_with_dashes_behind_two() {
    assert_eq!(new_session_prompt(""), Ok(None));
    assert_eq!(new_session_prompt("  "), Ok(None));
    assert_eq!(new_session_prompt("fix it"), Ok(Some("fix it")));
    assert_eq!(new_session_prompt("--"), Ok(None));
    assert_eq!(new_session_prompt("-- --name x"), Ok(Some("--name x")));
    assert_eq!(
        new_session_prompt("--name x"),
        Err("/new has no `--name`; `/new -- --name` sends it as the prompt".to_owned())
    );
}

#[test]
fn every_row_of_the_table_is_reachable_and_told() {
    for row in COMMANDS.rows() {
        assert_eq!(COMMANDS.resolve(&row.written()), Resolved::Runs { row, arguments: "" });
        assert!(!row.help.is_empty(), "{row:?}");
        assert!(row.path.iter().all(|word| *word == word.to_lowercase() && word.len() <= NAME_CHARACTERS_MAX));
        for alias in row.aliases {
            let line = format!("/{}", alias.name);
            assert_eq!(COMMANDS.resolve(&line), Resolved::Runs { row, arguments: "" });
        }
    }
}

/// Lines that come near the table's paths, and lines that do not.
fn line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => prop::sample::select(vec![
            "model", "main", "memory", "effort", "high", "highest", "permissions", "allow", "remove", "all", "import",
            "mode", "thinking",
        ])
        .prop_map(String::from),
        2 => prop::sample::select(vec!["m", "h", "Hi", "MO", "modle", "alow", "", "x/y", "é"]).prop_map(String::from),
        1 => "\\PC{0,8}",
    ];
    let blank = prop::sample::select(vec![" ", "  ", "\t", "\n", "\u{3000}"]);
    let tail = prop::collection::vec((blank, word.clone()), 0..4);
    (prop_oneof![9 => Just("/"), 1 => Just(""), 1 => Just(" /")], word, any::<bool>(), tail).prop_map(
        |(start, first, upper, tail)| {
            let first = if upper { first.to_uppercase() } else { first };
            tail.into_iter().fold(format!("{start}{first}"), |line, (blank, word)| line + blank + &word)
        },
    )
}

fn chosen() -> impl Strategy<Value = Option<&'static Row>> {
    prop::option::of(prop::sample::select(KINDS.rows().iter().collect::<Vec<_>>()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(LAW_CASES))]

    /// Sampled: 100,000 lines near the paths of a table with every kind of row, and any lines.
    #[test]
    fn slash_resolve_total(line in prop_oneof![line(), "\\PC*", "/(.|\n){0,40}"]) {
        match KINDS.resolve(&line) {
            Resolved::Runs { row, .. } | Resolved::Opens { row } | Resolved::Unknown { row, .. } => {
                let begins = line.starts_with('/') && KINDS.named(first_word(&line).unwrap()).is_some();
                prop_assert!(begins, "{row:?}");
            }
            Resolved::NoCommand { .. } => {
                prop_assert!(first_word(&line).is_none_or(|name| KINDS.named(name).is_none()));
            }
        }
        KINDS.menu(&line);
    }

    /// Sampled: 100,000 lines near the paths of the table.
    #[test]
    fn slash_runs_declared(line in line()) {
        if let Resolved::Runs { row, arguments } = KINDS.resolve(&line) {
            prop_assert!(KINDS.rows().iter().any(|declared| std::ptr::eq(declared, row)));
            prop_assert!(line.ends_with(arguments));
            prop_assert!(arguments.is_empty() || row.takes_text());
            prop_assert!(row.runs_bare() || !arguments.trim().is_empty());
        }
    }

    /// Sampled: 100,000 words of up to 3 letters below any row of the table.
    #[test]
    fn slash_menu_children(parent in prop::sample::select(KINDS.rows().iter().collect::<Vec<_>>()), word in "[a-zA-Z]{0,3}") {
        let line = format!("{} {word}", parent.written());
        let expected: Vec<&Row> = KINDS
            .rows()
            .iter()
            .filter(|row| row.path.len() == parent.path.len() + 1 && row.path[..parent.path.len()] == *parent.path)
            .filter(|row| row.path[parent.path.len()].starts_with(&word.to_lowercase()))
            .collect();
        prop_assert_eq!(KINDS.menu(&line).rows, expected);
        let first = format!("/{word}");
        let begins = |row: &&&Row| row.path[0].starts_with(&word.to_lowercase());
        let listed = KINDS.menu(&first).rows;
        let head: Vec<_> = listed.iter().take_while(begins).collect();
        let expected: Vec<_> = KINDS.rows().iter().filter(|row| row.path.len() == 1).collect();
        prop_assert_eq!(head, expected.iter().filter(begins).collect::<Vec<_>>());
    }

    /// Sampled: 100,000 lines, with any two rows chosen one after the other.
    #[test]
    fn slash_tab_progress(line in line(), first in chosen(), second in chosen()) {
        if let Some(once) = KINDS.tab(&line, first) {
            prop_assert!(once.starts_with(&first.unwrap().written()));
            if let Some(twice) = KINDS.tab(&once, second) {
                prop_assert!(twice.len() >= once.len(), "{once} then {twice}");
            }
        }
    }

    /// Sampled: 100,000 lines, with any row chosen.
    #[test]
    fn slash_enter_agrees(line in line(), chosen in chosen()) {
        let listed = chosen.filter(|row| KINDS.menu(&line).rows.contains(row));
        let completed = match listed {
            Some(row) if !KINDS.is_written_out(&line, row) => row.written(),
            Some(_) | None => line.clone(),
        };
        let submits = matches!(KINDS.enter(&line, chosen), Pressed::Submit(sent) if sent == completed);
        let opens = matches!(KINDS.resolve(&completed), Resolved::Opens { .. });
        prop_assert_eq!(submits, !opens);
        if listed.is_some() {
            let runs = matches!(KINDS.resolve(&completed), Resolved::Runs { .. });
            prop_assert_eq!(submits, runs);
        }
    }

    /// Sampled: 100,000 words of up to 9 letters below one row.
    #[test]
    fn slash_suggestion_nearest(word in "[a-zA-Z]{0,9}") {
        let limit = if word.len() <= 3 { 1 } else { (word.len() / 3).max(2) };
        let distance = |row: &Row| edit_distance(row.name(), &word.to_lowercase());
        let parent = at(&["permissions"]);
        let least = KINDS.children(parent.path).map(distance).min().filter(|least| *least <= limit);
        prop_assert_eq!(KINDS.nearest_child(parent, &word).map(distance), least);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Sampled: 2,000 lines, of 4,097 characters or a few more.
    #[test]
    fn slash_long_line_inert(
        line in line(), filler in prop::sample::select(vec![" ", "x", "é"]), more in 0..9_usize, chosen in chosen(),
    ) {
        let missing = 4_097 + more - line.chars().count();
        let line = line + &filler.repeat(missing);
        prop_assert_eq!(KINDS.menu(&line), Menu::default());
        prop_assert_eq!(KINDS.tab(&line, chosen), None);
        prop_assert_eq!(KINDS.enter(&line, chosen), Pressed::Submit(line));
    }
}

#[test]
fn the_edit_distance_is_that_of_single_changes() {
    let cases = [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("help", "hlep", 2), ("new", "neww", 1)];
    for (one, other, distance) in cases {
        assert_eq!(edit_distance(one, other), distance, "{one} {other}");
        assert_eq!(edit_distance(other, one), distance, "{other} {one}");
    }
}
