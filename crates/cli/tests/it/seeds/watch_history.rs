//! "Tool Calls and Model Interaction": an assistant that knows what was watched.

use std::path::PathBuf;

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{messages, results};
use crate::harness::Cli;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// What the document's examples are about, with the times they name.
fn export(cli: &Cli) -> PathBuf {
    let row = |id: &str, title: &str, channel: &str, ago: i64| {
        let at = jiff::Timestamp::from_second(jiff::Timestamp::now().as_second() - ago).unwrap();
        json!({
            "header": "YouTube", "title": format!("Watched {title}"), "time": at.to_string(),
            "titleUrl": format!("https://www.youtube.com/watch?v={id}"),
            "subtitles": [{"name": channel, "url": format!("https://www.youtube.com/channel/UC{channel}")}],
            "products": ["YouTube"],
        })
    };
    let rows = json!([
        row("abc123xyz45", "Python Tutorial", "Tech Channel", 2 * HOUR),
        row("cookbasic01", "Cooking Basics", "Food Channel", DAY + 2 * HOUR),
        row("abc123xyz45", "Python Tutorial", "Tech Channel", 2 * DAY),
        row("pyadvanced1", "Python Advanced Topics", "Tech Channel", 7 * DAY + HOUR),
        row("neuralnets1", "Introduction to Neural Networks", "Tech Educator", 14 * DAY + HOUR),
    ]);
    let path = cli.folder.path().join("watch-history.json");
    std::fs::write(&path, rows.to_string()).unwrap();
    path
}

/// A time zone in which it is noon, or soon after: what was watched 26 hours ago was watched yesterday there.
fn noon() -> String {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    format!("NOON{}", now.hour() - 12)
}

