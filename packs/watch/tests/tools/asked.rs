//! What is asked wrongly, and what is broken.

use serde_json::json;
use toolwright_core::ToolErrorKind;
use toolwright_watch::Channel;

use crate::support::{DAY, Desk, HOUR, TECH, seen};

fn desk() -> Desk {
    Desk::of(&[
        seen("abc123xyz45", "Python Tutorial").from("Tech Channel"),
        seen("def456uvw78", "Neural Networks").from("Tech Educator").ago(DAY),
        seen("ghi789rst01", "Cooking Basics").from("Food Channel").ago(2 * DAY),
    ])
}

#[tokio::test]
async fn an_address_serves_for_an_id() {
    let desk = desk();
    for video_id in [
        "abc123xyz45",
        "https://www.youtube.com/watch?v=abc123xyz45&t=42s",
        "https://youtu.be/abc123xyz45",
        "https://www.youtube.com/shorts/abc123xyz45",
    ] {
        let text = desk.text("get_video_details", json!({"video_id": video_id})).await;
        assert!(
            text.starts_with("You watched 'Python Tutorial' from Tech Channel."),
            "{video_id}: {text}"
        );
    }
    for name in ["get_video_details", "find_similar_videos"] {
        assert_eq!(
            desk.text(name, json!({"video_id": "Submarines Weekly"})).await,
            "I couldn't understand the video ID 'Submarines Weekly': it is the 11 characters after v= in the \
             video's address, such as abc123xyz45."
        );
    }
    assert_eq!(
        desk.text("find_similar_videos", json!({"video_id": "not-watched"})).await,
        "I couldn't find any videos matching your search: there is no video with ID not-watched in your \
         watch history."
    );
}

#[tokio::test]
async fn a_title_serves_for_an_id_where_only_one_video_has_it() {
    let mut all = vec![
        seen("abc123xyz45", "Python Tutorial").from("Tech Channel"),
        seen("def456uvw78", "Neural Networks").from("Tech Educator").ago(DAY),
        seen("ghi789rst01", "Neural Networks, Part 2").from("Food Channel").ago(2 * DAY),
    ];
    let desk = Desk::of(&all);
    let told = async |id: &str| desk.text("get_video_details", json!({"video_id": id})).await;
    for title in ["Python Tutorial", "python tutorial", "Python  Tutor", "ython"] {
        let text = told(title).await;
        assert!(
            text.starts_with("You watched 'Python Tutorial' from Tech Channel."),
            "{title}: {text}"
        );
    }
    assert!(
        told("neural networks").await.contains("Tech Educator"),
        "the title itself, and no longer one"
    );
    assert_eq!(
        told("Neural").await,
        "Several videos in your watch history are called like that: Neural Networks (def456uvw78) and Neural \
         Networks, Part 2 (ghi789rst01). Please give the ID of one."
    );
    for odd in ["%", "___", "a%b", "\\"] {
        assert!(told(odd).await.starts_with("I couldn't understand the video ID"), "{odd}");
    }
    let similar = desk.text("find_similar_videos", json!({"video_id": "Python Tutorial"})).await;
    assert!(!similar.contains("couldn't understand"), "{similar}");
    // And the other way: a title where a channel is meant.
    let channel =
        async |name: &str| desk.text("get_channel_info", json!({"channel_name": name})).await;
    let text = channel("Python Tutorial").await;
    assert!(
        text.starts_with("Python Tutorial is no channel: it is a video from Tech Channel.\n\nYou've watched 1 video"),
        "{text}"
    );
    assert!(
        channel("Neural").await.starts_with("I couldn't find Neural"),
        "they are of two channels"
    );
    all.push(seen("jkl012mno34", "Python Tutorial").from("Food Channel"));
    let desk = Desk::of(&all);
    let text = desk.text("get_channel_info", json!({"channel_name": "Python Tutorial"})).await;
    assert_eq!(text, "I couldn't find Python Tutorial in your watch history.");
}

