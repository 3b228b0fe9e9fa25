//! Bad files, bad choices and a bad network: a clear row with the next step, nothing lost, no panic, no secret told.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;

use rusqlite::Connection;

use crate::program::{IDLE, KEY, Place, Program, Surface, Wire, files, remarks};
use crate::server::{self, Server};

type Variables<'test> = &'test [(&'test str, String)];

#[test]
fn what_is_wrong_in_the_settings_is_told_with_file_and_line_and_the_program_starts() {
    let cases: [(&str, &[&str]); 3] = [
        (
            "{\n  \"theme\": \"dark\",\n  no json\n}",
            &["{file} is not used: line 3, column 3: key must be a string; correct it there, it must be strict JSON"],
        ),
        ("{\n  \"theme\": 5\n}", &["{file}:2: `theme` is 5 and was ignored; expected the name of a theme in quotes"]),
        (
            "{\n\n  \"thema\": \"dark\",\n  \"retry\": {\n    \"maxRetries\": -1\n  }\n}",
            &[
                "{file}:3: `thema` is no setting of this version; the nearest is `theme`",
                "{file}:5: `retry.maxRetries` is -1 and was ignored; expected a whole number from 0 to 20",
            ],
        ),
    ];
    let server = Server::start();
    for surface in [Surface::Fullscreen, Surface::Inline] {
        for (settings, expected) in cases {
            let place = Place::new(settings);
            let program = place.start(Wire::OpenAi, surface, &server, &[]);
            let file = place.settings().display().to_string();
            let expected: Vec<String> = expected.iter().map(|row| row.replace("{file}", &file)).collect();
            assert_eq!(remarks(&program.window.rows()), expected, "{settings}");
            program.send("mock:short");
            program.comes_to(&owned(&[&["> mock:short", "A short reply: short-answer-done."]]));
        }
    }
}

#[test]
fn a_journal_that_is_no_database_is_named_the_draft_stays_and_the_exit_code_tells() {
    let server = Server::start();
    for (surface, arguments) in [(Surface::Fullscreen, &[][..]), (Surface::Inline, &["-c"])] {
        let place = Place::new("{}");
        let garbage = "neither a database nor a poem\n".repeat(200);
        std::fs::write(place.journal(), &garbage).unwrap();
        let all = [Wire::OpenAi.arguments(), surface.arguments(), arguments].concat();
        let mut program = place.run(&all, &Wire::OpenAi.variables(&server.address));
        program.window.expect("no session could be opened");
        program.window.until("name of the file and the damage", |picture| {
            let rows = picture.rows().join("");
            rows.contains(&place.journal().display().to_string()) && rows.contains("the file is damaged")
        });
        program.send("mock:short");
        program.window.expect("no session is open; the draft stays");
        program.window.expect("> mock:short");
        program.window.press_ctrl_c();
        program.window.until("empty draft", |picture| !picture.shows("> mock:short"));
        quit(&mut program, 1);
        assert_eq!(std::fs::read_to_string(place.journal()).unwrap(), garbage);
    }
}

#[test]
fn a_damaged_record_is_counted_the_rest_is_shown_and_the_session_goes_on() {
    let first = ["> mock:short,id=first", "A short reply: short-answer-donefirst."];
    let next = ["> mock:short,id=next", "A short reply: short-answer-donenext."];
    let (prompt, words, answer) = ("> mock:tool", "Running a command.", "The command has run. tool-answer-done");
    let call = "  ✓ bash $ echo mock-tool-ok  exit 0 · approved by you";
    let lost_call = "  – bash $ echo mock-tool-ok  cancelled · approved by you";
    let skipped = "! 1 stored record could not be read; the rest is whole";
    let whole = [prompt, words, call, answer];
    let cases: [(&str, &[&str]); 4] = [
        ("StepAnswered", &[prompt, call, answer, skipped]),
        ("ToolFinished", &[prompt, words, lost_call, answer, skipped]),
        ("TurnDone", &[prompt, words, call, answer, "! Interrupted", skipped]),
        ("TurnStarted", &[words, call, answer, skipped]),
    ];
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let server = Server::start();
        for (damaged, left) in cases {
            let place = Place::new("{}");
            let mut program = place.start(wire, Surface::Fullscreen, &server, &[]);
            program.send("mock:short,id=first");
            program.comes_to(&owned(&[&first]));
            program.send("mock:tool");
            program.approve();
            program.comes_to(&owned(&[&first, &whole]));
            quit(&mut program, 0);
            damage_in_second_turn(&place, damaged);
            let program = place.start(wire, Surface::Fullscreen, &server, &["-c"]);
            program.send("mock:short,id=next");
            program.comes_to(&owned(&[&first, left, &next]));
        }
        let faults: Vec<String> = server.requests().iter().filter_map(server::fault).collect();
        assert_eq!(faults, Vec::<String>::new(), "{wire:?}");
    }
}

#[test]
fn what_keeps_a_model_from_being_reached_is_one_row_with_the_next_step() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let nowhere = |variable: &'static str, path: &str| (variable, format!("http://{closed}{path}"));
    let key = ("ANTHROPIC_API_KEY", KEY.to_owned());
    let cases: [(&str, Variables, &str); 5] = [
        (
            "nobody/model",
            &[],
            "no provider is called `nobody`; name the model as openai/<id> or anthropic/<id>, \
             with `--model` or the setting models.main.model",
        ),
        (
            "openai/gpt-5",
            &[],
            "openai needs a key and OPENAI_API_KEY is not set; set OPENAI_API_KEY and start eukhe again",
        ),
        (
            "anthropic/claude",
            &[],
            "anthropic needs a key and ANTHROPIC_API_KEY is not set; set ANTHROPIC_API_KEY and start eukhe again",
        ),
        (
            "openai/gpt-5",
            &[nowhere("OPENAI_BASE_URL", "/v1")],
            "{closed} refused the connection; check that the server runs, the network, and OPENAI_BASE_URL",
        ),
        (
            "anthropic/claude",
            &[nowhere("ANTHROPIC_BASE_URL", ""), key],
            "{closed} refused the connection; check that the server runs, the network, and ANTHROPIC_BASE_URL",
        ),
    ];
    for (model, variables, expected) in cases {
        let place = Place::new(r#"{"retry": {"maxRetries": 0}}"#);
        let program = place.run(&["--model", model], variables);
        program.window.expect(IDLE);
        program.send("hello");
        program.comes_to(&["> hello".to_owned(), format!("! {}", expected.replace("{closed}", &closed))]);
    }
}

#[test]
fn a_session_that_is_open_elsewhere_says_who_holds_it() {
    let server = Server::start();
    let place = Place::new("{}");
    let holder = place.start(Wire::OpenAi, Surface::Fullscreen, &server, &[]);
    holder.send("mock:short");
    let turn = ["> mock:short", "A short reply: short-answer-done."].map(String::from);
    holder.comes_to(&turn);
    let arguments = [Wire::OpenAi.arguments(), &["-c"]].concat();
    let mut second = place.run(&arguments, &Wire::OpenAi.variables(&server.address));
    second.window.expect(&format!("the session has been open in another eukhe, process {}", holder.pid()));
    quit(&mut second, 1);
    drop(holder);
    place.start(Wire::OpenAi, Surface::Fullscreen, &server, &["-c"]).comes_to(&turn);
}

#[test]
fn a_key_is_in_no_file_and_in_no_byte_that_was_written() {
    let (server, refusing) = (Server::start(), refuse_with_the_key());
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let place = Place::new(r#"{"retry": {"baseDelayMs": 100, "maxRetries": 1}}"#);
        let mut written = Vec::new();
        for (address, end) in [(&server.address, "failed at its side"), (&refusing, "does not accept the key")] {
            let mut variables = wire.variables(address).to_vec();
            variables.push(("EUKHE_LOG", "trace".to_owned()));
            let mut program = place.run(wire.arguments(), &variables);
            program.window.expect(IDLE);
            program.send("mock:fail500,times=2");
            program.window.expect(end);
            program.window.expect(IDLE);
            quit(&mut program, 0);
            written.push((format!("terminal: {end}"), program.window.drain()));
        }
        let read = |path: PathBuf| (path.display().to_string(), std::fs::read(path).unwrap());
        written.extend(files(&place.agent()).into_iter().map(read));
        let tells = |bytes: &[u8]| bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes());
        let told: Vec<&String> = written.iter().filter(|(_, bytes)| tells(bytes)).map(|(name, _)| name).collect();
        assert_eq!(told, Vec::<&String>::new());
    }
}

