//! What a command can write.

use std::{fs, process::Command};

use serde_json::json;

use crate::support::Yard;

fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Runs in a process of its own: others would be measured with it.
#[test]
fn b10_endless_output_is_capped_and_takes_little_memory() {
    const INNER: &str = "TOOLWRIGHT_TEST_ALONE";
    let name = "output::b10_endless_output_is_capped_and_takes_little_memory";
    if std::env::var_os(INNER).is_none() {
        let own = std::env::current_exe().unwrap();
        let done =
            Command::new(own).args(["--exact", name, "--nocapture"]).env(INNER, "1").output();
        let done = done.unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let yard = Yard::new();
        yard.works("echo warm").await;
        let before = resident();
        let endless = json!({"command": "yes", "timeout_seconds": 10});
        let told = yard.call(endless).await.unwrap_err().message().to_owned();
        assert!(told.starts_with("Command timed out after 10 s and was stopped\ny\ny\n"));
        assert!(told.ends_with("s]"));
        let truncated = told.lines().find_map(|it| it.strip_prefix("… [truncated ")).unwrap();
        let truncated: u64 = truncated.split(' ').next().unwrap().parse().unwrap();
        assert!(truncated > 10 << 20, "{truncated}");
        assert!(told.len() < 1100 << 10, "{}", told.len());
        drop(told);
        let grown = resident() - before;
        eprintln!("`yes` for 10 s: {} KiB more", grown >> 10);
        assert!(grown <= 8 << 20, "{grown}");
        let noise = json!({"command": "cat /dev/urandom", "timeout_seconds": 3});
        let told = yard.call(noise).await.unwrap_err();
        assert!(told.message().contains("are no text and are shown as \u{fffd}]"));
        let grown = resident() - before;
        eprintln!("`cat /dev/urandom` too: {} KiB more", grown >> 10);
        assert!(grown <= 8 << 20, "{grown}");
    });
}

#[tokio::test]
async fn b21_what_is_no_text_is_replaced_and_marked() {
    let yard = Yard::new();
    let said = yard.works(r"printf 'a\0b\377c\033[31mred\033[0m\n'").await;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "a\u{fffd}b\u{fffd}cred");
    assert_eq!(lines[1], "[2 bytes of the output are no text and are shown as \u{fffd}]");
    assert!(lines[2].starts_with("[exit 0, "));
    let json = serde_json::to_string(&said).unwrap();
    assert_eq!(serde_json::from_str::<String>(&json).unwrap(), said);
}

#[tokio::test]
async fn both_outputs_keep_their_order() {
    let yard = Yard::new();
    let said = yard.works("for i in 1 2 3; do echo out $i; echo err $i >&2; done").await;
    assert!(said.starts_with("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n[exit 0"), "{said}");
}

/// It would wait for keys until its time is over.
#[tokio::test]
async fn a_full_screen_program_is_stopped_and_says_why() {
    let yard = Yard::new();
    let draw = r"printf '\033[?1049h\033[2;1H~'; while read -r -t 60 <&2; do :; done; sleep 60";
    for command in ["vi file", draw] {
        let told = yard.call(json!({"command": command, "timeout_seconds": 60})).await;
        let told = told.unwrap_err().message().to_owned();
        let missing = command == "vi file" && told.contains("exit code 127");
        let said = "Command was stopped: it is a full-screen program that waits for keys";
        assert!(missing || told.starts_with(said), "{command}: {told}");
    }
    // What clears the screen, or draws and works on, is not one.
    let said = yard.works(r"printf '\033[2J\033[H'; sleep 6; echo end").await;
    assert!(said.contains("end\n[exit 0"), "{said}");
    let work = r"printf '\033[2;1H'; end=$((SECONDS+7)); while [ $SECONDS -lt $end ]; do :; done; echo end";
    let said = yard.works(work).await;
    assert!(said.contains("end\n[exit 0"), "{said}");
}
