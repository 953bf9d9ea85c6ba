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
