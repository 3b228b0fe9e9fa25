//! Killed at random points and opened again: what had been settled on screen is there, and the next prompt is answered.

use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::Signal;

use crate::program::{Place, Program, REMARK, Surface, Wire, is_idle, transcript};
use crate::server::{self, Server};

/// Runs a moment.
const RUNS: u64 = 2;
/// Chooses the points; set it to that of a failure to see them again.
const SEED_VARIABLE: &str = "EUKHE_TEST_SEED";
const NEXT: &str = "mock:short,id=next";
const LAST_LINE: &str = "end of the long reply";

/// What the program is at when it is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    Typing,
    Streaming,
    Gate,
    Tool,
}

const MOMENTS: [Moment; 4] = [Moment::Typing, Moment::Streaming, Moment::Gate, Moment::Tool];

impl Moment {
    /// The prompt of the turn, or the draft.
    fn prompt(self) -> &'static str {
        match self {
            Self::Typing => "mock:short,id=draft",
            Self::Streaming => "mock:long,tokens=400,rate=400",
            Self::Gate => "mock:tool",
            Self::Tool => "mock:tool,cmd=sleep+5",
        }
    }

    /// About as many bytes as come until there is nothing more to see.
    fn bytes(self) -> u64 {
        match self {
            Self::Typing => 300,
            Self::Streaming => 20_000,
            Self::Gate | Self::Tool => 3_000,
        }
    }

    fn begin(self, program: &Program) {
        match self {
            Self::Typing => program.window.write(self.prompt()),
            Self::Streaming | Self::Gate | Self::Tool => program.send(self.prompt()),
        }
        if matches!(self, Self::Tool) {
            program.approve();
        }
    }

    /// Whether there is nothing more to wait for.
    fn is_at_rest(self, rows: &[String]) -> bool {
        let shows = |text: &str| rows.iter().any(|row| row.contains(text));
        match self {
            Self::Typing => shows(self.prompt()),
            Self::Streaming => shows(LAST_LINE) && is_idle(rows),
            Self::Gate => shows("bash asks for permission"),
            Self::Tool => shows("Executing bash"),
        }
    }
}

#[test]
fn killed_at_any_moment_nothing_settled_is_lost_and_the_session_goes_on() {
    let server = Server::start();
    let seed = seed();
    std::thread::scope(|scope| {
        for (index, moment) in (0..RUNS).flat_map(|_| MOMENTS).enumerate() {
            let (server, dice) = (&server, Dice(seed.wrapping_add(index as u64)));
            let name = format!("{moment:?}, {SEED_VARIABLE}={seed}");
            std::thread::Builder::new().name(name).spawn_scoped(scope, move || kill(moment, dice, server)).unwrap();
        }
    });
}

#[test]
fn without_a_key_the_session_is_opened_all_the_same() {
    let server = Server::start();
    let place = Place::new("{}");
    let mut program = place.start(Wire::OpenAi, Surface::Inline, &server, &[]);
    program.send("mock:short,id=first");
    program.comes_to(&["> mock:short,id=first", "A short reply: short-answer-donefirst."].map(String::from));
    program.signal(Signal::KILL);
    assert_eq!(program.exit_code(), None);
    let program = place.run(&["-c", "--inline"], &[]);
    program.window.expect("short-answer-donefirst");
    program.window.expect("openai/mock-large");
}

fn kill(moment: Moment, mut dice: Dice, server: &Server) {
    let wire = [Wire::OpenAi, Wire::Anthropic][dice.below(2) as usize];
    let surface = [Surface::Fullscreen, Surface::Inline][dice.below(2) as usize];
    let place = Place::new("{}").tall();
    let mut program = place.start(wire, surface, server, &[]);
    let before = settle_two_turns(&program);

    let limit = program.window.bytes().len() as u64 + dice.below(moment.bytes());
    moment.begin(&program);
    program.window.until(&format!("byte {limit} of {moment:?}"), |picture| {
        picture.bytes.len() as u64 >= limit || moment.is_at_rest(&picture.rows())
    });
    program.signal(Signal::KILL);
    assert_eq!(program.exit_code(), None);
    program.window.drain();
    let settled = settled(&program.window.rows(), &before);

    let program = place.start(wire, surface, server, &["-c"]);
    let what = format!("rest with a transcript that begins with {settled:#?}");
    program
        .window
        .until(&what, |picture| is_idle(&picture.rows()) && transcript(&picture.rows()).starts_with(&settled));
    let mut whole = transcript(&program.window.rows());
    assert_eq!(ends(&whole[before.len()..]), usize::from(is_cut_short(&whole[before.len()..])), "{whole:#?}");
    program.send(NEXT);
    whole.push(format!("> {NEXT}"));
    program.window.until("answer to the next prompt", |picture| {
        let rows = picture.rows();
        is_idle(&rows) && transcript(&rows).strip_prefix(&whole[..]).is_some_and(is_answer)
    });
    let faults: Vec<String> = server.requests().iter().filter_map(server::fault).collect();
    assert_eq!(faults, Vec::<String>::new());
}

fn settle_two_turns(program: &Program) -> Vec<String> {
    program.send("mock:short,id=first");
    let mut whole = ["> mock:short,id=first", "A short reply: short-answer-donefirst."].map(String::from).to_vec();
    program.comes_to(&whole);
    program.send("mock:tool");
    program.approve();
    let tool = [
        "> mock:tool",
        "Running a command.",
        "  ✓ bash $ echo mock-tool-ok  exit 0 · approved by you",
        "The command has run. tool-answer-done",
    ];
    whole.extend(tool.map(String::from));
    program.comes_to(&whole);
    whole
}

/// The rows of a last picture that may not be lost: all, or all up to the prompt of the turn that ran.
fn settled(rows: &[String], before: &[String]) -> Vec<String> {
    let mut whole = transcript(rows);
    assert!(whole.starts_with(before), "{whole:#?}");
    let is_running = whole.len() > before.len() && !is_idle(rows);
    whole.truncate(if is_running { before.len() + 1 } else { whole.len() });
    whole
}

/// The server takes a message that also closes a call for that call's result, so the answer may be that to a tool.
fn is_answer(rows: &[String]) -> bool {
    matches!(rows, [answer] if answer.starts_with("A short reply: ") || answer.ends_with("tool-answer-done"))
}

fn ends(turn: &[String]) -> usize {
    turn.iter().filter(|row| row.starts_with(REMARK)).count()
}

/// Whether there is a turn, and it has no last line.
fn is_cut_short(turn: &[String]) -> bool {
    !turn.is_empty() && !turn.iter().any(|row| row.contains(LAST_LINE))
}

fn seed() -> u64 {
    let chosen = std::env::var(SEED_VARIABLE).ok().map(|text| text.parse().unwrap());
    chosen.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs())
}

/// Numbers that only look random (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}
