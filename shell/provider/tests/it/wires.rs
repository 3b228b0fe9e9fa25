//! Whole conversations over both wires, against the mock server and recorded streams.

use protocol::{Block, Message, Stamp, StopReason, ToolCallId, Usage};
use serde_json::{Value, json};

use crate::world::*;

fn done(output: u64, stop: StopReason) -> Option<(Option<Usage>, StopReason)> {
    Some((Some(Usage { output, ..Usage::default() }), stop))
}

fn call_id() -> ToolCallId {
    Stamp { at_ms: 0, seed: 1 }.ids().make()
}

#[tokio::test]
async fn a_short_answer_comes_whole() {
    let mock = Mock::start();
    for wire in WIRES {
        let model = format!("{wire}/mock-large");
        let answer = ask(&provider_at(&mock.address), request(&model, vec![user("mock:short,id=7")])).await;
        let expected = Answer {
            first_byte_count: 1,
            text: "A short reply: short-answer-done7.".to_owned(),
            done: done(10, StopReason::EndTurn),
            ..Answer::default()
        };
        assert_eq!(answer.without_prompt_tokens(), expected, "{wire}");
    }
}

#[tokio::test]
async fn a_long_answer_loses_not_a_byte() {
    let mock = Mock::start();
    for wire in WIRES {
        let model = format!("{wire}/mock-large");
        let provider = provider_at(&mock.address);
        let answer = ask(&provider, request(&model, vec![user("mock:long,tokens=3000,rate=0")])).await;
        let record = mock.requests().await.pop().expect("a request");
        let marks = |letter: &str| answer.text.matches(letter).count() as u64;
        assert_eq!(Some(answer.text.len() as u64), record["reply_bytes"].as_u64(), "{wire}");
        assert_eq!((Some(marks("bq")), Some(marks("zq"))), (record["marks"].as_u64(), record["marks"].as_u64()));
        assert_eq!(answer.done.map(|(_, stop)| stop), Some(StopReason::EndTurn));
    }
}

#[tokio::test]
async fn a_call_comes_whole_and_its_result_goes_back() {
    for wire in WIRES {
        let (mock, model) = (Mock::start(), format!("{wire}/mock-large"));
        let provider = provider_at(&mock.address);
        let mut messages = vec![user("mock:tool,n=1,cmd=echo+hi")];
        let answer = ask(&provider, request(&model, messages.clone())).await;
        let id = if wire == "openai" { "call_mock000001_0" } else { "toolu_mock000001_1" };
        let arguments = r#"{"command": "echo hi"}"#;
        let expected = Answer {
            first_byte_count: 1,
            text: "Running a command.".to_owned(),
            calls: vec![(0, id.to_owned(), "bash".to_owned(), arguments.to_owned())],
            done: done(1, StopReason::ToolUse),
            ..Answer::default()
        };
        assert_eq!(answer.without_prompt_tokens(), expected, "{wire}");

        messages.extend(call_and_result(id, arguments));
        let answer = ask(&provider, request(&model, messages)).await;
        assert_eq!(answer.text, "The command has run. tool-answer-done", "{wire}");
        let sent = mock.requests().await.pop().expect("a request")["body"]["messages"].clone();
        assert_eq!(sent, sent_messages(wire, id), "{wire}");
    }
}

fn call_and_result(id: &str, arguments: &str) -> [Message; 2] {
    let (call, name) = (call_id(), "bash".to_owned());
    let calls =
        Block::ToolUse { call, provider_id: id.to_owned(), name: name.clone(), arguments: arguments.to_owned() };
    let blocks = vec![Block::text("Running a command."), calls];
    let (provider_id, text) = (id.to_owned(), "hi\n".to_owned());
    [Message::Assistant { blocks }, Message::ToolResult { call, provider_id, name, text, is_error: false }]
}

