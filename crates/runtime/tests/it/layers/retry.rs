//! A failure that may pass is tried again.

use serde_json::{Value, json};
use tokio::time::Instant;
use toolwright_core::{Status, ToolEffect, ToolError, ToolResult};

use super::{SECOND, giving, lasting, policy, reader, refusing, run, slow, temporary, toolbox};
use crate::support::{spec, text};

/// What becomes of one call under this policy, and how often the tool ran.
async fn tried(said: Value, results: Vec<ToolResult>) -> (crate::support::Played, usize) {
    let (tool, ran) = giving(reader("call", json!({"retry": said})), results);
    let played = run(&toolbox(tool), "call", 1).await;
    let ran = *ran.lock().unwrap();
    (played, ran)
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_passes_is_not_seen_by_the_model() {
    let results = vec![temporary(), temporary(), text("at last")];
    let (played, ran) = tried(json!({"attempts": 3, "initial_backoff": "0s"}), results).await;
    assert_eq!((played.texts(), ran), (vec!["at last"], 3));
    let told =
        |n: u32| ("retry again".to_owned(), format!("attempt {n} of 3 at once: the line is busy"));
    assert_eq!(played.notes_in_full(), [told(2), told(3)]);
}

#[tokio::test(start_paused = true)]
async fn the_model_is_told_that_it_was_tried() {
    let (played, ran) = tried(json!({"attempts": 3}), vec![temporary()]).await;
    assert_eq!(ran, 3);
    let told = "Error executing call: the line is busy (tried 3 times)";
    assert_eq!(played.texts(), [told]);
    let (played, ran) = tried(json!({"attempts": 1}), vec![temporary()]).await;
    assert_eq!((played.texts(), ran), (vec!["Error executing call: the line is busy"], 1));
    assert!(played.notes().is_empty());
}

#[tokio::test(start_paused = true)]
async fn only_what_may_pass_is_tried_again() {
    let (played, ran) = tried(json!({"attempts": 5}), vec![lasting()]).await;
    assert_eq!((played.notes().len(), ran), (0, 1));
    let (_, ran) = tried(json!({"attempts": 5, "on": "any"}), vec![lasting()]).await;
    assert_eq!(ran, 5);
    let (played, ran) = tried(json!({"attempts": 5, "on": "any"}), vec![refusing()]).await;
    assert_eq!(ran, 1, "nobody changes their mind for being asked again");
    assert_eq!(played.calls(), [("call", Status::Refused)]);
    let results = vec![temporary(), lasting(), text("never reached")];
    let (_, ran) = tried(json!({"attempts": 5}), results).await;
    assert_eq!(ran, 2);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_hangs_is_one_that_failed() {
    let said = json!({"timeout": "5s", "retry": {"attempts": 3, "initial_backoff": "0s"}});
    let (tool, ran) = slow(reader("slow", said), 60 * SECOND);
    let start = Instant::now();
    let played = run(&toolbox(tool), "slow", 1).await;
    assert_eq!(*ran.lock().unwrap(), [3, 0]);
    assert_eq!(start.elapsed().as_secs(), 15, "each attempt has its time");
    assert_eq!(played.calls(), [("slow", Status::TimedOut)]);
    let wanted = ["timeout total", "retry again", "timeout total", "retry again", "timeout total"];
    assert_eq!(played.notes(), wanted);
}

#[tokio::test(start_paused = true)]
async fn waits_grow_and_are_left_to_chance() {
    let said = json!({"attempts": 8, "initial_backoff": "1s", "max_backoff": "4s"});
    let start = Instant::now();
    let (_, ran) = tried(said.clone(), vec![temporary()]).await;
    let first = start.elapsed();
    assert_eq!(ran, 8);
    assert!(first <= 27 * SECOND, "1 + 2 + 4 + 4 + 4 + 4 + 4 + 4 at the most: {first:?}");
    let again = Instant::now();
    tried(said, vec![temporary()]).await;
    assert_ne!(first, again.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_changes_something_is_tried_again_only_if_twice_is_once() {
    let retry = || policy(json!({"retry": {"attempts": 3}}));
    let (tool, ran) = giving(spec("put", ToolEffect::Idempotent).policy(retry()), [temporary()]);
    run(&toolbox(tool), "put", 1).await;
    assert_eq!(*ran.lock().unwrap(), 3);
}

#[tokio::test(start_paused = true)]
async fn what_only_the_operator_may_read_stays_so() {
    let error = ToolError::temporary("busy").with_detail("host 10.0.0.7 refused");
    let (played, _) = tried(json!({"attempts": 2}), vec![Err(error)]).await;
    let results: Vec<_> = played.conversation.results().collect();
    assert_eq!(results[0].outcome.detail.as_deref(), Some("host 10.0.0.7 refused"));
    assert!(!results[0].outcome.text.contains("10.0.0.7"));
}
