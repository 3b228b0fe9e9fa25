//! The scripted model server as a child process, and what it was asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/mock_llm.py");

pub(crate) struct Server {
    child: Child,
    /// Host and port.
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        // It complains of clients that are killed, which is what the tests do.
        let mut child =
            Command::new("python3").arg(SCRIPT).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("LISTEN ").expect("the server says where it listens").to_owned();
        Self { child, address }
    }

    /// The bodies of all requests for an answer so far, oldest first.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // Half-closed, so that the server ends the connection after its answer.
        stream.write_all(b"GET /__admin/requests HTTP/1.1\r\n\r\n").unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let requests: Vec<Value> = serde_json::from_str(body).unwrap();
        requests
            .into_iter()
            .filter(|request| request["method"] == "POST")
            .map(|request| request["body"].clone())
            .collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says what is wrong with a request: each tool call must be answered right after it, and nothing else may be.
pub(crate) fn fault(request: &Value) -> Option<String> {
    let messages = request["messages"].as_array()?;
    let mut open: Vec<String> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let answered = answered_calls(message);
        if answered.iter().any(|id| !open.contains(id)) {
            return Some(format!("message {index} answers no call: {message}"));
        }
        open.retain(|id| !answered.contains(id));
        if !open.is_empty() && message["role"] != "tool" {
            return Some(format!("message {index} follows unanswered calls {open:?}: {message}"));
        }
        open.extend(calls(message));
    }
    (!open.is_empty()).then(|| format!("calls {open:?} are never answered"))
}

fn calls(message: &Value) -> Vec<String> {
    let chat = message["tool_calls"].as_array().into_iter().flatten().map(|call| &call["id"]);
    chat.chain(parts(message, "tool_use").map(|part| &part["id"])).map(Value::to_string).collect()
}

fn answered_calls(message: &Value) -> Vec<String> {
    let chat = (message["role"] == "tool").then_some(&message["tool_call_id"]);
    chat.into_iter()
        .chain(parts(message, "tool_result").map(|part| &part["tool_use_id"]))
        .map(Value::to_string)
        .collect()
}

fn parts<'message>(message: &'message Value, kind: &str) -> impl Iterator<Item = &'message Value> {
    message["content"].as_array().into_iter().flatten().filter(move |part| part["type"] == kind)
}
