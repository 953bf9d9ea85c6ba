//! [`TaskSetup`]: the tools and instructions of a task, with what stands behind them.

use std::{
    collections::HashSet,
    sync::{Arc, OnceLock},
};

use toolwright_core::{Tool, ToolChoice};
use toolwright_embed::Source;
use toolwright_local::Similarity;
use toolwright_market::Desk;
use toolwright_watch::History;
use toolwright_workspace::Workspace;

use crate::{AppError, Config, OfflineModel, Task, Weights, demo};

/// What stands behind tools: opened when the first kit needs it, and shared by all that follow.
#[derive(Default)]
pub struct Packs {
    desk: OnceLock<Arc<Desk>>,
    history: OnceLock<Arc<History>>,
    workspace: OnceLock<Arc<Workspace>>,
    offline: OnceLock<Arc<OfflineModel>>,
    embedder: OnceLock<Option<Arc<Source>>>,
    similarity: OnceLock<Option<Arc<Similarity>>>,
}

impl Packs {
    /// The offline model of these weights.
    pub(crate) fn offline(&self, weights: Weights) -> Arc<OfflineModel> {
        let shared = self.offline.get_or_init(|| Arc::new(OfflineModel::new(weights.clone())));
        if *shared.weights() == weights {
            shared.clone()
        } else {
            Arc::new(OfflineModel::new(weights))
        }
    }

    fn desk(&self, config: &Config) -> &Arc<Desk> {
        self.desk.get_or_init(|| config.desk())
    }

    fn history(&self, config: &Config) -> &Arc<History> {
        self.history.get_or_init(|| config.history(self.embedder(config)))
    }

    /// What makes vectors, for the history and for the choice among tools: a model in the process is
    /// loaded once for both.
    pub(crate) fn embedder(&self, config: &Config) -> Option<Arc<Source>> {
        self.embedder.get_or_init(|| config.embedder()).clone()
    }

    /// What compares tools with a question by meaning, in this process: one for all toolboxes.
    pub(crate) fn similarity(&self, config: &Config) -> Option<Arc<Similarity>> {
        let local = || self.embedder(config).filter(|source| source.is_local());
        let made = self.similarity.get_or_init(|| local().map(Similarity::new).map(Arc::new));
        made.clone()
    }

    fn workspace(&self, config: &Config) -> Result<Option<Arc<Workspace>>, AppError> {
        let Some(path) = config.workspace() else { return Ok(None) };
        if let Some(open) = self.workspace.get() {
            return Ok(Some(open.clone()));
        }
        let opened = Workspace::open(config.workspace_settings(path))?;
        Ok(Some(self.workspace.get_or_init(|| opened).clone()))
    }
}

/// The tools and instructions of a task, with what stands behind them.
pub struct TaskSetup {
    /// The tools.
    pub tools: Vec<Arc<dyn Tool>>,
    /// The instructions that stand above conversations.
    pub system: String,
    /// Whether the first round must call a tool.
    pub first_choice: ToolChoice,
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

impl TaskSetup {
    /// What the configured task needs.
    ///
    /// # Errors
    /// When the folder to work in cannot be used.
    pub fn of(config: &Config, packs: &Packs) -> Result<Self, AppError> {
        let task = config.task.value;
        let workspace = packs.workspace(config)?;
        let (mut tools, mut system) = match task {
            Task::General => {
                let history = packs.history(config);
                let packs = [packs.desk(config).tools(), history.tools()].concat();
                let tools = [demo::tools(&config.data.value), packs].concat();
                (tools, format!("{ASSISTANT} {MARKET} {HISTORY} {}", history.today()))
            }
            Task::Demo => (demo::tools(&config.data.value), ASSISTANT.to_owned()),
            Task::Trading => {
                let desk = packs.desk(config);
                (desk.tools(), desk.instructions())
            }
            Task::History => {
                let history = packs.history(config);
                (history.tools(), history.instructions())
            }
            Task::Workspace => (Vec::new(), String::new()),
        };
        if let Some(workspace) = &workspace {
            tools.extend(workspace.tools());
            let words = workspace.instructions();
            system = if system.is_empty() { words } else { format!("{system}\n\n{words}") };
        }
        Ok(Self { tools, system, first_choice: task.first_choice(), workspace })
    }

    /// The same with the trading desk: its tools where they are missing, its instructions, and that the
    /// first round uses a tool.
    pub(crate) fn with_desk(mut self, config: &Config, packs: &Packs) -> Self {
        let desk = packs.desk(config);
        let instructions = desk.instructions();
        if !self.system.contains(&instructions) {
            self.system = format!("{}\n\n{instructions}", self.system);
        }
        let known: HashSet<_> = self.tools.iter().map(|it| it.spec().name.clone()).collect();
        let missing = desk.tools().into_iter().filter(|it| !known.contains(&it.spec().name));
        self.tools.extend(missing);
        self.first_choice = Task::Trading.first_choice();
        self
    }
}
