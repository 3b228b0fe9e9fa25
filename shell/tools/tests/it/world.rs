//! A workspace, a place beside it, and the tools, asked as the runtime asks them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ports::{Call, OutputSink, Tool, ToolContext};
use protocol::ToolOutput;
use tokio_util::sync::CancellationToken;
use tools::{BashOptions, Seen};

pub(crate) struct World {
    pub(crate) workspace: PathBuf,
    pub(crate) outside: PathBuf,
    pub(crate) context: ToolContext,
    tools: Vec<Box<dyn Tool>>,
    _root: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().expect("a temporary directory can be made");
        let base = root.path().canonicalize().expect("it exists");
        let [workspace, outside, blobs] = ["work", "outside", "blobs"].map(|name| base.join(name));
        for directory in [&workspace, &outside, &blobs] {
            std::fs::create_dir(directory).expect("the directory is new");
        }
        let context = ToolContext { workspace: workspace.clone(), blobs, seen: Arc::new(Seen::default()) };
        let options = BashOptions { shell: PathBuf::from("/bin/bash"), timeout_s: 20, timeout_s_max: 60 };
        Self { workspace, outside, context, tools: tools::all(options), _root: root }
    }

    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.workspace.join(name);
        std::fs::write(&path, content).expect("the workspace can be written");
        path
    }

    pub(crate) fn content(&self, name: &str) -> String {
        std::fs::read_to_string(self.workspace.join(name)).expect("the file is there")
    }

    pub(crate) fn tool(&self, name: &str) -> &dyn Tool {
        let tool = self.tools.iter().find(|tool| tool.spec().name == name);
        &**tool.expect("the tool is known")
    }

    pub(crate) fn prepare(&self, name: &str, arguments: &serde_json::Value) -> Result<Box<dyn Call>, String> {
        self.tool(name).prepare(&arguments.to_string(), &self.context)
    }

    /// Prepares and runs a call; what is wrong with it comes as the text.
    pub(crate) async fn call(&self, name: &str, arguments: serde_json::Value) -> Result<ToolOutput, String> {
        let call = self.prepare(name, &arguments)?;
        Ok(run(call).await)
    }

    pub(crate) async fn read(&self, name: &str) {
        self.call("read", serde_json::json!({ "path": name })).await.expect("the file can be read");
    }
}

/// Runs a call; its duration is taken out so that outputs can be compared.
pub(crate) async fn run(call: Box<dyn Call>) -> ToolOutput {
    let output = call.run(Arc::new(|_| {}), CancellationToken::new()).await;
    ToolOutput { duration_ms: 0, ..output }
}

/// A sink with all that came into it.
pub(crate) fn sink() -> (OutputSink, Arc<Mutex<Vec<String>>>) {
    let chunks: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = chunks.clone();
    (Arc::new(move |chunk| kept.lock().expect("no test panics while it holds it").push(chunk)), chunks)
}

pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().expect("the file is there").permissions().mode() & 0o7777
}
