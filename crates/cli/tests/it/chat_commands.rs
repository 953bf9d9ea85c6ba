//! What is typed behind a `/` in `toolwright chat`, with lines piped in.

use std::fs;

use serde_json::Value;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{harness::Cli, questions::Person};

async fn server(answers: &[&str]) -> ModelServer {
    let replies = answers.iter().map(|it| Reply::text(*it));
    ModelServer::start(replies.fold(Script::new(), Script::reply)).await
}

#[tokio::test]
async fn another_model_and_another_task_go_on_with_the_conversation() {
    let server = server(&["One.", "Two.", "Three."]).await;
    let lines =
        "First?\n/model other\nSecond?\n/task demo\n/model anthropic:nosuch\nThird?\n/task\n";
    let ended = Cli::asking(&server).run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (Some(0), "One.\nTwo.\nThree.\n"),
        "{}",
        ended.err
    );
    let requests = server.requests();
    let chats: Vec<_> = requests.iter().filter(|it| it.body.get("messages").is_some()).collect();
    let models: Vec<_> = chats.iter().map(|it| it.body["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["scripted", "other", "other"], "{}", ended.err);
    let tools = |at: usize| chats[at].body["tools"].as_array().unwrap().len();
    assert!(tools(2) < tools(1), "{} and {}", tools(2), tools(1));
    assert!(chats[2].body["messages"].to_string().contains("First?"));
    assert!(ended.err.contains("From now on: task demo"), "{}", ended.err);
    assert!(ended.err.contains("ANTHROPIC_API_KEY"), "{}", ended.err);
    assert!(ended.err.contains("● demo"), "{}", ended.err);
}

#[tokio::test]
async fn what_was_used_and_what_fills_the_window_is_told() {
    let first = Reply::text("One.").usage(1_200, 30);
    let script = Script::new().reply(first).reply(Reply::text("Two.").usage(1_300, 5));
    let server = ModelServer::start(script).await;
    let lines = "/status\nFirst?\nSecond?\n/status\n/context\n/compact\n/status\n";
    let ended = Cli::asking(&server).run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let err = &ended.err;
    assert!(err.contains("nothing was asked yet"), "{err}");
    assert!(err.contains("2,500 read (0 from a cache), 35 written, in 2 questions"), "{err}");
    assert!(err.contains("This rests on what the provider counted."), "{err}");
    for part in ["Instructions", "Tools", "Messages"] {
        assert!(err.contains(&format!("  {part}")), "{part}: {err}");
    }
    assert!(err.contains("compacts      with the next question"), "{err}");
}

#[tokio::test]
async fn the_older_part_is_replaced_with_the_next_question() {
    let long = "A long answer about olives. ".repeat(200);
    let server = server(&[&long, &long, "Short."]).await;
    let lines = "First?\nSecond?\n/compact\nThird?\n";
    let ended =
        Cli::asking(&server).run_with_input(&["chat", "--review", "off"], Some(lines)).await;
    assert!(ended.err.contains("older messages were shortened"), "{}", ended.err);
    let sizes: Vec<_> =
        server.requests().iter().map(|it| it.body["messages"].to_string().len()).collect();
    assert!(sizes[2] < sizes[1] + long.len(), "{sizes:?}");
}

#[tokio::test]
async fn a_conversation_is_written_to_a_file_that_is_not_there_yet() {
    let server = server(&["Sunny </script><script>alert(1)</script>."]).await;
    let cli = Cli::asking(&server);
    let lines = "/export a.md\nWeather?\n/export a.md\n/export a.json\n/export a.jsonl\n/export a.html\n\
        /export a.md\n/export a.doc\n/export\n";
    let ended = cli.run_with_input(&["chat", "--review", "off"], Some(lines)).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let file = |name: &str| fs::read_to_string(cli.folder.path().join(name)).unwrap();
    assert!(ended.err.contains("nothing was asked here yet"), "{}", ended.err);
    assert!(file("a.md").starts_with("# Weather?\n"), "{}", file("a.md"));
    let whole: Value = serde_json::from_str(&file("a.json")).unwrap();
    assert_eq!(whole["events"].as_array().unwrap().len(), file("a.jsonl").lines().count());
    assert!(ended.err.contains("a.md cannot be written"), "{}", ended.err);
    assert!(ended.err.contains("let it end in .md, .html, .json or .jsonl"), "{}", ended.err);
    let id = whole["conversation"]["id"].as_str().unwrap();
    assert_eq!(file(&format!("{id}.md")), file("a.md"));
    let exported = cli.run(&["conversations", "export", id]).await.out;
    assert_eq!(exported.lines().count(), file("a.jsonl").lines().count());
    // However it is written, it is taken in elsewhere.
    let pretty = format!("\u{feff}\n{}", serde_json::to_string_pretty(&whole).unwrap());
    for text in [file("a.json"), pretty] {
        let other = Cli::new();
        let imported = other.run_with_input(&["conversations", "import", "-"], Some(&text)).await;
        assert_eq!(imported.code, Some(0), "{}", imported.err);
    }
    // The page is built into a program only where it was made before.
    match fs::read_to_string(cli.folder.path().join("a.html")) {
        Ok(html) => assert_eq!(html.matches("<script>alert").count(), 0, "{id}"),
        Err(_) => assert!(ended.err.contains("built without the page"), "{}", ended.err),
    }
}

#[tokio::test]
async fn another_conversation_is_gone_on_with() {
    let server = server(&["One.", "Two.", "Three.", "Four."]).await;
    let lines = "About olives?\n/new\nAbout bread?\n/conversations\n/conversations 2\nAnd?\n\
        /conversations bread\nSo?\n/conversations 7\n/conversations nosuchword\n";
    let ended = Cli::asking(&server).run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.out, "One.\nTwo.\nThree.\nFour.\n", "{}", ended.err);
    let asked = |at: usize| server.requests()[at].body["messages"].to_string();
    assert!(asked(2).contains("olives") && !asked(2).contains("bread"), "{}", asked(2));
    assert!(asked(3).contains("bread") && !asked(3).contains("olives"), "{}", asked(3));
    assert!(ended.err.contains("there is no conversation 7"), "{}", ended.err);
    assert!(ended.err.contains("nothing has all of these words: nosuchword"), "{}", ended.err);
}

