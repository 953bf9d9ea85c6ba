//! Prompts and resources of MCP servers, in the real binary. The model is scripted to obey every word of them.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    harness::Cli,
    workspace::{script, statuses},
};

/// A user with a server that has prompts and resources, which is approved.
pub(crate) struct Served {
    _folder: TempDir,
    pub(crate) cli: Cli,
    model: ModelServer,
}

impl Served {
    pub(crate) async fn new(script: Script) -> Self {
        let served = Self::unapproved(script).await;
        let ended = served.cli.run(&["mcp", "approve", "fake", "--yes"]).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        served
    }

    async fn unapproved(script: Script) -> Self {
        let folder = TempDir::new().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp/tests/it/client/content_server.py");
        let copy = folder.path().join("server.py");
        fs::copy(source, &copy).unwrap();
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
        let model = ModelServer::start(script).await;
        let section = format!(
            "task = \"general\"\n[mcp.fake]\ncommand = \"/usr/bin/python3\"\nargs = [\"{}\"]\n\
             env = {{ TOKEN = \"${{FAKE_TOKEN}}\" }}\nsandbox = false\n",
            copy.display()
        );
        let cli = Cli::asking(&model).configured(&section).env("FAKE_TOKEN", "hunter2-hunter2");
        Self { _folder: folder, cli, model }
    }

    /// What the user's last message was, in this request.
    pub(crate) fn asked(&self, request: usize) -> String {
        let body = &self.model.requests()[request].body;
        let messages = body["messages"].as_array().unwrap();
        let last = messages.iter().rev().find(|it| it["role"] == "user").unwrap();
        last["content"].as_str().unwrap().to_owned()
    }
}

fn answers(number: usize) -> Script {
    (0..number).fold(Script::new(), |script, _| script.reply(Reply::text("Done.")))
}

#[tokio::test]
async fn a_resource_goes_with_a_question_and_says_where_it_came_from() {
    let served = Served::unapproved(answers(2)).await;
    let attach = ["ask", "--json", "--attach", "mcp:fake:notes://bread", "What is it about?"];
    let ended = served.cli.run(&attach).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let asked = served.asked(0);
    assert!(asked.contains("[mcp:fake:notes://bread (text/markdown, "), "{asked}");
    assert!(asked.contains("# Rye"), "{asked}");
    // What the server was given in secret comes before no model.
    let attach = ["ask", "--attach", "mcp:fake:notes://secret", "What is the token?"];
    assert_eq!(served.cli.run(&attach).await.code, Some(0));
    let asked = served.asked(1);
    assert!(asked.contains("the token is ") && !asked.contains("hunter2"), "{asked}");
    for (reference, why) in [
        ("mcp:fake:notes://no-such", "it answered with an error (-32002)"),
        ("mcp:fake:notes://huge", "longer than 8 MiB"),
        ("mcp:nobody:x://y", "this task has no MCP server `nobody`; there are: fake"),
    ] {
        let ended = served.cli.run(&["ask", "--attach", reference, "What is it?"]).await;
        assert_eq!(ended.code, Some(2), "{}", ended.err);
        assert!(ended.err.contains(&format!("{reference} cannot be attached")), "{}", ended.err);
        assert!(ended.err.contains(why), "{}", ended.err);
    }
    assert_eq!(served.model.requests().len(), 2);
}

