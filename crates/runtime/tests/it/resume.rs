//! Going on where a process left a run, and names and questions that no provider would take.

use std::sync::Arc;

use toolwright_core::{
    Conversation, Event, EventKind, FailureKind, ModelErrorKind, Run, RunContext, Status,
    ToolEffect,
};
use toolwright_testkit::{Reply, Script};

use crate::support::{Count, Dropped, agent, bodies, counting, echo, play, serve, spec, stuck};

/// The events of a run up to and including the first of this kind, as a log on disk has them.
async fn until(running: toolwright_runtime::RunStream, stop: fn(&EventKind) -> bool) -> Vec<Event> {
    let mut running = running;
    let mut log = Vec::new();
    while let Some(event) = running.next().await {
        let is_last = stop(&event.kind);
        log.push(event);
        if is_last {
            break;
        }
    }
    let stored = serde_json::to_string(&log).unwrap();
    serde_json::from_str(&stored).unwrap()
}

#[tokio::test]
async fn a_run_that_was_cut_short_goes_on_and_does_nothing_twice() {
    let (reads, dropped) = (Count::default(), Dropped::default());
    let script = Script::new()
        .reply(Reply::calls([("r", "read", "{}"), ("w", "write", "{}")]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let agent = agent(&server)
        .tool(counting(spec("read", ToolEffect::ReadOnly), &reads))
        .tool(stuck(spec("write", ToolEffect::Write), &dropped))
        .build()
        .unwrap();
    // The process dies when the writer has started: nobody knows how far it got.
    let is_write =
        |kind: &EventKind| matches!(kind, EventKind::CallStarted { tool, .. } if tool == "write");
    let log = until(agent.run("Read, then write."), is_write).await;
    assert!(dropped.get(), "the writer is gone with its process");

    let run = Run::replay(Conversation::new(), &log).unwrap();
    let mut resumed = agent.resume(run, RunContext::new());
    let answer = resumed.finish().await.unwrap();
    assert_eq!(answer.response, "Done.");
    let ended: Vec<_> = answer.tool_calls.iter().map(|it| (it.tool.as_str(), it.status)).collect();
    assert_eq!(ended, [("read", Status::Ok), ("write", Status::Interrupted)]);
    // Had the writer been started again, the run would hang in it.
    assert_eq!(reads.get(), 1, "nothing ran again");
    server.assert_clean();
}

#[tokio::test]
async fn a_run_that_has_ended_has_nothing_more_to_say() {
    let server = serve(Script::new().reply(Reply::text("Hi."))).await;
    let agent = agent(&server).build().unwrap();
    let mut running = agent.run("Hello");
    running.finish().await.unwrap();
    let run = running.into_run().unwrap();
    let mut again = agent.resume(run, RunContext::new());
    assert!(again.next().await.is_none());
    assert_eq!(again.finish().await.unwrap().response, "Hi.");
}

#[tokio::test]
async fn without_a_question_nothing_is_sent() {
    let server = serve(Script::new()).await;
    let agent = agent(&server).build().unwrap();
    for messages in [vec![], vec![toolwright_core::Message::assistant("I am done.")]] {
        let played = play(agent.generate(messages, []).unwrap().into_running()).await;
        assert_eq!(played.failure().kind, FailureKind::Model(ModelErrorKind::Request));
        assert_eq!(played.failure().message, "there is nothing to answer");
    }
    server.assert_clean();
}

#[tokio::test]
async fn a_name_that_providers_refuse_goes_back_as_one_they_take() {
    let script = Script::new()
        .reply(Reply::calls([("a", "functions.look", "{}"), ("b", "no such töol", "{}")]))
        .reply(Reply::text("Hm."));
    let server = serve(script).await;
    let agent = agent(&server).tool(Arc::clone(&echo("look"))).build().unwrap();
    let played = play(agent.run("Look.")).await;
    server.assert_clean();
    let calls = bodies(&server)[1]["messages"][1]["tool_calls"].clone();
    assert_eq!(calls[0]["function"]["name"], "functions_look");
    assert_eq!(calls[1]["function"]["name"], "no_such_t_ol");
    // What is kept and asked about is the tool's own name.
    assert!(played.conversation.was_called("look"));
}
