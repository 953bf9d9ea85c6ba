//! [`Config`]: every setting, its value, and where the value came from.
//!
//! Flags beat environment variables beat the config file beat the defaults. What the folder one stands
//! in says counts only where the user trusts it, and then only so far as `trust` lets it.

mod context;
mod file;
mod history;
mod http;
mod layers;
mod limits;
mod market;
mod model;
mod policy;
mod rules;
mod server;
mod setting;
mod sources;
mod telemetry;
mod trust;
mod workspace;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use toolwright_core::{Policy, ResultMode, ReviewMode};
use toolwright_runtime::Rule;
use toolwright_store::{InvalidKey, KEY_FILE, LogKey, Store, StoreLocation, Timeouts};

#[doc(hidden)]
pub use self::trust::check_folder_settings;
pub use self::{
    context::ContextConfig,
    history::{Embeddings, HistoryConfig},
    http::HttpConfig,
    limits::LimitsConfig,
    market::MarketConfig,
    model::ModelConfig,
    server::{AuthMode, ServerConfig},
    setting::{Secret, Setting, SettingSource},
    telemetry::{LogFormat, TelemetryConfig},
    trust::{
        FolderContents, FolderSetting, FolderTrust, Refusal, SettingOutcome, TrustEntry,
        TrustStore, TrustVerdict,
    },
    workspace::WorkspaceConfig,
};
use self::{
    layers::{Layers, Origin},
    sources::{Sources, optional, parsed},
};
use crate::{AppError, Task, policies};

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
    /// `--max-rounds`.
    pub rounds: Option<u32>,
    /// `--tool-timeout`.
    pub tool_timeout: Option<String>,
    /// `--single-shot`.
    pub single_shot: bool,
    /// `--workspace`.
    pub workspace: Option<PathBuf>,
    /// `--allow-root`.
    pub allow_root: bool,
    /// `--addr`.
    pub addr: Option<String>,
    /// `--auth`.
    pub auth: Option<String>,
}

/// Every setting, with where it came from. What is secret cannot be printed.
#[derive(Clone, Debug)]
pub struct Config {
    /// What files say, as they were read.
    layers: Arc<Layers>,
    /// The config file that was read, if there is one: the one that was named, or the user's.
    pub file: Option<PathBuf>,
    /// The job.
    pub task: Setting<Task>,
    /// Which model answers.
    pub model: ModelConfig,
    /// What bounds a run and a call.
    pub limits: LimitsConfig,
    /// How much the model is sent.
    pub context: ContextConfig,
    /// Where prices come from.
    pub market: MarketConfig,
    /// The watch history.
    pub history: HistoryConfig,
    /// Proxies, certificates and headers.
    pub http: HttpConfig,
    /// The folder a model may work in.
    pub workspace: WorkspaceConfig,
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
    pub fn load(flags: &Flags) -> Result<Self, AppError> {
        Self::load_from(flags, &|name| std::env::var(name).ok())
    }

