//! What is read: replies, streamed and whole, however they are cut.

use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Call, Conversation, FinishReason, Message, ModelResponse, Outcome,
    RequestCache, ToolChoice, ToolDefinitions, Usage,
};

use super::{OWN, asking, done, line_of, lines, piece, said, thought};
use crate::{
    served::{Answer, End, Served},
    support::{Heard, ask, in_runtime, model, say},
};

const COST: Usage =
    Usage { prompt_tokens: 26, completion_tokens: 8, cached_tokens: 0, reasoning_tokens: 0 };

pub(super) async fn served(answer: Answer, stream: bool) -> Heard {
    let server = Served::new(move |_| answer.clone());
    ask(&model(asking(&server, 0)), stream).await
}

/// What is heard of a stream, however it is cut.
#[track_caller]
pub(super) fn hear(stream: &str) -> Heard {
    in_runtime(async {
        let heard = served(lines(stream), true).await;
        let bytes = stream.as_bytes();
        let by_line = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec);
        let cuts = [
            by_line.collect(),
            bytes.chunks(1).map(<[u8]>::to_vec).collect(),
            bytes.chunks(7).map(<[u8]>::to_vec).collect::<Vec<_>>(),
        ];
        for cut in cuts {
            assert_eq!(served(Answer::lines(cut), true).await, heard);
        }
        assert_eq!(served(lines(stream), false).await, heard, "not asked for");
        heard
    })
}

#[track_caller]
fn streamed(stream: &str) -> ModelResponse {
    hear(stream).reply()
}

/// The reply that a whole body brings, whether or not a stream was asked for.
#[track_caller]
fn whole(body: &Value) -> ModelResponse {
    in_runtime(async {
        let heard = served(Answer::json(200, body), false).await;
        assert_eq!(served(Answer::json(200, body), true).await, heard);
        heard.reply()
    })
}

fn reply(text: &str, reasoning: &str, calls: impl IntoIterator<Item = Call>) -> ModelResponse {
    let calls: Vec<_> = calls.into_iter().collect();
    let finish = if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
    ModelResponse {
        text: text.into(),
        reasoning: reasoning.into(),
        calls,
        finish,
        usage: COST,
        model: None,
        extra: None,
    }
}

#[test]
fn text_thoughts_and_calls_from_all_lines() {
    let call = |id: &str, index: u32, name: &str, arguments: &str| {
        line_of(&format!(
            "{{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{{\"id\":\"{id}\",\"function\":\
             {{\"index\":{index},\"name\":\"{name}\",\"arguments\":{arguments}}}}}]}}"
        ))
    };
    let stream = thought("Need ")
        + &thought("the")
        + &thought(" \"weather\".\n")
        + &said("Let")
        + &said(" me")
        + &said(" see\n")
        + &said(" é🎉.")
        + &call("call_a", 0, "get_weather", "{\"city\": \"Pune\", \"b\": 1, \"a\": [1.5, null]}")
        + &call("call_b", 1, "now", "{}")
        + &done("stop");
    let wanted = reply(
        "Let me see\n é🎉.",
        "Need the \"weather\".\n",
        [
            Call::new("call_a", "get_weather", "{\"city\":\"Pune\",\"b\":1,\"a\":[1.5,null]}"),
            Call::new("call_b", "now", "{}"),
        ],
    );
    assert_eq!(streamed(&stream), wanted);
    let body = json!({
        "model": "m", "created_at": "now", "done": true, "done_reason": "stop",
        "message": {
            "role": "assistant", "content": "Let me see\n é🎉.", "thinking": "Need the \"weather\".\n",
            "tool_calls": [
                {"id": "call_a", "function": {"index": 0, "name": "get_weather", "arguments": {"city": "Pune"}}},
                {"id": "call_b", "function": {"index": 1, "name": "now", "arguments": {}}},
            ],
        },
        "prompt_eval_count": 26, "eval_count": 8,
    });
    let mut wanted = wanted;
    wanted.calls[0] = Call::new("call_a", "get_weather", "{\"city\":\"Pune\"}");
    assert_eq!(whole(&body), wanted);
}

#[test]
fn why_it_stopped() {
    for (reason, wanted) in [
        ("stop", FinishReason::Stop),
        ("length", FinishReason::Length),
        ("load", FinishReason::Stop),
        ("content_filter", FinishReason::ContentFilter),
        ("", FinishReason::Stop),
    ] {
        assert_eq!(streamed(&(said("Hi") + &done(reason))).finish, wanted, "{reason}");
    }
    // Without a line that says so, it is not over.
    let error = hear(&said("Hi")).error();
    assert!(error.message.contains("stopped in the middle"), "{error}");
    let error = hear("{\"done\":true}\n").error();
    assert!(error.message.contains("no message"), "{error}");
}

