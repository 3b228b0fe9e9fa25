//! Bad input of every kind: a clear row with the next step, nothing lost, no panic.

use crate::mock::Mock;
use crate::window::Place;

#[test]
fn broken_settings_are_named_with_file_and_line_and_the_program_starts() {
    let place = Place::new();
    place.settings("{\n  \"theme\": 5,\n  \"thema\": \"x\"\n}");
    let window = place.run(&["tour", "--inline"], &[]);
    window.until_all(&["settings.json:2", "settings.json:3", "Enter sends it"]);
    place.settings("{ no json");
    let window = place.run(&["tour", "--inline"], &[]);
    window.until_all(&["settings.json is not used: line 1", "Enter sends it"]);
}

#[test]
fn a_missing_key_an_unknown_provider_and_a_refused_connection_each_end_in_one_row() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let base = format!("http://{closed}/v1");
    let address = closed.to_string();
    let cases = [
        ("openai/gpt-5", vec![], "OPENAI_API_KEY"),
        ("nobody/model", vec![], "no provider is called"),
        ("openai/gpt-5", vec![("OPENAI_BASE_URL", base.as_str())], &address),
    ];
    for (model, variables, words) in cases {
        let place = Place::new();
        place.settings(r#"{ "quietStartup": true, "retry": { "maxRetries": 0 } }"#);
        let mut window = place.run(&["--model", model, "--inline"], &variables);
        window.send("hello");
        window.until_all(&["! ", words, "Enter sends it"]);
        assert_eq!(window.text().matches("\n! ").count(), 1, "{}", window.text());
    }
}

#[test]
fn a_journal_that_is_no_database_is_named_and_the_draft_is_kept() {
    let place = Place::new();
    std::fs::write(place.home.path().join("journal.db"), "this is no database, and long enough to be read as one")
        .unwrap();
    let mut window = place.run(&["tour", "--inline"], &[]);
    window.keys("my prompt");
    window.until_all(&["journal.db", "damaged", "my prompt"]);
}

#[test]
fn a_planted_key_is_in_no_file_and_on_no_screen() {
    let mock = Mock::start();
    let place = Place::new();
    let base = format!("http://{}/v1", mock.address);
    let key = "sk-planted-0123456789";
    let variables = [("OPENAI_BASE_URL", base.as_str()), ("OPENAI_API_KEY", key), ("EUKHE_LOG", "trace")];
    let mut window = place.run(&["--model", "openai/mock-large"], &variables);
    window.send("mock:fail500,times=9");
    window.until("! ");
    let mut written = window.bytes();
    for entry in walk(place.home.path()) {
        written.extend(std::fs::read(entry).unwrap());
    }
    assert!(!String::from_utf8_lossy(&written).contains("planted"));
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
