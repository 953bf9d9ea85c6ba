//! A run that is cancelled, or dropped, at every kind of point.

use std::{
    future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use toolwright_core::{
    Decision, EventKind, FailureKind, ModelResponse as Said, Status, ToolEffect,
};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, ApprovalRequest, Approver, CancelHandle};
use toolwright_testkit::{Chunking, Fault, Reply, Script};

use crate::support::{
    Dropped, Endless, Played, agent, calls, echo, play, serve, spec, stuck, watch,
};

#[track_caller]
fn assert_cancelled(played: &Played) {
    assert_eq!(played.failure().kind, FailureKind::Cancelled);
    assert_eq!(played.failure().message, "the run was cancelled");
    assert_eq!(played.kinds().last().map(String::as_str), Some("error"));
}

#[tokio::test]
async fn cancelled_before_it_starts() {
    let model = Scripted::new([]);
    let agent = Agent::builder(model.clone()).build().unwrap();
    let cancel = CancelHandle::new();
    cancel.cancel();
    let played = play(agent.prepare("Well?").cancel(cancel).start()).await;
    assert_cancelled(&played);
    assert_eq!(played.kinds(), ["run_started", "message", "error"]);
    assert!(model.asked().is_empty());
}

#[tokio::test]
async fn cancelled_before_the_first_byte_of_the_reply() {
    let stalled = Reply::raw_http("HTTP/1.1 200 OK\r\n").fault(Fault::StallAt(0));
    let server = serve(Script::new().reply(stalled)).await;
    let running = agent(&server).build().unwrap().run("Well?");
    let cancel = running.cancel();
    let (played, ()) = tokio::join!(play(running), async {
        server.received(1).await;
        cancel.cancel();
    });
    assert_cancelled(&played);
    assert_eq!(played.failure().response, "");
    server.quiet().await;
}

#[tokio::test]
async fn cancelled_in_the_middle_of_a_stream() {
    let reply = Reply::text("It was a dark and stormy night, and then").fault(Fault::StallAt(1200));
    let server = serve(Script::new().reply(reply)).await;
    let running = agent(&server).build().unwrap().run("Tell me a story.");
    let cancel = running.cancel();
    let mut heard = String::new();
    let played = watch(running, |event| {
        if let EventKind::Content { data } = &event.kind {
            heard.push_str(data);
            cancel.cancel();
        }
    })
    .await;
    assert_cancelled(&played);
    assert!(!heard.is_empty());
    assert_eq!(played.failure().response, heard, "what was said is kept");
    server.quiet().await;
}

#[tokio::test]
async fn cancelled_while_tools_run() {
    for effect in [ToolEffect::ReadOnly, ToolEffect::Write] {
        let script = Script::new().reply(Reply::calls([
            ("a", "look", "{}"),
            ("b", "slow", "{}"),
            ("c", "slow", r#"{"n":2}"#),
            ("d", "gone", "{}"),
        ]));
        let server = serve(script).await;
        let dropped = Dropped::default();
        let agent = agent(&server)
            .tool(echo("look"))
            .tool(stuck(spec("slow", effect), &dropped))
            .build()
            .unwrap();
        let running = agent.run("Go.");
        let cancel = running.cancel();
        let stopped = dropped.clone();
        let played = watch(running, |event| match &event.kind {
            EventKind::CallProgress { .. } => {
                assert!(!stopped.get(), "it still runs");
                cancel.cancel();
            }
            EventKind::CallFinished { status: Status::Cancelled, .. } => {
                assert!(stopped.get(), "stopped before anybody is told so");
            }
            _ => {}
        })
        .await;
        assert_cancelled(&played);
        assert!(dropped.get());
        let statuses: Vec<_> = played.calls().into_iter().map(|(_, status)| status).collect();
        let wanted = [Status::Ok, Status::Cancelled, Status::Cancelled, Status::Failed];
        assert_eq!(statuses, wanted, "{effect:?}");
        server.assert_clean();
    }
}

/// Never decides.
struct Undecided(Dropped, CancelHandle);

impl Approver for Undecided {
    fn decide<'a>(
        &'a self,
        _: &'a ApprovalRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(async {
            let _guard = self.0.guard();
            // In the middle of its work: somebody else calls it off.
            self.1.cancel();
            future::pending().await
        })
    }
}

#[tokio::test]
async fn cancelled_while_a_decision_is_awaited() {
    let script = Script::new().reply(Reply::calls([("a", "erase", "{}"), ("b", "look", "{}")]));
    let server = serve(script).await;
    let (dropped, cancel) = (Dropped::default(), CancelHandle::new());
    let agent = agent(&server)
        .tool(stuck(spec("erase", ToolEffect::Destructive), &Dropped::default()))
        .tool(echo("look"))
        .approver(Undecided(dropped.clone(), cancel.clone()))
        .build()
        .unwrap();
    let played = play(agent.prepare("Go.").cancel(cancel).start()).await;
    assert_cancelled(&played);
    assert!(dropped.get());
    assert_eq!(played.calls(), [("erase", Status::Cancelled), ("look", Status::Cancelled)]);
    assert!(!played.kinds().contains(&"call_started".to_owned()));
}

