//! `--task history` and `watch`: an export of Google Takeout, brought in, asked about and searched.

use std::path::PathBuf;

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

const DAY: u64 = 86_400;

/// An export: what was watched, from which channel, how many days ago.
fn export(cli: &Cli) -> PathBuf {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let row = |id: &str, title: &str, channel: &str, days: u64| {
        let at = jiff::Timestamp::from_second((now - days * DAY - 7_200) as i64).unwrap();
        json!({
            "header": "YouTube", "title": format!("Watched {title}"), "time": at.to_string(),
            "titleUrl": format!("https://www.youtube.com/watch?v={id}"),
            "subtitles": [{"name": channel}], "products": ["YouTube"],
        })
    };
    let rows = json!([
        row("abc123xyz45", "Python Tutorial", "Tech Channel", 0),
        row("abc123xyz45", "Python Tutorial", "Tech Channel", 2),
        row("neuralnets1", "Introduction to Neural Networks", "Tech Educator", 14),
        row("sourdough01", "Sourdough for Beginners", "Kitchen Basics", 40),
        row("pythonbasic", "Python Basics", "Programming Channel", 45),
        {"header": "YouTube", "title": "Watched a video that has been removed", "time": "2024-01-01T00:00:00Z"},
        {"header": "YouTube", "title": "Watched an ad", "time": "2024-01-02T00:00:00Z",
         "titleUrl": "https://www.youtube.com/watch?v=adadadadad0", "details": [{"name": "From Google Ads"}]},
        {"header": "YouTube", "title": 7},
    ]);
    let path = cli.folder.path().join("watch-history.json");
    std::fs::write(&path, rows.to_string()).unwrap();
    path
}

/// The binary with an imported history, searched by words, and a scripted model.
async fn desk(script: Script) -> (Cli, ModelServer) {
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server).env("TOOLWRIGHT_EMBEDDINGS", "off").env("TZ", "UTC");
    let path = export(&cli);
    let ended = cli.run(&["watch", "import", path.to_str().unwrap()]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    (cli, server)
}

async fn ask(cli: &Cli, question: &str) -> Value {
    let ended = cli.run(&["ask", "--task", "history", "--json", question]).await;
    ended.events().pop().unwrap()
}

