//! What goes wrong at the provider's side, and how it is told.

use protocol::{Failure, FailureKind, StopReason};

use crate::world::*;

#[tokio::test]
async fn a_rate_limit_keeps_the_wait_the_server_asks_for() {
    let mock = Mock::start();
    for wire in WIRES {
        let model = format!("{wire}/mock-large");
        let provider = provider_at(&mock.address);
        let answer = ask(&provider, request(&model, vec![user("mock:fail429,after=3")])).await;
        let mut failure = Failure::new(
            FailureKind::RateLimited,
            format!("{wire} limits the rate of requests (429 Too Many Requests): mock 429"),
            "send the prompt again in a while",
        );
        failure.retry_after_ms = Some(3_000);
        assert_eq!(answer, Answer { failure: Some(failure), ..Answer::default() });
        let again = ask(&provider, request(&model, vec![user("mock:fail429,after=3")])).await;
        assert_eq!(again.done.map(|(_, stop)| stop), Some(StopReason::EndTurn), "{wire}");
    }
}

#[tokio::test]
async fn a_wait_may_be_a_date_or_milliseconds() {
    let cases = [
        ("retry-after: Wed, 21 Oct 2015 07:28:30 GMT\r\ndate: Wed, 21 Oct 2015 07:28:00 GMT\r\n", Some(30_000)),
        ("retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n", Some(0)),
        ("retry-after-ms: 250\r\nretry-after: 9\r\n", Some(250)),
        ("retry-after: soon\r\n", None),
        ("retry-after: -4\r\n", None),
    ];
    for (headers, expected) in cases {
        let failure = failure_of(http("429 Too Many Requests", headers, "{}"), "openai/m").await;
        assert_eq!((failure.kind, failure.retry_after_ms), (FailureKind::RateLimited, expected), "{headers}");
    }
}

#[tokio::test]
async fn a_server_error_is_the_servers() {
    let mock = Mock::start();
    for wire in WIRES {
        let model = format!("{wire}/mock-large");
        let answer = ask(&provider_at(&mock.address), request(&model, vec![user("mock:fail500")])).await;
        let failure = Failure::new(
            FailureKind::Server,
            format!("{wire} failed at its side (500 Internal Server Error): mock 500"),
            "send the prompt again in a while",
        );
        assert_eq!(answer, Answer { failure: Some(failure), ..Answer::default() });
    }
}

#[tokio::test]
async fn a_reset_amid_the_answer_keeps_what_came_and_names_the_host() {
    let mock = Mock::start();
    for wire in WIRES {
        let model = format!("{wire}/mock-large");
        let answer = ask(&provider_at(&mock.address), request(&model, vec![user("mock:reset,at=12")])).await;
        let failure = Failure::new(
            FailureKind::Connection,
            format!("{} cut the connection amid its answer", mock.address),
            "send the prompt again",
        );
        let text = "This answer will be cut off by a reset This".to_owned();
        assert_eq!(answer, Answer { first_byte_count: 1, text, failure: Some(failure), ..Answer::default() });
    }
}

#[tokio::test]
async fn a_chunk_that_does_not_decode_breaks_the_answer_after_what_was_good() {
    let mock = Mock::start();
    for (wire, variable) in [("openai", "OPENAI_BASE_URL"), ("anthropic", "ANTHROPIC_BASE_URL")] {
        let model = format!("{wire}/mock-large");
        let answer = ask(&provider_at(&mock.address), request(&model, vec![user("mock:malformed")])).await;
        let failure = Failure::new(
            FailureKind::Malformed,
            format!("{wire} sent a chunk that cannot be decoded"),
            format!("send the prompt again; if it stays so, check {variable}"),
        );
        let text = "before the bad line ".to_owned();
        assert_eq!(answer, Answer { first_byte_count: 1, text, failure: Some(failure), ..Answer::default() });
    }
}

#[tokio::test]
async fn a_blank_answer_is_done_and_blank() {
    let mock = Mock::start();
    for wire in WIRES {
        let model = format!("{wire}/mock-large");
        let answer = ask(&provider_at(&mock.address), request(&model, vec![user("mock:empty")])).await;
        let done = Some((Some(Default::default()), StopReason::EndTurn));
        assert_eq!(answer.without_prompt_tokens(), Answer { first_byte_count: 1, done, ..Answer::default() }, "{wire}");
    }
}

