//! Runs within runs: what happens in them counts, and is not counted twice.

use std::sync::Arc;

use toolwright_core::{Call, EventKind, ModelResponse, Observer, Price, RunId, Usage};
use toolwright_models::Scripted;
use toolwright_runtime::Agent;
use toolwright_telemetry::Metrics;

use crate::story::{spec, text, tool};

fn used(reply: ModelResponse) -> ModelResponse {
    let usage = Usage { prompt_tokens: 100, completion_tokens: 10, ..Usage::default() };
    ModelResponse { usage, ..reply }
}

fn calls(name: &str, arguments: &str) -> ModelResponse {
    used(ModelResponse::calls([Call::new("1", name, arguments)]))
}

#[tokio::test]
async fn a_run_within_a_run_is_counted_once() {
    let metrics = Arc::new(Metrics::new());
    let look = tool(spec("look"), |_, _| async { text("seen") });
    let inner = Scripted::new([calls("look", "{}"), used(ModelResponse::text("Seen."))]);
    let inner = Agent::builder(inner).tool(look).price(Price::new(1.0, 0.0)).build().unwrap();
    let outer = Scripted::new([
        calls("ask", r#"{"input":"Look."}"#),
        used(ModelResponse::text("They saw it.")),
    ]);
    let agent = Agent::builder(outer)
        .tool(inner.as_tool("ask", "Asks."))
        .price(Price::new(2.0, 0.0))
        .observer(metrics.clone() as Arc<dyn Observer>)
        .build()
        .unwrap();
    let answer = agent.run("Look.").await.unwrap();
    assert_eq!(answer.cost, Some(600));
    let shown = metrics.text();
    for line in [
        r#"toolwright_runs_total{outcome="done"} 1"#,
        "toolwright_runs_active 0",
        "toolwright_runs_begun_total 1",
        "toolwright_rounds_total 4",
        "toolwright_cost_millionths_total 600",
        r#"toolwright_calls_total{tool="look",status="success"} 1"#,
        r#"toolwright_calls_total{tool="ask",status="success"} 1"#,
    ] {
        assert!(shown.contains(line), "{line} is not in {shown}");
    }
    let sum = |of: &str| -> u64 {
        let lines = shown.lines().filter(|line| line.starts_with(of));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
    };
    assert_eq!(sum("toolwright_tokens_total"), 440, "{shown}");
}

/// Left at a boundary, or dropped in the middle, with a run within it: nothing of it goes on here then.
#[tokio::test]
async fn a_run_that_is_left_does_not_go_on_here_and_one_that_is_resumed_does() {
    let metrics = Arc::new(Metrics::new());
    let waits = tool(spec("look"), async |_, _| std::future::pending().await);
    let inner = Scripted::new([calls("look", "{}")]);
    let inner = Agent::builder(inner).tool(waits).build().unwrap();
    let outer = Scripted::new([calls("ask", r#"{"input":"Look."}"#)]);
    let agent = Agent::builder(outer)
        .tool(inner.as_tool("ask", "Asks."))
        .observer(metrics.clone() as Arc<dyn Observer>)
        .build()
        .unwrap();
    let mut running = agent.run("Look.");
    while let Some(event) = running.next().await {
        if matches!(&event.kind, EventKind::Nested { event, .. } if matches!(event.kind, EventKind::CallStarted { .. }))
        {
            break;
        }
    }
    assert!(metrics.text().contains("toolwright_runs_active 2"), "{}", metrics.text());
    drop(running);
    assert!(metrics.text().contains("toolwright_runs_active 0"), "{}", metrics.text());

    let (run, model) = (RunId::from("run_of_another"), "openai:m");
    metrics.resumed(&run, model);
    assert!(metrics.text().contains("toolwright_runs_active 1"));
    metrics.left(&run);
    assert!(metrics.text().contains("toolwright_runs_active 0"));
}
