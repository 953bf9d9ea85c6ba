//! What a command can learn of the server.

use std::process::Command;

use crate::support::Yard;

/// Runs in a process of its own, which has secrets in its environment.
#[test]
fn b14_nothing_of_the_servers_environment_is_seen() {
    const SECRET: &str = "TOOLWRIGHT_TEST_API_KEY";
    let name = "secrets::b14_nothing_of_the_servers_environment_is_seen";
    if std::env::var_os(SECRET).is_none() {
        let own = std::env::current_exe().unwrap();
        let done = Command::new(own)
            .args(["--exact", name, "--nocapture"])
            .env(SECRET, "canary-in-the-environment")
            .env("DATABASE_URL", "postgres://canary@localhost/x")
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let yard = Yard::new();
        let said = yard
            .works(
                "env; export -p; cat /proc/$PPID/environ /proc/1/environ /proc/self/environ; \
                 for p in /proc/[0-9]*; do cat $p/environ $p/cmdline; done 2>&1; ls -l /proc/self/fd; true",
            )
            .await;
        assert!(!said.contains("canary") && !said.contains("DATABASE_URL"), "{said}");
        let said = yard.works("env | sort").await;
        let names: Vec<&str> = said.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        let own = ["HOME", "LANG", "PATH", "PWD", "SHLVL", "TERM", "TMPDIR", "_"];
        assert!(names.iter().all(|name| own.contains(name)), "{names:?}");
    });
}

#[tokio::test]
async fn nothing_that_the_server_has_open_is_shared() {
    let yard = Yard::new();
    let said = yard.works("ls /proc/self/fd | wc -l; readlink /proc/self/fd/0").await;
    // The three, and the folder itself.
    assert!(said.starts_with("4\n/dev/null\n"), "{said}");
}
