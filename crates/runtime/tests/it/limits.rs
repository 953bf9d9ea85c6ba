//! The wall clock.

use std::{
    future,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    time::Duration,
};

use tokio::time::Instant;
use toolwright_core::{
    Conversation, Decision, EventKind, FailureKind, Limit, Limits, Model, ModelDelta, ModelRequest,
    ModelResponse as Said, ModelStream, Run, RunContext, Status, ToolEffect,
};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, ApprovalRequest, Approver};

use crate::support::{Count, Dropped, Played, calls, counting, play, spec, stuck};

const SECOND: Duration = Duration::from_secs(1);

#[track_caller]
fn assert_out_of_time(played: &Played, limit: &str) {
    let failure = played.failure();
    assert_eq!(failure.kind, FailureKind::Limit(Limit::WallClock));
    let message = format!("the run reached its limit of {limit} without an answer");
    assert_eq!(failure.message, message);
    let advice = "raise `limits.wall_clock` (in toolwright.toml, or `Limits` in code)";
    assert_eq!(failure.advice.as_deref(), Some(advice));
    assert!(played.kinds().contains(&"limit_reached".to_owned()));
}

/// Says this much, then falls silent.
struct Silent(&'static [&'static str]);

impl Model for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        let said = self.0.iter().map(|text| Ok(ModelDelta::Text((*text).to_owned())));
        let said: Vec<_> = said.collect();
        let silence = futures_util::stream::once(future::pending());
        Box::pin(futures_util::StreamExt::chain(futures_util::stream::iter(said), silence))
    }
}

