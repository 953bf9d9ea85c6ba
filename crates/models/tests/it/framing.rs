//! Streams as they are framed: line ends, comments, marks, ends.

use serde_json::json;
use toolwright_core::{ModelErrorKind, ModelResponse, Usage};
use toolwright_testkit::{self as testkit, Chunking};

use crate::support::{DONE, delta, event, hear, in_runtime, said, served, stopped, streamed, text};

#[test]
fn every_line_end() {
    let events = said("größer ") + &said("日本 🎉") + &stopped("stop") + DONE;
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(streamed(events.replace('\n', end)), text("größer 日本 🎉"), "{end:?}");
    }
}

#[test]
fn a_byte_order_mark() {
    let events = said("a") + &stopped("stop") + DONE;
    assert_eq!(streamed(format!("\u{feff}{events}")), text("a"));
}

#[test]
fn comments_and_other_fields() {
    let noise = ": OPENROUTER PROCESSING\n\n: keep-alive\n:\n\nevent: message\nid: 7\nretry: 10\n";
    let events = [said("a"), said("b"), stopped("stop"), DONE.to_owned()];
    let events: String = events.iter().map(|event| format!("{noise}{event}")).collect();
    assert_eq!(streamed(events + noise), text("ab"));
}

#[test]
fn data_without_a_space_and_over_several_lines() {
    let events = (said("a") + &stopped("stop") + DONE).replace("data: ", "data:");
    assert_eq!(streamed(events), text("a"));
    let several = "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}\ndata:\ndata:}]}\n\n";
    assert_eq!(streamed(several.to_owned() + &stopped("stop") + DONE), text("a"));
}

#[test]
fn blank_lines_everywhere() {
    let events = said("a") + &stopped("stop") + DONE;
    assert_eq!(streamed(format!("\n\n{}\n\n\n", events.replace("\n\n", "\n\n\n\n"))), text("a"));
    assert_eq!(streamed(format!("data:\n\ndata: \n\n{events}")), text("a"));
}

#[test]
fn ends_of_every_kind() {
    let finished = said("a") + &stopped("stop");
    assert_eq!(streamed(&finished), text("a"), "no [DONE]");
    assert_eq!(streamed(finished.trim_end()), text("a"), "no blank line");
    assert_eq!(streamed(said("a") + DONE), text("a"), "no reason");
    assert_eq!(streamed((said("a") + DONE).trim_end()), text("a"), "no reason, no blank line");
    let late = said("late") + &event(&json!({"error": {"message": "late"}})) + "{{{" + DONE;
    assert_eq!(streamed(finished + DONE + &late), text("a"), "more after [DONE]");
}

#[test]
fn a_stream_that_just_stops_is_broken() {
    let calls = json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]);
    for events in [
        String::new(),
        ": keep-alive\n\n".to_owned(),
        said("a"),
        said("a").trim_end().to_owned(),
        said("a") + &event(&json!({"choices": [], "usage": {"prompt_tokens": 1}})),
        delta(json!({"tool_calls": calls})),
    ] {
        let error = hear(&events).error();
        assert_eq!(error.kind, ModelErrorKind::BrokenReply, "{events}");
        assert_eq!(error.message, "the model's reply broke off: it stopped in the middle");
    }
}

