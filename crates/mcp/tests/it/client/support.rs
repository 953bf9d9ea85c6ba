//! Servers to test with.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolwright_core::{Outcome, RunContext, ToolSource};
use toolwright_mcp::client::{McpServer, McpServerConfig, McpTransport, PinStore, StdioCommand};
use toolwright_runtime::Toolbox;

/// A server, and where what was approved of it is kept.
pub(crate) struct Fake {
    pub(crate) folder: TempDir,
    pub(crate) server: Arc<McpServer>,
}

pub(crate) fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/client/server.py")
}

pub(crate) fn config(faults: &[&str], folder: &Path) -> McpServerConfig {
    let script = script().to_str().unwrap().to_owned();
    let command = StdioCommand {
        program: "/usr/bin/python3".to_owned(),
        args: std::iter::once(script).chain(faults.iter().map(|it| (*it).to_owned())).collect(),
        env: vec![("STATE".to_owned(), folder.join("state").to_str().unwrap().to_owned())],
        ..StdioCommand::default()
    };
    McpServerConfig::new("fake", McpTransport::Stdio(command))
}

impl Fake {
    /// One whose tools are not approved.
    pub(crate) async fn new(faults: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let config = config(faults, folder.path());
        Self::of(config, folder).await
    }

    pub(crate) async fn of(config: McpServerConfig, folder: TempDir) -> Self {
        let pins = PinStore::in_folder(folder.path());
        let server = Arc::new(McpServer::new(config, pins));
        server.ready().await;
        Self { folder, server }
    }

    /// One whose tools are approved.
    pub(crate) async fn approved() -> Self {
        let fake = Self::new(&[]).await;
        fake.server.approve().unwrap();
        fake
    }

    pub(crate) fn toolbox(&self) -> Arc<Toolbox> {
        let toolbox = Toolbox::builder().source(self.server.clone()).build().unwrap();
        Arc::new(toolbox).current()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Outcome {
        let name = format!("fake__{tool}");
        self.toolbox().call(&name, arguments, &RunContext::new()).await
    }

    pub(crate) async fn text(&self, tool: &str) -> String {
        self.call(tool, json!({})).await.text
    }

    pub(crate) fn withheld(&self) -> Vec<(String, String)> {
        let tools = self.server.tools();
        tools.withheld.iter().map(|it| (it.tool.clone(), it.reason.clone())).collect()
    }
}

/// Waits until it is so: whoever breaks it waits for long, and no test is timed.
pub(crate) async fn until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..1_000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it did not come to be");
}

/// Whether a process is there, and no corpse.
pub(crate) fn is_alive(id: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = state.rsplit(')').next().unwrap_or_default().trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}