/// What the model was told by the results before its last reply.
fn told(server: &ModelServer) -> Vec<String> {
    let requests = server.requests();
    let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
    let results = messages.iter().filter(|it| it["role"] == "tool");
    results.map(|it| it["content"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_export_is_brought_in_once() {
    let cli = Cli::new().env("TOOLWRIGHT_EMBEDDINGS", "off");
    let path = export(&cli);
    let import = ["watch", "import", path.to_str().unwrap(), "--json"];
    let first: Value = serde_json::from_str(&cli.run(&import).await.out).unwrap();
    let count = |it: &Value, name: &str| it[name].as_u64().unwrap();
    let of =
        |it: &Value| ["added", "known", "videos", "ads", "gone", "broken"].map(|n| count(it, n));
    assert_eq!(of(&first), [5, 0, 4, 1, 1, 1]);
    let again: Value = serde_json::from_str(&cli.run(&import).await.out).unwrap();
    assert_eq!(of(&again), [0, 5, 0, 1, 1, 1]);
    let stats: Value =
        serde_json::from_str(&cli.run(&["watch", "stats", "--json"]).await.out).unwrap();
    assert_eq!((count(&stats, "videos"), count(&stats, "watches")), (4, 5));
    let nothing = cli.run(&["watch", "import", "/etc/hostname"]).await;
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.err.contains("what to do:"), "{}", nothing.err);
}

/// The same twelve views, as a file and as a page that tells its times in India's.
fn both_exports(cli: &Cli) -> [String; 2] {
    let zone = jiff::tz::TimeZone::get("Asia/Kolkata").unwrap();
    let (mut rows, mut cells) = (Vec::new(), String::new());
    for day in 1..=12 {
        let at: jiff::Timestamp = format!("2024-06-{day:02}T16:45:{day:02}Z").parse().unwrap();
        let link = format!("https://www.youtube.com/watch?v=abc123xyz{day:02}");
        rows.push(json!({
            "header": "YouTube", "title": format!("Watched Tea {day}"), "time": at.to_string(),
            "titleUrl": link, "products": ["YouTube"],
        }));
        let told = at.to_zoned(zone.clone()).strftime("%b %-d, %Y, %-I:%M:%S %p %Z").to_string();
        cells.push_str(&format!(
            "<div class=\"outer-cell\"><div class=\"content-cell\">Watched <a href=\"{link}\">Tea {day}</a><br>\
             {told}</div></div>"
        ));
    }
    let write = |name: &str, text: String| {
        let path = cli.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let page = format!("<html><body>{cells}</body></html>");
    [write("history.json", json!(rows).to_string()), write("history.html", page)]
}

#[tokio::test]
async fn a_page_and_a_file_are_the_same_history_in_any_order() {
    for [first, second] in [[0, 1], [1, 0]] {
        let cli = Cli::new().env("TOOLWRIGHT_EMBEDDINGS", "off").env("TZ", "UTC");
        let exports = both_exports(&cli);
        let imported = cli.run(&["watch", "import", &exports[first]]).await;
        assert!(imported.out.contains("12 views imported, 0 duplicates"), "{}", imported.out);
        let imported = cli.run(&["watch", "import", &exports[second]]).await;
        assert!(imported.out.contains("0 views imported, 12 duplicates"), "{}", imported.out);
        let stats = cli.run(&["watch", "stats"]).await.out;
        assert!(stats.contains("12 views\nfrom 2024-06-01T16:45:01Z"), "{stats}");
    }
}

#[tokio::test]
async fn a_zone_that_nothing_tells_is_a_problem_and_can_be_set() {
    let start = async |set: &[(&str, &str)], arguments: &[&str]| -> (Value, Value) {
        let mut cli = Cli::new().env("TOOLWRIGHT_EMBEDDINGS", "off").env("TZ", "UTC");
        for (name, value) in set {
            cli = cli.env(name, value);
        }
        let [_, page] = both_exports(&cli);
        let import = [&["watch", "import", &page, "--json"], arguments].concat();
        let imported = serde_json::from_str(&cli.run(&import).await.out).unwrap();
        let stats = cli.run(&["watch", "stats", "--json"]).await.out;
        (imported, serde_json::from_str(&stats).unwrap())
    };
    let (imported, _) = start(&[], &[]).await;
    let problem = imported["problems"][0].as_str().unwrap();
    for part in ["IST", "Asia/Kolkata", "Europe/Dublin", "time_zone", "--time-zone"] {
        assert!(problem.contains(part), "{problem}");
    }
    let (india, ireland) = ("2024-06-01T16:45:01Z", "2024-06-01T21:15:01Z");
    for (set, arguments, expected) in [
        (&[][..], &["--time-zone", "Europe/Dublin"][..], ireland),
        (&[("TOOLWRIGHT_TIME_ZONE", "Europe/Dublin")], &[], ireland),
        (&[("TZ", "Europe/Dublin")], &[], ireland),
        (&[("TZ", "Asia/Kolkata")], &[], india),
        (&[("TZ", "Asia/Kolkata")], &["--time-zone", "Europe/Dublin"], ireland),
    ] {
        let (imported, stats) = start(set, arguments).await;
        assert_eq!(imported["problems"], json!([]), "{set:?} {arguments:?}");
        assert_eq!(stats["oldest"], expected, "{set:?} {arguments:?}");
    }
    let wrong = Cli::new().run(&["watch", "import", "x", "--time-zone", "Nowhere"]).await;
    assert!(wrong.err.contains("Asia/Kolkata"), "{}", wrong.err);
}

/// Example 1: what was watched lately.
#[tokio::test]
async fn s3_recent_videos() {
    let script = Script::new()
        .reply(Reply::calls([("a", "get_recent_videos", r#"{"limit":10}"#)]))
        .reply(Reply::text("You watched Python Tutorial from Tech Channel 2 hours ago."));
    let (cli, server) = desk(script).await;
    let done = ask(&cli, "What videos have I watched recently?").await;
    assert_eq!(done["type"], "done", "{done}");
    let wanted = "You've watched 4 videos recently. Here are some highlights:\n\
                  1. Python Tutorial from Tech Channel - watched 2 hours ago\n";
    assert!(told(&server)[0].starts_with(wanted), "{:?}", told(&server));
    let system = server.requests()[0].body["messages"][0]["content"].clone();
    let system = system.as_str().unwrap();
    assert!(system.contains("1. get_recent_videos: ") && system.contains("Today is "), "{system}");
    server.assert_clean();
}

/// Example 2: two calls in one turn.
#[tokio::test]
async fn s3_statistics_and_recent_videos_in_one_turn() {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "get_statistics", "{}"),
            ("b", "get_recent_videos", r#"{"limit":10}"#),
        ]))
        .reply(Reply::text("You've watched 4 videos across 4 channels."));
    let (cli, server) = desk(script).await;
    ask(&cli, "Tell me about my watch statistics and recent videos").await;
    let told = told(&server);
    assert!(told[0].starts_with("You've watched 4 videos across 4 channels."), "{told:?}");
    assert!(told[1].starts_with("You've watched 4 videos recently."), "{told:?}");
    server.assert_clean();
}

/// Examples 3 and 4: by topic, and with dates.
#[tokio::test]
async fn s3_by_topic_with_and_without_dates() {
    let script = Script::new()
        .reply(Reply::calls([("a", "search_videos_by_topic", r#"{"query":"neural networks"}"#)]))
        .reply(Reply::text("Introduction to Neural Networks."));
    let (cli, server) = desk(script).await;
    ask(&cli, "What videos did I watch about neural networks?").await;
    let wanted = "I found 1 video that matches your search:\n\
                  1. Introduction to Neural Networks from Tech Educator (watched 2 weeks ago) [relevance: 0.";
    assert!(told(&server)[0].starts_with(wanted), "{:?}", told(&server));

    let day = |days: u64| {
        let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        now.checked_sub(jiff::Span::new().days(i64::try_from(days).unwrap())).unwrap().to_string()
    };
    let arguments = json!({"query": "Python tutorials", "date_from": day(50), "date_to": day(30)});
    let script = Script::new()
        .reply(Reply::calls([("a", "search_videos_by_topic", arguments.to_string().as_str())]))
        .reply(Reply::text("Python Basics."));
    let (cli, server) = desk(script).await;
    ask(&cli, "Find me Python tutorials from last month").await;
    let told = told(&server).remove(0);
    assert!(told.contains("1. Python Basics from Programming Channel (watched "), "{told}");
    assert!(!told.contains("Python Tutorial from"), "the filter is part of the search: {told}");
}

/// Examples 5 and 6: videos like one that was found, and no tool at all.
#[tokio::test]
async fn s3_similar_videos_and_small_talk() {
    let script = Script::new()
        .reply(Reply::calls([("a", "find_similar_videos", r#"{"video_id":"abc123xyz45"}"#)]))
        .reply(Reply::text("Python Basics is like it."));
    let (cli, server) = desk(script).await;
    ask(&cli, "What videos are similar to abc123xyz45?").await;
    assert!(
        told(&server)[0].contains("Python Basics from Programming Channel"),
        "{:?}",
        told(&server)
    );

    let (cli, _server) = desk(Script::new().reply(Reply::text("You're welcome!"))).await;
    let done = ask(&cli, "Thanks for the help!").await;
    assert_eq!((&done["response"], &done["tool_calls"]), (&json!("You're welcome!"), &json!([])));
}

/// Without an import a sample answers, and says so.
#[tokio::test]
async fn a_fresh_machine_has_a_sample() {
    let cli = Cli::new().env("TOOLWRIGHT_EMBEDDINGS", "off");
    let ended = cli.run(&["tools", "call", "get_statistics", "--task", "history"]).await;
    assert!(ended.out.contains("This is a sample history"), "{}", ended.out);
    let doctor = cli.run(&["doctor"]).await;
    assert!(doctor.out.contains("nothing was imported yet, so a sample answers"), "{}", doctor.out);
}

/// With the real model: what shares no word with the question is found by what it means.
#[tokio::test]
async fn search_by_meaning_with_the_model_in_the_process() {
    let model = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("embed-model");
    let cli = Cli::new()
        .env("TOOLWRIGHT_EMBED_MODEL", model.to_str().unwrap())
        .env("PATH", &std::env::var("PATH").unwrap());
    let path = export(&cli);
    let ended = cli.run(&["watch", "import", path.to_str().unwrap(), "--no-embed"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let ended = cli.run(&["watch", "embed", "--json"]).await;
    assert_eq!(ended.out, "{\"made\":4,\"all\":4}\n", "{}", ended.err);
    let query = r#"{"query":"baking bread"}"#;
    let ended = cli.run(&["tools", "call", "search_videos_by_topic", query]).await;
    let wanted =
        "I found 1 video that matches your search:\n1. Sourdough for Beginners from Kitchen Basics";
    assert!(ended.out.starts_with(wanted), "{}", ended.out);
}
