//! What is made of what comes, streamed or whole.

use serde_json::{Value, json};
use toolwright_core::{Call, FinishReason, ModelErrorKind, ModelResponse, Usage};

use super::{
    block, called, event, hear, hear_whole, message, own, start, stop, stopped, text, thought,
};

const USAGE: Usage =
    Usage { prompt_tokens: 1072, completion_tokens: 57, cached_tokens: 1024, reasoning_tokens: 0 };

/// The reply that a stream brings; and the same, that a message with this content brings.
#[track_caller]
fn both(events: String, content: Value, reason: &str) -> ModelResponse {
    let streamed = hear(start() + &events + &stop(reason)).reply();
    assert_eq!(streamed, hear_whole(&message(content, reason)).reply(), "streamed and whole");
    assert_eq!(streamed.usage, USAGE);
    streamed
}

#[test]
fn thoughts_text_and_calls() {
    let events = thought(0, &["Check ", "both."], "EqoB-sig")
        + &text(1, &["I'll ", "check \"it\"\n", "é 🎉", "."])
        + &called(2, "toolu_1", "get_weather", &["", "{\"city\": \"Pu", "ne\"}"])
        + &called(3, "toolu_2", "now", &[]);
    let content = json!([
        {"type": "thinking", "thinking": "Check both.", "signature": "EqoB-sig"},
        {"type": "text", "text": "I'll check \"it\"\né 🎉."},
        {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Pune"}},
        {"type": "tool_use", "id": "toolu_2", "name": "now", "input": {}},
    ]);
    let streamed = hear(start() + &events + &stop("tool_use")).reply();
    let kept = json!({"thinking_blocks": [
        {"type": "thinking", "thinking": "Check both.", "signature": "EqoB-sig"},
    ]});
    let wanted = ModelResponse {
        text: "I'll check \"it\"\né 🎉.".into(),
        reasoning: "Check both.".into(),
        calls: vec![
            Call::new("toolu_1", "get_weather", "{\"city\": \"Pune\"}"),
            Call::new("toolu_2", "now", "{}"),
        ],
        finish: FinishReason::ToolCalls,
        usage: USAGE,
        model: None,
        extra: kept.as_object().cloned(),
    };
    assert_eq!(streamed, wanted);
    // Whole they are an object, and how a model wrote that is not told.
    let mut whole = hear_whole(&message(content, "tool_use")).reply();
    assert_eq!(whole.calls[0].arguments, "{\"city\":\"Pune\"}");
    whole.calls[0].arguments = wanted.calls[0].arguments.clone();
    assert_eq!(whole, wanted);
}

#[test]
fn whose_it_is_is_told_where_something_goes_back() {
    let heard = hear(start() + &thought(0, &[], "sig") + &text(1, &["Hi"]) + &stop("end_turn"));
    let reply = heard.end.unwrap();
    assert_eq!((reply.model.clone(), reply.reasoning.as_str()), (own("m"), ""));
    assert!(reply.extra.is_some(), "what is not shown is signed all the same");
    let heard = hear(start() + &text(0, &["Hi"]) + &stop("end_turn"));
    assert_eq!(heard.end.unwrap().model, None);
}

#[test]
fn where_thoughts_stood_between_others_is_kept() {
    let events = thought(0, &["One."], "s1")
        + &text(1, &["A."])
        + &called(2, "a", "f", &[])
        + &thought(3, &["Two."], "s2")
        + &block(4, json!({"type": "redacted_thinking", "data": "ZGF0YQ=="}), [])
        + &text(5, &["Bé"])
        + &called(6, "b", "f", &[]);
    let content = json!([
        {"type": "thinking", "thinking": "One.", "signature": "s1"},
        {"type": "text", "text": "A."},
        {"type": "tool_use", "id": "a", "name": "f", "input": {}},
        {"type": "thinking", "thinking": "Two.", "signature": "s2"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "text": "Bé"},
        {"type": "tool_use", "id": "b", "name": "f", "input": {}},
    ]);
    let reply = both(events, content, "tool_use");
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("A.Bé", "One.\n\nTwo."));
    let kept = json!([
        {"type": "thinking", "thinking": "One.", "signature": "s1"},
        {"type": "text", "length": 2},
        {"type": "tool_use"},
        {"type": "thinking", "thinking": "Two.", "signature": "s2"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "length": 3},
        {"type": "tool_use"},
    ]);
    assert_eq!(reply.extra.unwrap()["thinking_blocks"], kept);
}

