//! Programs that stay.

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use toolwright_sandbox::{Process, Sandbox, SandboxProfile};

use crate::support::{Yard, bash, marker, settings, survivors, until};

const FOLDER: &str = "TOOLWRIGHT_STAYING_FOLDER";

/// Says back what it reads, and leaves others running.
fn echo(marker: &str) -> String {
    format!(
        "(setsid sleep {marker} &); sleep {marker} & \
         while read -r line; do echo \"<$line>\"; echo \"!$line\" >&2; done; echo bye"
    )
}

async fn said(process: &mut Process, line: &str) -> String {
    let stdin = process.stdin.as_mut().unwrap();
    stdin.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    let mut stdout = BufReader::with_capacity(1, process.stdout.as_mut().unwrap());
    stdout.read_line(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn one_that_stays_answers_again_and_again_until_its_input_is_closed() {
    let yard = Yard::new();
    let marker = marker();
    let program = bash(&echo(&marker));
    let mut process = yard.sandbox.start(&program, &SandboxProfile::new("/tmp")).await.unwrap();
    for at in 0..50 {
        assert_eq!(said(&mut process, &at.to_string()).await, format!("<{at}>\n"));
    }
    assert!(process.try_wait().unwrap().is_none());
    drop(process.stdin.take());
    let mut rest = String::new();
    // Those that it left hold its output open: with it they are gone.
    let status = process.wait().await.unwrap();
    process.stdout.as_mut().unwrap().read_to_string(&mut rest).await.unwrap();
    assert_eq!((status.code(), rest.as_str()), (Some(0), "bye\n"));
    let mut errors = String::new();
    process.stderr.as_mut().unwrap().read_to_string(&mut errors).await.unwrap();
    assert!(errors.starts_with("!0\n!1\n") && errors.ends_with("!49\n"), "{errors}");
    assert!(until(|| survivors(&marker).is_empty()).await, "{:?}", survivors(&marker));
}

#[tokio::test]
async fn nothing_is_left_of_one_that_is_dropped_or_killed() {
    let yard = Yard::new();
    for is_killed in [false, true] {
        let marker = marker();
        let program = bash(&echo(&marker));
        let mut process = yard.sandbox.start(&program, &SandboxProfile::new("/tmp")).await.unwrap();
        assert_eq!(said(&mut process, "x").await, "<x>\n");
        assert!(survivors(&marker).len() >= 3, "{:?}", survivors(&marker));
        if is_killed {
            assert!(!process.kill().await.success());
        } else {
            drop(process);
        }
        assert!(until(|| survivors(&marker).is_empty()).await, "{:?}", survivors(&marker));
    }
}

/// A future that is dropped while the walls are put up leaves nothing either.
#[tokio::test]
async fn nothing_is_left_of_one_that_is_dropped_at_its_start() {
    let yard = Yard::new();
    let marker = marker();
    let program = bash(&format!("sleep {marker}"));
    for delay in 0..20 {
        let profile = SandboxProfile::new("/tmp");
        let start = yard.sandbox.start(&program, &profile);
        let _ = tokio::time::timeout(Duration::from_millis(delay), start).await;
    }
    assert!(until(|| survivors(&marker).is_empty()).await, "{:?}", survivors(&marker));
}

#[tokio::test]
async fn nothing_is_left_when_this_process_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let marker = marker();
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "staying::server", "--nocapture"])
        .env(FOLDER, folder.path())
        .env("MARKER", &marker)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(until(|| survivors(&marker).len() >= 3).await, "{:?}", survivors(&marker));
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(until(|| survivors(&marker).is_empty()).await, "{:?}", survivors(&marker));
}

#[tokio::test]
#[ignore = "started to be killed"]
async fn server() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let marker = std::env::var("MARKER").unwrap();
    let settings = settings(folder.as_ref());
    let sandbox = Sandbox::build(&settings, &SandboxProfile::new("/tmp")).unwrap();
    let program = bash(&echo(&marker));
    let _process = sandbox.start(&program, &SandboxProfile::new("/tmp")).await.unwrap();
    std::future::pending::<()>().await;
}

/// The kernel means the thread by "parent", and threads end.
#[test]
fn one_outlives_the_thread_that_asked_for_it() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let yard = Yard::new();
    let program = bash(&echo("0"));
    let handle = runtime.handle().clone();
    let mut process = std::thread::scope(|scope| {
        let start = || handle.block_on(yard.sandbox.start(&program, &SandboxProfile::new("/tmp")));
        scope.spawn(start).join().unwrap().unwrap()
    });
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(runtime.block_on(said(&mut process, "still")), "<still>\n");
}
