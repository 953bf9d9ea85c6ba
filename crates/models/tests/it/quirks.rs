//! Messages, reasons to stop and costs in every form servers send them.

use serde_json::{Value, json};
use toolwright_core::{FinishReason, ModelDelta, ModelResponse, Usage};

use crate::support::{
    DONE, call_events, called, choice, delta, event, hear, hear_whole, said, stopped, streamed,
    text, whole,
};

fn stop() -> String {
    stopped("stop") + DONE
}

#[test]
fn the_documented_forms() {
    let heard = hear(
        delta(json!({"role": "assistant", "content": ""}))
            + &said("Good ")
            + &said("day")
            + &stop(),
    );
    assert_eq!(heard.parts, [ModelDelta::Text("Good day".into())]);
    assert_eq!(heard.reply(), text("Good day"));
    let completion = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_741_570_283, "model": "m",
        "choices": [{
            "index": 0,
            "message": {
                "role": "assistant", "content": null, "refusal": null, "annotations": [],
                "tool_calls": [{
                    "id": "call_abc", "type": "function",
                    "function": {"name": "search", "arguments": "{\"query\":\"NIFTY\"}"},
                }],
            },
            "logprobs": null, "finish_reason": "tool_calls",
        }],
        "usage": {
            "prompt_tokens": 82, "completion_tokens": 17, "total_tokens": 99,
            "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 5, "audio_tokens": 0},
        },
        "service_tier": "default", "system_fingerprint": "fp",
    });
    let usage =
        Usage { prompt_tokens: 82, completion_tokens: 17, cached_tokens: 64, reasoning_tokens: 5 };
    let wanted =
        ModelResponse { usage, ..called([("call_abc", "search", "{\"query\":\"NIFTY\"}")]) };
    assert_eq!(hear_whole(&completion).reply(), wanted);
}

#[test]
fn a_role_in_every_chunk_or_in_none() {
    let with_role = |text: &str| delta(json!({"role": "assistant", "content": text}));
    assert_eq!(streamed(with_role("a") + &with_role("") + &with_role("b") + &stop()), text("ab"));
    assert_eq!(streamed(said("a") + &said("") + &said("b") + &stop()), text("ab"));
}

#[test]
fn content_in_every_form() {
    let part = |text: &str| json!({"type": "text", "text": text});
    for (content, wanted) in [
        (json!("Hi"), "Hi"),
        (json!(""), ""),
        (Value::Null, ""),
        (json!([part("a"), part("b")]), "ab"),
        (json!(["a", {"type": "image_url", "image_url": {}}, part("b")]), "ab"),
        (json!([]), ""),
    ] {
        assert_eq!(streamed(delta(json!({"content": content})) + &stop()), text(wanted));
        assert_eq!(whole(json!({"role": "assistant", "content": content})), text(wanted));
    }
    assert_eq!(whole(json!({})), text(""));
    let refusal = ModelResponse { finish: FinishReason::Refusal, ..text("I will not.") };
    assert_eq!(whole(json!({"content": null, "refusal": "I will not."})), refusal);
}

#[test]
fn chunks_without_a_choice_or_without_a_delta() {
    let azure = json!({
        "choices": [], "created": 0, "id": "", "model": "", "object": "",
        "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": {}}],
    });
    let odd = [
        azure,
        json!({"choices": null}),
        json!({"id": "c", "timings": {"predicted_ms": 1.5}}),
        json!({}),
        json!({"choices": [null]}),
        json!({"choices": [{"index": 0, "delta": null, "finish_reason": null}]}),
        json!({"choices": [{"index": 0, "message": null}]}),
        json!({"choices": [{"index": 0, "finish_reason": null}]}),
        json!({"choices": [{}], "obfuscation": "aB3", "usage": null, "error": null}),
    ];
    for odd in odd {
        let odd = event(&odd);
        let events = format!("{odd}{}{odd}{}{odd}{}", said("a"), said("b"), stop());
        assert_eq!(streamed(events), text("ab"), "{odd}");
    }
}

