//! By what an imported history is searched, and what is said about it.

use std::sync::Arc;

use serde_json::json;
use toolwright_embed::Embedder;

use crate::support::{DAY, Desk, NOW, Topics, Unreachable, seen};

const BY_WORDS: &str =
    "\n\n(Found by words only; `toolwright watch embed` makes search by meaning possible.)";

fn desk(embedder: Option<Arc<dyn Embedder>>) -> Desk {
    Desk::with(
        &[
            seen("neural-net1", "Introduction to Neural Networks").from("Tech Educator"),
            seen("cook-basics", "Cooking Basics").from("Food Channel").ago(DAY),
            seen("cook-pasta1", "Weeknight Pasta").from("Kitchen").ago(2 * DAY),
        ],
        NOW,
        embedder,
    )
}

async fn embedded(by: Arc<dyn Embedder>) -> Desk {
    let desk = desk(Some(by));
    desk.library().embed(&Topics::default(), &mut |_, _| {}).await.unwrap();
    desk
}

#[tokio::test]
async fn without_vectors_it_is_searched_by_words_and_said_how_to_get_more() {
    for embedder in [None, Some(Arc::new(Topics::default()) as Arc<dyn Embedder>)] {
        let desk = desk(embedder);
        let (text, data) = desk.both("search_videos_by_topic", json!({"query": "neural"})).await;
        assert!(
            text.starts_with("I found 1 video that matches your search:\n1. Introduction"),
            "{text}"
        );
        assert!(text.ends_with(BY_WORDS), "{text}");
        assert_eq!(text.matches("toolwright watch embed").count(), 1);
        assert_eq!(data["by"], "words");
        let none = desk.text("search_videos_by_topic", json!({"query": "machine learning"})).await;
        assert_eq!(none, format!("I couldn't find any videos matching your search.{BY_WORDS}"));
        let similar = desk.text("find_similar_videos", json!({"video_id": "cook-basics"})).await;
        assert!(similar.ends_with(BY_WORDS), "{similar}");
    }
}

#[tokio::test]
async fn with_vectors_it_is_searched_by_meaning() {
    let desk = embedded(Arc::new(Topics::default())).await;
    let arguments = json!({"query": "machine learning", "n_results": 1});
    let (text, data) = desk.both("search_videos_by_topic", arguments).await;
    assert!(
        text.starts_with("I found 1 video that matches your search:\n1. Introduction"),
        "{text}"
    );
    assert!(!text.contains("words only"), "{text}");
    assert_eq!(data["by"], "meaning");
    let arguments = json!({"video_id": "cook-basics", "n_results": 1});
    let (text, data) = desk.both("find_similar_videos", arguments).await;
    assert!(
        text.contains("\n1. Weeknight Pasta from Kitchen (watched 2 days ago) [relevance: "),
        "{text}"
    );
    assert_eq!((&data["by"], &data["videos"][0]["id"]), (&json!("meaning"), &json!("cook-pasta1")));
}

#[tokio::test]
async fn an_embedder_that_fails_leaves_the_words() {
    let desk = embedded(Arc::new(Unreachable)).await;
    let (text, data) = desk.both("search_videos_by_topic", json!({"query": "neural"})).await;
    assert!(
        text.starts_with("I found 1 video that matches your search:\n1. Introduction"),
        "{text}"
    );
    assert!(text.ends_with(BY_WORDS), "{text}");
    assert_eq!(data["by"], "words");
}
