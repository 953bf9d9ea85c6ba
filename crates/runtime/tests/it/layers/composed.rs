//! All layers together.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    Call, EventKind, ModelResponse, Output, RunContext, Status, ToolError, ToolErrorKind,
};
use toolwright_macros::tool;
use toolwright_models::Scripted;
use toolwright_runtime::Toolbox;

use super::{SECOND, agent, giving, reader, temporary, toolbox};
use crate::support::{play, text, tool};

fn everything() -> Value {
    json!({
        "timeout": "5s",
        "idle_timeout": "4s",
        "retry": {"attempts": 2, "initial_backoff": "0s"},
        "breaker": {"failures": 1.0, "window": 2, "min_calls": 2, "cooldown": "30s"},
        "cache": {"ttl": "60s"},
        "rate": {"calls": 1, "period": "2s", "max_concurrent": 1},
        "redact": ["email"],
    })
}

/// One call of each kind, and what is seen of them.
#[tokio::test(start_paused = true)]
async fn a_run_through_all_layers_as_it_is_seen() {
    let tool = tool(reader("look", everything()), |arguments, context| async move {
        match arguments["q"].as_str() {
            Some("fine") => {
                Ok(Output::Json(json!({"email": "a@b.c", "key": "s3cret-s3cret"}).to_string()))
            }
            Some("hang") => std::future::pending().await,
            Some("talk") => {
                context.progress("using s3cret-s3cret");
                tokio::time::sleep(6 * SECOND).await;
                text("never reached")
            }
            _ => Err(ToolError::temporary("busy").of_kind(ToolErrorKind::Temporary)),
        }
    });
    let toolbox = toolbox(tool);
    let ask = |n: u32, q: &str| {
        ModelResponse::calls([Call::new(format!("{n}"), "look", json!({"q": q}).to_string())])
    };
    let rounds = [(1, "fine"), (2, "fine"), (3, "hang"), (4, "talk"), (5, "fine"), (6, "busy")];
    let model = Scripted::new(rounds.map(|(n, q)| ask(n, q))).then(ModelResponse::text("Done."));
    let context = RunContext::new().label("user", "ann").secret("s3cret-s3cret");
    let played = play(agent(model, &toolbox).prepare("Go.").context(context).start()).await;
    let lines: Vec<_> = played.events.iter().filter_map(|event| line(&event.kind)).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    1 started
    1 redact redacted: one place in the result was hidden
    1 redact redacted: one place in the result was hidden
    1 success: {"email":"[redacted]","key":"[redacted]"}
    2 started
    2 cache hit: answered less than a second ago
    2 redact redacted: one place in the result was hidden
    2 success: {"email":"[redacted]","key":"[redacted]"}
    3 started
    3 limit waiting: waits about 2 s for its turn
    3 timeout idle: nothing was heard of it for 4s; the call was stopped
    3 retry again: attempt 2 of 2 at once: nothing was heard of it for 4s; the call was stopped
    3 timeout idle: nothing was heard of it for 4s; the call was stopped
    3 timeout: nothing was heard of it for 4s; the call was stopped (tried twice)
    4 started
    4 says: using [redacted]
    4 timeout idle: nothing was heard of it for 4s; the call was stopped
    4 retry again: attempt 2 of 2 at once: nothing was heard of it for 4s; the call was stopped
    4 says: using [redacted]
    4 timeout idle: nothing was heard of it for 4s; the call was stopped
    4 breaker opened: it keeps failing (2 of its last 2 calls) and is switched off for 30 s
    4 timeout: nothing was heard of it for 4s; the call was stopped (tried twice)
    offered [], withheld [{"reason":"keeps failing (2 of its last 2 calls) and is switched off for 30 s more","tool":"look"}]
    5 started
    5 cache hit: answered 18 s ago
    5 redact redacted: one place in the result was hidden
    5 success: {"email":"[redacted]","key":"[redacted]"}
    6 started
    6 breaker refused: it keeps failing (2 of its last 2 calls) and is switched off for 30 s more
    6 refused: `look` keeps failing (2 of its last 2 calls) and is switched off for 30 s more, so the call was not made. Do without it, and say so.
    "#);
}