#[test]
fn only_the_first_choice_counts() {
    let two = json!({"choices": [
        {"index": 0, "delta": {"content": "a"}, "finish_reason": null},
        {"index": 1, "delta": {"content": "x"}, "finish_reason": null},
    ]});
    assert_eq!(streamed(event(&two) + &stop()), text("a"));
}

#[test]
fn a_message_where_a_delta_belongs() {
    let message = json!({"role": "assistant", "content": "Hi", "tool_calls": []});
    let events = choice(&json!({"index": 0, "message": message, "finish_reason": "stop"})) + DONE;
    assert_eq!(streamed(events), text("Hi"));
    let message = json!({"content": null, "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}},
        {"id": "b", "type": "function", "function": {"name": "f", "arguments": "{}"}},
    ]});
    let events = choice(&json!({"message": message, "finish_reason": "tool_calls"})) + DONE;
    assert_eq!(streamed(events), called([("a", "f", "{}"), ("b", "f", "{}")]));
}

#[test]
fn reasoning_under_either_name_or_both() {
    let thinking = |reasoning: &str| ModelResponse { reasoning: reasoning.into(), ..text("Hi") };
    for name in ["reasoning", "reasoning_content"] {
        let thought = |piece: &str| delta(json!({"content": "", name: piece}));
        let heard = hear(thought("a ") + &thought("b") + &said("Hi") + &stop());
        assert_eq!(
            heard.parts,
            [ModelDelta::Reasoning("a b".into()), ModelDelta::Text("Hi".into())]
        );
        assert_eq!(heard.reply(), thinking("a b"), "{name}");
        assert_eq!(whole(json!({"content": "Hi", name: "a b"})), thinking("a b"), "{name}");
    }
    let both = json!({"content": "Hi", "reasoning": "a", "reasoning_content": "a"});
    assert_eq!(whole(both.clone()), thinking("a"));
    assert_eq!(streamed(delta(both) + &stop()), thinking("a"));
    let null = json!({"content": "Hi", "reasoning": null, "reasoning_content": "a"});
    assert_eq!(whole(null), thinking("a"));
    let other = json!({"content": "Hi", "reasoning": {"effort": "high"}});
    assert_eq!(whole(other), text("Hi"));
}

#[test]
fn thoughts_in_tags_are_left_to_others() {
    assert_eq!(streamed(said("<think>a</think>b") + &stop()), text("<think>a</think>b"));
}

/// What is signed is the whole: pieces of one part go back as that part.
#[test]
fn pieces_of_what_must_be_echoed_are_one() {
    let piece = |index: u32, more: Value| {
        let mut piece =
            json!({"type": "reasoning.text", "index": index, "format": "x", "signature": null});
        piece.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        delta(json!({"reasoning_details": [piece]}))
    };
    let events = piece(0, json!({"text": "Let "}))
        + &piece(0, json!({"text": "me see."}))
        + &piece(0, json!({"text": "", "signature": "c2ln"}))
        + &piece(1, json!({"text": "So."}))
        + &said("Hi")
        + &stop();
    let details = &streamed(events).extra.unwrap()["reasoning_details"];
    let whole = |index: u32, text: &str, signature: Value| json!({"type": "reasoning.text", "index": index, "format": "x", "text": text, "signature": signature});
    let wanted = json!([whole(0, "Let me see.", json!("c2ln")), whole(1, "So.", Value::Null)]);
    assert_eq!(*details, wanted);
}

