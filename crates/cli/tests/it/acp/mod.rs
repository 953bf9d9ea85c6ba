//! `toolwright acp`: the real binary, driven as an editor drives it.

mod approvals;
mod cancelling;
mod commands;
mod editor;
mod forms;
mod hostile;
mod nested;
mod servers;
mod sessions;

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use self::editor::{Editor, Shown};
use crate::{
    harness::Cli,
    workspace::{Desk, script},
};

#[tokio::test]
async fn a_prompt_is_a_run_that_is_told_and_loads_as_it_was() {
    let look = Reply::calls([("a", "show", r#"{"file_path":"src/main.rs"}"#)]);
    let desk = Desk::new(
        Script::new()
            .reply(look.with_text("I look.").with_reasoning("Where is it?").usage(900, 100))
            .reply(Reply::text("It prints one.").usage(1_500, 500))
            .reply(Reply::text("Yes.")),
    )
    .await;
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let answer = editor.prompt(&session, "What does it print?").await;
    assert_eq!(answer["result"], json!({"stopReason": "end_turn"}));
    let told = editor.updates.clone();
    let live = Shown::of(&told);
    assert_eq!(live.said, ["I look.", "It prints one."]);
    assert_eq!(live.thought, ["Where is it?"]);
    let call = &live.calls[0];
    assert_eq!(call["kind"], "read");
    assert_eq!(call["name"], "show");
    assert_eq!(call["title"], "show src/main.rs");
    assert_eq!(call["status"], "completed");
    assert_eq!(call["locations"], json!([{"path": desk.folder.join("src/main.rs")}]));
    assert_eq!(call["rawInput"], json!({"file_path": "src/main.rs"}));
    let content = call["content"][0]["content"]["text"].as_str().unwrap();
    assert!(content.contains("println!"), "{content}");
    let states: Vec<_> = told.iter().filter_map(|it| it["status"].as_str()).collect();
    assert_eq!(states, ["pending", "in_progress", "completed"]);
    let usage = told.iter().rfind(|it| it["sessionUpdate"] == "usage_update").unwrap();
    assert_eq!((&usage["used"], &usage["size"]), (&json!(2_000), &json!(128_000)));
    let info = told.iter().rfind(|it| it["sessionUpdate"] == "session_info_update").unwrap();
    assert_eq!(info["title"], "What does it print?");
    editor.end().await;

    // Another process: what is told again is what was shown, behind what the user said.
    let mut editor = Editor::start(&desk.cli).await;
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": []});
    let loaded = editor.request("session/load", params).await;
    assert_eq!(loaded["result"]["modes"]["currentModeId"], "workspace", "{loaded}");
    let again = Shown::of(&editor.updates);
    assert_eq!(again.asked, ["What does it print?"]);
    assert_eq!((&again.said, &again.thought), (&live.said, &live.thought));
    assert_eq!(again.calls, live.calls);
    // And the conversation goes on.
    editor.prompt(&session, "Sure?").await;
    let messages = desk.server.requests()[2].body["messages"].to_string();
    assert!(messages.contains("It prints one.") && messages.contains("Sure?"), "{messages}");
    editor.end().await;
}

#[tokio::test]
async fn an_answer_that_was_rejected_is_never_told() {
    let desk = Desk::new(
        Script::new()
            .reply(Reply::calls([("a", "calculate_tip", r#"{"amount":50}"#)]))
            .reply(Reply::text("The tip is 4711."))
            .reply(Reply::text("The tip is 9.0.")),
    )
    .await;
    let cli = Cli::asking(&desk.server).configured("review = \"enforce\"\n");
    let mut editor = Editor::start_with(&cli, &["--task", "demo"], json!({})).await;
    let session = editor.open(&desk.folder).await;
    let answer = editor.prompt(&session, "A tip on 50?").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let live = Shown::of(&editor.updates);
    assert_eq!(live.said, ["The tip is 9.0."]);
    editor.updates.clear();
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": []});
    editor.request("session/load", params).await;
    assert_eq!(Shown::of(&editor.updates).said, live.said);
    editor.end().await;
}

#[tokio::test]
async fn what_is_attached_reaches_the_model_as_data() {
    let desk = Desk::new(Script::new().reply(Reply::text("Seen."))).await;
    let mut editor = Editor::start(&desk.cli).await;
    assert_eq!(editor.capabilities["promptCapabilities"]["image"], true);
    let session = editor.open(&desk.folder).await;
    let picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let prompt = json!([
        {"type": "text", "text": "Look: "},
        {"type": "resource", "resource": {"uri": "file:///w/notes.md", "text": "# Bread"}},
        {"type": "image", "mimeType": "image/png", "data": picture},
        {"type": "resource_link", "uri": "file:///w/b.rs", "name": "b.rs"},
    ]);
    let answer =
        editor.request("session/prompt", json!({"sessionId": session, "prompt": prompt})).await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let sent = desk.server.requests()[0].body["messages"].to_string();
    for part in ["[@notes.md](file:///w/notes.md)", "# Bread", picture, "[@b.rs](file:///w/b.rs)"] {
        assert!(sent.contains(part), "{part} in {sent}");
    }
    // Told again, the picture is there.
    editor.updates.clear();
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": []});
    editor.request("session/load", params).await;
    let pictures = editor.updates.iter().filter(|it| it["content"]["type"] == "image");
    assert_eq!(pictures.map(|it| it["content"]["data"].clone()).collect::<Vec<_>>(), [picture]);
    editor.end().await;
}

#[tokio::test]
async fn why_a_run_stopped_is_told_in_the_words_of_the_protocol() {
    let many = |nth: usize| {
        Reply::calls([(
            format!("c{nth}"),
            "get_weather".to_owned(),
            r#"{"location":"Rome"}"#.into(),
        )])
    };
    let rounds = (0..6).fold(Script::new(), |script, nth| script.reply(many(nth)));
    for (script, wanted) in [
        (Script::new().reply(Reply::text("It is lo").finish_reason("length")), "max_tokens"),
        (rounds.reply(Reply::text("Enough.")), "max_turn_requests"),
    ] {
        let desk = Desk::new(script).await;
        let mut editor = Editor::start_with(&desk.cli, &["--task", "demo"], json!({})).await;
        let session = editor.open(&desk.folder).await;
        let answer = editor.prompt(&session, "Weather?").await;
        assert_eq!(answer["result"]["stopReason"], wanted, "{answer}");
        editor.end().await;
    }
}

#[tokio::test]
async fn a_model_that_fails_is_an_error_that_says_what_to_do() {
    let desk = Desk::new(Script::new().reply(Reply::status(401))).await;
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let answer = editor.prompt(&session, "Hello?").await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert!(answer["error"]["data"]["advice"].is_string(), "{answer}");
    // The session is usable.
    let answer = editor.prompt(&session, "Hello?").await;
    assert!(answer["error"]["message"].is_string(), "{answer}");
    editor.end().await;
}

#[tokio::test]
async fn tasks_are_modes_and_models_can_be_chosen() {
    let desk = Desk::new(Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."))).await;
    let cli = Cli::asking(&desk.server).env("TOOLWRIGHT_MODEL", "first,second");
    let mut editor = Editor::start(&cli).await;
    let new = editor.request("session/new", json!({"cwd": desk.folder, "mcpServers": []})).await;
    let session = new["result"]["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(new["result"]["modes"]["currentModeId"], "workspace");
    let option = &new["result"]["configOptions"][1];
    assert_eq!(option["currentValue"], "first,second");
    let values: Vec<_> =
        option["options"].as_array().unwrap().iter().map(|it| it["value"].clone()).collect();
    assert_eq!(values, ["first,second", "first", "second"]);

    let params = json!({"sessionId": session, "modeId": "demo"});
    assert_eq!(editor.request("session/set_mode", params).await["result"], json!({}));
    let params = json!({"sessionId": session, "configId": "model", "value": "second"});
    let set = editor.request("session/set_config_option", params).await;
    assert_eq!(set["result"]["configOptions"][0]["currentValue"], "demo", "{set}");
    assert_eq!(set["result"]["configOptions"][1]["currentValue"], "second");
    editor.prompt(&session, "Hello?").await;
    let request = &desk.server.requests()[0].body;
    assert_eq!(request["model"], "second");
    let tools = request["tools"].to_string();
    assert!(tools.contains("get_weather") && !tools.contains("\"bash\""), "{tools}");

    for params in [
        json!({"sessionId": session, "configId": "model", "value": "third"}),
        json!({"sessionId": session, "configId": "colour", "value": "red"}),
    ] {
        let error = editor.request("session/set_config_option", params).await;
        assert_eq!(error["error"]["code"], -32602, "{error}");
    }
    let params = json!({"sessionId": session, "modeId": "nothing"});
    assert_eq!(editor.request("session/set_mode", params).await["error"]["code"], -32602);
    editor.end().await;
    // What was chosen is known to the next process.
    let mut editor = Editor::start(&cli).await;
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": []});
    let resumed = editor.request("session/resume", params).await;
    assert_eq!(resumed["result"]["modes"]["currentModeId"], "demo", "{resumed}");
    assert!(editor.updates.iter().all(|it| it["sessionUpdate"] == "available_commands_update"));
    editor.end().await;
}

/// Settings in the editor's folder count where they are trusted, and nowhere else.
#[tokio::test]
async fn a_folder_is_not_trusted_because_an_editor_opened_it() {
    let desk = Desk::new(Script::new().reply(Reply::text("Hi."))).await;
    desk.put("toolwright.toml", "task = \"demo\"\n");
    let capabilities = json!({"session": {"notices": {}}});
    let mut editor = Editor::start_with(&desk.cli, &[], capabilities).await;
    let servers = json!([{"type": "sse", "name": "files", "url": "http://127.0.0.1:1/sse"}]);
    let params = json!({"cwd": desk.folder, "mcpServers": servers});
    let new = editor.request("session/new", params).await;
    assert_eq!(new["result"]["modes"]["currentModeId"], "workspace", "{new}");
    let session = new["result"]["sessionId"].as_str().unwrap().to_owned();
    editor.prompt(&session, "Hello").await;
    let notices: Vec<_> = editor
        .updates
        .iter()
        .filter(|it| it["sessionUpdate"] == "notice")
        .map(|it| it["title"].as_str().unwrap().to_owned())
        .collect();
    assert!(notices.iter().any(|it| it.contains("trust")), "{notices:?}");
    assert!(notices.iter().any(|it| it.contains("MCP") && it.contains("files")), "{notices:?}");
    editor.end().await;
}

/// What a script of calls in the workspace needs.
fn edits(of: &[(&str, &str, &str)]) -> Script {
    let calls: Vec<(&'static str, Value)> = of
        .iter()
        .map(|(path, old, new)| {
            ("edit", json!({"file_path": path, "old_string": old, "new_string": new}))
        })
        .collect();
    script(calls)
}
