//! `list` and `search` on real folders: what they find, what they leave out, and that nothing from
//! outside of the workspace is ever among it. Tests are named after the statement they prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod list;
mod race;
mod search;

use std::{fs, path::Path, sync::Arc};

use serde_json::Value;
use tempfile::TempDir;
use toolwright_core::{Output, RunContext, Tool, ToolError};
use toolwright_workspace::{Settings, Workspace};

/// A workspace in a folder of its own, with a folder beside it that must not be seen.
struct Desk {
    folder: TempDir,
    tools: Vec<Arc<dyn Tool>>,
}

impl Desk {
    /// A workspace with these files in it.
    fn with(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("work"), folder.path().join("outside"));
        for made in [&root, &outside, &root.join("data")] {
            fs::create_dir_all(made).unwrap();
        }
        fs::write(outside.join("secret.txt"), "CANARY\n").unwrap();
        for (name, content) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let mut settings = Settings::new(&root, folder.path().join("scratch"));
        settings.hidden.push(root.join("data"));
        let tools = Workspace::open(settings).unwrap().tools();
        Self { folder, tools }
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    fn outside(&self) -> std::path::PathBuf {
        self.folder.path().join("outside")
    }

    fn tool(&self, name: &str) -> Arc<dyn Tool> {
        self.tools.iter().find(|it| it.spec().name == name).unwrap().clone()
    }

    async fn call(&self, name: &str, arguments: Value) -> Result<String, ToolError> {
        let tool = self.tool(name);
        match tool.call(Arc::new(arguments), &RunContext::new()).await? {
            Output::Text(text) => Ok(text),
            other => panic!("{other:?}"),
        }
    }

    async fn list(&self, arguments: Value) -> String {
        self.call("list", arguments).await.unwrap()
    }

    async fn search(&self, arguments: Value) -> String {
        self.call("search", arguments).await.unwrap()
    }
}

fn link(target: impl AsRef<Path>, at: impl AsRef<Path>) {
    std::os::unix::fs::symlink(target, at).unwrap();
}
