//! Any reply, rendered in any of the forms Gemini has, cut anywhere, is the same reply; and any bytes do no harm.

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use toolwright_core::{FinishReason, ModelResponse, Usage};
use toolwright_testkit::{Chunking, Reply};

use super::served;
use crate::support::in_runtime;

/// A part of a reply.
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Thought(String),
    Call(&'static str, Value),
}

fn words() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        2 => any::<char>(),
        6 => proptest::char::range(' ', '~'),
        2 => select(vec!['"', '\\', '\n', '\r', '\t', '\0', '{', '}', ':', '\u{2028}', '🎉', 'é']),
    ];
    vec(letter, 0..12).prop_map(|letters| letters.into_iter().collect())
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let arguments =
        (words(), any::<i32>()).prop_map(|(text, number)| json!({"x": text, "n": [number, {}]}));
    let piece = prop_oneof![
        6 => words().prop_map(Piece::Text),
        4 => "[a-z ]{1,8}".prop_map(Piece::Text),
        1 => words().prop_map(Piece::Thought),
        1 => (select(vec!["f", "g"]), arguments).prop_map(|(name, it)| Piece::Call(name, it)),
    ];
    vec(piece, 0..20)
}

/// How a server writes.
#[derive(Clone, Copy, Debug)]
struct Style {
    chunking: Chunking,
    snake: bool,
    /// Whether the reason to stop comes with the last part.
    stops_with_last: bool,
    /// Whether every event says what it cost so far.
    counts: bool,
    /// Where parts are put together, every so many.
    at_once: usize,
    /// Whether spaces are written.
    pretty: bool,
}

fn styles() -> impl Strategy<Value = Style> {
    let chunking = prop_oneof![
        Just(Chunking::Whole),
        Just(Chunking::OneByte),
        Just(Chunking::PerEvent),
        any::<u64>().prop_map(Chunking::Random),
    ];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (chunking, flags, 1_usize..4).prop_map(
        |(chunking, (snake, stops_with_last, counts, pretty), at_once)| Style {
            chunking,
            snake,
            stops_with_last,
            counts,
            at_once,
            pretty,
        },
    )
}

impl Style {
    fn name(self, camel: &'static str, snake: &'static str) -> &'static str {
        if self.snake { snake } else { camel }
    }

    fn part(self, piece: &Piece) -> Value {
        match piece {
            Piece::Text(text) => json!({"text": text}),
            Piece::Thought(text) => json!({"text": text, "thought": true}),
            Piece::Call(name, args) => {
                json!({self.name("functionCall", "function_call"): {"name": name, "args": args}})
            }
        }
    }

    fn event(self, parts: Vec<Value>, stops: bool, tokens: usize) -> Value {
        let mut candidate = json!({"index": 0});
        if !parts.is_empty() {
            candidate["content"] = json!({"role": "model", "parts": parts});
        }
        if stops {
            candidate[self.name("finishReason", "finish_reason")] = json!("STOP");
        }
        let mut event = json!({"candidates": [candidate], "modelVersion": "gemini-4"});
        if self.counts || stops {
            let prompt = self.name("promptTokenCount", "prompt_token_count");
            let said = self.name("candidatesTokenCount", "candidates_token_count");
            let counts = json!({prompt: 7, said: tokens});
            event[self.name("usageMetadata", "usage_metadata")] = counts;
        }
        event
    }

    fn events(self, pieces: &[Piece]) -> Vec<Value> {
        let mut groups: Vec<Vec<Value>> = pieces
            .chunks(self.at_once)
            .map(|group| group.iter().map(|it| self.part(it)).collect())
            .collect();
        if !self.stops_with_last || groups.is_empty() {
            groups.push(Vec::new());
        }
        let last = groups.len() - 1;
        groups
            .into_iter()
            .enumerate()
            .map(|(at, parts)| self.event(parts, at == last, at * 7))
            .collect()
    }

    fn stream(self, events: &[Value]) -> String {
        let end = if self.pretty { "\r\n\r\n" } else { "\n\n" };
        let line = |event: &Value| if self.pretty { spaced(event) } else { event.to_string() };
        events.iter().map(|event| format!("data: {}{end}", line(event))).collect()
    }
}

/// As Google writes it, with a space behind every colon.
fn spaced(event: &Value) -> String {
    struct Spaced;
    impl serde_json::ser::Formatter for Spaced {
        fn begin_object_value<W: ?Sized + std::io::Write>(
            &mut self,
            out: &mut W,
        ) -> std::io::Result<()> {
            out.write_all(b": ")
        }
    }
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Spaced);
    serde::Serialize::serialize(event, &mut serializer).unwrap();
    String::from_utf8(out).unwrap()
}

fn wanted(pieces: &[Piece], tokens: u64) -> ModelResponse {
    let mut reply = ModelResponse::default();
    for piece in pieces {
        match piece {
            Piece::Text(text) => reply.text.push_str(text),
            Piece::Thought(text) => reply.reasoning.push_str(text),
            Piece::Call(name, args) => {
                reply.calls.push(toolwright_core::Call::new("", *name, args.to_string()));
            }
        }
    }
    if !reply.calls.is_empty() {
        reply.finish = FinishReason::ToolCalls;
    }
    reply.usage = Usage { prompt_tokens: 7, completion_tokens: tokens, ..Usage::default() };
    reply
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_reply_is_the_same_in_every_form(pieces in pieces(), style in styles()) {
        let events = style.events(&pieces);
        let tokens = (events.len() as u64 - 1) * 7;
        let wanted = wanted(&pieces, tokens);
        in_runtime(async {
            let stream = Reply::raw_sse(style.stream(&events)).chunking(style.chunking);
            prop_assert_eq!(served(stream, true).await.reply(), wanted.clone());
            let list = Reply::json(events.into()).chunking(style.chunking);
            prop_assert_eq!(served(list, false).await.reply(), wanted.clone());
            let parts = pieces.iter().map(|it| style.part(it)).collect();
            let whole = style.event(parts, true, usize::try_from(tokens).unwrap());
            let whole = Reply::json(whole).chunking(style.chunking);
            prop_assert_eq!(served(whole, false).await.reply(), wanted);
            Ok(())
        })?;
    }

    #[test]
    fn any_bytes_at_all_do_no_harm(
        bytes in vec(any::<u8>(), 0..200),
        pieces in vec(select(vec![
            "data: ", "{", "}", "[", "]", "\n", "\n\n", "\r", "\"candidates\":", "\"content\":", ":",
            "\"parts\":", "{\"text\":\"x\"}", "\"functionCall\":", "\"index\":0", "null", ",", "\"error\":",
            "\"finishReason\":\"STOP\"", "\\ud83d", "\"", "\"thought\":true", "\"args\":{",
            "\"thoughtSignature\":\"x\"", "\"usageMetadata\":", "\u{feff}", "7",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}],\"usageMetadata\":{\"a\":1}}\n\n",
        ]), 0..40),
    ) {
        let made: String = pieces.into_iter().collect();
        in_runtime(async {
            for body in [bytes, made.into_bytes()] {
                for stream in [true, false] {
                    let _ = served(Reply::raw_sse(body.clone()), stream).await;
                    let _ = served(Reply::status(200).body(body.clone()), stream).await;
                }
                let refusal = Reply::status(400).body(body.clone());
                prop_assert!(served(refusal, true).await.end.is_err());
            }
            Ok(())
        })?;
    }
}
