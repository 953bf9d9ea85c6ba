//! MCP servers as sources of tools, in the real binary.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::Value;
use tempfile::TempDir;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

/// A server in a folder that everybody may read.
fn server() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp/tests/it/client/server.py");
    let copy = folder.path().join("server.py");
    fs::copy(script, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    let copy = copy.to_str().unwrap().to_owned();
    (folder, copy)
}

#[tokio::test]
async fn a_server_is_added_approved_and_called_by_a_model() {
    let (_folder, script) = server();
    let replies = Script::new()
        .reply(Reply::calls([("a", "fake__echo", r#"{"text":"from afar"}"#)]))
        .reply(Reply::text("It says: from afar."));
    let model = ModelServer::start(replies).await;
    let cli = Cli::asking(&model).configured("# mine\ntask = \"general\"\n");
    let add = ["mcp", "add", "fake", "--no-sandbox"];
    let program = ["--", "/usr/bin/python3", &script];
    // Somebody has to look.
    let ended = cli.run(&[&add[..], &program].concat()).await;
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(ended.out.contains("fake__bash (destructive, asks first)"), "{}", ended.out);
    let ended = cli.run(&["tools", "list"]).await;
    assert!(ended.out.contains("fake__* (not offered)"), "{}", ended.out);
    assert!(!ended.out.contains("fake__echo"), "{}", ended.out);
    let ended = cli.run(&["tools", "call", "fake__echo", r#"{"text":"by hand"}"#]).await;
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    let why = "`fake__echo` is withheld: its 16 tools are not approved yet: `toolwright mcp approve fake`";
    assert!(ended.err.contains(why), "{}", ended.err);
    let ended = cli.run(&["mcp", "approve", "fake", "--yes"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let text = fs::read_to_string(cli.settings()).unwrap();
    assert!(text.starts_with("# mine\n") && text.contains("[mcp.fake]"), "{text}");
    let ended = cli.run(&["ask", "--json", "What does it say?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let last = ended.events().pop().unwrap();
    assert_eq!(last["tool_calls"][0]["status"], "success", "{last}");
    let results = ended.events().into_iter().filter(|it| it["type"] == "call_finished");
    assert!(results.map(|it| it.to_string()).collect::<String>().contains("from afar"));
    let ended = cli.run(&["tools", "call", "fake__echo", r#"{"text":"by hand"}"#]).await;
    assert_eq!(ended.out, "by hand\n", "{}", ended.err);
    let ended = cli.run(&["mcp", "list", "--json"]).await;
    let list: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&list[0]["state"], &list[0]["approved"]), (&"ready".into(), &16.into()), "{list}");
    let ended = cli.run(&["mcp", "remove", "fake"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_eq!(fs::read_to_string(cli.settings()).unwrap().trim(), "# mine\ntask = \"general\"");
}

/// In its sandbox it sees what it was shown, and nothing of ours.
#[tokio::test]
async fn a_server_starts_inside_walls() {
    let (folder, script) = server();
    let cli = Cli::new();
    let read = folder.path().to_str().unwrap();
    let add = ["mcp", "add", "fake", "--yes", "--read", read, "--", "/usr/bin/python3", &script];
    let ended = cli.run(&add).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let ended = cli.run(&["tools", "call", "fake__environment"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(!ended.out.contains("TOOLWRIGHT"), "{}", ended.out);
    // What it was not shown it is told how to show.
    let add = ["mcp", "add", "other", "--yes", "--", "/usr/bin/python3", &script];
    let ended = cli.run(&add).await;
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    assert!(ended.err.contains("sandbox = { read"), "{}", ended.err);
}

/// M4: what lies in a folder starts nothing.
#[tokio::test]
async fn a_project_starts_nothing_and_an_import_is_looked_at() {
    let cli = Cli::new();
    let started = cli.folder.path().join("started");
    let command = format!("touch {}", started.display());
    let theirs = format!(
        r#"{{"mcpServers": {{"x": {{"command": "sh", "args": ["-c", "{command}"], "env": {{"K": "sk-secret-1"}}}}}}}}"#
    );
    fs::write(cli.folder.path().join(".mcp.json"), theirs).unwrap();
    let section = format!("[mcp.x]\ncommand = \"sh\"\nargs = [\"-c\", \"{command}\"]\n");
    fs::write(cli.folder.path().join("toolwright.toml"), section).unwrap();
    for args in [&["mcp", "list"][..], &["tools", "list"], &["ask", "A tip on 50?"]] {
        assert_eq!(cli.run(args).await.code, Some(0));
    }
    let ended = cli.run(&["mcp", "import", ".mcp.json"]).await;
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(
        ended.out.contains("command = \"sh\"") && ended.out.contains(&command),
        "{}",
        ended.out
    );
    assert!(!ended.out.contains("sk-secret-1"), "{}", ended.out);
    assert!(!cli.settings().exists());
    assert!(!started.exists());
}

#[tokio::test]
async fn what_cannot_be_a_server_is_told() {
    for (section, says) in [
        ("[mcp.x]\n", "it needs a `command` to start, or a `url`"),
        ("[mcp.x]\ncommand = \"a\"\nurl = \"http://b\"\n", "it can be one of them"),
        ("[mcp.x]\nurl = \"http://b\"\nargs = []\n", "are for a server with a `command`"),
        ("[mcp.x__y]\ncommand = \"a\"\n", "a name has"),
        ("[mcp.x]\ncommand = \"a\"\nsandbox = 3\n", "`false` is expected here"),
        ("[mcp.x]\ncommand = \"a\"\nbearer_token = \"t\"\n", "bearer_token"),
    ] {
        let ended = Cli::new().configured(section).run(&["mcp", "list"]).await;
        assert_eq!(ended.code, Some(2), "{section}: {}", ended.err);
        assert!(ended.err.contains(says), "{section}: {}", ended.err);
    }
    // A variable that is not set switches one server off, and hurts nothing else.
    let unset = "[mcp.x]\ncommand = \"a\"\nenv = { K = \"${NO_SUCH_KEY}\" }\n";
    let cli = Cli::new().configured(unset);
    let ended = cli.run(&["mcp", "list"]).await;
    assert!(
        ended.out.contains("names the variable NO_SUCH_KEY, which is not set"),
        "{}",
        ended.out
    );
    assert_eq!(cli.run(&["ask", "A tip on 50?"]).await.code, Some(0));
}

/// What is said of a tool that a server does not have is told, and what was probably meant.
#[tokio::test]
async fn what_is_said_of_no_tool_is_told() {
    let (_folder, script) = server();
    // What was approved is offered before the server has said what it has: it is known once a tool was called.
    let replies = Script::new()
        .reply(Reply::calls([("a", "fake__echo", r#"{"text":"one"}"#)]))
        .reply(Reply::calls([("b", "fake__echo", r#"{"text":"two"}"#)]))
        .reply(Reply::text("Well."));
    let model = ModelServer::start(replies).await;
    let config = format!(
        "[mcp.fake]\ncommand = \"/usr/bin/python3\"\nargs = [\"{script}\"]\nsandbox = false\n\
         tools = [\"echo\", \"zzz_*\"]\n[tools.fake__ecko]\neffect = \"read_only\"\n"
    );
    let cli = Cli::asking(&model).configured(&config);
    let ended = cli.run(&["mcp", "approve", "fake", "--yes"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let ended = cli.run(&["ask", "--approve", "Say one and two."]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    for told in [
        "`[tools.fake__ecko]` is about it, and `fake` has no such tool; did you mean `fake__echo`?",
        "`tools` of `[mcp.fake]` names it, and no tool of `fake` is called so",
    ] {
        assert_eq!(ended.err.matches(told).count(), 1, "{told}: {}", ended.err);
        let ended = cli.run(&["doctor"]).await;
        assert!(ended.out.contains(told), "{told}: {}", ended.out);
    }
}

#[tokio::test]
async fn servers_of_other_programs_are_found_by_their_names() {
    let cli = Cli::new();
    let ended = cli.run(&["mcp", "import", "codex", "--yes"]).await;
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(ended.err.contains(".codex/config.toml"), "{}", ended.err);
    let ended = cli.run(&["mcp", "import", "nosuch", "--yes"]).await;
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(ended.err.contains("claude, codex, cursor"), "{}", ended.err);
    let folder = cli.folder.path().join(".codex");
    fs::create_dir(&folder).unwrap();
    let codex = "model = \"x\"\n[mcp_servers.files]\ncommand = \"npx\"\nargs = [\"-y\", \"files\", \"/usr\"]\n\
                 [mcp_servers.old]\nurl = \"https://x.example/${input:token}\"\ntype = \"sse\"\n";
    fs::write(folder.join("config.toml"), codex).unwrap();
    let ended = cli.run(&["mcp", "import", "codex", "--yes"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("npx fetches what it starts"), "{}", ended.out);
    // Of what is left out nothing has to be set.
    assert!(
        ended.out.contains("old is left out") && !ended.out.contains("TOKEN before"),
        "{}",
        ended.out
    );
    let text = fs::read_to_string(cli.settings()).unwrap();
    assert!(text.contains("sandbox = { network = true, read = [\"/usr\"] }"), "{text}");
}
