//! A workspace with something outside of it that must not be reached.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use toolwright_core::{CallPreview, Output, RunContext, Tool, ToolError};
use toolwright_workspace::{Helper, Settings, Workspace};

/// A workspace in a folder `ws`, a folder `outside` beside it with a secret in it, and a folder for
/// notes.
pub(crate) struct World {
    pub(crate) dir: TempDir,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) tools: Tools,
    runtime: Runtime,
}

pub(crate) const SECRET: &str = "one OUTSIDE SECRET\n";

impl World {
    pub(crate) fn new() -> Self {
        Self::within(&std::env::temp_dir(), |_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::within(&std::env::temp_dir(), change)
    }

    pub(crate) fn within(parent: &Path, change: impl FnOnce(&mut Settings)) -> Self {
        let dir = tempfile::tempdir_in(parent).unwrap();
        fs::create_dir(dir.path().join("ws")).unwrap();
        fs::create_dir(dir.path().join("outside")).unwrap();
        fs::write(dir.path().join("outside/file.txt"), SECRET).unwrap();
        let mut settings = settings(dir.path());
        change(&mut settings);
        let workspace = Workspace::open(settings).unwrap();
        Self { dir, tools: Tools::new(&workspace), workspace, runtime: runtime() }
    }

    /// A path in the workspace.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join("ws").join(path)
    }

    /// A path beside it.
    pub(crate) fn outside(&self, path: &str) -> PathBuf {
        self.dir.path().join("outside").join(path)
    }

    pub(crate) fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(crate) fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::os::unix::fs::symlink(target, self.at(path)).unwrap();
    }

    pub(crate) fn try_call(&self, name: &str, arguments: Value) -> Result<String, ToolError> {
        self.tools.call(&self.runtime, name, arguments)
    }

    pub(crate) fn call(&self, name: &str, arguments: Value) -> Result<String, String> {
        self.try_call(name, arguments).map_err(|error| error.message().to_owned())
    }

    pub(crate) fn show(&self, path: &str) -> Result<String, String> {
        self.call("show", json!({"file_path": path}))
    }

    pub(crate) fn edit(&self, path: &str, old: &str, new: &str) -> Result<String, String> {
        let arguments = json!({"file_path": path, "old_string": old, "new_string": new});
        self.call("edit", arguments)
    }

    pub(crate) fn write(&self, path: &str, content: &str) -> Result<String, String> {
        let arguments = json!({"file_path": path, "content": content, "overwrite": true});
        self.call("write", arguments)
    }

    pub(crate) fn propose(&self, name: &str, arguments: &Value) -> CallPreview {
        self.runtime.block_on(self.tools.get(name).preview(arguments, &RunContext::new()))
    }

    /// All three refuse the path, in words with `because`, and nothing outside is told or changed.
    pub(crate) fn refuses(&self, path: &str, because: &str) {
        let before = tree(&self.dir.path().join("outside"));
        for result in
            [self.show(path), self.edit(path, "one", "two"), self.write(path, "overwritten")]
        {
            let error = result.expect_err(path);
            assert!(error.contains(because), "{path}: {error}");
            assert!(!error.contains("SECRET") && !error.contains("root:"), "{path}: {error}");
        }
        assert_eq!(tree(&self.dir.path().join("outside")), before);
        self.is_clean();
    }

    /// Nothing is left of a write.
    pub(crate) fn is_clean(&self) {
        assert_eq!(strays(&self.dir.path().join("ws")), Vec::<PathBuf>::new());
        assert_eq!(tree(&self.dir.path().join("notes")).len(), 0);
    }
}

pub(crate) fn settings(dir: &Path) -> Settings {
    let mut settings = Settings::new(dir.join("ws"), dir.join("notes"));
    // No command is run here: that there is no sandbox is found out at once.
    settings.helper = Helper::At("/nonexistent".into());
    settings
}

pub(crate) fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// The tools of a workspace.
pub(crate) struct Tools(Vec<Arc<dyn Tool>>);

impl Tools {
    pub(crate) fn new(workspace: &Arc<Workspace>) -> Self {
        Self(workspace.tools())
    }

    pub(crate) fn get(&self, name: &str) -> &dyn Tool {
        self.0.iter().find(|tool| tool.spec().name == name).unwrap().as_ref()
    }

    pub(crate) fn call(
        &self,
        runtime: &Runtime,
        name: &str,
        arguments: Value,
    ) -> Result<String, ToolError> {
        let context = RunContext::new();
        let output = runtime.block_on(self.get(name).call(Arc::new(arguments), &context))?;
        // What is attached is told in the text.
        match output.into_parts().0 {
            Output::Text(text) => Ok(text),
            other => panic!("{other:?}"),
        }
    }
}

/// Everything in a folder, with its content.
pub(crate) fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.insert(path.clone(), Vec::new());
            found.extend(tree(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap_or_default());
        }
    }
    found
}

/// What writes left lying about.
pub(crate) fn strays(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_string_lossy().starts_with(".toolwright-") {
            found.push(entry.path());
        } else if entry.file_type().unwrap().is_dir() {
            found.extend(strays(&entry.path()));
        }
    }
    found
}

/// The arguments with which this very program runs one test that is otherwise ignored.
pub(crate) fn only(test: &str) -> [&str; 4] {
    ["--ignored", "--exact", test, "--nocapture"]
}

/// Runs a command to its end; it must be one that ran a test and passed it.
pub(crate) fn passes(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    text
}
