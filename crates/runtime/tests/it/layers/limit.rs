//! Calls wait their turn when there are too many.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use futures_util::{FutureExt, future::join_all};
use serde_json::{Value, json};
use tokio::time::{Instant, advance, sleep};
use toolwright_core::{Call, ModelResponse, RunContext, Status, Tool, ToolEffect};
use toolwright_models::Scripted;

use super::{SECOND, agent, policy, reader, run, slow, toolbox};
use crate::support::{Played, play, spec, text, tool};

/// Which call started, and after how many milliseconds.
type Starts = Arc<Mutex<Vec<(u64, u128)>>>;

/// A tool that writes down when which call started.
fn writing_down(rate: &Value) -> (Arc<dyn Tool>, Starts) {
    let (log, start) = (Starts::default(), Instant::now());
    let starts = log.clone();
    let tool = tool(reader("look", json!({"rate": rate})), move |arguments, _| {
        let at = start.elapsed().as_millis();
        starts.lock().unwrap().push((arguments["n"].as_u64().unwrap_or_default(), at));
        async { text("looked") }
    });
    (tool, log)
}

fn numbered(count: u64) -> Scripted {
    let call = |n: u64| Call::new(format!("call_{n}"), "look", json!({"n": n}).to_string());
    Scripted::new([ModelResponse::calls((0..count).map(call))]).then(ModelResponse::text("Done."))
}

#[tokio::test(start_paused = true)]
async fn calls_come_in_turn_and_never_too_many_in_any_stretch_of_time() {
    let (tool, log) = writing_down(&json!({"calls": 3, "period": "1s"}));
    let played = play(agent(numbered(8), &toolbox(tool)).run("Go.")).await;
    assert!(played.calls().iter().all(|(_, status)| *status == Status::Ok));
    let log = log.lock().unwrap();
    let order: Vec<_> = log.iter().map(|(n, _)| *n).collect();
    assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7], "first come, first served");
    let seconds: Vec<_> = log.iter().map(|(_, at)| at / 1_000).collect();
    assert_eq!(seconds, [0, 0, 0, 1, 1, 1, 2, 2]);
    let notes = played.notes_in_full();
    assert!(notes.iter().all(|(what, _)| what == "limit waiting"));
    let told: Vec<_> = notes.iter().map(|(_, told)| told.as_str()).collect();
    let one = "waits about 1 s for its turn";
    let two = "waits about 2 s for its turn";
    assert_eq!(told, [one, one, one, two, two]);
}

