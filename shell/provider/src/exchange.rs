//! One request and its answer as a stream of chunks.
//! Sends when first polled, once; dropping the stream closes the connection.

use std::collections::VecDeque;
use std::error::Error;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, BoxStream, StreamExt};
use ports::ModelRequest;
use protocol::{Chunk, Failure, FailureKind};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use crate::events::Events;
use crate::host::Host;
use crate::rejection::Rejection;
use crate::wire::{Decoder, Fault, Flow};

/// What is read of an answer that is no stream; the rest says nothing that is shown.
const REJECTION_BYTES_MAX: usize = 64 << 10;
/// How long is waited for it; then the status and what has come must do.
const REJECTION_WAIT_MAX: Duration = Duration::from_secs(5);

/// Asks a host.
pub(crate) fn exchange(host: Arc<Host>, request: Arc<ModelRequest>) -> BoxStream<'static, Result<Chunk, Failure>> {
    let exchange = Exchange { question: Question { host, request }, phase: Phase::Unsent, chunks: VecDeque::new() };
    stream::try_unfold(exchange, Exchange::next).boxed()
}

struct Exchange {
    question: Question,
    phase: Phase,
    /// Decoded and not taken yet.
    chunks: VecDeque<Chunk>,
}

struct Question {
    host: Arc<Host>,
    request: Arc<ModelRequest>,
}

enum Phase {
    Unsent,
    Reading(Answer),
    Failed(Failure),
    Over,
}

struct Answer {
    body: BoxStream<'static, reqwest::Result<Vec<u8>>>,
    has_begun: bool,
    events: Events,
    decoder: Box<dyn Decoder>,
}

impl Exchange {
    async fn next(mut self) -> Result<Option<(Chunk, Self)>, Failure> {
        loop {
            if let Some(chunk) = self.chunks.pop_front() {
                return Ok(Some((chunk, self)));
            }
            self.phase = match std::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Unsent => Phase::Reading(self.question.open().await?),
                Phase::Reading(answer) => self.read(answer).await,
                Phase::Failed(failure) => return Err(failure),
                Phase::Over => return Ok(None),
            };
        }
    }

    /// Takes what the network has and decodes it.
    async fn read(&mut self, mut answer: Answer) -> Phase {
        let bytes = match answer.body.next().await {
            Some(Ok(bytes)) => bytes,
            end => return self.end(answer, end.and_then(Result::err)),
        };
        // Not with the head: a server may send that and then nothing.
        if !std::mem::replace(&mut answer.has_begun, true) {
            self.chunks.push_back(Chunk::FirstByte);
        }
        match answer.take(&bytes, &mut self.chunks) {
            Ok(Flow::More) => Phase::Reading(answer),
            Ok(Flow::Complete) => {
                answer.decoder.finish(&mut self.chunks);
                Phase::Over
            }
            Err(fault) => Phase::Failed(self.question.fault(fault)),
        }
    }

    /// The connection is over. An answer that was whole by then is good, however it went.
    fn end(&mut self, mut answer: Answer, error: Option<reqwest::Error>) -> Phase {
        answer.decoder.finish(&mut self.chunks);
        match error {
            Some(_) if self.chunks.is_empty() => Phase::Failed(self.question.cut()),
            Some(_) | None => Phase::Over,
        }
    }
}

impl Question {
    /// Sends the request and takes the head of the answer.
    async fn open(&self) -> Result<Answer, Failure> {
        let request = self.host.post()?.json(&self.host.wire.encode(&self.request));
        let response = request.send().await.map_err(|error| unreachable(&self.host, &error))?;
        if !response.status().is_success() || !may_be_events(&response) {
            return Err(self.reject(response).await);
        }
        Ok(Answer {
            body: response.bytes_stream().map(|bytes| bytes.map(Vec::from)).boxed(),
            has_begun: false,
            events: Events::default(),
            decoder: self.host.wire.decoder(),
        })
    }

    async fn reject(&self, response: Response) -> Failure {
        let (status, headers) = (response.status(), response.headers().clone());
        let mut text = vec![];
        let _ = tokio::time::timeout(REJECTION_WAIT_MAX, read_start(response, &mut text)).await;
        Rejection::answered(status, &headers, &String::from_utf8_lossy(&text)).sort(&self.host, &self.request.model.id)
    }

    fn fault(&self, fault: Fault) -> Failure {
        let name = self.host.name();
        match fault {
            Fault::Undecodable => Failure::new(
                FailureKind::Malformed,
                format!("{name} sent a chunk that cannot be decoded"),
                format!("send the prompt again; if it stays so, check {}", self.host.base_variable()),
            ),
            Fault::TooLong => Failure::new(
                FailureKind::Limit,
                format!("{name} sent more in one piece than an answer may have"),
                "send the prompt again, or ask for less at once",
            ),
            Fault::Rejected(rejection) => rejection.sort(&self.host, &self.request.model.id),
        }
    }

    fn cut(&self) -> Failure {
        Failure::new(
            FailureKind::Connection,
            format!("{} cut the connection amid its answer", self.host.address()),
            "send the prompt again",
        )
    }
}

impl Answer {
    fn take(&mut self, bytes: &[u8], chunks: &mut VecDeque<Chunk>) -> Result<Flow, Fault> {
        let mut complete = vec![];
        let result = self.events.take(bytes, &mut complete);
        for data in complete {
            if self.decoder.decode(&data, chunks)? == Flow::Complete {
                return Ok(Flow::Complete);
            }
        }
        result.map(|()| Flow::More)
    }
}

async fn read_start(response: Response, text: &mut Vec<u8>) {
    let mut body = response.bytes_stream();
    while let Some(Ok(bytes)) = body.next().await
        && text.len() < REJECTION_BYTES_MAX
    {
        text.extend_from_slice(&bytes);
    }
}

/// Some servers name no type or a wrong one; these two surely are no events.
fn may_be_events(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    !kind.starts_with("application/json") && !kind.starts_with("text/html")
}

/// Says why no answer came at all, without the request's address, which may hold a password.
fn unreachable(host: &Host, error: &reqwest::Error) -> Failure {
    let address = host.address();
    let message = if error.is_timeout() {
        format!("{address} did not accept the connection in time")
    } else {
        match reason(error) {
            Reason::Io(ErrorKind::ConnectionRefused) => format!("{address} refused the connection"),
            Reason::Certificate => format!("the certificate of {address} is not trusted"),
            Reason::Io(_) | Reason::Unknown if error.is_connect() => format!("{address} cannot be reached"),
            Reason::Io(_) | Reason::Unknown => format!("{address} closed the connection without an answer"),
        }
    };
    let next_step = format!("check that the server runs, the network, and {}", host.base_variable());
    Failure::new(FailureKind::Connection, message, next_step)
}

enum Reason {
    Io(ErrorKind),
    Certificate,
    Unknown,
}

/// Looks for the deepest cause that says something.
fn reason(error: &reqwest::Error) -> Reason {
    let mut found = Reason::Unknown;
    let mut next = error.source();
    while let Some(cause) = next {
        if let Some(rustls::Error::InvalidCertificate(_)) = cause.downcast_ref() {
            return Reason::Certificate;
        }
        let io: Option<&std::io::Error> = cause.downcast_ref();
        found = io.map_or(found, |io| Reason::Io(io.kind()));
        // An error wrapped into one of IO is not its source but its content.
        next = match io.and_then(std::io::Error::get_ref) {
            Some(content) => Some(content),
            None => cause.source(),
        };
    }
    found
}
