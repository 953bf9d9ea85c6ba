//! What is said: in the events of each API, in whatever pieces, under its own path.

use serde_json::{Value, json};
use toolwright_testkit::{
    BreakForm, Chunking, Failure, Fault, ModelServer, Reply, Script, Spoken, SpokenApi, SpokenPart,
    SpokenStop, matrix,
};

use super::{answer, ask, question};
use crate::client::{Client, Ending};

const ARGUMENTS: &str = r#"{"city":"Zürich"}"#;

fn rich() -> Spoken {
    Spoken::reasoning("weather first", Some("c2VhbA=="))
        .and_text("Let me look 🌦️")
        .call("call_1", "get_weather", ARGUMENTS)
        .call("call_2", "now", "{}")
        .usage(82, 17)
        .of_which(64, 7)
}

/// The JSON of every event, whichever way the API has to tell them apart.
fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    data.filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The type of every event, runs of equal ones once.
fn kinds(stream: &str) -> Vec<String> {
    let events = events(stream);
    let mut kinds: Vec<_> = events.iter().map(|it| it["type"].as_str().unwrap().into()).collect();
    kinds.dedup();
    kinds
}

#[tokio::test]
async fn one_script_is_said_in_every_api_in_any_pieces() {
    for api in SpokenApi::ALL {
        let script = Script::new().reply(Reply::spoken(rich()));
        let bodies = std::sync::Mutex::new([const { Vec::new() }; 2]);
        matrix::play_in(api, script, async |url, stream| {
            let base = url.strip_suffix(api.base_path()).unwrap().strip_suffix(api.name());
            let mut client = Client::connect_to(&format!("{}v1", base.unwrap())).await;
            let body = question(api, stream).to_string();
            let route = format!("POST /{}{}", api.name(), api.path("m", stream));
            let headers = "content-type: application/json\r\nanthropic-version: 2023-06-01\r\n";
            client.send(&route, headers, body.as_bytes()).await;
            let response = client.response().await;
            let wanted = if stream { api.stream_type() } else { "application/json" };
            assert_eq!(response.header("content-type"), Some(wanted));
            bodies.lock().unwrap()[usize::from(stream)].push(response.text());
        })
        .await;
        let [whole, streams] = bodies.into_inner().unwrap();
        let expected = api.whole(&rich(), "m").to_string();
        assert!(whole.iter().all(|it| *it == expected), "{api:?}");
        assert!(streams.iter().all(|it| *it == api.stream(&rich(), "m")), "{api:?}");
    }
}

#[tokio::test]
async fn the_older_words_for_replies_are_said_in_every_api() {
    for api in SpokenApi::ALL {
        let reply = Reply::calls([("call_1", "now", "{}")]).with_text("Hm.").with_reasoning("So?");
        let spoken = Spoken::reasoning("So?", None).and_text("Hm.").call("call_1", "now", "{}");
        let response = answer(reply.usage(1, 2), api, true).await;
        assert_eq!(response.text(), api.stream(&spoken.usage(1, 2), "m"), "{api:?}");
        let cut = answer(Reply::text("x").finish_reason("length"), api, false).await.json();
        assert_eq!(cut, api.whole(&Spoken::text("x").stop(SpokenStop::Length), "m"), "{api:?}");
    }
}

#[test]
fn a_response_is_an_ordered_list_of_events() {
    let stream = SpokenApi::Responses.stream(&rich(), "m");
    let numbers: Vec<_> = events(&stream).iter().map(|it| it["sequence_number"].clone()).collect();
    assert_eq!(numbers, (0..numbers.len()).map(|it| json!(it)).collect::<Vec<_>>());
    let item = |inner: &[&'static str]| {
        let mut kinds = vec!["output_item.added"];
        kinds.extend(inner);
        kinds.push("output_item.done");
        kinds
    };
    let call = ["function_call_arguments.delta", "function_call_arguments.done"];
    let expected = [
        vec!["created", "in_progress"],
        item(&[
            "reasoning_summary_part.added",
            "reasoning_summary_text.delta",
            "reasoning_summary_text.done",
            "reasoning_summary_part.done",
        ]),
        item(&["content_part.added", "output_text.delta", "output_text.done", "content_part.done"]),
        item(&call),
        item(&call),
        vec!["completed"],
    ];
    let expected: Vec<_> = expected.concat().iter().map(|it| format!("response.{it}")).collect();
    assert_eq!(kinds(&stream), expected);
    let last = events(&stream).pop().unwrap();
    assert_eq!(last["response"], SpokenApi::Responses.whole(&rich(), "m"));
    assert_eq!(last["response"]["output"][0]["encrypted_content"], "c2VhbA==");
    assert_eq!(last["response"]["output"][2]["arguments"], ARGUMENTS);
}

