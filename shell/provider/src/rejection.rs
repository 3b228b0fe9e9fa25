//! What a provider says when it refuses, sorted by who must act.
//! Sorts by status and by the provider's own labels and words; tries nothing again.

use std::time::SystemTime;

use protocol::{Failure, FailureKind};
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::environment::Secret;
use crate::host::Host;

/// Longer explanations are cut, with an ellipsis.
const EXPLANATION_CHARS_MAX: usize = 300;
/// A shorter key is a word for a server that wants none, and its letters stand everywhere.
const KEY_BYTES_MIN: usize = 4;

/// How servers say that the conversation does not fit, in lower case:
/// OpenAI, vLLM, Anthropic, llama.cpp, Ollama, LM Studio, in this order.
const OVERFLOW_WORDS: [&str; 15] = [
    "maximum context length",
    "context_length_exceeded",
    "exceeds the context window",
    "reduce the length of the messages",
    "maximum model length",
    "exceeds the model's maximum",
    "prompt is too long",
    "exceed context limit",
    "request_too_large",
    "exceeds the available context size",
    "exceed_context_size_error",
    "prompt too long",
    "exceeded max context length",
    "input length exceeds",
    "greater than the context length",
];

/// A refusal, before anybody has judged it.
#[derive(PartialEq, Debug)]
pub(crate) struct Rejection {
    status: Option<u16>,
    /// The provider's types and codes, in lower case.
    labels: Vec<String>,
    explanation: Option<String>,
    request_id: Option<String>,
    retry_after_ms: Option<u64>,
}

impl Rejection {
    /// Reads an answer that is no stream.
    pub(crate) fn answered(status: StatusCode, headers: &HeaderMap, body: &str) -> Self {
        let read = match serde_json::from_str::<Value>(body) {
            Ok(body) => Self::reported(&body),
            Err(_) => Self { explanation: plain(body), ..Self::reported(&Value::Null) },
        };
        let id = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Self {
            status: Some(status.as_u16()),
            request_id: id("request-id").or_else(|| id("x-request-id")).or(read.request_id),
            retry_after_ms: retry_after_ms(headers),
            ..read
        }
    }

    /// Reads an error as providers write it: an object, its `error`, a list of such, or a mere text.
    pub(crate) fn reported(body: &Value) -> Self {
        let outer = body.get(0).unwrap_or(body);
        let error = outer.get("error").filter(|error| !error.is_null()).unwrap_or(outer);
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let explanation = text(error).or_else(|| ["message", "detail"].iter().find_map(|name| text(&error[*name])));
        let labels = ["type", "code", "status"].iter().filter_map(|name| text(&error[*name]));
        Self {
            status: error["code"].as_u64().and_then(|code| u16::try_from(code).ok()),
            labels: labels.map(|label| label.to_lowercase()).collect(),
            explanation,
            request_id: text(&outer["request_id"]),
            retry_after_ms: None,
        }
    }

    /// Judges: who must act, what is wrong, what is next.
    pub(crate) fn sort(self, host: &Host, model: &str) -> Failure {
        let (name, kind) = (host.name(), self.kind());
        let said = self.said(host);
        if kind == FailureKind::Unauthorized && host.key().is_none() {
            return host.missing_key();
        }
        let message = match kind {
            FailureKind::Unauthorized if self.status == Some(403) => format!("{name} refuses access{said}"),
            FailureKind::Unauthorized => format!("{name} does not accept the key{said}"),
            FailureKind::UnknownModel => format!("{name} has no model `{}`{said}", excerpt(model, None)),
            FailureKind::RateLimited => format!("{name} limits the rate of requests{said}"),
            FailureKind::Overloaded => format!("{name} is overloaded{said}"),
            FailureKind::Server => format!("{name} failed at its side{said}"),
            FailureKind::ContextOverflow => {
                format!("the conversation is longer than `{}` can take{said}", excerpt(model, None))
            }
            FailureKind::MissingKey
            | FailureKind::BadRequest
            | FailureKind::Connection
            | FailureKind::Malformed
            | FailureKind::Stalled
            | FailureKind::Empty
            | FailureKind::Limit
            | FailureKind::Storage
            | FailureKind::Other => format!("{name} refused the request{said}"),
        };
        let mut failure = Failure::new(kind, message, self.next_step(kind, host));
        failure.retry_after_ms = self.retry_after_ms;
        failure
    }

    fn kind(&self) -> FailureKind {
        if self.is_overflow() {
            return FailureKind::ContextOverflow;
        }
        if self.is_about_model() {
            return FailureKind::UnknownModel;
        }
        // Waiting brings no credit.
        if self.is_out_of_credit() {
            return FailureKind::BadRequest;
        }
        match self.status.unwrap_or_else(|| self.implied_status()) {
            401 | 403 => FailureKind::Unauthorized,
            413 => FailureKind::ContextOverflow,
            429 => FailureKind::RateLimited,
            503 | 529 => FailureKind::Overloaded,
            408 | 409 | 425 | 500.. => FailureKind::Server,
            _ => FailureKind::BadRequest,
        }
    }

    /// The status that an error amid a stream would have had; one that says nothing is the server's.
    fn implied_status(&self) -> u16 {
        const STATUS_OF_LABEL: [(&str, u16); 11] = [
            ("invalid_request_error", 400),
            ("authentication_error", 401),
            ("invalid_api_key", 401),
            ("billing_error", 402),
            ("permission_error", 403),
            ("not_found_error", 404),
            ("request_too_large", 413),
            ("rate_limit_error", 429),
            ("rate_limit_exceeded", 429),
            ("resource_exhausted", 429),
            ("overloaded_error", 529),
        ];
        let labeled = STATUS_OF_LABEL.iter().find(|(label, _)| self.has_label(label));
        labeled.map_or(500, |(_, status)| *status)
    }

