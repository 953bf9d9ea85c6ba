//! [`Config`]: every setting, its value, and where the value came from.
//!
//! Flags beat environment variables beat the config file beat the defaults.

mod context;
mod file;
mod history;
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

use std::path::PathBuf;

use toolwright_core::{Mode, Policy, Reviewing};
use toolwright_runtime::Rule;
use toolwright_store::{KEY_FILE, Location, LogKey, NoKey, Patience, Store};

pub use self::{
    context::ContextConfig,
    history::{Embeddings, HistoryConfig},
    limits::LimitsConfig,
    market::MarketConfig,
    model::ModelConfig,
    server::{Admission, ServerConfig},
    setting::{Place, Secret, Setting},
    telemetry::{LogFormat, TelemetryConfig},
    workspace::WorkspaceConfig,
};
use self::{
    file::File,
    sources::{Sources, optional, parsed},
};
use crate::{AppError, Task};

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
    /// `--rounds`.
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
    /// The config file that was read, if there is one.
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
    pub review: Setting<Reviewing>,
    /// What becomes of the results: they go back to the model, or are the answer.
    pub mode: Setting<Mode>,
    /// How calls are treated, by the tool's name; `*` for all.
    pub policies: Vec<(String, Policy)>,
    /// Where data is kept.
    pub data: Setting<PathBuf>,
    /// The database, where it is not the one in the data folder.
    pub database: Setting<Option<Secret>>,
    /// The key by which this installation knows what it wrote into the log, where it is not the one
    /// in the data folder.
    pub log_key: Setting<Option<Secret>>,
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
        let env = |name: &'static str| env(name).filter(|value| !value.trim().is_empty());
        let named = flags.config.clone().or_else(|| env("TOOLWRIGHT_CONFIG").map(PathBuf::from));
        let workspace = workspace::named(flags, &env);
        let (path, file) = File::find(named.as_deref(), workspace.as_deref())?;
        let sources = Sources { env: &env, path: path.as_deref() };

        let task = sources.pick("--task", flags.task.clone(), "TOOLWRIGHT_TASK", file.task);
        // Who names a folder to work in wants to work in it.
        let usual = if workspace.is_some() { Task::Workspace } else { Task::General };
        let task = parsed("task", task, usual, str::parse::<Task>)?;
        // What is said of the task beats what is said of all.
        let of_task = file.tasks.get(task.value.name());
        let one_at_a_time = of_task.and_then(|it| it.one_at_a_time);
        let review = of_task.and_then(|it| it.review.clone()).or(file.review);
        let review = sources.pick("--review", flags.review.clone(), "TOOLWRIGHT_REVIEW", review);
        let data = flags.data.as_ref().map(|it| it.to_string_lossy().into_owned());
        let data = sources.pick("--data", data, "TOOLWRIGHT_DATA", file.data);
        let default_data = || Setting { value: default_data(), place: Place::Default };
        let single_shot = flags.single_shot.then(|| true.to_string());
        let in_file = file.single_shot.map(|it| it.to_string());
        let single_shot = sources.pick("--single-shot", single_shot, "", in_file);
        let database = optional(sources.pick("", None, "DATABASE_URL", file.database));
        let config = Self {
            model: ModelConfig::read(&sources, flags, file.model)?,
            limits: LimitsConfig::read(&sources, flags, task.value, file.limits)?,
            context: ContextConfig::read(&sources, &file.context),
            market: MarketConfig::read(&sources, file.market)?,
            history: HistoryConfig::read(&sources, file.history)?,
            workspace: WorkspaceConfig::read(&sources, flags, file.workspace)?,
            server: ServerConfig::read(&sources, flags, file.server)?,
            rules: file.rules.into_iter().map(Rule::from).collect(),
            user_folder: file::user_folder(),
            one_at_a_time: sources.in_file(one_at_a_time, false),
            review: parsed("review", review, task.value.review(), reviewing)?,
            mode: parsed("single_shot", single_shot, Mode::Loop, mode)?,
            policies: file.tools.into_iter().map(|(name, it)| (name, it.0)).collect(),
            data: data.map_or_else(default_data, |it| it.map(PathBuf::from)),
            database: database.map(|url| url.map(Secret)),
            // Not in the file: it would be copied with it.
            log_key: optional(sources.pick("", None, "TOOLWRIGHT_LOG_KEY", None))
                .map(|key| key.map(Secret)),
            telemetry: TelemetryConfig::read(&sources, flags, file.log, file.telemetry)?,
            task,
            file: path,
        };
        config.check_trust(named.is_some())
    }

    /// Where conversations are kept.
    pub fn location(&self) -> Location {
        match &self.database.value {
            // Whatever is no server's address is a file's.
            Some(url) => url.reveal().parse().unwrap_or_else(|never| match never {}),
            None => Location::Sqlite(self.data.value.join("toolwright.db")),
        }
    }

    /// Opens where conversations are kept, with the key by which this installation knows what it
    /// wrote: the one that was given, or the one in the data folder.
    ///
    /// # Errors
    /// When either cannot be used.
    pub async fn open_store(&self) -> Result<Store, AppError> {
        let key = match &self.log_key.value {
            Some(given) => given.reveal().trim().parse().map_err(|error: NoKey| {
                let (value, place) = ("[hidden]".to_owned(), self.log_key.place.to_string());
                AppError::BadValue { name: "log_key", value, place, reason: error.to_string() }
            })?,
            None => LogKey::in_file(&self.data.value.join(KEY_FILE))?,
        };
        Ok(Store::open_keyed(&self.location(), Patience::default(), key).await?)
    }
}

fn reviewing(word: &str) -> Result<Reviewing, &'static str> {
    match word {
        "off" => Ok(Reviewing::Off),
        "warn" => Ok(Reviewing::Warn),
        "enforce" => Ok(Reviewing::Enforce),
        "replace" => Ok(Reviewing::Replace),
        _ => Err("use off, warn, enforce or replace"),
    }
}

fn mode(single_shot: &str) -> Result<Mode, std::str::ParseBoolError> {
    single_shot.parse().map(|once| if once { Mode::SingleShot } else { Mode::Loop })
}

/// `$XDG_DATA_HOME/toolwright`, or the system's equivalent; the working folder without a home.
fn default_data() -> PathBuf {
    use etcetera::BaseStrategy;
    etcetera::choose_base_strategy()
        .map(|base| base.data_dir().join("toolwright"))
        .unwrap_or_else(|_| PathBuf::from(".toolwright"))
}
