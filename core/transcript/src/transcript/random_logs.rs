//! Laws of the transcript over random event logs, written by a small grammar of what an agent does.
//! `EUKHE_CASES`, read when the tests are built, sets how many logs are tried; a failure names the seed of its log.

use protocol::{Block, Enduring, Event, GateAnswer, InputReason, RetryOutcome, ToolOutcome};

use super::Transcript;
use super::log::Log;
use crate::{Entry, EntryKind, EntryState, PaceRate};

/// Pieces of text; some only make sense together with the next.
const FRAGMENTS: [&str; 12] = [
    "Hello",
    " you",
    "\n",
    "  ",
    "👩",
    "\u{200d}🚀",
    "e",
    "\u{301}",
    "```rs\n",
    "🇩",
    "🇪 x",
    "a longer piece of text. ",
];

/// Runs `law` on many logs, each with its own seed, so one that fails can be run alone.
fn for_random_logs(law: impl Fn(u64)) {
    let cases = option_env!("EUKHE_CASES").and_then(|cases| cases.parse().ok()).unwrap_or(4_000);
    (0..cases).for_each(law);
}

/// Sampled: 4,000 logs of up to 3 turns, more by `EUKHE_CASES`.
#[test]
fn shown_equals_restored() {
    for_random_logs(|seed| {
        let mut chance = Log::new(seed ^ 0xa5a5);
        let (log, _) = random_log(seed);
        let mut shown = Transcript::new();
        let drops_deltas = chance.random(4) == 0;
        for event in &log.events {
            if drops_deltas && event.enduring().is_none() && chance.random(3) == 0 {
                continue;
            }
            shown.fold(event);
            if chance.random(4) == 0 {
                shown.advance(PaceRate { chars_min: chance.random(4), lag: chance.random(4) });
            }
        }
        shown.reveal_all();
        assert_eq!(settled(&shown), settled(&restored(&log.events)), "seed {seed}");
    });
}

/// Sampled: 4,000 logs of up to 3 turns, more by `EUKHE_CASES`.
#[test]
fn turn_end_one_row() {
    for_random_logs(|seed| {
        let (log, unanswered) = random_log(seed);
        let rows = restored(&log.events).entries().iter().filter(|entry| is_end(entry)).count();
        assert_eq!(rows, unanswered, "seed {seed}");
    });
}

/// Sampled: 4,000 logs of up to 3 turns, more by `EUKHE_CASES`.
#[test]
fn turn_end_order_free() {
    for_random_logs(|seed| {
        let (log, _) = random_log(seed);
        let mut chance = Log::new(seed ^ 0x5a5a);
        let mut moved: Vec<Event> = log.events.clone();
        for index in 0..moved.len() {
            let event = moved[index].clone();
            if !matches!(event.enduring(), Some(Enduring::RetryEpisodeEnded { .. })) {
                continue;
            }
            moved.remove(index);
            let started = |other: &Event| {
                other.header.turn == event.header.turn && matches!(other.enduring(), Some(Enduring::TurnStarted { .. }))
            };
            let first = moved.iter().position(started).expect("a turn starts") + 1;
            let place = first + chance.random((moved.len() - first) as u64 + 1) as usize;
            moved.insert(place, event);
        }
        assert_eq!(settled(&restored(&moved)), settled(&restored(&log.events)), "seed {seed}");
    });
}

/// Sampled: 4,000 logs of up to 3 turns, more by `EUKHE_CASES`.
#[test]
fn turn_text_kept() {
    for_random_logs(|seed| {
        let (log, _) = random_log(seed);
        let mut chance = Log::new(seed ^ 0xffff);
        let mut transcript = Transcript::new();
        let mut shown_before = String::new();
        for event in &log.events {
            transcript.fold(event);
            let shown = shown_text(&transcript);
            assert!(shown.starts_with(&shown_before), "seed {seed}: {shown_before:?} became {shown:?}");
            transcript.advance(PaceRate { chars_min: chance.random(3), lag: chance.random(9) });
            shown_before = shown_text(&transcript);
        }
    });
}

/// Sampled: 4,000 logs of up to 3 turns, committed at random frames, more by `EUKHE_CASES`.
#[test]
fn tx_gapless() {
    for_random_frames(|Frame { transcript, scrollback, seed }| {
        assert_eq!(transcript.committed(), scrollback.len(), "seed {seed}");
        assert_eq!(transcript.flush().start, transcript.committed(), "seed {seed}");
        assert!(transcript.entries().is_sorted_by_key(|entry| entry.id), "seed {seed}");
    });
}

