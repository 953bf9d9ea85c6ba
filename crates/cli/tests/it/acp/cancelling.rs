//! What runs is stopped: by the user, by an editor that leaves, by a crash.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use super::{
    Desk, Editor, Shown,
    editor::{Came, chosen},
    edits, script,
};
use crate::harness::Cli;

/// What a list of conversations says of the only one.
async fn kept(desk: &Desk) -> Value {
    let listed = desk.cli.run(&["conversations", "list", "--json"]).await;
    serde_json::from_str(listed.out.lines().next().unwrap()).unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_tool_is_stopped_in_the_middle() {
    let command = json!({"command": "touch begun; sleep 60; touch done"});
    let desk = Desk::new(script([("bash", command)])).await;
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let id = editor.ask(&session, "Wait.").await;
    let question = editor.question().await;
    editor.answer(&question, chosen("allow_once")).await;
    editor.update(|it| it["status"] == "in_progress").await;
    while !desk.folder.join("begun").exists() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    let answer = editor.until(id).await;
    assert_eq!(answer["result"], json!({"stopReason": "cancelled"}));
    // The last word about the call came before the answer.
    assert_eq!(Shown::of(&editor.updates).calls[0]["status"], "failed");
    // The session goes on: the model is told what became of the call.
    let answer = editor.prompt(&session, "And now?").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    assert!(!desk.folder.join("done").exists());
    editor.end().await;
    assert_eq!(kept(&desk).await["state"], "idle");
}

#[tokio::test]
async fn a_question_is_stopped_before_it_is_answered() {
    let desk = Desk::new(edits(&[("a.txt", "1", "2")])).await;
    desk.put("a.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let id = editor.ask(&session, "Change the 1.").await;
    let question = editor.question().await;
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    // As the protocol wants it; and a permission that comes too late is none.
    let cancelled = json!({"outcome": {"outcome": "cancelled"}});
    editor.answer(&question, cancelled).await;
    assert_eq!(editor.until(id).await["result"], json!({"stopReason": "cancelled"}));
    editor.answer(&question, chosen("allow_once")).await;
    assert_eq!(Shown::of(&editor.updates).calls[0]["status"], "failed");
    let answer = editor.prompt(&session, "And now?").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    assert_eq!(desk.read("a.txt"), "1\n");
    editor.end().await;
}

/// A prompt that is followed by a cancel in the next line is cancelled, however early that is.
#[tokio::test]
async fn a_prompt_can_be_cancelled_before_it_began() {
    let desk =
        Desk::new(Script::new().reply(Reply::text("Hi.").delay(Duration::from_secs(30)))).await;
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let prompt = json!([{"type": "text", "text": "Hello"}]);
    let params = json!({"sessionId": session, "prompt": prompt});
    let prompt =
        json!({"jsonrpc": "2.0", "id": "one", "method": "session/prompt", "params": params});
    let second =
        json!({"jsonrpc": "2.0", "id": "two", "method": "session/prompt", "params": params});
    let params = json!({"sessionId": session});
    let cancel = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params});
    editor.line(&format!("{prompt}\n{second}\n{cancel}")).await;
    let mut answers = Vec::new();
    while answers.len() < 2 {
        if let Came::Response(message) = editor.came().await {
            assert_eq!(message["result"], json!({"stopReason": "cancelled"}), "{message}");
            answers.push(message["id"].clone());
        }
    }
    // Those that waited are stopped, too, each in its turn.
    assert_eq!(answers, ["one", "two"]);
    editor.end().await;
}