#[tokio::test]
async fn an_answer_without_its_end_ends_without_done() {
    let chat = "data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\ndata: {\"choi";
    let messages =
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hal\"}}\n\n";
    for (model, stream) in [("openai/m", chat), ("anthropic/m", messages)] {
        let server = fixed(events(stream), Then::Close).await;
        let answer = ask(&provider_at(&server.address), request(model, vec![user("hi")])).await;
        assert_eq!(answer, Answer { first_byte_count: 1, text: "Hal".to_owned(), ..Answer::default() });
    }
}

#[tokio::test]
async fn a_refused_key_is_told_without_the_key() {
    let echo = format!("Incorrect API key provided: {KEY} also known as sk-pl****789.\u{202e}\u{1b}[31m");
    let body =
        serde_json::json!({"error": {"message": echo, "type": "invalid_request_error", "code": "invalid_api_key"}});
    let response = http("401 Unauthorized", "x-request-id: req_9\r\n", &body.to_string());
    let expected = Failure::new(
        FailureKind::Unauthorized,
        "openai does not accept the key (401 Unauthorized, request req_9): Incorrect API key provided: [key] also \
         known as [key] [31m",
        "check the key in OPENAI_API_KEY",
    );
    assert_eq!(failure_of(response, "openai/gpt-5").await, expected);

    let body = r#"{"type":"error","error":{"type":"permission_error","message":"not for you"},"request_id":"req_1"}"#;
    let expected = Failure::new(
        FailureKind::Unauthorized,
        "anthropic refuses access (403 Forbidden, request req_1): not for you",
        "check the key in ANTHROPIC_API_KEY",
    );
    assert_eq!(failure_of(http("403 Forbidden", "", body), "anthropic/m").await, expected);
}

#[tokio::test]
async fn an_unknown_model_is_told_as_such_and_a_wrong_address_as_that() {
    let next_step = "name another with `--model provider/id` or the setting models.main.model";
    let cases = [
        (
            "openai/gpt-0",
            r#"{"error":{"message":"The model `gpt-0` does not exist","code":"model_not_found"}}"#,
            "openai has no model `gpt-0` (404 Not Found): The model `gpt-0` does not exist",
        ),
        (
            "openai/gemma",
            r#"{"error":"model \"gemma\" not found, try pulling it first"}"#,
            "openai has no model `gemma` (404 Not Found): model \"gemma\" not found, try pulling it first",
        ),
        (
            "anthropic/claude-0",
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-0"}}"#,
            "anthropic has no model `claude-0` (404 Not Found): model: claude-0",
        ),
    ];
    for (model, body, message) in cases {
        let failure = failure_of(http("404 Not Found", "", body), model).await;
        assert_eq!(failure, Failure::new(FailureKind::UnknownModel, message, next_step));
    }
    let failure = failure_of(http("404 Not Found", "", "<html>nothing here</html>"), "openai/gpt-5").await;
    assert_eq!(failure.kind, FailureKind::BadRequest);
    assert!(failure.next_step.starts_with("check OPENAI_BASE_URL: it was 127.0.0.1:"), "{failure}");
}

#[tokio::test]
async fn a_provider_nobody_knows_is_named_with_the_ones_we_do() {
    let answer = ask(&provider_at("127.0.0.1:9"), request("mistral/large", vec![user("hi")])).await;
    let expected = Failure::new(
        FailureKind::UnknownModel,
        "no provider is called `mistral`",
        "name the model as openai/<id> or anthropic/<id>, with `--model` or the setting models.main.model",
    );
    assert_eq!(answer.failure, Some(expected));
}

