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
    assert!(checked.out.contains("✓ weather 1 tool"), "{}", checked.out);
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
        ("---\nlimits: { rounds: many }\n---\nx", "line 2", "a whole number"),
        ("---\ntitle: x\nprompt: x\n---\nx", "line 3", "the text below it"),
        ("---\npacks: [demo]\n---\n\nx {{ toolz }}", "line 5", "there is no `toolz`"),
        ("---\npacks: [demo]\n---\n{% for x in tools %}", "line 4", "the prompt"),
        ("---\npacks: [demo]\n---\n", "", "no prompt"),
        ("---\n\npacks: [dmo]\n---\nx", "line 3", "packs are: demo, market, watch, web, workspace"),
        (
            "---\npacks: [demo]\ntools: [get_wether]\n---\nx",
            "line 3",
            "did you mean `get_weather`?",
        ),
        (
            "---\npacks: [demo]\ntools:\n - take_note\n - gett_*\n---\nx",
            "line 5",
            "there are: get_weather",
        ),
        (
            "---\npacks: [demo]\ntools: [search_instruments]\n---\nx",
            "line 3",
            "one of the pack `market`",
        ),
        (
            "---\npacks: [demo]\nfirst_tool_choice: get_wether\n---\nx",
            "line 3",
            "did you mean `get_weather`?",
        ),
        ("---\npacks: []\nfirst_tool_choice: required\n---\nx", "line 3", "has no tools"),
        (
            "---\napprovals:\n  - { verdict: deny, tool: bsh }\n---\nx",
            "line 3",
            "did you mean `bash`?",
        ),
        ("---\ntitle: x\nreview: strict\n---\nx", "line 3", "use off, warn, enforce or replace"),
        ("---\nlimits:\n  wall_clock: 1.5h\n---\nx", "line 3", "`1.5h` is no time"),
        ("---\nlimits: { cost: -1 }\n---\nx", "line 2", "an amount of money"),
        ("---\nlimits: { cost: .nan }\n---\nx", "line 2", "an amount of money"),
        ("---\nmodel: \"\"\n---\nx", "line 2", "this is empty"),
        ("---\ntitle: [x]\n---\nx", "line 2", "a text is expected"),
        ("---\npacks: demo\n---\nx", "line 2", "a list"),
        ("---\nlimits: 3\n---\nx", "line 2", "a set of fields"),
        ("---\nlimits: { cost: much }\n---\nx", "line 2", "a number is expected"),
        ("---\none_at_a_time: maybe\n---\nx", "line 2", "`true` or `false`"),
        ("---\ntitle: x\ntitle: y\n---\nx", "line 3", "`title` is there twice"),
        (
            "---\napprovals: [{ verdict: deny, tool: bash, until: soon }]\n---\nx",
            "line 2",
            "2027-01-31",
        ),
        ("---\napprovals: [{ verdict: no, tool: bash }]\n---\nx", "line 2", "allow, ask, deny"),
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
            // Nobody needs to know what reads the file.
            for word in ["u32", "scalar", "mapping", "sequence", "floating", "Policy", "variant"] {
                assert!(!told.contains(word), "{word}: {told}");
            }
            // A field that is refused is not offered.
            assert!(!told.contains("approvals, prompt"), "{told}");
        }
        assert_eq!(cli.run(&["ask", "--task", "demo", "hi"]).await.code, Some(0), "{text}");
        assert_eq!(cli.run(&["tasks"]).await.code, Some(0), "{text}");
    }
}

/// The same holds of the config file: its line, plain words, what there is, and advice that works.
#[tokio::test]
async fn a_mistake_in_the_config_file_is_told_with_its_line() {
    for (text, place, reason) in [
        ("[limits]\ncost = nan\n", "line 2", "an amount of money"),
        ("[limits]\ncost = -5.0\n", "line 2", "an amount of money"),
        ("[model]\ninput_price = -1.0\n", "line 2", "an amount of money"),
        ("[tasks.general]\nreview = \"of\"\n", "line 2", "use off, warn, enforce or replace"),
        ("\nreview = \"of\"\n", "line 2", "use off, warn, enforce or replace"),
        ("[tools.get_weather]\ntimeout = \"1\"\n", "line 2", "`1` is no time"),
        ("[tools.get_weather]\ncache = \"5m\"\nretries = 2\n", "line 3", "unknown field `retries`"),
        (
            "[tasks.general]\ntitle = [\"x\"]\n",
            "line 2",
            "a text is expected here, and this is a list",
        ),
        ("[limits]\nrounds = \"sk-secret\"\n", "line 2", "a whole number"),
        ("[limits]\nroundz = 1\n", "line 2", "did you mean `rounds`?"),
        ("workspcae = 1\n", "line 1", "did you mean `workspace`?"),
        ("[nothing]\n", "line 1", " demo, market, watch, web, workspace"),
        ("[tasks.mine]\ndescription = \"d\"\n", "[tasks.mine]", "without a `prompt`"),
        ("[tasks.\"Bad Name\"]\nprompt = \"d\"\n", "Bad Name", "small letters"),
    ] {
        let cli = Cli::new().configured(text);
        for args in [&["ask", "hi"][..], &["tasks"], &["doctor"]] {
            let ended = cli.run(args).await;
            assert_eq!(ended.code, Some(2), "{text}: {}{}", ended.out, ended.err);
            let file = cli.settings().display().to_string();
            for words in [file.as_str(), place, reason] {
                assert!(ended.err.contains(words), "{text}: {words}: {}", ended.err);
            }
            for word in ["u32", "sequence", "sk-secret", "toolwright doctor", "tasks check"] {
                assert!(!ended.err.contains(word), "{text}: {word}: {}", ended.err);
            }
        }
    }
}

