//! The trading desk's tools, called as the runtime calls them, against a simulated market on a real
//! socket at a fixed moment.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod data;
mod mistakes;
mod texts;

use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;
use toolwright_core::{Output, RunContext, ToolError};
use toolwright_market::{Clock, Desk, DeskSettings, Mark};

/// A Friday, half past eleven in India.
pub(crate) const OPEN: &str = "2026-11-13T06:00:00Z";
/// The Sunday after it.
pub(crate) const CLOSED: &str = "2026-11-15T06:00:00Z";

/// A desk at a fixed moment.
pub(crate) struct Floor {
    pub(crate) desk: Arc<Desk>,
    pub(crate) context: RunContext,
    folder: TempDir,
}

impl Floor {
    /// Nobody has a token, so the market is simulated in this process.
    pub(crate) fn at(moment: &str) -> Self {
        Self::with(moment, None)
    }

    /// The market is at this address.
    pub(crate) fn with(moment: &str, endpoint: Option<(String, Mark)>) -> Self {
        let folder = TempDir::new().unwrap();
        let desk = Arc::new(Desk::new(DeskSettings {
            endpoint,
            folder: folder.path().join("market"),
            seed: 1,
            clock: Clock::Fixed(moment.parse().unwrap()),
        }));
        Self { desk, context: RunContext::new(), folder }
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<Output, ToolError> {
        let tools = self.desk.tools();
        let tool = tools.iter().find(|tool| tool.spec().name == name).unwrap();
        tool.call(Arc::new(arguments), &self.context).await
    }

    /// The result in words, without the mark of success.
    pub(crate) async fn text(&self, name: &str, arguments: Value) -> String {
        match self.call(name, arguments).await {
            Ok(Output::Readable { text, .. } | Output::Structured { words: text, .. }) => text,
            Ok(other) => panic!("{other:?}"),
            Err(error) => format!("❌ {error}"),
        }
    }

    pub(crate) async fn data(&self, name: &str, arguments: Value) -> Value {
        match self.call(name, arguments).await.unwrap() {
            Output::Readable { data, .. } | Output::Structured { data, .. } => data,
            other => panic!("{other:?}"),
        }
    }

    /// What the model reads, where that is JSON.
    pub(crate) async fn json(&self, name: &str, arguments: Value) -> String {
        match self.call(name, arguments).await.unwrap() {
            Output::Structured { json, .. } => json,
            other => panic!("{other:?}"),
        }
    }

    /// Whether anything was kept in its folder.
    pub(crate) fn has_kept(&self) -> bool {
        self.folder.path().join("market").exists()
    }
}
