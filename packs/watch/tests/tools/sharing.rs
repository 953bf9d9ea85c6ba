//! What tools share: nothing is opened before one is called, and many see the same.

use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;

use crate::support::{Desk, NOW, seen};

#[test]
fn nothing_is_opened_before_a_tool_is_called() {
    let desk = Desk::with(&[], NOW, None);
    drop(desk.history.tools());
    assert!(!desk.folder.path().join("watch").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_calls_side_by_side_see_the_same() {
    let desk = Arc::new(Desk::of(&[seen("abc123xyz45", "Python Tutorial")]));
    let mut calls = JoinSet::new();
    for _ in 0..16 {
        let desk = desk.clone();
        calls.spawn(async move { desk.text("get_recent_videos", json!({"limit": 1})).await });
    }
    let told = calls.join_all().await;
    assert!(
        told[0].starts_with("You watched 1 video recently:\n1. Python Tutorial"),
        "{}",
        told[0]
    );
    assert!(told.iter().all(|it| *it == told[0]) && told.len() == 16, "{told:?}");
}
