//! The world around one session: plays the shell, keeps the journal, and prints effects in short.
//! Ids are named in the order in which they appear: `s1` is the first step, `c1` the first call, `g1` the first gate.

use protocol::{
    AccessProfile, Block, Body, Chunk, Command, CommandId, Enduring, Ephemeral, Event, Failure, FailureKind, GateId,
    IdSource, InputId, InterruptTarget, Message, ModelRef, Requirement, RequirementKind, SessionId, Stamp, StepId,
    StopReason, ToolCallId, ToolOutcome, ToolOutput, TurnId, Usage,
};

use crate::{Config, Effect, Input, Limits, Outcome, Prepared, Retry, Session, Timer};

pub(super) const START_MS: u64 = 1_764_500_000_000;

pub(super) struct World {
    pub(super) session: Session,
    pub(super) stored: Vec<Event>,
    pub(super) steps: Vec<StepId>,
    pub(super) calls: Vec<ToolCallId>,
    pub(super) gates: Vec<GateId>,
    pub(super) turns: Vec<TurnId>,
    pub(super) now_ms: u64,
    ids: IdSource,
}

pub(super) fn config() -> Config {
    Config {
        agent_name: "eukhe".to_owned(),
        workspace: "/work".to_owned(),
        profile: AccessProfile::Trusted,
        tour: false,
        model: ModelRef { provider: "mock".to_owned(), id: "one".to_owned() },
        limits: Limits {
            steps_max: 200,
            tool_calls_max: 1000,
            queued_max: 2,
            retry: Retry { enabled: true, retries_max: 2, base_delay_ms: 1_000, delay_max_ms: 1_000 },
            first_byte_ms: None,
            stall_ms: None,
            interrupt_ms: 150,
        },
    }
}

/// Plays a script and compares it with itself: lines that begin with `> ` come in, all others must go out.
#[track_caller]
pub(super) fn check(script: &str) {
    check_with(config(), script);
}

#[track_caller]
pub(super) fn check_with(config: Config, script: &str) {
    let expected: Vec<&str> = script.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut world = World::new(config);
    let mut played = Vec::new();
    for line in expected.iter().filter_map(|line| line.strip_prefix("> ")) {
        played.push(format!("> {line}"));
        played.extend(world.play(line));
    }
    assert!(played == expected, "played:\n{}\n\nexpected:\n{}\n", played.join("\n"), expected.join("\n"));
}

impl World {
    pub(super) fn new(config: Config) -> Self {
        let mut ids = Stamp { at_ms: START_MS, seed: 1 }.ids();
        let id: SessionId = ids.make();
        let session = Session::new(id, config, Stamp { at_ms: START_MS, seed: 2 });
        Self::around(session, Vec::new(), ids)
    }

    /// Opens what is stored in another process; returns the world and what was mended.
    pub(super) fn restored(config: Config, stored: &[Event], seed: u64) -> (Self, Vec<String>) {
        let ids = Stamp { at_ms: START_MS + 10_000_000, seed }.ids();
        let stamp = Stamp { at_ms: START_MS + 9_000_000, seed };
        let (session, effects) = Session::restore(config, stored, stamp);
        let mut world = Self::around(session, stored.to_vec(), ids);
        world.now_ms += 9_000_000;
        for event in stored {
            world.note_ids(event);
        }
        let mended = effects.iter().map(|effect| world.carry_out(effect)).collect();
        (world, mended)
    }

    fn around(session: Session, stored: Vec<Event>, ids: IdSource) -> Self {
        let (steps, calls, gates, turns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { session, stored, steps, calls, gates, turns, now_ms: START_MS, ids }
    }

    /// Plays one line and returns the effects in short.
    pub(super) fn play(&mut self, line: &str) -> Vec<String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if verb == "wait" {
            self.now_ms += rest.parse::<u64>().unwrap();
            return Vec::new();
        }
        let input = self.input(verb, rest);
        let effects = self.handle(input);
        effects.iter().map(|effect| self.carry_out(effect)).collect()
    }

    pub(super) fn handle(&mut self, input: Input) -> Vec<Effect> {
        let stamp = Stamp { at_ms: self.now_ms, seed: self.ids.random() };
        self.session.handle(stamp, input)
    }

    pub(super) fn make_input(&mut self, text: &str) -> (InputId, Command) {
        let input: InputId = self.ids.make();
        (input, Command::Submit { to: None, input, blocks: vec![Block::text(text)] })
    }

    pub(super) fn command(&mut self, command: Command) -> Input {
        let id: CommandId = self.ids.make();
        Input::Command { id, command }
    }