#[test]
fn what_must_be_echoed_is_kept() {
    let signature = json!({"google": {"thought_signature": "c2ln"}});
    let calls = json!([{
        "id": "a", "function": {"name": "f", "arguments": "{}"}, "extra_content": signature,
    }]);
    let mut wanted = called([("a", "f", "{}")]);
    wanted.calls[0].extra = json!({"extra_content": signature}).as_object().cloned();
    assert_eq!(streamed(call_events([calls.clone()])), wanted);
    wanted.finish = FinishReason::Stop;
    assert_eq!(whole(json!({"tool_calls": calls})), wanted);

    let detail = |text: &str| json!({"type": "reasoning.text", "text": text, "index": 0});
    let some = |details: Value| delta(json!({"reasoning_details": details}));
    let events =
        some(json!([detail("a")])) + &some(Value::Null) + &some(json!([detail("b")])) + &said("Hi");
    let extra = json!({"reasoning_details": [detail("ab")]}).as_object().cloned();
    assert_eq!(streamed(events + &stop()), ModelResponse { extra, ..text("Hi") });
}

#[test]
fn reasons_to_stop() {
    for (reason, finish) in [
        ("stop", FinishReason::Stop),
        ("eos", FinishReason::Stop),
        ("end_turn", FinishReason::Stop),
        ("something new", FinishReason::Stop),
        ("tool_calls", FinishReason::ToolCalls),
        ("tool_call", FinishReason::ToolCalls),
        ("tool_use", FinishReason::ToolCalls),
        ("function_call", FinishReason::ToolCalls),
        ("length", FinishReason::Length),
        ("model_length", FinishReason::Length),
        ("max_tokens", FinishReason::Length),
        ("content_filter", FinishReason::ContentFilter),
    ] {
        let wanted = ModelResponse { finish, ..ModelResponse::text("Hi") };
        assert_eq!(streamed(said("Hi") + &stopped(reason) + DONE), wanted, "{reason}");
        let body = json!({"choices": [{"message": {"content": "Hi"}, "finish_reason": reason}]});
        assert_eq!(hear_whole(&body).reply(), wanted, "{reason}");
    }
    for none in [json!({"finish_reason": null}), json!({"finish_reason": ""}), json!({})] {
        let mut body = none.clone();
        body["message"] = json!({"content": "Hi"});
        assert_eq!(hear_whole(&json!({"choices": [body]})).reply(), text("Hi"), "{none}");
        assert_eq!(streamed(said("Hi") + &choice(&none) + DONE), text("Hi"), "{none}");
    }
}

#[test]
fn calls_count_whatever_the_reason_to_stop() {
    let calls = json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]);
    for (reason, finish) in [("stop", FinishReason::Stop), ("length", FinishReason::Length)] {
        let events = delta(json!({"tool_calls": calls})) + &stopped(reason) + DONE;
        assert_eq!(streamed(events), ModelResponse { finish, ..called([("a", "f", "{}")]) });
    }
}

#[test]
fn a_reason_to_stop_with_the_last_words() {
    let last = json!({"index": 0, "delta": {"content": "b"}, "finish_reason": "stop"});
    assert_eq!(streamed(said("a") + &choice(&last) + DONE), text("ab"));
    let first = r#"{"choices":[{"finish_reason":"stop","delta":{"content":"b"},"index":0}]}"#;
    assert_eq!(streamed(said("a") + &format!("data: {first}\n\n") + DONE), text("ab"));
}