fn line(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::CallStarted { id, .. } => format!("{id} started"),
        EventKind::CallProgress { id, data } => format!("{id} says: {data}"),
        EventKind::PolicyApplied { id, note } => {
            format!("{id} {} {}: {}", note.layer, note.action, note.message)
        }
        EventKind::CallFinished { id, status, message, .. } => {
            let text = message.content();
            // How a refusal is introduced is not decided here.
            format!(
                "{id} {status}: {}",
                text.strip_prefix("Error executing look: ").unwrap_or(text)
            )
        }
        EventKind::ToolsOffered { tools, unavailable: withheld, .. } => {
            format!("offered {tools:?}, withheld {}", json!(withheld))
        }
        _ => return None,
    })
}

#[tokio::test(start_paused = true)]
async fn what_the_event_says_is_flat() {
    let (tool, _) = giving(reader("look", json!({"cache": {}})), [text("fine")]);
    let played = super::run(&toolbox(tool), "look", 2).await;
    let event = played.events.iter().find(|event| event.kind.name() == "policy_applied").unwrap();
    let mut event = json!(event);
    for key in ["seq", "run", "round", "at"] {
        event.as_object_mut().unwrap().remove(key);
    }
    let wanted = json!({
        "type": "policy_applied",
        "id": "call_2",
        "layer": "cache",
        "action": "hit",
        "message": "answered less than a second ago",
    });
    assert_eq!(event, wanted);
}

/// Look up a rate. Fails now and then.
#[tool(read_only, manual, retry = 3, cache = "60s", timeout = "5s")]
async fn look_up(context: &RunContext, pair: String) -> Result<String, ToolError> {
    let user = context.labelled("user").unwrap_or("nobody");
    Ok(format!("{pair} for {user}"))
}

#[tokio::test]
async fn what_an_attribute_says_is_what_happens() {
    let toolbox = Arc::new(Toolbox::builder().tool(look_up::tool()).build().unwrap());
    let asked = |n: &str| ModelResponse::calls([Call::new(n, "look_up", r#"{"pair":"EURUSD"}"#)]);
    let model = Scripted::new([asked("a"), asked("b")]).then(ModelResponse::text("Done."));
    let context = RunContext::new().label("user", "ann");
    let played = play(agent(model, &toolbox).prepare("Go.").context(context).start()).await;
    assert_eq!(played.texts(), ["EURUSD for ann"; 2]);
    assert_eq!(played.notes(), ["cache hit"]);
}

/// `Toolbox::call`, which the command line uses, goes the same way.
#[tokio::test(start_paused = true)]
async fn a_call_from_outside_a_run_goes_through_the_same_layers() {
    let (tool, ran) = giving(reader("look", everything()), [temporary(), text("fine")]);
    let toolbox = toolbox(tool);
    let context = RunContext::new().label("user", "ann");
    for _ in 0..3 {
        let outcome = toolbox.call("look", json!({}), &context).await;
        assert_eq!((outcome.status, outcome.text.as_str()), (Status::Ok, "fine"));
    }
    assert_eq!(*ran.lock().unwrap(), 2, "tried twice, and then kept");
}

/// The breaker decides when the call would be made, not when it began to wait.
#[tokio::test(start_paused = true)]
async fn a_queue_does_not_hammer_a_tool_that_broke_meanwhile() {
    let said = json!({
        "breaker": {"failures": 1.0, "window": 3, "min_calls": 3, "cooldown": "60s"},
        "rate": {"max_concurrent": 1},
    });
    let tool = tool(reader("look", said), |_, _| async {
        tokio::time::sleep(SECOND).await;
        temporary()
    });
    let toolbox = toolbox(tool);
    let context = RunContext::new();
    let all = (0..10).map(|_| toolbox.call("look", json!({}), &context));
    let all = futures_util::future::join_all(all).await;
    let failed = all.iter().filter(|outcome| outcome.status == Status::Failed).count();
    let refused = all.iter().filter(|outcome| outcome.status == Status::Refused).count();
    assert_eq!((failed, refused), (3, 7));
}
