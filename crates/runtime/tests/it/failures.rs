//! A tool's failure never ends the conversation.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use toolwright_core::{
    EventKind, Message, ModelResponse as Said, ResultFormat, Status, ToolEffect, ToolError,
};
use toolwright_macros::tool;
use toolwright_models::Scripted;
use toolwright_runtime::Agent;
use toolwright_testkit::{Reply, Script};

use crate::support::{
    Dropped, Played, agent, calls, echo, play, result_sent, results_sent, serve, spec, stuck, tool,
};

/// Fail.
#[tool(read_only, manual)]
fn fails() -> Result<String, std::num::ParseIntError> {
    "thirteen".parse::<i32>().map(|it| it.to_string())
}

/// Break down.
#[tool(read_only, manual)]
#[expect(clippy::panic, reason = "what is tested")]
async fn panics() -> String {
    tokio::task::yield_now().await;
    panic!("the secret is s3cret")
}

#[tokio::test]
async fn s2_3_a_failure_goes_to_the_model_and_the_run_goes_on() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "fails", "{}"), ("call_2", "look", "{}")]))
        .reply(Reply::text("One of them failed."));
    let server = serve(script).await;
    let agent = agent(&server).tool(fails::tool()).tool(echo("look")).build().unwrap();
    let played = play(agent.run("Go.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "One of them failed.");
    assert_eq!(played.calls(), [("fails", Status::Failed), ("look", Status::Ok)]);
    assert_eq!(played.answer().tools_executed, 2, "a tool that failed ran");
    assert_eq!(results_sent(&server)[0].2, "Error executing fails: invalid digit found in string");
}

#[tokio::test]
async fn s2_3_a_panic_is_a_failure_whose_message_stays_here() {
    let early = tool(spec("early", ToolEffect::ReadOnly), |_, _| -> std::future::Ready<_> {
        panic!("before the first await")
    });
    let script = Script::new()
        .reply(Reply::calls([("call_1", "panics", "{}"), ("call_2", "early", "{}")]))
        .reply(Reply::text("Both broke."));
    let server = serve(script).await;
    let agent = agent(&server).tool(panics::tool()).tool(early).build().unwrap();
    let played = play(agent.run("Go.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Both broke.");
    let texts: Vec<_> = results_sent(&server).into_iter().map(|(.., text)| text).collect();
    assert_eq!(
        texts,
        [
            "Error executing panics: the tool broke down",
            "Error executing early: the tool broke down"
        ]
    );
    let mut details = played.conversation.results().map(|it| it.outcome.detail.clone().unwrap());
    assert_eq!(details.next().unwrap(), "the tool panicked: the secret is s3cret");
    assert_eq!(details.next().unwrap(), "the tool panicked: before the first await");
}

#[tokio::test]
async fn s2_3_an_errors_detail_is_in_the_event_and_not_on_the_wire() {
    let leaky = tool(spec("leaky", ToolEffect::ReadOnly), |_, _| async {
        Err(ToolError::new("no connection").with_detail("postgres://admin:s3cret@10.0.0.7"))
    });
    let script = Script::new()
        .reply(Reply::calls([("call_1", "leaky", "{}")]))
        .reply(Reply::text("It failed."));
    let server = serve(script).await;
    let played = play(agent(&server).tool(leaky).build().unwrap().run("Go.")).await;
    assert_eq!(result_sent(&server), "Error executing leaky: no connection");
    for request in server.requests() {
        assert!(!String::from_utf8_lossy(&request.raw).contains("s3cret"));
    }
    let detail = played.events.iter().find_map(|event| match &event.kind {
        EventKind::CallFinished { message, .. } => match &**message {
            Message::Tool(result) => result.outcome.detail.clone(),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(detail.as_deref(), Some("postgres://admin:s3cret@10.0.0.7"));
}

/// A run with one stuck tool, and how long it took.
async fn timed(spec: toolwright_core::ToolSpec, limit: Option<Duration>) -> (Played, Duration) {
    let dropped = Dropped::default();
    let model = Scripted::new([calls([("call_1", "slow", "{}")]), Said::text("It took too long.")]);
    let mut agent = Agent::builder(model.clone()).tool(stuck(spec, &dropped));
    if let Some(limit) = limit {
        agent = agent.tool_timeout(limit);
    }
    let started = Instant::now();
    let played = play(agent.build().unwrap().run("Go.")).await;
    assert!(dropped.get(), "the tool was really stopped");
    assert_eq!(played.answer().response, "It took too long.");
    assert_eq!(played.calls(), [("slow", Status::TimedOut)]);
    model.assert_complete();
    (played, started.elapsed())
}

#[tokio::test(start_paused = true)]
async fn s2_3_a_call_has_sixty_seconds_unless_its_tool_says_otherwise() {
    let slow = || spec("slow", ToolEffect::Write);
    let second = Duration::from_secs(1);
    let near = |elapsed: Duration, wanted: Duration| elapsed.abs_diff(wanted) < second / 10;

    let (played, elapsed) = timed(slow(), None).await;
    assert!(near(elapsed, 60 * second), "{elapsed:?}");
    assert_eq!(
        played.text_of("call_1"),
        "Error executing slow: no result within 1m; the call was stopped"
    );
    let (_, elapsed) = timed(slow().timeout(5 * second), None).await;
    assert!(near(elapsed, 5 * second), "{elapsed:?}");
    let (_, elapsed) = timed(slow().timeout(90 * second), None).await;
    assert!(near(elapsed, 90 * second), "{elapsed:?}");
    let (_, elapsed) = timed(slow(), Some(2 * second)).await;
    assert!(near(elapsed, 2 * second), "{elapsed:?}");
    let (_, elapsed) = timed(slow().timeout(5 * second), Some(2 * second)).await;
    assert!(near(elapsed, 5 * second), "the tool's own word counts: {elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn s2_3_a_timeout_reads_as_the_tools_other_failures_do() {
    let spec = || spec("slow", ToolEffect::Write).timeout(Duration::from_secs(5));
    let (played, _) = timed(spec().render(ResultFormat::Envelope), None).await;
    let text: Value = serde_json::from_str(played.text_of("call_1")).unwrap();
    let error = "no result within 5s; the call was stopped";
    assert_eq!(text, json!({"success": false, "error": error}));
    let (played, _) = timed(spec().render(ResultFormat::Readable), None).await;
    assert_eq!(played.text_of("call_1"), format!("❌ Error: {error}"));
}

#[tokio::test(start_paused = true)]
async fn one_slow_call_does_not_cost_the_others_their_results() {
    let dropped = Dropped::default();
    let model = Scripted::new([
        calls([("a", "look", "{}"), ("b", "slow", "{}"), ("c", "look", r#"{"n":2}"#)]),
        Said::text("Two of three."),
    ]);
    let agent = Agent::builder(model)
        .tool(echo("look"))
        .tool(stuck(spec("slow", ToolEffect::ReadOnly), &dropped))
        .build()
        .unwrap();
    let played = play(agent.run("Go.")).await;
    let statuses: Vec<_> = played.calls().into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, [Status::Ok, Status::TimedOut, Status::Ok]);
}