/// Behind the last line nothing counts, and nobody waits for it.
#[test]
fn what_comes_behind_the_end() {
    let stream = said("Hi") + &done("stop") + &said("more") + "{\"error\":\"late\"}\nnonsense";
    assert_eq!(streamed(&stream).text, "Hi");
    let ends = [End::Cut, End::Hang];
    for end in ends {
        let answer = lines(&(said("Hi") + &done("stop"))).end(end);
        assert_eq!(in_runtime(served(answer, true)).reply(), reply("Hi", "", []), "{end:?}");
    }
    let without_break = said("Hi") + done("stop").trim_end();
    assert_eq!(streamed(&without_break), reply("Hi", "", []));
    assert_eq!(streamed(&without_break.replace('\n', "\r\n")), reply("Hi", "", []));
}

#[test]
fn types_that_lie() {
    let calls =
        |calls: Value| piece(json!({"role": "assistant", "content": null, "tool_calls": calls}));
    let end =
        "{\"message\":null,\"done\":\"true\",\"prompt_eval_count\":\"26\",\"eval_count\":8}\n";
    for (stream, wanted) in [
        (calls(Value::Null) + &said("Hi"), reply("Hi", "", [])),
        (piece(json!({"content": 7, "thinking": null})), reply("7", "", [])),
        (piece(json!({"content": [{"type": "text", "text": "a"}, "b"]})), reply("ab", "", [])),
        (piece(json!({"content": {"a": 1}, "thinking": false})) + &said("x"), reply("x", "", [])),
        (calls(json!([null])) + &said("Hi"), reply("Hi", "", [])),
        (
            calls(json!([{"function": {"name": "", "arguments": null}}])) + &said("x"),
            reply("x", "", []),
        ),
        (calls(json!([{"id": 7}])) + &said("x"), reply("x", "", [])),
        (calls(json!({"function": {"name": "f"}})), reply("", "", [Call::new("", "f", "{}")])),
        (
            calls(json!([{"id": null, "function": {"name": "f", "arguments": "{\"x\": 1}"}}])),
            reply("", "", [Call::new("", "f", "{\"x\": 1}")]),
        ),
        (
            calls(json!([{"id": 7, "function": {"name": " f<|channel|>x", "arguments": [1]}}])),
            reply("", "", [Call::new("7", "f", "[1]")]),
        ),
        (
            calls(json!([{"function": {"name": "f", "arguments": ""}}])),
            reply("", "", [Call::new("", "f", "{}")]),
        ),
    ] {
        assert_eq!(streamed(&(stream.clone() + end)), wanted, "{stream}");
    }
    for stream in ["{\"message\":7}\n", "{\"message\":{\"tool_calls\":7}}\n", "{\"message\":{}]\n"]
    {
        let error = hear(stream).error();
        assert!(error.message.contains("not JSON as documented"), "{error}");
    }
}

/// The same call with the same id once more at the end is no second one; another call with its id is.
#[test]
fn calls_that_are_said_again() {
    let call = |n: u32| json!({"id": "a", "function": {"name": "f", "arguments": {"n": n}}});
    let last = json!({"message": {"content": "", "tool_calls": [call(1), call(2)]}, "done": true});
    let stream = piece(json!({"content": "", "tool_calls": [call(1)]})) + &last.to_string();
    let wanted = [Call::new("a", "f", "{\"n\":1}"), Call::new("a", "f", "{\"n\":2}")];
    assert_eq!(streamed(&stream).calls, wanted);
    let call = json!({"function": {"name": "f", "arguments": {}}});
    let stream = piece(json!({"content": "", "tool_calls": [call, call]})) + &done("stop");
    assert_eq!(streamed(&stream).calls.len(), 2, "without ids nothing can be told");
}

#[test]
fn half_a_letter_and_what_is_twice_in_arguments() {
    let message = "{\"content\":\"a\\ud83d\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\
        \"arguments\":{\"x\":1,\"x\":\"\\udE00\"}}}]}";
    let heard = streamed(&(line_of(message) + &done("stop")));
    assert_eq!(heard.text, "a\u{fffd}");
    assert_eq!(heard.calls[0].arguments, "{\"x\":1,\"x\":\"\u{fffd}\"}");
}