#[test]
fn thoughts_that_nobody_signed_do_not_go_back() {
    let events = thought(0, &["Hm."], "") + &text(1, &["Hi"]);
    let content = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": ""}, {"type": "text", "text": "Hi"},
    ]);
    let reply = both(events, content, "end_turn");
    assert_eq!((reply.reasoning.as_str(), reply.extra), ("Hm.", None));
}

#[test]
fn why_it_stopped() {
    for (reason, finish) in [
        ("end_turn", FinishReason::Stop),
        ("stop_sequence", FinishReason::Stop),
        ("pause_turn", FinishReason::Stop),
        ("something_new", FinishReason::Stop),
        ("tool_use", FinishReason::ToolCalls),
        ("max_tokens", FinishReason::Length),
        ("model_context_window_exceeded", FinishReason::Length),
        ("refusal", FinishReason::ContentFilter),
    ] {
        let reply = both(text(0, &["Hi"]), json!([{"type": "text", "text": "Hi"}]), reason);
        assert_eq!((reply.finish, reply.text.as_str()), (finish, "Hi"), "{reason}");
    }
}

#[test]
fn a_refusal_in_words() {
    let details =
        json!({"type": "refusal", "category": null, "explanation": "I would rather not."});
    let delta = json!({"stop_reason": "refusal", "stop_details": details});
    let called = called(1, "a", "f", &["{}"]);
    let events = start() + &text(0, &["Well"]) + &called + &stopped(delta);
    let mut whole = message(
        json!([
            {"type": "text", "text": "Well"},
            {"type": "tool_use", "id": "a", "name": "f", "input": {}},
        ]),
        "refusal",
    );
    whole["stop_details"] = details;
    for reply in [hear(events).reply(), hear_whole(&whole).reply()] {
        assert_eq!(reply.finish, FinishReason::Refusal);
        assert_eq!(reply.text, "Well\n\nI would rather not.");
        assert_eq!(reply.calls, [], "what came before it is not to be used");
    }
}

#[test]
fn a_call_that_was_cut_is_no_call() {
    let cut = |pieces: &[&str]| {
        let events = start() + &called(0, "a", "f", &["{}"]) + &called(1, "b", "g", pieces);
        hear(events + &stop("max_tokens")).reply().calls
    };
    assert_eq!(cut(&["{\"x\": \"a"])[1].arguments, "{\"x\": \"a");
    assert_eq!(cut(&[])[1].arguments, "", "it may have been about to begin");
    assert_eq!(cut(&["{}"])[1].arguments, "{}", "all of it came");
    let whole = |input: Value, reason: &str| {
        let content = json!([
            {"type": "tool_use", "id": "a", "name": "f", "input": {"y": 1}},
            {"type": "tool_use", "id": "b", "name": "g", "input": input},
        ]);
        let calls = hear_whole(&message(content, reason)).reply().calls;
        assert_eq!(calls[0].arguments, "{\"y\":1}");
        calls[1].arguments.clone()
    };
    assert_eq!(whole(json!({"x": 1}), "max_tokens"), "{\"x\":1", "what was made of it");
    assert_eq!(whole(json!({}), "max_tokens"), "");
    assert_eq!(whole(json!({"x": 1}), "tool_use"), "{\"x\":1}");
}

#[test]
fn events_are_padded_with_blanks_and_come_in_any_order() {
    let pad = |events: String| events.replace("\n\n", "   \n\n").replace("}}", "} \t }");
    let events = pad(start() + &text(0, &["a", "b", "c", "d"]) + &stop("end_turn"));
    assert_eq!(hear(events).reply().text, "abcd");
    // Two blocks side by side, each piece with the number of its own.
    let begin = |index: u64, block: Value| {
        event(json!({"type": "content_block_start", "index": index, "content_block": block}))
    };
    let more = |index: u64, delta: Value| {
        event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
    };
    let piece = |it: &str| json!({"type": "input_json_delta", "partial_json": it});
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "f", "input": {}});
    let events = start()
        + &begin(0, call("a"))
        + &begin(7, call("b"))
        + &more(7, piece("{\"b\""))
        + &more(0, piece("{\"a\""))
        + &more(7, piece(":1}"))
        + &more(0, piece(":2}"))
        + &stop("tool_use");
    let calls = hear(events).reply().calls;
    assert_eq!(calls, [Call::new("a", "f", "{\"a\":2}"), Call::new("b", "f", "{\"b\":1}")]);
}

