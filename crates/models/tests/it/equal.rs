//! A reply is the same reply, streamed or whole, however it is cut.

use proptest::{collection::vec, prelude::*};
use serde_json::{Map, Value, json};
use toolwright_core::{Call, FinishReason, ModelDelta, ModelResponse, Usage};
use toolwright_testkit::{self as testkit, Chunking, ModelServer, Script};

use crate::support::{DONE, Heard, ask, delta, event, in_runtime, model, once, stopped};

/// Any letters: plain, wide, combining, control, and those that JSON or SSE treat specially.
fn words() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        4 => any::<char>(),
        4 => proptest::char::range(' ', '~'),
        2 => proptest::sample::select(vec![
            '"', '\\', '\n', '\r', '\t', '\0', '{', '}', ':', '\u{2028}', '\u{feff}', '🎉', 'é',
        ]),
    ];
    vec(letter, 0..40).prop_map(|letters| letters.into_iter().collect())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::from),
        ]
    })
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    vec((words(), value), 0..4).prop_map(|fields| fields.into_iter().collect())
}

fn calls() -> impl Strategy<Value = Vec<(String, String, String)>> {
    let arguments = prop_oneof![
        4 => object(value()).prop_map(|object| Value::from(object).to_string()),
        // As a model writes it: spaces, and every letter that can be escaped.
        2 => object(value()).prop_map(|it| serde_json::to_string_pretty(&it).unwrap()),
        // What is no JSON is handed on just the same.
        1 => words(),
    ];
    let name = "[a-zA-Z0-9_-]{1,20}";
    vec((name, arguments), 0..4).prop_map(|calls| {
        let numbered = calls.into_iter().enumerate();
        numbered.map(|(at, (name, arguments))| (format!("call_{at}"), name, arguments)).collect()
    })
}

fn chunking() -> impl Strategy<Value = Chunking> {
    prop_oneof![
        Just(Chunking::Whole),
        Just(Chunking::OneByte),
        Just(Chunking::PerEvent),
        any::<u64>().prop_map(Chunking::Random),
    ]
}

async fn heard(reply: testkit::Reply, stream: bool) -> Heard {
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let heard = ask(&model(once(&server)), stream).await;
    server.assert_clean();
    heard
}

/// The reply in pieces of `size` letters, its calls side by side, each chunk opened as servers do.
fn events_of(
    text: &str,
    reasoning: &str,
    calls: &[(String, String, String)],
    size: usize,
) -> String {
    let pieces = |text: &str| {
        let letters: Vec<char> = text.chars().collect();
        letters.chunks(size).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
    };
    let mut events = String::new();
    for piece in pieces(reasoning) {
        events.push_str(&delta(json!({"reasoning": piece})));
    }
    for piece in pieces(text) {
        events.push_str(&delta(json!({"content": piece})));
    }
    for (index, (id, name, _)) in calls.iter().enumerate() {
        let call = json!({"index": index, "id": id, "function": {"name": name, "arguments": ""}});
        events.push_str(&delta(json!({"tool_calls": [call]})));
    }
    let all: Vec<_> = calls.iter().map(|(_, _, arguments)| pieces(arguments)).collect();
    for at in 0..all.iter().map(Vec::len).max().unwrap_or_default() {
        for (index, piece) in all.iter().enumerate().filter_map(|(i, it)| Some((i, it.get(at)?))) {
            let call = json!({"index": index, "function": {"arguments": piece}});
            events.push_str(&delta(json!({"tool_calls": [call]})));
        }
    }
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5});
    events + &stopped(finish) + &event(&json!({"choices": [], "usage": usage})) + DONE
}

/// The calls that the parts tell of.
fn told(parts: &[ModelDelta]) -> Vec<(String, String)> {
    let mut calls: Vec<(String, String)> = Vec::new();
    for part in parts {
        match part {
            ModelDelta::CallName { index, name } => {
                assert_eq!(*index, calls.len(), "in order");
                calls.push((name.clone(), String::new()));
            }
            ModelDelta::CallArguments { index, json } => calls[*index].1.push_str(json),
            _ => {}
        }
    }
    calls
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn streamed_or_whole_however_it_is_cut(
        text in words(),
        reasoning in words(),
        calls in calls(),
        chunking in chunking(),
        size in 2_usize..24,
    ) {
        let finish = if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
        let wanted = ModelResponse {
            text: text.clone(),
            reasoning: reasoning.clone(),
            calls: calls.iter().map(|(id, name, arguments)| {
                Call::new(id.as_str(), name, arguments)
            }).collect(),
            finish,
            usage: Usage { prompt_tokens: 10, completion_tokens: 5, ..Usage::default() },
            model: (!reasoning.is_empty()).then(|| "openai@127.0.0.1:m".into()),
            extra: None,
        };
        let events = events_of(&text, &reasoning, &calls, size);
        let named: Vec<_> = calls.iter().map(|(_, name, it)| (name.clone(), it.clone())).collect();
        let reply = testkit::Reply::calls(calls).with_text(text).with_reasoning(reasoning);
        let by_hand = testkit::Reply::raw_sse(events);
        in_runtime(async {
            for (reply, stream) in [(&reply, true), (&reply, false), (&by_hand, true)] {
                let heard = heard(reply.clone().chunking(chunking), stream).await;
                prop_assert_eq!(told(&heard.parts), named.clone());
                prop_assert_eq!(heard.end, Ok(wanted.clone()));
            }
            Ok(())
        })?;
    }

    #[test]
    fn any_bytes_at_all_do_no_harm(
        bytes in vec(any::<u8>(), 0..200),
        pieces in vec(proptest::sample::select(vec![
            "data: ", "{", "}", "[", "]", "\n", "\n\n", "\r", "\"choices\":", "\"delta\":", ":",
            "\"content\":\"x\"", "\"tool_calls\":", "\"index\":0", "null", ",", "\"error\":",
            "\"finish_reason\":\"stop\"", "[DONE]", "\\ud83d", "\"", "\"function\":",
            "\"arguments\":\"{\"", "\"usage\":", "\u{feff}",
        ]), 0..40),
        chunking in chunking(),
    ) {
        let made: String = pieces.into_iter().collect();
        in_runtime(async {
            for body in [bytes, made.into_bytes()] {
                for stream in [true, false] {
                    let sse = testkit::Reply::raw_sse(body.clone()).chunking(chunking);
                    let _ = heard(sse, stream).await;
                    let json = testkit::Reply::status(200).body(body.clone()).chunking(chunking);
                    let _ = heard(json, stream).await;
                }
                let error = testkit::Reply::status(400).body(body.clone()).chunking(chunking);
                prop_assert!(heard(error, true).await.end.is_err());
            }
            Ok(())
        })?;
    }
}
