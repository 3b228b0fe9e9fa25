//! The connection: when it is made, how it fails, and that it ends with the stream.

use std::time::Duration;

use futures::StreamExt;
use ports::Provider;
use protocol::{Chunk, Failure, FailureKind};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::world::*;

/// Far longer than a loopback connection needs, so that only a missing event runs into it.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_refused_connection_names_the_host_and_what_to_check() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    drop(listener);
    for (wire, variable) in [("openai", "OPENAI_BASE_URL"), ("anthropic", "ANTHROPIC_BASE_URL")] {
        let answer = ask(&provider_at(&address), request(&format!("{wire}/m"), vec![user("hi")])).await;
        let failure = Failure::new(
            FailureKind::Connection,
            format!("{address} refused the connection"),
            format!("check that the server runs, the network, and {variable}"),
        );
        assert_eq!(answer, Answer { failure: Some(failure), ..Answer::default() });
    }
}

#[tokio::test]
async fn a_server_that_closes_without_an_answer_is_a_connection_failure() {
    let failure = failure_of(String::new(), "openai/m").await;
    assert_eq!(failure.kind, FailureKind::Connection);
    assert!(failure.message.ends_with(" closed the connection without an answer"), "{failure}");
}

#[tokio::test]
async fn a_hosted_model_needs_its_key_and_a_local_one_does_not() {
    for (model, variable) in [("openai/gpt-5", "OPENAI_API_KEY"), ("anthropic/m", "ANTHROPIC_API_KEY")] {
        let answer = ask(&provider_with(&[]), request(model, vec![user("hi")])).await;
        let provider = model.split('/').next().expect("a provider");
        let expected = Failure::new(
            FailureKind::MissingKey,
            format!("{provider} needs a key and {variable} is not set"),
            format!("set {variable} and start eukhe again"),
        );
        assert_eq!(answer.failure, Some(expected));
    }
    let mock = Mock::start();
    let local = provider_with(&[("OPENAI_BASE_URL", format!("http://{}", mock.address))]);
    let answer = ask(&local, request("openai/m", vec![user("mock:short")])).await;
    assert_eq!(answer.text, "A short reply: short-answer-done.");
    assert!(local.is_local(&"openai/m".parse().expect("a model")));
    assert!(!local.is_local(&"anthropic/m".parse().expect("a model")));
}

#[tokio::test]
async fn a_local_server_that_does_want_a_key_is_told_by_the_variable() {
    let server = fixed(http("401 Unauthorized", "", "{}"), Then::Close).await;
    let provider = provider_with(&[("OPENAI_BASE_URL", format!("http://{}", server.address))]);
    let failure = ask(&provider, request("openai/m", vec![user("hi")])).await.failure.expect("a failure");
    assert_eq!(
        (failure.kind, failure.next_step.as_str()),
        (FailureKind::MissingKey, "set OPENAI_API_KEY and start eukhe again")
    );
}

#[tokio::test]
async fn an_address_that_is_none_is_told_by_its_variable() {
    let provider = provider_with(&[("OPENAI_BASE_URL", format!("user:{KEY}@nowhere"))]);
    let answer = ask(&provider, request("openai/m", vec![user("hi")])).await;
    let expected = Failure::new(
        FailureKind::BadRequest,
        "OPENAI_BASE_URL holds no http address",
        "set it to one, such as https://api.openai.com/v1, and start eukhe again",
    );
    assert_eq!(answer.failure, Some(expected));
}

#[tokio::test]
async fn the_first_byte_is_the_servers_and_not_the_head() {
    let mut server = fixed(events(""), Then::Hold).await;
    let provider = provider_at(&server.address);
    let mut stream = provider.stream(request("openai/m", vec![user("hi")]));
    tokio::select! {
        _ = &mut server.request => {}
        chunk = stream.next() => panic!("{chunk:?} came before anything was sent"),
    }
    // The head has been written by now or will be at once; nothing else ever is.
    assert!(timeout(Duration::from_millis(200), stream.next()).await.is_err());
    drop(stream);
    timeout(PATIENCE, server.closed).await.expect("in time").expect("the connection closes with the stream");
}

#[tokio::test]
async fn a_slow_server_is_waited_for() {
    let mock = Mock::start();
    let answer = ask(&provider_at(&mock.address), request("openai/m", vec![user("mock:slow,s=1")])).await;
    assert_eq!((answer.first_byte_count, answer.text.as_str()), (1, "A short reply: short-answer-done."));
}

#[tokio::test]
async fn a_dropped_stream_closes_its_connection_amid_the_answer() {
    for (model, event) in [
        ("openai/m", r#"{"choices":[{"delta":{"content":"Hello"}}]}"#),
        ("anthropic/m", r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#),
    ] {
        let server = fixed(events(&format!("data: {event}\n\n")), Then::Hold).await;
        let provider = provider_at(&server.address);
        let mut stream = provider.stream(request(model, vec![user("hi")]));
        let first = [stream.next().await, stream.next().await];
        assert_eq!(first, [Some(Ok(Chunk::FirstByte)), Some(Ok(Chunk::Text("Hello".to_owned())))]);
        drop(stream);
        timeout(PATIENCE, server.closed).await.expect("in time").expect("the connection closes with the stream");
    }
}

#[tokio::test]
async fn a_stream_dropped_before_any_answer_closes_its_connection_too() {
    let mut server = fixed("", Then::Hold).await;
    let mut stream = provider_at(&server.address).stream(request("openai/m", vec![user("hi")]));
    tokio::select! {
        _ = &mut server.request => {}
        chunk = stream.next() => panic!("{chunk:?} came before anything was sent"),
    }
    drop(stream);
    timeout(PATIENCE, server.closed).await.expect("in time").expect("the connection closes with the stream");
}

#[tokio::test]
async fn nothing_is_sent_before_the_stream_is_polled() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    drop(provider_at(&address).stream(request("openai/m", vec![user("hi")])));
    let ours = TcpStream::connect(&address).await.expect("a connection");
    let (_, first) = listener.accept().await.expect("a client");
    assert_eq!(first, ours.local_addr().expect("an address"));
}

#[tokio::test]
async fn a_key_that_no_header_can_carry_is_told_by_its_variable() {
    let provider = provider_with(&[("OPENAI_API_KEY", format!("{KEY}\nand more"))]);
    let failure = ask(&provider, request("openai/m", vec![user("hi")])).await.failure.expect("a failure");
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Unauthorized, "OPENAI_API_KEY holds signs that no key has")
    );
}
