//! What a command can use up.

use std::{fs, os::unix::fs::MetadataExt, process::Command, time::Duration};

use serde_json::json;

use crate::support::{Yard, shown};

#[tokio::test]
async fn b12_too_much_memory_ends_the_command_and_is_said() {
    let yard = Yard::with(|settings| settings.limits.memory = 64 << 20);
    // Without a control group it is the program that is told, and says so.
    let is_said = |told: &str| {
        told.starts_with("Command ran out of memory (limit 64 MiB)\n")
            || told.contains("MemoryError")
    };
    let told = yard.fails("echo begun; python3 -c 'x = bytearray(8 << 30); print(len(x))'").await;
    assert!(is_said(&told) && told.lines().nth(1) == Some("begun"), "{told}");
    let told = yard.fails("python3 -c 'x = []\nwhile True: x.append(bytearray(1 << 20))'").await;
    assert!(is_said(&told), "{told}");
    // What is in its `/tmp` is memory too.
    if let Err(error) = yard.run("head -c 200M /dev/zero > /tmp/zeros").await {
        assert!(is_said(error.message()), "{error}");
    }
    assert!(yard.works("echo alive").await.starts_with("alive\n"));
}

#[tokio::test]
async fn b13_a_file_can_only_get_so_large() {
    let yard = Yard::with(|settings| settings.limits.file = 1 << 20);
    yard.fails("head -c 5M /dev/zero > large").await;
    let written = fs::metadata(yard.root().join("large")).unwrap().len();
    assert!(written <= 1 << 20, "{written}");
    yard.fails("for i in 1 2 3; do head -c 900K /dev/zero > /tmp/$i || exit 1; done").await;
}

/// A small disk, gone when the test is over.
struct Disk(String);

impl Disk {
    /// Only root can.
    fn mount(at: &std::path::Path) -> Option<Self> {
        let at = shown(at);
        let done =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=40m", "none", &at]).status();
        done.unwrap().success().then_some(Self(at))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["-l", &self.0]).status();
    }
}

#[tokio::test]
async fn b13_a_command_that_fills_the_disk_is_stopped() {
    let outside = tempfile::tempdir().unwrap();
    let root = outside.path().join("ws");
    fs::create_dir(&root).unwrap();
    let Some(disk) = Disk::mount(&root) else {
        assert_ne!(fs::metadata(&root).map(|it| it.uid()).unwrap(), 0, "root can mount");
        return;
    };
    let (yard, workspace) = Yard::over(outside, |_| {});
    assert!(workspace.sandbox().is_ok());
    let fill = "head -c 34M /dev/zero > first; i=0\n\
        while :; do i=$((i+1)); head -c 100K /dev/zero > f$i || exit 9; sleep 0.1; done";
    let error = yard.call(json!({"command": fill, "timeout_seconds": 60})).await.unwrap_err();
    assert!(
        error.message().starts_with("Command was stopped: the workspace's disk is nearly full"),
        "{error}"
    );
    // Whoever else writes there still can.
    fs::write(root.join("other"), vec![0; 100 << 10]).unwrap();
    drop(disk);
}

#[tokio::test]
async fn more_time_than_there_is_is_all_there_is() {
    let yard = Yard::with(|settings| settings.limits.most_time = Duration::from_secs(3));
    let command = json!({"command": "echo begun; sleep 900", "timeout_seconds": 9999});
    let error = yard.call(command).await.unwrap_err();
    let told =
        "Command timed out after 3 s and was stopped\nbegun\n[it may take at most 3 seconds here]";
    assert!(error.message().starts_with(told), "{error}");
    let said = yard.works("echo in time").await;
    assert!(!said.contains("at most"), "{said}");
}
