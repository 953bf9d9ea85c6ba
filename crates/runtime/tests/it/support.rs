//! What all of these tests do: put an agent together, let it run to its end, and look at it.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use serde_json::{Value, json};
use toolwright_core::{
    Answer, Call, Conversation, Event, EventKind, Failure, FnTool, Message, Model, ModelDelta,
    ModelRequest, ModelResponse, ModelStream, Output, Run, RunContext, Status, Tool, ToolEffect,
    ToolResult, ToolSpec,
};
use toolwright_models::{Endpoint, EndpointConfig, RetryPolicy};
use toolwright_runtime::{Agent, AgentBuilder, RunStream};
use toolwright_testkit::{ModelServer, Script};

/// An endpoint that is asked again soon.
pub(crate) fn model(base_url: &str) -> Endpoint {
    let mut config = EndpointConfig::new(base_url, "scripted").with_key("sk-test");
    let first_wait = Duration::from_millis(1);
    config.retry = RetryPolicy { first_wait, ..RetryPolicy::default() };
    config.first_byte = Duration::from_secs(20);
    config.idle = Duration::from_secs(20);
    Endpoint::new(config).expect("an address")
}

/// An agent that asks this server.
pub(crate) fn agent(server: &ModelServer) -> AgentBuilder {
    Agent::builder(model(server.base_url()))
}

pub(crate) async fn serve(script: Script) -> ModelServer {
    ModelServer::start(script).await
}

/// A run that came to its end.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) events: Vec<Event>,
    pub(crate) end: Result<Answer, Failure>,
    pub(crate) conversation: Conversation,
}

/// Lets a run come to its end, and holds it against what is promised of every run.
pub(crate) async fn play(running: RunStream) -> Played {
    watch(running, |_| {}).await
}

/// As [`play`], with a look at each event as it comes.
pub(crate) async fn watch(mut running: RunStream, mut look: impl FnMut(&Event)) -> Played {
    let mut events = Vec::new();
    while let Some(event) = running.next().await {
        look(&event);
        events.push(event);
    }
    assert_eq!(running.next().await, None, "nothing comes after the end");
    let end = running.finish().await;
    let run = running.into_run().expect("the run has ended");
    promises(&events, &end, &run);
    Played { events, end, conversation: run.into_conversation() }
}

/// What is promised of every run, whatever the model says and whoever breaks off.
fn promises(events: &[Event], end: &Result<Answer, Failure>, run: &Run) {
    let mut next = 0;
    for event in events {
        assert_eq!(event.seq, next, "numbered without gaps");
        next += u64::from(!event.kind.is_provisional());
    }
    let terminal: Vec<_> = events.iter().filter(|event| event.kind.is_terminal()).collect();
    assert_eq!(terminal.len(), 1, "exactly one terminal event: {terminal:?}");
    match &events.last().expect("an event").kind {
        EventKind::Done(answer) => assert_eq!(Ok((**answer).clone()), *end),
        EventKind::Error(failure) => assert_eq!(Err((**failure).clone()), *end),
        other => panic!("the last event is {other:?}"),
    }
    let mut results = HashMap::new();
    for event in events {
        match &event.kind {
            EventKind::ToolCalls { tool_calls } => {
                results.extend(tool_calls.iter().map(|call| (call.id.clone(), 0)));
            }
            EventKind::CallFinished { id, .. } => *results.get_mut(id).expect("a call") += 1,
            _ => {}
        }
    }
    assert!(results.values().all(|count| *count == 1), "one result for each call: {results:?}");
    // The events alone lead to the same conversation. What was said before is not among them.
    let replayed = Run::replay(Conversation::new(), events).expect("a log");
    assert!(run.conversation().messages().ends_with(replayed.conversation().messages()));
    assert_eq!(replayed.step(), run.step());
}

impl Played {
    #[track_caller]
    pub(crate) fn answer(&self) -> &Answer {
        self.end.as_ref().expect("an answer")
    }

    #[track_caller]
    pub(crate) fn failure(&self) -> &Failure {
        self.end.as_ref().expect_err("a failure")
    }

    /// How the calls ended, in order: tool and status.
    pub(crate) fn calls(&self) -> Vec<(&str, Status)> {
        let calls = match &self.end {
            Ok(answer) => &answer.tool_calls,
            Err(failure) => &failure.tool_calls,
        };
        calls.iter().map(|call| (call.tool.as_str(), call.status)).collect()
    }

