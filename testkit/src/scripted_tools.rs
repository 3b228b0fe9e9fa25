//! Tools that do as the script says: `look` needs nothing, `bash` needs a permission.
//! Touch no file and start no process.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::BoxFuture;
use ports::{Call, OutputSink, SeenFiles, Tool, ToolContext, ToolSpec};
use protocol::{Requirement, RequirementKind, ToolOutcome, ToolOutput};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::script::ToolToken;

/// The scripted calls that run, oldest first.
#[derive(Clone, Default)]
pub(crate) struct ScriptedTools {
    running: Arc<Mutex<VecDeque<UnboundedSender<ToolToken>>>>,
}

impl ScriptedTools {
    pub(crate) fn tools(&self) -> Vec<Box<dyn Tool>> {
        let running = &self.running;
        vec![
            Box::new(ScriptedTool { name: "look", needs: None, obeys: true, running: Arc::clone(running) }),
            Box::new(ScriptedTool {
                name: "bash",
                needs: Some(RequirementKind::Command),
                obeys: true,
                running: Arc::clone(running),
            }),
            Box::new(ScriptedTool { name: "stubborn", needs: None, obeys: false, running: Arc::clone(running) }),
        ]
    }

    /// Plays a token to the oldest call that still runs; with none, nobody hears it.
    pub(crate) fn play(&self, token: ToolToken) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|call| !call.is_closed());
        let ends = !matches!(token, ToolToken::Output(_));
        if let Some(call) = running.front() {
            let _ = call.unbounded_send(token);
        }
        if ends {
            running.pop_front();
        }
    }
}

struct ScriptedTool {
    name: &'static str,
    needs: Option<RequirementKind>,
    /// Ends when it is cancelled.
    obeys: bool,
    running: Arc<Mutex<VecDeque<UnboundedSender<ToolToken>>>>,
}

impl Tool for ScriptedTool {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            description: "Does as the script says.".to_owned(),
            schema: r#"{"type":"object","properties":{"command":{"type":"string"}}}"#.to_owned(),
        }
    }

    fn prepare(&self, arguments: &str, _context: &ToolContext) -> Result<Box<dyn Call>, String> {
        let decoded: serde_json::Value =
            serde_json::from_str(arguments).map_err(|error| format!("the arguments are no JSON: {error}"))?;
        let command = decoded["command"].as_str().ok_or("`command` is missing")?.to_owned();
        let summary = if self.name == "bash" { format!("$ {command}") } else { command };
        Ok(Box::new(ScriptedCall { summary, needs: self.needs, obeys: self.obeys, running: Arc::clone(&self.running) }))
    }
}

struct ScriptedCall {
    summary: String,
    needs: Option<RequirementKind>,
    obeys: bool,
    running: Arc<Mutex<VecDeque<UnboundedSender<ToolToken>>>>,
}

impl Call for ScriptedCall {
    fn summary(&self) -> String {
        self.summary.clone()
    }

    fn requirements(&self) -> Vec<Requirement> {
        self.needs.map(|kind| Requirement { kind, description: "run a command".to_owned() }).into_iter().collect()
    }

    fn preview(&self) -> String {
        self.summary.trim_start_matches("$ ").to_owned()
    }

    fn run(self: Box<Self>, output: OutputSink, cancel: CancellationToken) -> BoxFuture<'static, ToolOutput> {
        let (sender, tokens) = unbounded();
        self.running.lock().unwrap_or_else(PoisonError::into_inner).push_back(sender);
        Box::pin(async move {
            let started = Instant::now();
            let cancelled = async {
                cancel.cancelled().await;
                if !self.obeys {
                    std::future::pending::<()>().await;
                }
            };
            let (outcome, text) = tokio::select! {
                biased;
                ended = play(tokens, output) => ended,
                () = cancelled => (ToolOutcome::Cancelled, "stopped".to_owned()),
            };
            let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            ToolOutput { outcome, text, shown: None, facts: Vec::new(), duration_ms }
        })
    }
}

async fn play(mut tokens: UnboundedReceiver<ToolToken>, output: OutputSink) -> (ToolOutcome, String) {
    while let Some(token) = tokens.next().await {
        match token {
            ToolToken::Output(chunk) => output(chunk),
            ToolToken::Done(text) => return (ToolOutcome::Done, text),
            ToolToken::Failed(text) => return (ToolOutcome::Failed, text),
            ToolToken::Panic => panic!("the script wants this tool to panic"),
        }
    }
    // The script forgot this call: it runs until it is cancelled.
    std::future::pending().await
}

/// Scripted tools read no files.
pub(crate) struct NothingSeen;

impl SeenFiles for NothingSeen {
    fn note(&self, _path: &Path, _content: &[u8]) {}

    fn is_unchanged(&self, _path: &Path, _content: &[u8]) -> Option<bool> {
        None
    }
}