fn sent_messages(wire: &str, id: &str) -> Value {
    let prompt = "mock:tool,n=1,cmd=echo+hi";
    if wire == "openai" {
        let function = json!({"name": "bash", "arguments": r#"{"command":"echo hi"}"#});
        return json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": prompt},
            {"role": "assistant", "content": "Running a command.",
             "tool_calls": [{"id": id, "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": id, "content": "hi\n"},
        ]);
    }
    json!([
        {"role": "user", "content": [{"type": "text", "text": prompt}]},
        {"role": "assistant", "content": [
            {"type": "text", "text": "Running a command."},
            {"type": "tool_use", "id": id, "name": "bash", "input": {"command": "echo hi"}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": "hi\n", "is_error": false,
             "cache_control": {"type": "ephemeral"}},
        ]},
    ])
}

#[tokio::test]
async fn thoughts_come_apart_from_the_text_and_anthropics_with_their_signature() {
    let mock = Mock::start();
    for (wire, signatures) in [("openai", vec![]), ("anthropic", vec!["bW9jaw==".to_owned()])] {
        let model = format!("{wire}/mock-large");
        let answer = ask(&provider_at(&mock.address), request(&model, vec![user("mock:short,think=20")])).await;
        let expected = Answer {
            first_byte_count: 1,
            text: "A short reply: short-answer-done.".to_owned(),
            thinking: "the parser keeps a stack of open blocks and each new line either continue".to_owned(),
            signatures,
            done: done(10, StopReason::EndTurn),
            ..Answer::default()
        };
        assert_eq!(answer.without_prompt_tokens(), expected, "{wire}");
    }
}

/// Cut fine on purpose: signature and arguments in pieces, a hidden thought, two calls, the cache's counts.
const ANTHROPIC_STREAM: &str = r#"
{"type":"message_start","message":{"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"output_tokens":1}}}
{"type":"ping"}
{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}
{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}
{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"bmVk"}}
{"type":"content_block_stop","index":0}
{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"ZW5j"}}
{"type":"content_block_stop","index":1}
{"type":"something_new","index":1}
{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"bash","input":{}}}
{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}
{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"ls\"}"}}
{"type":"content_block_stop","index":2}
{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_2","name":"list","input":{}}}
{"type":"content_block_stop","index":3}
{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":42}}
{"type":"message_stop"}
"#;

fn as_events(lines: &str) -> String {
    lines.trim().lines().map(|line| format!("data: {line}\n\n")).collect()
}

#[tokio::test]
async fn an_anthropic_stream_gives_signatures_calls_and_cache_counts_as_they_are() {
    let server = fixed(events(&as_events(ANTHROPIC_STREAM)), Then::Close).await;
    let answer = ask(&provider_at(&server.address), request("anthropic/m", vec![user("hi")])).await;
    let usage = Usage { input: 10, output: 42, cache_read: 30, cache_write: 20 };
    let call =
        |index, id: &str, name: &str, arguments: &str| (index, id.to_owned(), name.to_owned(), arguments.to_owned());
    let expected = Answer {
        first_byte_count: 1,
        thinking: "Hm".to_owned(),
        signatures: vec!["c2lnbmVk".to_owned(), "redacted:ZW5j".to_owned()],
        calls: vec![call(0, "toolu_1", "bash", r#"{"command":"ls"}"#), call(1, "toolu_2", "list", "{}")],
        done: Some((Some(usage), StopReason::ToolUse)),
        ..Answer::default()
    };
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn signed_thoughts_go_back_verbatim_and_what_anthropic_refuses_stays_here() {
    let thinking = |text: &str, signature: Option<&str>| Block::Thinking {
        text: text.to_owned(),
        signature: signature.map(str::to_owned),
    };
    let call = |arguments: &str| Block::ToolUse {
        call: call_id(),
        provider_id: "functions.bash:0".to_owned(),
        name: "bash".to_owned(),
        arguments: arguments.to_owned(),
    };
    let blocks = vec![
        thinking("unsigned", None),
        thinking(" as it was\n", Some("c2ln")),
        thinking("", Some("redacted:ZW5j")),
        Block::text(" \n"),
        call("not JSON"),
    ];
    let result = Message::ToolResult {
        call: call_id(),
        provider_id: "functions.bash:0".to_owned(),
        name: "bash".to_owned(),
        text: "no".to_owned(),
        is_error: true,
    };
    let ends_in_thought = vec![Block::text("So."), thinking("cut", Some("c2ln"))];
    let messages = vec![
        user("a"),
        Message::Assistant { blocks },
        result,
        user("b"),
        Message::Assistant { blocks: ends_in_thought },
        user("c"),
    ];
    let server = fixed(events(""), Then::Close).await;
    ask(&provider_at(&server.address), request("anthropic/claude-3-5-haiku", messages)).await;
    let sent = server.request.await.expect("a request");
    let (head, body) = sent.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.contains(&format!("x-api-key: {KEY}")) && head.contains("anthropic-version: 2023-06-01"), "{head}");
    let expected = json!({
        "model": "claude-3-5-haiku",
        "max_tokens": 8192,
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a"}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": " as it was\n", "signature": "c2ln"},
                {"type": "redacted_thinking", "data": "ZW5j"},
                {"type": "tool_use", "id": "functions_bash_0", "name": "bash", "input": {"arguments": "not JSON"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "functions_bash_0", "content": "no", "is_error": true},
                {"type": "text", "text": "b"},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "So."}]},
            {"role": "user", "content": [{"type": "text", "text": "c", "cache_control": {"type": "ephemeral"}}]},
        ],
        "stream": true,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": "bash", "description": "Runs a command.", "input_schema": {
            "type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}],
    });
    assert_eq!(serde_json::from_str::<Value>(body).expect("JSON"), expected);
}

