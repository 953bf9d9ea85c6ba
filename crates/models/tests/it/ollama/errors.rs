//! What goes wrong.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use toolwright_core::ModelErrorKind;

use super::{
    asking, done, lines,
    replies::{hear, served},
    said,
};
use crate::{
    served::{Answer, End, Served},
    support::{ask, in_runtime, model},
};

#[test]
fn refusals_in_ollamas_words() {
    for (status, words, kind) in [
        (401, "unauthorized", ModelErrorKind::Auth),
        (404, "model 'm' not found", ModelErrorKind::NotFound),
        (400, "registry.ollama.ai/library/m does not support tools", ModelErrorKind::Request),
        (400, "\"m\" does not support thinking", ModelErrorKind::Request),
        (400, "the input length exceeds the context length", ModelErrorKind::TooLong),
        (429, "too many concurrent requests", ModelErrorKind::RateLimited),
        (500, "llama runner process has terminated", ModelErrorKind::Server),
        (
            503,
            "server busy, please try again. maximum pending requests exceeded",
            ModelErrorKind::Server,
        ),
    ] {
        let answer = Answer::json(status, &json!({"error": words}));
        let error = in_runtime(served(answer, true)).error();
        assert_eq!((error.kind, error.status), (kind, Some(status)), "{error}");
        assert!(error.message.contains(words), "{error}");
    }
}

#[test]
fn what_is_too_long_tells_of_the_window() {
    let answer =
        Answer::json(400, &json!({"error": "the input length exceeds the context length"}));
    let error = in_runtime(served(answer, true)).error();
    assert!(error.advice.as_deref().is_some_and(|it| it.contains("num_ctx")), "{error:?}");
    // No version belongs behind the address, and none is advised.
    let answer = Answer::json(404, &json!({"error": "model 'm' not found"}));
    let advice = in_runtime(served(answer, true)).error().advice.unwrap();
    assert!(!advice.contains("v1") && advice.contains("model's name"), "{advice}");
}

/// Refuses as often as said, then answers; how often it was asked, and what came of it.
fn refusing(times: usize, answer: Answer, retries: u32) -> (usize, bool) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let server = Served::new(move |_| match counted.fetch_add(1, Ordering::Relaxed) < times {
        true => answer.clone(),
        false => lines(&(said("Hi") + &done("stop"))),
    });
    let heard = in_runtime(ask(&model(asking(&server, retries)), true));
    (asked.load(Ordering::Relaxed), heard.end.is_ok())
}

#[test]
fn what_is_worth_another_attempt() {
    let error = |status, words: &str| Answer::json(status, &json!({"error": words}));
    for status in [500, 502, 503] {
        assert_eq!(refusing(2, error(status, "busy"), 3), (3, true), "{status}");
    }
    let waits = error(429, "slow down").header("retry-after", "0");
    assert_eq!(refusing(1, waits, 3), (2, true));
    for status in [400, 401, 404] {
        assert_eq!(refusing(1, error(status, "no"), 3), (1, false), "{status}");
    }
    let full = "model requires more system memory (9 GiB) than is available (2 GiB)";
    assert_eq!(refusing(1, error(500, full), 3), (1, false), "it does not fit later either");
    // Nothing of a reply had come: it is asked again.
    assert_eq!(refusing(1, lines("{\"error\":\"an error was encountered\"}\n"), 3), (2, true));
    assert_eq!(refusing(1, lines("").end(End::Cut), 3), (2, true));
    // Once something was handed on it is not.
    assert_eq!(refusing(1, lines(&said("Par")).end(End::Cut), 3), (1, false));
}

#[test]
fn errors_in_the_middle_of_a_stream() {
    let words = "an error was encountered while running the model";
    for error in [json!(words), json!({"message": words})] {
        let stream = said("Par") + &said("tial") + &json!({"error": error}).to_string() + "\n";
        let error = hear(&stream).error();
        assert_eq!(error.kind, ModelErrorKind::BrokenReply);
        assert!(error.message.contains(words), "{error}");
    }
    let error = in_runtime(served(Answer::json(200, &json!({"error": words})), false)).error();
    assert!(error.message.contains(words), "{error}");
}

#[test]
fn streams_that_break_off() {
    let whole = said("Hello") + &said(" world") + &said("!");
    for end in 1..whole.len() {
        let answer = lines(&whole[..end]).end(if end % 2 == 0 { End::Cut } else { End::Whole });
        let error = in_runtime(served(answer, true)).error();
        assert_eq!(error.kind, ModelErrorKind::BrokenReply, "cut at {end}: {error}");
    }
}

#[test]
fn nothing_without_end() {
    let nothing = "\n".repeat(1 << 20).into_bytes();
    let answer = Answer::lines(vec![nothing; 40]).end(End::Hang);
    let error = in_runtime(served(answer, true)).error();
    assert!(error.message.contains("held nothing"), "{error}");
    let line = [b"{\"message\":\"".to_vec(), vec![b'x'; 9 << 20]];
    let error = in_runtime(served(Answer::lines(line.into()).end(End::Hang), true)).error();
    assert!(error.message.contains("longer than 8 MiB"), "{error}");
}

#[test]
fn more_than_any_reply_holds() {
    let call = json!({"function": {"name": "f", "arguments": {}}});
    let stream = super::piece(json!({"content": "", "tool_calls": vec![call; 200]}));
    let error = in_runtime(served(lines(&stream), true)).error();
    assert!(error.message.contains("more calls"), "{error}");
}