#[test]
fn a_message_is_blocks_that_begin_and_end() {
    let stream = SpokenApi::Messages.stream(&rich(), "m");
    let block = ["content_block_start", "content_block_delta", "content_block_stop"];
    let first =
        ["content_block_start", "ping", "content_block_delta", "content_block_stop"].as_slice();
    let expected =
        [&["message_start"], first, &block, &block, &block, &["message_delta", "message_stop"]];
    assert_eq!(kinds(&stream), expected.concat());
    let signed = events(&stream).into_iter().find(|it| it["delta"]["type"] == "signature_delta");
    assert_eq!(signed.unwrap()["delta"]["signature"], "c2VhbA==");
    // No arguments are no letters, and every call begins with none.
    let events = events(&stream);
    let of_last: Vec<_> = events.iter().filter(|it| it["index"] == 3).collect();
    assert_eq!(of_last[1]["delta"]["partial_json"], "");
    assert_eq!(of_last.len(), 3);
    let whole = SpokenApi::Messages.whole(&rich(), "m");
    assert_eq!(whole["content"][2]["input"], json!({"city": "Zürich"}));
    assert_eq!(whole["usage"]["input_tokens"], 18);
    assert_eq!(whole["stop_reason"], "tool_use");
}

#[test]
fn google_seals_the_first_call_or_the_last_part() {
    let signed = |spoken: &Spoken| {
        let whole = SpokenApi::Gemini.whole(spoken, "m");
        let parts = whole["candidates"][0]["content"]["parts"].as_array().unwrap().clone();
        parts.iter().map(|part| part.get("thoughtSignature").is_some()).collect::<Vec<_>>()
    };
    assert_eq!(signed(&rich()), [false, false, true, false]);
    let text = Spoken::reasoning("x", Some("c2VhbA==")).and_text("y");
    assert_eq!(signed(&text), [false, true]);
    let stream = SpokenApi::Gemini.stream(&text, "m");
    assert!(stream.ends_with("\r\n\r\n"));
    let last = events(&stream).pop().unwrap();
    let parts = &last["candidates"][0]["content"]["parts"];
    assert_eq!(*parts, json!([{"text": "", "thoughtSignature": "c2VhbA=="}]));
    assert_eq!(last["candidates"][0]["finishReason"], "STOP");
}

#[test]
fn ollama_says_a_call_in_one_line_and_counts_in_the_last() {
    let lines = events(&SpokenApi::Ollama.stream(&rich(), "m"));
    let calls: Vec<_> =
        lines.iter().filter(|line| !line["message"]["tool_calls"].is_null()).collect();
    assert_eq!(calls.len(), 2);
    let function = &calls[0]["message"]["tool_calls"][0]["function"];
    assert_eq!(function["arguments"], json!({"city": "Zürich"}));
    let last = lines.last().unwrap();
    assert_eq!((&last["done"], &last["done_reason"]), (&json!(true), &json!("stop")));
    assert_eq!((&last["prompt_eval_count"], &last["eval_count"]), (&json!(82), &json!(17)));
    let nameless = SpokenApi::Ollama.whole(&Spoken::default().call("", "now", "{}"), "m");
    assert!(nameless["message"]["tool_calls"][0].get("id").is_none());
}

#[test]
fn every_api_has_its_words_for_the_end() {
    let stops = [SpokenStop::Done, SpokenStop::Length, SpokenStop::Filter, SpokenStop::Refusal];
    for (api, place, words) in [
        (SpokenApi::Chat, "/choices/0/finish_reason", ["stop", "length", "content_filter", "stop"]),
        (SpokenApi::Responses, "/status", ["completed", "incomplete", "incomplete", "completed"]),
        (SpokenApi::Messages, "/stop_reason", ["end_turn", "max_tokens", "refusal", "refusal"]),
        (SpokenApi::Gemini, "/candidates/0/finishReason", ["STOP", "MAX_TOKENS", "SAFETY", ""]),
        (SpokenApi::Ollama, "/done_reason", ["stop", "length", "stop", "stop"]),
    ] {
        for (stop, word) in stops.iter().zip(words) {
            let whole = api.whole(&Spoken::text("x").stop(stop.clone()), "m");
            let found = whole.pointer(place).and_then(Value::as_str).unwrap_or_default();
            assert_eq!(found, word, "{api:?} {stop:?}");
        }
        let own = api.whole(&Spoken::text("x").stop(SpokenStop::Other("odd".into())), "m");
        assert!(own.to_string().contains("odd"), "{api:?}");
    }
}

#[test]
fn an_end_may_be_missing() {
    for (api, end) in [
        (SpokenApi::Chat, "[DONE]"),
        (SpokenApi::Responses, "response.completed"),
        (SpokenApi::Messages, "message_stop"),
        (SpokenApi::Gemini, "finishReason"),
        (SpokenApi::Ollama, "done_reason"),
    ] {
        assert!(api.stream(&Spoken::text("x"), "m").contains(end), "{api:?}");
        assert!(!api.stream(&Spoken::text("x").unended(), "m").contains(end), "{api:?}");
    }
}