/// A server that knows no key and repeats what it was given, as some do.
fn refuse_with_the_key() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            while request.read_line(&mut line).unwrap() > "\r\n".len() {
                line.clear();
            }
            let body = format!(r#"{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}"#);
            let head = format!("HTTP/1.1 401 Unauthorized\r\ncontent-length: {}\r\nconnection: close", body.len());
            write!(stream, "{head}\r\n\r\n{body}").unwrap();
        }
    });
    address
}

/// Leaves the program, whose draft is empty.
fn quit(program: &mut Program, code: i32) {
    program.window.press_ctrl_c();
    program.window.expect("Ctrl+C again quits");
    program.window.press_ctrl_c();
    assert_eq!(program.exit_code(), Some(code));
}

/// Makes the first record of this type that is not of the first turn one that cannot be read.
fn damage_in_second_turn(place: &Place, event: &str) {
    let journal = Connection::open(place.journal()).unwrap();
    journal.execute_batch("DROP TRIGGER events_stay_as_they_are").unwrap();
    let first_end = "SELECT min(number) FROM events WHERE type = 'TurnDone'";
    let number = format!("SELECT min(number) FROM events WHERE type = ?1 AND number > ({first_end})");
    let changed = journal.execute(&format!("UPDATE events SET body = '{{' WHERE number = ({number})"), [event]);
    assert_eq!(changed, Ok(1));
}

fn owned(parts: &[&[&str]]) -> Vec<String> {
    parts.concat().into_iter().map(str::to_owned).collect()
}
