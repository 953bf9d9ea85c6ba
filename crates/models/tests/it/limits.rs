//! More than any reply has reason to hold is refused.

use serde_json::json;
use toolwright_core::{ModelDelta, ModelErrorKind};
use toolwright_testkit as testkit;

use crate::support::{DONE, Heard, called, delta, in_runtime, said, served, stopped};

const MIB: usize = 1 << 20;

fn stream(events: impl Into<Vec<u8>>) -> Heard {
    in_runtime(served(testkit::Reply::raw_sse(events), true))
}

#[track_caller]
fn refused(heard: Heard, wanted: &str) {
    let error = heard.error();
    assert_eq!(error.kind, ModelErrorKind::BrokenReply);
    assert!(error.message.contains(wanted), "{error}");
}

#[test]
fn a_line_of_ten_megabytes() {
    refused(stream(said(&"x".repeat(10 * MIB)) + &stopped("stop") + DONE), "longer than 8 MiB");
    refused(stream(format!(": {}\n\n{DONE}", "x".repeat(10 * MIB))), "longer than 8 MiB");
    let lines = format!("data: {}\n", "x".repeat(MIB)).repeat(10);
    refused(stream(lines), "longer than 8 MiB");
}

#[test]
fn five_hundred_calls() {
    let call = |index: usize| json!({"index": index, "id": format!("{index}"), "function": {"name": "f", "arguments": "{}"}});
    let events: String = (0..500).map(|it| delta(json!({"tool_calls": [call(it)]}))).collect();
    refused(stream(events + DONE), "more calls than");
    let calls: Vec<_> = (0..500).map(call).collect();
    let body = json!({"choices": [{"message": {"tool_calls": calls}}]});
    refused(in_runtime(served(testkit::Reply::json(body), false)), "more calls than");
}

#[test]
fn two_megabytes_of_arguments() {
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(2 * MIB));
    let piece = |arguments: serde_json::Value| {
        delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": arguments}}]}),
        )
    };
    refused(stream(piece(json!(long)) + DONE), "more text than");
    refused(stream(piece(json!({"x": "x".repeat(2 * MIB)})) + DONE), "more text than");
    refused(stream(piece(json!("{\"x\":")) + &piece(json!(long)) + DONE), "more text than");
    let many = piece(json!("x".repeat(MIB / 8))).repeat(16);
    refused(stream(many + DONE), "more text than");
}

#[test]
fn much_but_not_too_much() {
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(MIB / 2));
    let calls = json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": long}}]);
    let events = delta(json!({"tool_calls": calls})) + &stopped("tool_calls") + DONE;
    assert_eq!(stream(events).reply(), called([("a", "f", &long)]));
    let words = "word ".repeat(MIB);
    let heard = stream(said(&words) + &stopped("stop") + DONE);
    assert_eq!(heard.reply().text, words);
}

#[test]
fn a_body_of_forty_megabytes() {
    let body = format!("{{\"choices\":[],\"x\":\"{}\"}}", "x".repeat(40 * MIB));
    let reply = testkit::Reply::status(200).body(body);
    refused(in_runtime(served(reply, false)), "longer than 32 MiB");
}

#[test]
fn text_without_end() {
    let events = said(&"x".repeat(MIB)).repeat(20);
    let heard = stream(events);
    let [ModelDelta::Text(text)] = heard.parts.as_slice() else { panic!("only text") };
    assert_eq!(text.len(), 16 * MIB);
    refused(heard, "more text than");
}
