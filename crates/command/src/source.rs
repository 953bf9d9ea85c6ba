//! [`CommandSource`]: a program as a source of tools, which has one.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use futures_core::future::BoxFuture;
use toolwright_core::{SourceTools, Tool, ToolSource, UnavailableTool};
use toolwright_sandbox::{NoSandbox, SharedSandbox};

use crate::{CheckedCommand, CommandTool};

/// Where programs begin.
#[derive(Clone, Debug, Default)]
pub struct CommandPlaces {
    /// The folder that one stands in: where a program begins and what it may read, where its definition
    /// does not say. None where that would show a whole home.
    pub folder: Option<PathBuf>,
}

/// A program as a source of tools, which has one.
pub struct CommandSource {
    name: String,
    tool: Result<Arc<CommandTool>, String>,
    has: Mutex<Arc<SourceTools>>,
}

impl CommandSource {
    /// The tool of a command; or why there is none.
    pub fn new(
        name: &str,
        command: Result<CheckedCommand, String>,
        places: &CommandPlaces,
        sandbox: Arc<SharedSandbox>,
    ) -> Self {
        let tool = command.map(|it| Arc::new(CommandTool::new(it, places, sandbox)));
        let has = match &tool {
            Ok(tool) => offered(tool.clone()),
            Err(reason) => withheld(name, reason.clone()),
        };
        Self { name: name.to_owned(), tool, has: Mutex::new(Arc::new(has)) }
    }

    /// Whether it could run now.
    ///
    /// # Errors
    /// Why not, and what to do about it.
    pub async fn check(&self) -> Result<(), NoSandbox> {
        match &self.tool {
            Ok(tool) => tool.check().await,
            Err(reason) => Err(NoSandbox::new(reason.clone(), "correct its definition")),
        }
    }
}

fn offered(tool: Arc<dyn Tool>) -> SourceTools {
    SourceTools { tools: vec![tool], withheld: Vec::new() }
}

fn withheld(name: &str, reason: String) -> SourceTools {
    let tool = name.to_owned();
    SourceTools { tools: Vec::new(), withheld: vec![UnavailableTool { tool, reason }] }
}

impl ToolSource for CommandSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn tools(&self) -> Arc<SourceTools> {
        self.has.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What cannot run is not offered.
    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Ok(tool) = &self.tool else { return };
            let checked = tool.check().await;
            let has = match checked {
                Ok(()) => None,
                Err(NoSandbox { reason, advice, .. }) => {
                    Some(withheld(&self.name, format!("{reason}; what helps: {advice}")))
                }
            };
            let mut now = self.has.lock().unwrap_or_else(PoisonError::into_inner);
            match has {
                // The same for as long as nothing changed.
                None if now.withheld.is_empty() => {}
                None => *now = Arc::new(offered(tool.clone())),
                Some(has) if now.withheld == has.withheld => {}
                Some(has) => *now = Arc::new(has),
            }
        })
    }
}