    fn has_label(&self, label: &str) -> bool {
        self.labels.iter().any(|known| known == label)
    }

    /// A rate limit counts tokens too, so its words are not asked.
    fn is_overflow(&self) -> bool {
        let words = self.explanation.as_deref().unwrap_or_default().to_lowercase();
        self.status != Some(429)
            && !self.has_label("rate_limit_exceeded")
            && OVERFLOW_WORDS.iter().any(|pattern| words.contains(pattern) || self.has_label(pattern))
    }

    fn is_about_model(&self) -> bool {
        let words = self.explanation.as_deref().unwrap_or_default().to_lowercase();
        let missing = ["not found", "not exist", "invalid model", "unknown model", "not a valid model"];
        self.has_label("model_not_found")
            || (self.status == Some(404) || self.has_label("not_found_error")) && words.contains("model")
            || self.status == Some(400) && words.contains("model") && missing.iter().any(|word| words.contains(word))
    }

    fn is_out_of_credit(&self) -> bool {
        let words = self.explanation.as_deref().unwrap_or_default().to_lowercase();
        self.status == Some(402)
            || self.has_label("insufficient_quota")
            || self.has_label("billing_error")
            || words.contains("credit balance is too low")
    }

    /// The status, the provider's own words and the id under which its support finds the request.
    fn said(&self, host: &Host) -> String {
        let status = self.status.map(|status| {
            let reason = StatusCode::from_u16(status).ok().and_then(|known| known.canonical_reason());
            reason.map_or_else(|| status.to_string(), |reason| format!("{status} {reason}"))
        });
        let request = self.request_id.as_deref().map(|id| format!("request {}", excerpt(id, host.key())));
        let facts: Vec<String> = status.into_iter().chain(request).collect();
        let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
        match self.explanation.as_deref().map(|text| excerpt(text, host.key())).filter(|text| !text.is_empty()) {
            Some(text) => format!("{facts}: {}", text.trim_end_matches(['.', ' '])),
            None => facts,
        }
    }

    fn next_step(&self, kind: FailureKind, host: &Host) -> String {
        match kind {
            FailureKind::Unauthorized => format!("check the key in {}", host.key_variable()),
            FailureKind::UnknownModel => {
                "name another with `--model provider/id` or the setting models.main.model".to_owned()
            }
            FailureKind::ContextOverflow => {
                "begin a new session with `/new`, or use a model with a larger window".to_owned()
            }
            FailureKind::RateLimited | FailureKind::Overloaded | FailureKind::Server => {
                "send the prompt again in a while".to_owned()
            }
            FailureKind::MissingKey
            | FailureKind::BadRequest
            | FailureKind::Connection
            | FailureKind::Malformed
            | FailureKind::Stalled
            | FailureKind::Empty
            | FailureKind::Limit
            | FailureKind::Storage
            | FailureKind::Other => self.way_out(host),
        }
    }

    /// The next step after a request that will fail again as it is.
    fn way_out(&self, host: &Host) -> String {
        let is_astray = self.status.is_some_and(|status| status < 400 || status == 404 || status == 405);
        if self.is_out_of_credit() {
            "see to the account's credit, or use another model with `--model provider/id`".to_owned()
        } else if is_astray {
            format!("check {}: it was {} that answered", host.base_variable(), host.address())
        } else {
            "check the model and its settings, or use another model with `--model provider/id`".to_owned()
        }
    }
}

/// Makes foreign words fit into a sentence: one line, no control characters, no key, not too long.
fn excerpt(text: &str, key: Option<&Secret>) -> String {
    let text = match key.map(Secret::reveal).filter(|key| key.len() >= KEY_BYTES_MIN) {
        Some(key) => text.replace(key, "[key]"),
        None => text.to_owned(),
    };
    let printable: String = text.chars().map(|sign| if is_unprintable(sign) { ' ' } else { sign }).collect();
    let line = printable.split_whitespace().map(hide_key).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXPLANATION_CHARS_MAX) {
        Some(_) => line.chars().take(EXPLANATION_CHARS_MAX - 1).chain(['…']).collect(),
        None => line,
    }
}

/// Hides what looks like a key: some providers repeat it in parts, between asterisks.
fn hide_key(word: &str) -> &str {
    let bare = word.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    if bare.starts_with("sk-") { "[key]" } else { word }
}

fn is_unprintable(sign: char) -> bool {
    // Marks that turn the direction of text could make a sentence say something else.
    sign.is_control() || matches!(sign, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The words of a body that is no JSON; a web page has none for a person.
fn plain(body: &str) -> Option<String> {
    let body = body.trim();
    (!body.is_empty() && !body.starts_with('<')).then(|| body.to_owned())
}

/// Reads how long the server wants to be left alone: milliseconds, seconds or a date.
fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok().filter(|number| *number >= 0.0);
    if let Some(milliseconds) = number("retry-after-ms") {
        return Some(milliseconds as u64);
    }
    if let Some(seconds) = number(RETRY_AFTER.as_str()) {
        return Some((seconds * 1_000.0) as u64);
    }
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    // The server's own clock, where it is told, so that a wrong clock here does not matter.
    let now = date(DATE.as_str()).unwrap_or_else(SystemTime::now);
    let wait = date(RETRY_AFTER.as_str())?.duration_since(now).unwrap_or_default();
    Some(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX))
}
