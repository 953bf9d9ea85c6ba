//! [`watch`]: runs a test in a process of its own, and sees every call to the network that a command
//! in its sandboxes makes.

use std::{collections::BTreeSet, env, fs, process::Command};

/// Where the test reaches for at its end, to show that it would have been noticed.
pub(crate) const PORT: u16 = 9;

/// Runs a test of this binary, and fails where it does or where a command called the network. Without
/// strace only the former is seen.
pub(crate) fn watch(test: &str) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("calls");
    let this = env::current_exe().unwrap();
    let mut command = match Command::new("strace").arg("--version").output() {
        Ok(_) => {
            let mut strace = Command::new("strace");
            strace.args(["-f", "-Y", "-qq", "--seccomp-bpf", "-e", "signal=none"]);
            strace.args(["-e", "trace=network", "-o"]).arg(&log).arg(this);
            strace
        }
        Err(_) => Command::new(this),
    };
    let done = command.args(["--exact", test, "--ignored", "--nocapture"]).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success() && said.contains("1 passed"),
        "{said}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    print!("{said}");
    match fs::read_to_string(&log) {
        Ok(calls) => check(&calls),
        Err(_) => println!("strace is not installed: calls to the network were not watched"),
    }
}

fn check(calls: &str) {
    let calls: Vec<Call<'_>> = calls.lines().filter_map(Call::read).collect();
    let end = format!("htons({PORT})");
    let last: BTreeSet<_> =
        calls.iter().filter(|it| it.text.contains(&end)).map(|it| it.process).collect();
    assert!(!last.is_empty(), "what reaches for the network is not noticed");
    let reaching: Vec<_> = calls
        .iter()
        .filter(|it| !it.is_ours() && !it.is_refused() && !last.contains(it.process))
        .collect();
    println!(
        "{} calls to the network were seen, {} of them by commands",
        calls.len(),
        reaching.len()
    );
    assert!(reaching.is_empty(), "{reaching:#?}");
}

/// A call to the network: `12<bash> socket(AF_INET, …) = 3`.
#[derive(Debug)]
struct Call<'l> {
    process: &'l str,
    program: &'l str,
    text: &'l str,
}

impl<'l> Call<'l> {
    fn read(line: &'l str) -> Option<Self> {
        let (process, rest) = line.split_once('<')?;
        let (program, text) = rest.split_once("> ")?;
        // A call that was cut off before strace knew which it was.
        if text.trim_start().starts_with("???(") {
            return None;
        }
        Some(Self { process, program, text: text.trim_start() })
    }

    /// Whether the test itself makes it, or what builds the walls. The test gives its folders away with
    /// `chown`, which is never taken for looking.
    fn is_ours(&self) -> bool {
        ["bwrap", ".toolwright-ent", "chown", "toolwright-s", "sandbox-", "judged::", "tokio-"]
            .iter()
            .any(|it| self.program.starts_with(it))
    }

    /// Whether it asks for the names of users, as the C library does, and is refused a socket; or
    /// whether its input is one, as bash does.
    fn is_refused(&self) -> bool {
        let asks = self.text.starts_with("getpeername(") && self.text.contains("ENOTSOCK");
        let is_local =
            self.text.starts_with("socket(AF_UNIX") || self.text.starts_with("<... socket");
        asks || is_local && (self.text.contains(" = -1 ") || self.text.contains("<unfinished"))
    }
}
