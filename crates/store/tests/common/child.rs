//! [`Child`]: this test program, run once more as a process that can be killed.

use std::{
    io::{BufRead, BufReader, Lines},
    process::{ChildStdout, Command, Stdio},
};

/// This test program, run once more.
pub(crate) struct Child {
    process: std::process::Child,
    lines: Lines<BufReader<ChildStdout>>,
}

/// Tells a child from its parent.
const ROLE: &str = "TOOLWRIGHT_STORE_CHILD";

/// What a child is told to do; nothing in the parent, where such a test has nothing to test.
pub(crate) fn role() -> Option<String> {
    std::env::var(ROLE).ok()
}

/// Says something to the parent.
pub(crate) fn say(line: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    // The test harness has not ended its own line.
    writeln!(out, "\n> {line}").and_then(|()| out.flush()).expect("the parent listens");
}

impl Child {
    /// Runs one test of this program, which finds `role` in [`role`].
    pub(crate) fn run(test: &str, role: &str) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("a program"))
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(ROLE, role)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs again");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        Self { process, lines }
    }

    /// The next thing it says; nothing when it is gone.
    pub(crate) fn next(&mut self) -> Option<String> {
        loop {
            let line = self.lines.next()?.ok()?;
            if let Some(said) = line.strip_prefix("> ") {
                return Some(said.to_owned());
            }
        }
    }

    /// Kills it as nothing else can.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it ends");
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Stops it, and waits until nothing in it moves any more.
    pub(crate) fn stop(&self) {
        self.signal("STOP");
        let tasks = format!("/proc/{}/task", self.id());
        let moves = |task: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            // Behind the name, which stands in brackets and may hold anything.
            !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('T')
        };
        while std::fs::read_dir(&tasks).expect("this is Linux").flatten().any(moves) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Lets it go on.
    pub(crate) fn go_on(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(sent.expect("`kill` runs").success());
    }

    /// Waits for its end; whether it ended well.
    pub(crate) fn ended_well(&mut self) -> bool {
        self.process.wait().expect("it ends").success()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