/// A history with the document's videos, and a model that calls these tools.
async fn asked(question: &str, script: Script) -> (ModelServer, Value) {
    let model = ModelServer::start(script).await;
    let cli = Cli::asking(&model).env("TOOLWRIGHT_EMBEDDINGS", "off").env("TZ", &noon());
    let path = export(&cli);
    let imported = cli.run(&["watch", "import", path.to_str().unwrap()]).await;
    assert_eq!(imported.code, Some(0), "{}", imported.err);
    let ended = cli.run(&["ask", "--task", "history", "--json", question]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    model.assert_clean();
    (model, ended.events().pop().unwrap())
}

async fn told(question: &str, tool: &str, arguments: &str) -> String {
    let script = Script::new()
        .reply(Reply::calls([("call_abc123", tool, arguments)]))
        .reply(Reply::text("That is what I found."));
    let (model, _) = asked(question, script).await;
    results(&model).remove(0)
}

/// Each parameter with its default.
type Parameters<'a> = &'a [(&'a str, Value)];

/// > `limit` (int, optional): Number of videos to retrieve. Default: 10 …
#[tokio::test]
async fn the_tools_have_the_documented_parameters() {
    let listed = Cli::new().run(&["tools", "list", "--task", "history", "--json"]).await;
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let of = |name: &str| {
        let all = listed.as_array().unwrap();
        all.iter().find(|it| it["function"]["name"] == name).unwrap()["function"]["parameters"]
            .clone()
    };
    // Each parameter with its default; those that are required say so.
    let documented: [(&str, Parameters<'_>, &[&str]); 6] = [
        ("get_recent_videos", &[("limit", json!(10)), ("channel_id", Value::Null)], &[]),
        ("get_video_details", &[("video_id", Value::Null)], &["video_id"]),
        ("get_statistics", &[], &[]),
        ("get_channel_info", &[("channel_id", Value::Null), ("channel_name", Value::Null)], &[]),
        (
            "search_videos_by_topic",
            &[
                ("query", Value::Null),
                ("n_results", json!(10)),
                ("date_from", Value::Null),
                ("date_to", Value::Null),
                ("channel_id", Value::Null),
                ("channel_name", Value::Null),
            ],
            &["query"],
        ),
        (
            "find_similar_videos",
            &[("video_id", Value::Null), ("n_results", json!(5))],
            &["video_id"],
        ),
    ];
    assert_eq!(listed.as_array().unwrap().len(), documented.len());
    for (name, parameters, required) in documented {
        let schema = of(name);
        let found = schema["properties"].as_object().cloned().unwrap_or_default();
        let mut names: Vec<_> = found.keys().map(String::as_str).collect();
        let mut wanted: Vec<_> = parameters.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(names, wanted, "{name}");
        for (parameter, default) in parameters {
            assert_eq!(found[*parameter].get("default").unwrap_or(&Value::Null), default, "{name}");
        }
        let is_required = schema["required"].as_array().cloned().unwrap_or_default();
        assert_eq!(is_required, required.iter().map(|it| json!(it)).collect::<Vec<_>>(), "{name}");
    }
}

/// > "You've watched 10 videos recently. Here are some highlights:
/// > 1. Python Tutorial from Tech Channel (15:30) - watched 2 hours ago
/// > 2. Cooking Basics from Food Channel (8:45) - watched yesterday"
#[tokio::test]
async fn example_1_simple_tool_call() {
    let told =
        told("What videos have I watched recently?", "get_recent_videos", r#"{"limit":10}"#).await;
    let wanted = "You've watched 4 videos recently. Here are some highlights:\n\
                  1. Python Tutorial from Tech Channel - watched 2 hours ago\n\
                  2. Cooking Basics from Food Channel - watched yesterday\n";
    assert!(told.starts_with(wanted), "{told}");
}

/// > Model decides to call both `get_statistics()` and `get_recent_videos(limit=10)`
/// > "You've watched 1,234 videos across 156 channels. …"
#[tokio::test]
async fn example_2_multiple_tool_calls() {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "get_statistics", "{}"),
            ("b", "get_recent_videos", r#"{"limit":10}"#),
        ]))
        .reply(Reply::text("You've watched 4 videos across 3 channels."));
    let (model, done) = asked("Tell me about my watch statistics and recent videos", script).await;
    let told = results(&model);
    assert!(told[0].starts_with("You've watched 4 videos across 3 channels."), "{told:?}");
    assert!(told[1].starts_with("You've watched 4 videos recently."), "{told:?}");
    assert_eq!(done["tools_executed"], 2, "{done}");
}

/// > "I found {count} videos that match your search:
/// > 1. Video Title from Channel Name (watched {time_ago}) [relevance: {score}]"
#[tokio::test]
async fn example_3_semantic_search() {
    let told = told(
        "What videos did I watch about neural networks?",
        "search_videos_by_topic",
        r#"{"query":"neural networks","n_results":10}"#,
    )
    .await;
    let wanted = "I found 1 video that matches your search:\n\
                  1. Introduction to Neural Networks from Tech Educator (watched 2 weeks ago) [relevance: ";
    assert!(told.starts_with(wanted), "{told}");
    let score = told.split("[relevance: ").nth(1).unwrap().split(']').next().unwrap();
    assert!((0.0..=1.0).contains(&score.parse::<f64>().unwrap()), "{score}");
}

/// > search_videos_by_topic(query="Python tutorials", date_from="2024-12-01", date_to="2024-12-31", n_results=10)
#[tokio::test]
async fn example_4_hybrid_search_with_filters() {
    let day = |ago: i64| {
        let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        today.checked_sub(jiff::Span::new().days(ago)).unwrap().to_string()
    };
    let arguments =
        json!({"query": "Python", "date_from": day(9), "date_to": day(5), "n_results": 10});
    let told = told(
        "Find me Python tutorials from last week",
        "search_videos_by_topic",
        &arguments.to_string(),
    )
    .await;
    assert!(told.contains("1. Python Advanced Topics from Tech Channel (watched "), "{told}");
    assert!(!told.contains("Python Tutorial"), "{told}");
}

/// > find_similar_videos(video_id="...", n_results=5)
/// > 1. Python Advanced Topics from Same Channel (watched 1 week ago) [relevance: 0.89]
#[tokio::test]
async fn example_5_find_similar_videos() {
    let told = told(
        "What videos are similar to abc123xyz45?",
        "find_similar_videos",
        r#"{"video_id":"abc123xyz45","n_results":5}"#,
    )
    .await;
    let wanted = "1. Python Advanced Topics from Tech Channel (watched 1 week ago) [relevance: ";
    assert!(told.contains(wanted), "{told}");
}

/// > **User**: "Thanks for the help!" 1. Model analyzes query → no tool needed
#[tokio::test]
async fn example_6_no_tool_needed() {
    let said =
        "You're welcome! Feel free to ask if you need anything else about your YouTube history.";
    let (model, done) = asked("Thanks for the help!", Script::new().reply(Reply::text(said))).await;
    assert_eq!((&done["response"], &done["tool_calls"]), (&json!(said), &json!([])));
    assert_eq!(model.requests().len(), 1);
}

/// > "You watched 'Python Tutorial' from Tech Channel. It's 15 minutes long and you watched it 3 times,
/// > most recently 2 days ago..."
/// > "You've watched 45 videos from Tech Channel. …"
#[tokio::test]
async fn a_video_and_a_channel_are_told_in_sentences() {
    let video = told(
        "Tell me about video abc123xyz45",
        "get_video_details",
        r#"{"video_id":"abc123xyz45"}"#,
    )
    .await;
    assert!(video.starts_with("You watched 'Python Tutorial' from Tech Channel."), "{video}");
    assert!(video.contains("2 times, most recently 2 hours ago"), "{video}");
    let channel = told(
        "Tell me about Tech Channel",
        "get_channel_info",
        r#"{"channel_name":"Tech Channel"}"#,
    )
    .await;
    assert!(channel.starts_with("You've watched 2 videos from Tech Channel."), "{channel}");
}

/// > The system prompt dynamically includes tool descriptions:
/// > "1. get_recent_videos: Get a summary of recently watched videos..."
#[tokio::test]
async fn the_system_prompt_is_made_from_the_tools() {
    let (model, _) = asked("Hello", Script::new().reply(Reply::text("Hello."))).await;
    let system = messages(&model, 0)[0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("1. get_recent_videos: Get a summary of recently watched videos"));
    for tool in model.requests()[0].body["tools"].as_array().unwrap() {
        let name = tool["function"]["name"].as_str().unwrap();
        assert!(system.contains(&format!(". {name}: ")), "{name} is missing in {system}");
    }
}

/// > **Tool calls**: Logged with tool name, arguments, and timestamp
/// > **Tool results**: Logged with success/failure status and latency
/// > Each request gets a unique conversation_id
#[tokio::test]
async fn every_call_is_logged() {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "get_recent_videos", r#"{"limit":10}"#),
            ("b", "get_everything", "{}"),
        ]))
        .reply(Reply::text("That is all."));
    let model = ModelServer::start(script).await;
    let cli = Cli::asking(&model).env("TOOLWRIGHT_EMBEDDINGS", "off");
    let ended =
        cli.run(&["ask", "--log", "info", "--task", "history", "What did I watch lately?"]).await;
    let line = |words: &[&str]| {
        let has = |line: &&str| words.iter().all(|word| line.contains(word));
        ended
            .err
            .lines()
            .find(has)
            .unwrap_or_else(|| panic!("{words:?} in {}", ended.err))
            .to_owned()
    };
    line(&["Executing: get_recent_videos", r#"{"limit":10}"#]);
    line(&["get_recent_videos", "success", "ms", "You've watched"]);
    line(&["finished", "get_everything", "status=error", "ms="]);
}