    /// Keeps what is stored, names what is new, and returns the effect in short.
    pub(super) fn carry_out(&mut self, effect: &Effect) -> String {
        match effect {
            Effect::Append(event) => {
                self.note_ids(event);
                self.stored.push(event.clone());
            }
            Effect::Emit(event) => self.note_ids(event),
            Effect::StartStream { .. }
            | Effect::AbortStream { .. }
            | Effect::PrepareCall { .. }
            | Effect::RunCall { .. }
            | Effect::CancelCall { .. }
            | Effect::SetTimer { .. } => {}
        }
        self.in_short(effect)
    }

    /// Gives names to the ids that an event is the first to mention.
    fn note_ids(&mut self, event: &Event) {
        note(&mut self.turns, event.header.turn);
        note(&mut self.steps, event.header.step);
        note(&mut self.calls, event.header.call);
        match event.enduring() {
            Some(Enduring::GateOpened { gate }) => note(&mut self.gates, Some(gate.id)),
            Some(Enduring::StepAnswered { blocks, .. }) => {
                for block in blocks {
                    if let Block::ToolUse { call, .. } = block {
                        note(&mut self.calls, Some(*call));
                    }
                }
            }
            Some(_) | None => {}
        }
    }

    fn input(&mut self, verb: &str, rest: &str) -> Input {
        match verb {
            "submit" => {
                let (_, command) = self.make_input(rest);
                self.command(command)
            }
            "interrupt" => self.command(Command::Interrupt { target: InterruptTarget::Session }),
            "approve" => {
                let gate = self.gate(rest);
                self.command(Command::Approve { gate })
            }
            "deny" => {
                let gate = self.gate(rest);
                self.command(Command::Deny { gate })
            }
            "on" => {
                let (step, chunk) = rest.split_once(' ').unwrap();
                let (verb, rest) = chunk.split_once(' ').unwrap_or((chunk, ""));
                Input::Outcome(stream_outcome(self.steps[nth(step)], verb, rest))
            }
            "prepared" | "bad" | "output" | "finished" => Input::Outcome(self.call_outcome(verb, rest)),
            "fire" => Input::Outcome(Outcome::TimerFired { timer: self.timer(rest) }),
            "append-failed" => {
                let failure = Failure::new(FailureKind::Storage, "The disk is full", "make room");
                Input::Outcome(Outcome::AppendFailed { failure })
            }
            chunk => Input::Outcome(stream_outcome(*self.steps.last().unwrap(), chunk, rest)),
        }
    }

    fn call_outcome(&self, verb: &str, rest: &str) -> Outcome {
        let (call, rest) = rest.split_once(' ').unwrap();
        let call = self.calls[nth(call)];
        match verb {
            "prepared" => Outcome::CallPrepared { call, result: Ok(prepared(rest)) },
            "bad" => Outcome::CallPrepared { call, result: Err(rest.to_owned()) },
            "output" => Outcome::CallOutput { call, chunk: rest.to_owned() },
            "finished" => Outcome::CallFinished { call, output: done(rest) },
            other => panic!("no call outcome is named {other}"),
        }
    }

    fn timer(&self, name: &str) -> Timer {
        match name {
            "first-byte" => Timer::FirstByte(*self.steps.last().unwrap()),
            "stall" => Timer::Stall(*self.steps.last().unwrap()),
            "retry" => Timer::Retry(*self.turns.last().unwrap()),
            "interrupt" => Timer::Interrupt(*self.turns.last().unwrap()),
            other => panic!("no timer is named {other}"),
        }
    }

    fn gate(&self, name: &str) -> GateId {
        self.gates[nth(name)]
    }

    fn in_short(&self, effect: &Effect) -> String {
        match effect {
            Effect::Append(event) => match &event.body {
                Body::Enduring(enduring) => format!("+ {}", self.enduring(event, enduring)),
                Body::Ephemeral(other) => panic!("an ephemeral event is stored: {other:?}"),
            },
            Effect::Emit(event) => match &event.body {
                Body::Ephemeral(ephemeral) => format!("~ {}", self.ephemeral(event, ephemeral)),
                Body::Enduring(other) => panic!("an enduring event is not stored: {other:?}"),
            },
            Effect::StartStream { step, messages, .. } => {
                let messages: Vec<String> = messages.iter().map(|message| self.message(message)).collect();
                format!("StartStream {}: {}", self.step(Some(*step)), messages.join(", "))
            }
            Effect::AbortStream { step } => format!("AbortStream {}", self.step(Some(*step))),
            Effect::PrepareCall { call, name, arguments } => {
                format!("PrepareCall {} {name} {arguments}", self.call(Some(*call)))
            }
            Effect::RunCall { call } => format!("RunCall {}", self.call(Some(*call))),
            Effect::CancelCall { call } => format!("CancelCall {}", self.call(Some(*call))),
            Effect::SetTimer { timer, delay_ms } => {
                let name = match timer {
                    Timer::FirstByte(_) => "first-byte",
                    Timer::Stall(_) => "stall",
                    Timer::Retry(_) => "retry",
                    Timer::Interrupt(_) => "interrupt",
                };
                let delay = if *timer == Timer::Retry(*self.turns.last().unwrap()) {
                    "soon".to_owned()
                } else {
                    delay_ms.to_string()
                };
                format!("SetTimer {name} {delay}")
            }
        }
    }