#[test]
fn openings_that_repeat_or_change() {
    let chunk = |opening: &str, text: &str| {
        format!("data: {{{opening}\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    let openings = [
        r#""id":"1","model":"m","#,
        r#""id":"1","model":"m","#,
        r#""id":"2","model":"m","#,
        "",
        r#""id":"2","model":"m","usage":null,"#,
        r#""id":"2","usage":{"prompt_tokens":7},"#,
        r#""id":"2","note":",\"choices\":","#,
        r#""id":"2","note":",\"choices\":","#,
        r#""choices":[],"#,
        r#""id":"1","model":"m","#,
        " \"id\" : \"1\", ",
    ];
    let letters = "abcdefghijk";
    let events: String = openings
        .iter()
        .zip(letters.split_terminator("").skip(1))
        .map(|(it, l)| chunk(it, l))
        .collect();
    let usage = Usage { prompt_tokens: 7, ..Usage::default() };
    let wanted = ModelResponse { usage, ..text(letters) };
    assert_eq!(streamed(events.clone() + &stopped("stop") + DONE), wanted);
    // What comes in the place of choices is read.
    let error = r#"data: {"id":"1","model":"m","error":{"message":"boom"},"choices":[]}"#;
    assert!(hear(events + error + "\n\n" + DONE).error().message.ends_with("boom"));
}

#[test]
fn a_stream_without_any_message_is_broken() {
    for events in [DONE.to_owned(), event(&json!({"choices": []})) + DONE] {
        assert_eq!(hear(events).error().kind, ModelErrorKind::BrokenReply);
    }
}

#[test]
fn an_unfinished_line_after_the_reason_to_stop_does_no_harm() {
    let finished = said("a") + &stopped("stop");
    assert_eq!(streamed(finished.clone() + "data: [DO"), text("a"));
    assert_eq!(streamed(finished + "data: {\"choices\":[],\"usa"), text("a"));
}

#[test]
fn a_reason_to_stop_in_an_unfinished_line_is_none() {
    let last = r#"data: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop""#;
    assert_eq!(hear(said("a") + last).error().kind, ModelErrorKind::BrokenReply);
}

#[test]
fn letters_may_be_cut_anywhere() {
    let events = said("é日🎉") + &said("\u{0}\u{7f}\u{2028}\\\"") + &stopped("stop") + DONE;
    // `hear` cuts the same bytes at each of them.
    assert_eq!(streamed(events), text("é日🎉\u{0}\u{7f}\u{2028}\\\""));
}

#[test]
fn bytes_that_are_no_letters_are_replaced() {
    let mut events = said("a?b").into_bytes();
    let at = events.iter().position(|byte| *byte == b'?').unwrap();
    events[at] = 0xff;
    events.extend_from_slice((stopped("stop") + DONE).as_bytes());
    assert_eq!(streamed(events), text("a\u{fffd}b"));
}

#[test]
fn a_stream_without_a_content_type_is_read_as_what_was_asked_for() {
    let events = said("a") + &stopped("stop") + DONE;
    in_runtime(async {
        for kind in ["text/event-stream; charset=utf-8", "text/plain", "application/octet-stream"] {
            let reply = testkit::Reply::raw_sse(events.as_str()).header("content-type", kind);
            assert_eq!(served(reply, true).await.reply(), text("a"), "{kind}");
            let body = json!({"choices": [{"message": {"content": "a"}}]}).to_string();
            let reply = testkit::Reply::raw_sse(body).header("content-type", kind);
            if !kind.contains("event") {
                assert_eq!(served(reply, false).await.reply(), text("a"), "{kind}");
            }
        }
    });
}

#[test]
fn comments_and_blank_lines_before_a_whole_completion() {
    let body = json!({"choices": [{"message": {"content": "a"}}]});
    in_runtime(async {
        for before in ["\n\n\n", ": keep-alive\n\n: keep-alive\n\n", "\r\n: ping\r\n", "\u{feff}"] {
            for chunking in [Chunking::Whole, Chunking::OneByte] {
                let reply = testkit::Reply::status(200).body(format!("{before}{body}\n"));
                let heard = served(reply.chunking(chunking), false).await;
                assert_eq!(heard.reply(), text("a"), "{before:?}");
            }
        }
    });
}

#[test]
fn a_whole_completion_that_is_none() {
    let broken = |heard: Result<ModelResponse, _>, what: &str| {
        let error: toolwright_core::ModelError = heard.expect_err(what);
        assert_eq!(error.kind, ModelErrorKind::BrokenReply, "{what}");
    };
    in_runtime(async {
        for body in ["", "{", "null", "[]", "7", "<html>", "{}", r#"{"choices":[]}"#] {
            for stream in [false, true] {
                let reply = testkit::Reply::status(200).body(body);
                broken(served(reply, stream).await.end, body);
            }
        }
    });
}