#[test]
fn costs_in_every_form() {
    let usage = Usage { prompt_tokens: 10, completion_tokens: 5, ..Usage::default() };
    let wanted = ModelResponse { usage, ..text("Hi") };
    let counts = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
    let early = json!({"prompt_tokens": 10, "completion_tokens": 1});
    let with = |chunk: Value| {
        let said = json!({"choices": [{"delta": {"content": "Hi"}}], "usage": null});
        streamed(event(&said) + &event(&chunk) + DONE)
    };
    let last = json!({"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": counts});
    assert_eq!(with(last.clone()), wanted, "with the reason to stop");
    let extra = stopped("stop") + &event(&json!({"choices": [], "usage": counts}));
    assert_eq!(streamed(said("Hi") + &extra + DONE), wanted, "in a chunk of their own");
    let each = event(&json!({"choices": [{"delta": {"content": "Hi"}}], "usage": early}));
    assert_eq!(streamed(each + &event(&last) + DONE), wanted, "with every chunk");
    let groq = json!({"choices": [{"delta": {}, "finish_reason": "stop"}], "x_groq": {"id": "r", "usage": counts}});
    assert_eq!(with(groq), wanted, "as Groq does");
    let empty = json!({"choices": [{"delta": {}, "finish_reason": "stop"}], "x_groq": {"id": "r"}});
    assert_eq!(with(empty), text("Hi"), "as Groq begins");
    for (counts, usage) in [
        (json!({"prompt_tokens": "10", "completion_tokens": " 5 "}), usage),
        (json!({"prompt_tokens": 10.0, "completion_tokens": 5.9}), usage),
        (json!({"prompt_tokens": 10}), Usage { prompt_tokens: 10, ..Usage::default() }),
        (json!({"prompt_tokens": null, "completion_tokens": -1}), Usage::default()),
        (json!({"prompt_tokens": "many", "completion_tokens": [5]}), Usage::default()),
        (json!({"prompt_tokens_details": null, "completion_tokens_details": {}}), Usage::default()),
        (json!({"prompt_tokens": true, "completion_tokens": {}}), Usage::default()),
        (Value::Null, Usage::default()),
    ] {
        let body = json!({"choices": [{"message": {"content": "Hi"}}], "usage": counts});
        assert_eq!(hear_whole(&body).reply(), ModelResponse { usage, ..text("Hi") }, "{counts}");
    }
}

#[test]
fn half_surrogates_are_replaced_and_nothing_is_said_twice() {
    // Written by hand: no serialiser would.
    let chunk = |delta: &str| format!("data: {{\"choices\":[{{\"delta\":{{{delta}}}}}]}}\n\n");
    let cases = [
        (r#""content":"a\ud83db""#, text("a\u{fffd}b")),
        (r#""content":"\ude00\ud83d""#, text("\u{fffd}\u{fffd}")),
        (r#""content":"\ud83d\ude00 \uD83D""#, text("\u{1f600} \u{fffd}")),
        (r#""content":"\\ud83d""#, text("\\ud83d")),
        (
            r#""reasoning":"why","content":"a\ud83db""#,
            ModelResponse { reasoning: "why".into(), ..text("a\u{fffd}b") },
        ),
        (
            r#""content":"Hi","reasoning_content":"\ud83d""#,
            ModelResponse { reasoning: "\u{fffd}".into(), ..text("Hi") },
        ),
        (
            r#""tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":"}}],"content":"\ud83d""#,
            ModelResponse {
                text: "\u{fffd}".into(),
                finish: FinishReason::Stop,
                ..called([("a", "f", "{\"x\":1}")])
            },
        ),
    ];
    for (delta, wanted) in cases {
        let mut events = chunk(delta);
        if !wanted.calls.is_empty() {
            events.push_str(&chunk(r#""tool_calls":[{"function":{"arguments":"1}"}}]"#));
        }
        assert_eq!(streamed(events + &stop()), wanted, "{delta}");
    }
}

#[test]
fn fields_nobody_knows_are_passed_over() {
    let chunk = json!({
        "id": null, "object": "chat.completion.chunk", "created": "now", "model": 7,
        "system_fingerprint": null, "service_tier": null, "provider": "P", "prompt_logprobs": [],
        "choices": [{
            "index": "0", "logprobs": {"content": [{"token": "Hi", "top_logprobs": []}]},
            "native_finish_reason": null, "stop_reason": 3, "content_filter_results": {},
            "delta": {"content": "Hi", "audio": null, "annotations": [], "token_ids": [1]},
        }],
    });
    assert_eq!(streamed(event(&chunk) + &stop()), text("Hi"));
}