#[tokio::test]
async fn a_second_prompt_waits_for_the_first() {
    let desk = Desk::new(edits(&[("a.txt", "1", "2")]).reply(Reply::text("Second."))).await;
    desk.put("a.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let first = editor.ask(&session, "Change the 1.").await;
    let question = editor.question().await;
    let second = editor.ask(&session, "And then?").await;
    // It can be taken back alone.
    let third = editor.ask(&session, "And?").await;
    editor.notify("$/cancel_request", json!({"requestId": third})).await;
    editor.answer(&question, chosen("allow_once")).await;
    assert_eq!(editor.until(first).await["result"]["stopReason"], "end_turn");
    assert_eq!(editor.until(second).await["result"]["stopReason"], "end_turn");
    assert_eq!(editor.until(third).await["result"]["stopReason"], "cancelled");
    assert_eq!(Shown::of(&editor.updates).said, ["Done.", "Second."]);
    assert_eq!(desk.server.requests().len(), 3);
    editor.end().await;
}

#[tokio::test]
async fn more_than_a_few_prompts_may_not_wait() {
    let desk = Desk::new(edits(&[("a.txt", "1", "2")])).await;
    desk.put("a.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    editor.ask(&session, "Change the 1.").await;
    editor.question().await;
    for _ in 0..15 {
        editor.ask(&session, "And?").await;
    }
    let over = editor.ask(&session, "And?").await;
    let refused = editor.until(over).await;
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    editor.end().await;
    assert_eq!(kept(&desk).await["state"], "idle");
}

/// An editor that leaves stops what runs: nothing goes on unseen, and the log is whole.
#[tokio::test]
async fn an_editor_that_leaves_stops_what_runs() {
    let desk = Desk::new(edits(&[("a.txt", "1", "2")])).await;
    desk.put("a.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    editor.ask(&session, "Change the 1.").await;
    editor.question().await;
    editor.end().await;
    assert_eq!(desk.read("a.txt"), "1\n");
    assert_eq!(kept(&desk).await["state"], "idle");
}

/// The same where the process is told to end, and its input does not.
#[tokio::test]
async fn a_process_that_is_told_to_end_settles_what_runs() {
    let desk = Desk::new(edits(&[("a.txt", "1", "2")])).await;
    desk.put("a.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    editor.ask(&session, "Change the 1.").await;
    editor.question().await;
    let pid = editor.child.id().unwrap().to_string();
    let sent = tokio::process::Command::new("kill").args(["-TERM", &pid]).status().await;
    assert!(sent.unwrap().success());
    let ended = tokio::time::timeout(Duration::from_secs(60), editor.child.wait()).await;
    assert_eq!(ended.expect("it ends, whether or not its input does").unwrap().code(), Some(0));
    assert_eq!(kept(&desk).await["state"], "idle");
}

/// A fault of our own ends one prompt, and says so.
#[tokio::test]
async fn a_fault_is_an_error_and_the_session_goes_on() {
    let desk = Desk::new(Script::new().reply(Reply::text("Hi."))).await;
    let cli =
        Cli { env: desk.cli.env.clone(), ..Cli::new() }.env("TOOLWRIGHT_PANIC_AT", "final_saved");
    let mut editor = Editor::start(&cli).await;
    let session = editor.open(&desk.folder).await;
    for _ in 0..2 {
        let answer = editor.prompt(&session, "Hello").await;
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
    }
    editor.child.kill().await.unwrap();
}

/// Killed in the middle of a call: the session is loaded, its call is told as interrupted, and the user goes on
/// with it.
#[tokio::test]
async fn a_run_that_a_crash_interrupted_is_resumed() {
    let desk = Desk::new(script([("show", json!({"file_path": "src/main.rs"}))])).await;
    let stopped = desk.cli.folder.path().join("stopped");
    let data = desk.cli.folder.path().join("data").display().to_string();
    let crashing = Cli { env: desk.cli.env.clone(), ..Cli::new() }
        .env("TOOLWRIGHT_DATA", &data)
        .env("TOOLWRIGHT_STOP_AT", "intent_saved")
        .env("TOOLWRIGHT_STOPPED", stopped.to_str().unwrap());
    let mut editor = Editor::start(&crashing).await;
    let session = editor.open(&desk.folder).await;
    editor.ask(&session, "Show it.").await;
    while !stopped.exists() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    editor.child.kill().await.unwrap();

    let mut editor = Editor::start(&desk.cli).await;
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": []});
    editor.request("session/load", params).await;
    let shown = Shown::of(&editor.updates);
    assert_eq!(shown.asked, ["Show it."]);
    assert_eq!(shown.calls[0]["status"], "failed", "{:?}", shown.calls);
    let commands = editor.update(|it| it["sessionUpdate"] == "available_commands_update").await;
    assert_eq!(commands["availableCommands"][0]["name"], "resume");
    let answer = editor.prompt(&session, "/resume").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let shown = Shown::of(&editor.updates);
    assert_eq!(shown.calls.len(), 1, "{:?}", shown.calls);
    assert_eq!(shown.calls[0]["status"], "completed");
    assert_eq!(shown.said, ["Done."]);
    let commands = editor.updates.last().unwrap();
    assert_eq!(commands["availableCommands"], json!([]));
    // There is nothing left to go on with.
    let answer = editor.prompt(&session, "/resume").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    assert_eq!(desk.server.requests().len(), 2);
    editor.end().await;
}
