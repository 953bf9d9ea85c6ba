//! [`Cli`]: the binary, run with an environment of the test's own.

use std::{ffi::OsStr, path::Path, process::Stdio, time::Duration};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{io::AsyncWriteExt, process::Command};
use toolwright_testkit::{ModelServer, check};

/// A key that must never be seen anywhere.
pub(crate) const KEY: &str = "sk-canary-0123456789abcdef";

/// The binary, run with an environment of the test's own.
pub(crate) struct Cli {
    pub(crate) folder: TempDir,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) program: std::path::PathBuf,
}

/// What a run of the binary left behind.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Cli {
    /// Nothing is configured.
    pub(crate) fn new() -> Self {
        let program = env!("CARGO_BIN_EXE_toolwright").into();
        Self { folder: TempDir::new().unwrap(), env: Vec::new(), program }
    }

    /// A scripted endpoint is configured.
    pub(crate) fn asking(server: &ModelServer) -> Self {
        Self::at(server.base_url())
    }

    /// An endpoint at this address is configured.
    pub(crate) fn at(base_url: &str) -> Self {
        Self::new()
            .env("OPENAI_API_BASE", base_url)
            .env("OPENAI_API_KEY", KEY)
            .env("TOOLWRIGHT_MODEL", "scripted")
    }

    /// The same command with a tool that asks the user: `examples/booking.rs`, which is built with the tests.
    pub(crate) fn booking(mut self) -> Self {
        let folder = self.program.parent().unwrap();
        let program = folder.join("examples/booking");
        assert!(program.exists(), "cargo build -p toolwright-cli --example booking");
        self.program = program;
        self
    }

    /// With settings of the user's own.
    pub(crate) fn configured(self, text: &str) -> Self {
        let folder = self.folder.path().join(".config/toolwright");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("toolwright.toml"), text).unwrap();
        self
    }

    /// Where the user's own settings are.
    pub(crate) fn settings(&self) -> std::path::PathBuf {
        self.folder.path().join(".config/toolwright/toolwright.toml")
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .env_clear()
            .env("HOME", self.folder.path())
            .env("TOOLWRIGHT_DATA", self.folder.path().join("data"))
            // Where a test says nothing, a script answers: the offline model has tests of its own.
            .env("TOOLWRIGHT_MODEL", "demo")
            // Whoever runs this owns its folders.
            .env("TOOLWRIGHT_ALLOW_ROOT", "true")
            .envs(self.env.iter().cloned())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// The command at a terminal of its own, whose input may be a file.
    pub(crate) fn terminal(&self, args: &[&str], input: Option<&Path>) -> Command {
        let input = input.map(|it| format!("< {}", quoted(it.as_os_str())));
        self.redirected(args, &input.unwrap_or_default())
    }

    /// The command at a terminal of its own, with something of it elsewhere, as a shell is told.
    pub(crate) fn redirected(&self, args: &[&str], elsewhere: &str) -> Command {
        let inner = self.command(args);
        let inner = inner.as_std();
        let words = [inner.get_program()].into_iter().chain(inner.get_args());
        let line = words.map(quoted).collect::<Vec<_>>().join(" ");
        let line = format!("{line} {elsewhere}");
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).env_clear();
        for (name, value) in inner.get_envs() {
            command.env(name, value.unwrap());
        }
        command.env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/sh");
        command.current_dir(self.folder.path()).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) async fn run(&self, args: &[&str]) -> Ended {
        self.run_with_input(args, None).await
    }

    pub(crate) async fn run_with_input(&self, args: &[&str], input: Option<&str>) -> Ended {
        let mut command = self.command(args);
        if input.is_some() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().unwrap();
        if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
            stdin.write_all(input.as_bytes()).await.unwrap();
        }
        let output = tokio::time::timeout(Duration::from_secs(300), child.wait_with_output());
        let output = output.await.expect("the command ends").unwrap();
        let ended = Ended {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        ended.assert_discreet();
        self.assert_sound(args, &ended).await;
        ended
    }

    /// What holds for everything a command leaves behind: the log is valid, and what was shown of a
    /// run is in it.
    async fn assert_sound(&self, args: &[&str], ended: &Ended) {
        if !self.folder.path().join("data/toolwright.db").exists() {
            return;
        }
        let export = self.command(&["conversations", "export"]).output().await.unwrap();
        // A test may have made it something else than a database, or broken a setting.
        if !export.status.success() {
            return;
        }
        let mut stored = lines(&String::from_utf8(export.stdout).unwrap());
        // The bytes of what is attached are no events.
        stored.retain(|line| line["type"] != "attachment");
        let mut problems = check::log(&stored);
        let is_run = args.contains(&"ask") || args.contains(&"resume");
        if is_run && args.contains(&"--json") && !ended.out.is_empty() {
            problems.extend(check::stream(&ended.events()));
            problems.extend(check::kept(&ended.events(), &stored));
        }
        assert!(problems.is_empty(), "{args:?} left behind:\n  {}", problems.join("\n  "));
    }
}

/// A word as a shell reads it.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.to_str().unwrap().replace('\'', r"'\''"))
}

impl Ended {
    /// What holds for every run: no key, no backtrace, no colours where there is no terminal.
    fn assert_discreet(&self) {
        for text in [&self.out, &self.err] {
            assert!(!text.contains(KEY), "the key was shown: {text}");
            assert!(!text.contains("panicked at"), "{text}");
            assert!(!text.contains("Toolwright has a fault"), "{text}");
            assert!(!text.contains("stack backtrace"), "{text}");
            assert!(!text.contains('\u{1b}'), "colours without a terminal: {text}");
        }
    }

    /// The lines of standard output as JSON.
    pub(crate) fn events(&self) -> Vec<Value> {
        lines(&self.out)
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
