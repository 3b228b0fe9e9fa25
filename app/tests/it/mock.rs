//! The scripted model server of `bench/`, as a child.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

pub(crate) struct Mock {
    child: Child,
    pub(crate) address: String,
}

impl Mock {
    pub(crate) fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/mock_llm.py");
        let mut child = Command::new("python3")
            .args([script, "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("the server speaks");
        let address = line.trim().strip_prefix("LISTEN ").expect("the server listens").to_owned();
        Self { child, address }
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
