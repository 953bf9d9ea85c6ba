//! Every sentence, word by word.

use serde_json::json;

use crate::support::{DAY, Desk, HOUR, MINUTE, Seen, TECH, seen};

fn python() -> Seen {
    seen("abc123xyz45", "Python Tutorial").from("Tech Channel").long(930).ago(2 * HOUR)
}

fn cooking() -> Seen {
    seen("def456uvw78", "Cooking Basics").from("Food Channel").long(525).ago(27 * HOUR)
}

#[tokio::test]
async fn recent_videos_are_a_list_with_their_ids() {
    let long = seen("ghi789rst01", "A Day at Sea").from("Open Water").long(3_600).ago(9 * DAY);
    let lost = seen("jkl012opq34", "").untitled().ago(400 * DAY);
    let desk = Desk::of(&[lost, cooking(), python(), long]);
    assert_eq!(
        desk.text("get_recent_videos", json!({})).await,
        "You've watched 4 videos recently. Here are some highlights:\n\
         1. Python Tutorial from Tech Channel (15:30) - watched 2 hours ago\n\
         2. Cooking Basics from Food Channel (8:45) - watched yesterday\n\
         3. A Day at Sea from Open Water (1:00:00) - watched 1 week ago\n\
         4. Unknown Video from Unknown Channel - watched 13 months ago\n\n\
         Video IDs: 1. abc123xyz45, 2. def456uvw78, 3. ghi789rst01, 4. jkl012opq34"
    );
    let one = "You watched 1 video recently:\n\
               1. Python Tutorial from Tech Channel (15:30) - watched 2 hours ago\n\n\
               Video IDs: 1. abc123xyz45";
    assert_eq!(desk.text("get_recent_videos", json!({"limit": 1})).await, one);
    assert_eq!(desk.text("get_recent_videos", json!({"channel_id": TECH})).await, one);
}

#[tokio::test]
async fn a_video_is_told_with_what_is_known_of_it() {
    let desk = Desk::of(&[
        python().ago(2 * DAY),
        python().ago(3 * DAY),
        python().ago(40 * DAY),
        cooking(),
        seen("ghi789rst01", "A Short One").from("Open Water").long(45).ago(5 * MINUTE),
        seen("jkl012opq34", "").untitled().ago(DAY),
    ]);
    let told = async |id: &str| desk.text("get_video_details", json!({"video_id": id})).await;
    assert_eq!(
        told("abc123xyz45").await,
        "You watched 'Python Tutorial' from Tech Channel. It's 15 minutes long and you watched it 3 times, \
         most recently 2 days ago. Its channel's ID is UCtechchannel00000000000. \
         Its link is https://www.youtube.com/watch?v=abc123xyz45"
    );
    assert_eq!(
        told("def456uvw78").await,
        "You watched 'Cooking Basics' from Food Channel. It's 8 minutes long and you watched it once, \
         yesterday. Its link is https://www.youtube.com/watch?v=def456uvw78"
    );
    assert_eq!(
        told("ghi789rst01").await,
        "You watched 'A Short One' from Open Water. It's 45 seconds long and you watched it once, \
         5 minutes ago. Its link is https://www.youtube.com/watch?v=ghi789rst01"
    );
    assert_eq!(
        told("jkl012opq34").await,
        "You watched 'Unknown Video' from Unknown Channel. You watched it once, yesterday. \
         Its link is https://www.youtube.com/watch?v=jkl012opq34"
    );
    assert_eq!(
        told("not-watched").await,
        "I couldn't find a video with ID not-watched in your watch history."
    );
}

#[tokio::test]
async fn statistics_are_sentences() {
    // 1,234 videos of 156 channels, 715 seconds each, one of them watched twice.
    let mut all: Vec<_> = (0..1_234)
        .map(|nth| {
            let channel = format!("Channel {:03}", nth % 156);
            seen(&format!("video-{nth:05}"), &format!("Video {nth}"))
                .from(&channel)
                .long(715)
                .ago(DAY + nth)
        })
        .collect();
    all.push(all[0].clone().at("2023-03-05T10:00:00Z"));
    let desk = Desk::of(&all);
    assert_eq!(
        desk.text("get_statistics", json!({})).await,
        "You've watched 1,234 videos across 156 channels. Your total watch time is approximately 245 hours, \
         with an average video duration of 12 minutes. You've watched videos a total of 1,235 times. \
         Your viewing history spans from March 5, 2023 to January 14, 2025. The channels you've watched most \
         are Channel 000 (8 videos), Channel 001 (8 videos) and Channel 002 (8 videos)."
    );
    let data = desk.data("get_statistics", json!({})).await;
    assert_eq!((&data["statistics"]["videos"], &data["sample"]), (&json!(1_234), &json!(false)));
}

