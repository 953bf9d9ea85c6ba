//! What a tool needs and the model must never see; and what a tool says while it runs.

use serde_json::json;
use toolwright_core::{EventKind, RunContext, ToolEffect};
use toolwright_macros::tool;
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, echo, play, results_sent, serve, spec, text, tool};

const CANARY: &str = "canary-5f2d81";

struct AccessToken(String);

/// Log in.
#[tool(read_only, manual)]
async fn log_in(context: &RunContext) -> Result<String, String> {
    let token = context.get::<AccessToken>().ok_or("there is no access token")?;
    Ok(format!("a token of {} letters", token.0.len()))
}

#[tokio::test]
async fn values_reach_tools_and_nothing_else() {
    let script = Script::new()
        .reply(Reply::calls([("a", "log_in", "{}"), ("b", "look", "{}")]))
        .reply(Reply::text("You are logged in."));
    let server = serve(script).await;
    let agent = agent(&server).tool(log_in::tool()).tool(echo("look")).build().unwrap();
    let context = RunContext::new().with(AccessToken(CANARY.to_owned()));
    assert!(!format!("{context:?} {context:#?}").contains(CANARY));
    let played = play(agent.prepare("Log in.").context(context).start()).await;
    server.assert_clean();
    assert_eq!(results_sent(&server)[0].2, "a token of 13 letters");
    for request in server.requests() {
        assert!(!String::from_utf8_lossy(&request.raw).contains(CANARY));
        assert!(request.headers.iter().all(|(_, value)| !value.contains(CANARY)));
    }
    assert!(!json!(played.events).to_string().contains(CANARY));
    assert!(!format!("{played:?}").contains(CANARY));
    // Not even that there is a parameter for it.
    let parameters = &server.requests()[0].body["tools"][0]["function"]["parameters"];
    assert_eq!(parameters["properties"], json!({}));
}

#[tokio::test]
async fn a_run_without_the_value_tells_the_model_so() {
    let script = Script::new()
        .reply(Reply::calls([("a", "log_in", "{}")]))
        .reply(Reply::text("You are not."));
    let server = serve(script).await;
    play(agent(&server).tool(log_in::tool()).build().unwrap().run("Log in.")).await.answer();
    assert_eq!(results_sent(&server)[0].2, "Error executing log_in: there is no access token");
}

#[tokio::test]
async fn progress_arrives_under_its_call_and_before_its_result() {
    let script = Script::new()
        .reply(Reply::calls([("a", "work", r#"{"n":2}"#), ("b", "work", r#"{"n":3}"#)]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let work = tool(spec("work", ToolEffect::ReadOnly), |arguments, context| async move {
        let steps = arguments["n"].as_u64().unwrap();
        for step in 1..=steps {
            context.progress(format!("{step} of {steps}"));
            tokio::task::yield_now().await;
        }
        assert!(context.call().is_some());
        // With no wait between the last word and the end.
        context.progress("done");
        text("worked")
    });
    let played = play(agent(&server).tool(work).build().unwrap().run("Work.")).await;
    server.assert_clean();
    for (call, wanted) in
        [("a", vec!["1 of 2", "2 of 2", "done"]), ("b", vec!["1 of 3", "2 of 3", "3 of 3", "done"])]
    {
        let mut said = Vec::new();
        let mut order = Vec::new();
        for event in &played.events {
            match &event.kind {
                EventKind::CallStarted { id, .. } if id.as_str() == call => order.push("started"),
                EventKind::CallProgress { id, data } if id.as_str() == call => {
                    said.push(data.as_str());
                    order.push("progress");
                }
                EventKind::CallFinished { id, .. } if id.as_str() == call => order.push("finished"),
                _ => {}
            }
        }
        order.dedup();
        assert_eq!(said, wanted);
        assert_eq!(order, ["started", "progress", "finished"]);
    }
}

#[tokio::test]
async fn a_word_after_the_result_goes_nowhere() {
    let script = Script::new()
        .reply(Reply::calls([("a", "leave", "{}"), ("b", "look", "{}")]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let kept = std::sync::Arc::new(std::sync::Mutex::new(None::<RunContext>));
    let (put, take) = (kept.clone(), kept);
    let leave = tool(spec("leave", ToolEffect::Write), move |_, context| {
        *put.lock().unwrap() = Some(context);
        async { text("left") }
    });
    let look = tool(spec("look", ToolEffect::Write), move |_, _| {
        take.lock().unwrap().take().unwrap().progress("too late");
        async { text("looked") }
    });
    let played = play(agent(&server).tool(leave).tool(look).build().unwrap().run("Go.")).await;
    assert!(!played.kinds().contains(&"call_progress".to_owned()));
}

#[tokio::test]
async fn progress_wakes_the_run_while_its_tool_waits() {
    let script =
        Script::new().reply(Reply::calls([("a", "wait", "{}")])).reply(Reply::text("Done."));
    let server = serve(script).await;
    let seen = std::sync::Arc::new(tokio::sync::Notify::new());
    let told = seen.clone();
    let wait = tool(spec("wait", ToolEffect::Write), move |_, context| {
        let told = told.clone();
        async move {
            // From outside the tool's own future, which goes on only once the word was heard.
            tokio::spawn(async move { context.progress("still here") });
            told.notified().await;
            text("waited")
        }
    });
    let running = agent(&server).tool(wait).build().unwrap().run("Wait.");
    let played = crate::support::watch(running, |event| {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            seen.notify_one();
        }
    })
    .await;
    assert_eq!(played.answer().response, "Done.");
}
