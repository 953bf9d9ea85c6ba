//! [`Process`]: the binary while it runs, and [`Left`]: what it left behind.

use std::{
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::ExitStatus,
    time::Duration,
};

use serde_json::Value;
use tokio::process::{Child, Command};

/// Long enough for a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// The binary while it runs. Its output goes into files, so that nobody has to read along.
pub(crate) struct Process {
    child: Child,
    files: PathBuf,
}

/// What it left behind.
#[derive(Debug)]
pub(crate) struct Left {
    /// None when it was killed.
    pub(crate) code: Option<i32>,
    /// The events of its run, as far as the lines of standard output are whole.
    pub(crate) shown: Vec<Value>,
    pub(crate) err: String,
}

impl Left {
    /// The last thing it showed; null when that was nothing.
    pub(crate) fn last(&self) -> &Value {
        self.shown.last().unwrap_or(&Value::Null)
    }
}

impl Process {
    /// Starts the command; `files` is the beginning of the names of its files.
    pub(crate) fn start(mut command: Command, files: PathBuf) -> Self {
        let create = |name: &str| std::fs::File::create(files.with_extension(name)).unwrap();
        command.env("TOOLWRIGHT_STOPPED", files.with_extension("stopped"));
        command.stdout(create("out")).stderr(create("err")).kill_on_drop(true);
        Self { child: command.spawn().unwrap(), files }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id().expect("a process that runs")
    }

    /// Waits until it stands at its moment; says whether it got there before its end.
    pub(crate) async fn is_stopped(&mut self) -> bool {
        let stopped = self.files.with_extension("stopped");
        let reached = async {
            while !stopped.exists() && self.child.try_wait().unwrap().is_none() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            stopped.exists()
        };
        tokio::time::timeout(PATIENCE, reached).await.expect("it gets to its moment, or ends")
    }

    /// Lets it go on from its moment.
    pub(crate) fn go_on(&self) {
        std::fs::remove_file(self.files.with_extension("stopped")).unwrap();
    }

    /// Sends it a signal, such as `-INT`.
    pub(crate) async fn signal(&self, name: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().await.unwrap().success());
    }

    /// Kills it where it stands.
    pub(crate) async fn killed(mut self) -> Left {
        self.child.start_kill().unwrap();
        self.ended().await
    }

    /// Waits for its end.
    pub(crate) async fn ended(mut self) -> Left {
        let end = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        let status = end.expect("it ends").unwrap();
        left(status, &self.files)
    }

    /// What standard output shows by now.
    pub(crate) fn shown(&self) -> Vec<Value> {
        shown(&self.files)
    }
}

fn left(status: ExitStatus, files: &Path) -> Left {
    let err = std::fs::read_to_string(files.with_extension("err")).unwrap();
    // Anything else is a panic or worse.
    assert!(
        matches!(status.code(), Some(0..=3 | 130))
            || matches!(status.signal(), Some(1 | 2 | 9 | 15)),
        "it ended with {status}: {err}"
    );
    assert!(!err.contains("panicked"), "{err}");
    let mut shown = shown(files);
    // Where it never came to a run there is an error of no run, which says what is also said to people.
    if let [error] = &*shown
        && error["type"] == "error"
        && error.get("run").is_none()
    {
        assert!(err.contains(error["message"].as_str().expect("a message")), "{error} {err}");
        shown.clear();
    }
    Left { code: status.code(), shown, err }
}

/// A line that a killed process did not end was shown to nobody.
fn shown(files: &Path) -> Vec<Value> {
    let out = std::fs::read_to_string(files.with_extension("out")).unwrap();
    let whole = out.rfind('\n').map_or("", |end| &out[..end]);
    whole.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}
