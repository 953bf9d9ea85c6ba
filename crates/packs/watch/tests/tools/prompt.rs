//! What a model is told before it is asked anything.

use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;

use crate::support::{Desk, NOW, seen};

#[test]
fn the_prompt_is_made_from_the_tools_and_the_day() {
    let desk = Desk::of(&[]);
    let text = desk.history.instructions();
    for (number, tool) in (1..).zip(desk.history.tools()) {
        let spec = tool.spec();
        let line = format!("\n{number}. {}: {}", spec.name, spec.description);
        assert!(text.contains(&line), "{line}");
    }
    assert!(
        text.contains("\n1. get_recent_videos: Get a summary of recently watched videos."),
        "{text}"
    );
    for parameter in [
        " Parameters: query (required), ",
        "n_results (optional, default 10).",
        " Parameters: channel_id (optional), limit (optional, default 10).",
    ] {
        assert!(text.contains(parameter), "{parameter}: {text}");
    }
    assert!(text.contains("\n\nThe tools:\n1. "), "{text}");
    assert!(
        text.contains(
            "Today is Wednesday, January 15, 2025 (2025-01-15); the time zone is Europe/Berlin, UTC+01:00. \
             As dates, both ends included:\n\
             - yesterday: 2025-01-14 to 2025-01-14\n\
             - this week: 2025-01-13 to 2025-01-15\n\
             - last week: 2025-01-06 to 2025-01-12\n\
             - this month: 2025-01-01 to 2025-01-15\n\
             - last month: 2024-12-01 to 2024-12-31\n\
             - this year: 2025-01-01 to 2025-01-15\n\
             - last year: 2024-01-01 to 2024-12-31\n\n"
        ),
        "{text}"
    );
    assert!(text.contains("Never make up videos"), "{text}");
    assert!(text.contains("call several tools in one turn"), "{text}");
    assert!(!desk.folder.path().join("watch").exists(), "nothing is opened for it");
}

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
