//! [`Config`]: every setting, its value, and where the value came from.
//!
//! Flags beat environment variables beat the config file beat the defaults. What the folder one stands
//! in says counts only where the user trusts it, and then only so far as `trust` lets it.

mod agents;
mod cassette;
mod commands;
mod configured_sources;
mod context;
#[cfg(feature = "edit")]
mod edit;
mod embeddings;
mod engine;
mod facts;
mod file;
mod flags;
mod http;
mod identity;
mod layers;
mod limits;
mod load;
mod mcp;
mod model;
mod openapi;
mod packs;
mod policy;
mod project;
mod providers;
mod reread;
mod review;
mod rules;
mod run_settings;
mod sections;
mod server;
mod sources;
mod telemetry;
mod trust;
pub(crate) mod values;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::tz::TimeZone;

use toolwright_core::{Policy, ResultMode, ReviewMode, ToolDeclaration};
use toolwright_pack::{OpenPack, Pack, PackInfo, PackSetup, Section, Services};
pub use toolwright_pack::{Secret, Setting, SettingSource};
use toolwright_runtime::Rule;
use toolwright_store::{InvalidKey, KEY_FILE, LogKey, Store, StoreLocation, Timeouts};

#[cfg(feature = "edit")]
pub use self::edit::{McpEntry, ProviderEntry, Readers, SettingsFile, set_model};
use self::layers::{Layers, Origin};
#[doc(hidden)]
pub use self::trust::check_folder_settings;
pub use self::{
    agents::AgentConfig,
    cassette::CassetteConfig,
    commands::{CommandEntry, CommandOrigin},
    context::ContextConfig,
    embeddings::{Embeddings, EmbeddingsConfig},
    engine::{EngineConfig, EngineKind},
    facts::ModelFacts,
    flags::{Flags, OnBadTask},
    http::HttpConfig,
    identity::{IdentityConfig, OidcConfig},
    limits::LimitsConfig,
    mcp::{McpOAuth, McpSandbox, McpSection, McpWalls},
    model::ModelConfig,
    openapi::{OpenApiAuth, OpenApiAuthKind, OpenApiConfig, OpenApiSpec},
    packs::is_own_key,
    providers::ProviderConfig,
    reread::SettingsChange,
    run_settings::RunSettings,
    server::{AuthMode, ManageMode, ServerConfig},
    telemetry::{LogFormat, TelemetryConfig},
    trust::{
        FolderContents, FolderSetting, FolderText, FolderTrust, Refusal, SettingOutcome, TASKS,
        TOOLS, TrustDetails, TrustEntry, TrustStore, TrustVerdict, check_tasks_folder,
    },
};
pub(crate) use self::{limits::LimitsSection, project::FolderProject, rules::RuleSection};
use crate::{AppError, ConfiguredSource, PackRegistry, Task, TaskCatalog};

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
    sources: Vec<ConfiguredSource>,
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
    /// Who drives runs.
    pub engine: EngineConfig,
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
    pub fn sources(&self) -> &[ConfiguredSource] {
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
    /// When either cannot be used, or others share the log and have another key.
    pub async fn open_store(&self) -> Result<Store, AppError> {
        let store = self.look_into_store().await?;
        store.enter().await?;
        Ok(store)
    }

    /// As [`Config::open_store`], for whoever only reads: also a log of others, who have another key. That is for the
    /// caller to tell ([`Store::check_key`]).
    ///
    /// # Errors
    /// When the log or the key cannot be used.
    pub async fn look_into_store(&self) -> Result<Store, AppError> {
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

/// Whether a file lies in a folder, links followed.
fn is_in(file: &Path, folder: &Path) -> bool {
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}