#[tokio::test]
async fn cancelled_at_every_event_in_turn() {
    let script = || {
        Script::new()
            .reply(
                Reply::calls([("a", "look", "{}"), ("b", "look", r#"{"n":2}"#)]).with_text("Hm."),
            )
            .reply(Reply::text("Both are blue."))
            .chunking(Chunking::PerEvent)
    };
    let server = serve(script()).await;
    let whole = play(agent(&server).tool(echo("look")).build().unwrap().run("Go.")).await;
    let mut cancelled = 0;
    for stop in 0..whole.events.len() {
        let server = serve(script()).await;
        let running = agent(&server).tool(echo("look")).build().unwrap().run("Go.");
        let cancel = running.cancel();
        let mut seen = 0;
        let played = watch(running, |_| {
            if seen == stop {
                cancel.cancel();
            }
            seen += 1;
        })
        .await;
        match &played.end {
            Err(_) => {
                assert_cancelled(&played);
                cancelled += 1;
            }
            // The answer was already there.
            Ok(answer) => assert_eq!(answer.response, "Both are blue."),
        }
        server.quiet().await;
    }
    assert!(cancelled + 4 > whole.events.len(), "{cancelled} of {}", whole.events.len());
}

#[tokio::test]
async fn a_model_that_never_pauses_can_be_cancelled() {
    let said = Arc::new(AtomicUsize::new(0));
    let running = Agent::builder(Endless(said.clone())).build().unwrap().run("Tell me.");
    let cancel = running.cancel();
    let mut seen = 0;
    let played = watch(running, |_| {
        seen += 1;
        if seen == 100 {
            cancel.cancel();
        }
    })
    .await;
    assert_cancelled(&played);
    assert!(said.load(SeqCst) < 110, "{said:?}");
}

#[tokio::test]
async fn a_run_that_has_ended_cannot_be_cancelled() {
    let mut running =
        Agent::builder(Scripted::new([Said::text("Done.")])).build().unwrap().run("Go.");
    let answer = running.finish().await;
    running.cancel().cancel();
    assert_eq!(running.next().await, None);
    assert_eq!(running.finish().await, answer);
}

#[tokio::test]
async fn a_cancel_from_another_thread_wakes_the_run() {
    let dropped = Dropped::default();
    let agent = Agent::builder(Scripted::new([calls([("a", "slow", "{}")])]))
        .tool(stuck(spec("slow", ToolEffect::Write), &dropped))
        .build()
        .unwrap();
    let running = agent.run("Go.");
    let cancel = running.cancel();
    let (started, begun) = tokio::sync::oneshot::channel();
    let mut started = Some(started);
    let thread = std::thread::spawn(move || {
        begun.blocking_recv().unwrap();
        cancel.cancel();
    });
    let played = watch(running, |event| {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            started.take().unwrap().send(()).unwrap();
        }
    })
    .await;
    thread.join().unwrap();
    assert_cancelled(&played);
    assert!(dropped.get());
}

#[tokio::test]
async fn dropping_a_run_drops_its_tools_futures() {
    let dropped = Dropped::default();
    let agent = Agent::builder(Scripted::new([calls([("a", "slow", "{}")])]))
        .tool(stuck(spec("slow", ToolEffect::Write), &dropped))
        .build()
        .unwrap();
    let mut running = agent.run("Go.");
    while let Some(event) = running.next().await {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            break;
        }
    }
    assert!(!dropped.get());
    drop(running);
    assert!(dropped.get());
}

#[tokio::test]
async fn dropping_a_run_closes_its_connection() {
    let reply = Reply::text("It was a dark and stormy night, and then").fault(Fault::StallAt(1200));
    let server = serve(Script::new().reply(reply)).await;
    let mut running = agent(&server).build().unwrap().run("Tell me a story.");
    while let Some(event) = running.next().await {
        if matches!(event.kind, EventKind::Content { .. }) {
            break;
        }
    }
    drop(running);
    server.quiet().await;
}

/// Tells what there is of its result when it is dropped.
struct Written(toolwright_core::RunContext);

impl Drop for Written {
    fn drop(&mut self) {
        self.0.partial("one\nsk-secret\ntwo\u{e0041}\n");
    }
}

/// A tool that wrote something and never ends.
fn writing(spec: toolwright_core::ToolSpec) -> Arc<dyn toolwright_core::Tool> {
    crate::support::tool(spec, |_, context| {
        let written = Written(context.clone());
        async move {
            let _written = written;
            context.progress("two");
            future::pending().await
        }
    })
}

/// Of a call that is broken off, what there was of its result is kept: whoever broke it off sees it, and so
/// does a model that goes on. Without what nobody may see.
#[tokio::test]
async fn what_a_call_had_is_kept_when_it_is_broken_off() {
    let context = || toolwright_core::RunContext::new().secret("sk-secret");
    let calls = || Said::calls([toolwright_core::Call::new("a", "write_much", "{}")]);
    let spec = || spec("write_much", ToolEffect::Write);
    let agent = Agent::builder(Scripted::new([calls()])).tool(writing(spec())).build().unwrap();
    let running = agent.prepare("Go.").context(context()).start();
    let cancel = running.cancel();
    let played = watch(running, |event| {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            cancel.cancel();
        }
    })
    .await;
    assert_cancelled(&played);
    let kept = "The call was cancelled. Until then:\none\n[redacted]\ntwo";
    assert!(played.text_of("a").starts_with(kept), "{}", played.text_of("a"));
    assert!(!played.text_of("a").contains('\u{e0041}'), "{:?}", played.text_of("a"));

    let limited = spec().timeout(std::time::Duration::from_millis(20));
    let model = Scripted::new([calls(), Said::text("Well.")]);
    let agent = Agent::builder(model).tool(writing(limited)).build().unwrap();
    let played = play(agent.prepare("Go.").context(context()).start()).await;
    assert_eq!(played.calls(), [("write_much", Status::TimedOut)]);
    let told = played.text_of("a");
    assert!(told.contains("the call was stopped. Until then:\none\n[redacted]\ntwo"), "{told}");
}