#[tokio::test]
async fn a_channel_that_is_not_there_is_answered_with_names_like_it() {
    let desk = desk();
    let told = async |arguments| desk.text("get_channel_info", arguments).await;
    assert_eq!(told(json!({})).await, "Please provide either a channel ID or channel name.");
    assert_eq!(
        told(json!({"channel_id": " ", "channel_name": ""})).await,
        "Please provide either a channel ID or channel name."
    );
    // Where only one can be meant, it is, and the answer names it.
    let near = told(json!({"channel_name": "Tech Chanel"})).await;
    assert_eq!(near, told(json!({"channel_name": "Tech Channel"})).await);
    assert!(near.contains("from Tech Channel"), "{near}");
    assert_eq!(
        told(json!({"channel_name": "tech"})).await,
        "I couldn't find tech in your watch history. Did you mean Tech Channel or Tech Educator?"
    );
    assert_eq!(
        told(json!({"channel_name": "Submarines Weekly"})).await,
        "I couldn't find Submarines Weekly in your watch history."
    );
    assert_eq!(
        told(json!({"channel_id": "UCxxxxxxxxxxxxxxxxxxxxxx", "channel_name": "Tech Channel"}))
            .await,
        format!(
            "I couldn't find UCxxxxxxxxxxxxxxxxxxxxxx in your watch history. Did you mean Tech Channel ({TECH})?"
        )
    );
    let search = json!({"query": "python", "channel_name": "Tech Chanel"});
    let found = desk.text("search_videos_by_topic", search).await;
    assert!(found.contains("from Tech Channel") && !found.contains("Educator"), "{found}");
    let recent = async |id: &str| desk.text("get_recent_videos", json!({"channel_id": id})).await;
    assert_eq!(
        recent("UCxxxxxxxxxxxxxxxxxxxxxx").await,
        "I couldn't find any videos from that channel in your recent history."
    );
    assert_eq!(
        recent("tech").await,
        "I couldn't find any videos from that channel in your recent history. Did you mean Tech Channel or Tech Educator?"
    );
    assert!(recent("Tech Chanel").await.starts_with("You watched 1 video recently:\n1. Python"));
    assert!(recent("tech channel").await.starts_with("You watched 1 video recently:\n1. Python"));
}

#[tokio::test]
async fn channels_of_one_name_are_all_told() {
    let of = |id: &str, title: &str, letter: &str, ago: i64| {
        let mut seen = seen(id, title).ago(ago);
        let id = Some(format!("UC{}", letter.repeat(22)));
        seen.watched.channel = Some(Channel { id, name: "Garden".to_owned() });
        seen
    };
    let one = of("aaaaaaaaaaa", "Roses", "a", HOUR);
    let two = of("bbbbbbbbbbb", "Tulips", "b", 2 * HOUR);
    let three = of("ccccccccccc", "Lilies", "b", 3 * HOUR);
    let desk = Desk::of(&[one, two, three, seen("ddddddddddd", "Python").from("Tech Channel")]);
    let (text, data) = desk.both("get_channel_info", json!({"channel_name": "Garden"})).await;
    let (a, b) = (format!("UC{}", "a".repeat(22)), format!("UC{}", "b".repeat(22)));
    assert!(
        text.starts_with("2 channels are called Garden:\n1. You've watched 2 videos"),
        "{text}"
    );
    assert!(text.contains("\n2. You've watched 1 video from Garden."), "{text}");
    assert!(text.contains(&a) && text.contains(&b), "{text}");
    assert_eq!(data["channels"].as_array().unwrap().len(), 2);
    let recent = desk.text("get_recent_videos", json!({"channel_id": "Garden"})).await;
    for title in ["Roses", "Tulips", "Lilies"] {
        assert!(recent.contains(title), "{recent}");
    }
    // An id and a name of two channels: neither wins silently.
    let both = json!({"channel_id": TECH, "channel_name": "Garden"});
    let search = json!({"channel_id": TECH, "channel_name": "Garden", "query": "python"});
    for (tool, arguments) in [("get_channel_info", both), ("search_videos_by_topic", search)] {
        let text = desk.text(tool, arguments).await;
        assert!(text.contains("is Tech Channel, not Garden"), "{text}");
        assert!(text.contains(&a) && text.contains(&b), "{text}");
    }
    // An id and its own name, or nearly, are no contradiction.
    let own = json!({"channel_id": a, "channel_name": "garden"});
    let text = desk.text("get_channel_info", own).await;
    assert!(text.starts_with("You've watched 1 video from Garden."), "{text}");
}