#[tokio::test(start_paused = true)]
async fn a_second_is_what_is_meant_where_no_time_is_given() {
    let (tool, log) = writing_down(&json!({"calls": 1}));
    play(agent(numbered(3), &toolbox(tool)).run("Go.")).await;
    let seconds: Vec<_> = log.lock().unwrap().iter().map(|(_, at)| at / 1_000).collect();
    assert_eq!(seconds, [0, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn so_many_at_once_in_all_runs_together() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (inside, peak) = (now, most.clone());
    let tool = tool(reader("look", json!({"rate": {"max_concurrent": 2}})), move |_, _| {
        let (inside, peak) = (inside.clone(), peak.clone());
        async move {
            peak.fetch_max(inside.fetch_add(1, SeqCst) + 1, SeqCst);
            sleep(SECOND).await;
            inside.fetch_sub(1, SeqCst);
            text("looked")
        }
    });
    let toolbox = toolbox(tool);
    let start = Instant::now();
    let played = join_all((0..3).map(|_| play(agent(numbered(4), &toolbox).run("Go.")))).await;
    assert_eq!(most.load(SeqCst), 2);
    assert_eq!(start.elapsed().as_secs(), 6, "twelve calls, two at a time");
    let waited: Vec<_> = played.iter().flat_map(Played::notes_in_full).collect();
    let told = ("limit waiting".to_owned(), "waits until a call before it has ended".to_owned());
    assert_eq!(waited, vec![told; 10]);
}

#[tokio::test(start_paused = true)]
async fn what_would_wait_too_long_is_refused_at_once() {
    let (tool, log) = writing_down(&json!({"calls": 1, "period": "40s"}));
    let start = Instant::now();
    let played = play(agent(numbered(3), &toolbox(tool)).run("Go.")).await;
    assert_eq!(log.lock().unwrap().len(), 2);
    assert_eq!(start.elapsed().as_secs(), 40);
    assert_eq!(played.calls()[2], ("look", Status::Refused));
    let told = "`look` may be called once in 40s, and its next turn is 80 s \
                away. The call was not made: do without it, or call it again later.";
    assert!(played.text_of("call_2").ends_with(told), "{}", played.text_of("call_2"));
    assert_eq!(played.notes(), ["limit waiting", "limit refused"]);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_longer_than_the_tool_may_take() {
    let said = json!({"timeout": "5s", "rate": {"max_concurrent": 1, "calls": 100}});
    let tool = tool(reader("stuck", said), |_, _| std::future::pending());
    let toolbox = toolbox(tool);
    let context = RunContext::new();
    let start = Instant::now();
    let all = join_all((0..3).map(|_| toolbox.call("stuck", json!({}), &context))).await;
    let statuses: Vec<_> = all.iter().map(|outcome| outcome.status).collect();
    assert_eq!(statuses[0], Status::TimedOut);
    assert!(statuses[1..].contains(&Status::Refused), "{statuses:?}");
    assert!(start.elapsed() <= 11 * SECOND);
    let refused = all.iter().find(|outcome| outcome.status == Status::Refused).unwrap();
    assert!(refused.text.contains("1 at a time and 100 times in 1s, and no turn came within 5 s"));
}

/// What is called by hand has the time that it has in a run; what says its own keeps that.
#[tokio::test(start_paused = true)]
async fn a_call_by_hand_ends_in_time() {
    for (said, limit) in [(json!({}), 60), (json!({"timeout": "5s"}), 5)] {
        let toolbox = toolbox(tool(reader("stuck", said), |_, _| std::future::pending()));
        let (context, start) = (RunContext::new(), Instant::now());
        let outcome = toolbox.call_within(Some(60 * SECOND), "stuck", json!({}), &context).await;
        assert_eq!(outcome.status, Status::TimedOut);
        assert_eq!(start.elapsed().as_secs(), limit);
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_jumps_the_queue() {
    let (tool, log) = writing_down(&json!({"calls": 1, "period": "10s"}));
    let (toolbox, context) = (toolbox(tool), RunContext::new());
    let mut calls: Vec<_> =
        (0..3).map(|n| Box::pin(toolbox.call("look", json!({"n": n}), &context))).collect();
    for call in calls.iter_mut().take(2) {
        let _ = call.now_or_never();
    }
    advance(10 * SECOND).await;
    // The turn of the second has come, and before it is polled somebody new is.
    assert!((&mut calls[2]).now_or_never().is_none());
    assert!((&mut calls[1]).now_or_never().is_some());
    // Of two who wait the same, the first goes first, whoever is polled first.
    let mut last = Box::pin(toolbox.call("look", json!({"n": 3}), &context));
    assert!((&mut last).now_or_never().is_none());
    advance(10 * SECOND).await;
    assert!((&mut last).now_or_never().is_none());
    assert!((&mut calls[2]).now_or_never().is_some());
    last.await;
    let order: Vec<_> = log.lock().unwrap().iter().map(|(n, _)| *n).collect();
    assert_eq!(order, [0, 1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn whoever_leaves_the_queue_takes_no_turn_along() {
    let (tool, log) = writing_down(&json!({"calls": 1, "period": "10s"}));
    let toolbox = toolbox(tool);
    let context = RunContext::new();
    toolbox.call("look", json!({"n": 0}), &context).await;
    let mut waiting: Vec<_> = (1..=4)
        .map(|n| {
            let (toolbox, context) = (toolbox.clone(), context.clone());
            tokio::spawn(async move { toolbox.call("look", json!({"n": n}), &context).await })
        })
        .collect();
    tokio::task::yield_now().await;
    advance(SECOND).await;
    // The first in the queue, which holds it, and one from the middle.
    waiting.remove(2).abort();
    waiting.remove(0).abort();
    for task in waiting {
        assert_eq!(task.await.unwrap().status, Status::Ok);
    }
    let seen: Vec<_> = log.lock().unwrap().iter().map(|(n, at)| (*n, at / 1_000)).collect();
    assert_eq!(seen, [(0, 0), (2, 10), (4, 20)]);
    // Nor do they go on being counted among those who wait.
    let start = Instant::now();
    let outcome = toolbox.call("look", json!({"n": 5}), &context).await;
    assert_eq!((outcome.status, start.elapsed().as_secs()), (Status::Ok, 10));
}

#[tokio::test(start_paused = true)]
async fn a_run_has_so_many_calls_and_the_next_run_as_many_again() {
    let said = policy(json!({"rate": {"per_run": 2}}));
    let (tool, ran) = slow(spec("look", ToolEffect::ReadOnly).policy(said), SECOND);
    let toolbox = toolbox(tool);
    for round in 1..=2 {
        let played = run(&toolbox, "look", 4).await;
        let statuses: Vec<_> = played.calls().into_iter().map(|(_, status)| status).collect();
        assert_eq!(statuses, [Status::Ok, Status::Ok, Status::Refused, Status::Refused]);
        let told = "`look` may be called 2 times in one run, and that was done.";
        assert!(played.texts()[2].contains(told), "{}", played.texts()[2]);
        assert_eq!(ran.lock().unwrap()[1], 2 * round);
    }
}
