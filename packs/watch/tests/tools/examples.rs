//! The documented conversations, as far as the tools take part in them.

use std::sync::Arc;

use serde_json::json;

use crate::support::{DAY, Desk, HOUR, NOW, Topics, seen};

async fn desk() -> Desk {
    let topics = Arc::new(Topics::default());
    let desk = Desk::with(
        &[
            seen("abc123xyz45", "Python Tutorial").from("Tech Channel").long(930).ago(2 * HOUR),
            seen("pyt-basics1", "Python Basics")
                .from("Programming Channel")
                .long(1_200)
                .at("2024-12-05T18:00:00Z"),
            seen("pyt-advanc1", "Python Advanced Topics")
                .from("Tech Channel")
                .long(2_000)
                .ago(7 * DAY),
            seen("neural-net1", "Introduction to Neural Networks")
                .from("Tech Educator")
                .ago(14 * DAY),
            seen("neural-net2", "Gradient Descent").from("Tech Educator").ago(40 * DAY),
            seen("cook-basics", "Cooking Basics").from("Food Channel").long(525).ago(27 * HOUR),
        ],
        NOW,
        Some(topics.clone()),
    );
    desk.library().embed(&*topics, &mut |_, _| {}).await.unwrap();
    desk
}

#[tokio::test]
async fn one_what_have_i_watched_recently() {
    let text = desk().await.text("get_recent_videos", json!({"limit": 10})).await;
    assert!(
        text.starts_with(
            "You've watched 6 videos recently. Here are some highlights:\n\
             1. Python Tutorial from Tech Channel (15:30) - watched 2 hours ago\n\
             2. Cooking Basics from Food Channel (8:45) - watched yesterday\n"
        ),
        "{text}"
    );
}

#[tokio::test]
async fn two_statistics_and_recent_videos_side_by_side() {
    let desk = desk().await;
    let (statistics, recent) = tokio::join!(
        desk.text("get_statistics", json!({})),
        desk.text("get_recent_videos", json!({"limit": 10})),
    );
    assert!(
        statistics.starts_with("You've watched 6 videos across 4 channels. Your total"),
        "{statistics}"
    );
    assert!(recent.starts_with("You've watched 6 videos recently."), "{recent}");
}

#[tokio::test]
async fn three_videos_about_machine_learning() {
    let arguments = json!({"query": "machine learning", "n_results": 2});
    let (text, data) = desk().await.both("search_videos_by_topic", arguments).await;
    assert!(text.starts_with("I found 2 videos that match your search:\n1. "), "{text}");
    assert!(
        text.contains(". Introduction to Neural Networks from Tech Educator (watched 2 weeks ago) [relevance: "),
        "by meaning: no word of it is in the title: {text}"
    );
    assert!(
        text.contains(". Gradient Descent from Tech Educator (watched 1 month ago) [relevance: "),
        "{text}"
    );
    assert!(!text.contains("by words only"), "{text}");
    assert_eq!(data["by"], "meaning");
}

#[tokio::test]
async fn four_python_tutorials_from_last_month() {
    let desk = desk().await;
    let arguments = json!({
        "query": "Python tutorials",
        "date_from": "2024-12-01",
        "date_to": "2024-12-31",
        "n_results": 1,
    });
    let text = desk.text("search_videos_by_topic", arguments).await;
    let begin = "I found 1 video that matches your search:\n\
                 1. Python Basics from Programming Channel (watched Dec 5) [relevance: ";
    assert!(text.starts_with(begin), "{text}");
}

#[tokio::test]
async fn five_similar_videos() {
    let arguments = json!({"video_id": "abc123xyz45", "n_results": 2});
    let (text, data) = desk().await.both("find_similar_videos", arguments).await;
    assert!(text.starts_with("I found 2 videos that match your search:\n1. "), "{text}");
    assert!(
        text.contains(
            ". Python Advanced Topics from Tech Channel (watched 1 week ago) [relevance: "
        ),
        "{text}"
    );
    assert!(!text.contains("Python Tutorial"), "the video itself is left out: {text}");
    assert_eq!(data["videos"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_id_from_a_list_serves_in_the_next_call() {
    let desk = desk().await;
    let text =
        desk.text("search_videos_by_topic", json!({"query": "python", "n_results": 1})).await;
    let title =
        text.lines().nth(1).unwrap().strip_prefix("1. ").unwrap().split(" from ").next().unwrap();
    let id = text.rsplit_once("Video IDs: 1. ").unwrap().1.lines().next().unwrap();
    let details = desk.text("get_video_details", json!({"video_id": id})).await;
    assert!(details.starts_with(&format!("You watched '{title}' from ")), "{details}");
    let similar = desk.text("find_similar_videos", json!({"video_id": id})).await;
    assert!(similar.starts_with("I found "), "{similar}");
}