/// What servers that speak this wire do differently: no number for a call, `stop` for a call, no `[DONE]`.
const CHAT_STREAM: &str = r#"
{"choices":[{"delta":{"role":"assistant","content":null,"reasoning":"Hm"},"finish_reason":null}],"usage":null}
{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]}}]}
{"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"list"}}]}}]}
{"choices":[{"delta":{},"finish_reason":"stop"}]}
{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}}
"#;

#[tokio::test]
async fn a_chat_stream_of_a_careless_server_is_understood() {
    let server = fixed(events(&as_events(CHAT_STREAM)), Then::Close).await;
    let answer = ask(&provider_at(&server.address), request("openai/m", vec![user("hi")])).await;
    let usage = Usage { input: 40, output: 7, cache_read: 60, cache_write: 0 };
    let expected = Answer {
        first_byte_count: 1,
        thinking: "Hm".to_owned(),
        calls: vec![
            (0, "a".to_owned(), "bash".to_owned(), r#"{"command":"ls"}"#.to_owned()),
            (1, "b".to_owned(), "list".to_owned(), "{}".to_owned()),
        ],
        done: Some((Some(usage), StopReason::ToolUse)),
        ..Answer::default()
    };
    assert_eq!(answer, expected);
    let sent = server.request.await.expect("a request");
    assert!(sent.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{sent}");
    assert!(sent.contains(&format!("authorization: Bearer {KEY}")), "{sent}");
}

#[tokio::test]
async fn every_stop_is_told_in_our_words() {
    let chat = |reason: &str| format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{reason}"}}]}}"#);
    let messages = |reason: &str| format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}"}}}}"#);
    let cases = [
        ("openai/m", chat("stop"), StopReason::EndTurn),
        ("openai/m", chat("length"), StopReason::Length),
        ("openai/m", chat("content_filter"), StopReason::Refusal),
        ("openai/m", chat("something_new"), StopReason::Other),
        ("anthropic/m", messages("end_turn"), StopReason::EndTurn),
        ("anthropic/m", messages("max_tokens"), StopReason::Length),
        ("anthropic/m", messages("refusal"), StopReason::Refusal),
        ("anthropic/m", messages("pause_turn"), StopReason::Other),
    ];
    for (model, event, stop) in cases {
        let server = fixed(events(&as_events(&event)), Then::Close).await;
        let answer = ask(&provider_at(&server.address), request(model, vec![user("hi")])).await;
        assert_eq!(answer.done, Some((None, stop)), "{event}");
    }
}
