//! A process that is stopped and goes on: what arrived meanwhile is read, and no time was lost.

use std::{process::Stdio, time::Duration};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::harness::Cli;

async fn signal(pid: u32, name: &str) {
    let pid = pid.to_string();
    let sent = tokio::process::Command::new("kill").args([name, &pid]).status().await;
    assert!(sent.unwrap().success());
}

/// Stopped for longer than it may be silent, several times, and for longer than a run may take: the
/// reply is there to the last word.
#[tokio::test]
async fn a_reply_goes_on_where_the_process_was_stopped() {
    let words: Vec<_> = (0..40).map(|nth| format!("word{nth} ")).collect();
    let text = words.concat();
    let pace = Duration::from_millis(40);
    let reply = Reply::text(text.as_str()).chunking(Chunking::PerEvent).pace(pace);
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let cli = Cli::asking(&server).env("TOOLWRIGHT_IDLE_TIMEOUT", "1s");
    let config = cli.folder.path().join("own.toml");
    std::fs::write(&config, "[limits]\nwall_clock = \"8s\"\n").unwrap();
    let config = config.display().to_string();
    let mut command = cli.command(&["--config", &config, "ask", "--json", "Count."]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = child.id().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (mut shown, mut stops, mut last) = (String::new(), 0, Value::Null);
    while let Some(line) = lines.next_line().await.unwrap() {
        last = serde_json::from_str(&line).unwrap();
        if last["type"] != "content" {
            continue;
        }
        shown.push_str(last["data"].as_str().unwrap());
        if stops < 4 {
            stops += 1;
            signal(pid, "-STOP").await;
            tokio::time::sleep(Duration::from_millis(2500)).await;
            signal(pid, "-CONT").await;
        }
    }
    let ended = child.wait_with_output().await.unwrap();
    let err = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(last["type"], "done", "{last} {err}");
    assert_eq!(shown, text);
    assert_eq!(last["response"], text);
    assert_eq!(ended.status.code(), Some(0), "{err}");
    assert!(stops >= 2, "the reply came in {stops} pieces");
    assert_eq!(server.requests().len(), 1, "nothing was asked again");
}

/// Whatever ends the process ends its command first, and what that made is looked at.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_a_command_made_is_put_aside_however_the_process_is_ended() {
    let script =
        r#"{"command":"mkdir .vscode; echo x > .vscode/tasks.json; touch begun; sleep 60"}"#;
    for (how, name) in [("ask", "-HUP"), ("ask", "-QUIT"), ("chat", "-HUP"), ("chat", "-TERM")] {
        let server = ModelServer::start(
            Script::new().reply(Reply::calls([("a", "bash", script)])).reply(Reply::text("Done.")),
        )
        .await;
        let cli = Cli::asking(&server);
        let workspace = cli.folder.path().join("workspace");
        std::fs::create_dir(&workspace).unwrap();
        let path = workspace.to_str().unwrap();
        let mut args = vec![how, "--task", "workspace", "--workspace", path, "--approve"];
        args.extend((how == "ask").then_some("Go."));
        let mut command = cli.command(&args);
        if how == "chat" {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take();
        if let Some(stdin) = &mut stdin {
            tokio::io::AsyncWriteExt::write_all(stdin, b"Go.\n").await.unwrap();
        }
        while !workspace.join("begun").exists() {
            assert!(child.try_wait().unwrap().is_none(), "{how} ended early");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        signal(child.id().unwrap(), name).await;
        let ended = child.wait_with_output().await.unwrap();
        let err = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{how} {name}: {err}");
        assert!(workspace.join(".vscode.held").exists(), "{how} {name}: {err}");
        assert!(!workspace.join(".vscode").exists(), "{how} {name}: {err}");
        drop(stdin);
    }
}

/// What a command wrote until it was stopped is in its result: on the screen, in the log, and for a model that
/// goes on.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_a_command_wrote_until_it_was_stopped_is_kept() {
    let script = r#"{"command":"echo one; echo two; sleep 600"}"#;
    let server =
        ModelServer::start(Script::new().reply(Reply::calls([("a", "bash", script)]))).await;
    let cli = Cli::asking(&server);
    let workspace = cli.folder.path().join("workspace");
    std::fs::create_dir(&workspace).unwrap();
    let path = workspace.to_str().unwrap();
    let args = ["ask", "--json", "--task", "workspace", "--workspace", path, "--approve", "Go."];
    let mut command = cli.command(&args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = child.id().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (mut result, mut conversation) = (Value::Null, String::new());
    while let Some(line) = lines.next_line().await.unwrap() {
        let event: Value = serde_json::from_str(&line).unwrap();
        match event["type"].as_str().unwrap() {
            "run_started" => conversation = event["conversation_id"].as_str().unwrap().to_owned(),
            "call_progress" => signal(pid, "-INT").await,
            "call_finished" => result = event,
            _ => {}
        }
    }
    child.wait().await.unwrap();
    assert_eq!(result["status"], "cancelled", "{result}");
    let told = result["message"]["content"].as_str().unwrap();
    assert_eq!(told, "The call was cancelled. Until then:\none\ntwo\n");
    let shown = cli.run(&["conversations", "show", &conversation]).await;
    assert!(shown.out.contains("two"), "{}", shown.out);
}
