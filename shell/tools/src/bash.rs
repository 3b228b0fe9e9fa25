//! `bash`: runs a command with a shell in the workspace. How processes are watched and stopped is `process`'s business.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use ports::{Call, OutputSink, Tool, ToolContext, ToolSpec};
use protocol::{Requirement, RequirementKind, ToolOutcome, ToolOutput};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::process::{self, Ending, Leash, Report};
use crate::tail::Tail;
use crate::work::{self, Done};
use crate::{arguments, paths};

/// Variables that no command sees.
const CREDENTIALS: &[&str] = &["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"];

/// What tells programs that there is nobody to page for and no screen to draw on.
const ENVIRONMENT: &[(&str, &str)] = &[("TERM", "dumb"), ("PAGER", "cat"), ("GIT_PAGER", "cat")];

/// Of one piece of live output at most the last bytes are shown; the result has them all.
const LIVE_BYTES_MAX: usize = 16 * 1_024;

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "command": { "type": "string", "description": "The command, as it would be typed into the shell" },
    "timeout_seconds": { "type": "integer", "minimum": 1, "description": "The longest it may run" }
  },
  "required": ["command"],
  "additionalProperties": false
}"#;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BashOptions {
    pub shell: PathBuf,
    /// The time limit of a command that names none.
    pub timeout_s: u64,
    /// The longest a command may ask for.
    pub timeout_s_max: u64,
}

/// Returns the shell to use: the one from the settings, else the user's own, else `/bin/sh`.
pub fn shell(setting: &str, user_shell: Option<&OsStr>) -> PathBuf {
    let usual = user_shell.map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file());
    match setting {
        "" => usual.unwrap_or_else(|| PathBuf::from("/bin/sh")),
        path => PathBuf::from(path),
    }
}

pub(crate) struct Bash {
    pub(crate) options: BashOptions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    command: String,
    timeout_seconds: Option<u64>,
}

impl Tool for Bash {
    fn spec(&self) -> ToolSpec {
        let BashOptions { shell, timeout_s, timeout_s_max } = &self.options;
        let description = include_str!("bash.md")
            .replace("{shell}", &shell.to_string_lossy())
            .replace("{timeout}", &timeout_s.min(timeout_s_max).to_string())
            .replace("{timeout_max}", &timeout_s_max.to_string());
        ToolSpec { name: "bash".to_owned(), description, schema: SCHEMA.to_owned() }
    }

    fn prepare(&self, arguments: &str, context: &ToolContext) -> Result<Box<dyn Call>, String> {
        let request: Request = arguments::decode("bash", arguments)?;
        if request.command.trim().is_empty() || request.command.contains('\0') {
            return Err("`command` is empty or holds a zero byte; give a command".to_owned());
        }
        let timeout_s_max = self.options.timeout_s_max;
        let timeout_s = request.timeout_seconds.unwrap_or(self.options.timeout_s.min(timeout_s_max));
        if !(1..=timeout_s_max).contains(&timeout_s) {
            return Err(format!("`timeout_seconds` may be 1 to {timeout_s_max}"));
        }
        let shell = self.options.shell.clone();
        Ok(Box::new(BashCall { shell, command: request.command, timeout_s, context: context.clone() }))
    }
}

struct BashCall {
    shell: PathBuf,
    command: String,
    timeout_s: u64,
    context: ToolContext,
}

impl Call for BashCall {
    fn summary(&self) -> String {
        format!("$ {}", first_line(&self.command))
    }

    fn requirements(&self) -> Vec<Requirement> {
        let description = format!("run {}", first_line(&self.command));
        vec![Requirement { kind: RequirementKind::Command, description }]
    }

    fn preview(&self) -> String {
        self.command.clone()
    }

