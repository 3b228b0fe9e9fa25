//! What an agent has running: model streams, tool calls, timers.
//! Knows no session; whatever comes of the work goes back to the actor as an [`Outcome`].

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use agent::{Outcome, Prepared, Timer};
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use ports::{Call, OutputSink, Provider, Tool, ToolContext, ToolSpec};
use protocol::{Chunk, Failure, FailureKind, Message, ModelRef, StepId, ToolCallId, ToolOutcome, ToolOutput};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Outcomes waiting for the actor. At the limit streams and finished calls wait, and live output is dropped:
/// the finished call brings the whole.
pub(crate) const OUTCOMES_MAX: usize = 256;

/// How long a stream is left alone after what had come was taken: no frame comes sooner,
/// and a token each is a wake-up each, which costs more than the token.
const CHUNK_GAP: Duration = Duration::from_millis(15);
/// So many chunks at once are a stream that is read as fast as it comes.
const FAST_BATCH: usize = 16;
/// Chunks of one stream that are taken together when they have all come.
const CHUNKS_AT_ONCE_MAX: usize = 64;

pub(crate) struct Work {
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) tools: Arc<Vec<Box<dyn Tool>>>,
    pub(crate) context: ToolContext,
    pub(crate) system: String,
    specs: Arc<Vec<ToolSpec>>,
    outcomes: mpsc::Sender<Outcome>,
    streams: HashMap<StepId, AbortHandle>,
    prepared: HashMap<ToolCallId, Box<dyn Call>>,
    running: HashMap<ToolCallId, Running>,
    timers: HashMap<Timer, Instant>,
}

struct Running {
    cancel: CancellationToken,
    task: AbortHandle,
}

impl Work {
    pub(crate) fn new(
        provider: Arc<dyn Provider>,
        tools: Arc<Vec<Box<dyn Tool>>>,
        context: ToolContext,
        system: String,
        outcomes: mpsc::Sender<Outcome>,
    ) -> Self {
        let specs = Arc::new(tools.iter().map(|tool| tool.spec()).collect());
        Self {
            provider,
            tools,
            context,
            system,
            specs,
            outcomes,
            streams: HashMap::new(),
            prepared: HashMap::new(),
            running: HashMap::new(),
            timers: HashMap::new(),
        }
    }

    pub(crate) fn start_stream(&mut self, step: StepId, model: ModelRef, messages: Vec<Message>) {
        let system = self.system.clone();
        let request = ports::ModelRequest { model, system, messages, tools: Arc::clone(&self.specs) };
        let stream = self.provider.stream(Arc::new(request));
        let outcomes = self.outcomes.clone();
        let task = tokio::spawn(async move {
            let pumping = AssertUnwindSafe(pump(step, stream, &outcomes)).catch_unwind().await;
            let last = match pumping {
                Ok(None) => Outcome::StreamEnded { step },
                Ok(Some(failure)) => Outcome::StreamFailed { step, failure },
                Err(_panic) => Outcome::StreamFailed { step, failure: provider_crashed() },
            };
            // A closed channel means that the actor is gone, and with it whoever would want to know.
            let _ = outcomes.send(last).await;
        });
        self.streams.insert(step, task.abort_handle());
    }

    pub(crate) fn abort_stream(&mut self, step: StepId) {
        if let Some(task) = self.streams.remove(&step) {
            task.abort();
        }
        self.forget_stream(step);
    }

    /// Decodes a call and keeps it; what is wrong with it is told to the model.
    pub(crate) fn prepare_call(&mut self, call: ToolCallId, name: &str, arguments: &str) -> Result<Prepared, String> {
        let Some(tool) = self.tools.iter().zip(self.specs.iter()).find(|(_, spec)| spec.name == name) else {
            return Err(self.unknown_tool(name));
        };
        let (tool, context) = (&tool.0, &self.context);
        let decoding = std::panic::catch_unwind(AssertUnwindSafe(|| {
            tool.prepare(arguments, context).map(|decoded| (describe(&*decoded, context), decoded))
        }));
        let (prepared, decoded) = decoding.unwrap_or_else(|_panic| Err(tool_crashed(name)))?;
        self.prepared.insert(call, decoded);
        Ok(prepared)
    }

    /// Runs a call as it was prepared.
    pub(crate) fn run_call(&mut self, call: ToolCallId) {
        let decoded =
            self.prepared.remove(&call).expect("the machine runs only calls whose preparation it was told of");
        let cancel = CancellationToken::new();
        let (token, outcomes, sink) = (cancel.clone(), self.outcomes.clone(), self.output_sink(call));
        let task = tokio::spawn(async move {
            let started = Instant::now();
            let running = AssertUnwindSafe(async move { decoded.run(sink, token).await });
            let output = running.catch_unwind().await.unwrap_or_else(|_panic| ToolOutput {
                outcome: ToolOutcome::Failed,
                text: tool_crashed("this tool"),
                shown: None,
                facts: Vec::new(),
                duration_ms: milliseconds(started.elapsed()),
            });
            let _ = outcomes.send(Outcome::CallFinished { call, output }).await;
        });
        self.running.insert(call, Running { cancel, task: task.abort_handle() });
    }

