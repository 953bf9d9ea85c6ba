//! What is heard of what Gemini sends.

use serde_json::{Value, json};
use toolwright_core::{FinishReason, ModelErrorKind, ModelResponse, Usage};
use toolwright_testkit::{Reply, Spoken, SpokenApi};

use super::{hear, hear_whole, parts, said, served, stopped};
use crate::support::{called, in_runtime, text};

fn counts(prompt: u64, said: u64, thought: u64, cached: u64) -> Value {
    json!({
        "promptTokenCount": prompt, "candidatesTokenCount": said, "thoughtsTokenCount": thought,
        "cachedContentTokenCount": cached, "totalTokenCount": prompt + said + thought,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
    })
}

#[test]
fn texts_are_joined_and_the_last_counts_count() {
    let mut events: Vec<_> = ["31 °C", " in", " Pune", ", \"so\"", " they", "", " say."]
        .into_iter()
        .enumerate()
        .map(|(at, text)| {
            let mut event = said(text);
            event["usageMetadata"] = counts(50, at as u64 * 3 + 8, 20, 32);
            event["modelVersion"] = json!("gemini-4-argon");
            event["responseId"] = json!("r1");
            event
        })
        .collect();
    let usage =
        Usage { prompt_tokens: 50, completion_tokens: 46, cached_tokens: 32, reasoning_tokens: 20 };
    events.push(stopped("STOP"));
    let wanted = ModelResponse { usage, ..text("31 °C in Pune, \"so\" they say.") };
    assert_eq!(hear(&events).reply(), wanted, "counted in the last text");
    let mut last = stopped("STOP");
    last["usageMetadata"] = counts(51, 30, 22, 0);
    last["usageMetadata"]["toolUsePromptTokenCount"] = json!("9");
    events.pop();
    events.push(last);
    let usage =
        Usage { prompt_tokens: 60, completion_tokens: 52, cached_tokens: 0, reasoning_tokens: 22 };
    assert_eq!(hear(&events).reply(), ModelResponse { usage, ..wanted }, "counted at the end");
}

/// As Google writes it, with a space behind every colon.
#[test]
fn the_letters_of_an_event() {
    let event = |text: &str, tokens: u32, more: &str| {
        format!(
            "data: {{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": \"{text}\"}}],\"role\": \
             \"model\"}}{more},\"index\": 0}}],\"usageMetadata\": {{\"promptTokenCount\": 4,\
             \"candidatesTokenCount\": {tokens},\"totalTokenCount\": {}}},\"modelVersion\": \"g-4\"}}\r\n\r\n",
            tokens + 4
        )
    };
    let events = [
        event("One ", 1, ""),
        event("two ", 9, ""),
        event("three ", 10, ""),
        event("\\u0066our ", 11, ""),
        event("five \\ud83c\\udf89", 12, ""),
        event("six\\n", 13, ""),
        event("sev\\ud83d", 14, ""),
        event("en", 150, ",\"finishReason\": \"STOP\""),
    ];
    let reply = in_runtime(served(Reply::raw_sse(events.concat()), true)).reply();
    assert_eq!(reply.text, "One two three four five 🎉six\nsev\u{fffd}en");
    assert_eq!((reply.usage.prompt_tokens, reply.usage.completion_tokens), (4, 150));
}