    fn run(self: Box<Self>, output: OutputSink, cancel: CancellationToken) -> BoxFuture<'static, ToolOutput> {
        Box::pin(async move {
            let started = Instant::now();
            let (leash, held) = match Leash::new() {
                Ok(ends) => ends,
                Err(error) => return failed(format!("the command cannot be started: {error}"), started),
            };
            let mut running = tokio::task::spawn_blocking(move || self.run_to_end(&leash, &output));
            // Dropping `held` lets the leash go; so does dropping this future.
            let result = tokio::select! {
                result = &mut running => result,
                () = cancel.cancelled() => {
                    drop(held);
                    running.await
                }
            };
            match result {
                Ok(Ok((outcome, done))) => work::output(outcome, done, started.elapsed()),
                Ok(Err(text)) => failed(text, started),
                Err(error) => failed(format!("the tool broke: {error}"), started),
            }
        })
    }
}

impl BashCall {
    fn run_to_end(&self, leash: &Leash, output: &OutputSink) -> Result<(ToolOutcome, Done), String> {
        let mut tail = Tail::new(&self.context.blobs);
        let mut live = Live { output: output.clone(), rest: Vec::new() };
        let hand_on = |bytes: &[u8]| {
            tail.push(bytes);
            live.show(bytes);
        };
        let time_max = Duration::from_secs(self.timeout_s);
        let report = process::run(self.command(), &self.context.workspace, time_max, leash, hand_on)
            .map_err(|error| self.explain(&error))?;
        Ok(self.tell(report, tail.finish()))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.shell);
        command.arg("-c").arg(&self.command).envs(ENVIRONMENT.iter().copied());
        for name in CREDENTIALS {
            command.env_remove(name);
        }
        command
    }

    fn explain(&self, error: &std::io::Error) -> String {
        let shell = self.shell.display();
        format!("the shell {shell} cannot be started: {error}; the setting `shellPath` names another")
    }

    fn tell(&self, report: Report, mut text: String) -> (ToolOutcome, Done) {
        let (outcome, fact) = match report.ending {
            Ending::Exited { code: 0 } => (ToolOutcome::Done, "exit 0".to_owned()),
            Ending::Exited { code } => (ToolOutcome::Failed, format!("exit {code}")),
            Ending::Killed { signal } => (ToolOutcome::Failed, format!("signal {signal}")),
            Ending::TimedOut => (ToolOutcome::Failed, format!("timed out after {}s", self.timeout_s)),
            Ending::Cancelled => (ToolOutcome::Cancelled, "cancelled".to_owned()),
        };
        if report.stopped_others {
            add_row(&mut text, "what still ran in the background was stopped");
        }
        if outcome != ToolOutcome::Done || text.is_empty() {
            add_row(&mut text, &fact);
        }
        (outcome, Done { text, shown: None, facts: vec![fact] })
    }
}

/// Hands output on as text, whole characters at a time.
struct Live {
    output: OutputSink,
    /// The begun character at the end of what came.
    rest: Vec<u8>,
}

impl Live {
    fn show(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let end = self.rest.len() - begun_character(&self.rest);
        let start = end.saturating_sub(LIVE_BYTES_MAX);
        let text = String::from_utf8_lossy(&self.rest[start..end]).into_owned();
        self.rest.drain(..end);
        if !text.is_empty() {
            (self.output)(text);
        }
    }
}

/// Returns the length of a character that is cut off at the end, 0 if there is none.
fn begun_character(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last();
    let cut = last.map(|chunk| chunk.invalid()).filter(|invalid| !invalid.is_empty());
    // Only what could still become a character counts: bytes that are wrong already are shown as such.
    cut.filter(|cut| std::str::from_utf8(cut).is_err_and(|error| error.error_len().is_none())).map_or(0, <[u8]>::len)
}

fn add_row(text: &mut String, row: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&format!("[{row}]\n"));
}

fn first_line(command: &str) -> String {
    paths::one_line(command.trim_start().lines().next().unwrap_or_default())
}

fn failed(text: String, started: Instant) -> ToolOutput {
    work::output(ToolOutcome::Failed, Done { text, shown: None, facts: Vec::new() }, started.elapsed())
}
