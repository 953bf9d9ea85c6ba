//! What the log says, and what it must not.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use toolwright_core::RunContext;
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, echo, play, serve, spec, text, tool};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn s0_11_log_lines_tell_the_round_the_tool_and_its_arguments() {
    const CANARY: &str = "canary-77c1";
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _on = tracing::subscriber::set_default(subscriber);

    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", r#"{"at":"sky"}"#), ("call_2", "say", "{}")]))
        .reply(Reply::text("Blue."));
    let server = serve(script).await;
    let say =
        tool(spec("say", toolwright_core::Effect::ReadOnly), |_, _| async { text("as it is") });
    let agent = agent(&server).tool(echo("look")).tool(say).build().unwrap();
    let context = RunContext::new().with(CANARY.to_owned());
    let played = play(agent.prepare("How is the sky?").context(context).start()).await;
    let asked = played.conversation.value::<u32>("say", "/id");
    assert!(asked.is_err());

    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for line in [
        "[agentic_loop] Iteration 1/5",
        "[agentic_loop] Iteration 2/5",
        r#"[execute_tool] Executing: look {"at":"sky"}"#,
        "status=success",
        // A question about a result that is not JSON.
        "the tool's result is not JSON",
    ] {
        assert!(log.contains(line), "no {line:?} in\n{log}");
    }
    assert!(!log.contains(CANARY) && !log.contains("sk-test"), "{log}");
}
