//! [`Yard`]: a workspace to break out of.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolwright_core::{Output, RunContext, Tool, ToolError};
use toolwright_testkit::is_root;
use toolwright_workspace::{Helper, RootCommands, Settings, Workspace};

/// A workspace, and things beside it that nothing in it may reach.
pub(crate) struct Yard {
    pub(crate) outside: TempDir,
    pub(crate) tool: Arc<dyn Tool>,
    /// Whether the workspace is an ordinary user's, whoever runs this.
    is_given: bool,
}

pub(crate) fn helper() -> PathBuf {
    env!("CARGO_BIN_EXE_toolwright-sandbox").into()
}

impl Yard {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir(outside.path().join("ws")).unwrap();
        fs::write(outside.path().join("secret"), "canary-outside").unwrap();
        let (yard, workspace) = Self::over(outside, change);
        if let Err(missing) = workspace.sandbox() {
            panic!("{missing:?}");
        }
        yard
    }

    /// A workspace in which commands run as an ordinary user, and, where this is root, one in which
    /// they run as root.
    pub(crate) fn both() -> Vec<Self> {
        let root = || Self::with(|settings| settings.root_commands = RootCommands::Allowed);
        [Some(Self::new()), is_root().then(root)].into_iter().flatten().collect()
    }

    /// The same, where the sandbox may be missing.
    pub(crate) fn over(
        outside: TempDir,
        change: impl FnOnce(&mut Settings),
    ) -> (Self, Arc<Workspace>) {
        let root = outside.path().join("ws");
        let mut settings = Settings::new(root, outside.path().join("scratch"));
        settings.helper = Helper::At(helper());
        change(&mut settings);
        let is_given = settings.root_commands == RootCommands::Refused;
        if is_given {
            give(&settings.root);
        }
        let workspace = Workspace::open(settings).unwrap();
        let tools = workspace.tools();
        let tool = tools.into_iter().find(|tool| tool.spec().name == "bash").unwrap();
        (Self { outside, tool, is_given }, workspace)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.outside.path().join("ws")
    }

    pub(crate) fn put(&self, name: &str, content: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        if self.is_given {
            give(&self.root());
        }
    }

    /// Runs git outside of the sandbox, as whoever made the workspace did.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
        // It is another user's where this is root.
        command.args(["-c", "safe.directory=*", "-C"]).arg(self.root()).args(arguments);
        let done = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        if self.is_given {
            give(&self.root());
        }
        String::from_utf8(done.stdout).unwrap()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.root().join(name).symlink_metadata().is_ok()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// Compiles a program into the workspace.
    pub(crate) fn compile(&self, name: &str, source: &str) {
        let file = self.outside.path().join(format!("{name}.c"));
        fs::write(&file, source).unwrap();
        let done = Command::new("cc").arg(&file).arg("-o").arg(self.root().join(name)).output();
        let done = done.unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    pub(crate) async fn call(&self, arguments: Value) -> Result<String, ToolError> {
        let context = RunContext::new();
        match self.tool.call(Arc::new(arguments), &context).await? {
            Output::Text(text) => Ok(text),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn run(&self, command: &str) -> Result<String, ToolError> {
        self.call(json!({"command": command})).await
    }

    /// What a command says that works.
    pub(crate) async fn works(&self, command: &str) -> String {
        self.run(command).await.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// What a command says that fails.
    pub(crate) async fn fails(&self, command: &str) -> String {
        match self.run(command).await {
            Ok(said) => panic!("{command} worked: {said}"),
            Err(error) => error.message().to_owned(),
        }
    }
}

/// Gives a folder, with all that is in it, to an ordinary user, where this is root: as root no
/// command runs.
pub(crate) fn give(folder: &Path) {
    if !is_root() {
        return;
    }
    fs::set_permissions(folder.parent().unwrap(), PermissionsExt::from_mode(0o755)).unwrap();
    let done = Command::new("chown").args(["-Rh", "--from=0", "4242:4242"]).arg(folder).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The processes of this machine that have `marker` in their arguments.
pub(crate) fn survivors(marker: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|it| {
        let pid: u32 = it.file_name().to_str()?.parse().ok()?;
        let line = fs::read(it.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        (line.contains(marker)).then(|| format!("{pid}: {line}"))
    });
    lines.collect()
}

/// A number that no other test sleeps for.
pub(crate) fn marker() -> String {
    format!("9{:05}.{:09}", fastrand::u32(..100_000), fastrand::u32(..1_000_000_000))
}

/// Waits until it is so, at most ten seconds.
pub(crate) async fn until(mut so: impl FnMut() -> bool) -> bool {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(10) {
        if so() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

/// The control groups of this process that are there now.
pub(crate) fn groups() -> Vec<PathBuf> {
    let name = format!("toolwright-{}-", std::process::id());
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            if entry.file_name().to_string_lossy().starts_with(&name) {
                found.push(entry.path());
            }
            folders.push(entry.path());
        }
    }
    found
}

pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}
