//! [`AgentPool`]: agents for many who ask for different things, on one store.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use toolwright_core::{Observer, RunContext};
use toolwright_market::Access;
use toolwright_models::ToolMode;
use toolwright_runtime::{AllowAll, Approver, DenyAll, RuleApprover, Toolbox};
use toolwright_store::Store;

use crate::{
    AppError, ApprovalRules, Config, Flags, ModelBackend, Packs, Session, Task, Weights,
    assemble::{Made, context, make, toolbox_of, trading},
    task_setup::TaskSetup,
};

/// How many combinations of wishes are kept ready. A name for a model is free to choose: without a
/// bound, whoever asks could fill the memory with agents.
const READY: usize = 64;

/// How often a person is asked in one run.
const QUESTIONS: u32 = 30;

/// Agents for many who ask for different things: made when the first one asks so, and kept.
pub struct AgentPool {
    flags: Flags,
    config: Config,
    packs: Packs,
    store: Store,
    approvals: Arc<ApprovalRules>,
    asked: Arc<dyn Approver>,
    beforehand: AutoApprove,
    observers: Vec<Arc<dyn Observer>>,
    ready: Mutex<HashMap<RunOverrides, Ready>>,
}

/// An agent that was made for a wish.
#[derive(Clone)]
struct Ready {
    talk: Session,
    engine: ModelBackend,
}

/// What somebody wants to be different from what was configured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunOverrides {
    /// The job.
    pub task: Option<Task>,
    /// The model.
    pub model: Option<String>,
    /// How the model is offered its tools.
    pub tool_mode: Option<ToolMode>,
    /// Whether the trading desk is at hand, whatever the job.
    pub desk: AtHand,
    /// Who decides about calls.
    pub deciding: ApprovalMode,
}

/// Whether the trading desk is at hand: its tools, its instructions, and that the first round uses one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AtHand {
    /// Where the job has it.
    #[default]
    ByTask,
    /// Whatever the job: whoever shows a token to the broker wants to use it.
    Always,
}

/// Who decides about calls that no rule decides about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ApprovalMode {
    /// A person, who is asked.
    #[default]
    Asked,
    /// Nobody: what was not approved beforehand is denied.
    Nobody,
}

/// What was approved beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutoApprove {
    /// Nothing.
    #[default]
    Nothing,
    /// Everything that nobody has to look at.
    Everything,
}

impl AgentPool {
    /// Opens the store and whatever else agents share.
    ///
    /// `asked` is whoever is asked about calls that neither a rule nor somebody beforehand decided
    /// about.
    ///
    /// # Errors
    /// When something cannot be used as configured.
    pub async fn open(
        flags: Flags,
        config: Config,
        asked: Arc<dyn Approver>,
        beforehand: AutoApprove,
        observers: Vec<Arc<dyn Observer>>,
    ) -> Result<Self, AppError> {
        let approvals = Arc::new(ApprovalRules::open(&config)?);
        let store = config.open_store().await?;
        let (packs, ready) = (Packs::default(), Mutex::default());
        let host =
            Self { flags, config, packs, store, approvals, asked, beforehand, observers, ready };
        // What cannot be used is told now, and not to the first who asks.
        host.ready(&RunOverrides::default())?;
        Ok(host)
    }

    /// The tasks that can be wished for. To work in a folder, one must have been named: a wish does
    /// not open the folder that the process happens to be in.
    pub fn tasks(&self) -> Vec<Task> {
        let is_named = self.config.workspace().is_some();
        Task::ALL.into_iter().filter(|task| is_named || *task != Task::Workspace).collect()
    }

    /// What was configured.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Where conversations are kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The rules by which calls run without a question.
    pub fn approvals(&self) -> &ApprovalRules {
        &self.approvals
    }

    /// The agent for a wish.
    ///
    /// # Errors
    /// When it cannot be granted.
    pub fn talk(&self, wish: &RunOverrides) -> Result<Session, AppError> {
        self.ready(wish).map(|it| it.talk)
    }

    /// What answers where nobody wishes otherwise.
    ///
    /// # Errors
    /// When it cannot be used as configured.
    pub fn engine(&self) -> Result<ModelBackend, AppError> {
        self.ready(&RunOverrides::default()).map(|it| it.engine)
    }

