//! Turns over both wires on both surfaces: each ends in its answer, or in one row that says why not and what is next.

use crate::program::{Place, Program, Surface, Wire, is_working};
use crate::server::{self, Server};

/// What a person does while the turn runs.
#[derive(Clone, Copy)]
enum Act {
    Wait,
    Approve,
    Stop,
}

const ANSWER: &str = "A short reply: short-answer-done.";
const CUT_BY_RESET: &str = "This answer will be cut off by a reset This";
const CUT_BY_RUBBISH: &str = "before the bad line";
const CUT: &str = "(incomplete)";

/// Prompt, act, and the rows of the turn, with `{name}`, `{variable}` and `{address}` for the provider's.
const TURNS: &[(&str, Act, &[&str])] = &[
    ("mock:short", Act::Wait, &[ANSWER]),
    (
        "mock:tool",
        Act::Approve,
        &[
            "Running a command.",
            "  ✓ bash $ echo mock-tool-ok  exit 0 · approved by you",
            "The command has run. tool-answer-done",
        ],
    ),
    ("mock:fail429,after=1", Act::Wait, &[ANSWER]),
    ("mock:fail500", Act::Wait, &[ANSWER]),
    (
        "mock:fail500,times=2",
        Act::Wait,
        &["! Gave up after 1 retry: {name} failed at its side (500 Internal Server Error): mock 500; \
           send the prompt again in a while"],
    ),
    ("mock:reset", Act::Wait, &[CUT_BY_RESET, CUT, ANSWER]),
    (
        "mock:reset,times=2",
        Act::Wait,
        &[
            CUT_BY_RESET,
            CUT,
            CUT_BY_RESET,
            CUT,
            "! Gave up after 1 retry: {address} cut the connection amid its answer; send the prompt again",
        ],
    ),
    ("mock:malformed", Act::Wait, &[CUT_BY_RUBBISH, CUT, ANSWER]),
    (
        "mock:malformed,times=2",
        Act::Wait,
        &[
            CUT_BY_RUBBISH,
            CUT,
            CUT_BY_RUBBISH,
            CUT,
            "! Gave up after 1 retry: {name} sent a chunk that cannot be decoded; \
             send the prompt again; if it stays so, check {variable}",
        ],
    ),
    ("mock:empty", Act::Wait, &[ANSWER]),
    (
        "mock:empty,times=2",
        Act::Wait,
        &[
            "! Gave up after 1 retry: The turn ended without a reply; send a message to go on, or start with another `--model`",
        ],
    ),
    ("mock:slow,s=1", Act::Wait, &[ANSWER]),
    ("mock:hang", Act::Stop, &["! Interrupted"]),
];

/// Runs `check` with a server for each wire and surface, all at once, as they mostly wait.
fn on_all(check: impl Fn(Wire, Surface, &Server) + Sync) {
    std::thread::scope(|scope| {
        for wire in [Wire::OpenAi, Wire::Anthropic] {
            for surface in [Surface::Fullscreen, Surface::Inline] {
                let check = &check;
                let thread = std::thread::Builder::new().name(format!("{wire:?}, {surface:?}"));
                thread.spawn_scoped(scope, move || check(wire, surface, &Server::start())).unwrap();
            }
        }
    });
}

#[test]
fn every_turn_ends_in_its_answer_or_in_one_row_that_says_what_is_next() {
    on_all(|wire, surface, server| {
        let place = Place::new(r#"{"retry": {"baseDelayMs": 100, "maxRetries": 1}}"#).tall();
        let program = place.start(wire, surface, server, &[]);
        let mut transcript = Vec::new();
        for (prompt, act, rows) in TURNS {
            program.send(prompt);
            do_meanwhile(&program, *act);
            transcript.push(format!("> {prompt}"));
            transcript.extend(rows.iter().map(|row| filled(row, wire, server)));
            program.comes_to(&transcript);
        }
        for request in server.requests() {
            assert_eq!(server::fault(&request), None);
        }
    });
}

#[test]
fn a_first_byte_that_does_not_come_in_time_ends_the_turn() {
    on_all(|wire, surface, server| {
        let place = Place::new(r#"{"retry": {"maxRetries": 0}, "timeouts": {"firstByteMs": 1}}"#);
        let program = place.start(wire, surface, server, &[]);
        program.send("mock:hang");
        let end = "! The server did not begin to answer within 1 s; \
                   send the message again, or raise `timeouts.firstByteMs`";
        program.comes_to(&["> mock:hang".to_owned(), end.to_owned()]);
    });
}

fn do_meanwhile(program: &Program, act: Act) {
    match act {
        Act::Wait => {}
        Act::Approve => program.approve(),
        Act::Stop => {
            program.window.until("working row", |picture| picture.rows().iter().any(|row| is_working(row)));
            program.window.press_escape();
        }
    }
}

fn filled(row: &str, wire: Wire, server: &Server) -> String {
    let (name, variable) = match wire {
        Wire::OpenAi => ("openai", "OPENAI_BASE_URL"),
        Wire::Anthropic => ("anthropic", "ANTHROPIC_BASE_URL"),
    };
    row.replace("{name}", name).replace("{variable}", variable).replace("{address}", &server.address)
}
