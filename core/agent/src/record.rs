//! What is known of a loop from stored events alone, live and restored alike, because both fold the same events.
//! Holds nothing that ends with the process: streams, timers and prepared calls are `agent_loop`'s.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use protocol::{
    Block, Enduring, Event, EventId, GateId, Header, InputId, ModelRef, StepId, ToolCallId, ToolOutcome, ToolOutput,
    TurnId, Usage,
};

#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Record {
    /// None until the loop has started.
    pub(crate) model: Option<ModelRef>,
    /// A turn was started and the loop has not come to rest since.
    pub(crate) is_busy: bool,
    pub(crate) turn: Option<TurnRecord>,
    pub(crate) queue: VecDeque<Queued>,
    pub(crate) gates: Vec<OpenGate>,
    /// Every input that was ever taken, so that none is taken twice.
    pub(crate) inputs: BTreeSet<InputId>,
    /// What was said, oldest first.
    pub(crate) said: Vec<Said>,
    pub(crate) results: BTreeMap<ToolCallId, CallResult>,
}

/// A turn without an end.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TurnRecord {
    pub(crate) id: TurnId,
    pub(crate) started_by: EventId,
    pub(crate) started_ms: u64,
    pub(crate) usage: Usage,
    /// Whole answers so far.
    pub(crate) answers: u64,
    /// Tool calls asked for by whole answers.
    pub(crate) calls: u64,
    /// The text of the newest try that was cut; a whole answer takes its place.
    cut: Vec<Block>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Queued {
    pub(crate) input: InputId,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OpenGate {
    pub(crate) gate: GateId,
    pub(crate) turn: TurnId,
    pub(crate) step: StepId,
    pub(crate) call: ToolCallId,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Said {
    ByUser(Vec<Block>),
    ByModel(Vec<Block>),
}

/// What the model is told a call came to.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CallResult {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl Record {
    /// Folds one stored event. A log with holes still folds: what cannot be read is left out.
    pub(crate) fn apply(&mut self, event: &Event) {
        let Some(enduring) = event.enduring() else { return };
        let header = &event.header;
        match enduring {
            Enduring::LoopStarted { model, .. } | Enduring::ModelChanged { to: model, .. } => {
                self.model = Some(model.clone());
            }
            Enduring::LoopIdle {} => self.is_busy = false,
            Enduring::InputQueued { input, blocks } => self.enqueue(*input, blocks),
            Enduring::InputCancelled { input, .. } | Enduring::InputRejected { input, .. } => self.take_in(*input),
            Enduring::TurnStarted { input, blocks } | Enduring::InputFolded { input, blocks } => {
                self.follow_turn(header);
                self.take_in(*input);
                self.said.push(Said::ByUser(blocks.clone()));
            }
            Enduring::RetryEpisodeEnded { .. } | Enduring::StepDone {} => self.follow_turn(header),
            Enduring::StepAnswered { blocks, usage, cut, .. } => {
                self.follow_turn(header);
                self.answer(blocks, usage.as_ref(), cut.is_some());
            }
            Enduring::GateOpened { gate } => {
                self.follow_turn(header);
                self.open_gate(header, gate.id);
            }
            Enduring::GateResolved { gate, .. } => self.gates.retain(|open| open.gate != *gate),
            Enduring::ToolFinished { output, .. } => {
                self.follow_turn(header);
                self.finish_call(header, output);
            }
            Enduring::TurnDone { .. } | Enduring::TurnFailed { .. } | Enduring::TurnInterrupted {} => self.close_turn(),
            Enduring::SessionStarted { .. } | Enduring::SessionRestored { .. } | Enduring::Unknown { .. } => {}
        }
    }

    /// A turn whose beginning could not be read begins with the first that is known of it.
    fn follow_turn(&mut self, header: &Header) {
        let Some(id) = header.turn else { return };
        if self.turn.as_ref().is_some_and(|turn| turn.id == id) {
            return;
        }
        self.close_turn();
        self.is_busy = true;
        self.turn = Some(TurnRecord {
            id,
            started_by: header.id,
            started_ms: header.at_ms,
            usage: Usage::default(),
            answers: 0,
            calls: 0,
            cut: Vec::new(),
        });
    }

    fn close_turn(&mut self) {
        let cut = self.turn.take().map(|turn| turn.cut).unwrap_or_default();
        if !cut.is_empty() {
            self.said.push(Said::ByModel(cut));
        }
    }

    fn enqueue(&mut self, input: InputId, blocks: &[Block]) {
        self.inputs.insert(input);
        self.queue.push_back(Queued { input, blocks: blocks.to_vec() });
    }

    fn take_in(&mut self, input: InputId) {
        self.inputs.insert(input);
        self.queue.retain(|queued| queued.input != input);
    }

    fn answer(&mut self, blocks: &[Block], usage: Option<&Usage>, is_cut: bool) {
        let Some(turn) = &mut self.turn else { return };
        if let Some(usage) = usage {
            add(&mut turn.usage, usage);
        }
        if is_cut {
            turn.cut = blocks.iter().filter(|block| matches!(block, Block::Text { .. })).cloned().collect();
        } else {
            turn.cut.clear();
            turn.answers += 1;
            turn.calls += blocks.iter().filter(|block| matches!(block, Block::ToolUse { .. })).count() as u64;
            self.said.push(Said::ByModel(blocks.to_vec()));
        }
    }

    fn open_gate(&mut self, header: &Header, gate: GateId) {
        if let (Some(turn), Some(step), Some(call)) = (header.turn, header.step, header.call) {
            self.gates.push(OpenGate { gate, turn, step, call });
        }
    }

    fn finish_call(&mut self, header: &Header, output: &ToolOutput) {
        if let Some(call) = header.call {
            let is_error = output.outcome != ToolOutcome::Done;
            self.results.insert(call, CallResult { text: output.text.clone(), is_error });
        }
    }
}

fn add(sum: &mut Usage, usage: &Usage) {
    sum.input = sum.input.saturating_add(usage.input);
    sum.output = sum.output.saturating_add(usage.output);
    sum.cache_read = sum.cache_read.saturating_add(usage.cache_read);
    sum.cache_write = sum.cache_write.saturating_add(usage.cache_write);
}
