//! [`Kit`]: the tools and instructions of a task, with what stands behind them.

use std::sync::Arc;

use toolwright_core::Tool;
use toolwright_workspace::Workspace;

use crate::{AppError, Config, Task, demo};

/// The tools and instructions of a task, with what stands behind them.
pub struct Kit {
    /// The tools.
    pub tools: Vec<Arc<dyn Tool>>,
    /// The instructions that stand above conversations.
    pub system: String,
    /// The folder that is worked in, if one is.
    pub workspace: Option<Arc<Workspace>>,
}

const ASSISTANT: &str = "You are a helpful assistant with tools. Use them whenever they can answer a \
    part of the question; never make up what a tool can tell you. Answer in the user's language, \
    briefly, and state the values the tools returned.";

const MARKET: &str = "For prices and markets first look the instrument up, then use the security_id and \
    the exchange_segment of one and the same result; say when a market is closed and when data is \
    simulated.";

const HISTORY: &str = "What the user watched is in the watch history: call its tools, pass on what their \
    results note at their end, and give dates as YYYY-MM-DD.";

impl Kit {
    /// What the configured task needs.
    ///
    /// # Errors
    /// When the folder to work in cannot be used.
    pub fn of(config: &Config) -> Result<Self, AppError> {
        let task = config.task.value;
        let workspace = match config.workspace() {
            Some(path) => Some(Workspace::open(config.workspace_settings(path))?),
            None => None,
        };
        let (mut tools, mut system) = match task {
            Task::General => {
                let history = config.history();
                let packs = [config.desk().tools(), history.tools()].concat();
                let tools = [demo::tools(&config.data.value), packs].concat();
                (tools, format!("{ASSISTANT} {MARKET} {HISTORY} {}", history.today()))
            }
            Task::Demo => (demo::tools(&config.data.value), ASSISTANT.to_owned()),
            Task::Trading => {
                let desk = config.desk();
                (desk.tools(), desk.instructions())
            }
            Task::History => {
                let history = config.history();
                (history.tools(), history.instructions())
            }
            Task::Workspace => (Vec::new(), String::new()),
        };
        if let Some(workspace) = &workspace {
            tools.extend(workspace.tools());
            let words = workspace.instructions();
            system = if system.is_empty() { words } else { format!("{system}\n\n{words}") };
        }
        Ok(Self { tools, system, workspace })
    }
}