#[test]
fn calls_come_whole_and_stopping_is_calling() {
    let wanted = called([("a1", "f", r#"{"city":"Pune","n":[1,2.5,null]}"#), ("", "g", "{}")]);
    let first = json!({"functionCall": {"id": "a1", "name": "f", "args": {"city": "Pune", "n": [1, 2.5, null]}}});
    let second = json!({"functionCall": {"name": "g"}});
    let events = [parts(json!([first])), parts(json!([second])), stopped("STOP")];
    assert_eq!(hear(&events).reply(), wanted);
    let late = [stopped("STOP"), parts(json!([first])), parts(json!([second]))];
    assert_eq!(hear(&late).reply(), wanted, "stopped first");
    let mut whole = parts(json!([first, second]));
    assert_eq!(hear_whole(&whole).reply(), wanted, "not said why it stopped");
    whole["candidates"][0]["finishReason"] = json!("STOP");
    assert_eq!(hear_whole(&whole).reply(), wanted);
    whole["candidates"][0]["finishReason"] = json!("MAX_TOKENS");
    let wanted = ModelResponse { finish: FinishReason::Length, ..wanted };
    assert_eq!(hear_whole(&whole).reply(), wanted);
}

#[test]
fn one_reply_said_in_every_way() {
    let spoken = Spoken::reasoning("Need two calls.", Some("c2ln"))
        .and_text("Let me see.")
        .call("a1", "f", r#"{"x":"é"}"#)
        .call("a2", "g", "{}")
        .usage(50, 29)
        .of_which(32, 20);
    let whole = SpokenApi::Gemini.whole(&spoken, "m");
    let heard = hear_whole(&whole).reply();
    assert_eq!((heard.text.as_str(), heard.reasoning.as_str()), ("Let me see.", "Need two calls."));
    assert_eq!(heard.finish, FinishReason::ToolCalls);
    let usage =
        Usage { prompt_tokens: 50, completion_tokens: 29, cached_tokens: 32, reasoning_tokens: 20 };
    assert_eq!(heard.usage, usage);
    let signed: Vec<_> = heard.calls.iter().map(|it| it.extra.clone().map(Value::from)).collect();
    assert_eq!(signed, [Some(json!({"thoughtSignature": "c2ln"})), None]);
    let stream = SpokenApi::Gemini.stream(&spoken, "m");
    let events = stream.split("data: ").filter(|it| !it.is_empty());
    let events: Vec<Value> = events.map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(hear(&events).reply(), heard);
    assert_eq!(hear_whole(&Value::from(events)).reply(), heard, "as a list");
}

#[test]
fn snake_case_is_understood() {
    let body = json!({
        "candidates": [{
            "content": {"parts": [{"function_call": {"name": "f", "args": {}}, "thought_signature": "eA=="}]},
            "finish_reason": "MAX_TOKENS",
        }],
        "usage_metadata": {
            "prompt_token_count": 5, "candidates_token_count": 3, "thoughts_token_count": 2,
            "cached_content_token_count": 1, "tool_use_prompt_token_count": 4,
        },
    });
    let reply = hear_whole(&body).reply();
    assert_eq!(
        reply.calls[0].extra.clone().map(Value::from),
        Some(json!({"thoughtSignature": "eA=="}))
    );
    assert_eq!(reply.finish, FinishReason::Length);
    let usage =
        Usage { prompt_tokens: 9, completion_tokens: 5, cached_tokens: 1, reasoning_tokens: 2 };
    assert_eq!(reply.usage, usage);
    let blocked =
        json!({"prompt_feedback": {"block_reason": "SAFETY", "block_reason_message": "No."}});
    assert_eq!(hear_whole(&blocked).reply().text, "No.");
}

#[test]
fn why_it_stopped() {
    use FinishReason::{ContentFilter, Length, Stop};
    for (reason, wanted) in [
        ("STOP", Stop),
        ("stop", Stop),
        ("SOMETHING_NEW", Stop),
        ("MAX_TOKENS", Length),
        ("CONTINUATION", Length),
        ("SAFETY", ContentFilter),
        ("RECITATION", ContentFilter),
        ("LANGUAGE", ContentFilter),
        ("OTHER", ContentFilter),
        ("BLOCKLIST", ContentFilter),
        ("PROHIBITED_CONTENT", ContentFilter),
        ("SPII", ContentFilter),
        ("IMAGE_SAFETY", ContentFilter),
    ] {
        let reply = hear(&[said("So"), stopped(reason)]).reply();
        assert_eq!(reply, ModelResponse { finish: wanted, ..text("So") }, "{reason}");
    }
    for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"] {
        let mut event = stopped(reason);
        event["candidates"][0]["finishMessage"] = json!("Malformed function call: f(x=");
        let error = hear(&[event]).error();
        assert_eq!(error.kind, ModelErrorKind::BrokenReply);
        assert!(error.is_transient(), "{error:?}");
        assert!(error.message.contains(reason) && error.message.contains("f(x="), "{error}");
    }
    let error = hear_whole(&stopped("MISSING_THOUGHT_SIGNATURE")).error();
    assert_eq!(error.kind, ModelErrorKind::Request);
    let nothing = json!({"candidates": [{"content": {}, "finishReason": "MAX_TOKENS"}]});
    let cut = ModelResponse { finish: FinishReason::Length, ..text("") };
    assert_eq!(hear_whole(&nothing).reply(), cut, "no more than thoughts");
}

#[test]
fn a_prompt_that_is_withheld() {
    let usage = json!({"promptTokenCount": 5, "totalTokenCount": 5});
    let blocked =
        json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage});
    for reply in [hear(std::slice::from_ref(&blocked)).reply(), hear_whole(&blocked).reply()] {
        assert_eq!((reply.text.as_str(), reply.finish), ("", FinishReason::ContentFilter));
        assert_eq!(reply.usage.prompt_tokens, 5);
    }
    let harmless =
        json!({"promptFeedback": {"safetyRatings": []}, "candidates": said("Hi")["candidates"]});
    assert_eq!(hear(&[harmless, stopped("STOP")]).reply(), text("Hi"));
}

#[test]
fn thoughts_are_no_text() {
    let events = [
        parts(json!([{"text": "Hm", "thought": true}])),
        parts(json!([{"text": "m.", "thought": true}, {"text": "Yes"}])),
        parts(json!([{"text": "?", "thought": "true"}])),
        said("."),
        stopped("STOP"),
    ];
    let reply = hear(&events).reply();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("Yes.", "Hmm.?"));
    assert_eq!(reply.extra, None);
}

