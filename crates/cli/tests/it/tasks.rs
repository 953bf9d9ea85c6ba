//! Tasks are files: those that come with packs, the user's, a project's.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

/// The folder of the user's own tasks.
fn tasks(cli: &Cli) -> PathBuf {
    let folder = cli.folder.path().join(".config/toolwright/tasks");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn put(cli: &Cli, name: &str, text: &str) -> PathBuf {
    let path = tasks(cli).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The names of the tools that were offered, and the system prompt.
fn offered(request: &Value) -> (Vec<String>, String) {
    let tools = request["tools"].as_array().cloned().unwrap_or_default();
    let names = tools.iter().map(|it| it["function"]["name"].as_str().unwrap().to_owned());
    (names.collect(), request["messages"][0]["content"].as_str().unwrap().to_owned())
}

const WEATHER: &str = "---
description: the weather and nothing else
packs: [demo]
tools: [\"get_*\"]
first_tool_choice: required
limits: { rounds: 2 }
starters: [Is it raining?]
---
You tell the weather with {% for tool in tools %}{{ tool.name }}{% endfor %}. The date is {{ date }}.
";

#[tokio::test]
async fn a_file_of_the_users_is_a_task() {
    let server = ModelServer::start(Script::new().reply(Reply::text("It is sunny."))).await;
    let cli = Cli::asking(&server);
    put(&cli, "weather.md", WEATHER);
    let list = cli.run(&["tasks"]).await;
    assert!(list.out.contains("the weather and nothing else"), "{}", list.out);
    let shown = cli.run(&["tasks", "show", "weather"]).await;
    assert_eq!(shown.out.trim(), WEATHER.trim());
    let checked = cli.run(&["tasks", "check", "weather"]).await;
    assert!(checked.out.contains("✓ weather 1 tools"), "{}", checked.out);
    cli.run(&["ask", "--task", "weather", "--review", "off", "Is it raining?"]).await;
    let requests = server.requests();
    let (names, system) = offered(&requests[0].body);
    assert_eq!(names, ["get_weather"]);
    assert!(
        system.starts_with("You tell the weather with get_weather. The date is 20"),
        "{system}"
    );
    assert_eq!(requests[0].body["tool_choice"], "required");
}

#[tokio::test]
async fn a_file_can_be_named_where_it_lies() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Hello."))).await;
    let cli = Cli::asking(&server);
    std::fs::write(cli.folder.path().join("greet.md"), "---\npacks: []\n---\nGreet.\n").unwrap();
    let ended = cli.run(&["ask", "--task", "./greet.md", "hi"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let (names, system) = offered(&server.requests()[0].body);
    assert_eq!((names.len(), system.as_str()), (0, "Greet."));
    // What is not typed names no file.
    let cli = cli.configured("task = \"./greet.md\"\n");
    assert!(cli.run(&["ask", "hi"]).await.err.contains("there is no task `./greet.md`"));
}

/// Every mistake is told with its line and what could stand there; and no other task minds.
#[tokio::test]
async fn a_mistake_is_told_with_its_line_and_the_fields_there_are() {
    let cli = Cli::new();
    for (text, line, reason) in [
        ("You are kind.", "line 1", "begins with a line `---`"),
        ("---\npacks: [demo]\nYou are kind.", "line 1", "is not closed"),
        ("---\npackz: [demo]\n---\nx", "line 2", "packz"),
        ("---\n\n\npackz: [demo]\n---\nx", "line 4", "starters"),
        ("---\nlimits: { rounds: many }\n---\nx", "line 2", ""),
        ("---\nprompt: x\n---\nx", "line 2", "the text below it"),
        ("---\npacks: [demo]\n---\n\nx {{ toolz }}", "line 5", "there is no `toolz`"),
        ("---\npacks: [demo]\n---\n{% for x in tools %}", "line 4", "the prompt"),
        ("---\npacks: [demo]\n---\n", "", "no prompt"),
        ("---\npacks: [dmo]\n---\nx", "", "packs are: demo, market, watch, workspace"),
        ("---\npacks: [demo]\ntools: [get_wether]\n---\nx", "", "did you mean `get_weather`?"),
        ("---\nreview: strict\n---\nx", "", "use off, warn, enforce or replace"),
        ("---\nlimits: { wall_clock: soon }\n---\nx", "", "limits.wall_clock"),
        (
            "---\npacks: [demo]\n---\n{% for a in range(9999) %}{% for b in range(9999) %}.{% endfor %}{% endfor %}",
            "",
            "",
        ),
    ] {
        put(&cli, "mine.md", text);
        for args in [&["ask", "--task", "mine", "hi"][..], &["tasks", "check"]] {
            let ended = cli.run(args).await;
            assert_eq!(ended.code, Some(2), "{text}: {}{}", ended.out, ended.err);
            let told = format!("{}{}", ended.out, ended.err);
            assert!(told.contains(line) && told.contains(reason), "{text}\n{told}");
            assert!(told.contains("mine"), "{told}");
        }
        assert_eq!(cli.run(&["ask", "--task", "demo", "hi"]).await.code, Some(0), "{text}");
        let listed = cli.run(&["tasks"]).await.out;
        assert!(line.is_empty() || listed.contains("toolwright tasks check mine"), "{listed}");
    }
}

#[tokio::test]
async fn a_new_file_works_as_it_is_written() {
    let cli = Cli::new();
    let made = cli.run(&["tasks", "new", "release-notes"]).await;
    assert!(Path::new(made.out.trim()).ends_with("tasks/release-notes.md"), "{}", made.out);
    let checked = cli.run(&["tasks", "check", "--json"]).await;
    let checked: Vec<Value> = serde_json::from_str(&checked.out).unwrap();
    assert!(checked.iter().all(|it| it["ok"] == json!(true)), "{checked:?}");
    assert_eq!(checked.last().unwrap()["name"], "release-notes");
    assert_eq!(cli.run(&["tasks", "new", "release-notes"]).await.code, Some(2), "it is kept");
    assert_eq!(cli.run(&["tasks", "new", "../x"]).await.code, Some(2));
    // A file that no task can be called by is told, and not just missed.
    put(&cli, "Release Notes.md", "---\n---\nx");
    let checked = cli.run(&["tasks", "check"]).await;
    assert!(checked.out.contains("Release Notes") && checked.out.contains("rename the file"));
}

#[tokio::test]
async fn the_config_file_can_hold_a_task_and_change_one() {
    let server =
        ModelServer::start(Script::new().reply(Reply::text("Hi.")).reply(Reply::text("Hi."))).await;
    let cli = Cli::asking(&server).configured(
        "[tasks.short]\npacks = [\"demo\"]\ntools = [\"calculate_tip\"]\nprompt = \"Be short.\"\n\
         [tasks.demo]\nprompt = \"Be kind.\"\n",
    );
    cli.run(&["ask", "--task", "short", "--review", "off", "hi"]).await;
    cli.run(&["ask", "--task", "demo", "--review", "off", "hi"]).await;
    let requests = server.requests();
    let (names, system) = offered(&requests[0].body);
    assert_eq!((names, system.as_str()), (vec!["calculate_tip".to_owned()], "Be short."));
    let (names, system) = offered(&requests[1].body);
    assert_eq!((names.len(), system.as_str()), (5, "Be kind."));
}

/// What a project says is data until it is trusted, and then it allows nothing.
#[tokio::test]
async fn a_projects_task_counts_when_its_bytes_were_trusted() {
    let cli = Cli::new();
    let folder = cli.folder.path().join("theirs");
    let files = folder.join(".toolwright/tasks");
    std::fs::create_dir_all(&files).unwrap();
    let path = files.join("deploy.md");
    let text = "---\ndescription: theirs\npacks: [demo]\n---\nDeploy.\n";
    std::fs::write(&path, text).unwrap();
    let list = async || {
        let mut command = cli.command(&["tasks"]);
        let output = command.current_dir(&folder).output().await.unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!list().await.contains("deploy"));
    let trust = async || {
        let mut command = cli.terminal(&["trust"], None);
        let mut child = command.current_dir(&folder).spawn().unwrap();
        let mut typed = child.stdin.take().unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut typed, b"y\n").await.unwrap();
        drop(typed);
        String::from_utf8(child.wait_with_output().await.unwrap().stdout).unwrap()
    };
    let asked = trust().await;
    assert!(asked.contains("a task of the folder's own") && asked.contains("deploy.md"), "{asked}");
    assert!(list().await.contains("deploy"));
    // Changed bytes, another file: neither was trusted.
    std::fs::write(&path, format!("{text}And more.\n")).unwrap();
    assert!(!list().await.contains("deploy"));
    std::fs::write(&path, text).unwrap();
    std::fs::write(files.join("more.md"), text).unwrap();
    assert!(!list().await.contains("deploy"));
    // Trusted or not, it takes no known name and allows nothing.
    std::fs::write(files.join("demo.md"), text.replace("theirs", "not the demo")).unwrap();
    let allows = "---\napprovals: [{ verdict: allow, tool: delete_notes }]\n---\nx";
    std::fs::write(files.join("more.md"), allows).unwrap();
    trust().await;
    let listed = list().await;
    assert!(!listed.contains("not the demo"), "{listed}");
    assert!(listed.contains("toolwright tasks check more"), "{listed}");
}

/// Somebody who is only at a terminal wants to talk.
#[tokio::test]
async fn without_a_command_one_talks() {
    let cli = Cli::new();
    let mut child = cli.terminal(&[], None).spawn().unwrap();
    let mut typed = child.stdin.take().unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut typed, b"/quit\n").await.unwrap();
    let shown = child.wait_with_output().await.unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("/help for help"), "{shown}");
    assert_eq!(cli.run(&[]).await.code, Some(2), "and without a terminal help is shown");
}
