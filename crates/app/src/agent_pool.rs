//! [`AgentPool`]: agents for many who ask for different things, on one store.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use toolwright_core::{Observer, RunContext, printable};
use toolwright_models::ToolMode;
use toolwright_pack::{CheckState, Credential, OpenPack, Pack};
use toolwright_runtime::{AllowAll, Approver, DenyAll, RuleApprover};
use toolwright_store::Store;

use crate::{
    AppError, ApprovalRules, CallableTools, Config, Flags, ModelBackend, ModelSurvey, OpenPacks,
    PackChoice, Session, Task, TaskContext, Weights,
    assemble::{Made, context, make},
    callable::by_hand,
    config::{RunSettings, SettingSource, SettingsChange},
    found_here, recorded,
    task_setup::{TaskPacks, TaskSetup},
};

/// How many combinations of wishes are kept ready. A name for a model is free to choose: without a
/// bound, whoever asks could fill the memory with agents.
const READY: usize = 64;

/// How many questions to begin with a task has that names none.
const STARTERS: usize = 3;

/// How long it is believed what was found on this machine.
const LOOKED_AT: Duration = Duration::from_secs(60);
/// How many models on this machine are told.
const MOST_FOUND: usize = 12;

/// How often a person is asked in one run.
const QUESTIONS: u32 = 30;

/// Agents for many who ask for different things: made when the first one asks so, and kept.
pub struct AgentPool {
    flags: Flags,
    current: RwLock<Arc<Configured>>,
    /// Held by whoever takes up settings that changed.
    reloading: Mutex<()>,
    store: Store,
    approvals: Arc<ApprovalRules>,
    asked: Arc<dyn Approver>,
    beforehand: AutoApprove,
    observers: Vec<Arc<dyn Observer>>,
    /// The models that were found on this machine, and when.
    found: tokio::sync::Mutex<Option<(Instant, Vec<String>)>>,
}

/// What was configured, and what was made of it. A run that began keeps what it began with.
struct Configured {
    config: Arc<Config>,
    packs: OpenPacks,
    ready: Mutex<HashMap<RunOverrides, Ready>>,
    /// What could answer, and when that was looked at.
    survey: tokio::sync::Mutex<Option<(Instant, Arc<ModelSurvey>)>>,
}

/// An agent that was made for a wish.
#[derive(Clone)]
struct Ready {
    session: Session,
    engine: ModelBackend,
    packs: TaskPacks,
    project: TaskContext,
    /// The day whose date its instructions tell, where they tell one.
    day: Option<String>,
}