/// What was approved for good and is taken back is asked about again, in the same chat.
#[tokio::test]
async fn what_is_approved_is_listed_and_taken_back() {
    let call = || Reply::calls([("a", "delete_notes", "{}")]);
    let replies = [call(), Reply::text("One."), call(), Reply::text("Two.")];
    let script = replies.into_iter().fold(Script::new(), Script::reply);
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let (list, remove) = ("/approvals", "/approvals remove 1");
    let lines = [list, "Delete them.", "a", list, remove, remove, list, "Again.", "n", "/quit"];
    let seen = Person::talks(&cli, &["chat"], &lines).await;
    assert!(seen.contains("One.\n") && seen.contains("Two.\n"), "{seen}");
    assert_eq!(seen.matches("Nothing is approved for good.").count(), 2, "{seen}");
    assert!(seen.contains("Taken back:"), "{seen}");
    assert!(seen.contains("takes a number of the list"), "{seen}");
    assert_eq!(seen.matches("Run it?").count(), 2, "{seen}");
}

#[tokio::test]
async fn a_slip_of_the_pen_is_told_with_what_was_meant() {
    let lines = "/modle\n/contxt\n/xyzzy\n/retry now\n/attach\n/next\n/thinking loud\n/thinking\n/model\n/help\n";
    let ended = Cli::new().run_with_input(&["chat"], Some(lines)).await;
    for says in [
        "There is no /modle. Did you mean /model?",
        "There is no /contxt. Did you mean /context?",
        "There is no /xyzzy. /help shows",
        "/retry stands alone",
        "/attach takes a file",
        "/next takes a question",
        "/thinking takes on, off or nothing",
        "has not thought aloud",
        "demo answers.",
        "/export [FILE]",
    ] {
        assert!(ended.err.contains(says), "{says}: {}", ended.err);
    }
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""));
}

