//! What is answered where nothing was imported.

use std::sync::{Arc, atomic::Ordering};

use serde_json::json;

use crate::support::{Desk, NOW, Topics, Unreachable, listening, seen};

const NOTE: &str = "\n\n(This is a sample history: nothing was imported yet. `toolwright watch import FILE` brings in \
                    yours.)";

#[tokio::test]
async fn all_six_tools_answer_and_say_that_it_is_a_sample() {
    let desk = Desk::of(&[]);
    for (name, arguments, begin) in [
        (
            "get_recent_videos",
            json!({"limit": 2}),
            "You've watched 2 videos recently. Here are some highlights:\n\
             1. Python Tutorial from Tech Channel (15:30) - watched 2 hours ago\n2. ",
        ),
        (
            "get_video_details",
            json!({"video_id": "sample-0001"}),
            "You watched 'Python Tutorial' from Tech Channel. It's 15 minutes long and you watched it 2 times, \
             most recently 2 hours ago.",
        ),
        (
            "get_statistics",
            json!({}),
            "You've watched 96 videos across 24 channels. Your total watch time is",
        ),
        (
            "get_channel_info",
            json!({"channel_name": "kitchen basics"}),
            "You've watched 4 videos from Kitchen Basics.",
        ),
        (
            "search_videos_by_topic",
            json!({"query": "bread"}),
            "I found 1 video that matches your search:\n1. Fresh",
        ),
        ("find_similar_videos", json!({"video_id": "sample-0005"}), "I found "),
        (
            "get_video_details",
            json!({"video_id": "not-watched"}),
            "I couldn't find a video with ID not-watched",
        ),
        (
            "search_videos_by_topic",
            json!({"query": "a", "date_to": "soon"}),
            "I couldn't understand the date",
        ),
        ("get_channel_info", json!({}), "Please provide either"),
    ] {
        let (text, data) = desk.both(name, arguments).await;
        assert!(text.starts_with(begin) && text.ends_with(NOTE), "{name}: {text}");
        assert_eq!(data["sample"], true, "{name}");
    }
}

#[tokio::test]
async fn what_is_imported_takes_its_place_at_once() {
    let desk = Desk::of(&[]);
    let data = desk.data("get_statistics", json!({})).await;
    assert_eq!((&data["sample"], &data["statistics"]["videos"]), (&json!(true), &json!(96)));
    let library = desk.library();
    assert_eq!(library.statistics().unwrap().videos, 0, "the sample is somewhere else");
    library.add(&[seen("abc123xyz45", "Python Tutorial").watched]).unwrap();
    let (text, data) = desk.both("get_statistics", json!({})).await;
    assert_eq!((&data["sample"], &data["statistics"]["videos"]), (&json!(false), &json!(1)));
    assert!(!text.contains("sample"), "{text}");
}

#[tokio::test]
async fn it_is_embedded_once_by_the_first_search() {
    let topics = Arc::new(Topics::default());
    let mut desk = Desk::with(&[], NOW, Some(topics.clone()));
    let (context, heard) = listening();
    desk.context = context;
    desk.text("get_recent_videos", json!({})).await;
    assert_eq!(topics.texts.load(Ordering::Relaxed), 0, "nobody searched yet");
    let arguments = json!({"query": "machine learning", "n_results": 6});
    let (one, two) = tokio::join!(
        desk.both("search_videos_by_topic", arguments.clone()),
        desk.both("search_videos_by_topic", arguments.clone()),
    );
    assert_eq!(one.0, two.0);
    assert!(
        one.0.contains("Gradient Descent, Step by Step from Tech Educator"),
        "by meaning: {}",
        one.0
    );
    assert_eq!(one.1["by"], "meaning");
    assert!(topics.texts.load(Ordering::Relaxed) <= 96 + 2, "each video once, and each query");
    let heard = heard.lock().unwrap().clone();
    assert_eq!(heard.last().unwrap(), "Reading the sample history: 96 of 96 videos");
}

#[tokio::test]
async fn an_embedder_that_fails_leaves_the_words() {
    let desk = Desk::with(&[], NOW, Some(Arc::new(Unreachable)));
    let (text, data) = desk.both("search_videos_by_topic", json!({"query": "bread"})).await;
    assert!(
        text.starts_with("I found 1 video that matches your search:\n1. Fresh Bread"),
        "{text}"
    );
    assert!(text.ends_with(&format!("\n\n(Found by words only.){NOTE}")), "{text}");
    assert_eq!(data["by"], "words");
}
