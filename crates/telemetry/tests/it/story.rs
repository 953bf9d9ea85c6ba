//! What the watched runs do: tools that answer, fail, take too long and break down, side by side; a
//! provider that refuses; a run that somebody stops.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use toolwright_core::{
    Answer, EventKind, Failure, FnTool, Observer, Output, RunContext, Tool, ToolEffect, ToolError,
    ToolResult, ToolSpec,
};
use toolwright_models::{Endpoint, EndpointConfig, RetryPolicy};
use toolwright_runtime::{Agent, AgentBuilder, CallLogging, CancelHandle};
use toolwright_testkit::{ModelServer, Reply, Script};

pub(crate) const ANSWER: &str = "It is sunny in Bonn.";
/// What no trace may contain.
pub(crate) const SECRETS: [&str; 4] = ["Bonn", "21 degrees", "no such station", "crystal ball"];

/// An agent that asks this server, watched by these.
pub(crate) fn agent(server: &ModelServer, observers: &[Arc<dyn Observer>]) -> AgentBuilder {
    let mut config = EndpointConfig::new(server.base_url(), "scripted").with_key("sk-test");
    let first_wait = Duration::from_millis(1);
    config.retry = RetryPolicy { first_wait, ..RetryPolicy::default() };
    let agent = tools()
        .into_iter()
        .fold(Agent::builder(Endpoint::new(config).unwrap()), AgentBuilder::tool);
    let agent = agent.log(CallLogging::Contents);
    observers.iter().cloned().fold(agent, AgentBuilder::observer)
}

/// Four calls side by side, then an answer.
pub(crate) async fn answered(observers: &[Arc<dyn Observer>]) -> Answer {
    let calls = Reply::calls([
        ("call_ok", "weather", r#"{"city":"Bonn"}"#),
        ("call_bad", "station", "{}"),
        ("call_slow", "forecast", "{}"),
        ("call_panic", "oracle", "{}"),
    ]);
    let script = Script::new()
        .reply(Reply::status(503))
        .reply(calls.usage(100, 20))
        .reply(Reply::text(ANSWER).usage(180, 9));
    let server = ModelServer::start(script).await;
    let run = agent(&server, observers).build().unwrap().prepare("How is the weather in Bonn?");
    let answer = run.conversation_id("conv-answered".into()).start().finish().await;
    server.assert_clean();
    answer.unwrap()
}

/// A provider that does not know the key.
pub(crate) async fn refused(observers: &[Arc<dyn Observer>]) -> Failure {
    let server = ModelServer::start(Script::new().reply(Reply::status(401))).await;
    let run = agent(&server, observers).build().unwrap().prepare("How is the weather in Bonn?");
    run.conversation_id("conv-refused".into()).start().finish().await.unwrap_err()
}

/// Somebody stops the run while a tool runs.
pub(crate) async fn stopped(observers: &[Arc<dyn Observer>]) -> Failure {
    let script = Script::new().reply(Reply::calls([("call_stuck", "stuck", "{}")]));
    let server = ModelServer::start(script).await;
    let run = agent(&server, observers).build().unwrap().prepare("Wait for the weather in Bonn.");
    let cancel = CancelHandle::new();
    let run = run.conversation_id("conv-stopped".into()).cancel(cancel.clone());
    let mut running = run.start();
    while let Some(event) = running.next().await {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            cancel.cancel();
        }
    }
    running.finish().await.unwrap_err()
}

fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        tool(spec("weather"), async |_, _| {
            tracing::info!("looked out\nof the \u{1b}[31mwindow");
            text("21 degrees \u{1b}[31mand\nsunny")
        }),
        tool(spec("station"), async |_, _| {
            Err(ToolError::new("no such station").with_detail("crystal ball is cloudy"))
        }),
        tool(spec("forecast").timeout(Duration::from_millis(20)), async |_, _| {
            std::future::pending().await
        }),
        tool(spec("oracle"), async |_, _| panic!("crystal ball broke")),
        tool(spec("stuck"), async |_, context: RunContext| {
            context.progress("waiting");
            std::future::pending().await
        }),
    ]
}

/// A tool that takes anything and does what `body` does.
pub(crate) fn tool<F>(
    spec: ToolSpec,
    body: impl Fn(Arc<Value>, RunContext) -> F + Send + Sync + 'static,
) -> Arc<dyn Tool>
where
    F: Future<Output = ToolResult> + Send + 'static,
{
    Arc::new(FnTool::new(spec, move |arguments, context| Box::pin(body(arguments, context))))
}

/// A reader that takes any object.
pub(crate) fn spec(name: &str) -> ToolSpec {
    let what = format!("Asks the {name}.");
    ToolSpec::new(name, what, json!({"type": "object"})).effect(ToolEffect::ReadOnly)
}

pub(crate) fn text(text: &str) -> ToolResult {
    Ok(Output::Text(text.to_owned()))
}
