//! What the tests ask and whom: the mock model server as a child process, and servers of fixed bytes.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use futures::StreamExt;
use ports::{ModelRequest, Provider, ToolSpec};
use protocol::{Block, Chunk, Failure, Message, StopReason, Usage};
use provider::{Environment, Http};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// Planted wherever a key may be; it must be in no failure.
pub(crate) const KEY: &str = "planted-key-0123456789";
pub(crate) const WIRES: [&str; 2] = ["openai", "anthropic"];

/// The mock model server, until it is dropped.
pub(crate) struct Mock {
    child: Child,
    pub(crate) address: String,
}

impl Mock {
    pub(crate) fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/mock_llm.py");
        let mut child = Command::new("python3")
            .args([script, "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts the mock server");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("the mock server speaks");
        let address = line.trim().strip_prefix("LISTEN ").expect("the mock server listens").to_owned();
        Self { child, address }
    }

    /// What the server has recorded of the requests it got.
    pub(crate) async fn requests(&self) -> Vec<serde_json::Value> {
        let url = format!("http://{}/__admin/requests", self.address);
        let client = plain_client();
        client.get(url).send().await.expect("the mock answers").json().await.expect("the mock speaks JSON")
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn plain_client() -> reqwest::Client {
    let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("default versions")
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy().build().expect("a client")
}

/// A server that gives the same bytes to everyone, and then either closes or holds on.
pub(crate) struct Fixed {
    pub(crate) address: String,
    /// Hears the request that came, then that the client has closed.
    pub(crate) request: oneshot::Receiver<String>,
    pub(crate) closed: oneshot::Receiver<()>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Then {
    Close,
    Hold,
}

pub(crate) async fn fixed(response: impl Into<Vec<u8>>, then: Then) -> Fixed {
    let response = response.into();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let ((heard, request), (gone, closed)) = (oneshot::channel(), oneshot::channel());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a client");
        let _ = heard.send(read_request(&mut socket).await);
        socket.write_all(&response).await.expect("the client listens");
        if then == Then::Hold {
            let mut rest = vec![];
            let _ = socket.read_to_end(&mut rest).await;
            let _ = gone.send(());
        }
    });
    Fixed { address, request, closed }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let (mut bytes, mut buffer) = (vec![], [0; 4096]);
    loop {
        let count = socket.read(&mut buffer).await.expect("the request comes");
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if count == 0 || length.is_none_or(|length: usize| body.len() >= length) {
            return text;
        }
    }
}

pub(crate) fn http(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

pub(crate) fn events(text: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{text}")
}

/// A provider whose hosts are both at this address, with the planted key.
pub(crate) fn provider_at(address: &str) -> Http {
    let variables = [
        ("OPENAI_BASE_URL", format!("http://{address}/v1")),
        ("ANTHROPIC_BASE_URL", format!("http://{address}")),
        ("OPENAI_API_KEY", KEY.to_owned()),
        ("ANTHROPIC_API_KEY", KEY.to_owned()),
    ];
    provider_with(&variables)
}

pub(crate) fn provider_with(variables: &[(&str, String)]) -> Http {
    let read = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    Http::new(&Environment::collect(read), Some(std::time::Duration::from_secs(5)))
}

pub(crate) fn user(text: &str) -> Message {
    Message::User { blocks: vec![Block::text(text)] }
}

pub(crate) fn request(model: &str, messages: Vec<Message>) -> Arc<ModelRequest> {
    let bash = ToolSpec {
        name: "bash".to_owned(),
        description: "Runs a command.".to_owned(),
        schema: r#"{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}"#.to_owned(),
    };
    let model = model.parse().expect("a model in a test");
    Arc::new(ModelRequest { model, system: "Be brief.".to_owned(), messages, tools: Arc::new(vec![bash]) })
}

/// What an answer came to.
#[derive(PartialEq, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) first_byte_count: usize,
    pub(crate) text: String,
    pub(crate) thinking: String,
    pub(crate) signatures: Vec<String>,
    /// The last state of each call: number, id, name, arguments.
    pub(crate) calls: Vec<(usize, String, String, String)>,
    pub(crate) done: Option<(Option<Usage>, StopReason)>,
    pub(crate) failure: Option<Failure>,
}

/// Asks and listens to the end.
pub(crate) async fn ask(provider: &Http, request: Arc<ModelRequest>) -> Answer {
    let mut answer = Answer::default();
    let mut stream = provider.stream(request);
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(chunk) => answer.take(chunk),
            Err(failure) => answer.failure = Some(failure),
        }
    }
    if let Some(failure) = &answer.failure {
        let shown = format!("{failure} {failure:?}");
        assert!(!shown.contains(KEY), "the key shows: {shown}");
    }
    answer
}

pub(crate) async fn failure_of(response: String, model: &str) -> Failure {
    let server = fixed(response, Then::Close).await;
    let answer = ask(&provider_at(&server.address), request(model, vec![user("hi")])).await;
    let failure = answer.failure.clone().unwrap_or_else(|| panic!("no failure: {answer:?}"));
    assert_eq!(Answer { failure: None, ..answer }, Answer::default());
    failure
}

impl Answer {
    fn take(&mut self, chunk: Chunk) {
        match chunk {
            Chunk::FirstByte => self.first_byte_count += 1,
            Chunk::Text(text) => self.text.push_str(&text),
            Chunk::Thinking(text) => self.thinking.push_str(&text),
            Chunk::Signature(text) => self.signatures.push(text),
            Chunk::ToolCall { index, provider_id, name, arguments } => {
                self.calls.retain(|(known, ..)| *known != index);
                self.calls.push((index, provider_id, name, arguments));
            }
            Chunk::Done { usage, stop } => self.done = Some((usage, stop)),
        }
    }

    /// Takes the prompt's tokens out, which hang on how the body is written.
    pub(crate) fn without_prompt_tokens(mut self) -> Self {
        if let Some((Some(usage), _)) = &mut self.done {
            assert!(usage.input > 0, "the prompt was not counted: {usage:?}");
            usage.input = 0;
        }
        self
    }
}
