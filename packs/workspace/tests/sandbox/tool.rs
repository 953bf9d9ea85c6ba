//! The tool itself: its arguments and what it says.

use std::{
    os::unix::fs::symlink,
    sync::{Arc, Mutex},
};

use serde_json::json;
use toolwright_core::{CallId, PreviewContent, RunContext, ToolEffect, ToolUpdate};

use crate::support::{Yard, shown};

#[tokio::test]
async fn b19_a_folder_to_run_in_never_opens_anything() {
    let yard = Yard::new();
    yard.put("sub/file", "");
    symlink("/etc", yard.root().join("out")).unwrap();
    symlink("sub", yard.root().join("in")).unwrap();
    for cwd in ["/", "..", "../..", "/etc", "/tmp", "out", "sub/../..", "nowhere", "sub/file"] {
        let ran = yard.call(json!({"command": "echo x > planted", "cwd": cwd})).await;
        let error = ran.unwrap_err();
        assert!(error.message().starts_with("Invalid input: "), "{cwd}: {error}");
        assert!(error.input().unwrap()["cwd"].as_str().unwrap().starts_with('/'), "{error}");
    }
    for command in
        ["cd ..; echo x > planted", "cd /; echo x > planted", "cd /etc; echo x > planted"]
    {
        let _ = yard.run(command).await;
    }
    assert!(!yard.outside.path().join("planted").exists());
    assert!(!std::path::Path::new("/etc/planted").exists());
    for cwd in ["sub", "sub/", "./sub", "in", &shown(&yard.root().join("sub"))] {
        let said = yard.call(json!({"command": "pwd", "cwd": cwd})).await.unwrap();
        assert!(
            said.starts_with(&shown(&yard.root().canonicalize().unwrap().join("sub"))),
            "{said}"
        );
    }
    for cwd in ["", "."] {
        let said = yard.call(json!({"command": "pwd", "cwd": cwd})).await.unwrap();
        assert!(said.starts_with(&shown(&yard.root().canonicalize().unwrap())), "{said}");
    }
}

#[tokio::test]
async fn how_it_ended_is_said_first_and_last() {
    let yard = Yard::new();
    let said = yard.works("echo hello").await;
    assert!(said.starts_with("hello\n[exit 0, 0."), "{said}");
    let error = yard.run("echo oops >&2; exit 7").await.unwrap_err();
    let told = error.message();
    assert!(told.starts_with("Command failed with exit code 7\noops\n[exit 7, 0."), "{told}");
    let root = shown(&yard.root().canonicalize().unwrap());
    assert_eq!(error.input().unwrap(), &json!({"command": "echo oops >&2; exit 7", "cwd": root}));
    let told = yard.fails("kill -9 $$").await;
    assert!(told.starts_with("Command failed with exit code 137"), "{told}");
    let told = yard.fails("nonsense-that-is-not-there").await;
    assert!(told.starts_with("Command failed with exit code 127"), "{told}");
    let told = yard.fails("echo 'unclosed").await;
    assert!(told.starts_with("Command failed with exit code 2"), "{told}");
    for (command, why) in [("a\0b", "NUL"), (&*"x".repeat(200_000), "128 KiB")] {
        let told = yard.fails(command).await;
        assert!(told.starts_with("Invalid input: command: ") && told.contains(why), "{told}");
    }
    assert!(yard.works("-x 2>/dev/null || echo no option").await.contains("no option"));
}

#[tokio::test]
async fn the_last_line_is_told_while_it_runs() {
    let yard = Yard::new();
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = said.clone();
    let context = RunContext::new().for_call(
        CallId::from("1"),
        Arc::new(move |it| {
            if let ToolUpdate::Progress(line) = it {
                heard.lock().unwrap().push(line);
            }
        }),
    );
    let arguments =
        json!({"command": "for i in 1 2 3; do echo step $i; done; sleep 3.5; echo end"});
    yard.tool.call(Arc::new(arguments), &context).await.unwrap();
    assert_eq!(*said.lock().unwrap(), ["step 3"]);
}

#[tokio::test]
async fn what_would_be_done_is_told_beforehand() {
    let yard = Yard::new();
    yard.put("sub/file", "");
    let spec = yard.tool.spec();
    assert_eq!(
        (spec.effect, spec.free_text.as_slice()),
        (ToolEffect::Destructive, &["command".to_owned()][..])
    );
    let context = RunContext::new();
    let arguments = json!({"command": "ls -l", "cwd": "sub"});
    let preview = yard.tool.preview(&arguments, &context).await;
    let root = yard.root().canonicalize().unwrap();
    assert_eq!(preview.place, Some(shown(&root.join("sub"))));
    assert_eq!(preview.content, Some(PreviewContent::Command("ls -l".into())));
    assert!(preview.always.is_empty());
    let preview = yard.tool.preview(&json!({"command": "ls"}), &context).await;
    assert_eq!(preview.place, Some(shown(&root)));
}
