//! What nobody may see is taken out of whatever a call returns or says.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    EventKind, ModelError, ModelErrorKind, ModelResponse, Outcome, Output, ResultFormat,
    RunContext, Tool, ToolEffect, ToolError, ToolResult, ToolUpdate,
};
use toolwright_models::Scripted;
use toolwright_runtime::Toolbox;

use super::{agent, asking, giving, policy, reader, run_in, toolbox};
use crate::support::{Played, calls, play, spec, text, tool};

/// With everything in it that spellings differ in.
const SECRET: &str = "c4nary/\"5f\\2d\n81+ü";

/// Every spelling of the canary that must not be seen anywhere.
fn spellings() -> Vec<String> {
    let json = json!(SECRET).to_string();
    let json = json.trim_matches('"').to_owned();
    let twice = json!(json).to_string().trim_matches('"').to_owned();
    vec![
        SECRET.to_owned(),
        json.clone(),
        json.replace('/', "\\/").replace('ü', "\\u00fc"),
        json.replace('c', "\\u0063"),
        twice,
        "c4nary%2F%225f%5C2d%0A81%2B%C3%BC".to_owned(),
        "c4nary%2f%225f%5c2d%0a81%2b%c3%bc".to_owned(),
        "%634nary/%225f%5C2d%0a81+%c3%bc".to_owned(),
        "YzRuYXJ5LyI1ZlwyZAo4MSvDvA==".to_owned(),
        "YzRuYXJ5LyI1ZlwyZAo4MSvDvA".to_owned(),
        // `user:` and `me:` before it.
        "dXNlcjpjNG5hcnkvIjVmXDJkCjgxK8O8".to_owned(),
        "bWU6YzRuYXJ5LyI1ZlwyZAo4MSvDvA".to_owned(),
    ]
}

fn context() -> RunContext {
    RunContext::new().secret(SECRET).secret("pin-4711-x").secret("90210777").secret("")
}

/// A run in which a tool gives this result.
async fn told(result: ToolResult) -> Played {
    let (tool, _) = giving(spec("leak", ToolEffect::ReadOnly), [result]);
    let played = run_in(&toolbox(tool), "leak", 1, context()).await;
    assert_unseen(&played);
    played
}

/// No spelling of the canary is anywhere in what is stored, shown or sent.
#[track_caller]
fn assert_unseen(played: &Played) {
    let all = format!("{}\n{played:?}", json!(played.events));
    for spelling in spellings() {
        assert!(!all.contains(&spelling), "{spelling:?} in {all}");
    }
    // And nothing of it that could be put together again.
    for part in ["c4nary", "YzRuYXJ5", "5f\\\\2d"] {
        assert!(!all.contains(part), "{part} in {all}");
    }
}

#[tokio::test]
async fn a_secret_is_taken_out_in_every_spelling() {
    for spelling in spellings() {
        let played = told(text(format!("<{spelling}> and {spelling}"))).await;
        let seen = played.texts()[0];
        assert!(seen.contains("[redacted]"), "{spelling}: {seen}");
        assert!(seen.starts_with('<') && seen.contains("> and "), "{spelling}: {seen}");
        assert_eq!(played.notes(), ["redact redacted"]);
        let told = &played.notes_in_full()[0].1;
        assert_eq!(told, "2 places in the result were hidden");
    }
}

#[tokio::test]
async fn nothing_is_changed_where_there_is_no_secret() {
    let clean = r#"{"a":"100% \u0041 \\ c4n","b":[1.50,null]}"#;
    let played = told(Ok(Output::Json(clean.to_owned()))).await;
    assert_eq!(played.texts(), [clean]);
    assert!(played.notes().is_empty());
}

