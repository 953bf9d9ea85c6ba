//! What the log says, and what it must not: names by default, contents where asked for. In a process of its own: a subscriber that comes and
//! goes beside other tests misses lines.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use toolwright_core::{
    Call, Conversation, Event, EventKind, FnTool, Output, Run, RunContext, Tool, ToolEffect,
    ToolSpec,
};
use toolwright_models::{Endpoint, EndpointConfig, Scripted};
use toolwright_runtime::{Agent, CallLogging, RunStream};
use toolwright_testkit::{ModelServer, Reply, Script};
use tracing_subscriber::filter::LevelFilter;

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().map_err(|_| io::ErrorKind::Other)?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn look(arguments: &Value) -> Output {
    Output::Text(format!("looked at {arguments}"))
}

#[tokio::test]
async fn s0_11_log_lines_tell_the_round_the_tool_and_its_arguments() {
    const CANARY: &str = "canary-77c1";
    let log = Written::default();
    let (writer, written) = (log.clone(), log.clone());
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_max_level(LevelFilter::TRACE);
    subscriber.with_writer(move || writer.clone()).init();

    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", r#"{"at":"sky"}"#)]))
        .reply(Reply::text("Blue."))
        .reply(Reply::calls([("call_1", "look", r#"{"at":"sky"}"#)]))
        .reply(Reply::text("Blue."));
    let server = ModelServer::start(script).await;
    let model =
        Endpoint::new(EndpointConfig::new(server.base_url(), "scripted").with_key("sk-test"));
    let spec =
        ToolSpec::new("look", "Looks.", json!({"type": "object"})).effect(ToolEffect::ReadOnly);
    let tool = FnTool::new(spec, |arguments, _| Box::pin(async move { Ok(look(&arguments)) }));
    let (model, tool) = (Arc::new(model.unwrap()), Arc::new(tool));
    let told = async |contents: CallLogging| {
        log.0.lock().unwrap().clear();
        let agent = Agent::builder(model.clone()).tool(tool.clone()).log(contents).build().unwrap();
        let context = RunContext::new().with(CANARY.to_owned());
        let mut running = agent.prepare("How is the sky?").context(context).start();
        running.finish().await.unwrap();
        assert!(running.conversation().unwrap().value::<u32>("look", "/id").is_err());
        String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
    };

    let names = told(CallLogging::default()).await;
    for line in ["Iteration 1/5", "[execute_tool] Executing: look", "status=success", "bytes="] {
        assert!(names.contains(line), "no {line:?} in\n{names}");
    }
    // Neither what was asked, nor what a tool was called with, nor what it returned.
    for content in ["sky", "looked at", "Blue"] {
        assert!(!names.contains(content), "{content:?} in\n{names}");
    }

    let log = told(CallLogging::Contents).await;
    for line in [
        "[agentic_loop] Iteration 1/5",
        r#"[execute_tool] Executing: look {"at":"sky"}"#,
        "status=success",
        "[agentic_loop] Iteration 2/5",
        // A question about a result that is not JSON.
        "the tool's result is not JSON",
    ] {
        assert!(log.contains(line), "no {line:?} in\n{log}");
    }
    for log in [names, log] {
        assert!(!log.contains(CANARY) && !log.contains("sk-test"), "{log}");
    }
    every_call_has_its_line(&written).await;
}

/// Whatever becomes of a call (it runs, fails, is refused, invalid, unknown, denied, cancelled, or lost
/// with its process), it has one line, and the line says what its event says.
async fn every_call_has_its_line(written: &Written) {
    let spec = |name: &str, effect| {
        ToolSpec::new(name, "Looks.", json!({"type": "object", "required": ["at"]})).effect(effect)
    };
    let look = FnTool::new(spec("look", ToolEffect::ReadOnly), |arguments, _| {
        Box::pin(async move { Ok(look(&arguments)) })
    });
    let erase = FnTool::new(spec("erase", ToolEffect::Destructive), |_, _| {
        Box::pin(async { unreachable!() })
    });
    let hang = FnTool::new(spec("hang", ToolEffect::Write), |_, context| {
        Box::pin(async move {
            context.progress("begun");
            std::future::pending().await
        })
    });
    let tools: [Arc<dyn Tool>; 3] = [Arc::new(look), Arc::new(erase), Arc::new(hang)];
    let asked = [
        ("a", "look", r#"{"at":"sky"}"#),
        ("b", "lok", r#"{"at":"sky"}"#),
        ("c", "look", r#"{"to":"sky"}"#),
        ("d", "look", r#"{"at":"#),
        ("e", "look", r#"{"at":"<place>"}"#),
        ("f", "erase", r#"{"at":"sky"}"#),
        ("g", "hang", r#"{"at":"sky"}"#),
        ("h", "look", r#"{"at":"sea"}"#),
    ];
    let calls = asked.map(|(id, tool, arguments)| Call::new(id, tool, arguments));
    let calls = || vec![toolwright_core::ModelResponse::calls(calls.clone())];
    let agent = |replies| {
        let model = Scripted::new(replies).then(toolwright_core::ModelResponse::text("Well."));
        let agent = Agent::builder(model).log(CallLogging::Contents);
        tools.iter().cloned().fold(agent, toolwright_runtime::AgentBuilder::tool).build().unwrap()
    };
    // Stopped while one of them hangs.
    written.0.lock().unwrap().clear();
    let running = agent(calls()).run("Look.");
    let cancel = running.cancel();
    let cancelled = heard(running, |event| {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            cancel.cancel();
        }
        true
    });
    let cancelled = cancelled.await;
    assert_told(written, &cancelled, asked.len());
    // Lost with its process, and gone on with.
    let is_before = |event: &Event| !matches!(event.kind, EventKind::CallProgress { .. });
    let log = heard(agent(calls()).run("Look."), is_before).await;
    let run = Run::replay(Conversation::new(), &log).unwrap();
    written.0.lock().unwrap().clear();
    let resumed = heard(agent(Vec::new()).resume(run, RunContext::new()), |_| true).await;
    assert_told(written, &resumed, 2);
}

/// The events of a run, for as long as `goes_on` says.
async fn heard(mut running: RunStream, mut goes_on: impl FnMut(&Event) -> bool) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some(event) = running.next().await {
        let goes_on = goes_on(&event);
        events.push(event);
        if !goes_on {
            break;
        }
    }
    events
}

/// As many lines as calls came to their end, in their order, each with what its event says.
#[track_caller]
fn assert_told(written: &Written, events: &[Event], count: usize) {
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let told: Vec<_> = text.lines().filter(|it| it.contains("[execute_tool] finished")).collect();
    let ended: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::CallFinished { id, tool, status, .. } => Some((id, tool, status)),
            _ => None,
        })
        .collect();
    assert_eq!((told.len(), ended.len()), (count, count), "{text}");
    for (line, (id, tool, status)) in told.iter().zip(ended) {
        for part in [
            format!("call={id} "),
            format!("tool=\"{tool}\" "),
            format!("status={status} "),
            "arguments=\"".to_owned(),
            "latency_ms=".to_owned(),
            "result=\"".to_owned(),
        ] {
            assert!(line.contains(&part), "no {part:?} in {line}");
        }
    }
}
