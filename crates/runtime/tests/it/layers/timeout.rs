//! An attempt that takes too long, or goes silent for too long, is stopped.

use std::sync::Arc;

use serde_json::json;
use tokio::time::Instant;
use toolwright_core::{EventKind, RunContext, Status, ToolEffect};
use toolwright_runtime::Toolbox;

use super::{SECOND, policy, reader, run, slow, toolbox};
use crate::support::{Dropped, spec, stuck, text, tool};

#[tokio::test(start_paused = true)]
async fn an_attempt_has_its_time_and_is_really_stopped() {
    let dropped = Dropped::default();
    let toolbox = toolbox(stuck(reader("slow", json!({"timeout": "5s"})), &dropped));
    let start = Instant::now();
    let played = run(&toolbox, "slow", 1).await;
    assert!(dropped.get());
    assert_eq!(start.elapsed().as_secs(), 5);
    assert_eq!(played.calls(), [("slow", Status::TimedOut)]);
    let told = "no result within 5s; the call was stopped".to_owned();
    assert_eq!(played.text_of("call_1"), format!("Error executing slow: {told}"));
    assert_eq!(played.notes_in_full(), [("timeout total".to_owned(), told)]);
}

#[tokio::test(start_paused = true)]
async fn what_is_in_time_is_left_alone() {
    let policy = json!({"timeout": "5s", "idle_timeout": "4s"});
    let (tool, _) = slow(reader("slow", policy), 3 * SECOND);
    let played = run(&toolbox(tool), "slow", 2).await;
    assert_eq!(played.texts(), ["slow and sure"; 2]);
    assert!(played.notes().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_word_keeps_a_call_alive_and_silence_ends_it() {
    let policy = json!({"timeout": "1h", "idle_timeout": "2s"});
    let tool = tool(reader("steps", policy), |_, context| async move {
        for step in 1..=5 {
            tokio::time::sleep(SECOND * 3 / 2).await;
            context.progress(format!("step {step}"));
        }
        // What a layer does is no sign of life.
        tokio::time::sleep(SECOND).await;
        context.note("own", "noted", "still nothing");
        tokio::time::sleep(60 * SECOND).await;
        text("too late")
    });
    let start = Instant::now();
    let played = run(&toolbox(tool), "steps", 1).await;
    // Five steps, and then as long as may be.
    assert_eq!(start.elapsed().as_millis() / 10, 950);
    assert_eq!(played.calls(), [("steps", Status::TimedOut)]);
    let told = "nothing was heard of it for 2s; the call was stopped";
    assert_eq!(played.text_of("call_1"), format!("Error executing steps: {told}"));
    let words = played.events.iter().filter(|it| matches!(it.kind, EventKind::CallProgress { .. }));
    assert_eq!(words.count(), 5, "what is said is passed on");
    assert_eq!(played.notes(), ["own noted", "timeout idle"]);
}

#[tokio::test(start_paused = true)]
async fn the_whole_time_ends_a_call_that_goes_on_talking() {
    let policy = json!({"timeout": "10s", "idle_timeout": "2s"});
    let tool = tool(reader("talk", policy), |_, context| async move {
        loop {
            tokio::time::sleep(SECOND).await;
            context.progress("and on");
        }
    });
    let played = run(&toolbox(tool), "talk", 1).await;
    assert_eq!(played.notes(), ["timeout total"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_declares_no_time_has_that_of_the_agent() {
    let dropped = Dropped::default();
    let toolbox = toolbox(stuck(spec("slow", ToolEffect::ReadOnly), &dropped));
    let played = run(&toolbox, "slow", 1).await;
    assert!(dropped.get());
    let told = "no result within 1m; the call was stopped".to_owned();
    assert_eq!(played.notes_in_full(), [("timeout total".to_owned(), told)]);
}

/// Tools a route brings along may have no layers: what they declare is kept all the same.
#[tokio::test(start_paused = true)]
async fn the_tools_of_a_route_are_stopped_too() {
    struct Bare(std::sync::Arc<dyn toolwright_core::Tool>);
    impl toolwright_runtime::ToolFallback for Bare {
        fn route(&self, name: &str) -> Option<&dyn toolwright_core::Tool> {
            (name == "slow").then_some(&*self.0)
        }
    }
    for (declared, wanted) in [(json!({}), 60), (json!({"timeout": "5s"}), 5)] {
        let dropped = Dropped::default();
        let bare = Bare(stuck(reader("slow", declared), &dropped));
        let toolbox = Toolbox::builder().fallback(bare).build().unwrap();
        let start = Instant::now();
        let played = run(&std::sync::Arc::new(toolbox), "slow", 1).await;
        assert_eq!(start.elapsed().as_secs(), wanted);
        assert!(dropped.get());
        assert_eq!(played.calls(), [("slow", Status::TimedOut)]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_toolbox_behind_another_keeps_its_own_time() {
    let retry = json!({"timeout": "5s", "retry": {"attempts": 3, "initial_backoff": "0s"}});
    let (tool, ran) = slow(reader("slow", retry), 60 * SECOND);
    let inner = toolbox(tool);
    let outer = Toolbox::builder().fallback(inner).build().unwrap();
    let outcome = outer.call("slow", json!({}), &RunContext::new()).await;
    assert_eq!(outcome.status, Status::TimedOut);
    assert_eq!(*ran.lock().unwrap(), [3, 0]);
}

/// The time of any call is a limit: what a tool declares, what is said of it and how often it is tried
/// make it no longer. What is shorter stays.
#[tokio::test(start_paused = true)]
async fn no_call_takes_longer_than_any_may() {
    let retried = json!({"timeout": "2s", "retry": {"attempts": 9, "initial_backoff": "0s"}});
    for (declared, said, seconds) in [
        (json!({}), json!({}), 5),
        (json!({"timeout": "1h"}), json!({}), 5),
        (json!({}), json!({"timeout": "1h"}), 5),
        (json!({"timeout": "3s"}), json!({}), 3),
        (json!({"idle_timeout": "4s"}), json!({}), 4),
        (json!({"timeout": "1h", "breaker": {}}), json!({}), 5),
        (retried, json!({}), 5),
    ] {
        let dropped = Dropped::default();
        let stuck = stuck(reader("slow", declared.clone()), &dropped);
        let builder = Toolbox::builder().tool(stuck).policy("slow", policy(said));
        let toolbox = Arc::new(builder.call_timeout(5 * SECOND).build().unwrap());
        let start = Instant::now();
        let played = run(&toolbox, "slow", 1).await;
        assert_eq!(start.elapsed().as_secs(), seconds, "{declared}");
        assert_eq!(played.calls(), [("slow", Status::TimedOut)], "{declared}");
        // By hand as in a run.
        let start = Instant::now();
        let outcome = toolbox.call("slow", json!({}), &RunContext::new()).await;
        assert_eq!((outcome.status, start.elapsed().as_secs()), (Status::TimedOut, seconds));
    }
}

/// Also where the tool comes by another way, with its own time or none.
#[tokio::test(start_paused = true)]
async fn a_routed_call_takes_no_longer_either() {
    for declared in [json!({}), json!({"timeout": "1h"})] {
        let dropped = Dropped::default();
        let behind = toolbox(stuck(reader("slow", declared), &dropped));
        let builder = Toolbox::builder().fallback(behind).call_timeout(5 * SECOND);
        let toolbox = Arc::new(builder.build().unwrap());
        let start = Instant::now();
        let outcome = toolbox.call("slow", json!({}), &RunContext::new()).await;
        assert_eq!((outcome.status, start.elapsed().as_secs()), (Status::TimedOut, 5));
    }
}

/// A call that took too long is one that failed, for the breaker too.
#[tokio::test(start_paused = true)]
async fn a_call_that_was_cut_counts_for_the_breaker() {
    let policy = json!({"breaker": {"window": 4, "min_calls": 2, "failures": 0.5},
        "retry": {"attempts": 3, "initial_backoff": "0s"}});
    let dropped = Dropped::default();
    let builder = Toolbox::builder().tool(stuck(reader("slow", policy), &dropped));
    let toolbox = Arc::new(builder.call_timeout(SECOND).build().unwrap());
    let played = run(&toolbox, "slow", 3).await;
    let ends: Vec<_> = played.calls().into_iter().map(|(_, status)| status).collect();
    assert_eq!(ends, [Status::TimedOut, Status::TimedOut, Status::Refused]);
}
