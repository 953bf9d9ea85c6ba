//! A call that is broken off, at whatever point, takes nothing along: no permit, no try of a
//! breaker, no call that others wait for.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::time::{Instant, advance};
use toolwright_core::{Outcome, RunContext, Status};
use toolwright_runtime::Toolbox;

use super::{SECOND, reader, temporary, toolbox};
use crate::support::{text, tool};

fn everything() -> Value {
    json!({
        "timeout": "20s",
        "idle_timeout": "10s",
        "retry": {"attempts": 3, "initial_backoff": "100ms"},
        "breaker": {"failures": 0.5, "window": 4, "min_calls": 2, "cooldown": "30s"},
        "cache": {"ttl": "60s", "entries": 0},
        "rate": {"calls": 1, "period": "1s", "max_concurrent": 1},
        "redact": ["email"],
    })
}

/// A tool with all layers whose calls wait in many places: each fails twice on its way, if it does
/// not fail altogether.
fn winding(fails: &Arc<AtomicUsize>) -> Arc<Toolbox> {
    let (fails, tries) = (fails.clone(), AtomicUsize::new(0));
    let tool = tool(reader("wind", everything()), move |_, context| {
        let broken = fails.load(SeqCst) > 0;
        let first = tries.fetch_add(1, SeqCst) % 3 < 2;
        async move {
            for step in 0..2 {
                tokio::task::yield_now().await;
                context.progress(format!("step {step}"));
                tokio::time::sleep(SECOND / 10).await;
            }
            if broken || first { temporary() } else { text("done") }
        }
    });
    toolbox(tool)
}

type Calling<'a> = Pin<Box<dyn Future<Output = Outcome> + 'a>>;

/// Polls a call so many times, with some time in between; whether it came to its end.
async fn polled(call: &mut Calling<'_>, times: usize) -> bool {
    for _ in 0..times {
        if call.now_or_never().is_some() {
            return true;
        }
        advance(SECOND / 20).await;
    }
    false
}

fn caller() -> RunContext {
    RunContext::new().secret("secret")
}

async fn called(toolbox: &Toolbox) -> Outcome {
    toolbox.call("wind", json!({}), &caller()).await
}

/// Drops a call at every point in turn, until it comes to its end before it is dropped.
async fn at_every_point(mut check: impl AsyncFnMut(usize) -> bool) {
    for point in 0.. {
        if check(point).await {
            assert!(point > 10, "there were only {point} points");
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_anywhere_leaves_the_way_free() {
    at_every_point(async |point| {
        let toolbox = winding(&Arc::default());
        let mut call: Calling<'_> = Box::pin(called(&toolbox));
        let done = polled(&mut call, point).await;
        drop(call);
        // Three in a row: nothing holds the one place, and nobody is waited for.
        for _ in 0..3 {
            let start = Instant::now();
            assert_eq!(called(&toolbox).await.status, Status::Ok, "dropped at {point}");
            assert!(start.elapsed() < 3 * SECOND, "dropped at {point}");
        }
        assert!(toolbox.unavailable_tools(&caller()).is_empty());
        done
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_while_it_waits_for_its_turn_leaves_the_way_free() {
    at_every_point(async |point| {
        let toolbox = winding(&Arc::default());
        let context = RunContext::new();
        let ask = |n: u32| toolbox.call("wind", json!({"n": n}), &context);
        let mut first: Calling<'_> = Box::pin(ask(1));
        assert!(!polled(&mut first, 1).await);
        let mut second: Calling<'_> = Box::pin(ask(2));
        let mut third: Calling<'_> = Box::pin(ask(3));
        assert!(!polled(&mut third, 0).await);
        let done = polled(&mut second, point.min(12)).await || point > 12;
        assert!(!polled(&mut third, 1).await);
        drop(second);
        let (first, third) = tokio::join!(first, third);
        assert_eq!((first.status, third.status), (Status::Ok, Status::Ok), "dropped at {point}");
        assert_eq!(ask(4).await.status, Status::Ok);
        done
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_try_that_is_dropped_anywhere_is_left_to_the_next() {
    at_every_point(async |point| {
        let fails = Arc::new(AtomicUsize::new(1));
        let toolbox = winding(&fails);
        for _ in 0..2 {
            assert_eq!(called(&toolbox).await.status, Status::Failed);
        }
        assert_eq!(toolbox.unavailable_tools(&caller()).len(), 1);
        assert_eq!(called(&toolbox).await.status, Status::Refused);
        advance(30 * SECOND).await;
        fails.store(0, SeqCst);
        let mut call: Calling<'_> = Box::pin(called(&toolbox));
        let done = polled(&mut call, point).await;
        drop(call);
        assert!(
            toolbox.unavailable_tools(&caller()).is_empty(),
            "dropped at {point}: it is offered"
        );
        assert_eq!(called(&toolbox).await.status, Status::Ok, "dropped at {point}");
        done
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn one_of_two_who_wait_for_the_same_answer_may_leave_anywhere() {
    at_every_point(async |point| {
        let toolbox = winding(&Arc::default());
        let mut first: Calling<'_> = Box::pin(called(&toolbox));
        let mut second: Calling<'_> = Box::pin(called(&toolbox));
        let mut done = false;
        for _ in 0..point {
            done |= first.as_mut().now_or_never().is_some();
            if done {
                break;
            }
            assert!(second.as_mut().now_or_never().is_none());
            advance(SECOND / 20).await;
        }
        drop(first);
        assert_eq!(second.await.status, Status::Ok, "dropped at {point}");
        done
    })
    .await;
}
