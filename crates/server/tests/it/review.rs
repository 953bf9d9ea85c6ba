//! An answer that was rejected is shown to nobody, in no protocol; the one that stands is, once.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use crate::harness::{Desk, Setup, events};

const WRONG: &str = "The tip is $7.77, and that is all there is to say about it.";
const RIGHT: &str = "The tip is $1.50, as the tool says.";
const RESULTS: &str = r#"{"tip":1.5,"total":11.5}"#;

fn call() -> Script {
    let tip = [("c1", "calculate_tip", r#"{"amount":10,"percentage":15}"#)];
    Script::new().reply(Reply::calls(tip))
}

/// A server at which answers are reviewed so, whose model is wrong once and then right.
async fn desk(top: &str, script: Script) -> (Desk, toolwright_testkit::ModelServer) {
    Desk::with(Setup { top: format!("{top}\n"), ..Setup::default() }, script).await
}

fn joined<'v>(all: &'v [Value], piece: impl Fn(&'v Value) -> Option<&'v str>) -> String {
    all.iter().filter_map(piece).collect()
}

/// What somebody reads who asks in each of the protocols.
async fn read(protocol: &str, desk: &Desk) -> String {
    let data = async |path: &str, body: Value| -> Vec<Value> {
        let text = desk.post(path, &body).await.text();
        events(&text).into_iter().map(|(_, event)| event).collect()
    };
    let messages = json!([{"role": "user", "content": "A tip on $10?"}]);
    match protocol {
        "own" => {
            let all = data("/api/chat/stream", json!({"message": "A tip on $10?"})).await;
            let told = joined(&all, |it| (it["type"] == "content").then(|| it["data"].as_str())?);
            let done = all.last().unwrap()["response"].as_str().unwrap();
            assert_eq!(told, done, "pieces and the end do not say the same");
            told
        }
        "ai-sdk" => {
            let text = json!([{"type": "text", "text": "A tip on $10?"}]);
            let body = json!({
                "id": "abcdefgh12345678", "messages": [{"id": "m1", "role": "user", "parts": text}],
            });
            let all = data("/api/chat/ai-sdk", body).await;
            joined(&all, |it| (it["type"] == "text-delta").then(|| it["delta"].as_str())?)
        }
        "ag-ui" => {
            let body = json!({
                "threadId": "thread-0123456789", "runId": "r1",
                "messages": [{"id": "m1", "role": "user", "content": "A tip on $10?"}],
            });
            let all = data("/api/chat/ag-ui", body).await;
            joined(&all, |it| {
                (it["type"] == "TEXT_MESSAGE_CONTENT").then(|| it["delta"].as_str())?
            })
        }
        "completions" => {
            let body = json!({"model": "toolwright", "messages": messages, "stream": true});
            let all = data("/v1/chat/completions", body).await;
            joined(&all, |it| it["choices"][0]["delta"]["content"].as_str())
        }
        _ => {
            let body = json!({"model": "toolwright", "messages": messages});
            let whole = desk.post("/v1/chat/completions", &body).await.json();
            whole["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
        }
    }
}

const PROTOCOLS: [&str; 5] = ["own", "ai-sdk", "ag-ui", "completions", "whole completion"];

#[tokio::test(flavor = "multi_thread")]
async fn every_protocol_shows_the_one_answer_that_stands() {
    for protocol in PROTOCOLS {
        for (review, answer) in [("enforce", RIGHT), ("replace", RESULTS)] {
            let script = call().reply(Reply::text(WRONG)).reply(Reply::text(RIGHT));
            let (desk, _model) = desk(&format!("review = \"{review}\""), script).await;
            assert_eq!(read(protocol, &desk).await, answer, "{protocol}, {review}");
        }
        // What cannot be rejected is streamed and stands.
        let (desk, _model) = desk("review = \"warn\"", call().reply(Reply::text(WRONG))).await;
        let told = read(protocol, &desk).await;
        let rest = told.strip_prefix(WRONG).unwrap_or_else(|| panic!("{protocol}: {told}"));
        // Whoever only sees text sees there that it is not supported.
        if protocol.contains("completion") {
            assert!(rest.starts_with("\n\nNot found in the tool results: "), "{protocol}: {told}");
            assert!(rest.contains("7.77"), "{protocol}: {told}");
        } else {
            assert_eq!(rest, "", "{protocol}");
        }
    }
}

/// A guard rejects answers, too.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_guard_sends_back_is_not_shown_either() {
    for protocol in PROTOCOLS {
        let unfinished = "The tip is [Current Tip] for today, more or less.";
        let script = call().reply(Reply::text(unfinished)).reply(Reply::text(RIGHT));
        let (desk, _model) = desk("review = \"enforce\"", script).await;
        assert_eq!(read(protocol, &desk).await, RIGHT, "{protocol}");
    }
}

/// In single shot the results are the answer, in every protocol.
#[tokio::test(flavor = "multi_thread")]
async fn every_protocol_shows_the_results_that_are_the_answer() {
    for protocol in PROTOCOLS.into_iter().filter(|it| *it != "own") {
        let (desk, _model) = desk("single_shot = true", call()).await;
        let told = read(protocol, &desk).await;
        let expected = format!(
            "Tool 'calculate_tip' executed successfully:\nThe result is data.\n\nData: {RESULTS}"
        );
        assert_eq!(told, expected, "{protocol}");
    }
}

/// What is kept of a run shows the same to whoever loads it, and says what was checked.
#[tokio::test(flavor = "multi_thread")]
async fn the_verdict_says_what_was_checked() {
    let verdict = async |script: Script, question: &str| {
        let (desk, _model) = desk("review = \"enforce\"", script).await;
        let all = desk.chat(question).await;
        let reviews = all.into_iter().filter(|it| it["type"] == "reviewed");
        reviews.map(|it| (it["verdict"].clone(), it["checked"].clone())).collect::<Vec<_>>()
    };
    let passed = verdict(call().reply(Reply::text("The tip is $1.50 of $11.50.")), "A tip?").await;
    assert_eq!(passed, [(json!("passed"), json!(2))]);
    let hello = verdict(Script::new().reply(Reply::text("Good morning.")), "Hello").await;
    assert_eq!(hello, [(json!("nothing_to_check"), Value::Null)]);
    let invented = Reply::text("You left 9,999 tips in 777 places.");
    let script = Script::new().reply(invented.clone()).reply(invented);
    let verdicts = verdict(script, "How many tips did I leave?").await;
    let (first, second) = (json!("returned"), json!("not_supported"));
    assert_eq!(verdicts, [(first, Value::Null), (second, Value::Null)]);
}

/// Whatever the protocol: that an answer is not supported, or that it is, can be read in it, and what
/// no result has. A verdict about an answer that nobody saw is told to nobody.
#[tokio::test(flavor = "multi_thread")]
async fn every_protocol_tells_the_verdict() {
    let wrong = || Reply::text(WRONG);
    for (review, script, verdict) in [
        ("warn", call().reply(wrong()), "not_supported"),
        ("enforce", call().reply(wrong()).reply(wrong()), "not_supported"),
        ("enforce", call().reply(wrong()).reply(Reply::text(RIGHT)), "passed"),
        ("replace", call().reply(wrong()), "replaced"),
    ] {
        for protocol in ["ai-sdk", "ag-ui", "completions", "whole completion"] {
            let (desk, _model) = desk(&format!("review = \"{review}\""), script.clone()).await;
            let told = verdicts(protocol, &desk).await;
            assert_eq!(told.len(), 1, "{protocol}, {review}: {told:?}");
            assert_eq!(told[0]["verdict"], verdict, "{protocol}, {review}");
            let found = told[0]["findings"].to_string().contains("7.77");
            assert_eq!(found, verdict != "passed", "{protocol}, {review}: {}", told[0]);
        }
    }
}

/// What a model says beside a call is read as much as its answer: what nothing supports is shown to
/// nobody, and an answer that goes on from it does not stand.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_made_up_beside_a_call_is_not_shown() {
    let beside = |text: &str| {
        let arguments = r#"{"amount":10,"percentage":15}"#;
        Script::new().reply(Reply::calls([("c1", "calculate_tip", arguments)]).with_text(text))
    };
    for protocol in PROTOCOLS {
        for (review, answer) in [("enforce", RIGHT), ("replace", RESULTS)] {
            let script = beside("You have left 4712 tips so far.")
                .reply(Reply::text("That is all."))
                .reply(Reply::text(RIGHT));
            let (desk, _model) = desk(&format!("review = \"{review}\""), script).await;
            assert_eq!(read(protocol, &desk).await, answer, "{protocol}, {review}");
        }
    }
}

/// What somebody is told of the review who asks in each of the protocols.
async fn verdicts(protocol: &str, desk: &Desk) -> Vec<Value> {
    let question = "A tip on $10?";
    let messages = json!([{"id": "m", "role": "user", "content": question}]);
    let parts = json!([{"type": "text", "text": question}]);
    let (path, body) = match protocol {
        "ai-sdk" => {
            let messages = json!([{"id": "m", "role": "user", "parts": parts}]);
            ("/api/chat/ai-sdk", json!({"id": "a", "messages": messages}))
        }
        "ag-ui" => {
            ("/api/chat/ag-ui", json!({"threadId": "a", "runId": "r", "messages": messages}))
        }
        _ => {
            let messages = json!([{"role": "user", "content": question}]);
            let stream = protocol == "completions";
            let body = json!({"model": "toolwright", "messages": messages, "stream": stream});
            ("/v1/chat/completions", body)
        }
    };
    let answer = desk.post(path, &body).await;
    let all: Vec<Value> = match protocol {
        "whole completion" => vec![answer.json()],
        _ => events(&answer.text()).into_iter().map(|(_, event)| event).collect(),
    };
    let told = all.iter().filter_map(|it| match protocol {
        "ai-sdk" => (it["type"] == "data-review").then(|| it["data"].clone()),
        "ag-ui" => (it["name"] == "review").then(|| it["value"].clone()),
        _ => it.pointer("/choices/0/toolwright/review").cloned(),
    });
    told.collect()
}

/// Without any result, what takes the place of an invention says that there is none.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_result_nothing_is_made_up_in_its_place() {
    for protocol in PROTOCOLS {
        let script = Script::new().reply(Reply::text("You left 4712 tips, up 1.2%."));
        let (desk, _model) = desk("review = \"replace\"", script).await;
        let told = read(protocol, &desk).await;
        assert!(told.starts_with("No tool returned an answer to this."), "{protocol}: {told}");
        assert!(!told.contains("4712"), "{protocol}: {told}");
    }
}
