//! What a tool says while it runs: as much as anybody can read, and the last word always.

use std::time::Duration;

use toolwright_core::{
    EventKind, FailureKind, ModelResponse as Said, RunContext, Tool, ToolEffect,
};
use toolwright_macros::tool;
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, RunStream};

use crate::support::{Played, calls, play, spec, text, tool as made, watch};

const MANY: u32 = 1_000_000;
/// More than are told of a call that runs for a day, however fast it speaks.
const FEW: usize = 500;

fn said(played: &Played) -> Vec<u32> {
    let said = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::CallProgress { data, .. } => Some(data.parse().unwrap()),
        _ => None,
    });
    said.collect()
}

fn run(tool: std::sync::Arc<dyn Tool>) -> RunStream {
    let name = tool.spec().name.clone();
    let model = Scripted::new([calls([("a", name.as_str(), "{}")]), Said::text("Done.")]);
    Agent::builder(model).tool(tool).build().unwrap().run("Go.")
}

#[track_caller]
fn assert_few(played: &Played, last: u32) {
    let said = said(played);
    assert!(said.len() < FEW, "{} events", said.len());
    assert!(said.is_sorted_by(|one, next| one < next), "{said:?}");
    assert_eq!((said.first(), said.last()), (Some(&1), Some(&last)));
    assert_eq!(played.answer().response, "Done.");
}

/// Count, and say so, on a thread.
#[tool(read_only, manual)]
fn count_aside(context: &RunContext) {
    (1..=MANY).for_each(|step| context.progress(step.to_string()));
}

#[tokio::test]
async fn a_million_words_from_a_thread_are_few_events() {
    let played = play(run(count_aside::tool())).await;
    let said = said(&played);
    assert!(said.len() < FEW, "{} events", said.len());
    assert!(said.is_sorted_by(|one, next| one < next), "{said:?}");
    assert_eq!(said.last(), Some(&MANY), "the last is never lost");
}

#[tokio::test]
async fn a_million_words_in_one_breath_are_few_events() {
    let tool = made(spec("count", ToolEffect::ReadOnly), |_, context| async move {
        (1..=MANY).for_each(|step| context.progress(step.to_string()));
        text("counted")
    });
    assert_few(&play(run(tool)).await, MANY);
}

#[tokio::test]
async fn words_with_a_pause_after_each_are_few_events() {
    let tool = made(spec("count", ToolEffect::ReadOnly), |_, context| async move {
        for step in 1..=50_000 {
            context.progress(step.to_string());
            tokio::task::yield_now().await;
        }
        text("counted")
    });
    assert_few(&play(run(tool)).await, 50_000);
}

/// What is told is what was said last, and not what was said a while ago.
#[tokio::test(start_paused = true)]
async fn what_is_told_is_the_newest() {
    let start = tokio::time::Instant::now();
    let tool = made(spec("count", ToolEffect::ReadOnly), move |_, context| async move {
        for _ in 0..2000 {
            context.progress(start.elapsed().as_millis().to_string());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        context.progress("100000");
        text("counted")
    });
    let mut late = Vec::new();
    let played = watch(run(tool), |event| {
        if let EventKind::CallProgress { data, .. } = &event.kind {
            late.push(start.elapsed().as_millis().saturating_sub(data.parse().unwrap()));
        }
    })
    .await;
    assert_eq!(said(&played).last(), Some(&100_000));
    // Told when the next may be told: the last word before that, and none that waited in a queue.
    assert!(late.iter().all(|it| *it <= 20), "{late:?}");
    assert!((50..FEW).contains(&late.len()), "now and then: {}", late.len());
}

/// A few words are a few events, however fast they come.
#[tokio::test]
async fn a_few_words_are_all_told() {
    let tool = made(spec("count", ToolEffect::ReadOnly), |_, context| async move {
        (1..=10_u32).for_each(|step| context.progress(step.to_string()));
        text("counted")
    });
    assert_eq!(said(&play(run(tool)).await), (1..=10).collect::<Vec<_>>());
}

#[tokio::test]
async fn what_was_said_last_is_told_of_a_call_that_is_broken_off() {
    let tool = made(spec("count", ToolEffect::ReadOnly), |_, context| async move {
        (1..=1000_u32).for_each(|step| context.progress(step.to_string()));
        std::future::pending().await
    });
    let running = run(tool);
    let cancel = running.cancel();
    let played = watch(running, |event| {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            cancel.cancel();
        }
    })
    .await;
    assert_eq!(played.failure().kind, FailureKind::Cancelled);
    assert_eq!(said(&played).last(), Some(&1000));
}

#[tokio::test]
async fn a_long_word_is_cut() {
    let tool = made(spec("talk", ToolEffect::ReadOnly), |_, context| async move {
        context.progress("ü".repeat(1_000_000));
        text("talked")
    });
    let played = play(run(tool)).await;
    let longest = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::CallProgress { data, .. } => Some(data.len()),
        _ => None,
    });
    assert!(longest.max().unwrap() < 5000);
}
