//! Policies from `toolwright.toml`, in the real binary.

use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

#[tokio::test]
async fn what_a_layer_does_is_shown_and_kept() {
    let twice = r#"{"location":"Rome"}"#;
    let script = Script::new()
        .reply(Reply::calls([("a", "get_weather", twice)]))
        .reply(Reply::calls([("b", "get_weather", r#"{ "location": "Rome" }"#)]))
        .reply(Reply::calls([("c", "get_weather", r#"{"location":"Oslo"}"#)]))
        .reply(Reply::text("Sunny, 72°F."));
    let server = ModelServer::start(script).await;
    let toml = "[tools.get_weather]\ncache = \"5m\"\nretry = 3\nbreaker = true\n\
                limit = { per_run = 2 }\n[tools.\"*\"]\ntimeout = \"30s\"\n";
    let cli = Cli::asking(&server).configured(toml);
    let ended = cli.run(&["ask", "--json", "Weather in Rome?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let acted: Vec<_> = ended
        .events()
        .into_iter()
        .filter(|it| it["type"] == "policy_applied")
        .map(|it| format!("{} {} {}", it["id"], it["layer"], it["action"]))
        .collect();
    assert_eq!(acted, [r#""b" "cache" "hit""#]);
    let last = ended.events().pop().unwrap();
    let ends: Vec<_> =
        last["tool_calls"].as_array().unwrap().iter().map(|it| it["status"].clone()).collect();
    assert_eq!(ends, ["success", "success", "refused"]);
    server.assert_clean();
}

#[tokio::test]
async fn a_policy_that_cannot_be_kept_or_read_is_told() {
    for (toml, says) in [
        ("[tools.take_note]\nretry = 3\n", "take_note"),
        ("[tools.get_wether]\ncache = \"5m\"\n", "get_wether"),
        ("[tools.get_weather]\ncache = \"soon\"\n", "`soon` is no time"),
        ("[tools.get_weather]\nretries = 3\n", "unknown field `retries`"),
        ("[tools.get_weather]\nbreaker = false\n", "leave the line out"),
    ] {
        let ended = Cli::new().configured(toml).run(&["ask", "Weather in Rome?"]).await;
        assert_eq!(ended.code, Some(2), "{toml}: {}", ended.err);
        assert!(ended.err.contains(says), "{toml}: {}", ended.err);
    }
}

/// A time is read in the same way wherever one can be said. (`crates/macros` holds attributes against the
/// same table.)
#[tokio::test]
async fn every_time_is_written_in_one_grammar() {
    let in_file = [
        "[limits]\ntool_timeout = TIME",
        "[limits]\nwall_clock = TIME",
        "[model]\nidle_timeout = TIME",
        "[workspace]\ntimeout = TIME",
        "[tools.get_weather]\ntimeout = TIME",
        "[tools.get_weather]\nidle_timeout = TIME",
        "[tools.get_weather]\ncache = TIME",
        "[tools.get_weather]\nbreaker = { cooldown = TIME }",
        "[tools.get_weather]\nlimit = { calls = 1, period = TIME }",
    ];
    let spellings = include_str!("../../../duration/spellings.txt");
    for (text, wanted) in spellings.lines().filter_map(|line| line.split_once('\t')) {
        let quoted = format!("{text:?}");
        let flag = format!("--tool-timeout={text}");
        let mut runs = vec![(String::new(), vec!["ask", &flag, "Hello"])];
        let file = |line: &str| (line.replace("TIME", &quoted), vec!["ask", "Hello"]);
        runs.extend(in_file.map(file));
        for (toml, args) in runs {
            let ended = Cli::new().configured(&toml).run(&args).await;
            let is_read = wanted.parse::<u64>().is_ok();
            assert_eq!(ended.code == Some(2), !is_read, "{toml} {args:?}: {}", ended.err);
            assert!(is_read || ended.err.contains(wanted), "{toml} {args:?}: {}", ended.err);
        }
    }
}

/// Every name that any task has may stand in the file, whatever the task: what is said of a tool of
/// another is not used here.
#[tokio::test]
async fn what_is_said_of_a_tool_of_another_task_is_left_aside() {
    let cli = Cli::new();
    let folder = cli.folder.path().join("work");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.to_str().unwrap();
    let tasks: [&[&str]; 5] = [
        &["--task", "general"],
        &["--task", "demo"],
        &["--task", "trading"],
        &["--task", "history"],
        &["--task", "workspace", "--workspace", path],
    ];
    let mut toml = String::new();
    for task in tasks {
        let list = cli.run(&[&["tools", "list", "--json"], task].concat()).await;
        let list: serde_json::Value = serde_json::from_str(&list.out).unwrap();
        for tool in list.as_array().unwrap() {
            let section = format!("[tools.{}]\nbreaker = true\n", tool["function"]["name"]);
            if !toml.contains(&section) {
                toml.push_str(&section);
            }
        }
    }
    assert!(toml.matches("breaker").count() > 20, "{toml}");
    let cli = cli.configured(&toml);
    for task in tasks {
        let ended = cli.run(&[&["tools", "list"], task].concat()).await;
        assert_eq!(ended.code, Some(0), "{task:?}: {}", ended.err);
    }
    let ended = cli.run(&["ask", "--task", "demo", "Weather in Rome?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
}

/// What no task has is a mistake, and every command says which name was probably meant; so is what
/// cannot be kept for a tool of another task.
#[tokio::test]
async fn a_name_that_nothing_has_is_told_by_every_command() {
    for (toml, says) in [
        ("[tools.get_holding]\ncache = \"30s\"\n", "did you mean `get_holdings`?"),
        ("[tools.bsh]\ntimeout = \"30s\"\n", "did you mean `bash`?"),
        ("[[rules]]\nverdict = \"deny\"\ntool = \"shwo\"\n", "did you mean `show`?"),
        ("[tasks.histroy]\nreview = \"off\"\n", "there is no task `histroy`"),
        ("[tools.take_note]\ncache = \"30s\"\n", "take_note"),
    ] {
        let cli = Cli::new().configured(toml);
        for args in [
            &["ask", "--task", "history", "x"][..],
            &["doctor"],
            &["tools", "list", "--task", "trading"],
            &["conversations", "list"],
        ] {
            let ended = cli.run(args).await;
            assert_eq!(ended.code, Some(2), "{args:?} {toml}: {}", ended.err);
            assert!(ended.err.contains(says), "{args:?} {toml}: {}", ended.err);
        }
    }
}

/// The time for one call is a limit where somebody set it, by flag or in the file, whatever the tool
/// declares; where nobody did, it cuts nothing.
#[tokio::test]
async fn the_time_for_a_call_is_a_limit() {
    let asked = async |toml: &str, flags: &[&str], tool: &str, arguments: &str, task: &[&str]| {
        let script =
            Script::new().reply(Reply::calls([("a", tool, arguments)])).reply(Reply::text("Well."));
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server).configured(toml);
        std::fs::create_dir_all(cli.folder.path().join("work")).unwrap();
        let ended =
            cli.run(&[&["ask", "--json", "--approve"], flags, task, &["Go."]].concat()).await;
        ended.events().pop().unwrap()["tool_calls"][0]["status"].clone()
    };
    let history = &["--task", "history"][..];
    let work = &["--task", "workspace", "--workspace", "work"][..];
    let sleep = r#"{"command":"sleep 30"}"#;
    let file = "[limits]\ntool_timeout = \"1ms\"\n";
    let both = "[limits]\ntool_timeout = \"1ms\"\n[tools.get_statistics]\ntimeout = \"1h\"\n";
    let flag = &["--tool-timeout", "1ms"][..];
    for (toml, flags) in [("", flag), (file, &[][..]), (both, &[][..])] {
        assert_eq!(asked(toml, flags, "get_statistics", "{}", history).await, "timeout", "{toml}");
    }
    assert_eq!(asked("", &["--tool-timeout", "1s"], "bash", sleep, work).await, "timeout");
    assert_eq!(asked("", &[], "get_statistics", "{}", history).await, "success");
    let nothing = Cli::new().run(&["ask", "--tool-timeout", "0s", "x"]).await;
    assert_eq!(nothing.code, Some(2), "{}", nothing.err);
    // By hand as in a run.
    let cli = Cli::new().configured(file);
    let ended = cli.run(&["tools", "call", "get_statistics", "{}", "--task", "history"]).await;
    assert_eq!(ended.code, Some(1), "{}", ended.out);
}

/// A rule holds for every tool it names, also for those that only look.
#[tokio::test]
async fn rules_hold_for_tools_that_only_look() {
    let rule = |verdict: &str, tool: &str, pattern: &str| {
        let pattern = match pattern {
            "" => String::new(),
            pattern => format!("pattern = \"{pattern}\"\n"),
        };
        format!("[[rules]]\nverdict = \"{verdict}\"\ntool = \"{tool}\"\n{pattern}")
    };
    let denied = |tool: &str, pattern: &str| rule("deny", tool, pattern);
    for (rules, tool, arguments, runs) in [
        (denied("show", "secrets/*"), "show", r#"{"file_path":"secrets/k"}"#, false),
        (denied("show", "secrets/*"), "show", r#"{"file_path":"link"}"#, false),
        (denied("show", "secrets/*"), "show", r#"{"file_path":"./open/../secrets/k"}"#, false),
        (denied("show", "secrets/*"), "show", r#"{"file_path":"open/k"}"#, true),
        (denied("show", ""), "show", r#"{"file_path":"open/k"}"#, false),
        (denied("*", "secrets/*"), "search", r#"{"pattern":"canary"}"#, false),
        (denied("*", "secrets/*"), "list", r#"{"path":"secrets"}"#, false),
        (denied("*", "secrets/*"), "search", r#"{"pattern":"canary","path":"open"}"#, true),
        (denied("search", ""), "search", r#"{"pattern":"canary"}"#, false),
        (denied("search", ""), "show", r#"{"file_path":"secrets/k"}"#, true),
        (rule("ask", "show", "secrets/*"), "show", r#"{"file_path":"secrets/k"}"#, false),
        (rule("ask", "show", "secrets/*"), "show", r#"{"file_path":"open/k"}"#, true),
        (rule("allow", "show", "open/*"), "show", r#"{"file_path":"secrets/k"}"#, true),
    ] {
        let script =
            Script::new().reply(Reply::calls([("a", tool, arguments)])).reply(Reply::text("Well."));
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server).configured(&rules);
        let workspace = cli.folder.path().join("workspace");
        for name in ["secrets", "open"] {
            std::fs::create_dir_all(workspace.join(name)).unwrap();
            std::fs::write(workspace.join(name).join("k"), "canary\n").unwrap();
        }
        std::os::unix::fs::symlink("secrets/k", workspace.join("link")).unwrap();
        let path = workspace.to_str().unwrap();
        let task = ["--task", "workspace", "--workspace", path];
        let ended = cli.run(&[&["ask", "--json"], &task[..], &["Look."]].concat()).await;
        let done = ended.events().pop().unwrap();
        let status = if runs { "success" } else { "denied" };
        assert_eq!(done["tool_calls"][0]["status"], status, "{rules} {arguments}: {done}");
        let sent = server.requests().pop().unwrap().body.to_string();
        assert_eq!(
            sent.contains("canary\\n") || sent.contains("1: canary"),
            runs,
            "{rules} {arguments}: {sent}"
        );
    }
}
