//! What becomes of calls (M8, M10, M11).

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright_core::{QuestionAnswer, RunContext, RunId, Status, ToolUpdate};

use super::support::{Fake, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_answered_and_what_fails_is_told() {
    let fake = Fake::approved().await;
    assert_eq!(fake.call("echo", json!({"text": "hi"})).await.text, "hi");
    let failed = fake.call("fails", json!({})).await;
    assert_eq!(failed.status, Status::Failed);
    assert!(failed.text.contains("no such city"), "{}", failed.text);
}

/// M8: what is no reply is ignored, and the next call is answered.
#[tokio::test(flavor = "multi_thread")]
async fn strays_are_ignored() {
    let fake = Fake::approved().await;
    assert_eq!(fake.text("strays").await, "the first");
    assert_eq!(fake.call("echo", json!({"text": "still"})).await.text, "still");
    // Well-formed, and no result of a tool: that call fails at once, and no other.
    let failed = fake.call("nonsense", json!({})).await;
    assert_eq!(failed.status, Status::Failed, "{}", failed.text);
    assert_eq!(fake.call("echo", json!({"text": "still"})).await.text, "still");
}

/// M10: results are bounded.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_is_cut_or_refused() {
    let fake = Fake::approved().await;
    let failed = fake.call("huge", json!({})).await;
    assert!(failed.text.contains("longer than 8 MiB"), "{}", failed.text);
    assert!(fake.text("blocks").await.contains("[9900 more blocks of content are left out]"));
    assert_eq!(fake.call("echo", json!({"text": "still"})).await.text, "still");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_tells_how_far_it_is() {
    let fake = Fake::approved().await;
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let context = RunContext::new().watched(|_| {
        let told = told.clone();
        Arc::new(move |update| {
            if let ToolUpdate::Progress(text) = update {
                told.lock().unwrap().push(text);
            }
        })
    });
    let outcome = fake.toolbox().call("fake__steps", json!({}), &context).await;
    assert_eq!(outcome.text, "done");
    assert_eq!(*told.lock().unwrap(), ["0/3 step 0", "1/3 step 1", "2/3 step 2"]);
}

/// A call that nobody waits for any more is cancelled there, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_dropped_is_cancelled() {
    let fake = Fake::approved().await;
    let (toolbox, context) = (fake.toolbox(), RunContext::new());
    let call = toolbox.call("fake__hang", json!({}), &context);
    let state = fake.folder.path().join("state");
    tokio::select! {
        outcome = call => panic!("{outcome:?}"),
        () = until(|| state.exists()) => {}
    }
    let cancelled =
        || async { serde_json::from_str::<Vec<Value>>(&fake.text("cancelled").await).unwrap() };
    for _ in 0..100 {
        if !cancelled().await.is_empty() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("it was not told");
}

/// M11: a server gets no model's words, and the user's only where somebody can be asked.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_asks_the_user_and_no_model() {
    let fake = Fake::approved().await;
    assert_eq!(fake.text("asks").await, r#"{"action": "decline"}"#);
    assert!(fake.text("samples").await.contains("-32601"), "{}", fake.text("samples").await);
    let asked: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
    let seen = asked.clone();
    let context = RunContext::new().with_asker(Arc::new(move |question| {
        seen.lock().unwrap().push(question.asker.clone());
        Box::pin(async { QuestionAnswer::accept_with(json!({"n": 3})) })
    }));
    let outcome = fake.toolbox().call("fake__asks", json!({}), &context).await;
    assert_eq!(outcome.text, r#"{"action": "accept", "content": {"n": 3}}"#);
    // It is the server that asks.
    assert_eq!(*asked.lock().unwrap(), [Some("fake".to_owned())]);
}

/// It does not say which call it asks for: whose user that is has to be certain.
#[tokio::test(flavor = "multi_thread")]
async fn of_several_calls_the_user_is_asked_where_all_are_of_one_run() {
    let fake = Fake::approved().await;
    let (toolbox, state) = (fake.toolbox(), fake.folder.path().join("state"));
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let context = |run: Option<&str>| {
        let seen = asked.clone();
        let context = RunContext::new();
        let context = run.map_or(context.clone(), |run| context.of_run(RunId::from(run)));
        context.with_asker(Arc::new(move |question| {
            seen.lock().unwrap().push(question.message.clone());
            Box::pin(async { QuestionAnswer::accept_with(json!({"n": 3})) })
        }))
    };
    for (one, other, is_asked) in [
        (Some("run-1"), Some("run-1"), true),
        (Some("run-1"), Some("run-2"), false),
        (None, None, false),
    ] {
        let _ = std::fs::remove_file(&state);
        let (others, own) = (context(other), context(one));
        let asks = async {
            until(|| state.exists()).await;
            toolbox.call("fake__asks", json!({}), &own).await
        };
        let outcome = tokio::select! {
            outcome = toolbox.call("fake__hang", json!({}), &others) => panic!("{outcome:?}"),
            outcome = asks => outcome,
        };
        let action = if is_asked { "accept" } else { "decline" };
        assert!(outcome.text.contains(action), "{one:?} {other:?} {outcome:?}");
    }
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].starts_with("How many?") && asked[0].contains("several calls"), "{asked:?}");
}

/// What it is given of our environment is little, and all of it known.
#[tokio::test(flavor = "multi_thread")]
async fn the_environment_is_not_handed_on() {
    let fake = Fake::approved().await;
    let names: Vec<String> = serde_json::from_str(&fake.text("environment").await).unwrap();
    let known = [
        "HOME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "LOGNAME",
        "PATH",
        "SHELL",
        "STATE",
        "TERM",
        "TMPDIR",
        "TOOLWRIGHT_SERVER_ID",
        "TZ",
        "USER",
    ];
    assert!(names.iter().all(|it| known.contains(&it.as_str())), "{names:?}");
    assert!(names.contains(&"STATE".to_owned()) && std::env::var("CARGO_MANIFEST_DIR").is_ok());
}