/// What it thought goes back to it, together with what it said and called.
#[tokio::test]
async fn reasoning_goes_back_to_the_model_it_came_from() {
    let call = json!({"id": "a", "function": {"name": "f", "arguments": {"x": 1}}});
    let stream =
        thought("Hm.\n") + &piece(json!({"content": "", "tool_calls": [call]})) + &done("stop");
    let server = Served::new(move |asked| match asked.body()["messages"].as_array() {
        Some(messages) if messages.len() > 1 => lines(&(said("Hi") + &done("stop"))),
        _ => lines(&stream),
    });
    let model = model(asking(&server, 0));
    let mut conversation = Conversation::from_iter([Message::user("Well?")]);
    let (none, mut memo) = (ToolDefinitions::default(), RequestCache::default());
    let first =
        say(&model, &conversation, &none, ToolChoice::Auto, true, &mut memo).await.end.unwrap();
    assert_eq!(first.model.as_deref(), Some(OWN));
    conversation.push(Message::Assistant(AssistantMessage {
        content: first.text,
        reasoning: first.reasoning,
        calls: first.calls,
        model: first.model,
        extra: first.extra,
    }));
    conversation.push(Message::tool("a", "f", Outcome::ok("ok")));
    say(&model, &conversation, &none, ToolChoice::Auto, true, &mut memo).await.reply();
    let wanted = json!({"role": "assistant", "content": "", "thinking": "Hm.\n", "tool_calls": [
        {"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}]});
    assert_eq!(server.asked()[1].body()["messages"][1], wanted);
}

/// Any letters: plain, wide, control, and those that JSON treats specially.
fn words() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        2 => any::<char>(),
        6 => proptest::char::range(' ', '~'),
        2 => proptest::sample::select(vec!['"', '\\', '\n', '\r', '\0', '{', '}', '\u{2028}', '🎉']),
    ];
    vec(letter, 0..12).prop_map(|letters| letters.into_iter().collect())
}

/// One line of a reply.
#[derive(Clone, Debug)]
enum Sent {
    Text(String),
    Thought(String),
    Both(String, String),
    Call(String, String),
    Nothing,
}

fn sent() -> impl Strategy<Value = Sent> {
    prop_oneof![
        6 => words().prop_map(Sent::Text),
        4 => words().prop_map(Sent::Thought),
        1 => (words(), words()).prop_map(|(a, b)| Sent::Both(a, b)),
        2 => ("[a-z]{1,8}", words()).prop_map(|(name, value)| Sent::Call(name, value)),
        1 => Just(Sent::Nothing),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_reply_however_it_is_cut(all in vec(sent(), 0..12), cuts in vec(1_usize..60, 1..40)) {
        let mut wanted = reply("", "", []);
        let mut stream = String::new();
        for one in all {
            match one {
                Sent::Text(text) => {
                    stream += &said(&text);
                    wanted.text += &text;
                }
                Sent::Thought(text) => {
                    stream += &thought(&text);
                    wanted.reasoning += &text;
                }
                Sent::Both(text, mind) => {
                    stream += &piece(json!({"content": text, "thinking": mind}));
                    wanted.text += &text;
                    wanted.reasoning += &mind;
                }
                Sent::Call(name, value) => {
                    let arguments = json!({"v": value, "n": [1, null]});
                    let call = json!({"function": {"name": name, "arguments": arguments}});
                    stream += &piece(json!({"content": "", "tool_calls": [call]}));
                    wanted.calls.push(Call::new("", name, arguments.to_string()));
                    wanted.finish = FinishReason::ToolCalls;
                }
                Sent::Nothing => stream += "\n{}\n: nothing\n",
            }
        }
        stream += &done("stop");
        let mut rest = stream.as_bytes();
        let mut pieces = Vec::new();
        for cut in cuts.iter().cycle() {
            let (piece, more) = rest.split_at((*cut).min(rest.len()));
            pieces.push(piece.to_vec());
            rest = more;
            if rest.is_empty() {
                break;
            }
        }
        let heard = in_runtime(served(Answer::lines(pieces), true));
        prop_assert_eq!(heard.reply(), wanted);
    }

    #[test]
    fn any_bytes_at_all_do_no_harm(bytes in vec(any::<u8>(), 0..200), known in any::<bool>()) {
        let start = if known { said("a") + &said("b") } else { String::new() };
        let bytes = [start.as_bytes(), &bytes].concat();
        let heard = in_runtime(served(Answer::lines(vec![bytes.clone()]), true));
        prop_assert!(heard.end.is_err(), "{:?}", heard);
        let mut answer = Answer::lines(vec![bytes]);
        answer.kind = "application/json";
        prop_assert!(in_runtime(served(answer, false)).end.is_err());
    }
}
