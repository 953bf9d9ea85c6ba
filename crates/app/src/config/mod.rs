//! [`Config`]: every setting, its value, and where the value came from.
//!
//! Flags beat environment variables beat the config file beat the defaults. What the folder one stands
//! in says counts only where the user trusts it, and then only so far as `trust` lets it.

mod agents;
mod cassette;
mod commands;
mod context;
mod embeddings;
mod facts;
mod file;
mod http;
mod layers;
mod limits;
mod mcp;
mod model;
mod openapi;
mod packs;
mod policy;
mod project;
mod providers;
mod review;
mod rules;
mod sections;
mod server;
mod source_entries;
mod sources;
mod telemetry;
mod trust;
pub(crate) mod values;

use std::{
    cell::Cell,
    collections::BTreeMap,
    env::VarError,
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::tz::TimeZone;

use toolwright_core::{Policy, ResultMode, ReviewMode, ToolDeclaration};
use toolwright_pack::{OpenPack, Pack, PackInfo, PackSetup, Section, Services};
pub use toolwright_pack::{Secret, Setting, SettingSource};
use toolwright_project::UserFolders;
use toolwright_runtime::Rule;
use toolwright_store::{InvalidKey, KEY_FILE, LogKey, Store, StoreLocation, Timeouts};

#[doc(hidden)]
pub use self::trust::check_folder_settings;
pub use self::{
    agents::AgentConfig,
    cassette::CassetteConfig,
    commands::{CommandEntry, CommandOrigin},
    context::ContextConfig,
    embeddings::{Embeddings, EmbeddingsConfig},
    facts::ModelFacts,
    http::HttpConfig,
    limits::LimitsConfig,
    mcp::{McpOAuth, McpSandbox, McpSection, McpWalls},
    model::ModelConfig,
    openapi::{OpenApiAuth, OpenApiAuthKind, OpenApiConfig, OpenApiSpec},
    packs::is_own_key,
    providers::ProviderConfig,
    server::{AuthMode, ServerConfig},
    telemetry::{LogFormat, TelemetryConfig},
    trust::{
        FolderContents, FolderSetting, FolderText, FolderTrust, Refusal, SettingOutcome, TASKS,
        TOOLS, TrustDetails, TrustEntry, TrustStore, TrustVerdict, check_tasks_folder,
    },
};
use self::{
    layers::{Layers, Origin},
    policy::declared,
    review::reviewed,
    sources::{Sources, optional, parsed},
};
pub(crate) use self::{limits::LimitsSection, project::FolderProject, rules::RuleSection};
use crate::{
    AppError, PackChoice, PackRegistry, SourceEntry, SourceKind, Task, TaskCatalog, policies,
    task::{self, GENERAL, TaskSettings},
};

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--data`.
    pub data: Option<PathBuf>,
    /// `--log`.
    pub log: Option<String>,
    /// `--review`.
    pub review: Option<String>,
    /// `--task`.
    pub task: Option<String>,
    /// `--model`.
    pub model: Option<String>,
    /// `--tool-mode`.
    pub tool_mode: Option<String>,
    /// `--dialect`.
    pub dialect: Option<String>,
    /// `--option`, each with its value.
    pub options: Vec<(String, String)>,
    /// `--max-rounds`.
    pub rounds: Option<u32>,
    /// `--tool-timeout`.
    pub tool_timeout: Option<String>,
    /// `--single-shot`.
    pub single_shot: bool,
    /// What was given of packs: by the pack's name and the key's.
    pub packs: BTreeMap<(&'static str, &'static str), String>,
    /// `--cassette`.
    pub cassette: Option<PathBuf>,
    /// `--cassette-mode`.
    pub cassette_mode: Option<String>,
    /// `--addr`.
    pub addr: Option<String>,
    /// `--auth`.
    pub auth: Option<String>,
    /// What becomes of a task that was set and cannot be used.
    pub on_bad_task: OnBadTask,
}

/// What becomes of a task that was set, in a file or in the environment, and cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBadTask {
    /// Nothing is done without it.
    #[default]
    Refuse,
    /// It is told, and the usual one is in its place: for commands that show what is wrong.
    Tell,
}

/// Every setting, with where it came from. What is secret cannot be printed.
#[derive(Clone, Debug)]
pub struct Config {
    /// The packs there are.
    packs: PackRegistry,
    /// What was set about them.
    sections: BTreeMap<&'static str, Section>,
    /// The tasks there are.
    pub tasks: TaskCatalog,
    /// Where tools come from that are in no pack.
    sources: Vec<SourceEntry>,
    /// Programs as tools.
    commands: Vec<CommandEntry>,
    /// Why some of them are not among them.
    unused_commands: Vec<String>,
    /// Whether programs in a sandbox may run as root.
    pub allow_root: bool,
    /// Agents that are tools of others, by their names.
    pub agents: BTreeMap<String, AgentConfig>,
    /// What was given on the command line.
    flags: Flags,
    /// MCP servers, by their names.
    pub mcp: BTreeMap<String, McpSection>,
    /// What files say, as they were read.
    layers: Arc<Layers>,
    /// Why the task that was set is not the task.
    problem: Option<String>,
    /// The config file that was read, if there is one: the one that was named, or the user's.
    pub file: Option<PathBuf>,
    /// The job.
    pub task: Setting<Task>,
    /// Where the user is; where the machine is, if nobody says.
    pub time_zone: Setting<Option<TimeZone>>,
    /// Which model answers.
    pub model: ModelConfig,
    /// Where providers of models are, by their names.
    pub providers: BTreeMap<String, ProviderConfig>,
    /// What is said of models, by their names.
    pub models: BTreeMap<String, ModelFacts>,
    /// Where what it says is recorded to, or replayed from.
    pub cassette: Option<CassetteConfig>,
    /// What bounds a run and a call.
    pub limits: LimitsConfig,
    /// How much the model is sent.
    pub context: ContextConfig,
    /// What makes vectors of texts.
    pub embeddings: EmbeddingsConfig,
    /// Proxies, certificates and headers.
    pub http: HttpConfig,
    /// APIs that OpenAPI documents describe, by their names.
    pub openapi: BTreeMap<String, OpenApiConfig>,
    /// The server.
    pub server: ServerConfig,
    /// What may run without a question, or not at all, as the config file says.
    pub rules: Vec<Rule>,
    /// Where the user's own settings are, whether or not there are any.
    pub user_folder: Option<PathBuf>,
    /// Whether only the first call of a reply runs.
    pub one_at_a_time: Setting<bool>,
    /// How strictly answers are held against the results.
    pub review: Setting<ReviewMode>,
    /// What becomes of the results: they go back to the model, or are the answer.
    pub mode: Setting<ResultMode>,
    /// How calls are treated, by the tool's name; `*` for all.
    pub policies: Vec<(String, Policy)>,
    /// What is declared of tools that come from elsewhere, by the tool's name.
    pub declarations: Vec<(String, ToolDeclaration)>,
    /// Where data is kept.
    pub data: Setting<PathBuf>,
    /// The database, where it is not the one in the data folder.
    pub database: Setting<Option<Secret>>,
    /// The key by which this installation knows what it wrote into the log, where it is not the one
    /// in the data folder.
    pub log_key: Setting<Option<Secret>>,
    /// Where conversations are kept.
    location: StoreLocation,
    /// What is logged, and where metrics are served.
    pub telemetry: TelemetryConfig,
}

impl Config {
    /// Reads the settings from where they are: `flags`, the environment, the config file.
    ///
    /// # Errors
    /// When a file or a value cannot be used.
    pub fn load(packs: &PackRegistry, flags: &Flags) -> Result<Self, AppError> {
        Self::load_at(packs, Path::new("."), flags)
    }

    /// As [`Config::load`], standing in this folder: what it says counts where it is trusted.
    ///
    /// # Errors
    /// When a file or a value cannot be used.
    pub fn load_at(packs: &PackRegistry, here: &Path, flags: &Flags) -> Result<Self, AppError> {
        // What is set and cannot be read is not taken for unset: a proxy would be gone round, a key not sent.
        let unreadable = Cell::new(None);
        let env = |name: &str| match std::env::var(name) {
            Err(VarError::NotUnicode(_)) => {
                unreadable.set(Some(name.to_owned()));
                None
            }
            said => said.ok(),
        };
        let loaded = Self::load_in(packs, here, flags, &env, &file::user_folders());
        match unreadable.take() {
            Some(name) => Err(AppError::Variable(name)),
            None => loaded,
        }
    }

    /// As [`Config::load`], with an environment of the caller's: what the user keeps for models is in its `HOME`, and
    /// nowhere where there is none.
    ///
    /// # Errors
    /// When a file or a value cannot be used.
    pub fn load_from(
        packs: &PackRegistry,
        flags: &Flags,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, AppError> {
        let home = env("HOME").map(PathBuf::from);
        let config = home.as_ref().map(|it| it.join(".config/toolwright"));
        Self::load_in(packs, Path::new("."), flags, env, &UserFolders { config, home })
    }

    /// As [`Config::load_from`], standing in this folder.
    fn load_in(
        packs: &PackRegistry,
        here: &Path,
        flags: &Flags,
        env: &dyn Fn(&str) -> Option<String>,
        user: &UserFolders,
    ) -> Result<Self, AppError> {
        let env = |name: &'static str| env(name).filter(|value| !value.trim().is_empty());
        let layers = Layers::read(packs, flags, &env, here, user)?;
        Self::of(packs, Arc::new(layers), flags, &env)
    }

    /// The same settings with other flags. Files are not read again: what they said holds on.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub(crate) fn with(&self, flags: &Flags) -> Result<Self, AppError> {
        let env =
            |name: &'static str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        Self::of(&self.packs, self.layers.clone(), flags, &env)
    }

    /// The settings of an agent that is a tool of others: those of its task, as if it had been asked for on the
    /// command line with its own model.
    ///
    /// # Errors
    /// When its task or its model cannot be used.
    pub(crate) fn of_agent(&self, agent: &AgentConfig) -> Result<Self, AppError> {
        let mut own = self.with(&Flags {
            task: Some(agent.task.clone()),
            model: agent.model.clone().or_else(|| self.flags.model.clone()),
            // What was said of the run that it is a part of.
            rounds: None,
            single_shot: false,
            on_bad_task: OnBadTask::Refuse,
            ..self.flags.clone()
        })?;
        if own.task.value.sources == PackChoice::All {
            // It would be among all of them itself, as would every other agent that has all.
            let others = own.sources().iter().filter(|it| it.kind != SourceKind::Agent);
            own.task.value.sources = PackChoice::Named(others.map(|it| it.name.clone()).collect());
        }
        Ok(own)
    }

    fn of(
        packs: &PackRegistry,
        layers: Arc<Layers>,
        flags: &Flags,
        env: &dyn Fn(&'static str) -> Option<String>,
    ) -> Result<Self, AppError> {
        let sources = Sources::new(env, &layers);
        let file = layers.file.clone();
        let tasks = catalog(packs, &layers)?;
        let (entries, commands, unused_commands) =
            source_entries::entries(packs, &file, commands::entries(&layers)?)?;
        let task = sources.pick("--task", flags.task.clone(), "TOOLWRIGHT_TASK", file.task);
        let task = sources.or_folder(task, sources.folder.task.as_ref());
        let usual = packs::selected(packs, env, flags)?.unwrap_or(GENERAL);
        let named = task
            .unwrap_or_else(|| Setting { value: usual.to_owned(), place: SettingSource::Default });
        let is_typed = matches!(named.place, SettingSource::Flag(_));
        let (task, problem) = match chosen(packs, &entries, &tasks, named) {
            Ok(task) => (task, None),
            Err(error) if is_typed || flags.on_bad_task == OnBadTask::Refuse => return Err(error),
            Err(error) => {
                let value = TaskCatalog::new(packs).get(GENERAL)?;
                (Setting { value, place: SettingSource::Default }, Some(error.to_string()))
            }
        };
        for name in sources.folder.tasks.keys() {
            tasks.get(name)?;
        }
        let mut sections = packs::read(packs, &sources, flags, &file.packs)?;
        let allow_root = file.sandbox.allow_root;
        let allow_root = packs::allow_root(packs, &mut sections, allow_root, &sources.file());
        let zone = sources.pick("", None, "TOOLWRIGHT_TIME_ZONE", file.time_zone);
        let review = reviewed(&sources, flags, &task.value, file.review)?;
        let one = |it: &TaskSettings| it.one_at_a_time;
        let one_at_a_time = sources.users(&task.value, one, None);
        let one_at_a_time =
            one_at_a_time.unwrap_or_else(|| Sources::usual(&task.value, one, false));
        let single_shot = flags.single_shot.then(|| true.to_string());
        let in_file = file.single_shot.map(|it| it.to_string());
        let single_shot = sources.pick("--single-shot", single_shot, "", in_file);
        let single_shot = parsed("single_shot", single_shot, ResultMode::Loop, mode)?;
        let database = optional(sources.pick("", None, "DATABASE_URL", file.database));
        let folder = &sources.folder;
        let once = folder.single_shot.filter(|it| *it).map(|_| ResultMode::SingleShot);
        let once = once.map(|it| sources.of_folder(it));
        let ones = folder.tasks.get(&task.value.name).and_then(|it| it.one_at_a_time);
        let ones = sources.folders(&task.value, one, ones);
        let rules = file.rules.into_iter().chain(folder.rules.iter().cloned()).map(Rule::from);
        let config = Self {
            model: ModelConfig::read(&sources, flags, &task.value, file.model)?,
            providers: providers::read(&sources, file.providers)?,
            models: facts::read(&sources, file.models)?,
            cassette: CassetteConfig::read(flags)?,
            limits: LimitsConfig::read(&sources, flags, &task.value, &file.limits)?,
            context: ContextConfig::read(&sources, &file.context),
            embeddings: EmbeddingsConfig::read(&sources, file.embeddings)?,
            http: HttpConfig::read(&sources, file.http)?,
            openapi: openapi::read(&file.openapi, layers.path.as_deref())?,
            server: ServerConfig::read(&sources, flags, file.server)?,
            time_zone: parsed("time_zone", zone, None, |it| task::time_zone(it).map(Some))?,
            rules: rules.chain(task.value.approvals.iter().cloned()).collect(),
            user_folder: file::user_folder(),
            one_at_a_time: Sources::narrowed(one_at_a_time, ones, |new, old| *new && !*old),
            review,
            mode: Sources::narrowed(single_shot, once, |new, old| new != old),
            declarations: declared(&file.tools),
            policies: file.tools.into_iter().map(|(name, it)| (name, it.policy)).collect(),
            data: layers.data.clone(),
            location: location(&database, &layers.data.value)?,
            database: database.map(|url| url.map(Secret::new)),
            // Not in the file: it would be copied with it.
            log_key: optional(sources.pick("", None, "TOOLWRIGHT_LOG_KEY", None))
                .map(|key| key.map(Secret::new)),
            telemetry: TelemetryConfig::read(&sources, flags, file.log, file.telemetry)?,
            task,
            problem,
            tasks,
            sources: entries,
            commands,
            unused_commands,
            allow_root,
            agents: agents::read(&file.agents)?,
            flags: flags.clone(),
            mcp: file.mcp,
            sections,
            packs: packs.clone(),
            file: layers.path.clone(),
            layers,
        };
        policies::check(&config)?;
        Ok(config)
    }

    /// The packs there are.
    pub fn packs(&self) -> &PackRegistry {
        &self.packs
    }

    /// What no program sees and no tool changes: the data folder, the user's settings, and the file that
    /// was named, as there may be keys in it.
    pub fn private(&self) -> Vec<PathBuf> {
        let own = [Some(self.data.value.clone()), self.user_folder.clone(), self.file.clone()];
        own.into_iter().flatten().collect()
    }

    /// Where tools come from that are in no pack.
    pub fn sources(&self) -> &[SourceEntry] {
        &self.sources
    }

    /// Programs as tools.
    pub fn commands(&self) -> &[CommandEntry] {
        &self.commands
    }

    /// The folder that one stands in.
    pub fn here(&self) -> &Path {
        &self.layers.here
    }

    /// Whether a tool of this name can come from a source that was configured.
    pub(crate) fn may_come_from_source(&self, tool: &str) -> bool {
        self.sources.iter().any(|it| it.may_have(tool))
    }

    /// What was set about a pack.
    pub fn section(&self, pack: &str) -> Option<&Section> {
        self.sections.get(pack)
    }

    /// Whether a task that names this pack gets more of it than was set up.
    pub(crate) fn is_filled_in(&self, info: &PackInfo) -> bool {
        let is_set = |key: &str| self.section(info.name).is_some_and(|it| it.is_set(key));
        info.settings.iter().any(|key| key.selects.is_some() && !is_set(key.name))
    }

    /// Opens a pack as it was set up.
    pub(crate) fn open_pack(
        &self,
        pack: &dyn Pack,
        is_named: bool,
        services: &Services,
    ) -> Result<Option<Arc<dyn OpenPack>>, AppError> {
        let info = pack.info();
        let Some(section) = self.section(info.name) else { return Ok(None) };
        let section = match is_named {
            true => &packs::filled_in(info, section),
            false => section,
        };
        let private = self.private();
        let protected: Vec<PathBuf> = self.folder_file().map(Path::to_owned).into_iter().collect();
        let mut setup = PackSetup::new(section, &self.data.value, services);
        setup.time_zone = self.time_zone.value.as_ref();
        setup.is_named = is_named;
        setup.private = &private;
        setup.protected = &protected;
        pack.open(&setup).map_err(|error| AppError::Pack { pack: info.name, error })
    }

    /// What the folder one stands in says, and whether it counts.
    pub fn standing(&self) -> &FolderTrust {
        &self.layers.standing
    }

    /// Which folders the user trusts.
    pub fn trust(&self) -> TrustStore {
        TrustStore::in_folder(&self.data.value)
    }

    /// What the user should know about where settings came from, a line each.
    pub fn notices(&self) -> Vec<String> {
        let withheld = self.model.withheld.as_ref().map(|key| {
            let url = self.model.base_url.value.as_deref().unwrap_or_default();
            let url = crate::without_password(url);
            format!("your key ({key}) is not sent to {url}: this folder names that address")
        });
        let own = withheld.into_iter().chain(self.within_reach()).chain(self.unpriced());
        let own = own.chain(self.unused_commands.iter().cloned());
        self.standing().notices().into_iter().chain(own).collect()
    }

    /// Why the task that was set is not the task, where [`OnBadTask::Tell`] was asked for.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// What to know about a file that was named, and that lies where a model works.
    fn within_reach(&self) -> Option<String> {
        let file = self.file.as_deref().filter(|_| self.layers.origin == Origin::Named)?;
        let task = &self.task.value;
        let mut folders = self.packs.iter().map(Pack::info).flat_map(|info| {
            let section = self.section(info.name).filter(|_| task.packs.has(info.name));
            let section = section.map(|it| match task.packs.names(info.name) {
                true => packs::filled_in(info, it),
                false => it.clone(),
            });
            let keys = info.settings.iter().filter(|key| key.selects.is_some());
            keys.filter_map(move |key| section.as_ref()?.get::<PathBuf>(key.name).ok()?)
        });
        folders.any(|folder| is_in(file, &folder)).then(|| {
            format!(
                "{} was named and counts whole, but lies in the workspace: whoever writes there can \
                 change your settings",
                file.display()
            )
        })
    }

    /// The file of the folder one stands in, where it counts.
    fn folder_file(&self) -> Option<&Path> {
        self.layers.folder.as_ref().map(|it| it.path.as_path())
    }

    /// Where conversations are kept.
    pub fn location(&self) -> StoreLocation {
        self.location.clone()
    }

    /// Opens where conversations are kept, with the key by which this installation knows what it
    /// wrote: the one that was given, or the one in the data folder.
    ///
    /// # Errors
    /// When either cannot be used.
    pub async fn open_store(&self) -> Result<Store, AppError> {
        let key = match &self.log_key.value {
            Some(given) => given.reveal().trim().parse().map_err(|error: InvalidKey| {
                let (value, place) = ("[hidden]".to_owned(), self.log_key.place.to_string());
                let (name, reason) = ("log_key".to_owned(), error.to_string());
                AppError::BadValue { name, value, place, reason }
            })?,
            None => LogKey::in_file(&self.data.value.join(KEY_FILE))?,
        };
        Ok(Store::open_keyed(&self.location(), Timeouts::default(), key).await?)
    }
}

/// Where conversations are kept. What was set is not shown: there may be a password in it.
fn location(database: &Setting<Option<String>>, data: &Path) -> Result<StoreLocation, AppError> {
    match &database.value {
        Some(url) => url.parse().map_err(|reason| {
            let place = database.place.to_string();
            AppError::Database { place, reason }
        }),
        None => Ok(StoreLocation::Sqlite(data.join("toolwright.db"))),
    }
}

/// The tasks there are: those of the packs, the user's, the trusted project's, and what the config file
/// says of them.
fn catalog(packs: &PackRegistry, layers: &Layers) -> Result<TaskCatalog, AppError> {
    let tasks = TaskCatalog::new(packs);
    let tasks = match file::user_folder() {
        Some(folder) => tasks.with_users(&folder.join("tasks")),
        None => tasks,
    };
    let projects = layers.folder.as_ref().map(|it| it.tasks.clone()).unwrap_or_default();
    let tasks = match layers.withheld() {
        Some(reason) => tasks.without(&layers.here.join(TASKS), &reason),
        None => tasks,
    };
    let path = layers.path.clone().unwrap_or_default();
    tasks.with_projects(projects).with_config(&layers.file.tasks, &path)
}

/// The task that was named. A file may be named by whoever types, and by nobody else.
fn chosen(
    packs: &PackRegistry,
    entries: &[SourceEntry],
    tasks: &TaskCatalog,
    Setting { value: name, place }: Setting<String>,
) -> Result<Setting<Task>, AppError> {
    let is_typed = matches!(place, SettingSource::Flag(_));
    let task = match TaskCatalog::is_file(&name) && is_typed {
        true => TaskCatalog::in_file(Path::new(&name)),
        false => tasks.get(&name),
    };
    let value = task.map_err(|error| match error {
        AppError::NoSuchTask { name, known, nearest, withheld, .. } => {
            let place = (!is_typed).then(|| format!("it was set in: {place}"));
            AppError::NoSuchTask { name, known, nearest, withheld, place }
        }
        error => error,
    })?;
    value.check_names(packs, entries)?;
    Ok(Setting { value, place })
}

/// Whether a file lies in a folder, links followed.
fn is_in(file: &Path, folder: &Path) -> bool {
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}

fn mode(single_shot: &str) -> Result<ResultMode, std::str::ParseBoolError> {
    single_shot.parse().map(|once| if once { ResultMode::SingleShot } else { ResultMode::Loop })
}
