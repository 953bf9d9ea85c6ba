//! Several sessions, their list, and their end.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use super::{Desk, Editor, Shown, editor::chosen, edits, script};
use crate::workspace::call;

#[tokio::test]
async fn each_session_works_in_its_own_folder() {
    let show = json!({"file_path": "a.txt"});
    let desk = Desk::new(
        script([("show", show.clone())]).reply(call("show", show)).reply(Reply::text("Done.")),
    )
    .await;
    let other = desk.cli.folder.path().canonicalize().unwrap().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("a.txt"), "of the other\n").unwrap();
    desk.put("a.txt", "of the one\n");
    let mut editor = Editor::start(&desk.cli).await;
    let one = editor.open(&desk.folder).await;
    let two = editor.open(&other).await;
    editor.prompt(&one, "Show it.").await;
    editor.prompt(&two, "Show it.").await;
    let results: Vec<_> =
        Shown::of(&editor.updates).calls.iter().map(|it| it["content"].to_string()).collect();
    assert!(results[0].contains("of the one"), "{results:?}");
    assert!(results[1].contains("of the other"), "{results:?}");
    editor.end().await;
}

/// A question in one session keeps no other from going on.
#[tokio::test]
async fn sessions_go_on_side_by_side() {
    let desk = Desk::new(
        Script::new()
            .reply(Reply::calls([(
                "a",
                "edit",
                r#"{"file_path":"a.txt","old_string":"1","new_string":"2"}"#,
            )]))
            .reply(Reply::text("Other."))
            .reply(Reply::text("Done.")),
    )
    .await;
    desk.put("a.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let one = editor.open(&desk.folder).await;
    let two = editor.open(&desk.folder).await;
    let waiting = editor.ask(&one, "Change the 1.").await;
    let question = editor.question().await;
    assert_eq!(editor.prompt(&two, "Hello").await["result"]["stopReason"], "end_turn");
    editor.answer(&question, chosen("allow_once")).await;
    assert_eq!(editor.until(waiting).await["result"]["stopReason"], "end_turn");
    assert_eq!(desk.read("a.txt"), "2\n");
    editor.end().await;
}

#[tokio::test]
async fn sessions_are_listed_closed_and_deleted() {
    let desk = Desk::new(Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."))).await;
    let other = desk.cli.folder.path().canonicalize().unwrap().join("other");
    std::fs::create_dir(&other).unwrap();
    let mut editor = Editor::start(&desk.cli).await;
    let one = editor.open(&desk.folder).await;
    let two = editor.open(&other).await;
    editor.prompt(&one, "First").await;
    editor.prompt(&two, "Second").await;
    let ids = |answer: &Value| -> Vec<String> {
        let sessions = answer["result"]["sessions"].as_array().unwrap();
        sessions.iter().map(|it| it["sessionId"].as_str().unwrap().to_owned()).collect()
    };
    let all = editor.request("session/list", json!({})).await;
    assert_eq!(ids(&all), [two.clone(), one.clone()]);
    let listed = &all["result"]["sessions"][1];
    assert_eq!((&listed["title"], &listed["cwd"]), (&json!("First"), &json!(desk.folder)));
    assert!(listed["updatedAt"].as_str().unwrap().ends_with('Z'), "{listed}");
    let here = editor.request("session/list", json!({"cwd": desk.folder})).await;
    assert_eq!(ids(&here), [one.as_str()]);
    let wrong = editor.request("session/list", json!({"cursor": "x"})).await;
    assert_eq!(wrong["error"]["code"], -32602);

    assert_eq!(
        editor.request("session/close", json!({"sessionId": one})).await["result"],
        json!({})
    );
    assert_eq!(editor.prompt(&one, "Still there?").await["error"]["code"], -32002);
    let params = json!({"sessionId": two});
    assert_eq!(editor.request("session/delete", params.clone()).await["result"], json!({}));
    // What is not there is deleted already.
    assert_eq!(editor.request("session/delete", params).await["result"], json!({}));
    assert_eq!(ids(&editor.request("session/list", json!({})).await), [one.as_str()]);
    let params = json!({"sessionId": two, "cwd": other, "mcpServers": []});
    assert_eq!(editor.request("session/load", params).await["error"]["code"], -32002);
    editor.end().await;
}

/// Closing stops what runs, and the prompt is answered before.
#[tokio::test]
async fn a_session_that_is_closed_stops_what_runs() {
    let desk = Desk::new(edits(&[("a.txt", "1", "2")])).await;
    desk.put("a.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let id = editor.ask(&session, "Change the 1.").await;
    editor.question().await;
    // While it runs it is not loaded a second time.
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": []});
    assert_eq!(editor.request("session/load", params).await["error"]["code"], -32600);
    let close = editor.begin("session/close", json!({"sessionId": session})).await;
    assert_eq!(editor.until(id).await["result"]["stopReason"], "cancelled");
    assert_eq!(editor.until(close).await["result"], json!({}));
    assert_eq!(desk.read("a.txt"), "1\n");
    editor.end().await;
}

/// A conversation that was begun elsewhere can be gone on with in an editor.
#[tokio::test]
async fn a_conversation_of_the_terminal_is_a_session() {
    let desk = Desk::new(Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."))).await;
    let asked = desk.ask(&["Hello"]).await;
    let id = asked.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    let mut editor = Editor::start(&desk.cli).await;
    let mut params = json!({"sessionId": id, "cwd": desk.folder, "mcpServers": []});
    editor.request("session/load", params.clone()).await;
    let shown = Shown::of(&editor.updates);
    assert_eq!((shown.asked, shown.said), (vec!["Hello".to_owned()], vec!["One.".to_owned()]));
    assert_eq!(editor.prompt(&id, "And?").await["result"]["stopReason"], "end_turn");
    // The beginning of an id is none.
    params["sessionId"] = id[..12].into();
    assert_eq!(editor.request("session/load", params).await["error"]["code"], -32002);
    editor.end().await;
}

/// A folder that was typed is worked in, whatever folder the editor has open; places are told in it.
#[tokio::test]
async fn a_folder_that_was_typed_counts() {
    let desk = Desk::new(script([("show", json!({"file_path": "src/main.rs"}))])).await;
    let other = desk.cli.folder.path().canonicalize().unwrap().join("other");
    std::fs::create_dir(&other).unwrap();
    let folder = desk.folder.to_str().unwrap();
    let mut editor = Editor::start_with(&desk.cli, &["--workspace", folder], json!({})).await;
    let session = editor.open(&other).await;
    editor.prompt(&session, "Show it.").await;
    let call = &Shown::of(&editor.updates).calls[0];
    assert_eq!(call["status"], "completed", "{call}");
    assert_eq!(call["locations"], json!([{"path": desk.folder.join("src/main.rs")}]));
    editor.end().await;
}