#[tokio::test]
async fn a_search_keeps_to_its_channel() {
    let desk = desk();
    for filter in [json!({"channel_id": TECH}), json!({"channel_name": "Tech Channel"})] {
        let mut arguments = filter;
        arguments["query"] = json!("python networks cooking");
        let data = desk.data("search_videos_by_topic", arguments).await;
        let ids: Vec<_> =
            data["videos"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
        assert_eq!(ids, ["abc123xyz45"]);
    }
}

#[tokio::test]
async fn a_query_of_blanks_is_asked_back() {
    assert_eq!(
        desk().text("search_videos_by_topic", json!({"query": "  "})).await,
        "Please say what the videos should be about."
    );
}

#[tokio::test]
async fn only_what_is_gone_was_watched() {
    let desk = Desk::of(&[]);
    drop(desk.library());
    let database = rusqlite::Connection::open(desk.folder.path().join("watch/watch.db")).unwrap();
    database.execute("INSERT INTO gone (at, kind) VALUES (1000, 'removed')", []).unwrap();
    assert_eq!(
        desk.text("get_recent_videos", json!({})).await,
        "I couldn't find any videos in your watch history."
    );
    assert_eq!(
        desk.text("get_statistics", json!({})).await,
        "Your YouTube watch history appears to be empty. Once you watched something that was removed or made \
         private since."
    );
}

#[tokio::test]
async fn what_is_broken_is_told_without_its_cause() {
    let desk = Desk::of(&[]);
    // A file where the folder should be.
    std::fs::write(desk.folder.path().join("watch"), "").unwrap();
    for (name, arguments, issue) in [
        ("get_recent_videos", json!({}), "retrieving your recent videos"),
        (
            "get_video_details",
            json!({"video_id": "abc123xyz45"}),
            "retrieving information about that video",
        ),
        ("get_statistics", json!({}), "retrieving your watch history statistics"),
        ("get_channel_info", json!({"channel_name": "a"}), "retrieving channel information"),
        ("search_videos_by_topic", json!({"query": "a"}), "searching for videos"),
        ("find_similar_videos", json!({"video_id": "abc123xyz45"}), "finding similar videos"),
    ] {
        let error = desk.call(name, arguments).await.unwrap_err();
        let sentence = format!("I encountered an issue {issue}. Please try again later.");
        assert_eq!((error.message(), error.kind()), (sentence.as_str(), ToolErrorKind::Temporary));
        assert!(error.detail().unwrap().contains("cannot make a library in"), "{error:?}");
    }
}

#[tokio::test]
async fn a_library_that_breaks_later_is_told_without_its_cause() {
    let desk = desk();
    desk.text("get_statistics", json!({})).await;
    let database = rusqlite::Connection::open(desk.folder.path().join("watch/watch.db")).unwrap();
    database.execute_batch("PRAGMA foreign_keys = OFF; DROP TABLE channels").unwrap();
    let error =
        desk.call("get_channel_info", json!({"channel_name": "Tech Channel"})).await.unwrap_err();
    assert_eq!(
        error.message(),
        "I encountered an issue retrieving channel information. Please try again later."
    );
    assert!(error.detail().unwrap().contains("channels"), "{:?}", error.detail());
}

/// More than are given at once is no error: as many come as can, with a word.
#[tokio::test]
async fn more_than_can_be_given_are_cut_with_a_word() {
    let desk = desk();
    for (name, arguments) in [
        ("get_recent_videos", json!({"limit": 500})),
        ("search_videos_by_topic", json!({"query": "python", "n_results": 51})),
        ("find_similar_videos", json!({"video_id": "abc123xyz45", "n_results": 1000})),
    ] {
        let text = desk.text(name, arguments).await;
        assert!(
            text.contains("(50 videos are the most that are given at once.)"),
            "{name}: {text}"
        );
    }
    let few = desk.text("get_recent_videos", json!({"limit": 50})).await;
    assert!(!few.contains("at once"), "{few}");
}