#[tokio::test]
async fn statistics_say_what_is_not_known() {
    let text = async |seen: &[Seen]| Desk::of(seen).text("get_statistics", json!({})).await;
    assert_eq!(
        text(&[seen("abc123xyz45", "Python Tutorial").from("Tech Channel")]).await,
        "You've watched 1 video across 1 channel. How long they are is not known, and so your watch time is \
         not: `toolwright watch enrich` finds out. All of it was on January 15, 2025. The channel you've \
         watched most is Tech Channel (1 video)."
    );
    assert_eq!(
        text(&[python(), seen("def456uvw78", "No Length").from("Tech Channel")]).await,
        "You've watched 2 videos across 1 channel. Your total watch time is approximately 16 minutes, with \
         an average video duration of 16 minutes (the length of 1 of the 2 videos is known). All of it was \
         on January 15, 2025. The channel you've watched most is Tech Channel (2 videos)."
    );
}

#[tokio::test]
async fn a_channel_is_told_with_its_latest_video() {
    let mut all: Vec<_> = (1..45)
        .map(|nth| {
            seen(&format!("video-{nth:05}"), &format!("Part {nth}"))
                .from("Tech Channel")
                .long(960)
                .ago(nth * DAY)
        })
        .collect();
    all.push(python().long(960));
    all.push(cooking().long(2_460));
    let desk = Desk::of(&all);
    let told = async |arguments| desk.text("get_channel_info", arguments).await;
    let tech = "You've watched 45 videos from Tech Channel. Your total watch time from this channel is about \
                12 hours, with an average video duration of 16 minutes. The most recent one was \
                'Python Tutorial' (abc123xyz45), 2 hours ago. The channel's ID is UCtechchannel00000000000.";
    assert_eq!(told(json!({"channel_name": "Tech Channel"})).await, tech);
    assert_eq!(told(json!({"channel_name": " tech  CHANNEL"})).await, tech);
    assert_eq!(told(json!({"channel_id": TECH})).await, tech);
    assert_eq!(
        told(json!({"channel_id": TECH, "channel_name": "Food Channel"})).await,
        format!(
            "The channel ID and the channel name contradict each other: {TECH} is Tech Channel, not Food \
             Channel. Please give only one of them. Did you mean Food Channel?"
        )
    );
    assert_eq!(
        told(json!({"channel_name": "Food Channel", "channel_id": ""})).await,
        "You've watched 1 video from Food Channel. Your total watch time from this channel is about \
         41 minutes, with an average video duration of 41 minutes. The most recent one was 'Cooking Basics' \
         (def456uvw78), yesterday."
    );
    let data = desk.data("get_channel_info", json!({"channel_id": TECH})).await;
    assert_eq!(
        (&data["channel"]["videos"], &data["videos"][0]["id"]),
        (&json!(45), &json!("abc123xyz45"))
    );
}

#[tokio::test]
async fn what_was_found_is_a_list_with_relevance() {
    let desk = Desk::of(&[
        seen("abc123xyz45", "Python Tutorial").from("Tech Channel").ago(14 * DAY),
        seen("ghi789rst01", "More Python").from("Tech Channel").ago(7 * DAY),
        cooking(),
    ]);
    let (text, data) = desk.both("search_videos_by_topic", json!({"query": "python"})).await;
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "I found 2 videos that match your search:", "{text}");
    for (line, nth) in lines[1..3].iter().zip(1..) {
        let (title, watched) = match line.contains("Tutorial") {
            true => ("Python Tutorial", "2 weeks ago"),
            false => ("More Python", "1 week ago"),
        };
        let begin = format!("{nth}. {title} from Tech Channel (watched {watched}) [relevance: ");
        let relevance = line.strip_prefix(&begin).and_then(|it| it.strip_suffix(']'));
        let relevance = relevance.unwrap_or_else(|| panic!("{line}"));
        assert_eq!(relevance.len(), 4, "{line}");
        let figure: f64 = relevance.parse().unwrap();
        assert_eq!(data["videos"][nth - 1]["relevance"], figure);
    }
    let one = desk.text("search_videos_by_topic", json!({"query": "cooking"})).await;
    assert!(
        one.starts_with("I found 1 video that matches your search:\n1. Cooking Basics from Food"),
        "{one}"
    );
    let none = desk.text("search_videos_by_topic", json!({"query": "submarines"})).await;
    assert!(none.starts_with("I couldn't find any videos matching your search."), "{none}");
}

#[tokio::test]
async fn pages_get_the_same_as_data() {
    let desk = Desk::of(&[python()]);
    let expected = json!({
        "sample": false,
        "videos": [{
            "id": "abc123xyz45",
            "title": "Python Tutorial",
            "channel": "Tech Channel",
            "channel_id": TECH,
            "seconds": 930,
            "watched": "2025-01-15T09:00:00Z",
            "watches": 1,
            "url": "https://www.youtube.com/watch?v=abc123xyz45",
        }],
    });
    assert_eq!(desk.data("get_recent_videos", json!({})).await, expected);
    assert_eq!(desk.data("get_video_details", json!({"video_id": "abc123xyz45"})).await, expected);
}