    fn enduring(&self, event: &Event, enduring: &Enduring) -> String {
        let (step, call) = (self.step(event.header.step), self.call(event.header.call));
        match enduring {
            Enduring::SessionStarted { .. } => "SessionStarted".to_owned(),
            Enduring::SessionRestored { closed_turns, closed_gates } => {
                format!("SessionRestored {closed_turns} turns, {closed_gates} gates")
            }
            Enduring::LoopStarted { model, .. } => format!("LoopStarted {model}"),
            Enduring::ModelChanged { from, to } => format!("ModelChanged {from} to {to}"),
            Enduring::LoopIdle {} => "LoopIdle".to_owned(),
            Enduring::InputQueued { blocks, .. } => format!("InputQueued {}", self.blocks(blocks)),
            Enduring::InputCancelled { reason, blocks, .. } => {
                format!("InputCancelled {} {reason:?}", self.blocks(blocks))
            }
            Enduring::InputRejected { reason, blocks, .. } => {
                format!("InputRejected {} {reason:?}", self.blocks(blocks))
            }
            Enduring::TurnStarted { blocks, .. } => format!("TurnStarted {}", self.blocks(blocks)),
            Enduring::InputFolded { blocks, .. } => format!("InputFolded {}", self.blocks(blocks)),
            Enduring::RetryEpisodeEnded { attempts, reason, outcome } => {
                format!("RetryEpisodeEnded {outcome:?} after {attempts}: {reason}")
            }
            Enduring::TurnDone { usage, duration_ms } => {
                format!("TurnDone {} tokens, {duration_ms} ms", usage.output)
            }
            Enduring::TurnFailed { failure } => format!("TurnFailed {:?}: {failure}", failure.kind),
            Enduring::TurnInterrupted {} => "TurnInterrupted".to_owned(),
            Enduring::StepAnswered { blocks, stop, cut, .. } => {
                let cut = cut.as_ref().map(|why| format!(", cut: {}", why.message)).unwrap_or_default();
                format!("StepAnswered {step} {} {stop:?}{cut}", self.blocks(blocks))
            }
            Enduring::StepDone {} => format!("StepDone {step}"),
            Enduring::GateOpened { gate } => {
                let needs: Vec<&str> = gate.requirements.iter().map(|one| one.description.as_str()).collect();
                format!("GateOpened {} {call}: {}", self.gate_name(gate.id), needs.join(", "))
            }
            Enduring::GateResolved { gate, answer, source } => {
                format!("GateResolved {} {answer:?} by {source:?}", self.gate_name(*gate))
            }
            Enduring::ToolFinished { name, summary, output } => {
                format!("ToolFinished {call} {name} `{summary}` {:?}: {}", output.outcome, output.text)
            }
            Enduring::Unknown { type_name, .. } => format!("Unknown {type_name}"),
        }
    }

    fn ephemeral(&self, event: &Event, ephemeral: &Ephemeral) -> String {
        let (step, call) = (self.step(event.header.step), self.call(event.header.call));
        match ephemeral {
            Ephemeral::StepStarted { .. } => format!("StepStarted {step}"),
            Ephemeral::TextDelta { text } => format!("TextDelta {text}"),
            Ephemeral::ThinkingDelta { text } => format!("ThinkingDelta {text}"),
            Ephemeral::ToolArgsDelta { name, arguments } => format!("ToolArgsDelta {call} {name} {arguments}"),
            Ephemeral::ToolStarted { name, summary } => format!("ToolStarted {call} {name} `{summary}`"),
            Ephemeral::ToolOutput { chunk } => format!("ToolOutput {call} {chunk}"),
            Ephemeral::RetryScheduled { attempt, attempts_max, reason, .. } => {
                format!("RetryScheduled {attempt} of {attempts_max}: {reason}")
            }
            Ephemeral::CommandAnswered { refused: Some(words), .. } => format!("refused: {words}"),
            Ephemeral::CommandAnswered { refused: None, .. } => "done".to_owned(),
        }
    }