#[tokio::test]
async fn json_stays_json() {
    let data = json!({"token": SECRET, "zip": 90210777, "list": [{SECRET: "pin-4711-x!"}], "n": 1});
    let played = told(Ok(Output::Json(data.to_string()))).await;
    let seen: Value = serde_json::from_str(played.texts()[0]).unwrap();
    let wanted = json!({
        "token": "[redacted]",
        "zip": "[redacted]",
        "list": [{"[redacted]": "[redacted]!"}],
        "n": 1,
    });
    assert_eq!(seen, wanted);
    // Without a number in the way, everything else stays as it was.
    let data = format!(r#"{{ "z": 1.50, "token": {}, "a": "b" }}"#, json!(SECRET));
    let played = told(Ok(Output::Json(data))).await;
    assert_eq!(played.texts(), [r#"{ "z": 1.50, "token": "[redacted]", "a": "b" }"#]);
}

#[tokio::test]
async fn words_and_data_are_both_cleaned() {
    let data = json!({"deep": [{"token": SECRET, "url": "http://x/?t=c4nary%2F%225f%5C2d%0A81%2B%C3%BC"}]});
    let played = told(Ok(Output::readable(format!("It is {SECRET}."), data))).await;
    let result = played.conversation.results().next().unwrap();
    assert_eq!(result.outcome.text, "It is [redacted].");
    let wanted = json!({"deep": [{"token": "[redacted]", "url": "http://x/?t=[redacted]"}]});
    assert_eq!(result.outcome.data, Some(wanted));
}

#[tokio::test]
async fn failures_are_cleaned_for_both_audiences() {
    let error = ToolError::temporary(format!("401 for {SECRET}"))
        .with_detail(format!("Authorization: Basic {}", spellings()[10]))
        .with_input(json!({"url": format!("https://x/?key={SECRET}"), "n": 1}));
    let played = told(Err(error)).await;
    let outcome = played.conversation.results().next().unwrap().outcome.clone();
    assert_eq!(outcome.input, Some(json!({"url": "https://x/?key=[redacted]", "n": 1})));
    assert_eq!(outcome.text, "Error executing leak: 401 for [redacted]");
    let detail = outcome.detail.unwrap();
    assert!(
        detail.starts_with("Authorization: Basic ") && detail.contains("[redacted]"),
        "{detail}"
    );
}

#[tokio::test]
async fn a_panic_is_cleaned_too() {
    let tool = tool(spec("leak", ToolEffect::ReadOnly), |_, _| {
        if true {
            panic!("bad token {SECRET}");
        }
        async { text("never reached") }
    });
    let played = run_in(&toolbox(tool), "leak", 1, context()).await;
    assert_unseen(&played);
    let detail = played.conversation.results().next().unwrap().outcome.detail.clone();
    assert_eq!(detail.as_deref(), Some("the tool panicked: bad token [redacted]"));
}

#[tokio::test(start_paused = true)]
async fn what_is_said_meanwhile_is_cleaned() {
    let policy = json!({"retry": {"attempts": 2, "initial_backoff": "0s"}, "idle_timeout": "5s"});
    let tool = tool(reader("leak", policy), |_, context| async move {
        context.progress(format!("logging in with {SECRET}"));
        context.note("own", "noted", format!("token {}", spellings()[5]));
        Err(ToolError::temporary(format!("wrong: {SECRET}")))
    });
    let played = run_in(&toolbox(tool), "leak", 1, context()).await;
    assert_unseen(&played);
    let said = json!(played.events).to_string();
    assert!(said.contains("logging in with [redacted]"));
    assert!(said.contains("token [redacted]"));
    assert!(said.contains("attempt 2 of 2 at once: wrong: [redacted]"));
}

#[tokio::test]
async fn secrets_that_overlap_leave_nothing_between_them() {
    let (tool, _) = giving(spec("leak", ToolEffect::ReadOnly), [text("xabcdefghijx and abcdefx")]);
    let context = RunContext::new().secret("abcdef").secret("defghij").secret("defghijx and ab");
    let played = run_in(&toolbox(tool), "leak", 1, context).await;
    assert_eq!(played.texts(), ["x[redacted]x"]);
}

#[tokio::test]
async fn a_short_secret_is_found_as_it_is_and_not_in_every_spelling() {
    let (tool, _) = giving(spec("leak", ToolEffect::ReadOnly), [text("a7! a7%21 a7!b")]);
    let played = run_in(&toolbox(tool), "leak", 1, RunContext::new().secret("a7!")).await;
    assert_eq!(played.texts(), ["[redacted] a7%21 [redacted]b"]);
}

#[tokio::test]
async fn the_tools_of_a_route_are_guarded_too() {
    struct Leak(Arc<dyn Tool>);
    impl toolwright_runtime::ToolFallback for Leak {
        fn route(&self, _: &str) -> Option<&dyn Tool> {
            Some(&*self.0)
        }
    }
    let (tool, _) = giving(spec("leak", ToolEffect::ReadOnly), [text(SECRET)]);
    let toolbox = Toolbox::builder().fallback(Leak(tool)).build().unwrap();
    let toolbox = Arc::new(toolbox);
    let played = run_in(&toolbox, "leak", 1, context()).await;
    assert_unseen(&played);
    let outcome = toolbox.call("leak", json!({}), &context()).await;
    assert_eq!(outcome, Outcome::ok("[redacted]"));
}

#[tokio::test]
async fn what_one_run_calls_secret_is_not_served_to_another_from_the_cache() {
    let (tool, ran) = giving(reader("leak", json!({"cache": {"ttl": "60s"}})), [text(SECRET)]);
    let toolbox = toolbox(tool);
    for _ in 0..2 {
        let played = run_in(&toolbox, "leak", 1, context()).await;
        assert_unseen(&played);
        assert_eq!((played.texts(), *ran.lock().unwrap()), (vec!["[redacted]"], 1));
    }
    // A run that knows nothing of the secret asks for itself.
    let played = run_in(&toolbox, "leak", 1, RunContext::new()).await;
    assert_eq!((played.notes(), *ran.lock().unwrap()), (Vec::new(), 2));
}

fn people() -> Value {
    json!([{"name": "Ann", "Email": "ann@example.org", "more": {"phone": [1234567], "id": 7}}])
}

#[tokio::test]
async fn fields_are_masked_wherever_they_are() {
    let masked =
        json!([{"name": "Ann", "Email": "[redacted]", "more": {"phone": "[redacted]", "id": 7}}]);
    for (result, render) in [
        (Output::Json(people().to_string()), ResultFormat::Plain),
        (Output::Json(people().to_string()), ResultFormat::Envelope),
        (Output::Text(people().to_string()), ResultFormat::Plain),
        (Output::readable("Ann (ann@example.org, 1234567) is 7.", people()), ResultFormat::Plain),
        (
            Output::readable("Ann (ann@example.org, 1234567) is 7.", people()),
            ResultFormat::Readable,
        ),
    ] {
        let spec = reader("people", json!({"redact": ["email", "phone"]})).render(render);
        let (tool, _) = giving(spec, [Ok(result.clone())]);
        let played = play(agent(asking("people", 1), &toolbox(tool)).run("Go.")).await;
        let all = json!(played.events).to_string();
        assert!(!all.contains("ann@") && !all.contains("1234567"), "{all}");
        let outcome = &played.conversation.results().next().unwrap().outcome;
        if let Some(data) = &outcome.data {
            assert_eq!(*data, masked);
        } else {
            assert_eq!(serde_json::from_str::<Value>(&outcome.text).unwrap(), masked);
        }
        assert_eq!(played.notes(), ["redact redacted"], "{result:?}");
    }
}

#[tokio::test]
async fn no_layer_can_bring_back_what_was_masked() {
    /// Answers by itself, with everything in it.
    struct Talkative(Arc<dyn Tool>);
    impl Tool for Talkative {
        fn spec(&self) -> &toolwright_core::ToolSpec {
            self.0.spec()
        }
        fn call<'a>(
            &'a self,
            _: Arc<Value>,
            context: &'a RunContext,
        ) -> futures_util::future::BoxFuture<'a, ToolResult> {
            context.note("own", "said", SECRET);
            Box::pin(async { Ok(Output::Json(json!({"email": SECRET, "b": SECRET}).to_string())) })
        }
    }
    let (tool, _) = giving(spec("people", ToolEffect::ReadOnly), [text("never reached")]);
    let layer = |tool| Arc::new(Talkative(tool)) as Arc<dyn Tool>;
    let toolbox = Toolbox::builder()
        .tool(tool)
        .layer(layer)
        .policy("*", policy(json!({"redact": ["email"]})))
        .build()
        .unwrap();
    let played = run_in(&Arc::new(toolbox), "people", 1, context()).await;
    assert_unseen(&played);
    assert_eq!(played.texts(), [r#"{"b":"[redacted]","email":"[redacted]"}"#]);
}

#[tokio::test]
async fn a_call_that_nobody_watches_is_cleaned_all_the_same() {
    let tool = tool(spec("leak", ToolEffect::ReadOnly), |_, context| async move {
        context.progress("into the blue");
        text(SECRET)
    });
    let outcome = toolbox(tool).call("leak", json!({}), &context()).await;
    assert_eq!(outcome.text, "[redacted]");
    // And one that is watched by a program of its own.
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let ear = heard.clone();
    let watched = context().watched(|_| Arc::new(move |said| ear.lock().unwrap().push(said)));
    let (leak, _) = giving(spec("leak", ToolEffect::ReadOnly), [text(SECRET)]);
    toolbox(leak).call("leak", json!({}), &watched).await;
    assert!(
        matches!(&heard.lock().unwrap()[..], [ToolUpdate::Note(note)] if note.layer == "redact")
    );
}

/// A model that says this in its text, its reasoning and its arguments, letter by letter, and then
/// answers.
fn leaking(spelling: &str) -> Scripted {
    let json = json!({"at": format!("<{spelling}>")}).to_string();
    let first = ModelResponse {
        text: format!("I say {spelling} aloud"),
        reasoning: format!("I think of {spelling}."),
        ..calls([("call_1", "look", json.as_str())])
    };
    Scripted::new([first]).then(ModelResponse::text(format!("Done with {spelling}")))
}

#[tokio::test]
async fn what_a_model_says_is_cleaned_in_every_spelling_before_it_is_an_event() {
    let hex: String = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    let reversed: String = SECRET.chars().rev().collect();
    for spelling in spellings().into_iter().chain([hex.clone(), hex.to_uppercase(), reversed]) {
        let (tool, ran) = giving(spec("look", ToolEffect::ReadOnly), []);
        let agent = agent(leaking(&spelling), &toolbox(tool));
        let played =
            play(agent.prepare(format!("Look at {spelling}.")).context(context()).start()).await;
        assert_unseen(&played);
        let all = json!(played.events).to_string();
        assert!(!all.contains(&spelling), "{spelling:?} in {all}");
        // What was shown piece by piece is what was kept.
        let shown: String = played
            .events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Content { data } => Some(data.as_str()),
                _ => None,
            })
            .collect();
        // What was encoded together with it stays.
        let shown = shown.replace("dXNlcjp", "").replace("bWU6", "");
        assert_eq!(shown, "I say [redacted] aloudDone with [redacted]", "{spelling}");
        // A call that would not run as it was written does not run.
        assert_eq!(*ran.lock().unwrap(), 0, "{spelling}");
        assert_eq!(played.calls(), [("look", toolwright_core::Status::Refused)], "{spelling}");
        assert!(played.texts()[0].contains("something that is secret in this run"), "{spelling}");
    }
}

#[tokio::test]
async fn why_a_model_failed_is_cleaned() {
    let error = ModelError::new(ModelErrorKind::Auth, format!("no such key: {SECRET}"))
        .with_advice(format!("not {SECRET}"));
    let model = Scripted::new([]).then_fail(error);
    let (tool, _) = giving(spec("look", ToolEffect::ReadOnly), []);
    let played = play(agent(model, &toolbox(tool)).prepare("Go.").context(context()).start()).await;
    assert_unseen(&played);
    assert!(json!(played.events).to_string().contains("no such key: [redacted]"));
}