    /// The kinds of the events, those in pieces left out.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let kinds =
            self.events.iter().map(|event| json!(event)["type"].as_str().unwrap().to_owned());
        kinds
            .filter(|kind| !matches!(kind.as_str(), "content" | "reasoning" | "call_delta"))
            .collect()
    }

    /// The result of this call, as the model reads it.
    #[track_caller]
    pub(crate) fn text_of(&self, call: &str) -> &str {
        let result = self.conversation.results().find(|result| result.call.as_str() == call);
        &result.expect("a result").outcome.text
    }
}

/// The events of a run without what differs from one run to the next: pieces, retries, times,
/// names of runs, and what it cost.
pub(crate) fn summary(events: &[Event]) -> Value {
    let kept = events.iter().filter(|event| {
        !matches!(
            event.kind,
            EventKind::Content { .. }
                | EventKind::Reasoning { .. }
                | EventKind::CallDelta { .. }
                | EventKind::ModelRetry { .. }
        )
    });
    kept.map(|event| {
        let mut event = json!(event);
        let map = event.as_object_mut().unwrap();
        for key in ["seq", "run", "at", "conversation_id", "elapsed_ms", "usage"] {
            map.remove(key);
        }
        event
    })
    .collect()
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

/// A spec that takes any object.
pub(crate) fn spec(name: &str, effect: ToolEffect) -> ToolSpec {
    ToolSpec::new(name, "Does something.", json!({"type": "object"})).effect(effect)
}

/// A reader that says its arguments back.
pub(crate) fn echo(name: &str) -> Arc<dyn Tool> {
    tool(spec(name, ToolEffect::ReadOnly), async |arguments, _| text(arguments.to_string()))
}

/// A tool that counts how often it ran.
pub(crate) fn counting(spec: ToolSpec, count: &Count) -> Arc<dyn Tool> {
    let count = count.clone();
    tool(spec, move |_, _| {
        count.0.fetch_add(1, SeqCst);
        async { text("counted") }
    })
}

/// A tool that starts and never ends; `dropped` tells when it was stopped.
pub(crate) fn stuck(spec: ToolSpec, dropped: &Dropped) -> Arc<dyn Tool> {
    let dropped = dropped.clone();
    tool(spec, move |_, context| {
        let guard = dropped.guard();
        async move {
            context.progress("started");
            let _guard = guard;
            std::future::pending().await
        }
    })
}

pub(crate) fn text(text: impl Into<String>) -> ToolResult {
    Ok(Output::Text(text.into()))
}

/// How often something happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Count(Arc<AtomicUsize>);

impl Count {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, SeqCst);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(SeqCst)
    }
}

/// Whether a future was dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dropped(Arc<AtomicBool>);

pub(crate) struct Guard(Dropped);

impl Dropped {
    pub(crate) fn guard(&self) -> Guard {
        Guard(self.clone())
    }

    pub(crate) fn get(&self) -> bool {
        self.0.load(SeqCst)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.store(true, SeqCst);
    }
}

/// What a scripted model says when it calls tools: `(id, name, arguments)`.
pub(crate) fn calls<const N: usize>(calls: [(&str, &str, &str); N]) -> ModelResponse {
    ModelResponse::calls(calls.map(|(id, name, arguments)| Call::new(id, name, arguments)))
}

/// The bodies of the requests a server has received.
pub(crate) fn bodies(server: &ModelServer) -> Vec<Value> {
    server.requests().into_iter().map(|request| request.body).collect()
}

/// The results in the last request a server has received: id, name, content.
pub(crate) fn results_sent(server: &ModelServer) -> Vec<(String, String, String)> {
    let body = bodies(server).pop().expect("a request");
    let messages = body["messages"].as_array().unwrap().clone();
    let field = |message: &Value, name: &str| message[name].as_str().unwrap().to_owned();
    let results = messages.iter().filter(|message| message["role"] == "tool");
    results.map(|it| (field(it, "tool_call_id"), field(it, "name"), field(it, "content"))).collect()
}

/// The content of the one result in the last request.
#[track_caller]
pub(crate) fn result_sent(server: &ModelServer) -> String {
    let results = results_sent(server);
    assert_eq!(results.len(), 1, "{results:?}");
    results.into_iter().next().unwrap().2
}

/// A conversation that another program wrote.
pub(crate) fn said(messages: Value) -> Vec<Message> {
    serde_json::from_value(messages).unwrap()
}

/// A model that says something for ever, without a pause, and counts how much of it was heard.
pub(crate) struct Endless(pub(crate) Arc<AtomicUsize>);

impl Model for Endless {
    fn name(&self) -> &str {
        "endless"
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        let said = self.0.clone();
        Box::pin(futures_util::stream::repeat_with(move || {
            said.fetch_add(1, SeqCst);
            Ok(ModelDelta::Text("and ".into()))
        }))
    }
}
