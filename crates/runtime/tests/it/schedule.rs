//! Who runs beside whom, and in which order.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use tokio::sync::{Barrier, Notify};
use toolwright_core::{Call, EventKind, ModelResponse as Said, Status, Tool, ToolEffect};
use toolwright_models::Scripted;
use toolwright_runtime::Agent;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::support::{
    Endless, Played, agent, calls, echo, play, results_sent, serve, spec, text, tool,
};

/// What happened when, in words.
type Diary = Arc<Mutex<Vec<String>>>;

/// A tool that writes down when it begins and when it ends, and lets others run in between.
fn diarist(name: &'static str, effect: ToolEffect, diary: &Diary) -> Arc<dyn Tool> {
    let diary = diary.clone();
    tool(spec(name, effect), move |arguments, _| {
        let diary = diary.clone();
        async move {
            let write =
                |what: &str| diary.lock().unwrap().push(format!("{what} {}", arguments["n"]));
            write("begin");
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
            write("end");
            text("done")
        }
    })
}

#[tokio::test]
async fn s3_5_readers_run_side_by_side() {
    let script = Script::new()
        .reply(Reply::calls([("a", "meet", r#"{"n":1}"#), ("b", "meet", r#"{"n":2}"#)]))
        .reply(Reply::text("They met."));
    let server = serve(script).await;
    let barrier = Arc::new(Barrier::new(2));
    let meet = tool(spec("meet", ToolEffect::ReadOnly), move |_, _| {
        let barrier = barrier.clone();
        async move {
            barrier.wait().await;
            text("met")
        }
    });
    let played = play(agent(&server).tool(meet).build().unwrap().run("Meet.")).await;
    server.assert_clean();
    assert_eq!(played.calls(), [("meet", Status::Ok), ("meet", Status::Ok)]);
}

/// A run with twenty readers at once, and how many there were at most.
async fn crowd(parallel: Option<usize>) -> (Played, usize) {
    let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (now, peak) = (inside.clone(), most.clone());
    let enter = tool(spec("enter", ToolEffect::ReadOnly), move |_, _| {
        let (now, peak) = (now.clone(), peak.clone());
        async move {
            peak.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
            for _ in 0..5 {
                tokio::task::yield_now().await;
            }
            now.fetch_sub(1, SeqCst);
            text("out")
        }
    });
    let many = (0..20).map(|n| Call::new(format!("c{n}"), "enter", format!("{{\"n\":{n}}}")));
    let model = Scripted::new([Said::calls(many), Said::text("All were in.")]);
    let mut agent = Agent::builder(model).tool(enter);
    if let Some(parallel) = parallel {
        agent = agent.parallel(parallel);
    }
    let played = play(agent.build().unwrap().run("Go.")).await;
    assert_eq!(played.answer().tools_executed, 20);
    assert_eq!(inside.load(SeqCst), 0);
    (played, most.load(SeqCst))
}

#[tokio::test]
async fn at_most_eight_run_at_once_unless_told_otherwise() {
    assert_eq!(crowd(None).await.1, 8);
    assert_eq!(crowd(Some(3)).await.1, 3);
    assert_eq!(crowd(Some(100)).await.1, 20);
    assert_eq!(crowd(Some(0)).await.1, 1, "none at all would be no run");
}

#[tokio::test]
async fn writers_run_alone_and_in_order() {
    for effect in [ToolEffect::Write, ToolEffect::Idempotent] {
        let diary = Diary::default();
        let model = Scripted::new([
            calls([
                ("a", "write", r#"{"n":1}"#),
                ("b", "write", r#"{"n":2}"#),
                ("c", "write", r#"{"n":3}"#),
            ]),
            Said::text("Written."),
        ]);
        let agent = Agent::builder(model).tool(diarist("write", effect, &diary)).build().unwrap();
        play(agent.run("Write.")).await.answer();
        let wanted = ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"];
        assert_eq!(*diary.lock().unwrap(), wanted);
    }
}

#[tokio::test]
async fn readers_see_what_a_writer_before_them_did_and_not_what_one_behind_them_does() {
    let diary = Diary::default();
    let model = Scripted::new([
        calls([
            ("a", "read", r#"{"n":1}"#),
            ("b", "read", r#"{"n":2}"#),
            ("c", "write", r#"{"n":3}"#),
            ("d", "read", r#"{"n":4}"#),
            ("e", "read", r#"{"n":5}"#),
        ]),
        Said::text("Done."),
    ]);
    let agent = Agent::builder(model)
        .tool(diarist("read", ToolEffect::ReadOnly, &diary))
        .tool(diarist("write", ToolEffect::Write, &diary))
        .build()
        .unwrap();
    play(agent.run("Go.")).await.answer();
    let wanted = [
        "begin 1", "begin 2", "end 1", "end 2", "begin 3", "end 3", "begin 4", "begin 5", "end 4",
        "end 5",
    ];
    assert_eq!(*diary.lock().unwrap(), wanted);
}

#[tokio::test]
async fn results_are_recorded_in_the_order_of_the_calls() {
    let script = Script::new()
        .reply(Reply::calls([("first", "wait", "{}"), ("second", "ring", "{}")]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let bell = Arc::new(Notify::new());
    let (rung, ring) = (bell.clone(), bell);
    let wait = tool(spec("wait", ToolEffect::ReadOnly), move |_, _| {
        let bell = rung.clone();
        async move {
            bell.notified().await;
            text("waited")
        }
    });
    let ring = tool(spec("ring", ToolEffect::ReadOnly), move |_, _| {
        ring.notify_one();
        async { text("rung") }
    });
    let played = play(agent(&server).tool(wait).tool(ring).build().unwrap().run("Go.")).await;
    server.assert_clean();
    let finished: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::CallFinished { id, .. } => Some(id.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(finished, ["second", "first"], "told as they happen");
    let sent: Vec<_> = results_sent(&server).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(sent, ["first", "second"], "sent in the model's order");
    assert_eq!(played.calls(), [("wait", Status::Ok), ("ring", Status::Ok)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_agent_answers_many_at_once() {
    let server = ModelServer::start_with(|request| {
        let messages = request.body["messages"].as_array().unwrap();
        let question = messages[0]["content"].as_str().unwrap();
        match messages.last().unwrap()["role"].as_str() {
            Some("tool") => Reply::text(format!("{question} {}", messages[2]["content"])),
            // Everybody's call has the same id.
            _ => Reply::calls([("call_1", "look", format!("{{\"at\":\"{question}\"}}").as_str())]),
        }
    })
    .await;
    let agent = agent(&server).tool(echo("look")).build().unwrap();
    let runs: Vec<_> = (0..50)
        .map(|n| {
            let running = agent.run(format!("question {n}"));
            tokio::spawn(play(running))
        })
        .collect();
    let mut names = std::collections::HashSet::new();
    for (n, run) in runs.into_iter().enumerate() {
        let played = run.await.unwrap();
        let wanted = format!("question {n} \"{{\\\"at\\\":\\\"question {n}\\\"}}\"");
        assert_eq!(played.answer().response, wanted);
        names.insert((played.events[0].run.clone(), played.answer().conversation_id.clone()));
    }
    assert_eq!(names.len(), 50, "every run and conversation has a name of its own");
    server.assert_clean();
}

#[tokio::test]
async fn a_run_goes_on_only_while_it_is_listened_to() {
    let said = Arc::new(AtomicUsize::new(0));
    let mut running = Agent::builder(Endless(said.clone())).build().unwrap().run("Tell me.");
    assert_eq!(said.load(SeqCst), 0, "nothing happens before the first poll");
    for _ in 0..3 {
        running.next().await;
    }
    for heard in 1..100 {
        running.next().await;
        assert!(said.load(SeqCst) <= heard + 1, "nothing piles up");
    }
}