/// What somebody wants to be different from what was configured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunOverrides {
    /// The job, by its name.
    pub task: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// How the model is offered its tools.
    pub tool_mode: Option<ToolMode>,
    /// The pack whose credential came with the question: whatever the job, its tools are at hand.
    pub pack: Option<&'static str>,
    /// Who decides about calls.
    pub deciding: ApprovalMode,
    /// Whether everything was approved beforehand, by whoever was asked elsewhere, that nobody has to look at.
    pub approved: bool,
    /// The settings of whoever was asked elsewhere, who looked at whether the rest may be wished for.
    pub settings: Option<Arc<RunSettings>>,
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
        let store = config.open_store().await?;
        let approvals = Arc::new(ApprovalRules::open(&config, &store).await?);
        let current = Configured::new(config, OpenPacks::default());
        let host = Self {
            flags,
            current: RwLock::new(Arc::new(current)),
            reloading: Mutex::default(),
            store,
            approvals,
            asked,
            beforehand,
            observers,
            found: tokio::sync::Mutex::default(),
        };
        // What cannot be used is told now, and not to the first who asks.
        host.ready(&RunOverrides::default())?;
        Ok(host)
    }

    /// Takes up the settings as the files say them now: for what begins from now on. What goes on keeps what it has;
    /// what nobody uses any more is closed. What cannot be used changes nothing.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn reload(&self) -> Result<SettingsChange, AppError> {
        let _alone = self.reloading.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.now();
        let (config, change) = old.config.reread(&self.flags)?;
        let packs = old.packs.for_settings(&old.config, &config);
        let new = Arc::new(Configured::new(config, packs));
        self.ready_in(&new, &RunOverrides::default())?;
        self.approvals.renew(&new.config);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(change)
    }

    /// Changes the user's settings, and takes them up. What cannot be used changes neither.
    ///
    /// # Errors
    /// When they cannot be used, read or written.
    #[cfg(feature = "edit")]
    pub fn change_settings<T, E: From<AppError>>(
        &self,
        readers: crate::config::Readers,
        change: impl FnOnce(&mut toml_edit::DocumentMut) -> Result<T, E>,
    ) -> Result<(T, SettingsChange), E> {
        let file = crate::config::SettingsFile::of(&self.config())?;
        file.try_change(readers, change, || self.reload())
    }

    /// The settings as the files say them now, whether or not they were taken up: what is to be changed is held
    /// against these.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn settings_now(&self) -> Result<Config, AppError> {
        self.config().reread(&self.flags).map(|(now, _)| now)
    }

    /// Looks at what was configured and opened, as one.
    #[cfg(feature = "mcp")]
    pub(crate) fn with_packs<T>(
        &self,
        look: impl FnOnce(&Config, &OpenPacks) -> T,
    ) -> (Arc<Config>, T) {
        let now = self.now();
        let seen = look(&now.config, &now.packs);
        (now.config.clone(), seen)
    }

    fn now(&self) -> Arc<Configured> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The tasks that can be wished for. What must be set up for a task, a wish does not set up; a task
    /// whose file is wrong is not there.
    pub fn tasks(&self) -> Vec<Task> {
        let config = self.config();
        let usual = &config.task.value;
        let entries = config.tasks.entries().iter();
        let others = entries.filter_map(|entry| config.tasks.get(&entry.name).ok());
        let others = others.filter(|task| missing(&config, task).is_none());
        // The usual one may be a file that no list has.
        let mut tasks: Vec<_> =
            others.map(|task| if task.name == usual.name { usual.clone() } else { task }).collect();
        if !tasks.iter().any(|task| task.name == usual.name) {
            tasks.push(usual.clone());
        }
        // A task that has everything begins as any of the others would.
        let firsts: Vec<_> = tasks.iter().filter_map(|it| it.starters.first().cloned()).collect();
        for task in tasks.iter_mut().filter(|task| task.starters.is_empty()) {
            if task.packs == PackChoice::All {
                task.starters = firsts.iter().take(STARTERS).cloned().collect();
            }
        }
        tasks
    }

    /// What is configured now.
    pub fn config(&self) -> Arc<Config> {
        self.now().config.clone()
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
    pub fn session(&self, wish: &RunOverrides) -> Result<Session, AppError> {
        self.ready(wish).map(|it| it.session)
    }

    /// As [`AgentPool::session`], where its model can be asked from here, as far as that is known before it is.
    ///
    /// # Errors
    /// When it cannot be granted, or the model cannot be asked and no other stands in for it.
    pub(crate) async fn session_to_drive(&self, wish: &RunOverrides) -> Result<Session, AppError> {
        let Ready { session, engine, .. } = self.ready(wish)?;
        if session.agent().settings().fallback_models.is_empty() {
            engine.ready().await?;
        }
        Ok(session)
    }

    /// What the model is told of the project where this is wished for, and what can be called there.
    ///
    /// # Errors
    /// When it cannot be granted.
    pub fn project(&self, wish: &RunOverrides) -> Result<TaskContext, AppError> {
        self.ready(wish).map(|it| it.project)
    }

    /// What answers where nobody wishes otherwise.
    ///
    /// # Errors
    /// When it cannot be used as configured.
    pub fn engine(&self) -> Result<ModelBackend, AppError> {
        self.ready(&RunOverrides::default()).map(|it| it.engine)
    }

    /// Gets the offline model ready to answer, in the background, where it is what answers this wish. Within a runtime.
    ///
    /// # Errors
    /// When it cannot be granted.
    pub fn warm(&self, wish: &RunOverrides) -> Result<(), AppError> {
        let now = self.now();
        let Ready { engine, session, .. } = self.ready(wish)?;
        engine.warm(session.agent(), now.packs.embedder(&now.config).as_deref());
        Ok(())
    }

    /// The models on this machine that could be asked, as `--model` names them, where what comes with Toolwright
    /// answers. They are looked for once in a while.
    pub async fn found(&self) -> Vec<String> {
        if !self.engine().is_ok_and(|it| it.is_built_in()) {
            return Vec::new();
        }
        let mut found = self.found.lock().await;
        if found.as_ref().is_none_or(|(at, _)| at.elapsed() > LOOKED_AT) {
            let servers = found_here(&self.config()).await;
            let names = servers.iter().flat_map(|server| {
                server.models.iter().map(|it| format!("{}:{}", server.provider, it.name))
            });
            *found = Some((Instant::now(), names.take(MOST_FOUND).collect()));
        }
        found.as_ref().map(|(_, names)| names.clone()).unwrap_or_default()
    }

    /// What could answer: at providers, on this machine. It is looked at once in a while.
    ///
    /// # Errors
    /// When what is configured to answer cannot be used.
    pub async fn models(&self) -> Result<(Arc<Config>, Arc<ModelSurvey>), AppError> {
        let now = self.now();
        let mut survey = now.survey.lock().await;
        let known = survey.as_ref().filter(|(at, _)| at.elapsed() < LOOKED_AT);
        let found = match known {
            Some((_, found)) => found.clone(),
            None => {
                let found = Arc::new(ModelSurvey::of(&now.config).await?);
                *survey = Some((Instant::now(), found.clone()));
                found
            }
        };
        Ok((now.config.clone(), found))
    }

    /// What to know about the tools of the configured task, in a line each.
    ///
    /// # Errors
    /// When they cannot be used as configured.
    pub fn notices(&self) -> Result<Vec<String>, AppError> {
        let ready = self.ready(&RunOverrides::default())?;
        let notices = ready.packs.iter().flat_map(OpenPack::notices);
        let told = notices.map(|it| match it.state {
            CheckState::Good => it.says,
            CheckState::Warning | CheckState::Bad => format!("{}: {}", it.name, it.says),
        });
        Ok(told.collect())
    }

    /// The pack whose credential stands in this field of a request.
    pub fn credential(&self, field: &str) -> Option<(&'static str, Credential)> {
        self.credentials().into_iter().find(|(_, it)| it.field == field)
    }

    /// The credentials that may come with a question: each with its pack.
    pub fn credentials(&self) -> Vec<(&'static str, Credential)> {
        let config = self.config();
        let packs = config.packs().iter().map(Pack::info);
        packs.filter_map(|info| Some((info.name, info.credential?))).collect()
    }

    /// What a run is given and no model sees: what was set, or what came with the question.
    ///
    /// # Errors
    /// When the wish cannot be granted.
    pub fn context(
        &self,
        wish: &RunOverrides,
        credential: Option<&str>,
    ) -> Result<RunContext, AppError> {
        let (given, now) = (wish.pack.zip(credential), self.now());
        Ok(self.ready_in(&now, wish)?.packs.grant(context(&now.config), given))
    }

    /// The tools of the configured task for programs that call them themselves.
    ///
    /// # Errors
    /// When they do not fit together.
    pub fn callable(&self) -> Result<CallableTools, AppError> {
        let (store, observers) = (self.store.clone(), self.observers.clone());
        let now = self.now();
        CallableTools::make(&now.config, &now.packs, store, observers)
    }

    /// The agent for a wish with a person in the place of its model, who calls this tool and nothing else: the same
    /// tools, with all that is known of them, the same guards and the same approvals.
    ///
    /// # Errors
    /// When the wish cannot be granted.
    pub fn calling(
        &self,
        wish: &RunOverrides,
        tool: &str,
        arguments: String,
    ) -> Result<Session, AppError> {
        let session = self.session(wish)?;
        let approver = session.agent().settings().approver.clone();
        let agent = session.agent().calling(by_hand(tool, arguments), approver);
        Ok(session.with_agent(agent))
    }

    fn ready(&self, wish: &RunOverrides) -> Result<Ready, AppError> {
        self.ready_in(&self.now(), wish)
    }

    fn ready_in(&self, now: &Configured, wish: &RunOverrides) -> Result<Ready, AppError> {
        let mut ready = now.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let calendar = recorded::calendar(&now.config, &now.packs)?;
        if let Some(made) = ready.get(wish) {
            // What says what day it is, is made anew when it is another.
            if made.day.as_ref().is_none_or(|day| *day == calendar.date()) {
                return Ok(made.clone());
            }
        }
        let config = granted(&now.config, &self.flags, wish)?;
        for folder in wish.settings.iter().flat_map(|it| it.other_folders(&config)) {
            tracing::warn!("{folder}: tools find other files than whoever asked may think");
        }
        let kit = now.setup(&config, wish)?;
        let day = kit.day.clone();
        let approver = self.approver(wish);
        let Made { agent, engine, packs, project } =
            make(&config, &now.packs, kit, approver, self.observers.clone())?;
        let session = Session::new(agent, self.store.clone());
        let made = Ready { session, engine, packs, project, day };
        if ready.len() >= READY {
            ready.retain(|wish, _| *wish == RunOverrides::default());
        }
        ready.insert(wish.clone(), made.clone());
        Ok(made)
    }

    /// What was approved beforehand.
    pub(crate) fn beforehand(&self) -> AutoApprove {
        self.beforehand
    }

    /// The settings that a run depends on where this is wished for, and the task it has.
    pub(crate) fn run_settings(
        &self,
        wish: &RunOverrides,
    ) -> Result<(String, RunSettings), AppError> {
        let config = granted(&self.config(), &self.flags, wish)?;
        Ok((config.task.value.name.clone(), RunSettings::of(&config)))
    }

    fn approver(&self, wish: &RunOverrides) -> Box<dyn Approver> {
        let rules = self.approvals.rules();
        let beforehand = if wish.approved { AutoApprove::Everything } else { self.beforehand };
        match (wish.deciding, beforehand) {
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

impl Configured {
    fn new(config: Config, packs: OpenPacks) -> Self {
        let (ready, survey) = Default::default();
        Self { config: Arc::new(config), packs, ready, survey }
    }

    /// The tools and instructions for a wish. Who shows a credential wants to use it.
    fn setup(&self, config: &Config, wish: &RunOverrides) -> Result<TaskSetup, AppError> {
        let setup = TaskSetup::of(config, &self.packs)?;
        let credential = wish
            .pack
            .and_then(|name| config.packs().get(name))
            .and_then(|pack| pack.info().credential);
        let Some(credential) = credential else { return Ok(setup) };
        let task = config.tasks.get(credential.task)?;
        Ok(setup.with(TaskSetup::of_task(config, &self.packs, &task)?))
    }
}

/// What must be set before a task can be wished for.
fn missing(config: &Config, task: &Task) -> Option<&'static str> {
    if task.name == config.task.value.name {
        return None;
    }
    let named = config.packs().iter().filter(|it| task.packs.names(it.info().name));
    named.into_iter().find_map(|it| it.missing(config.section(it.info().name)?))
}

/// The settings with a wish granted: read as if it had been given on the command line.
fn granted(usual: &Config, flags: &Flags, wish: &RunOverrides) -> Result<Config, AppError> {
    // The usual one is as it was configured, however it was named then.
    let name = &usual.task.value.name;
    let wished = wish.task.as_ref().filter(|wished| wished.trim() != name.as_str());
    if let Some(name) = wished {
        let task = usual.tasks.get(name)?;
        if let Some(advice) = missing(usual, &task) {
            return Err(AppError::NotOffered { task: task.name, advice });
        }
    }
    let travelled = wish.settings.as_deref();
    let asked_here = wish.model.as_deref().filter(|_| travelled.is_none());
    if let Some(name) = asked_here.filter(|name| !usual.is_offered(name)) {
        return Err(AppError::NoSuchModel(shown(name)));
    }
    let mode = wish.tool_mode.map(|it| it.name().to_owned());
    if wished.is_none() && wish.model.is_none() && mode.is_none() && travelled.is_none() {
        return Ok(usual.clone());
    }
    let flags = match travelled {
        Some(settings) => settings.flags(flags.clone()),
        None => flags.clone(),
    };
    let mut config = usual.with(&Flags {
        task: wished.cloned().or(flags.task),
        model: wish.model.clone().or(flags.model),
        tool_mode: mode.or(flags.tool_mode),
        ..flags
    })?;
    if let Some(settings) = travelled {
        settings.apply(&mut config)?;
    }
    // However a name is read: no wish opens a file that the operator did not name.
    let name = wish.model.as_deref().or_else(|| travelled?.model());
    match (config.offline(), name) {
        (Some(Weights::File(file)), Some(name))
            if usual.offline() != Some(Weights::File(file.clone())) =>
        {
            Err(AppError::NoSuchModel(shown(name)))
        }
        _ => Ok(config),
    }
}

impl Config {
    /// Whether a model can be wished for: what was configured, those in this process by their plain names, and
    /// whatever may be the name of one at a provider that the operator asks, or has a section for in their config
    /// file. A key to another, which a variable happens to hold, is not for whoever asks to use.
    pub(crate) fn is_offered(&self, name: &str) -> bool {
        let model = &self.model;
        let provider = self.provider_name(name);
        let is_said = |it: &str| {
            let said = self.providers.get(it);
            said.is_some_and(|it| {
                [&it.base_url.place, &it.api_key.place]
                    .into_iter()
                    .any(|place| matches!(place, SettingSource::File(_)))
            })
        };
        model.name.value.as_deref() == Some(name)
            || (is_name(name)
                && (provider.is_none_or(is_said)
                    || model.names().any(|it| self.provider_name(it) == provider)))
    }

    /// Whether this can be said to be the model that answers: the name of one, and neither a path nor an address.
    pub fn is_model_name(name: &str) -> bool {
        is_name(name)
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
        // The operator's sidecar is no endpoint of everybody's.
        && !name.starts_with("dapr:")
        && !name.contains(":/")
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// As much of a name as an error shows.
fn shown(name: &str) -> String {
    printable(name).chars().take(NAME).collect()
}
