//! Every behavior of a server ends in an answer, or in exactly one row that says what happened and what to do.

use crate::mock::Mock;
use crate::window::{Place, Window};

/// What the server does, and what the window then shows.
const ENDINGS: &[(&str, &str)] = &[
    ("mock:short", "short-answer-done"),
    ("mock:fail429,after=1", "short-answer-done"),
    ("mock:fail500", "short-answer-done"),
    ("mock:reset", "short-answer-done"),
    ("mock:malformed", "short-answer-done"),
    ("mock:empty", "short-answer-done"),
    ("mock:slow,s=1", "short-answer-done"),
    ("mock:long,tokens=200", "end of the long reply"),
];

fn open(place: &Place, mock: &Mock, wire: Wire, surface: &str) -> Window {
    let (base, model) = match wire {
        Wire::Chat => (("OPENAI_BASE_URL", format!("http://{}/v1", mock.address)), "openai/mock-large"),
        Wire::Messages => (("ANTHROPIC_BASE_URL", format!("http://{}", mock.address)), "anthropic/mock-large"),
    };
    place.run(&["--model", model, surface], &[(base.0, &base.1), ("OPENAI_API_KEY", "k"), ("ANTHROPIC_API_KEY", "k")])
}

#[derive(Clone, Copy, Debug)]
enum Wire {
    Chat,
    Messages,
}

fn each_behavior_ends_in_its_answer(wire: Wire, surface: &str) {
    let mock = Mock::start();
    for (prompt, words) in ENDINGS {
        let place = Place::new();
        let mut window = open(&place, &mock, wire, surface);
        window.send(prompt);
        window.until_all(&[words, "Enter sends it"]);
        assert!(!window.text().contains("\n! "), "{wire:?} {prompt} has an end row:\n{}", window.text());
    }
}

#[test]
fn each_behavior_ends_in_its_answer_over_chat_inline() {
    each_behavior_ends_in_its_answer(Wire::Chat, "--inline");
}

#[test]
fn each_behavior_ends_in_its_answer_over_messages_fullscreen() {
    each_behavior_ends_in_its_answer(Wire::Messages, "--fullscreen");
}

#[test]
fn a_tool_is_approved_and_its_result_goes_back_over_both_wires() {
    let mock = Mock::start();
    for (wire, surface) in [(Wire::Chat, "--fullscreen"), (Wire::Messages, "--inline")] {
        let place = Place::new();
        let mut window = open(&place, &mock, wire, surface);
        window.send("mock:tool,cmd=touch+made");
        window.until("1. Approve this once");
        window.keys("\t");
        window.until("y approves");
        window.keys("y");
        window.until_all(&["tool-answer-done", "Enter sends it"]);
        assert!(place.workspace.path().join("made").is_file());
    }
}

#[test]
fn a_server_that_never_answers_ends_by_esc_or_by_a_limit_in_one_row() {
    let mock = Mock::start();
    let place = Place::new();
    let mut window = open(&place, &mock, Wire::Chat, "--inline");
    window.send("mock:hang");
    window.until("Waiting");
    window.keys("\x1b");
    window.until_all(&["! Interrupted", "Enter sends it"]);
    assert_eq!(window.text().matches("! ").count(), 1, "{}", window.text());

    place.settings(r#"{ "quietStartup": true, "retry": { "maxRetries": 0 }, "timeouts": { "firstByteMs": 700 } }"#);
    let mut window = open(&place, &mock, Wire::Messages, "--fullscreen");
    window.send("mock:hang");
    window.until_all(&["did not begin to answer", "timeouts.firstByteMs", "Enter sends it"]);
    assert_eq!(window.text().matches("! ").count(), 1, "{}", window.text());
}
