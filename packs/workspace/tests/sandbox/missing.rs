//! Where there is no sandbox.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::json;
use toolwright_core::{ToolEffect, ToolErrorKind};
use toolwright_workspace::{Helper, NoSandbox};

use crate::support::{Yard, marker, survivors};

async fn without(helper: impl FnOnce(&std::path::Path) -> std::path::PathBuf) -> NoSandbox {
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("ws")).unwrap();
    let helper = helper(outside.path());
    let (yard, workspace) = Yard::over(outside, |settings| settings.helper = Helper::At(helper));
    let Err(missing) = workspace.sandbox() else { panic!("there is a sandbox") };
    let spec = yard.tool.spec();
    assert_eq!(spec.effect, ToolEffect::ReadOnly);
    let begin = format!("Not available here: {}", missing.reason);
    assert!(spec.description.starts_with(&begin), "{}", spec.description);
    let marker = marker();
    let ran = yard.call(json!({"command": format!("touch ran; sleep {marker}")})).await;
    let error = ran.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Refused);
    assert!(error.message().contains(&missing.reason), "{error}");
    assert!(error.message().contains(&missing.advice), "{error}");
    assert!(!yard.has("ran"));
    assert_eq!(survivors(&marker), [""; 0]);
    missing.clone()
}

fn script(folder: &std::path::Path, text: &str) -> std::path::PathBuf {
    let path = folder.join("helper");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[tokio::test]
async fn b20_without_the_program_inside_there_is_no_sandbox() {
    let missing = without(|folder| folder.join("nothing")).await;
    assert!(missing.reason.starts_with("the program that starts commands is not there"));
    let missing = without(|_| "/usr/bin/true".into()).await;
    assert!(missing.reason.starts_with("the sandbox could not be built"), "{missing:?}");
}

#[tokio::test]
async fn b20_without_the_inner_walls_there_is_no_sandbox() {
    let text = "#!/bin/bash\nwhile [ \"$1\" != -- ]; do shift; done; shift\n\
        echo ready 7 >&2; read -n 1; exec \"$@\" 2>&1\n";
    let missing = without(|folder| script(folder, text)).await;
    assert_eq!(missing.reason, "the sandbox does not hold: system calls are not filtered");
}

#[tokio::test]
async fn b20_without_landlock_there_is_no_sandbox() {
    let text = "#!/bin/bash\necho 'landlock: the kernel does not have it' >&2; exit 125\n";
    let missing = without(|folder| script(folder, text)).await;
    assert!(missing.reason.starts_with("the kernel does not have Landlock"), "{missing:?}");
    assert!(missing.advice.contains("5.13"), "{missing:?}");
}

#[tokio::test]
async fn b20_a_command_never_begins_without_being_told_to() {
    // The program inside, started by somebody else: it waits for a word that nobody says.
    let outside = tempfile::tempdir().unwrap();
    let done = std::process::Command::new(crate::support::helper())
        .args(["--write", "/tmp", "--file", "1000000", "--processes", "1000", "--"])
        .args(["touch", "ran"])
        .current_dir(outside.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(125));
    assert!(!outside.path().join("ran").exists());
}

#[tokio::test]
async fn what_there_is_is_described() {
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("ws")).unwrap();
    let (_yard, workspace) = Yard::over(outside, |_| {});
    let rows = workspace.sandbox().map(toolwright_workspace::Sandbox::describe).unwrap();
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["bubblewrap", "Landlock", "seccomp", "network", "limits", "runs as"];
    assert_eq!(names, [&expected[..], &["tried in vain"]].concat());
    assert!(rows.iter().all(|(_, value)| !value.is_empty()), "{rows:?}");
}
