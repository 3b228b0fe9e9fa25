//! The tour's model: says its lines, calls real tools, needs no key and no network.
//! Understands nothing: where the conversation stands is all it looks at.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, BoxStream, StreamExt};
use ports::{ModelRequest, Provider};
use protocol::{Block, Chunk, Failure, Message, ModelRef, StopReason, Usage};
use serde_json::{Value, json};

/// Plays the tour at a pace one can read.
pub struct Scripted;

/// The name under which sessions know the scripted model.
pub fn tour() -> ModelRef {
    ModelRef { provider: "tour".to_owned(), id: "scripted".to_owned() }
}

/// The files the tour's temporary workspace starts with: name and content.
pub fn tour_files() -> &'static [(&'static str, &'static str)] {
    &[("README.md", include_str!("../tour/README.md")), ("count.sh", include_str!("../tour/count.sh"))]
}

impl Provider for Scripted {
    fn stream(&self, request: Arc<ModelRequest>) -> BoxStream<'static, Result<Chunk, Failure>> {
        stream::iter(perform(&request))
            .then(|chunk| async move {
                let pause = if chunk == Chunk::FirstByte { FIRST_BYTE_PAUSE } else { CHUNK_PAUSE };
                tokio::time::sleep(pause).await;
                Ok(chunk)
            })
            .boxed()
    }
}

const FIRST_BYTE_PAUSE: Duration = Duration::from_millis(250);
const CHUNK_PAUSE: Duration = Duration::from_millis(15);
const ARGUMENT_PIECE_CHARS: usize = 8;
/// A model's token is about so many characters.
const TOKEN_CHARS: usize = 4;

/// One answer of the script.
struct Act {
    thinking: &'static str,
    text: String,
    call: Option<(&'static str, Value)>,
}

impl Act {
    fn says(text: impl Into<String>) -> Self {
        Self { thinking: "", text: text.into(), call: None }
    }