/// A file that a question names goes with it; an address of somebody does not.
#[tokio::test]
async fn a_file_is_named_in_the_question() {
    let server = server(&["Olives."]).await;
    let cli = Cli::asking(&server);
    fs::write(cli.folder.path().join("notes.txt"), "Buy olives.").unwrap();
    fs::write(cli.folder.path().join("example.com"), "Not this.").unwrap();
    let lines = "What is in @notes.txt, and who is ann@example.com or @nobody?\n";
    let ended = cli.run_with_input(&["chat"], Some(lines)).await;
    assert!(ended.err.contains("notes.txt (text/plain, 11 bytes) goes with it."), "{}", ended.err);
    let asked = server.requests()[0].body["messages"].to_string();
    assert!(asked.contains("Buy olives.") && !asked.contains("Not this."), "{asked}");
}

/// What a command of the user's own names goes with it once, and what a question names stands in it as people write.
#[tokio::test]
async fn a_file_goes_with_a_question_once() {
    let server = server(&["One.", "Two."]).await;
    let cli = Cli::asking(&server);
    let commands = cli.folder.path().join(".config/toolwright/commands");
    fs::create_dir_all(&commands).unwrap();
    fs::write(commands.join("mine.md"), "Read @notes.md").unwrap();
    fs::write(cli.folder.path().join("notes.md"), "Buy olives.").unwrap();
    fs::write(cli.folder.path().join("a b.txt"), "Buy bread.").unwrap();
    let lines = "/mine\nSee (@notes.md), @a\\ b.txt, and @notes.md.\n";
    let ended = cli.run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.out, "One.\nTwo.\n", "{}", ended.err);
    let asked = |at: usize| server.requests()[at].body["messages"].to_string();
    assert_eq!(asked(0).matches("Buy olives.").count(), 1, "{}", asked(0));
    let last = asked(1).rsplit("See (@notes.md)").next().unwrap().to_owned();
    assert_eq!(last.matches("Buy olives.").count(), 1, "{last}");
    assert_eq!(last.matches("Buy bread.").count(), 1, "{last}");
}

#[tokio::test]
async fn the_copy_is_gone_on_with() {
    let server = server(&["One.", "Two."]).await;
    let lines = "First?\nSecond?\n/fork 1\n/quit\n";
    let ended = Cli::asking(&server).run_with_input(&["chat"], Some(lines)).await;
    let copy = ended.err.split("A copy up to question 1: ").nth(1).unwrap();
    let copy = copy.split('.').next().unwrap();
    let told = format!("Go on with: toolwright chat --conversation {copy}\n");
    assert!(ended.err.ends_with(&told), "{}", ended.err);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_last_answer_is_copied_by_a_program_where_there_is_a_screen() {
    use std::os::unix::fs::PermissionsExt;
    let server = server(&["Sunny.", "Rain."]).await;
    let cli = Cli::asking(&server);
    let ended = cli.run_with_input(&["chat"], Some("/copy\nWeather?\n/copy\n")).await;
    assert!(ended.err.contains("nothing was answered here yet"), "{}", ended.err);
    assert!(ended.err.contains("neither a clipboard program nor a terminal"), "{}", ended.err);
    let program = cli.folder.path().join("wl-copy");
    fs::write(&program, "#!/bin/sh\ncat > copied\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", cli.folder.path().display());
    let cli = cli.env("PATH", &path).env("WAYLAND_DISPLAY", "wayland-0");
    let ended = cli.run_with_input(&["chat"], Some("Weather?\n/copy\n")).await;
    assert!(ended.err.contains("copied with wl-copy"), "{}", ended.err);
    assert_eq!(fs::read_to_string(cli.folder.path().join("copied")).unwrap(), "Rain.");
}