    fn message(&self, message: &Message) -> String {
        match message {
            Message::User { blocks } => format!("user {}", self.blocks(blocks)),
            Message::Assistant { blocks } => format!("model {}", self.blocks(blocks)),
            Message::ToolResult { call, text, .. } => format!("result {} {text}", self.call(Some(*call))),
        }
    }

    fn blocks(&self, blocks: &[Block]) -> String {
        let shown: Vec<String> = blocks
            .iter()
            .map(|block| match block {
                Block::Text { text } => text.clone(),
                Block::Thinking { text, signature } => {
                    format!("({text}{})", signature.as_ref().map(|sign| format!(" {sign}")).unwrap_or_default())
                }
                Block::ToolUse { call, name, arguments, .. } => {
                    format!("{}={name}{arguments}", self.call(Some(*call)))
                }
            })
            .collect();
        format!("[{}]", shown.join("; "))
    }

    fn step(&self, id: Option<StepId>) -> String {
        named('s', &self.steps, id)
    }

    fn call(&self, id: Option<ToolCallId>) -> String {
        named('c', &self.calls, id)
    }

    fn gate_name(&self, id: GateId) -> String {
        named('g', &self.gates, Some(id))
    }
}

fn note<Id: PartialEq>(known: &mut Vec<Id>, id: Option<Id>) {
    if let Some(id) = id.filter(|id| !known.contains(id)) {
        known.push(id);
    }
}

fn named<Id: PartialEq>(letter: char, known: &[Id], id: Option<Id>) -> String {
    let Some(id) = id else { return "-".to_owned() };
    match known.iter().position(|other| *other == id) {
        Some(index) => format!("{letter}{}", index + 1),
        None => format!("{letter}?"),
    }
}

fn nth(name: &str) -> usize {
    name[1..].parse::<usize>().unwrap() - 1
}

fn stream_outcome(step: StepId, verb: &str, rest: &str) -> Outcome {
    let chunk = match verb {
        "first-byte" => Chunk::FirstByte,
        "text" => Chunk::Text(rest.to_owned()),
        "think" => Chunk::Thinking(rest.to_owned()),
        "sign" => Chunk::Signature(rest.to_owned()),
        "call" => call_chunk(rest),
        "done" => Chunk::Done { usage: Some(Usage { output: 5, ..Usage::default() }), stop: stop(rest) },
        "end" => return Outcome::StreamEnded { step },
        "fail" => return Outcome::StreamFailed { step, failure: failure(rest) },
        other => panic!("nothing is named {other}"),
    };
    Outcome::StreamChunk { step, chunk }
}

/// `1 read {..}`: the provider's index, the tool, the arguments so far.
fn call_chunk(text: &str) -> Chunk {
    let mut words = text.splitn(3, ' ');
    let index: usize = words.next().unwrap().parse().unwrap();
    let name = words.next().unwrap().to_owned();
    let arguments = words.next().unwrap_or("").to_owned();
    Chunk::ToolCall { index, provider_id: format!("p{index}"), name, arguments }
}

fn stop(word: &str) -> StopReason {
    match word {
        "" => StopReason::EndTurn,
        "refusal" => StopReason::Refusal,
        other => panic!("no stop reason is named {other}"),
    }
}

pub(super) fn failure(kind: &str) -> Failure {
    match kind {
        "overloaded" => Failure::new(FailureKind::Overloaded, "The server is overloaded", "wait"),
        "key" => Failure::new(FailureKind::MissingKey, "There is no key", "set MOCK_API_KEY"),
        other => panic!("no failure is named {other}"),
    }
}

pub(super) fn prepared(need: &str) -> Prepared {
    let kind = match need {
        "read" => RequirementKind::ReadInside,
        "outside" => RequirementKind::ReadOutside,
        "write" => RequirementKind::WriteInside,
        "command" => RequirementKind::Command,
        other => panic!("no need is named {other}"),
    };
    Prepared {
        summary: format!("a {need}"),
        requirements: vec![Requirement { kind, description: need.to_owned() }],
        preview: String::new(),
        directory: "/work".to_owned(),
    }
}

pub(super) fn done(text: &str) -> ToolOutput {
    ToolOutput { outcome: ToolOutcome::Done, text: text.to_owned(), shown: None, facts: Vec::new(), duration_ms: 1 }
}
