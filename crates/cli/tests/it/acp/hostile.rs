//! What no editor should send.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use super::{Desk, Editor, editor::Came};

/// The next response, whatever it answers.
async fn response(editor: &mut Editor) -> Value {
    loop {
        if let Came::Response(message) = editor.came().await {
            return message;
        }
    }
}

#[tokio::test]
async fn what_is_no_message_is_told_and_nothing_breaks() {
    let desk = Desk::new(Script::new().reply(Reply::text("Hi."))).await;
    let mut editor = Editor::spawn(&desk.cli, &[]);
    // Before it introduced itself.
    let early = editor.request("session/new", json!({"cwd": desk.folder, "mcpServers": []})).await;
    assert_eq!(early["error"]["code"], -32600, "{early}");
    let version = editor.request("initialize", json!({"protocolVersion": "one"})).await;
    assert_eq!(version["error"]["code"], -32602, "{version}");
    // It speaks version 1 with whoever speaks another.
    let newer = editor.request("initialize", json!({"protocolVersion": 7})).await;
    assert_eq!(newer["result"]["protocolVersion"], 1, "{newer}");

    for (line, code) in [
        ("hello", -32700),
        ("{\"jsonrpc\":", -32700),
        ("\u{0}\u{1}", -32700),
        ("[]", -32600),
        ("{\"jsonrpc\":\"2.0\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"x\"}", -32600),
    ] {
        editor.line(line).await;
        let told = response(&mut editor).await;
        assert_eq!((&told["id"], &told["error"]["code"]), (&Value::Null, &json!(code)), "{line}");
    }
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    editor.line(&format!("{{\"id\":1,\"method\":\"session/new\",\"params\":{deep}}}")).await;
    assert_eq!(response(&mut editor).await["error"]["code"], -32700);
    let long = "a".repeat(17 << 20);
    editor.line(&format!("{{\"id\":1,\"method\":\"{long}\"}}")).await;
    let told = response(&mut editor).await;
    assert_eq!(told["error"]["code"], -32600, "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("16 MiB"), "{told}");

    // Nobody is answered who wants no answer, and answers that nobody asked for are nothing.
    editor.notify("session/explode", json!({"now": true})).await;
    editor.notify("session/cancel", json!({"sessionId": "conv_none"})).await;
    editor.notify("session/cancel", json!([])).await;
    editor.notify("$/cancel_request", json!({})).await;
    for id in [json!(0), json!(99), json!("x"), json!(-1), json!(1e300)] {
        editor.send(json!({"jsonrpc": "2.0", "id": id, "result": {}})).await;
    }
    let unknown = editor.request("session/explode", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let session = editor.open(&desk.folder).await;
    assert_eq!(editor.prompt(&session, "Hello").await["result"]["stopReason"], "end_turn");
    editor.end().await;
}

#[tokio::test]
async fn wrong_parameters_are_told() {
    let desk = Desk::new(Script::new()).await;
    desk.put("file", "x");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let text = json!([{"type": "text", "text": "Hello"}]);
    for (method, params, code) in [
        ("session/new", json!({}), -32602),
        ("session/new", json!({"cwd": 1, "mcpServers": []}), -32602),
        ("session/new", json!({"cwd": "relative", "mcpServers": []}), -32602),
        ("session/new", json!({"cwd": "/no/such/folder", "mcpServers": []}), -32602),
        ("session/new", json!({"cwd": desk.folder.join("file"), "mcpServers": []}), -32602),
        ("session/new", json!({"cwd": desk.folder, "mcpServers": [1]}), -32602),
        ("session/new", Value::Null, -32602),
        (
            "session/load",
            json!({"sessionId": "conv_x", "cwd": desk.folder, "mcpServers": []}),
            -32002,
        ),
        ("session/load", json!({"sessionId": "", "cwd": desk.folder, "mcpServers": []}), -32002),
        ("session/resume", json!({"sessionId": "../../x", "cwd": desk.folder}), -32002),
        ("session/prompt", json!({"sessionId": session}), -32602),
        ("session/prompt", json!({"sessionId": "conv_x", "prompt": text}), -32002),
        ("session/prompt", json!({"sessionId": session, "prompt": []}), -32602),
        ("session/prompt", json!({"sessionId": session, "prompt": [{"type": "video"}]}), -32602),
        (
            "session/prompt",
            json!({"sessionId": session, "prompt": [{"type": "image", "data": "§"}]}),
            -32602,
        ),
        ("session/close", json!({"sessionId": "conv_x"}), -32002),
        ("session/set_mode", json!({"sessionId": session}), -32602),
        (
            "session/set_config_option",
            json!({"sessionId": session, "configId": "model", "value": 1}),
            -32602,
        ),
    ] {
        let told = editor.request(method, params.clone()).await;
        assert_eq!(told["error"]["code"], code, "{method} {params} {told}");
        assert!(told["error"]["message"].is_string());
    }
    assert_eq!(desk.server.requests().len(), 0);
    editor.end().await;
}

/// What cannot be put together is told with what to do about it, and the next session can be.
#[tokio::test]
async fn a_folder_that_cannot_be_worked_in_is_told() {
    let desk = Desk::new(Script::new()).await;
    let mut editor = Editor::start(&desk.cli).await;
    // What is kept lies in it.
    let params = json!({"cwd": desk.cli.folder.path().join("data"), "mcpServers": []});
    let told = editor.request("session/new", params).await;
    assert_eq!(told["error"]["code"], -32603, "{told}");
    editor.open(&desk.folder).await;
    editor.end().await;
}

/// So many sessions may be open, and no more.
#[tokio::test]
async fn sessions_are_bounded() {
    let desk = Desk::new(Script::new()).await;
    let mut editor = Editor::start(&desk.cli).await;
    let mut first = None;
    for _ in 0..64 {
        let id = editor.open(&desk.folder).await;
        first.get_or_insert(id);
    }
    let params = json!({"cwd": desk.folder, "mcpServers": []});
    let told = editor.request("session/new", params).await;
    assert_eq!(told["error"]["code"], -32600, "{told}");
    editor.request("session/close", json!({"sessionId": first})).await;
    editor.open(&desk.folder).await;
    editor.end().await;
}
