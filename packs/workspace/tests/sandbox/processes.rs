//! What is left of a command.

use std::time::{Duration, Instant};

use serde_json::json;
use toolwright_core::ToolErrorKind;

use crate::support::{Yard, groups, marker, survivors, until};

#[tokio::test]
async fn b07_what_takes_too_long_is_stopped_with_all_that_it_started() {
    let yard = Yard::new();
    let marker = marker();
    let command = format!("echo begun; setsid sleep {marker} & sleep {marker}");
    let since = Instant::now();
    let ended = yard.call(json!({"command": command, "timeout_seconds": 2})).await;
    let took = since.elapsed();
    let error = ended.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::TimedOut);
    assert!(
        error
            .message()
            .starts_with("Command timed out after 2 s and was stopped\nbegun\n[stopped, "),
        "{error}"
    );
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert_eq!(survivors(&marker), [""; 0]);
}

#[tokio::test]
async fn b08_what_is_left_running_is_gone_when_the_call_ends() {
    let yard = Yard::new();
    let marker = marker();
    for command in [
        format!("setsid sleep {marker} & exit 0"),
        format!("(sleep {marker} &)"),
        format!("nohup sleep {marker} >/dev/null 2>&1 & disown; exit 3"),
        format!("setsid bash -c '(setsid sleep {marker} &) &' & sleep 0.1"),
        format!("trap '' TERM HUP INT; (trap '' TERM HUP INT; sleep {marker}) & kill -9 $$"),
        format!(
            "python3 -c 'import os,time\nfor _ in range(3):\n if os.fork(): os._exit(0)\n os.setsid()\n\
             os.execvp(\"sleep\", [\"sleep\", \"{marker}\"])'; sleep 0.1"
        ),
    ] {
        let _ = yard.run(&command).await;
        assert_eq!(survivors(&marker), [""; 0], "{command}");
    }
}

#[tokio::test]
async fn b09_a_child_that_keeps_the_output_open_keeps_nobody_waiting() {
    let yard = Yard::new();
    let marker = marker();
    let since = Instant::now();
    let said = yard.works(&format!("sleep {marker} & echo done")).await;
    assert!(said.starts_with("done\n[exit 0"), "{said}");
    assert!(since.elapsed() < Duration::from_secs(60));
    assert_eq!(survivors(&marker), [""; 0]);
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_nothing() {
    let yard = Yard::new();
    let marker = marker();
    // At any moment, also while the walls are still being put up.
    let rising = (0..60).map(|step| step * 200);
    for delay in rising.chain([15_000, 20_000, 50_000, 200_000]) {
        let command = format!("echo x > .mcp.json; setsid sleep {marker} & sleep {marker}");
        let call = yard.run(&command);
        let ended = tokio::time::timeout(Duration::from_micros(delay), call).await;
        assert!(ended.is_err(), "{ended:?}");
        assert!(until(|| survivors(&marker).is_empty()).await, "{delay} µs");
    }
    assert!(until(|| !yard.has(".mcp.json")).await, "what a dropped command made is held too");
    assert!(yard.has(".mcp.json.held"));
    // Others of this process's groups belong to tests beside this one.
    let left = groups();
    assert!(until(|| left.iter().all(|group| !group.exists())).await, "{left:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b11_a_fork_bomb_is_contained() {
    let yard = Yard::with(|settings| settings.limits.processes = 64);
    let marker = marker();
    let bomb = format!("b() {{ b | b & }}; b; sleep {marker}");
    let bombed = yard.call(json!({"command": bomb, "timeout_seconds": 8}));
    let bombed = async { (bombed.await, Instant::now()) };
    let beside = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let other = Yard::new();
        let said = other.works("echo answered").await;
        assert!(said.starts_with("answered\n"), "{said}");
        Instant::now()
    };
    let ((bombed, over), answered) = tokio::join!(bombed, beside);
    assert!(answered < over, "only when the bomb was over");
    let told = match bombed {
        Ok(text) => text,
        Err(error) => error.message().to_owned(),
    };
    assert!(told.contains("fork"), "{told}");
    assert_eq!(survivors(&marker), [""; 0]);
}

/// The command is started by a process of its own, which is then killed.
#[test]
fn what_is_running_goes_when_the_server_is_killed() {
    const MARKER: &str = "TOOLWRIGHT_TEST_MARKER";
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    if let Ok(marker) = std::env::var(MARKER) {
        let command = format!("setsid sleep {marker} & sleep {marker}");
        let _ = runtime.block_on(Yard::new().run(&command));
        return;
    }
    let (marker, folder) = (marker(), tempfile::tempdir().unwrap());
    let mut server = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::what_is_running_goes_when_the_server_is_killed"])
        .env(MARKER, &marker)
        // It cannot clear away its own.
        .env("TMPDIR", folder.path())
        .spawn()
        .unwrap();
    let sleeping = format!("sleep {marker}");
    // Bubblewrap's own arguments name it too.
    let begun = || survivors(&sleeping).iter().filter(|it| !it.contains("bwrap")).count() >= 3;
    let has_begun = runtime.block_on(until(begun));
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(has_begun);
    assert!(runtime.block_on(until(|| survivors(&marker).is_empty())), "{:?}", survivors(&marker));
}
