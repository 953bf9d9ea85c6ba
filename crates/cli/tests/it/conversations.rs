//! `toolwright conversations`: what is kept, and what can be done with it.

use serde_json::Value;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Cli, Ended};

/// Asks two questions in one conversation and one in another; gives the first one's id.
async fn talked(cli: &Cli) -> String {
    let first = cli.run(&["ask", "--json", "What is the weather in Rome?"]).await;
    let id = first.events().last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    let again = cli.run(&["ask", "--conversation", &id, "And in Oslo?"]).await;
    assert_eq!(again.code, Some(0), "{}", again.err);
    cli.run(&["ask", "Note: water the plants"]).await;
    id
}

fn script() -> Script {
    Script::new()
        .reply(Reply::calls([("a", "get_weather", r#"{"location":"Rome"}"#)]))
        .reply(Reply::text("It is sunny in Rome, 72°F."))
        .reply(Reply::calls([("b", "get_weather", r#"{"location":"Oslo"}"#)]))
        .reply(Reply::text("It is sunny in Oslo, too."))
        .reply(Reply::calls([("c", "take_note", r#"{"text":"water the plants"}"#)]))
        .reply(Reply::text("Noted."))
}

fn lines(ended: &Ended) -> Vec<Value> {
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    ended.events()
}

#[tokio::test]
async fn a_conversation_is_gone_on_with_listed_shown_and_found() {
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    let id = talked(&cli).await;
    server.assert_clean();
    // The second question came with all that was said before.
    assert_eq!(server.requests()[2].body["messages"].as_array().unwrap().len(), 6);

    let listed = lines(&cli.run(&["conversations", "list", "--json"]).await);
    let titles: Vec<_> = listed.iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Note: water the plants", "What is the weather in Rome?"]);
    assert_eq!((&listed[1]["runs"], &listed[1]["state"]), (&2.into(), &"idle".into()));

    let shown = cli.run(&["conversations", "show", &id[..9]]).await;
    // What happened stands between what was said, in one stream: `| head` shows its beginning.
    let beginnings: Vec<_> = shown
        .out
        .lines()
        .map(|line| line.split(['{', ',', '(']).next().unwrap_or_default().trim())
        .filter(|line| ["›", "✓", "It"].iter().any(|it| line.starts_with(it)))
        .collect();
    let expected = [
        "› What is the weather in Rome?",
        "✓ get_weather",
        "It is sunny in Rome",
        "› And in Oslo?",
        "✓ get_weather",
        "It is sunny in Oslo",
    ];
    assert_eq!(beginnings, expected, "{}", shown.out);
    assert!(!shown.err.contains("get_weather"), "{}", shown.err);

    let found = lines(&cli.run(&["conversations", "search", "OSLO", "sunny", "--json"]).await);
    let ids: Vec<_> = found.iter().map(|it| it["conversation"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [id.as_str()]);
    let none = cli.run(&["conversations", "search", "oslo", "plants"]).await;
    assert_eq!((none.code, none.out.as_str()), (Some(0), ""));
}

#[tokio::test]
async fn what_was_exported_can_be_imported_elsewhere_and_twice() {
    let server = ModelServer::start(script()).await;
    let (cli, other) = (Cli::asking(&server), Cli::new());
    talked(&cli).await;
    let export = cli.run(&["conversations", "export"]).await.out;
    assert_eq!(export.lines().filter(|it| it.contains(r#""type":"run_started""#)).count(), 3);
    for _ in 0..2 {
        let import = ["conversations", "import", "-"];
        let ended = other.run_with_input(&import, Some(&export)).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
    }
    assert_eq!(other.run(&["conversations", "export"]).await.out, export);

    // A line that is missing makes it no log; nothing is taken over.
    let broken: String = export.lines().filter(|it| !it.contains("round_started")).collect();
    let fresh = Cli::new();
    let ended = fresh.run_with_input(&["conversations", "import", "-"], Some(&broken)).await;
    assert_eq!(ended.code, Some(1));
    assert_eq!(fresh.run(&["conversations", "list", "--json"]).await.out, "");
}

#[tokio::test]
async fn deleting_asks_first_and_leaves_nothing() {
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    let id = talked(&cli).await;
    let unasked = cli.run(&["conversations", "delete", &id]).await;
    assert_eq!(unasked.code, Some(1), "nobody was there to confirm it");
    let ended = cli.run(&["conversations", "delete", &id, "--yes"]).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""), "{}", ended.err);
    assert_eq!(lines(&cli.run(&["conversations", "list", "--json"]).await).len(), 1);
    for entry in std::fs::read_dir(cli.folder.path().join("data")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        assert!(!bytes.windows(4).any(|it| it == b"Oslo"), "{} remembers", path.display());
    }
}

#[tokio::test]
async fn what_does_not_exist_is_told_with_what_to_do() {
    let cli = Cli::new();
    for args in [
        &["conversations", "show", "conv_nope"][..],
        &["conversations", "resume", "conv_nope"],
        &["conversations", "delete", "conv_nope", "--yes"],
        &["conversations", "export", "conv_nope"],
        &["ask", "--conversation", "conv_nope", "Hi"],
    ] {
        let ended = cli.run(args).await;
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{args:?}: {}", ended.err);
        assert!(ended.err.contains("there is no conversation `conv_nope`"), "{}", ended.err);
        assert!(ended.err.contains("what to do:"), "{}", ended.err);
    }
    let empty = cli.run(&["conversations", "list"]).await;
    assert!(empty.err.contains("No conversations are kept yet"), "{}", empty.err);
}

#[tokio::test]
async fn a_data_folder_that_cannot_be_used_is_told() {
    let cli = Cli::new();
    std::fs::write(cli.folder.path().join("file"), b"").unwrap();
    let ended = cli.run(&["--data", "file/below", "ask", "Weather in Rome?"]).await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("error:") && ended.err.contains("what to do:"), "{}", ended.err);
}

#[tokio::test]
async fn a_review_that_finds_something_says_so_and_enforce_sends_it_back() {
    let wrong = || {
        Script::new()
            .reply(Reply::calls([("a", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#)]))
            .reply(Reply::text("The tip is $11.40."))
            .reply(Reply::text("The tip is $9.12."))
    };
    let server = ModelServer::start(wrong()).await;
    let warned = Cli::asking(&server).run(&["ask", "20% tip on $45.60?"]).await;
    assert_eq!(warned.out, "The tip is $11.40.\n");
    assert!(warned.err.contains("not supported by the results: $11.40"), "{}", warned.err);
    let server = ModelServer::start(wrong()).await;
    let cli = Cli::asking(&server);
    let ended = cli.run(&["ask", "--review", "enforce", "20% tip on $45.60?"]).await;
    // One answer, and what was looked at.
    assert_eq!(ended.out, "The tip is $9.12.\n");
    assert!(ended.err.contains("review: passed (1 value)"), "{}", ended.err);
    server.assert_clean();
    // What is kept of it shows the same.
    let id = cli.run(&["conversations", "list", "--json"]).await.events()[0]["id"].clone();
    let shown = cli.run(&["conversations", "show", id.as_str().unwrap()]).await;
    assert!(shown.out.starts_with("› 20% tip on $45.60?\n"), "{}", shown.out);
    assert_eq!(shown.out.matches("The tip is $9.12.\n").count(), 1, "{}", shown.out);
    assert!(shown.out.contains("review: passed (1 value)"), "{}", shown.out);
    let server = ModelServer::start(wrong()).await;
    let cli = Cli::asking(&server);
    let ended = cli.run(&["ask", "--review", "replace", "20% tip on $45.60?"]).await;
    assert_eq!(ended.out, "{\"tip\":9.12,\"total\":54.72}\n");
}

/// Figures that no tool told, though they could have, do not pass: none was called, or none answered.
#[tokio::test]
async fn an_invented_answer_does_not_pass() {
    let invented = || Reply::text("You watched 9,999 videos across 777 channels.");
    let failing = [("a", "get_weather", r#"{"location":" "}"#)];
    for (task, script) in [
        ("history", Script::new()),
        ("general", Script::new()),
        ("demo", Script::new().reply(Reply::calls(failing))),
    ] {
        let server = ModelServer::start(script.reply(invented()).reply(invented())).await;
        let cli = Cli::asking(&server);
        let ask = ["ask", "--json", "--task", task, "--review", "enforce", "How many videos?"];
        let ended = cli.run(&ask).await;
        let events = ended.events();
        let reviews: Vec<_> = events.iter().filter(|it| it["type"] == "reviewed").collect();
        let verdicts: Vec<_> = reviews.iter().map(|it| it["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["returned", "not_supported"], "{task}: {}", ended.out);
        let found: Vec<_> = reviews[0]["findings"].as_array().unwrap().iter().collect();
        let texts: Vec<_> = found.iter().map(|it| it["text"].as_str().unwrap()).collect();
        assert_eq!(texts, ["9,999", "777"], "{task}");
        let told = server.requests().last().unwrap().body.to_string();
        assert!(told.contains("no tool returned"), "{told}");
    }
    let server = ModelServer::start(Script::new().reply(Reply::text("Good morning."))).await;
    let hello = Cli::asking(&server).run(&["ask", "--review", "enforce", "Hello"]).await;
    assert_eq!(hello.out, "Good morning.\n");
    assert!(hello.err.contains("review: nothing to check"), "{}", hello.err);
}

/// Whoever goes on with a run that died between rejecting an answer and replacing it, or before anybody
/// looked at it, shows the one that stands.
#[tokio::test]
async fn an_answer_that_was_rejected_stays_so_when_the_process_dies() {
    let wrong = "The tip is $11.40.";
    for (review, upto, expected) in [
        ("replace", "reviewed", "{\"tip\":9.12,\"total\":54.72}\n"),
        ("replace", "reply", "{\"tip\":9.12,\"total\":54.72}\n"),
        ("enforce", "reviewed", "The tip is $9.12.\n"),
        ("enforce", "reply", "The tip is $9.12.\n"),
        ("enforce", "answer_rejected", "The tip is $9.12.\n"),
    ] {
        let call = [("a", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#)];
        let script = Script::new().reply(Reply::calls(call)).reply(Reply::text(wrong));
        let server = ModelServer::start(script.reply(Reply::text("The tip is $9.12."))).await;
        let cli = Cli::asking(&server);
        let ended = cli.run(&["ask", "--review", review, "--json", "20% tip on $45.60?"]).await;
        let id = ended.events()[0]["conversation_id"].as_str().unwrap().to_owned();
        let log = cli.run(&["conversations", "export"]).await.out;
        let lines: Vec<&str> = log.lines().collect();
        let kind = format!("\"type\":\"{upto}\"");
        let rejected = lines.iter().position(|it| it.contains(wrong)).unwrap();
        let last = lines.iter().skip(rejected).position(|it| it.contains(&kind)).unwrap();
        let cut = lines[..=rejected + last].join("\n");

        let server =
            ModelServer::start(Script::new().reply(Reply::text("The tip is $9.12."))).await;
        let other = Cli::asking(&server).env("TOOLWRIGHT_REVIEW", review);
        let import = ["conversations", "import", "-"];
        let imported = other.run_with_input(&import, Some(&format!("{cut}\n"))).await;
        assert_eq!(imported.code, Some(0), "{}", imported.err);
        let ended = other.run(&["conversations", "resume", &id]).await;
        assert_eq!(ended.out, expected, "{review} after {upto}: {}", ended.err);
    }
}

#[tokio::test]
async fn whoever_stops_listening_is_not_told_about_it() {
    let cli = Cli::new();
    let mut child = cli.command(&["doctor"]).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().await.unwrap();
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
    assert_eq!(ended.status.code(), Some(0));
}

/// The most memory the command may take, in KiB of addresses: what is too large is refused before it is read,
/// and what is no export where it stops being one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_is_too_large_or_no_export_is_refused_before_it_is_held() {
    let cli = Cli::new();
    let at = |name: &str| cli.folder.path().join(name);
    let sparse = |name: &str, length| {
        std::fs::File::create(at(name)).unwrap().set_len(length).unwrap();
    };
    // Holes: they take no room on the disk, and as much as they say in memory.
    sparse("large", (1 << 30) + 1);
    sparse("line", 1 << 29);
    for (script, says) in [
        ("\"$@\" large", "it is larger than 1024 MiB"),
        ("\"$@\" line", "line 1 is larger than 64 MiB"),
        ("\"$@\" - < line", "line 1 is larger than 64 MiB"),
        ("yes | \"$@\" -", "line 1 is not an event"),
    ] {
        let inner = cli.command(&["conversations", "import"]);
        let inner = inner.as_std();
        let mut command = tokio::process::Command::new("sh");
        command.args(["-c", &format!("ulimit -d 400000; {script}"), "sh"]).arg(inner.get_program());
        command.args(inner.get_args()).env_clear().current_dir(cli.folder.path());
        command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = command.env("PATH", "/usr/bin:/bin").output().await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(says), "{script}: {said}");
    }
}

/// What the page and the API export is one value, and is taken, too.
#[tokio::test]
async fn a_conversation_in_one_piece_is_imported() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Three."))).await;
    let cli = Cli::asking(&server);
    let asked = cli.run(&["ask", "How many?"]).await;
    assert_eq!(asked.code, Some(0), "{}", asked.err);
    let lines = cli.run(&["conversations", "export"]).await.out;
    let events: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let piece = format!(
        r#"{{"toolwright":2,"conversation":{{"title":"x"}},"events":{},"attachments":[]}}"#,
        Value::from(events.clone())
    );
    let elsewhere = Cli::asking(&server);
    let imported = elsewhere.run_with_input(&["conversations", "import", "-"], Some(&piece)).await;
    assert_eq!(imported.code, Some(0), "{}", imported.err);
    assert_eq!(elsewhere.run(&["conversations", "export"]).await.out, lines);
    for (broken, says) in [
        (r#"{"toolwright":2,"events":[{}]}"#, "is no export"),
        (r#"{"toolwright":2}"#, "missing field `events`"),
        (&piece[..piece.len() - 2], "nothing was imported"),
    ] {
        let refused =
            elsewhere.run_with_input(&["conversations", "import", "-"], Some(broken)).await;
        assert!(refused.code != Some(0) && refused.err.contains(says), "{}", refused.err);
    }
}

#[tokio::test]
async fn that_another_model_went_on_is_shown() {
    let log = include_str!("../../../../web/tests/logs/model-fallback.jsonl");
    let kept = log.lines().filter(|line| !line.contains(r#""type":"content""#));
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    let server = ModelServer::start(Script::new()).await;
    let cli = Cli::asking(&server);
    let imported = cli.run_with_input(&["conversations", "import", "-"], Some(&kept)).await;
    assert_eq!(imported.code, Some(0), "{}", imported.err);
    let id: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let shown = cli.run(&["conversations", "show", id["conversation_id"].as_str().unwrap()]).await;
    let told = "anthropic:scripted gave no reply (the reply broke off): openai:scripted goes on";
    assert!(shown.out.contains(told), "{}", shown.out);
    assert!(shown.out.ends_with("The sky is blue.\n"), "{}", shown.out);
}