/// Sampled: 4,000 logs of up to 3 turns, committed at random frames, more by `EUKHE_CASES`.
#[test]
fn tx_scrollback_append_only() {
    for_random_frames(|Frame { transcript, scrollback, seed }| {
        assert_eq!(scrollback, &transcript.entries()[..scrollback.len()], "seed {seed}");
    });
}

/// Sampled: 4,000 logs of up to 3 turns, committed at random frames, more by `EUKHE_CASES`.
#[test]
fn tx_flush_settles() {
    for_random_frames(|Frame { transcript, seed, .. }| {
        let next = transcript.entries().get(transcript.flush().end);
        assert!(next.is_none_or(|next| next.state == EntryState::Active), "seed {seed}");
    });
}

/// Sampled: 4,000 logs of up to 3 turns, committed at random frames and at their end, more by `EUKHE_CASES`.
#[test]
fn tx_every_row_once() {
    for_random_logs(|seed| {
        let (mut transcript, mut scrollback) = committed_at_random(seed, |_| {});
        transcript.reveal_all();
        commit(&mut transcript, &mut scrollback);
        assert_eq!(scrollback, transcript.entries(), "seed {seed}");
    });
}

/// Sampled: 4,000 logs of up to 3 turns, more by `EUKHE_CASES`.
#[test]
fn turn_row_iff_work() {
    for_random_logs(|seed| {
        let (log, _) = random_log(seed);
        let mut transcript = Transcript::new();
        let mut runs = false;
        for event in &log.events {
            transcript.fold(event);
            match event.enduring() {
                Some(Enduring::TurnStarted { .. }) => runs = true,
                Some(Enduring::TurnDone { .. } | Enduring::TurnFailed { .. } | Enduring::TurnInterrupted {}) => {
                    runs = false;
                }
                Some(_) | None => {}
            }
            let expected = runs || transcript.is_behind() || !transcript.queue().is_empty();
            assert_eq!(transcript.work().is_some(), expected, "seed {seed}");
        }
    });
}

/// A transcript between two events, and the entries that frames before have committed, as they were then.
struct Frame<'a> {
    transcript: &'a Transcript,
    scrollback: &'a [Entry],
    seed: u64,
}

fn for_random_frames(law: impl Fn(Frame)) {
    for_random_logs(|seed| drop(committed_at_random(seed, &law)));
}

/// Folds a log, and commits what may be after some of its events.
fn committed_at_random(seed: u64, law: impl Fn(Frame)) -> (Transcript, Vec<Entry>) {
    let (log, _) = random_log(seed);
    let mut chance = Log::new(seed ^ 0x0f0f);
    let (mut transcript, mut scrollback) = (Transcript::new(), Vec::new());
    for event in &log.events {
        transcript.fold(event);
        transcript.advance(PaceRate { chars_min: chance.random(9), lag: chance.random(3) });
        law(Frame { transcript: &transcript, scrollback: &scrollback, seed });
        if chance.random(2) == 0 {
            commit(&mut transcript, &mut scrollback);
            law(Frame { transcript: &transcript, scrollback: &scrollback, seed });
        }
    }
    (transcript, scrollback)
}

fn commit(transcript: &mut Transcript, scrollback: &mut Vec<Entry>) {
    let entries = &transcript.entries()[transcript.flush()];
    scrollback.extend_from_slice(entries);
    if let Some(last) = entries.last().map(|entry| entry.id) {
        transcript.commit(last);
    }
}

fn restored(events: &[Event]) -> Transcript {
    let mut transcript = Transcript::new();
    transcript.restore(events.iter().filter(|event| event.enduring().is_some()));
    transcript
}

fn settled(transcript: &Transcript) -> Vec<(EntryState, EntryKind)> {
    transcript.entries().iter().map(|entry| (entry.state, entry.kind.clone())).collect()
}

fn is_end(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::TurnEnd(_))
}

/// All text of answers that is on screen, but for blanks: an answer that is blank is none.
fn shown_text(transcript: &Transcript) -> String {
    let mut text = String::new();
    for entry in transcript.entries() {
        if let EntryKind::Answer(answer) = &entry.kind {
            assert_eq!(crate::pace::cluster_end(&answer.text, answer.shown_bytes), answer.shown_bytes);
            text.extend(answer.shown().chars().filter(|char| !char.is_whitespace()));
        }
    }
    text
}