    /// What a run is given and no model sees. A token that came with a question is the only one that
    /// the run has: it never falls back to another's.
    pub fn context(&self, access_token: Option<&str>) -> RunContext {
        let context = context(&self.config);
        match access_token {
            Some(token) => {
                let client_id = self.config.market.client_id.value.as_deref();
                trading(context, Access::of_token(token).or_client(client_id))
            }
            None => context,
        }
    }

    /// The tools of a task.
    ///
    /// # Errors
    /// When they do not fit together.
    pub fn toolbox(&self, task: Option<Task>) -> Result<Arc<Toolbox>, AppError> {
        let config = self.granted(&RunOverrides { task, ..RunOverrides::default() })?;
        toolbox_of(&config, &self.packs, TaskSetup::of(&config, &self.packs)?.tools)
    }

    fn ready(&self, wish: &RunOverrides) -> Result<Ready, AppError> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = ready.get(wish) {
            return Ok(made.clone());
        }
        let config = self.granted(wish)?;
        let approver = self.approver(wish.deciding);
        let kit = match wish.desk {
            AtHand::ByTask => TaskSetup::of(&config, &self.packs)?,
            AtHand::Always => TaskSetup::of(&config, &self.packs)?.with_desk(&config, &self.packs),
        };
        let Made { agent, engine, .. } =
            make(&config, &self.packs, kit, approver, self.observers.clone())?;
        let made = Ready { talk: Session::new(agent, self.store.clone()), engine };
        if ready.len() >= READY {
            ready.retain(|wish, _| *wish == RunOverrides::default());
        }
        ready.insert(wish.clone(), made.clone());
        Ok(made)
    }

    /// The settings with a wish granted: read as if it had been given on the command line.
    fn granted(&self, wish: &RunOverrides) -> Result<Config, AppError> {
        if let Some(task) = wish.task.filter(|task| !self.tasks().contains(task)) {
            return Err(AppError::NotOffered(task));
        }
        if let Some(name) = wish.model.as_deref().filter(|name| !self.is_offered(name)) {
            return Err(AppError::NoSuchModel(shown(name)));
        }
        let flags = self.flags.clone();
        let task = wish.task.map(|it| it.name().to_owned());
        let mode = wish.tool_mode.map(|it| it.name().to_owned());
        if task.is_none() && wish.model.is_none() && mode.is_none() {
            return Ok(self.config.clone());
        }
        let config = self.config.with(&Flags {
            task: task.or(flags.task),
            model: wish.model.clone().or(flags.model),
            tool_mode: mode.or(flags.tool_mode),
            ..flags
        })?;
        // However a name is read: no wish opens a file that the operator did not name.
        match (config.offline(), &wish.model) {
            (Some(Weights::File(file)), Some(name))
                if self.config.offline() != Some(Weights::File(file.clone())) =>
            {
                Err(AppError::NoSuchModel(shown(name)))
            }
            _ => Ok(config),
        }
    }

    /// Whether a model can be wished for: the one that was configured, those in this process by their
    /// plain names, and whatever may be the name of one at the configured endpoint.
    fn is_offered(&self, name: &str) -> bool {
        self.config.model.name.value.as_deref() == Some(name)
            || matches!(name, "offline" | "demo")
            || is_name(name)
    }

    fn approver(&self, deciding: ApprovalMode) -> Box<dyn Approver> {
        let rules = self.approvals.rules();
        match (deciding, self.beforehand) {
            (ApprovalMode::Asked, _) => {
                Box::new(RuleApprover::new(rules, self.asked.clone()).at_most(QUESTIONS))
            }
            (ApprovalMode::Nobody, AutoApprove::Everything) => {
                Box::new(RuleApprover::new(rules, AllowAll))
            }
            (ApprovalMode::Nobody, AutoApprove::Nothing) => {
                Box::new(RuleApprover::new(rules, DenyAll))
            }
        }
    }
}

/// The longest name of a model at an endpoint.
const NAME: usize = 200;

/// Whether this is the name of a model at an endpoint, and neither a path nor an address:
/// `gpt-4o-mini`, `llama3.2:3b`, `org/model`, `ft:model:org::id`.
fn is_name(name: &str) -> bool {
    let fits = |it: char| it.is_ascii_alphanumeric() || "._-+:/@".contains(it);
    (1..=NAME).contains(&name.len())
        && name.chars().all(fits)
        && !name.starts_with("offline:")
        && !name.contains(":/")
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// As much of a name as an error shows.
fn shown(name: &str) -> String {
    name.chars().filter(|it| !it.is_control()).take(NAME).collect()
}
