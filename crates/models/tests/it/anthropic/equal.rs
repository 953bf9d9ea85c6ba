//! A reply is the same reply, streamed or whole, however it is cut.

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use toolwright_core::{Call, FinishReason, ModelResponse, Usage};
use toolwright_testkit::{Chunking, Reply, Spoken, SpokenPart};

use super::{own, served, start, stop};
use crate::support::in_runtime;

fn words() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        4 => any::<char>(),
        4 => proptest::char::range(' ', '~'),
        2 => select(vec!['"', '\\', '\n', '\r', '\t', '\0', '{', '}', '\u{2028}', '🎉', 'é']),
    ];
    vec(letter, 1..30).prop_map(|letters| letters.into_iter().collect())
}

fn chunking() -> impl Strategy<Value = Chunking> {
    prop_oneof![
        Just(Chunking::Whole),
        Just(Chunking::OneByte),
        Just(Chunking::PerEvent),
        any::<u64>().prop_map(Chunking::Random),
    ]
}

/// A reply: thoughts, text and calls in any order.
fn parts() -> impl Strategy<Value = Vec<SpokenPart>> {
    let pieces = || vec(words(), 1..6);
    let seal = || select(vec![None, Some("c2VhbA==".to_owned())]);
    let arguments =
        (words(), any::<i64>()).prop_map(|(x, n)| json!({"x": x, "n": [n]}).to_string());
    let arguments = prop_oneof![arguments, Just("{}".to_owned())];
    let part = prop_oneof![
        3 => pieces().prop_map(SpokenPart::Text),
        2 => (pieces(), seal()).prop_map(|(pieces, seal)| {
            SpokenPart::Reasoning { pieces, seal, redacted: false }
        }),
        1 => Just(SpokenPart::Reasoning {
            pieces: Vec::new(), seal: Some("ZGF0YQ==".to_owned()), redacted: true,
        }),
        2 => ("[a-z_]{1,9}", arguments).prop_map(|(name, arguments)| {
            SpokenPart::Call { id: String::new(), name, arguments }
        }),
    ];
    vec(part, 1..7).prop_map(|mut parts| {
        for (number, part) in parts.iter_mut().enumerate() {
            if let SpokenPart::Call { id, .. } = part {
                *id = format!("toolu_{number}");
            }
        }
        parts
    })
}

/// What the parts come to, but for where thoughts stood.
fn wanted(parts: &[SpokenPart]) -> ModelResponse {
    let (mut reply, mut thoughts) = (ModelResponse::default(), Vec::new());
    for part in parts {
        match part {
            SpokenPart::Text(pieces) => reply.text.push_str(&pieces.concat()),
            SpokenPart::Reasoning { pieces, redacted: false, .. } => thoughts.push(pieces.concat()),
            SpokenPart::Call { id, name, arguments } => {
                reply.calls.push(Call::new(id.as_str(), name, arguments));
            }
            _ => {}
        }
    }
    reply.reasoning = thoughts.join("\n\n");
    reply.usage =
        Usage { prompt_tokens: 90, completion_tokens: 30, cached_tokens: 60, reasoning_tokens: 0 };
    reply.finish =
        if reply.calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
    reply
}

/// The thoughts that must go back, in their order.
fn sealed(parts: &[SpokenPart]) -> Vec<Value> {
    let seal = |part: &SpokenPart| match part {
        SpokenPart::Reasoning { pieces, seal: Some(seal), redacted: false } => {
            Some(json!({"type": "thinking", "thinking": pieces.concat(), "signature": seal}))
        }
        SpokenPart::Reasoning { seal: Some(seal), redacted: true, .. } => {
            Some(json!({"type": "redacted_thinking", "data": seal}))
        }
        _ => None,
    };
    parts.iter().filter_map(seal).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn streamed_or_whole_however_it_is_cut(parts in parts(), chunking in chunking()) {
        let mut spoken = Spoken::default().usage(90, 30).of_which(60, 0);
        spoken.parts.clone_from(&parts);
        let wanted = wanted(&parts);
        in_runtime(async {
            for stream in [true, false] {
                let reply = Reply::spoken(spoken.clone()).chunking(chunking);
                let mut given = served(reply, stream).await.end.unwrap();
                let kept = given.extra.take().map(|mut it| it["thinking_blocks"].take());
                let kept: Vec<Value> = kept
                    .iter()
                    .flat_map(|it| it.as_array().unwrap().clone())
                    .filter(|it| it["type"] != "text" && it["type"] != "tool_use")
                    .collect();
                prop_assert_eq!(&kept, &sealed(&parts));
                let bound = !kept.is_empty() || !wanted.reasoning.is_empty();
                prop_assert_eq!(given.model.take(), if bound { own("m") } else { None });
                if !stream {
                    // Whole, arguments are no letters: what they mean is the same.
                    for (given, wanted) in given.calls.iter_mut().zip(&wanted.calls) {
                        prop_assert_eq!(given.parse().unwrap(), wanted.parse().unwrap());
                        given.arguments.clone_from(&wanted.arguments);
                    }
                }
                prop_assert_eq!(given, wanted.clone(), "stream {}", stream);
            }
            Ok(())
        })?;
    }

    #[test]
    fn any_bytes_at_all_do_no_harm(
        bytes in vec(any::<u8>(), 0..200),
        pieces in vec(select(vec![
            "data: ", "{", "}", "[", "]", "\n", "\n\n", "\r", "\"type\":", "\"content_block_delta\"",
            "\"delta\":", ":", "\"text\":\"x\"", "\"index\":0", "null", ",", "\"error\":", "\"",
            "\"content_block_start\"", "\"message_delta\"", "\"stop_reason\":\"end_turn\"",
            "\"usage\":", "\"content\":", "\"message\"", "\"role\":", "\\ud83d", "\"tool_use\"",
            "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"",
            "\"partial_json\":\"{\"", "\"input\":", "\u{feff}", "event: x\n",
        ]), 0..40),
        chunking in chunking(),
    ) {
        let made: String = pieces.into_iter().collect();
        in_runtime(async {
            for body in [bytes, made.clone().into_bytes(), (start() + &made + &stop("end_turn")).into()] {
                for stream in [true, false] {
                    let _ = served(Reply::raw_sse(body.clone()).chunking(chunking), stream).await;
                    let json = Reply::status(200).body(body.clone()).chunking(chunking);
                    let _ = served(json, stream).await;
                }
                let error = Reply::status(400).body(body.clone()).chunking(chunking);
                prop_assert!(served(error, true).await.end.is_err());
            }
            Ok(())
        })?;
    }
}
