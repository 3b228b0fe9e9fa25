//! Event logs for tests, written as an agent writes them.

use protocol::{
    Agency, Block, Body, Cause, Enduring, Ephemeral, Event, Failure, FailureKind, Gate, GateAnswer, GateId, GateSource,
    Header, IdSource, InputId, LoopId, ModelRef, RetryOutcome, Scope, SessionId, Source, Stamp, StepId, StopReason,
    StreamMarks, ToolCallId, ToolOutcome, ToolOutput, TurnId, Usage,
};

/// An event log and the ids that the next event needs.
pub(super) struct Log {
    pub(super) events: Vec<Event>,
    pub(super) ids: IdSource,
    pub(super) at_ms: u64,
    session: SessionId,
    loop_id: LoopId,
    pub(super) turn: Option<TurnId>,
    pub(super) step: Option<StepId>,
    /// The blocks that the deltas of the step have come to.
    pub(super) blocks: Vec<Block>,
}

impl Log {
    pub(super) fn new(seed: u64) -> Self {
        let mut ids = Stamp { at_ms: 1_764_500_000_000, seed }.ids();
        let (session, loop_id) = (ids.make(), ids.make());
        Self { events: Vec::new(), ids, at_ms: 1_000_000, session, loop_id, turn: None, step: None, blocks: Vec::new() }
    }

    pub(super) fn random(&mut self, below: u64) -> u64 {
        self.ids.random() % below
    }

    pub(super) fn wait(&mut self, ms: u64) -> &mut Self {
        self.at_ms += ms;
        self
    }

    pub(super) fn store(&mut self, body: Enduring) -> &mut Self {
        let scope = body.scope().unwrap_or(Scope::Loop);
        self.add(scope, None, Body::Enduring(body))
    }

    pub(super) fn store_of(&mut self, call: ToolCallId, body: Enduring) -> &mut Self {
        self.add(Scope::Tool, Some(call), Body::Enduring(body))
    }

    pub(super) fn emit(&mut self, body: Ephemeral) -> &mut Self {
        self.add(Scope::Step, None, Body::Ephemeral(body))
    }

    pub(super) fn emit_of(&mut self, call: ToolCallId, body: Ephemeral) -> &mut Self {
        self.add(Scope::Tool, Some(call), Body::Ephemeral(body))
    }

    fn add(&mut self, scope: Scope, call: Option<ToolCallId>, body: Body) -> &mut Self {
        let header = Header {
            id: self.ids.make(),
            at_ms: self.at_ms,
            session: self.session,
            loop_id: (scope >= Scope::Loop).then_some(self.loop_id),
            turn: self.turn.filter(|_| scope >= Scope::Turn),
            step: self.step.filter(|_| scope >= Scope::Step),
            call,
            cause: Cause { from: Source::Session, agency: Agency::Machine },
        };
        self.events.push(Event { header, body });
        self
    }

    pub(super) fn queue(&mut self, text: &str) -> InputId {
        let input = self.ids.make();
        self.store(Enduring::InputQueued { input, blocks: vec![Block::text(text)] });
        input
    }

    pub(super) fn turn(&mut self, text: &str) -> &mut Self {
        let input = self.ids.make();
        self.turn_of(input, text)
    }

    pub(super) fn turn_of(&mut self, input: InputId, text: &str) -> &mut Self {
        self.turn = Some(self.ids.make());
        self.store(Enduring::TurnStarted { input, blocks: vec![Block::text(text)] })
    }

    pub(super) fn step(&mut self) -> &mut Self {
        self.step = Some(self.ids.make());
        self.blocks.clear();
        let model = ModelRef { provider: "tour".into(), id: "scripted".into() };
        self.emit(Ephemeral::StepStarted { model })
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        match self.blocks.last_mut() {
            Some(Block::Text { text: before }) => before.push_str(text),
            _ => self.blocks.push(Block::text(text)),
        }
        self.emit(Ephemeral::TextDelta { text: text.into() })
    }

    pub(super) fn thinking(&mut self, text: &str) -> &mut Self {
        match self.blocks.last_mut() {
            Some(Block::Thinking { text: before, .. }) => before.push_str(text),
            _ => self.blocks.push(Block::Thinking { text: text.into(), signature: None }),
        }
        self.emit(Ephemeral::ThinkingDelta { text: text.into() })
    }

