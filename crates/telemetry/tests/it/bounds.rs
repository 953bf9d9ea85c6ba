//! What is held stays small, whatever models invent and however many runs are never ended.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::json;
use toolwright_core::{
    Call, Event, EventKind, Limits, ModelResponse, Observer, RunId, Status, Timestamp, ToolChoice,
    ToolEffect,
};
use toolwright_models::Scripted;
use toolwright_runtime::Agent;
use toolwright_telemetry::Metrics;

use crate::{
    openmetrics::{Sample, read},
    story::{spec, text, tool},
};

/// The values of this label.
fn values(samples: &[Sample], label: &str) -> BTreeSet<String> {
    samples.iter().filter_map(|it| it.labels.get(label).cloned()).collect()
}

#[tokio::test]
async fn names_that_a_model_invents_share_one_label() {
    let invented = (0..10_000).map(|n| Call::new(format!("call_{n}"), format!("tool_{n}"), "{}"));
    let one = Call::new("call_real", "real", "{}");
    let model =
        Scripted::new([ModelResponse::calls(invented.chain([one])), ModelResponse::text("No.")]);
    let metrics = Arc::new(Metrics::new());
    let real = tool(spec("real"), async |_, _| text("yes"));
    let limits = Limits { calls: 20_000, ..Limits::default() };
    let agent = Agent::builder(model).tool(real).limits(limits).observer(metrics.clone());
    agent.build().unwrap().run("Call everything.").finish().await.unwrap();

    let samples = read(&metrics.text());
    assert_eq!(values(&samples, "tool"), ["real", "unknown"].map(str::to_owned).into());
    let calls = |tool: &str| {
        let of_tool = |it: &&Sample| it.labels.get("tool").is_some_and(|it| it == tool);
        let calls = samples.iter().filter(|it| it.name == "toolwright_calls_total");
        calls.filter(of_tool).map(|it| it.value).sum::<f64>()
    };
    assert_eq!((calls("real"), calls("unknown")), (1.0, 10_000.0));
}

#[test]
fn of_very_many_tools_only_so_many_are_told_apart() {
    let metrics = Metrics::new();
    for n in 0..10_000 {
        let (id, tool) = (format!("call_{n}").into(), format!("tool_{n}"));
        let args = Arc::new(json!({}));
        let effect = ToolEffect::ReadOnly;
        let provenance = Vec::new();
        let kind = EventKind::CallChecked {
            id,
            tool,
            arguments: args,
            effect,
            provenance,
            review_reason: None,
        };
        metrics.observe(&event("run", kind));
        metrics.observe(&event("run", finished(n)));
    }
    let text = metrics.text();
    assert!(text.lines().count() < 10_000, "there are so many series and no more");
    let tools = values(&read(&text), "tool");
    assert_eq!(tools.len(), 513);
    assert!(tools.contains("tool_511") && tools.contains("other"), "{tools:?}");
}

#[test]
fn runs_that_are_never_ended_are_forgotten() {
    let metrics = Metrics::new();
    for n in 0..50_000 {
        metrics.observe(&event(&format!("run_{n}"), started()));
    }
    assert!(active(&metrics) <= 4096.0);
    // Those that come last are known.
    let round = EventKind::RoundStarted { of: 5, tool_choice: ToolChoice::Auto };
    metrics.observe(&event("run_49999", round));
    let before = active(&metrics);
    metrics.observe(&event("run_50000", started()));
    assert_eq!(active(&metrics), before + 1.0);
}

#[test]
fn a_run_is_lost_once_its_time_is_up() {
    let metrics = Metrics::new();
    let long_ago = Event { at: Timestamp(1_000_000), ..event("old", started()) };
    metrics.observe(&long_ago);
    assert_eq!(active(&metrics), 0.0);
}

#[test]
fn a_label_is_whatever_a_tool_is_called() {
    let metrics = Metrics::new();
    metrics.know(["a \"tool\"\nof \\ two lines"]);
    let tool = "a \"tool\"\nof \\ two lines".to_owned();
    let EventKind::CallFinished { id, status, message, elapsed_ms, guard, .. } = finished(1) else {
        unreachable!()
    };
    let kind =
        EventKind::CallFinished { id, tool: tool.clone(), status, message, elapsed_ms, guard };
    metrics.observe(&event("run", kind));
    assert_eq!(values(&read(&metrics.text()), "tool"), [tool].into());
}

fn active(metrics: &Metrics) -> f64 {
    let samples = read(&metrics.text());
    samples.iter().find(|it| it.name == "toolwright_runs_active").unwrap().value
}

fn event(run: &str, kind: EventKind) -> Event {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis();
    let at = Timestamp(u64::try_from(now).unwrap());
    Event { seq: 0, run: RunId::from(run), round: 1, at, kind }
}

fn started() -> EventKind {
    serde_json::from_value(json!({
        "type": "run_started", "version": 2, "conversation_id": "c", "model": "openai:m",
        "limits": Limits::default(),
    }))
    .unwrap()
}

fn finished(n: usize) -> EventKind {
    serde_json::from_value(json!({
        "type": "call_finished", "id": format!("call_{n}"), "tool": format!("tool_{n}"),
        "status": Status::Ok, "elapsed_ms": 1.5,
        "message": {"role": "tool", "tool_call_id": format!("call_{n}"), "content": "ok"},
    }))
    .unwrap()
}
