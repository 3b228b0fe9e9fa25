//! `edit`: replaces text in one file that was read. Makes no files: `write` does.

use std::sync::PoisonError;

use futures::future::BoxFuture;
use ports::{Call, OutputSink, Tool, ToolContext, ToolSpec};
use protocol::{Requirement, ToolOutput};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::change::{self, Change};
use crate::paths::Target;
use crate::work::{self, Done};
use crate::{Writer, arguments, file};

/// So many line numbers are told for text that stands in the file more than once.
const PLACES_MAX: usize = 5;

/// Of a longer file only the first lines are looked through for what comes near.
const HINT_LINES_MAX: usize = 20_000;

/// A line must be this much alike to be told as the nearest, from 0 to 1.
const ALIKE_MIN: f32 = 0.6;

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "path": { "type": "string", "description": "The file, absolute or relative to the workspace" },
    "old_text": { "type": "string", "description": "The text to replace, exactly as it stands in the file" },
    "new_text": { "type": "string", "description": "The text to put in its place" },
    "replace_all": { "type": "boolean", "description": "Replace every occurrence; false if left out" }
  },
  "required": ["path", "old_text", "new_text"],
  "additionalProperties": false
}"#;

pub(crate) struct Edit {
    pub(crate) writer: Writer,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    path: String,
    old_text: String,
    new_text: String,
    #[serde(default)]
    replace_all: bool,
}

impl Tool for Edit {
    fn spec(&self) -> ToolSpec {
        let description = include_str!("edit.md").to_owned();
        ToolSpec { name: "edit".to_owned(), description, schema: SCHEMA.to_owned() }
    }

    fn prepare(&self, arguments: &str, context: &ToolContext) -> Result<Box<dyn Call>, String> {
        let request: Request = arguments::decode("edit", arguments)?;
        if request.old_text.is_empty() {
            return Err("`old_text` is empty; give the text to replace, or use `write` for a new file".to_owned());
        }
        if request.old_text == request.new_text {
            return Err("`old_text` and `new_text` are the same; there is nothing to change".to_owned());
        }
        let target = Target::resolve(&request.path, &context.workspace)?;
        let content = file::load(&target.path, &target.name)?
            .ok_or_else(|| format!("{} does not exist; use `write` to make it", target.name))?;
        change::must_be_known(&*context.seen, &target, &content)?;
        let change = apply(&request, target, content)?;
        Ok(Box::new(EditCall { request, change, context: context.clone(), writer: self.writer.clone() }))
    }
}

struct EditCall {
    request: Request,
    change: Change,
    context: ToolContext,
    writer: Writer,
}

impl Call for EditCall {
    fn summary(&self) -> String {
        self.change.target().name.clone()
    }

    fn requirements(&self) -> Vec<Requirement> {
        vec![self.change.target().writing()]
    }

    fn preview(&self) -> String {
        self.change.diff.clone()
    }

    fn run(self: Box<Self>, _output: OutputSink, cancel: CancellationToken) -> BoxFuture<'static, ToolOutput> {
        work::run(cancel, move || {
            let _alone = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            let current = self.change.current()?;
            let change = if self.change.starts_from(current.as_deref()) {
                self.change
            } else {
                again(&self.request, &self.change, &self.context, current)?
            };
            carry_out(change, &self.context)
        })
    }
}

fn carry_out(change: Change, context: &ToolContext) -> Result<Done, String> {
    let counts = change.counts();
    let text = format!("changed {}: {counts}", change.target().name);
    change.carry_out(&*context.seen, text, vec![counts])
}

/// Makes the edit anew on a file that another call of ours changed meanwhile.
/// What was approved is what runs: only if the same lines go and come.
fn again(
    request: &Request,
    approved: &Change,
    context: &ToolContext,
    current: Option<Vec<u8>>,
) -> Result<Change, String> {
    let target = approved.target();
    let current = current.ok_or_else(|| format!("{} is gone by now", target.name))?;
    change::must_be_known(&*context.seen, target, &current)?;
    let change = apply(request, target.clone(), current)?;
    if change.is_same_as(approved) { Ok(change) } else { Err(change::changed(target)) }
}

fn apply(request: &Request, target: Target, content: Vec<u8>) -> Result<Change, String> {
    let text = std::str::from_utf8(&content)
        .map_err(|_| format!("{} is not UTF-8 text; change it with `bash`", target.name))?;
    let after = replace(text, request, &target.name)?;
    Ok(Change::new(target, Some(content), after.into_bytes()))
}

/// Replaces the text, with the ends of lines that the file has.
fn replace(content: &str, request: &Request, name: &str) -> Result<String, String> {
    let as_given = (request.old_text.clone(), request.new_text.clone());
    let with_crlf = (change::to_crlf(&request.old_text), change::to_crlf(&request.new_text));
    let attempts = if change::has_crlf(content) { [with_crlf, as_given] } else { [as_given, with_crlf] };
    for (old, new) in attempts {
        let places: Vec<usize> = content.match_indices(&old).map(|(place, _)| place).collect();
        match (places.as_slice(), request.replace_all) {
            ([], _) => continue,
            ([_], _) | (_, true) => return Ok(content.replace(&old, &new)),
            (places, false) => return Err(found_often(content, places, name)),
        }
    }
    Err(not_found(content, &request.old_text, name))
}

fn found_often(content: &str, places: &[usize], name: &str) -> String {
    let line = |place: &usize| (1 + content[..*place].matches('\n').count()).to_string();
    let mut lines: Vec<String> = places.iter().take(PLACES_MAX).map(line).collect();
    if places.len() > PLACES_MAX {
        lines.push("…".to_owned());
    }
    format!(
        "`old_text` stands in {name} {} times (lines {}); add lines around it to make it unique, or set `replace_all`",
        places.len(),
        lines.join(", ")
    )
}

fn not_found(content: &str, old_text: &str, name: &str) -> String {
    let hint = if is_numbered(old_text) {
        "leave out the line numbers that `read` puts in front".to_owned()
    } else if let Some(line) = find_loosely(content, old_text) {
        format!("from line {line} it differs only in blanks; copy them exactly")
    } else if let Some((line, text)) = nearest(content, old_text) {
        format!("nearest is line {line}: `{text}`; read the file again and copy the text exactly")
    } else {
        "nothing comes near; read the file again".to_owned()
    };
    format!("`old_text` does not stand in {name}; {hint}")
}

/// Whether each line begins as `read` numbers it.
fn is_numbered(text: &str) -> bool {
    let has_number = |line: &str| {
        let number = line.split_once('\t').map(|(number, _)| number.trim_start());
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    text.lines().all(has_number)
}

/// Returns the line from which all lines fit but for the blanks around them.
fn find_loosely(content: &str, old_text: &str) -> Option<usize> {
    let wanted: Vec<&str> = old_text.trim().lines().map(str::trim).collect();
    let lines: Vec<&str> = content.lines().take(HINT_LINES_MAX).map(str::trim).collect();
    lines.windows(wanted.len().max(1)).position(|window| window == wanted).map(|index| index + 1)
}

/// Returns the line that is most like the longest of the wanted ones.
fn nearest<'content>(content: &'content str, old_text: &str) -> Option<(usize, &'content str)> {
    let wanted = old_text.lines().map(str::trim).max_by_key(|line| line.len())?;
    let lines: Vec<&str> = content.lines().take(HINT_LINES_MAX).map(str::trim).collect();
    let best = similar::get_close_matches(wanted, &lines, 1, ALIKE_MIN).pop()?;
    let index = lines.iter().position(|line| *line == best)?;
    Some((index + 1, best))
}
