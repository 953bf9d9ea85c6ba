//! What Prometheus reads after real runs.

use std::sync::Arc;

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use toolwright_core::{
    ActionableError, Call, ModelResponse, Observer, ReviewMode, RunContext, Usage,
};
use toolwright_models::{FunctionModel, Scripted};
use toolwright_review::AnswerReviewer;
use toolwright_runtime::{Agent, ContextWindow, FallbackModel};
use toolwright_telemetry::{Metrics, SliceCounts, serve};

use crate::{
    openmetrics::{Sample, read},
    story::{self, spec, text, tool},
};

/// All runs of the story, and what else can be counted.
pub(crate) async fn watched() -> Arc<Metrics> {
    let metrics = Arc::new(Metrics::new());
    metrics.count_slices(|| SliceCounts { running: 1, started: 7, found_again: 2, failed: 3 });
    let observers: [Arc<dyn Observer>; 1] = [metrics.clone()];
    story::answered(&observers).await;
    story::refused(&observers).await;
    story::stopped(&observers).await;
    layers(&metrics).await;
    guards(&metrics).await;
    review(&metrics).await;
    compaction(&metrics).await;
    fallback(&metrics).await;
    metrics
}

/// What layers say while a tool runs.
async fn layers(metrics: &Arc<Metrics>) {
    let model = Scripted::new([
        ModelResponse::calls([Call::new("a", "known", "{}"), Call::new("b", "flaky", "{}")]),
        ModelResponse::text("That is all."),
    ]);
    let known = tool(spec("known"), async |_, context: RunContext| {
        context.note("cache", "hit", "answered from the cache");
        text("again")
    });
    let flaky = tool(spec("flaky"), async |_, context: RunContext| {
        context.note("retry", "again", "tried again");
        context.note("retry", "again", "tried again");
        context.note("breaker", "opened", "it failed too often");
        context.note("breaker", "probing", "it is tried once");
        context.note("breaker", "closed", "it works again");
        context.note("timeout", "call", "it took too long");
        text("at last")
    });
    let agent = Agent::builder(model).tool(known).tool(flaky).observer(metrics.clone());
    agent.build().unwrap().run("Ask both.").finish().await.unwrap();
}

/// A model that says nothing, and another that goes on.
async fn fallback(metrics: &Arc<Metrics>) {
    let usage = Usage { prompt_tokens: 3, ..Usage::default() };
    let silent = Scripted::new([ModelResponse { usage, ..ModelResponse::default() }]);
    let other = FunctionModel::new("other:model", move |_| {
        Ok(ModelResponse { usage, ..ModelResponse::text("Here I am.") })
    });
    let agent = Agent::builder(silent).fallback_model(FallbackModel::new(other));
    let agent = agent.observer(metrics.clone()).build().unwrap();
    agent.run("Is anybody there?").finish().await.unwrap();
}

/// Calls that do not reach a tool.
async fn guards(metrics: &Arc<Metrics>) {
    let model = Scripted::new([
        ModelResponse::calls([
            Call::new("a", "known", r#"{"id":"<security_id>"}"#),
            Call::new("b", "no_such_tool", "{}"),
        ]),
        ModelResponse::text("I do not know."),
    ]);
    let id = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    let mut spec = spec("known");
    spec.parameters = id;
    let known = tool(spec, async |_, _| text("never"));
    let agent = Agent::builder(model).tool(known).observer(metrics.clone());
    agent.build().unwrap().run("Which?").finish().await.unwrap();
}

/// An answer that the results do not support, and one that they do.
async fn review(metrics: &Arc<Metrics>) {
    let usage =
        Usage { prompt_tokens: 50, completion_tokens: 7, cached_tokens: 40, reasoning_tokens: 3 };
    let model = Scripted::new([
        ModelResponse { usage, ..ModelResponse::calls([Call::new("a", "price", "{}")]) },
        ModelResponse::text("The price is 4711 euros."),
        ModelResponse::text("The price is 12 euros."),
    ]);
    let price = tool(spec("price"), async |_, _| text(r#"{"price_eur": 12}"#));
    let agent = Agent::builder(model).tool(price).review(ReviewMode::Enforce);
    let agent = agent.reviewer(Arc::new(AnswerReviewer::new()));
    let agent = agent.observer(metrics.clone()).build().unwrap();
    agent.run("What is the price?").finish().await.unwrap();
}

/// A conversation that does not fit.
async fn compaction(metrics: &Arc<Metrics>) {
    let calls = ["a", "b", "c"]
        .map(|id| ModelResponse::calls([Call::new(id, "page", format!("{{\"n\":\"{id}\"}}"))]));
    let model = Scripted::new(calls).then(ModelResponse::text("I have read it."));
    let page = tool(spec("page"), async |_, _| text(&"words ".repeat(200)));
    let window = ContextWindow { tokens: 700, ..ContextWindow::default() };
    let agent = Agent::builder(model).tool(page).window(window).observer(metrics.clone());
    agent.build().unwrap().run("Read it.").finish().await.unwrap();
}

#[tokio::test]
async fn everything_that_happens_is_counted() {
    let metrics = watched().await;
    let samples = read(&metrics.text());
    // How long things took differs; how often they happened does not, but for how often a
    // conversation has to be shortened.
    let ends = ["_bucket", "_sum", "_compactions_total"];
    let is_steady = |it: &&Sample| !ends.iter().any(|end| it.name.ends_with(end));
    let mut lines: Vec<_> = samples.iter().filter(is_steady).map(line).collect();
    let compactions = samples.iter().find(|it| it.name == "toolwright_compactions_total");
    assert!(compactions.is_some_and(|it| it.value > 0.0));
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"));
    let text = metrics.text();
    let declared: Vec<_> = text.lines().filter(|it| it.starts_with("# ")).collect();
    insta::assert_snapshot!("declared", declared.join("\n"));
}

fn line(sample: &Sample) -> String {
    let labels: Vec<_> =
        sample.labels.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
    format!("{}{{{}}} {}", sample.name, labels.join(","), sample.value)
}

#[tokio::test]
async fn it_is_offered_over_http_and_nothing_else_is() {
    let metrics = watched().await;
    let serving = serve(metrics.clone(), ([127, 0, 0, 1], 0).into()).await.unwrap();

    let (head, body) = get(&serving, "GET /metrics").await;
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    let kind = "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert!(head.contains(kind), "{head}");
    assert_eq!(read(&body).len(), read(&metrics.text()).len());
    for other in ["GET /", "POST /metrics", "GET /metrics/x"] {
        let (head, _) = get(&serving, other).await;
        assert!(head.starts_with("HTTP/1.1 404 "), "{other}: {head}");
    }

    let address = serving.address();
    let taken = serve(metrics.clone(), address).await.unwrap_err();
    assert!(taken.to_string().contains(&address.to_string()), "{taken}");
    assert!(taken.advice().unwrap().contains("free"), "{}", taken.advice().unwrap());
    drop(serving);
    // The task that listens ends when the runtime next comes to it.
    tokio::task::yield_now().await;
    serve(metrics, address).await.unwrap();
}

async fn get(serving: &toolwright_telemetry::Serving, what: &str) -> (String, String) {
    let mut stream = TcpStream::connect(serving.address()).await.unwrap();
    let request = format!("{what} HTTP/1.1\r\nhost: here\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}
