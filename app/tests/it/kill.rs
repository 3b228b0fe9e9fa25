//! Killed at any moment and opened again: every settled row is there, and the next request is valid.

use std::time::Duration;

use crate::mock::Mock;
use crate::window::{Place, Window};

/// How many sessions are killed; the moments are spread over a turn.
const KILLS: u64 = 8;

fn open(place: &Place, mock: &Mock, arguments: &[&str]) -> Window {
    let base = format!("http://{}/v1", mock.address);
    let arguments = [&["--model", "openai/mock-large", "--inline"], arguments].concat();
    place.run(&arguments, &[("OPENAI_BASE_URL", &base), ("OPENAI_API_KEY", "k")])
}

/// The prompts, answers and finished calls that stand in a window: they may not be lost.
fn settled(text: &str) -> Vec<String> {
    let is_settled = |row: &&str| {
        let of_prompt = row.starts_with("> mock:");
        let of_call = row.trim_start().starts_with(['✓', '✗']);
        of_prompt || of_call || row.contains("answer-done")
    };
    text.lines().filter(is_settled).map(|row| row.trim().to_owned()).collect()
}

#[test]
fn killed_at_random_moments_nothing_settled_is_lost_and_the_next_request_is_valid() {
    let mock = Mock::start();
    for seed in 0..KILLS {
        let place = Place::new();
        let mut window = open(&place, &mock, &[]);
        window.send("mock:short,id=first");
        window.until_all(&["short-answer-donefirst", "Enter sends it"]);
        window.send("mock:long,tokens=300,rate=300");
        // The moment is the test's input, not a wait for something.
        std::thread::sleep(Duration::from_millis(seed * 1_300 / KILLS));
        let before = settled(&window.text());
        window.kill();

        let mut window = open(&place, &mock, &["-c"]);
        window.until("short-answer-donefirst");
        window.send("mock:short,id=second");
        window.until_all(&["short-answer-donesecond", "Enter sends it"]);
        let after = settled(&window.text());
        // The second prompt may have been still in the draft or on its way when the kill came.
        let lost: Vec<&String> = before.iter().filter(|row| !after.contains(row) && !row.contains("long")).collect();
        assert!(lost.is_empty(), "seed {seed}: {lost:?} of {before:?} is gone:\n{}", window.text());
    }
}

#[test]
fn killed_at_a_gate_and_in_a_tool_the_call_is_closed_and_the_next_request_is_valid() {
    let mock = Mock::start();
    for answer in ["", "\ty"] {
        let place = Place::new();
        let mut window = open(&place, &mock, &[]);
        window.send("mock:tool,cmd=sleep+30");
        window.until("1. Approve this once");
        if !answer.is_empty() {
            window.keys("\t");
            window.until("y approves");
            window.keys("y");
            window.until("Executing bash");
        }
        window.kill();

        let mut window = open(&place, &mock, &["-c"]);
        window.until_all(&["mock:tool", "! Interrupted"]);
        window.send("mock:short,id=after");
        window.until_all(&["short-answer-doneafter", "Enter sends it"]);
    }
}

#[test]
fn without_a_key_the_session_is_opened_all_the_same() {
    let mock = Mock::start();
    let place = Place::new();
    let mut window = open(&place, &mock, &[]);
    window.send("mock:short,id=first");
    window.until_all(&["short-answer-donefirst", "Enter sends it"]);
    window.keys("\x03");
    window.until("Ctrl+C again quits");
    window.keys("\x03");
    assert_eq!(window.ended().code(), Some(0));
    let window = place.run(&["-c", "--inline"], &[]);
    window.until_all(&["short-answer-donefirst", "openai/mock-large"]);
}