    fn calls(self, tool: &'static str, arguments: Value) -> Self {
        Self { call: Some((tool, arguments)), ..self }
    }
}

/// Where the conversation stands.
struct Scene {
    prompt_count: usize,
    words_in_prompt: usize,
    /// Calls answered since the last prompt, and how the last of them went.
    result_count: usize,
    last: Last,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Worked,
    /// Refused by the person, or failed: the script can act upon neither.
    DidNot,
}

fn perform(request: &ModelRequest) -> Vec<Chunk> {
    let mut act = next_act(&Scene::of(&request.messages));
    // A tool that is not offered is not called.
    act.call = act.call.filter(|(tool, _)| request.tools.iter().any(|spec| spec.name == *tool));
    let mut chunks = vec![Chunk::FirstByte];
    chunks.extend(words(act.thinking).map(Chunk::Thinking));
    chunks.extend(words(&act.text).map(Chunk::Text));
    let stop = if act.call.is_some() { StopReason::ToolUse } else { StopReason::EndTurn };
    if let Some((tool, arguments)) = act.call {
        chunks.extend(call_chunks(tool, &arguments.to_string(), request.messages.len()));
    }
    let output = chunks.len() as u64;
    chunks.push(Chunk::Done { usage: Some(Usage { input: prompt_tokens(request), output, ..Usage::default() }), stop });
    chunks
}

fn next_act(scene: &Scene) -> Act {
    match scene.prompt_count {
        0 | 1 => first_prompt(scene),
        count => match count % 3 {
            2 => word_count(scene),
            0 => show_script(scene),
            _ => leave_note(scene),
        },
    }
}

fn first_prompt(scene: &Scene) -> Act {
    match (scene.result_count, scene.last) {
        (0, _) => Act {
            thinking: "A first prompt. I read a file, change one, run a command, and say how to get a real model.",
            ..Act::says(WELCOME).calls("read", json!({"path": "README.md"}))
        },
        (1, last) => Act::says(match last {
            Last::Worked => {
                "It holds a list of things to do. I tick the first box. A file changes only after your \
                yes: the diff below is exactly what would happen."
            }
            Last::DidNot => "I could not read it, so I try to change it unread. That should be refused.",
        })
        .calls("edit", tick()),
        (2, last) => Act::says(match last {
            Last::Worked => "One box is ticked. Now a command, which asks as well: it counts the ticked boxes.",
            Last::DidNot => {
                "No change, then: the file is as it was. Next is a command that counts the ticked boxes; \
                you may refuse that too."
            }
        })
        .calls("bash", json!({"command": "sh count.sh"})),
        (_, Last::Worked) => Act::says(format!(
            "The command ran: its row says how it ended, and Ctrl+O shows more of every call from there on.\n\n{CLOSING}"
        )),
        (_, Last::DidNot) => Act::says(format!("The command did not run, and I go on without it.\n\n{CLOSING}")),
    }
}

fn tick() -> Value {
    json!({"path": "README.md", "old_text": "- [ ] See a file change", "new_text": "- [x] See a file change"})
}

fn word_count(scene: &Scene) -> Act {
    let count = scene.words_in_prompt;
    Act::says(format!(
        "I know only my lines, but I can count:\n\n| your prompt | |\n| --- | --- |\n| number | {} |\n| words | {count} \
         |\n\nA real model would have an answer; `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` brings one.",
        scene.prompt_count
    ))
}

fn show_script(scene: &Scene) -> Act {
    match (scene.result_count, scene.last) {
        (0, _) => Act::says("Let me look at the script of this workspace.").calls("read", json!({"path": "count.sh"})),
        (_, Last::Worked) => Act::says(
            "It greps twice:\n\n```sh\ngrep -c '^- \\[x\\]' README.md   # ticked\ngrep -c '^- \\[.\\]' README.md   # \
             all\n```\n\nReading inside the workspace needs no approval.",
        ),
        (_, Last::DidNot) => Act::says("It cannot be read, so there is nothing to tell."),
    }
}

fn leave_note(scene: &Scene) -> Act {
    match (scene.result_count, scene.last) {
        (0, _) => {
            let content = "The tour's model was here.\n";
            Act::says("I would like to leave a note. It is a new file, so you are asked.")
                .calls("write", json!({"path": "note.md", "content": content}))
        }
        (_, Last::Worked) => Act::says("Thank you: `note.md` is there now."),
        (_, Last::DidNot) => Act::says("No note, then. Nothing was written."),
    }
}

const WELCOME: &str = "Hello! I am the **scripted model** of the tour: no key, no network, and no understanding. \
    Whatever you type, you get this tour.\n\nAll around me is real, though: the tools, the files, the questions before \
    something happens. I begin with the README of this temporary workspace.";
const CLOSING: &str = include_str!("../tour/closing.md");

impl Scene {
    fn of(messages: &[Message]) -> Self {
        let mut scene = Self { prompt_count: 0, words_in_prompt: 0, result_count: 0, last: Last::Worked };
        for message in messages {
            match message {
                Message::User { blocks } => {
                    let words_in_prompt = blocks.iter().map(|block| text_of(block).split_whitespace().count()).sum();
                    let prompt_count = scene.prompt_count + 1;
                    scene = Self { prompt_count, words_in_prompt, result_count: 0, last: Last::Worked };
                }
                Message::Assistant { .. } => {}
                Message::ToolResult { is_error, .. } => {
                    scene.result_count += 1;
                    scene.last = if *is_error { Last::DidNot } else { Last::Worked };
                }
            }
        }
        scene
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_inclusive(' ').map(str::to_owned)
}

/// The call as it grows; `message_count` makes its id differ from those of other steps.
fn call_chunks(tool: &str, arguments: &str, message_count: usize) -> Vec<Chunk> {
    let ends = arguments.char_indices().map(|(start, _)| start).step_by(ARGUMENT_PIECE_CHARS).chain([arguments.len()]);
    ends.map(|end| Chunk::ToolCall {
        index: 0,
        provider_id: format!("tour_{message_count}"),
        name: tool.to_owned(),
        arguments: arguments[..end].to_owned(),
    })
    .collect()
}

fn prompt_tokens(request: &ModelRequest) -> u64 {
    let chars: usize = request
        .messages
        .iter()
        .map(|message| match message {
            Message::User { blocks } | Message::Assistant { blocks } => {
                blocks.iter().map(|block| text_of(block).len()).sum()
            }
            Message::ToolResult { text, .. } => text.len(),
        })
        .sum();
    ((request.system.len() + chars) / TOKEN_CHARS) as u64
}

fn text_of(block: &Block) -> &str {
    match block {
        Block::Text { text } | Block::Thinking { text, .. } => text,
        Block::ToolUse { arguments, .. } => arguments,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ports::ToolSpec;
    use protocol::{Stamp, ToolCallId};

    fn call_id() -> ToolCallId {
        Stamp { at_ms: 0, seed: 1 }.ids().make()
    }

    fn prompt(text: &str) -> Message {
        Message::User { blocks: vec![Block::text(text)] }
    }

    fn result(is_error: bool) -> Message {
        let text = if is_error { "denied" } else { "done" };
        let (provider_id, name) = ("tour_1".to_owned(), "bash".to_owned());
        Message::ToolResult { call: call_id(), provider_id, name, text: text.to_owned(), is_error }
    }

    fn request(messages: Vec<Message>) -> Arc<ModelRequest> {
        let tools = ["read", "edit", "write", "bash"].map(|name| ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            schema: "{}".to_owned(),
        });
        Arc::new(ModelRequest { model: tour(), system: String::new(), messages, tools: Arc::new(tools.into()) })
    }

    /// Says which tool an answer calls, and with what.
    fn called(messages: Vec<Message>) -> Option<(String, Value)> {
        let chunks = perform(&request(messages));
        let newest = chunks.iter().rev().find_map(|chunk| {
            if let Chunk::ToolCall { name, arguments, .. } = chunk {
                Some((name.clone(), arguments.clone()))
            } else {
                None
            }
        });
        newest.map(|(name, arguments)| (name, serde_json::from_str(&arguments).expect("arguments are JSON")))
    }

    fn said(messages: Vec<Message>) -> String {
        let texts = perform(&request(messages))
            .into_iter()
            .filter_map(|chunk| if let Chunk::Text(text) = chunk { Some(text) } else { None });
        texts.collect()
    }

    #[test]
    fn the_first_prompt_reads_edits_runs_and_ends_with_the_way_to_a_real_model() {
        let mut messages = vec![prompt("anything")];
        let mut tools = vec![];
        while let Some((tool, _)) = called(messages.clone()) {
            tools.push(tool);
            messages.push(Message::Assistant { blocks: vec![] });
            messages.push(result(false));
        }
        assert_eq!(tools, ["read", "edit", "bash"]);
        assert_eq!(
            said(messages),
            format!(
                "The command ran: its row says how it ended, and Ctrl+O shows more of every call from there on.\n\n{CLOSING}"
            )
        );
    }

    #[test]
    fn a_refusal_is_taken_as_one_and_the_tour_goes_on() {
        let refused_edit = vec![prompt("go"), result(false), result(true)];
        assert!(said(refused_edit.clone()).starts_with("No change, then"), "{}", said(refused_edit.clone()));
        assert_eq!(called(refused_edit).map(|(tool, _)| tool).as_deref(), Some("bash"));
        let refused_command = vec![prompt("go"), result(false), result(false), result(true)];
        assert_eq!(said(refused_command), format!("The command did not run, and I go on without it.\n\n{CLOSING}"));
    }

    #[test]
    fn later_prompts_get_other_answers_and_each_comes_to_an_end() {
        let mut messages = vec![prompt("one")];
        let mut answers = vec![];
        for text in ["two words here", "three", "four"] {
            messages.push(prompt(text));
            let mut tools = vec![];
            while let Some((tool, _)) = called(messages.clone()) {
                tools.push(tool);
                messages.push(result(true));
            }
            answers.push((tools, said(messages.clone()).lines().next().unwrap_or_default().to_owned()));
        }
        let expected = [
            (vec![], "I know only my lines, but I can count:"),
            (vec!["read".to_owned()], "It cannot be read, so there is nothing to tell."),
            (vec!["write".to_owned()], "No note, then. Nothing was written."),
        ];
        assert_eq!(answers, expected.map(|(tools, text)| (tools, text.to_owned())));
    }

    #[test]
    fn the_edit_fits_the_files_the_workspace_starts_with() {
        let old = tick()["old_text"].as_str().unwrap_or_default().to_owned();
        let hits: Vec<usize> = tour_files().iter().map(|(_, content)| content.matches(&old).count()).collect();
        assert_eq!(hits, [1, 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_comes_at_a_readable_pace_and_says_why_it_stopped() {
        let started = tokio::time::Instant::now();
        let chunks: Vec<_> = Scripted.stream(request(vec![prompt("hi")])).collect().await;
        let expected = FIRST_BYTE_PAUSE + CHUNK_PAUSE * (chunks.len() as u32 - 1);
        assert!(started.elapsed() >= expected, "{:?} for {} chunks", started.elapsed(), chunks.len());
        let stop = |chunk: &Result<Chunk, Failure>| matches!(chunk, Ok(Chunk::Done { stop: StopReason::ToolUse, .. }));
        assert_eq!((chunks.first(), chunks.last().is_some_and(stop)), (Some(&Ok(Chunk::FirstByte)), true));
    }
}
