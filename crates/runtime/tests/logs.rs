//! What the log says, and what it must not: names by default, contents where asked for. In a process of its own: a subscriber that comes and
//! goes beside other tests misses lines.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use toolwright_core::{Effect, FnTool, Output, RunContext, ToolSpec};
use toolwright_models::{OpenAi, openai::Config};
use toolwright_runtime::{Agent, Log};
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
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_max_level(LevelFilter::TRACE);
    subscriber.with_writer(move || writer.clone()).init();

    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", r#"{"at":"sky"}"#)]))
        .reply(Reply::text("Blue."))
        .reply(Reply::calls([("call_1", "look", r#"{"at":"sky"}"#)]))
        .reply(Reply::text("Blue."));
    let server = ModelServer::start(script).await;
    let model = OpenAi::new(Config::new(server.base_url(), "scripted").with_key("sk-test"));
    let spec = ToolSpec::new("look", "Looks.", json!({"type": "object"})).effect(Effect::ReadOnly);
    let tool = FnTool::new(spec, |arguments, _| Box::pin(async move { Ok(look(&arguments)) }));
    let (model, tool) = (Arc::new(model.unwrap()), Arc::new(tool));
    let told = async |contents: Log| {
        log.0.lock().unwrap().clear();
        let agent = Agent::builder(model.clone()).tool(tool.clone()).log(contents).build().unwrap();
        let context = RunContext::new().with(CANARY.to_owned());
        let mut running = agent.prepare("How is the sky?").context(context).start();
        running.finish().await.unwrap();
        assert!(running.conversation().unwrap().value::<u32>("look", "/id").is_err());
        String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
    };

    let names = told(Log::default()).await;
    for line in ["Iteration 1/5", "[execute_tool] Executing: look", "status=success", "bytes="] {
        assert!(names.contains(line), "no {line:?} in\n{names}");
    }
    // Neither what was asked, nor what a tool was called with, nor what it returned.
    for content in ["sky", "looked at", "Blue"] {
        assert!(!names.contains(content), "{content:?} in\n{names}");
    }

    let log = told(Log::Contents).await;
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
}
