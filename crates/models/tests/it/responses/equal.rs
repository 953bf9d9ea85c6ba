//! A reply is the same streamed and whole, in whatever pieces and however it is cut.

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use toolwright_core::{Call, FinishReason, ModelResponse, Usage};
use toolwright_testkit::{Chunking, Reply};

use super::{
    added, argued, call, done, message, opened, reasoning, response, said, served, stream, thought,
};
use crate::support::in_runtime;

#[derive(Clone, Debug)]
enum Item {
    Text(String),
    Thought(Vec<String>),
    Call(String, String),
}

fn words() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        8 => any::<char>(),
        8 => select(vec!['a', 'b', ' ', '.']),
        1 => select(vec!['"', '\\', '\n', '\r', '\t', '\0', '{', '}', '\u{2028}', '🎉', 'é']),
    ];
    vec(letter, 1..30).prop_map(|letters| letters.into_iter().collect())
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let arguments = prop_oneof![
        words().prop_map(|it| json!({"x": it, "n": [1, {}]}).to_string()),
        Just("{}".to_owned()),
        words(),
    ];
    let item = prop_oneof![
        words().prop_map(Item::Text),
        vec(words(), 0..3).prop_map(Item::Thought),
        ("[a-zA-Z0-9_-]{1,20}", arguments).prop_map(|(name, it)| Item::Call(name, it)),
    ];
    vec(item, 0..6)
}

/// What a server leaves out.
#[derive(Clone, Copy, Debug)]
struct Server {
    size: usize,
    adds: bool,
    ends: bool,
    repeats: bool,
    sorted: bool,
}

fn servers() -> impl Strategy<Value = Server> {
    let any = any::<bool>;
    (1_usize..12, any(), any(), any(), any()).prop_map(|(size, adds, ends, repeats, sorted)| {
        Server {
            size,
            // A call has a name from its beginning or its end, and what has to go back comes at the end.
            adds,
            ends: ends || !repeats,
            repeats,
            sorted,
        }
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

fn rendered(items: &[Item]) -> Vec<Value> {
    let numbered = items.iter().enumerate();
    numbered
        .map(|(at, item)| match item {
            Item::Text(text) => message(at, text),
            Item::Thought(parts) => {
                let parts: Vec<_> = parts.iter().map(String::as_str).collect();
                reasoning(at, &parts, &format!("gAAA{at}"))
            }
            Item::Call(name, arguments) => call(at, &format!("call_{at}"), name, arguments),
        })
        .collect()
}

fn pieces(text: &str, size: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

impl Server {
    fn events(self, items: &[Item], body: &Value) -> String {
        let mut events = vec![json!({"type": "response.created", "response": {}})];
        for (at, (item, whole)) in items.iter().zip(rendered(items)).enumerate() {
            if self.adds {
                events.push(added(at, opened(whole.clone())));
            }
            match item {
                Item::Text(text) => {
                    events.extend(pieces(text, self.size).iter().map(|it| said(at, it)));
                }
                Item::Thought(parts) => {
                    for (number, part) in parts.iter().enumerate() {
                        let pieces = pieces(part, self.size);
                        events.extend(pieces.iter().map(|it| thought(at, number, it)));
                    }
                }
                Item::Call(_, arguments) => {
                    events.extend(pieces(arguments, self.size).iter().map(|it| argued(at, it)));
                }
            }
            if self.ends {
                events.push(done(at, whole));
            }
        }
        let mut body = body.clone();
        if !self.repeats {
            body["output"] = json!([]);
        }
        events.push(json!({"type": "response.completed", "response": body}));
        match self.sorted {
            true => events.iter().map(|event| format!("data: {event}\n\n")).collect(),
            false => stream(&events),
        }
    }
}

/// What the items come to.
fn wanted(items: &[Item]) -> ModelResponse {
    let texts = items.iter().filter_map(|it| match it {
        Item::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let thoughts = items.iter().flat_map(|it| match it {
        Item::Thought(parts) => parts.as_slice(),
        _ => &[],
    });
    let calls: Vec<_> = items
        .iter()
        .enumerate()
        .filter_map(|(at, it)| match it {
            Item::Call(name, arguments) => Some(Call::new(format!("call_{at}"), name, arguments)),
            _ => None,
        })
        .collect();
    ModelResponse {
        text: texts.collect::<Vec<_>>().join("\n\n"),
        reasoning: thoughts.cloned().collect::<Vec<_>>().join("\n\n"),
        finish: if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls },
        calls,
        usage: Usage { prompt_tokens: 10, completion_tokens: 5, ..Usage::default() },
        ..ModelResponse::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn streamed_or_whole_however_it_is_cut(
        items in items(),
        server in servers(),
        chunking in chunking(),
    ) {
        let mut body = response("completed", rendered(&items).into());
        body["usage"] = json!({"input_tokens": 10, "output_tokens": 5});
        let events = server.events(&items, &body);
        in_runtime(async {
            let whole = served(Reply::json(body).chunking(chunking), false).await.reply();
            let streamed = served(Reply::raw_sse(events).chunking(chunking), true).await.reply();
            prop_assert_eq!(&streamed, &whole);
            prop_assert_eq!(ModelResponse { extra: None, ..whole }, wanted(&items));
            Ok(())
        })?;
    }

    #[test]
    fn any_bytes_at_all_do_no_harm(
        bytes in vec(any::<u8>(), 0..200),
        pieces in vec(select(vec![
            "data: ", "{", "}", "[", "]", "\n", "\n\n", "\r", "\"type\":", ":", ",", "null", "\"",
            "\"response.output_text.delta\"", "\"delta\":\"x\"", "\"output_index\":0", "\"item\":",
            "\"response.output_item.done\"", "\"response.completed\"", "\"response\":", "\"output\":",
            "\"message\"", "\"function_call\"", "\"arguments\":\"{\"", "\"usage\":", "[DONE]",
            "\\ud83d", "\"error\":", "\"content\":", "\"reasoning\"", "\u{feff}",
        ]), 0..40),
        chunking in chunking(),
    ) {
        let made: String = pieces.into_iter().collect();
        in_runtime(async {
            for body in [bytes, made.into_bytes()] {
                for stream in [true, false] {
                    let _ = served(Reply::raw_sse(body.clone()).chunking(chunking), stream).await;
                    let json = Reply::status(200).body(body.clone()).chunking(chunking);
                    let _ = served(json, stream).await;
                }
            }
        });
    }
}