/// A task that was set and is none is told with where it was set; what shows that runs.
#[tokio::test]
async fn a_task_that_was_set_and_is_none_is_told_with_its_place() {
    let in_file = Cli::new().configured("task = \"nosuch\"\n");
    let in_env = Cli::new().env("TOOLWRIGHT_TASK", "nosuch");
    let file = in_file.settings().display().to_string();
    for (cli, place) in [(in_file, file.as_str()), (in_env, "environment TOOLWRIGHT_TASK")] {
        let asked = cli.run(&["ask", "hi"]).await;
        assert_eq!(asked.code, Some(2), "{}", asked.err);
        let tasks = cli.run(&["tasks"]).await;
        assert_eq!(tasks.code, Some(0), "{}", tasks.err);
        assert!(tasks.out.contains("general"), "{}", tasks.out);
        let doctor = cli.run(&["doctor"]).await;
        assert_eq!(doctor.code, Some(1), "{}", doctor.err);
        for told in [&asked.err, &tasks.err, &doctor.out] {
            assert!(told.contains("there is no task `nosuch`") && told.contains(place), "{told}");
        }
    }
    // So does a task of the user's that takes the place of the usual one and is wrong.
    let cli = Cli::new();
    put(&cli, "general.md", "---\npackz: []\n---\nx");
    assert_eq!(cli.run(&["ask", "hi"]).await.code, Some(2));
    let checked = cli.run(&["tasks", "check"]).await;
    assert!(checked.out.contains("✗ general") && checked.out.contains("✓ demo"), "{}", checked.out);
    assert!(cli.run(&["doctor", "--task", "nosuch"]).await.code == Some(2), "typed is typed");
}

/// What was opened for one task is not there in the next, and a rule that is over is told.
#[tokio::test]
async fn checking_all_tasks_says_the_same_as_checking_each() {
    let cli = Cli::new();
    // The workspace comes before those that have all packs.
    put(&cli, "all.md", "---\npacks: [\"*\"]\n---\nx");
    put(&cli, "none.md", "---\ntools: []\n---\nx");
    let over = "---\napprovals: [{ verdict: deny, tool: bash, until: \"2020-01-01\" }]\n---\nx";
    put(&cli, "over.md", over);
    let folder = cli.folder.path().join("work");
    std::fs::create_dir(&folder).unwrap();
    let lines = async |args: &[&str]| {
        let mut command = cli.command(&[&["tasks", "check"], args].concat());
        let output = command.current_dir(&folder).output().await.unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let all = lines(&[]).await;
    assert!(all.contains("✓ workspace ") && !all.contains("not here"), "{all}");
    assert!(all.contains("✓ none 0 tools"), "{all}");
    assert!(all.contains("warning") && all.contains("is over since 2020-01-01"), "{all}");
    for line in all.lines() {
        let name = line.split_whitespace().nth(1).unwrap();
        assert_eq!(lines(&[name]).await.trim_end(), line);
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
    let again = cli.run(&["tasks", "new", "release-notes"]).await;
    assert_eq!(again.code, Some(2), "it is kept");
    assert!(again.err.contains("is there already") && !again.err.contains("os error"), "{again:?}");
    let built_in = cli.run(&["tasks", "new", "trading"]).await;
    assert!(built_in.err.contains("`trading` is built in"), "{}", built_in.err);
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
    // What is shown is what counts.
    let shown = cli.run(&["tasks", "show", "demo"]).await;
    assert!(shown.out.ends_with("---\nBe kind.\n"), "{}", shown.out);
    assert!(shown.err.contains("`[tasks.demo]`") && shown.err.contains("prompt"), "{}", shown.err);
}

/// The task that a server was given as a file is one of its tasks; one that is wrong is told as at a
/// terminal; and what a page shows of tasks is what it seems to be.
#[tokio::test]
async fn a_server_offers_its_task_and_tells_what_is_wrong_with_another() {
    let cli = Cli::new();
    let front =
        "title: \"\\u202Eevil\\u0007\"\ndescription: \"a\\u2066b\"\nstarters: [\"\\u202Ego\"]";
    let text = format!("---\n{front}\npacks: [demo]\ntools: [get_weather]\n---\nx");
    std::fs::write(cli.folder.path().join("bom.md"), text).unwrap();
    put(&cli, "wrong.md", "---\npackz: [demo]\n---\nx");
    let args = ["--json", "serve", "--addr", "127.0.0.1:0", "--task", "./bom.md"];
    let mut server = cli.command(&args).spawn().unwrap();
    let stdout = server.stdout.take().unwrap();
    let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(stdout));
    let told: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
    let socket = told["socket"].as_str().unwrap();
    let get = async |path: &str| -> Value {
        let url = format!("http://localhost{path}");
        let curl = tokio::process::Command::new("curl")
            .args(["-s", "--unix-socket", socket, &url])
            .output();
        serde_json::from_slice(&curl.await.unwrap().stdout).unwrap()
    };
    let info = get("/api/info").await;
    assert_eq!(info["task"], "bom");
    let bom = info["tasks"].as_array().unwrap().iter().find(|it| it["name"] == "bom").unwrap();
    assert_eq!(
        *bom,
        json!({"name": "bom", "title": "evil", "description": "ab", "starters": ["go"]})
    );
    let tools = get("/api/tools?task=bom").await;
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(1), "{tools}");
    let wrong = get("/api/tools?task=wrong").await;
    let message = wrong["error"]["message"].as_str().unwrap();
    assert_eq!(wrong["error"]["code"], "invalid");
    assert!(message.contains("wrong.md") && message.contains("line 2"), "{message}");
    server.kill().await.unwrap();
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