    /// Writes a call in two pieces.
    pub(super) fn call(&mut self, name: &str, arguments: &str) -> ToolCallId {
        let call = self.ids.make();
        for end in [arguments.len() / 2, arguments.len()] {
            let arguments = arguments[..end].to_owned();
            self.emit_of(call, Ephemeral::ToolArgsDelta { name: name.into(), arguments });
        }
        let provider_id = "call_1".into();
        self.blocks.push(Block::ToolUse { call, provider_id, name: name.into(), arguments: arguments.into() });
        call
    }

    pub(super) fn answered(&mut self) -> &mut Self {
        self.answered_as(None)
    }

    pub(super) fn cut(&mut self, reason: &str) -> &mut Self {
        self.answered_as(Some(failure(reason)))
    }

    fn answered_as(&mut self, cut: Option<Failure>) -> &mut Self {
        let blocks = self.blocks.clone();
        let thinks = blocks.iter().any(|block| matches!(block, Block::Thinking { .. }));
        let marks = StreamMarks { thinking_ms: thinks.then_some(2_000), ..StreamMarks::default() };
        let stop = if cut.is_some() { StopReason::Broken } else { StopReason::EndTurn };
        let usage = Some(Usage { input: 100, output: 10, ..Usage::default() });
        self.store(Enduring::StepAnswered { blocks, usage, marks, stop, cut })
    }

    pub(super) fn gate(&mut self, call: ToolCallId, tool: &str, summary: &str) -> GateId {
        let id = self.ids.make();
        let gate = Gate {
            id,
            call,
            tool: tool.into(),
            summary: summary.into(),
            requirements: Vec::new(),
            preview: "the whole of it".into(),
            directory: "/w".into(),
        };
        self.store_of(call, Enduring::GateOpened { gate });
        id
    }

    pub(super) fn resolve(&mut self, call: ToolCallId, gate: GateId, answer: GateAnswer) -> &mut Self {
        self.store_of(call, Enduring::GateResolved { gate, answer, source: GateSource::You })
    }

    pub(super) fn start(&mut self, call: ToolCallId, name: &str, summary: &str) -> &mut Self {
        self.emit_of(call, Ephemeral::ToolStarted { name: name.into(), summary: summary.into() })
    }

    pub(super) fn output(&mut self, call: ToolCallId, chunk: &str) -> &mut Self {
        self.emit_of(call, Ephemeral::ToolOutput { chunk: chunk.into() })
    }

    pub(super) fn finish(&mut self, call: ToolCallId, name: &str, outcome: ToolOutcome, text: &str) -> &mut Self {
        let summary = format!("{name} it");
        let output = ToolOutput { outcome, text: text.into(), shown: None, facts: Vec::new(), duration_ms: 40 };
        self.store_of(call, Enduring::ToolFinished { name: name.into(), summary, output })
    }

    pub(super) fn retry(&mut self, attempt: u32) -> &mut Self {
        let reason = "the server answered 503".into();
        self.emit(Ephemeral::RetryScheduled { attempt, attempts_max: 3, delay_ms: 2_000, reason })
    }

    pub(super) fn episode(&mut self, attempts: u32, outcome: RetryOutcome) -> &mut Self {
        self.store(Enduring::RetryEpisodeEnded { attempts, reason: "the server answered 503".into(), outcome })
    }

    pub(super) fn done(&mut self) -> &mut Self {
        self.store(Enduring::TurnDone { usage: Usage::default(), duration_ms: 9 }).store(Enduring::LoopIdle {})
    }

    pub(super) fn failed(&mut self, reason: &str) -> &mut Self {
        self.store(Enduring::TurnFailed { failure: failure(reason) }).store(Enduring::LoopIdle {})
    }

    pub(super) fn interrupted(&mut self) -> &mut Self {
        self.store(Enduring::TurnInterrupted {}).store(Enduring::LoopIdle {})
    }
}

pub(super) fn failure(message: &str) -> Failure {
    Failure::new(FailureKind::Server, message, "try again")
}