    pub(crate) fn cancel_call(&mut self, call: ToolCallId) {
        self.prepared.remove(&call);
        if let Some(running) = self.running.get(&call) {
            running.cancel.cancel();
        }
    }

    pub(crate) fn set_timer(&mut self, timer: Timer, delay_ms: u64) {
        self.timers.insert(timer, Instant::now() + Duration::from_millis(delay_ms));
    }

    /// When the next timer fires.
    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.values().min().copied()
    }

    /// Takes the timers that are due out, the earliest first.
    pub(crate) fn due_timers(&mut self) -> Vec<Timer> {
        let now = Instant::now();
        let mut due: Vec<(Instant, Timer)> =
            self.timers.iter().filter(|(_, at)| **at <= now).map(|(timer, at)| (*at, *timer)).collect();
        due.sort_by_key(|(at, _)| *at);
        self.timers.retain(|_, at| *at > now);
        due.into_iter().map(|(_, timer)| timer).collect()
    }

    /// Forgets what an outcome says is over.
    pub(crate) fn note(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::StreamFailed { step, .. }
            | Outcome::StreamEnded { step }
            | Outcome::StreamChunk { step, chunk: Chunk::Done { .. } } => self.forget_stream(*step),
            Outcome::CallFinished { call, .. } => {
                self.running.remove(call);
            }
            Outcome::StreamChunk { .. }
            | Outcome::CallPrepared { .. }
            | Outcome::CallOutput { .. }
            | Outcome::TimerFired { .. }
            | Outcome::AppendFailed { .. } => {}
        }
    }

    /// A timer of a stream that is over would wake an idle program for nothing.
    fn forget_stream(&mut self, step: StepId) {
        self.streams.remove(&step);
        self.timers.remove(&Timer::FirstByte(step));
        self.timers.remove(&Timer::Stall(step));
    }

    pub(crate) fn has_running_calls(&self) -> bool {
        !self.running.is_empty()
    }

    /// Asks every running call to end.
    pub(crate) fn cancel_all_calls(&mut self) {
        self.prepared.clear();
        self.running.values().for_each(|running| running.cancel.cancel());
    }

    /// Ends what did not end by itself.
    pub(crate) fn abort_all(&mut self) {
        self.streams.drain().for_each(|(_, task)| task.abort());
        self.running.drain().for_each(|(_, running)| running.task.abort());
        self.timers.clear();
    }

    fn output_sink(&self, call: ToolCallId) -> OutputSink {
        let outcomes = self.outcomes.clone();
        Arc::new(move |chunk| {
            // Full: this piece is not shown live.
            let _ = outcomes.try_send(Outcome::CallOutput { call, chunk });
        })
    }

    fn unknown_tool(&self, name: &str) -> String {
        let known: Vec<&str> = self.specs.iter().map(|spec| spec.name.as_str()).collect();
        if known.is_empty() {
            return format!("there is no tool `{name}`, nor any other; answer in text");
        }
        format!("there is no tool `{name}`; the tools are: {}", known.join(", "))
    }
}

/// Feeds a stream's chunks to the actor; returns the failure that ended it, if one did.
async fn pump(
    step: StepId,
    stream: BoxStream<'static, Result<Chunk, Failure>>,
    outcomes: &mpsc::Sender<Outcome>,
) -> Option<Failure> {
    let mut batches = stream.ready_chunks(CHUNKS_AT_ONCE_MAX);
    while let Some(batch) = batches.next().await {
        let is_slow = batch.len() < FAST_BATCH;
        let (chunks, failure) = join_text(batch);
        for chunk in chunks {
            if outcomes.send(Outcome::StreamChunk { step, chunk }).await.is_err() {
                return None;
            }
        }
        if failure.is_some() {
            return failure;
        }
        if is_slow {
            tokio::time::sleep(CHUNK_GAP).await;
        }
    }
    None
}

/// Joins neighboring pieces of text, so that a fast stream is few outcomes.
fn join_text(batch: Vec<Result<Chunk, Failure>>) -> (Vec<Chunk>, Option<Failure>) {
    let mut joined: Vec<Chunk> = Vec::new();
    for item in batch {
        match (item, joined.last_mut()) {
            (Err(failure), _) => return (joined, Some(failure)),
            (Ok(Chunk::Text(more)), Some(Chunk::Text(text))) => text.push_str(&more),
            (Ok(Chunk::Thinking(more)), Some(Chunk::Thinking(text))) => text.push_str(&more),
            (Ok(chunk), _) => joined.push(chunk),
        }
    }
    (joined, None)
}

fn describe(call: &dyn Call, context: &ToolContext) -> Prepared {
    Prepared {
        summary: call.summary(),
        requirements: call.requirements(),
        preview: call.preview(),
        directory: context.workspace.display().to_string(),
    }
}

fn provider_crashed() -> Failure {
    Failure::new(
        FailureKind::Other,
        "reading the model's answer crashed",
        "send the prompt again; the log has the details",
    )
}

fn tool_crashed(name: &str) -> String {
    format!("{name} crashed; this is a fault of eukhe, not of the arguments")
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
