//! `read`: returns numbered lines of one text file. Binary files and directories are told, not shown.

use std::path::Path;

use futures::future::BoxFuture;
use ports::{Call, OutputSink, Tool, ToolContext, ToolSpec};
use protocol::{Requirement, ToolOutput};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::paths::Target;
use crate::work::{self, Done};
use crate::{arguments, file, paths};

/// At this many lines the result is cut, and says how to go on.
const LINES_MAX: usize = 2_000;

/// At this many bytes the result is cut, and says how to go on.
const BYTES_MAX: usize = 50 * 1_024;

/// A longer line is cut, and says by how much.
const LINE_CHARS_MAX: usize = 2_000;

/// A file with a zero byte in this many first bytes is no text.
const PROBED_BYTES: usize = 8_192;

/// So many names of a directory are told.
const NAMES_MAX: usize = 100;

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "path": { "type": "string", "description": "The file, absolute or relative to the workspace" },
    "offset": { "type": "integer", "minimum": 1, "description": "The first line to return, from 1" },
    "limit": { "type": "integer", "minimum": 1, "description": "How many lines to return at most" }
  },
  "required": ["path"],
  "additionalProperties": false
}"#;

pub(crate) struct Read;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    path: String,
    offset: Option<usize>,
    limit: Option<usize>,
}

/// The wanted lines; `first` counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    first: usize,
    count_max: usize,
}

impl Tool for Read {
    fn spec(&self) -> ToolSpec {
        let description = include_str!("read.md").to_owned();
        ToolSpec { name: "read".to_owned(), description, schema: SCHEMA.to_owned() }
    }

    fn prepare(&self, arguments: &str, context: &ToolContext) -> Result<Box<dyn Call>, String> {
        let request: Request = arguments::decode("read", arguments)?;
        if request.offset == Some(0) || request.limit == Some(0) {
            return Err("`offset` and `limit` begin at 1".to_owned());
        }
        let target = Target::resolve(&request.path, &context.workspace)?;
        Ok(Box::new(ReadCall { target, offset: request.offset, limit: request.limit, context: context.clone() }))
    }
}

struct ReadCall {
    target: Target,
    offset: Option<usize>,
    limit: Option<usize>,
    context: ToolContext,
}

impl Call for ReadCall {
    fn summary(&self) -> String {
        let name = &self.target.name;
        match (self.offset, self.limit) {
            (None, None) => name.clone(),
            (Some(first), None) => format!("{name} from line {first}"),
            (first, Some(count)) => {
                let first = first.unwrap_or(1);
                format!("{name} lines {first} to {}", first.saturating_add(count - 1))
            }
        }
    }

    fn requirements(&self) -> Vec<Requirement> {
        vec![self.target.reading()]
    }

    fn preview(&self) -> String {
        self.target.path.display().to_string()
    }

    fn run(self: Box<Self>, _output: OutputSink, cancel: CancellationToken) -> BoxFuture<'static, ToolOutput> {
        work::run(cancel, move || {
            let Self { target, offset, limit, context } = *self;
            if !target.still_holds() {
                return Err(format!("{} leads elsewhere by now, through a link; look at it again", target.name));
            }
            if target.path.is_dir() {
                return Err(listing(&target));
            }
            let content = file::load(&target.path, &target.name)?.ok_or_else(|| missing(&target))?;
            let range = Range { first: offset.unwrap_or(1), count_max: limit.unwrap_or(LINES_MAX).min(LINES_MAX) };
            let done = show(&target.name, &content, range)?;
            context.seen.note(&target.path, &content);
            Ok(done)
        })
    }
}

/// Returns the lines of a range, numbered, and a last row that says what was left out.
fn show(name: &str, content: &[u8], range: Range) -> Result<Done, String> {
    if content[..content.len().min(PROBED_BYTES)].contains(&0) {
        let length = content.len();
        return Err(format!("{name} is no text but {length} bytes of data; use `bash` with a program that reads it"));
    }
    let text = String::from_utf8_lossy(content);
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    if lines.is_empty() {
        return Ok(Done { text: "[the file is empty]".to_owned(), shown: None, facts: vec!["empty".to_owned()] });
    }
    let Some(wanted) = lines.get(range.first - 1..) else {
        return Err(format!("{name} has only {} lines", lines.len()));
    };
    if wanted.is_empty() {
        return Err(format!("{name} has only {} lines", lines.len()));
    }
    let (mut shown, count) = number(wanted, range);
    let last = range.first - 1 + count;
    if last < lines.len() || range.first > 1 {
        shown.push_str(&format!("[lines {} to {last} of {}", range.first, lines.len()));
        let rest = if last < lines.len() { format!("; go on with offset {}]", last + 1) } else { "]".to_owned() };
        shown.push_str(&rest);
    }
    let fact = if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    Ok(Done { text: shown, shown: None, facts: vec![fact] })
}

/// Numbers lines as far as the limits let, and tells how many that were.
fn number(lines: &[&str], range: Range) -> (String, usize) {
    let mut shown = String::new();
    for (index, line) in lines.iter().take(range.count_max).enumerate() {
        let row = format!("{:>6}\t{}\n", range.first + index, cut(line));
        if index > 0 && shown.len() + row.len() > BYTES_MAX {
            return (shown, index);
        }
        shown.push_str(&row);
    }
    (shown, lines.len().min(range.count_max))
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS_MAX) {
        Some((end, _)) => format!("{} [{} more characters]", &line[..end], line[end..].chars().count()),
        None => line.to_owned(),
    }
}

fn missing(target: &Target) -> String {
    format!("{} does not exist; look for it with `bash`, such as `rg --files | rg name`", target.name)
}

fn listing(target: &Target) -> String {
    let names = match names(&target.path) {
        Ok(names) => names,
        Err(error) => return format!("{} is a directory that cannot be listed: {error}", target.name),
    };
    let more = match names.len().saturating_sub(NAMES_MAX) {
        0 => String::new(),
        count => format!("\n[{count} more]"),
    };
    let shown = names.into_iter().take(NAMES_MAX).collect::<Vec<_>>().join("\n");
    format!("{} is a directory; give the path of a file in it:\n{shown}{more}", target.name)
}

fn names(directory: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let slash = if entry.file_type()?.is_dir() { "/" } else { "" };
        names.push(format!("{}{slash}", paths::one_line(&entry.file_name().to_string_lossy())));
    }
    names.sort();
    Ok(names)
}