#[test]
fn thoughts_may_be_hidden() {
    let seal = Some("c2VhbA==".to_owned());
    let hidden = SpokenPart::Reasoning { pieces: vec!["psst".into()], seal, redacted: true };
    let hidden = Spoken::default().then(hidden).and_text("Well.");
    for api in SpokenApi::ALL {
        let (whole, stream) = (api.whole(&hidden, "m").to_string(), api.stream(&hidden, "m"));
        assert!(!whole.contains("psst") && !stream.contains("psst"), "{api:?}");
        let sealed = !matches!(api, SpokenApi::Chat | SpokenApi::Ollama);
        assert_eq!((whole.contains("c2VhbA=="), stream.contains("c2VhbA==")), (sealed, sealed));
    }
}

#[tokio::test]
async fn a_reply_breaks_in_the_middle_in_the_words_of_its_api() {
    for api in SpokenApi::ALL {
        let spoken = Spoken::text("Well, ").breaks(Failure::Overloaded, BreakForm::Usual);
        let stream = answer(Reply::spoken(spoken.clone()), api, true).await;
        assert_eq!(stream.status, 200);
        let events = events(&stream.text());
        assert!(events.iter().any(|it| it.get("error").is_some()), "{api:?}: {events:?}");
        let whole = answer(Reply::spoken(spoken), api, false).await;
        assert_eq!(whole.status, Failure::Overloaded.status(api));
    }
    let flat = Spoken::text("x").breaks(Failure::Server, BreakForm::Flat);
    let flat = events(&SpokenApi::Responses.stream(&flat, "m")).pop().unwrap();
    assert_eq!((&flat["type"], &flat["code"]), (&json!("error"), &json!("server_error")));
    let failed = Spoken::text("x").breaks(Failure::Server, BreakForm::FailedOnly);
    let failed = SpokenApi::Responses.stream(&failed, "m");
    assert!(!failed.contains("event: error") && failed.contains("event: response.failed"));
}

#[tokio::test]
async fn an_event_is_a_piece_and_faults_are_the_same_in_every_api() {
    for api in SpokenApi::ALL {
        let per_event = Reply::spoken(rich()).chunking(Chunking::PerEvent);
        let response = answer(per_event, api, true).await;
        let pieces = response.chunks.iter().map(|it| String::from_utf8(it.clone()).unwrap());
        let ends = if api == SpokenApi::Ollama { "\n" } else { "\n\n" };
        for piece in pieces {
            assert!(piece.replace('\r', "").ends_with(ends), "{api:?}: {piece}");
            assert!(events(&piece).len() == 1 || piece.contains("[DONE]"), "{api:?}: {piece}");
        }
        let cut = answer(Reply::spoken(rich()).fault(Fault::CutAt(40)), api, true).await;
        assert_eq!((cut.ending, cut.chunks.concat().len()), (Ending::Closed, 40));
    }
}

#[tokio::test]
async fn models_are_listed_in_every_api() {
    let server = ModelServer::start(Script::new().key("k")).await;
    let list = async |path: &str, headers: &str| {
        let mut client = Client::connect(&server).await;
        client.send(path, headers, b"").await;
        client.response().await
    };
    let bearer = "authorization: Bearer k\r\n";
    for (path, headers, api) in [
        ("GET /v1/models", bearer, SpokenApi::Chat),
        ("GET /responses/v1/models", bearer, SpokenApi::Responses),
        ("GET /v1/models", "x-api-key: k\r\nanthropic-version: 1\r\n", SpokenApi::Messages),
        ("GET /messages/v1/models", "x-api-key: k\r\n", SpokenApi::Messages),
        ("GET /v1beta/models", "x-goog-api-key: k\r\n", SpokenApi::Gemini),
        ("GET /v1/models", "x-goog-api-key: k\r\n", SpokenApi::Gemini),
        ("GET /api/tags", bearer, SpokenApi::Ollama),
    ] {
        assert_eq!(list(path, headers).await.json(), api.models(), "{path}");
        let refused = list(path, &headers.replace("k\r\n", "wrong\r\n")).await;
        assert_eq!(refused.status, Failure::Key.status(api), "{path}");
    }
    let shown = list("POST /api/show", bearer).await.json();
    assert_eq!(shown["capabilities"][1], "tools");
    assert!(list("GET /ollama/api/version", bearer).await.json()["version"].is_string());
    server.assert_clean();
    assert_eq!(list("GET /gemini/api/tags", bearer).await.status, 404);
}

#[tokio::test]
async fn a_request_knows_its_api_and_model() {
    let server = ModelServer::start_with(|_| Reply::text("x")).await;
    for api in SpokenApi::ALL {
        for stream in [true, false] {
            ask(&server, api, stream, &question(api, stream)).await;
            let request = server.requests().pop().unwrap();
            assert_eq!((request.api(), request.model()), (Some(api), Some("m")));
            assert_eq!(request.streamed(), stream);
        }
    }
    server.assert_clean();
}
