//! [`World`]: a data folder, a model that answers, and the binary to start in it.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    process::Command,
    sync::{Semaphore, SemaphorePermit},
};
use toolwright_testkit::{ModelServer, check};

use crate::{
    process::{Left, Process},
    story::{self, Story},
};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_toolwright");

/// More worlds than cores: most of the time a process waits for its disk.
static ROOM: Semaphore = Semaphore::const_new(6);

/// Where settings are, if there are any.
const CONFIG: &str = "toolwright.toml";

/// A picture that goes with questions.
pub(crate) const PICTURE: &str = "picture.png";

/// A data folder, a model that answers, and the binary to start in it.
pub(crate) struct World {
    /// What is tried here, for whoever reads about a failure.
    pub(crate) about: String,
    folder: TempDir,
    server: ModelServer,
    processes: AtomicUsize,
    /// What every process so far has shown.
    shown: Mutex<Vec<Vec<Value>>>,
    _room: SemaphorePermit<'static>,
}

impl World {
    pub(crate) async fn new(about: impl Into<String>) -> Self {
        let room = ROOM.acquire().await.unwrap();
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join(PICTURE), b"\x89PNG\r\n\x1a\n not much of one").unwrap();
        Self {
            about: about.into(),
            folder,
            server: ModelServer::start_with(story::reply).await,
            processes: AtomicUsize::new(0),
            shown: Mutex::default(),
            _room: room,
        }
    }

    /// A file beside the data, for the test's own use.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.file("data")
    }

    /// A program, with an environment of this world's.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path())
            .env("TOOLWRIGHT_DATA", self.data())
            .env("OPENAI_API_BASE", self.server.base_url())
            .env("OPENAI_API_KEY", "sk-none")
            .env("TOOLWRIGHT_MODEL", "scripted")
            .current_dir(self.folder.path())
            .stdin(std::process::Stdio::null());
        if self.file(CONFIG).exists() {
            command.env("TOOLWRIGHT_CONFIG", self.file(CONFIG));
        }
        command
    }

    /// Configures what a story needs.
    pub(crate) fn configure(&self, story: Story) {
        if let Some(config) = story.config() {
            std::fs::write(self.file(CONFIG), config).unwrap();
        }
    }

    /// Starts the binary, with more in its environment.
    pub(crate) fn start<V: AsRef<OsStr>>(&self, args: &[&str], more: &[(&str, V)]) -> Process {
        let number = self.processes.fetch_add(1, Relaxed);
        let mut command = self.command(BINARY, args);
        command.envs(more.iter().map(|(name, value)| (name, value.as_ref())));
        Process::start(command, self.file(&format!("process-{number}")))
    }

    /// Starts it so that it stops at a moment, such as `intent_saved@2`.
    pub(crate) fn start_until(&self, moment: &str, args: &[&str]) -> Process {
        self.start(args, &[("TOOLWRIGHT_STOP_AT", moment)])
    }

    pub(crate) async fn run(&self, args: &[&str]) -> Left {
        self.ended(self.start::<&str>(args, &[])).await
    }

    /// Waits for the end of a run, and remembers what it showed.
    pub(crate) async fn ended(&self, process: Process) -> Left {
        let left = process.ended().await;
        let problems = match left.code {
            Some(_) if !left.shown.is_empty() => check::stream(&left.shown),
            _ => check::cut_stream(&left.shown),
        };
        self.assert_none(&problems);
        self.saw(&left);
        left
    }

    /// Kills a run, and remembers what it showed.
    pub(crate) async fn killed(&self, process: Process) -> Left {
        let left = process.killed().await;
        self.assert_none(&check::cut_stream(&left.shown));
        self.saw(&left);
        left
    }

    fn saw(&self, left: &Left) {
        self.shown.lock().unwrap().push(left.shown.clone());
    }

    /// Asks, in a conversation if there is one.
    pub(crate) async fn ask(&self, story: Story, conversation: Option<&str>) -> Left {
        let mut args = vec!["ask", "--json", story.question()];
        args.extend(conversation.iter().flat_map(|id| ["--conversation", id]));
        self.run(&args).await
    }

    /// Everything that is stored, as the binary tells it.
    pub(crate) async fn stored(&self) -> Vec<Value> {
        let left = self.start::<&str>(&["conversations", "export"], &[]).ended().await;
        assert_eq!(left.code, Some(0), "{}: {}", self.about, left.err);
        exported_events(left.shown, &self.about)
    }

    /// As [`World::stored`], where there is a database at all.
    pub(crate) async fn stored_if_any(&self) -> Vec<Value> {
        if self.data().exists() { self.stored().await } else { Vec::new() }
    }

    /// What the tools really did.
    pub(crate) fn notes(&self) -> Vec<String> {
        let notes = std::fs::read_to_string(self.data().join("notes.txt")).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }

    /// Everything that must hold between two processes: the log is valid, what anybody was ever
    /// shown is in it, the tools did what it says, and the model was sent nothing it would refuse.
    pub(crate) async fn check(&self) -> Vec<Value> {
        let stored = self.stored().await;
        let mut problems = check::log(&stored);
        problems.extend(check::ledger(&self.notes(), &stored));
        let shown = self.shown.lock().unwrap().clone();
        problems.extend(shown.iter().flat_map(|shown| check::kept(shown, &stored)));
        problems.extend(self.server.problems());
        self.assert_none(&problems);
        stored
    }

    /// The last check: the file itself is sound. Looking closes the database properly, which
    /// tidies up what a killed process left; so not before everything else is done.
    pub(crate) fn check_file(&self) {
        let verdict = integrity(&self.data().join("toolwright.db"));
        assert_eq!(verdict, "ok", "{}", self.about);
    }

    #[track_caller]
    pub(crate) fn assert_none(&self, problems: &[String]) {
        assert!(problems.is_empty(), "{}:\n  {}", self.about, problems.join("\n  "));
    }
}

/// The events of an export. Whatever is kept of a question, what is attached to it is kept with it, and once.
#[track_caller]
pub(crate) fn exported_events(lines: Vec<Value>, about: &str) -> Vec<Value> {
    let is_bytes = |it: &Value| it["type"] == "attachment";
    let (bytes, events): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_bytes);
    let attached = events.iter().flat_map(|it| it["message"]["attachments"].as_array());
    let named: BTreeSet<_> = attached.flatten().map(|it| it["digest"].to_string()).collect();
    let kept: Vec<_> = bytes.iter().map(|it| it["digest"].to_string()).collect();
    assert_eq!(kept, Vec::from_iter(named), "{about}");
    events
}

/// What SQLite says about a file.
pub(crate) fn integrity(file: &Path) -> String {
    let db = rusqlite::Connection::open(file).unwrap();
    db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}

/// The conversation that is stored, if one is.
pub(crate) fn conversation(stored: &[Value]) -> Option<&str> {
    stored.first().map(|event| event["conversation_id"].as_str().unwrap())
}

/// Whether the last run has not ended.
pub(crate) fn is_unfinished(stored: &[Value]) -> bool {
    stored.last().is_some_and(|event| event["type"] != "done" && event["type"] != "error")
}