#[tokio::test]
async fn a_prompt_is_called_once_it_was_approved_and_with_what_it_needs() {
    let served = Served::unapproved(answers(1)).await;
    let refused = |ended: &crate::harness::Ended, why: &str| {
        assert_eq!(ended.code, Some(2), "{}", ended.err);
        assert!(ended.err.contains(why), "{}", ended.err);
    };
    let ended = served.cli.run(&["ask", "/fake:greet Ada"]).await;
    refused(
        &ended,
        "/fake:greet cannot be called: it is not approved yet: `toolwright mcp approve fake`",
    );
    let ended = served.cli.run(&["mcp", "approve", "fake", "--yes"]).await;
    assert!(
        ended
            .out
            .contains("new /fake:greet\n    Greets somebody.\n    name (required): whom to greet"),
        "{}",
        ended.out
    );
    let ended = served.cli.run(&["ask", "/fake:greet"]).await;
    refused(&ended, "/fake:greet NAME [TONE] needs `name` (whom to greet)");
    refused(&served.cli.run(&["ask", "/fake:nothing at all"]).await, "takes no arguments");
    refused(&served.cli.run(&["ask", "/fake:nope"]).await, "has no prompt `nope`: /fake:greet,");
    refused(&served.cli.run(&["ask", "/fake:long"]).await, "is longer than");
    assert_eq!(served.model.requests().len(), 0);

    let ended = served.cli.run(&["ask", "--json", "/fake:greet 'Ada L' warmly"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let asked = served.asked(0);
    assert!(asked.starts_with("/fake:greet 'Ada L' warmly"), "{asked}");
    assert!(asked.contains("a prompt of the server's: mcp:fake:greet"), "{asked}");
    assert!(asked.contains("Say hello to {'name': 'Ada L', 'tone': 'warmly'}."), "{asked}");
    let said = ended.events().into_iter().find(|it| it["message"]["role"] == "user").unwrap();
    assert_eq!(said["message"]["attachments"][0]["origin"], "server", "{said}");
}

/// What a prompt says is nobody's word: what stands in it is not run unseen, and no id of its is known.
#[tokio::test]
async fn a_prompt_of_a_server_is_not_the_users_word() {
    let evil = json!({"command": "echo owned > marker.txt"});
    let look = || ("fake__look", json!({"item_id": "abc-4711"}));
    let served = Served::new(script([("bash", evil), look()])).await;
    let project = served.cli.folder.path().join("project");
    fs::create_dir(&project).unwrap();
    let prompt = ["ask", "--json", "--approve", "--workspace", "project", "/fake:command"];
    let ended = served.cli.run(&prompt).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let events = ended.events();
    assert_eq!(statuses(&events), ["denied", "refused"], "{events:?}");
    let reasons: Vec<_> = events.iter().filter_map(|it| it["review_reason"].as_str()).collect();
    assert!(reasons[0].contains("stands in the attached file `mcp:fake:command`"), "{reasons:?}");
    assert!(!project.join("marker.txt").exists());

    // What a picture of a server's tells a model can be compared with nothing.
    let served =
        Served::new(script([("bash", json!({"command": "echo owned > marker.txt"}))])).await;
    fs::create_dir(served.cli.folder.path().join("project")).unwrap();
    let picture = ["--attach", "mcp:fake:notes://pixel", "Do what it says."];
    let how = ["ask", "--json", "--approve", "--workspace", "project"];
    let ended = served.cli.run(&[&how[..], &picture].concat()).await;
    let events = ended.events();
    assert_eq!(statuses(&events), ["denied"], "{events:?}");
    let reasons: Vec<_> = events.iter().filter_map(|it| it["review_reason"].as_str()).collect();
    assert!(reasons[0].contains("nobody can tell whether"), "{reasons:?}");

    // The same call where the user said the id themselves, behind the name of a prompt.
    let served = Served::new(script([look()])).await;
    let ended = served.cli.run(&["ask", "--json", "/fake:greet abc-4711"]).await;
    assert_eq!(statuses(&ended.events()), ["success"], "{}", ended.err);
}

#[tokio::test]
async fn a_chat_has_both_and_tells_of_them() {
    let served = Served::new(answers(1)).await;
    let lines = "/help\n/context\n/attach mcp:fake:notes://nope\n/attach mcp:fake:notes://bread\n\
                 /fake:greet\n/fake:dialogue\n/quit\n";
    let ended = served.cli.run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    for shown in [
        "/fake:greet NAME [TONE]   Greets somebody. (fake)",
        "command      fake:greet server; mcp:fake Greets somebody.",
        "mcp:fake:notes://nope cannot be attached: it answered with an error",
        "mcp:fake:notes://bread (text/markdown, ",
        "needs `name` (whom to greet)",
        "/fake:dialogue is mcp:fake:dialogue:",
    ] {
        assert!(ended.err.contains(shown), "{shown}: {}", ended.err);
    }
    assert!(!ended.err.contains('\u{1b}') && !ended.err.contains('\u{202e}'), "{:?}", ended.err);
    let asked = served.asked(0);
    // One question: the person's word is what was typed, and an assistant said nothing.
    assert!(asked.starts_with("/fake:dialogue"), "{asked}");
    assert!(asked.contains("[what an assistant would say, in the server's words]"), "{asked}");
    assert!(asked.contains("# Rye"), "{asked}");
    let roles: Vec<Value> = served.model.requests()[0].body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["role"].clone())
        .collect();
    assert_eq!(roles, ["system", "user"]);
}

#[tokio::test]
async fn a_server_is_inspected_with_all_it_has() {
    let served = Served::new(answers(0)).await;
    let ended = served.cli.run(&["mcp", "inspect", "fake"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    for shown in [
        "✓ /fake:greet",
        "cannot be called: an argument of its has a name that cannot be shown",
        "Resources (--attach mcp:fake:URI)",
        "notes://bread bread: About bread.",
        "notes://{name} a note: By its name.",
        "1 of its resources are left out",
    ] {
        assert!(ended.out.contains(shown), "{shown}: {}", ended.out);
    }
    let ended = served.cli.run(&["mcp", "inspect", "fake", "--json"]).await;
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["prompts"][0]["state"], "approved", "{report}");
    assert_eq!(report["resources"][0]["uri"], "notes://bread", "{report}");
    let ended = served.cli.run(&["doctor"]).await;
    assert!(ended.out.contains("fake: 1 tool and 8 prompts, all approved"), "{}", ended.out);
}

/// Over HTTP, too: `resources` go with a question, a message calls a prompt, `/api/context` lists them.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn both_are_there_over_http() {
    let served = Served::new(answers(2)).await;
    let mut server = served.cli.command(&["--json", "serve", "--addr", "127.0.0.1:0"]);
    let mut server = server.spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("it says where it listens");
    let told: Value = serde_json::from_str(&line).unwrap();
    let socket = told["socket"].as_str().unwrap().to_owned();
    let curl = async |more: &[&str]| {
        let all = [&["-s", "--unix-socket", &socket][..], more].concat();
        let done = tokio::process::Command::new("curl").args(all).output().await.unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let ask = async |body: Value| {
        let (url, json) = ("http://localhost/api/chat/stream", "Content-Type: application/json");
        curl(&[url, "-H", json, "-d", &body.to_string()]).await
    };
    let context: Value =
        serde_json::from_str(&curl(&["http://localhost/api/context"]).await).unwrap();
    let commands = context["commands"].to_string();
    assert!(commands.contains(r#""argument_hint":"NAME [TONE]""#), "{commands}");
    let said =
        ask(json!({"message": "What is it?", "resources": ["mcp:fake:notes://bread"]})).await;
    assert!(said.contains("Done."), "{said}");
    assert!(served.asked(0).contains("# Rye"), "{}", served.asked(0));
    let said = ask(json!({"message": "/fake:greet Ada"})).await;
    assert!(said.contains("Done."), "{said}");
    assert!(served.asked(1).contains("Say hello to {'name': 'Ada'}"), "{}", served.asked(1));
    let many: Vec<_> = (0..11).map(|it| format!("mcp:fake:notes://{it}")).collect();
    for (body, why) in [
        (json!({"message": "a", "resources": ["mcp:fake:notes://no"]}), "cannot be attached"),
        (json!({"message": "a", "resources": ["/etc/passwd"]}), "`mcp:SERVER:ADDRESS`"),
        (json!({"message": "a", "resources": many}), "resources"),
        (json!({"message": "/fake:greet"}), "needs `name`"),
    ] {
        let refused = ask(body).await;
        assert!(refused.contains("error") && refused.contains(why), "{why}: {refused}");
    }
    assert_eq!(served.model.requests().len(), 2);
    server.kill().await.unwrap();
}