#[tokio::test]
async fn case_97_the_overflow_words_of_every_server_are_known() {
    let cases = [
        (
            "openai/m",
            "400 Bad Request",
            r#"{"error":{"message":"Your input is over it","code":"context_length_exceeded"}}"#,
        ),
        (
            "openai/m",
            "400 Bad Request",
            r#"{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"}}"#,
        ),
        (
            "openai/m",
            "400 Bad Request",
            r#"{"object":"error","message":"The decoder prompt (length 9) is longer than the maximum model length of 8","code":400}"#,
        ),
        (
            "openai/m",
            "400 Bad Request",
            r#"{"error":{"code":400,"message":"request (9 tokens) exceeds the available context size (8 tokens), try increasing it","type":"exceed_context_size_error"}}"#,
        ),
        (
            "openai/m",
            "500 Internal Server Error",
            r#"{"error":"prompt too long; exceeded max context length by 4 tokens"}"#,
        ),
        (
            "anthropic/m",
            "400 Bad Request",
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"}}"#,
        ),
        (
            "anthropic/m",
            "400 Bad Request",
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000"}}"#,
        ),
        (
            "anthropic/m",
            "413 Payload Too Large",
            r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum allowed number of bytes"}}"#,
        ),
    ];
    for (model, status, body) in cases {
        let failure = failure_of(http(status, "", body), model).await;
        let next_step = "begin a new session with `/new`, or use a model with a larger window".to_owned();
        assert_eq!((failure.kind, failure.next_step), (FailureKind::ContextOverflow, next_step), "{body}");
    }
    let body = r#"{"error":{"message":"Request too large: reduce the length of the messages"}}"#;
    let failure = failure_of(http("429 Too Many Requests", "", body), "openai/m").await;
    assert_eq!(failure.kind, FailureKind::RateLimited);
}

#[tokio::test]
async fn other_refusals_are_sorted_by_who_must_act() {
    let cases = [
        ("529 ", "", FailureKind::Overloaded),
        (
            "503 Service Unavailable",
            r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
            FailureKind::Overloaded,
        ),
        ("502 Bad Gateway", "<html>502</html>", FailureKind::Server),
        ("408 Request Timeout", "", FailureKind::Server),
        ("402 Payment Required", "{}", FailureKind::BadRequest),
        (
            "429 Too Many Requests",
            r#"{"error":{"message":"quota","code":"insufficient_quota"}}"#,
            FailureKind::BadRequest,
        ),
        ("400 Bad Request", r#"{"error":{"message":"no"}}"#, FailureKind::BadRequest),
        ("307 Temporary Redirect", "", FailureKind::BadRequest),
        ("200 OK", "<html>log in first</html>", FailureKind::BadRequest),
    ];
    for (status, body, kind) in cases {
        let response = http(status, "content-type: text/html\r\nlocation: http://127.0.0.1:9/\r\n", body);
        assert_eq!(failure_of(response, "openai/m").await.kind, kind, "{status} {body}");
    }
}

#[tokio::test]
async fn the_providers_own_words_are_quoted_in_one_line_and_cut() {
    let body = serde_json::json!({"error": {"message": format!("first\n\tsecond {}", "x".repeat(1_000))}});
    let failure = failure_of(http("400 Bad Request", "", &body.to_string()), "openai/m").await;
    let quoted = format!("first second {}…", "x".repeat(300 - "first second …".chars().count()));
    assert_eq!(failure.message, format!("openai refused the request (400 Bad Request): {quoted}"));
}

#[tokio::test]
async fn an_error_amid_the_stream_is_sorted_like_one_before_it() {
    let cases = [
        (
            "anthropic/m",
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            FailureKind::Overloaded,
        ),
        ("anthropic/m", r#"{"type":"error","error":{"type":"api_error","message":"Internal"}}"#, FailureKind::Server),
        ("openai/m", r#"{"error":{"message":"slow down","type":"rate_limit_exceeded"}}"#, FailureKind::RateLimited),
        ("openai/m", r#"{"error":{"message":"upstream","code":502}}"#, FailureKind::Server),
        (
            "openai/m",
            r#"{"error":{"message":"context","type":"exceed_context_size_error","code":400}}"#,
            FailureKind::ContextOverflow,
        ),
    ];
    for (model, error, kind) in cases {
        let server = fixed(events(&format!("event: error\ndata: {error}\n\n")), Then::Close).await;
        let answer = ask(&provider_at(&server.address), request(model, vec![user("hi")])).await;
        let failed = answer.failure.as_ref().map(|failure| failure.kind);
        assert_eq!((failed, answer.done), (Some(kind), None), "{error}");
    }
}