#[tokio::test(start_paused = true)]
async fn s0_8_a_run_has_ten_minutes_unless_told_otherwise() {
    let started = Instant::now();
    let played = play(Agent::builder(Silent(&[])).build().unwrap().run("Well?")).await;
    assert_out_of_time(&played, "10m");
    assert!(started.elapsed().abs_diff(600 * SECOND) < SECOND, "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn s0_8_the_wall_clock_stops_a_model_and_keeps_what_it_said() {
    let limits = Limits { wall_clock: Some(7 * SECOND), ..Limits::default() };
    let agent = Agent::builder(Silent(&["It was ", "a dark "])).limits(limits).build().unwrap();
    let started = Instant::now();
    let played = play(agent.run("Tell me.")).await;
    assert_out_of_time(&played, "7s");
    assert_eq!(played.failure().response, "It was a dark ");
    assert!(started.elapsed().abs_diff(7 * SECOND) < SECOND / 10, "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn s0_8_the_wall_clock_stops_tools_and_settles_their_calls() {
    let dropped = Dropped::default();
    let model = Scripted::new([calls([("a", "slow", "{}"), ("b", "slow", r#"{"n":2}"#)])]);
    let limits = Limits { wall_clock: Some(7 * SECOND), ..Limits::default() };
    let agent = Agent::builder(model)
        .tool(stuck(spec("slow", ToolEffect::Write), &dropped))
        .limits(limits)
        .build()
        .unwrap();
    let played = play(agent.run("Go.")).await;
    assert_out_of_time(&played, "7s");
    assert!(dropped.get());
    assert_eq!(played.calls(), [("slow", Status::TimedOut), ("slow", Status::TimedOut)]);
    assert_eq!(played.text_of("a"), "The call was stopped because the run's time was up.");
}

#[tokio::test(start_paused = true)]
async fn s0_8_without_a_wall_clock_a_run_waits_as_long_as_it_takes() {
    let limits = Limits { wall_clock: None, ..Limits::default() };
    let slow = crate::support::tool(
        spec("slow", ToolEffect::Write).timeout(3600 * 24 * SECOND),
        |_, _| async {
            tokio::time::sleep(3600 * 23 * SECOND).await;
            crate::support::text("at last")
        },
    );
    let model = Scripted::new([calls([("a", "slow", "{}")]), Said::text("There.")]);
    let agent = Agent::builder(model).tool(slow).limits(limits).build().unwrap();
    assert_eq!(play(agent.run("Go.")).await.answer().response, "There.");
}

/// Says something for ever without a pause, while the clock goes on.
struct Endless(AtomicUsize);

impl Model for Endless {
    fn name(&self) -> &str {
        "endless"
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        assert_eq!(self.0.fetch_add(1, SeqCst), 0, "asked once");
        Box::pin(futures_util::stream::repeat_with(|| Ok(ModelDelta::Text("and ".into()))))
    }
}

#[tokio::test]
async fn s0_8_the_wall_clock_stops_a_model_that_never_pauses() {
    let wall_clock = Some(Duration::from_millis(20));
    let limits = Limits { wall_clock, ..Limits::default() };
    let agent = Agent::builder(Endless(AtomicUsize::new(0))).limits(limits).build().unwrap();
    let played = play(agent.run("Tell me.")).await;
    assert_out_of_time(&played, "20ms");
    assert!(played.failure().response.starts_with("and and "));
}

/// Somebody who is at lunch first.
struct AtLunch;

const LUNCH: Duration = Duration::from_secs(3 * 3600);

impl Approver for AtLunch {
    fn decide<'a>(
        &'a self,
        _: &'a ApprovalRequest<'a>,
    ) -> std::pin::Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(async {
            tokio::time::sleep(LUNCH).await;
            Decision::AllowReviewed
        })
    }
}

fn asked(replies: impl IntoIterator<Item = Said>) -> toolwright_runtime::AgentBuilder {
    let limits = Limits { wall_clock: Some(7 * SECOND), ..Limits::default() };
    Agent::builder(Scripted::new(replies)).limits(limits).approver(AtLunch)
}

#[tokio::test(start_paused = true)]
async fn the_wall_clock_stands_still_while_a_person_is_asked() {
    let count = Count::default();
    let two = calls([("a", "erase", r#"{"n":1}"#), ("b", "erase", r#"{"n":2}"#)]);
    let agent = asked([two, Said::text("Gone.")])
        .tool(counting(spec("erase", ToolEffect::Destructive), &count))
        .build()
        .unwrap();
    let started = Instant::now();
    let played = play(agent.run("Erase.")).await;
    assert_eq!(played.answer().response, "Gone.");
    assert_eq!((count.get(), started.elapsed().as_secs()), (2, 2 * LUNCH.as_secs()));
}

/// It goes on where it stood: what was spent before, and what is spent after, is counted.
#[tokio::test(start_paused = true)]
async fn the_wall_clock_goes_on_once_a_person_has_decided() {
    let dropped = Dropped::default();
    let slow = crate::support::tool(spec("slow", ToolEffect::Write), |_, _| async {
        tokio::time::sleep(5 * SECOND).await;
        crate::support::text("slow and sure")
    });
    let agent = asked([calls([("a", "slow", "{}")]), calls([("b", "erase", "{}")])])
        .tool(slow)
        .tool(stuck(spec("erase", ToolEffect::Destructive), &dropped))
        .build()
        .unwrap();
    let started = Instant::now();
    let played = play(agent.run("Erase.")).await;
    assert_out_of_time(&played, "7s");
    assert!(dropped.get());
    let spent = started.elapsed().checked_sub(LUNCH).unwrap();
    assert!(spent.abs_diff(7 * SECOND) < SECOND / 10, "{spent:?}");
}

#[tokio::test(start_paused = true)]
async fn the_wall_clock_stands_still_while_a_person_is_asked_after_a_restart() {
    let count = Count::default();
    let agent = asked([calls([("a", "erase", "{}")]), Said::text("Gone.")])
        .tool(counting(spec("erase", ToolEffect::Destructive), &count))
        .build()
        .unwrap();
    // The process ends while the person is at lunch.
    let (mut running, mut log) = (agent.run("Erase."), Vec::new());
    while let Some(event) = running.next().await {
        let is_asked = matches!(event.kind, EventKind::CallPreview { .. });
        log.push(event);
        if is_asked {
            break;
        }
    }
    drop(running);
    let run = Run::replay(Conversation::new(), &log).unwrap();
    let mut resumed = agent.resume(run, RunContext::new());
    assert_eq!(resumed.finish().await.unwrap().response, "Gone.");
    assert_eq!(count.get(), 1);
}
