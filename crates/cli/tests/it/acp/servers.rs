//! The MCP servers that an editor names.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use super::editor::{Editor, Shown, chosen};
use crate::{harness::Cli, workspace::Desk};

const SECRET: &str = "canary-7731-of-the-editor";

/// The server of the tests of MCP, in the folder that the editor has open.
fn server(desk: &Desk, name: &str) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp/tests/it/client/server.py");
    let copy = desk.folder.join("server.py");
    fs::copy(script, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    json!({
        "name": name, "command": "/usr/bin/python3", "args": [copy],
        "env": [{"name": "THEIR_TOKEN", "value": SECRET}],
    })
}

fn echo() -> Reply {
    Reply::calls([("a", "my-server__echo", r#"{"text":"from afar"}"#)])
}

async fn open(editor: &mut Editor, desk: &Desk, servers: Value) -> String {
    let params = json!({"cwd": desk.folder, "mcpServers": servers});
    let new = editor.request("session/new", params).await;
    new["result"]["sessionId"].as_str().unwrap_or_else(|| panic!("{new}")).to_owned()
}

fn offers(desk: &Desk, request: usize, tool: &str) -> bool {
    let requests = desk.server.requests();
    requests[request].body["tools"].to_string().contains(&format!("\"{tool}\""))
}

/// None of its tools is offered before the user said so, in the editor; then it is, in every session, until it is
/// another server.
#[tokio::test]
async fn a_server_is_started_approved_in_the_editor_and_called() {
    let desk = Desk::new(
        Script::new()
            .reply(echo())
            .reply(Reply::text("It says: from afar."))
            .reply(Reply::text("No tools."))
            .reply(Reply::calls([
                ("b".to_owned(), "my-server__environment".to_owned(), "{}".to_owned()),
                ("c".to_owned(), "my-server__echo".to_owned(), json!({"text": SECRET}).to_string()),
            ]))
            .reply(Reply::text("Seen.")),
    )
    .await;
    let mut editor = Editor::start(&desk.cli).await;
    assert_eq!(editor.capabilities["mcpCapabilities"], json!({"http": true, "sse": false}));
    let named = server(&desk, "My Server!");
    let session = open(&mut editor, &desk, json!([named])).await;
    editor.answers = vec![chosen("allow_always")];
    let end = editor.prompt(&session, "What does it say?").await;
    assert_eq!(end["result"]["stopReason"], "end_turn", "{end}");
    let [asked] = &editor.questions[..] else { panic!("{:?}", editor.questions) };
    let title = asked["toolCall"]["title"].as_str().unwrap();
    assert_eq!(title, "May 16 tools of the MCP server my-server be used?");
    let text = asked["toolCall"]["content"][0]["content"]["text"].as_str().unwrap();
    for part in [
        "server.py",
        "THEIR_TOKEN",
        "my-server__echo",
        "Says it back.",
        "\"text\":{\"type\":\"string\"}",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains(SECRET), "{text}");
    let kinds: Vec<_> = asked["options"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
    assert_eq!(kinds, ["allow_always", "reject_once"]);
    let shown = Shown::of(&editor.updates);
    let states: Vec<_> = shown.calls.iter().map(|it| it["status"].as_str().unwrap()).collect();
    assert_eq!(states, ["completed", "completed"]);
    assert_eq!(desk.told(1), "from afar");

    // The same command in another session, and in another process, is the same server: nobody is asked.
    editor.end().await;
    let mut editor = Editor::start(&desk.cli).await;
    // With another argument it is another one.
    let mut other = named.clone();
    other["args"] = json!([named["args"][0], "--other"]);
    let another = open(&mut editor, &desk, json!([other])).await;
    editor.answers = vec![chosen("reject_once")];
    editor.prompt(&another, "And now?").await;
    assert_eq!(editor.questions.len(), 1);
    assert!(!offers(&desk, 2, "my-server__echo"));
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": [named]});
    editor.request("session/load", params).await;
    editor.prompt(&session, "What do you see?").await;
    assert_eq!(editor.questions.len(), 1);
    assert!(offers(&desk, 3, "my-server__echo"));
    // Inside walls it has what it was given, and nothing of ours; and no model reads its secret.
    let body = desk.server.requests()[4].body.clone();
    let results = body["messages"].as_array().unwrap().iter().filter(|it| it["role"] == "tool");
    let results: Vec<_> = results.map(|it| it["content"].as_str().unwrap()).collect();
    let [.., seen, said] = &results[..] else { panic!("{results:?}") };
    assert!(seen.contains("THEIR_TOKEN") && !seen.contains("OPENAI_API_KEY"), "{seen}");
    assert!(!said.contains(SECRET), "{said}");
    editor.end().await;
}

/// What the user does not want stays away, and nobody is asked about it twice in a session.
#[tokio::test]
async fn what_is_not_approved_is_not_offered_and_not_asked_about_again() {
    for answer in [chosen("reject_once"), json!({"outcome": {"outcome": "cancelled"}}), json!({})] {
        let desk =
            Desk::new(Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."))).await;
        let mut editor = Editor::start(&desk.cli).await;
        let named = server(&desk, "My Server");
        let session = open(&mut editor, &desk, json!([named])).await;
        editor.answers = vec![answer];
        for at in 0..2 {
            editor.prompt(&session, "Well?").await;
            assert!(!offers(&desk, at, "my-server__echo"));
        }
        assert_eq!(editor.questions.len(), 1);
        let shown = Shown::of(&editor.updates);
        assert_eq!(shown.calls[0]["status"], "failed");
        editor.end().await;
    }
}

/// A prompt that is cancelled while the user is asked is over, and asks again the next time.
#[tokio::test]
async fn cancelling_ends_the_question() {
    let desk = Desk::new(Script::new().reply(Reply::text("Yes."))).await;
    let mut editor = Editor::start(&desk.cli).await;
    let named = server(&desk, "My Server");
    let session = open(&mut editor, &desk, json!([named])).await;
    let id = editor.ask(&session, "Well?").await;
    editor.question().await;
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    let end = editor.until(id).await;
    assert_eq!(end["result"]["stopReason"], "cancelled", "{end}");
    assert_eq!(Shown::of(&editor.updates).calls[0]["status"], "failed");
    editor.answers = vec![chosen("allow_always")];
    editor.prompt(&session, "Well?").await;
    assert!(offers(&desk, 0, "my-server__echo"));
    editor.end().await;
}

/// What the user's own settings say of a server of that name holds.
#[tokio::test]
async fn a_server_of_the_settings_stands_in_the_place_of_the_editors() {
    let desk = Desk::new(Script::new().reply(Reply::text("Hi."))).await;
    let named = server(&desk, "My Server");
    let script = named["args"][0].as_str().unwrap();
    let settings = format!(
        "[mcp.my-server]\ncommand = \"/usr/bin/python3\"\nargs = [{script:?}]\ntools = [\"bash\"]\nsandbox = false\n"
    );
    let cli = Cli::asking(&desk.server).configured(&settings);
    assert_eq!(cli.run(&["tools", "approve", "my-server", "--yes"]).await.code, Some(0));
    let can = json!({"session": {"notices": {}}});
    let mut editor = Editor::start_with(&cli, &[], can).await;
    let theirs = json!({"name": "My Server", "command": "/bin/false", "args": [], "env": []});
    let session = open(&mut editor, &desk, json!([theirs])).await;
    editor.prompt(&session, "Hello").await;
    assert_eq!(editor.questions, Vec::<Value>::new());
    assert!(offers(&desk, 0, "my-server__bash") && !offers(&desk, 0, "my-server__echo"));
    let told: Vec<_> = editor.updates.iter().filter_map(|it| it["title"].as_str()).collect();
    assert!(told.iter().any(|it| it.contains("`[mcp.my-server]` of your settings")), "{told:?}");
    editor.end().await;
}

/// Whatever an editor names, the session can be used, and why something is not there is told.
#[tokio::test]
async fn what_cannot_be_a_server_is_told_and_hurts_nothing() {
    let desk = Desk::new(Script::new().reply(Reply::text("Hi."))).await;
    let can = json!({"session": {"notices": {}}});
    let mut editor = Editor::start_with(&desk.cli, &[], can).await;
    let mut servers = vec![
        json!({"name": "old", "type": "sse", "url": "http://127.0.0.1:1/sse", "headers": []}),
        json!({"name": "odd", "command": 7, "env": [{"name": "K", "value": SECRET}]}),
        json!({"name": "none", "command": "", "args": [], "env": []}),
        json!({"name": "file", "type": "http", "url": "file:///etc/passwd", "headers": []}),
        json!({"name": "head", "type": "http", "url": "http://127.0.0.1:1/", "headers":
            [{"name": "x", "value": format!("{SECRET}\n")}]}),
        json!({"name": "__", "command": "/no/such/program", "args": [], "env": []}),
    ];
    servers.extend((0..12).map(
        |at| json!({"name": format!("sse {at}"), "type": "sse", "url": "http://127.0.0.1:1/"}),
    ));
    let session = open(&mut editor, &desk, Value::from(servers)).await;
    let end = editor.prompt(&session, "Hello").await;
    assert_eq!(end["result"]["stopReason"], "end_turn", "{end}");
    let told: Vec<_> = editor.updates.iter().filter_map(|it| it["title"].as_str()).collect();
    let all = told.join("\n");
    for part in [
        "server old: it is not connected",
        "server odd: what the editor says",
        "server none: it has no `command`",
        "server file: its `url` begins",
        "server server cannot be used",
        "2 of the editor's MCP servers are not used",
    ] {
        assert!(all.contains(part), "{part} in {all}");
    }
    assert!(!all.contains(SECRET), "{all}");
    editor.end().await;
}
