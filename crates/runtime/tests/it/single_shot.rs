//! Single shot through the real loop: one request, and the results are the answer.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{
    Conversation, Event, EventKind, FailureKind, FinishReason, Output, ResultMode, Run, RunContext,
    Status, Tool, ToolEffect, ToolError,
};
use toolwright_runtime::{Agent, RunStream};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::support::{Count, agent, bodies, counting, echo, play, serve, spec, text, tool};

fn show() -> Arc<dyn Tool> {
    tool(spec("show", ToolEffect::ReadOnly), async |arguments, context| {
        context.progress("looking");
        let path = format!("/workspace/{}", arguments["path"].as_str().unwrap());
        match path.ends_with(".md") {
            true => Ok(Output::readable(format!("1: # {path}"), json!({"lines": 1}))),
            false => Err(ToolError::new(format!("File does not exist: {path}"))
                .with_input(json!({"path": path}))),
        }
    })
}

fn shooting(server: &ModelServer) -> Agent {
    agent(server).tool(show()).tool(echo("look")).single_shot().build().unwrap()
}

#[tokio::test]
async fn the_results_are_the_answer_and_no_second_request_is_made() {
    let calls = [("a", "show", r#"{"path":"a.md"}"#), ("b", "show", r#"{"path":"b.txt"}"#)];
    let server = serve(Script::new().reply(Reply::calls(calls).with_text("Let me look."))).await;
    let played = play(shooting(&server).run("Show a and b.")).await;
    assert_eq!(
        played.answer().response,
        "Tool 'show' executed successfully:\n1: # /workspace/a.md\n\nData: {\"lines\":1}\n\n\
         Tool execution failed: File does not exist: /workspace/b.txt\n\n\
         Input: Object {\n    \"path\": String(\"/workspace/b.txt\"),\n}"
    );
    assert_eq!(played.answer().finish_reason, FinishReason::ToolCalls);
    assert_eq!(played.calls(), [("show", Status::Ok), ("show", Status::Failed)]);
    assert_eq!(server.requests().len(), 1);
    // Guards, layers and events are those of every run.
    let kinds = played.kinds();
    for kind in ["call_checked", "call_started", "call_progress", "call_finished"] {
        assert!(kinds.iter().any(|it| it == kind), "{kind} is missing in {kinds:?}");
    }
    server.assert_clean();
}

#[tokio::test]
async fn a_reply_without_calls_is_the_answer() {
    let server = serve(Script::new().reply(Reply::text("It costs [Current Price]."))).await;
    let played = play(shooting(&server).run("How much?")).await;
    assert_eq!(played.answer().response, "It costs [Current Price].");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn an_empty_reply_is_not_asked_for_again() {
    let server = serve(Script::new().reply(Reply::text(""))).await;
    let played = play(shooting(&server).run("?")).await;
    assert_eq!(played.failure().kind, FailureKind::EmptyReplies);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_destructive_call_is_decided_about_as_ever() {
    let (count, calls) = (Count::default(), [("a", "wipe", "{}")]);
    let server = serve(Script::new().reply(Reply::calls(calls))).await;
    let wipe = counting(spec("wipe", ToolEffect::Destructive), &count);
    let agent = agent(&server).tool(wipe).single_shot().build().unwrap();
    let played = play(agent.run("Wipe it.")).await;
    assert_eq!(
        played.answer().response,
        "Tool execution failed: The call of wipe was denied: nobody is there to approve it.\n\n\
         Input: Object {}"
    );
    assert_eq!(count.get(), 0);
}

#[tokio::test]
async fn the_conversation_goes_on_from_the_answer() {
    let calls = [("a", "look", r#"{"at":"sky"}"#)];
    let script = Script::new().reply(Reply::calls(calls)).reply(Reply::text("Blue, as I said."));
    let server = serve(script).await;
    let agent = shooting(&server);
    let first = play(agent.run("Look.")).await;
    let again =
        agent.prepare("And?").conversation(first.conversation).mode(ResultMode::Loop).start();
    assert_eq!(play(again).await.answer().response, "Blue, as I said.");
    let roles: Vec<_> = bodies(&server)[1]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user"]);
    server.assert_clean();
}

/// The process dies while the tool runs; another one goes on, and still asks nobody.
#[tokio::test]
async fn a_run_that_was_cut_short_ends_with_its_results() {
    let calls = [("a", "look", "{}"), ("b", "write", "{}")];
    let server = serve(Script::new().reply(Reply::calls(calls))).await;
    let agent = agent(&server)
        .tool(echo("look"))
        .tool(tool(spec("write", ToolEffect::Write), async |_, _| text("written")))
        .single_shot()
        .build()
        .unwrap();
    let log = until_started(agent.run("Look, then write."), "write").await;
    let run = Run::replay(Conversation::new(), &log).unwrap();
    // Whatever the agent would do now: the mode is the run's.
    let other = Agent::builder(crate::support::model(server.base_url()))
        .tool(echo("look"))
        .build()
        .unwrap();
    let answer = other.resume(run, RunContext::new()).finish().await.unwrap();
    let interrupted = "Tool execution failed: The call was interrupted before it returned a result; \
                       it may or may not have taken effect.\n\nInput: Object {}";
    assert_eq!(
        answer.response,
        format!(
            "Tool 'look' executed successfully:\nThe result is data.\n\nData: {{}}\n\n{interrupted}"
        )
    );
    assert_eq!(server.requests().len(), 1);
}

async fn until_started(mut running: RunStream, wanted: &str) -> Vec<Event> {
    let mut log = Vec::new();
    while let Some(event) = running.next().await {
        let is_last = matches!(&event.kind, EventKind::CallStarted { tool, .. } if tool == wanted);
        log.push(event);
        if is_last {
            break;
        }
    }
    log
}
