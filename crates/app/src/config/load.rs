//! [`Config::load`]: the settings, put together from where they are.

use std::{
    cell::Cell,
    env::VarError,
    path::{Path, PathBuf},
    sync::Arc,
};

use toolwright_core::ResultMode;
use toolwright_project::UserFolders;
use toolwright_runtime::Rule;
use toolwright_store::StoreLocation;

use super::{
    AgentConfig, CassetteConfig, Config, ContextConfig, EmbeddingsConfig, EngineConfig, Flags,
    HttpConfig, LimitsConfig, ModelConfig, OnBadTask, Secret, ServerConfig, Setting, SettingSource,
    TASKS, TelemetryConfig, agents, commands, configured_sources, facts, file,
    layers::Layers,
    openapi, packs,
    policy::declared,
    providers,
    review::reviewed,
    sources::{Sources, optional, parsed},
};
use crate::{
    AppError, ConfiguredSource, PackChoice, PackRegistry, SourceKind, Task, TaskCatalog, policies,
    task::{self, GENERAL, TaskSettings},
};

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
    pub(super) fn load_in(
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
    pub fn with(&self, flags: &Flags) -> Result<Self, AppError> {
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

    pub(super) fn of(
        packs: &PackRegistry,
        layers: Arc<Layers>,
        flags: &Flags,
        env: &dyn Fn(&'static str) -> Option<String>,
    ) -> Result<Self, AppError> {
        let sources = Sources::new(env, &layers);
        let file = layers.file.clone();
        let tasks = catalog(packs, &layers)?;
        let (entries, commands, unused_commands) =
            configured_sources::entries(packs, &file, commands::entries(&layers)?)?;
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
            engine: EngineConfig::read(&sources, flags, file.engine)?,
            time_zone: parsed("time_zone", zone, None, |it| task::time_zone(it).map(Some))?,
            rules: rules.chain(task.value.approvals.iter().cloned()).collect(),
            user_folder: layers.user_folder.clone(),
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
    let tasks = match &layers.user_folder {
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
    entries: &[ConfiguredSource],
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

fn mode(single_shot: &str) -> Result<ResultMode, std::str::ParseBoolError> {
    single_shot.parse().map(|once| if once { ResultMode::SingleShot } else { ResultMode::Loop })
}
