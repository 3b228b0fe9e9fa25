//! `write`: makes a file, or replaces one that was read. Changes no parts: `edit` does.

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

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "path": { "type": "string", "description": "The file, absolute or relative to the workspace" },
    "content": { "type": "string", "description": "The whole content" }
  },
  "required": ["path", "content"],
  "additionalProperties": false
}"#;

pub(crate) struct Write {
    pub(crate) writer: Writer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    path: String,
    content: String,
}

impl Tool for Write {
    fn spec(&self) -> ToolSpec {
        let description = include_str!("write.md").to_owned();
        ToolSpec { name: "write".to_owned(), description, schema: SCHEMA.to_owned() }
    }

    fn prepare(&self, arguments: &str, context: &ToolContext) -> Result<Box<dyn Call>, String> {
        let request: Request = arguments::decode("write", arguments)?;
        let target = Target::resolve(&request.path, &context.workspace)?;
        if target.path == context.workspace || request.path.ends_with('/') {
            return Err(format!("{} is a directory; give the path of a file", request.path));
        }
        let before = file::load(&target.path, &target.name)?;
        let mut content = request.content;
        if let Some(before) = &before {
            change::must_be_known(&*context.seen, &target, before)?;
            if *before == content.as_bytes() {
                return Err(format!("{} holds exactly this already; there is nothing to change", target.name));
            }
            if change::has_crlf(&String::from_utf8_lossy(before)) {
                content = change::to_crlf(&content);
            }
        }
        let change = Change::new(target, before, content.into_bytes());
        Ok(Box::new(WriteCall { change, context: context.clone(), writer: self.writer.clone() }))
    }
}

struct WriteCall {
    change: Change,
    context: ToolContext,
    writer: Writer,
}

impl Call for WriteCall {
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
            if !self.change.starts_from(current.as_deref()) {
                return Err(change::changed(self.change.target()));
            }
            carry_out(self.change, &self.context)
        })
    }
}

fn carry_out(change: Change, context: &ToolContext) -> Result<Done, String> {
    let counts = change.counts();
    let what = if change.is_new() { "new" } else { "replaced" };
    let text = format!("wrote {} ({what}): {counts}", change.target().name);
    change.carry_out(&*context.seen, text, vec![what.to_owned(), counts])
}