    /// As [`Config::load`], with an environment of the caller's.
    ///
    /// # Errors
    /// When a file or a value cannot be used.
    pub fn load_from(
        flags: &Flags,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, AppError> {
        Self::load_in(Path::new("."), flags, env)
    }

    /// As [`Config::load_from`], standing in this folder.
    fn load_in(
        here: &Path,
        flags: &Flags,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, AppError> {
        let env = |name: &'static str| env(name).filter(|value| !value.trim().is_empty());
        let layers = Layers::read(flags, &env, here)?;
        Self::of(Arc::new(layers), flags, &env)
    }

    /// The same settings with other flags. Files are not read again: what they said holds on.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub(crate) fn with(&self, flags: &Flags) -> Result<Self, AppError> {
        let env =
            |name: &'static str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        Self::of(self.layers.clone(), flags, &env)
    }

    fn of(
        layers: Arc<Layers>,
        flags: &Flags,
        env: &dyn Fn(&'static str) -> Option<String>,
    ) -> Result<Self, AppError> {
        let sources = Sources::new(env, &layers);
        let file = layers.file.clone();
        let workspace = workspace::named(flags, env);
        let task = sources.pick("--task", flags.task.clone(), "TOOLWRIGHT_TASK", file.task);
        let task = sources.or_folder(task, sources.folder.task.as_ref());
        // Who names a folder to work in wants to work in it.
        let usual = if workspace.is_some() { Task::Workspace } else { Task::General };
        let task = parsed("task", task, usual, str::parse::<Task>)?;
        for name in file.tasks.keys().chain(sources.folder.tasks.keys()) {
            policies::check_task(name)?;
        }
        // What is said of the task beats what is said of all.
        let of_task = file.tasks.get(task.value.name());
        let review = of_task.and_then(|it| it.review.clone()).or(file.review);
        let review = sources.pick("--review", flags.review.clone(), "TOOLWRIGHT_REVIEW", review);
        let review = parsed("review", review, task.value.review(), reviewing)?;
        let one_at_a_time = of_task.and_then(|it| it.one_at_a_time);
        let one_at_a_time = sources.in_file(one_at_a_time, false);
        let single_shot = flags.single_shot.then(|| true.to_string());
        let in_file = file.single_shot.map(|it| it.to_string());
        let single_shot = sources.pick("--single-shot", single_shot, "", in_file);
        let single_shot = parsed("single_shot", single_shot, ResultMode::Loop, mode)?;
        let database = optional(sources.pick("", None, "DATABASE_URL", file.database));
        let folder = &sources.folder;
        let folders = folder.tasks.get(task.value.name());
        let stricter = folders.and_then(|it| it.review.as_ref()).or(folder.review.as_ref());
        let stricter = sources.folders("review", stricter, reviewing)?;
        let once = folder.single_shot.filter(|it| *it).map(|_| ResultMode::SingleShot);
        let one = folders.and_then(|it| it.one_at_a_time).filter(|it| *it);
        let rules = file.rules.into_iter().chain(folder.rules.iter().cloned());
        let config = Self {
            model: ModelConfig::read(&sources, flags, file.model)?,
            limits: LimitsConfig::read(&sources, flags, task.value, file.limits)?,
            context: ContextConfig::read(&sources, &file.context),
            market: MarketConfig::read(&sources, file.market)?,
            history: HistoryConfig::read(&sources, file.history)?,
            http: HttpConfig::read(&sources, file.http)?,
            workspace: WorkspaceConfig::read(&sources, flags, file.workspace)?,
            server: ServerConfig::read(&sources, flags, file.server)?,
            rules: rules.map(Rule::from).collect(),
            user_folder: file::user_folder(),
            one_at_a_time: sources.narrowed(one_at_a_time, one, |new, old| new != old),
            review: sources.narrowed(review, stricter, |new, old| rank(*new) > rank(*old)),
            mode: sources.narrowed(single_shot, once, |new, old| new != old),
            policies: file.tools.into_iter().map(|(name, it)| (name, it.0)).collect(),
            data: layers.data.clone(),
            location: location(&database, &layers.data.value)?,
            database: database.map(|url| url.map(Secret)),
            // Not in the file: it would be copied with it.
            log_key: optional(sources.pick("", None, "TOOLWRIGHT_LOG_KEY", None))
                .map(|key| key.map(Secret)),
            telemetry: TelemetryConfig::read(&sources, flags, file.log, file.telemetry)?,
            task,
            file: layers.path.clone(),
            layers,
        };
        policies::check(&config)?;
        Ok(config)
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
        self.standing().notice().into_iter().chain(withheld).chain(self.in_workspace()).collect()
    }

    /// What to know about a file that was named, and that lies where a model works.
    pub fn in_workspace(&self) -> Option<String> {
        let (file, folder) = (self.file.as_deref()?, self.workspace()?);
        let is_named = self.layers.origin == Origin::Named;
        (is_named && workspace::is_in(file, &folder)).then(|| {
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
                AppError::BadValue { name: "log_key", value, place, reason: error.to_string() }
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

fn reviewing(word: &str) -> Result<ReviewMode, &'static str> {
    match word {
        "off" => Ok(ReviewMode::Off),
        "warn" => Ok(ReviewMode::Warn),
        "enforce" => Ok(ReviewMode::Enforce),
        "replace" => Ok(ReviewMode::Replace),
        _ => Err("use off, warn, enforce or replace"),
    }
}

fn mode(single_shot: &str) -> Result<ResultMode, std::str::ParseBoolError> {
    single_shot.parse().map(|once| if once { ResultMode::SingleShot } else { ResultMode::Loop })
}

/// How strict it is.
fn rank(review: ReviewMode) -> u8 {
    match review {
        ReviewMode::Off => 0,
        ReviewMode::Warn => 1,
        ReviewMode::Enforce => 2,
        ReviewMode::Replace => 3,
    }
}