/// Returns a log of a few turns, and how many of them ended without an answer.
fn random_log(seed: u64) -> (Log, usize) {
    let mut log = Log::new(seed);
    let mut unanswered = 0;
    for _ in 0..=log.random(3) {
        if log.random(2) == 0 {
            let input = log.queue("first");
            log.turn_of(input, "first");
        } else {
            log.turn("hi");
        }
        unanswered += usize::from(!random_turn(&mut log));
    }
    (log, unanswered)
}

/// Writes a turn to its end. Returns whether it was answered.
fn random_turn(log: &mut Log) -> bool {
    loop {
        random_step(log);
        match log.random(8) {
            0 => return random_answer_cut(log),
            1 => return random_interrupt(log),
            2 => return random_retries(log),
            3 => {
                log.answered();
                finish_calls(log);
                log.failed("100 steps are the limit of a turn");
                return false;
            }
            4 | 5 => {
                log.answered();
                let is_whole = has_text(log) && !has_calls(log);
                finish_calls(log);
                log.done();
                return is_whole;
            }
            _ => {
                log.answered();
                finish_calls(log);
                random_steer(log);
            }
        }
    }
}

fn random_step(log: &mut Log) {
    log.step();
    for _ in 0..log.random(6) {
        let fragment = FRAGMENTS[log.random(FRAGMENTS.len() as u64) as usize];
        log.wait(7);
        match log.random(8) {
            0 => drop(log.call("bash", r#"{"command":"ls"}"#)),
            1 | 2 => drop(log.thinking(fragment)),
            _ => drop(log.text(fragment)),
        }
    }
}

/// What an agent keeps of a stream that broke: text and thinking, but no call.
fn store_cut(log: &mut Log) {
    log.blocks.retain(|block| !matches!(block, Block::ToolUse { .. }));
    if !log.blocks.is_empty() {
        log.cut("the connection was reset");
    }
}

fn random_answer_cut(log: &mut Log) -> bool {
    store_cut(log);
    match log.random(2) {
        0 => drop(log.done()),
        _ => drop(log.failed("the connection was reset")),
    }
    false
}

fn random_interrupt(log: &mut Log) -> bool {
    let queued = (log.random(2) == 0).then(|| log.queue("and then?"));
    store_cut(log);
    if let Some(input) = queued {
        let blocks = vec![Block::text("and then?")];
        log.store(Enduring::InputCancelled { input, reason: InputReason::TurnInterrupted, blocks });
    }
    log.interrupted();
    false
}

fn random_retries(log: &mut Log) -> bool {
    store_cut(log);
    let tries = 2 + log.random(2) as u32;
    for attempt in 2..=tries {
        log.retry(attempt).wait(2_000);
        random_step(log);
        if attempt < tries {
            store_cut(log);
        }
    }
    if log.random(2) == 0 {
        log.answered().episode(tries, RetryOutcome::Recovered);
        let is_whole = has_text(log) && !has_calls(log);
        finish_calls(log);
        log.done();
        return is_whole;
    }
    store_cut(log);
    match log.random(2) {
        0 => drop(log.episode(tries, RetryOutcome::GaveUp).failed("the server answered 503")),
        _ => drop(log.episode(tries, RetryOutcome::Stopped).interrupted()),
    }
    false
}

fn random_steer(log: &mut Log) {
    // Without a call to go on from, only a message makes the model speak again.
    if !has_calls(log) || log.random(3) == 0 {
        let input = log.queue("faster");
        log.store(Enduring::InputFolded { input, blocks: vec![Block::text("faster")] });
    }
}

/// Runs the calls of the stored step; some get no result.
fn finish_calls(log: &mut Log) {
    for block in log.blocks.clone() {
        let Block::ToolUse { call, name, .. } = block else { continue };
        let is_gated = log.random(3) == 0;
        if is_gated {
            let gate = log.gate(call, &name, "$ ls");
            log.resolve(call, gate, GateAnswer::Approved);
        }
        log.start(call, &name, "$ ls").output(call, "out");
        match log.random(8) {
            0 => {}
            1 => drop(log.finish(call, &name, ToolOutcome::Failed, "no")),
            _ => drop(log.finish(call, &name, ToolOutcome::Done, "out")),
        }
    }
}

fn has_text(log: &Log) -> bool {
    log.blocks.iter().any(|block| matches!(block, Block::Text { text } if !text.trim().is_empty()))
}

fn has_calls(log: &Log) -> bool {
    log.blocks.iter().any(|block| matches!(block, Block::ToolUse { .. }))
}