#[test]
fn only_the_first_of_several_replies_is_heard() {
    let mut other = said("No");
    other["candidates"][0]["index"] = json!(1);
    let mut both = said("es");
    let second =
        json!({"content": {"parts": [{"text": "pe"}]}, "index": 1, "finishReason": "SAFETY"});
    both["candidates"].as_array_mut().unwrap().push(second);
    let events = [said("Y"), other.clone(), both, other, stopped("STOP")];
    assert_eq!(hear(&events).reply(), text("Yes"));
}

/// Nothing, null and another shape than documented mean what they can only mean.
#[test]
fn lies_about_types() {
    let lies = [
        json!({"candidates": {"content": {"parts": {"text": "Hi"}}, "finishReason": "STOP"}}),
        json!({"candidates": [null, {"content": {"parts": [null, {"text": "Hi"}], "role": 7}, "finishReason": "STOP"}]}),
        json!({"candidates": [{"content": {"parts": [{"text": "Hi", "thought": null, "functionCall": null,
            "thoughtSignature": null}]}, "index": "0", "finishReason": "STOP"}], "usageMetadata": null,
            "promptFeedback": null, "error": null}),
        json!({"candidates": [{"content": {"parts": [{"text": null}, {"text": "Hi"}, {}, {"inlineData": {"data": ""}},
            {"executableCode": {"code": "x"}}, {"functionCall": {}}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": null, "candidatesTokenCount": -1, "thoughtsTokenCount": {},
            "cachedContentTokenCount": 0.5}, "unknown": [{"deep": {}}]}),
    ];
    for lie in lies {
        assert_eq!(hear_whole(&lie).reply(), text("Hi"), "{lie}");
        assert_eq!(hear(std::slice::from_ref(&lie)).reply(), text("Hi"), "{lie}");
    }
    let counts = json!({"promptTokenCount": "12", "candidatesTokenCount": 3.0});
    let body = json!({"candidates": said("Hi")["candidates"], "usageMetadata": counts});
    let usage = hear_whole(&body).reply().usage;
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (12, 3));
    let twice = json!({"functionCall": {"id": 7, "name": "f", "args": "{\"x\":1}"}});
    assert_eq!(hear_whole(&parts(json!([twice]))).reply(), called([("7", "f", "{\"x\":1}")]));
    for broken in [
        json!({"candidates": 7}),
        json!({"candidates": [{"content": "Hi"}]}),
        json!({"candidates": []}),
        json!({}),
        json!([]),
        json!("Hi"),
        json!(null),
    ] {
        assert_eq!(hear_whole(&broken).error().kind, ModelErrorKind::BrokenReply, "{broken}");
        assert_eq!(
            hear(std::slice::from_ref(&broken)).error().kind,
            ModelErrorKind::BrokenReply,
            "{broken}"
        );
    }
}