#[test]
fn what_is_not_known_is_passed_over() {
    let server_tool = json!({"type": "server_tool_use", "id": "s", "name": "web", "input": {}});
    let result = json!({"type": "web_search_tool_result", "content": [{"text": "no"}]});
    let query = json!({"type": "input_json_delta", "partial_json": "{\"q\":1}"});
    let cited = [
        json!({"type": "text_delta", "text": "Hi"}),
        json!({"type": "citations_delta", "citation": {"text": "no"}}),
        json!({"type": "text_delta", "text": " there"}),
        json!({"type": "new_delta", "text": "no"}),
    ];
    let events = start()
        + &event(json!({"type": "something_new", "text": "no", "delta": {"text": "no"}}))
        + &block(0, server_tool, [query])
        + &block(1, result, [json!({"type": "text_delta", "text": "no"})])
        + &block(2, json!({"type": "text", "text": "", "citations": []}), cited)
        + &event(json!({}))
        + &stop("end_turn");
    let reply = hear(events).reply();
    assert_eq!((reply.text.as_str(), reply.calls.len()), ("Hi there", 0));
}

#[test]
fn types_that_lie() {
    let wanted = |reply: ModelResponse| {
        assert_eq!(reply.text, "Hi");
        assert_eq!(reply.calls, [Call::new("a", "f", "{\"x\":1}")]);
        assert_eq!((reply.usage.prompt_tokens, reply.usage.completion_tokens), (7, 3));
    };
    let usage = json!({"input_tokens": "7", "output_tokens": 3.0, "cache_read_input_tokens": null});
    wanted(
        hear_whole(&json!({
            "role": "assistant", "usage": usage, "stop_reason": null, "stop_details": [],
            "content": [
                null, {"type": "text", "text": "Hi", "citations": null}, 7, "x",
                {"type": "tool_use", "id": "a", "name": "f", "input": "{\"x\":1}"},
            ],
        }))
        .reply(),
    );
    let delta = |index: Value, delta: Value| {
        event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
    };
    let call = json!({"type": "tool_use", "id": "a", "name": "f", "input": null});
    let events = event(json!({"type": "message_start", "message": null}))
        + &delta(json!("0"), json!({"type": "text_delta", "text": "Hi"}))
        + &delta(json!("0"), Value::Null)
        + &event(json!({"type": "content_block_start", "index": "1", "content_block": call}))
        + &delta(json!(1.0), json!({"type": "input_json_delta", "partial_json": {"x": 1}}))
        + &delta(Value::Null, json!({"type": "input_json_delta", "partial_json": null}))
        + &event(json!({"type": "content_block_stop"}))
        + &event(
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": usage}),
        );
    wanted(hear(events).reply());
    let said = hear_whole(&json!({"type": "message", "content": "Hi"})).reply();
    assert_eq!((said.text.as_str(), said.finish), ("Hi", FinishReason::Stop));
}

#[test]
fn half_a_letter_is_mended() {
    let half = "event: x\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":\
                {\"type\":\"text_delta\",\"text\":\"a\\ud83db\"}}\n\n";
    let events = start() + &text(0, &["-"]) + half + &stop("end_turn");
    assert_eq!(hear(events).reply().text, "-a\u{fffd}b");
}

#[test]
fn a_stream_that_stops_in_the_middle_is_broken() {
    let begun = start() + &text(0, &["Hi"]);
    for events in [start(), begun.clone(), begun.clone() + "data: {\"type\":\"mess"] {
        let error = hear(events).error();
        assert_eq!(error.kind, ModelErrorKind::BrokenReply);
    }
    // Why it stopped was said, and only the last word is missing.
    let end = stop("end_turn").replace("message_stop", "ping");
    assert_eq!(hear(begun.clone() + &end).reply().text, "Hi");
    // And behind the last word nothing counts.
    let behind = begun + &stop("end_turn") + &text(1, &["no"]) + "data: {{{\n\n";
    assert_eq!(hear(behind).reply().text, "Hi");
}

#[test]
fn data_that_is_no_json_as_documented_is_broken() {
    for data in ["{{{", "nothing", "[1]", "[]", "7", "null", "\"text\"", "{} {}"] {
        let heard = hear(format!("{}data: {data}\n\n{}", start(), stop("end_turn")));
        assert_eq!(heard.error().kind, ModelErrorKind::BrokenReply, "{data}");
    }
    for body in [json!({}), json!([]), json!(null), json!({"type": "ping"})] {
        assert_eq!(hear_whole(&body).error().kind, ModelErrorKind::BrokenReply, "{body}");
    }
}
