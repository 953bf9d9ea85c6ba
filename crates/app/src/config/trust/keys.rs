//! [`KEYS`]: what a trusted folder may do with each key of `toolwright.toml`.
//!
//! A key that is not in the list is not taken; a test holds the list against what the file may say.

use std::path::Path;

use serde::de::DeserializeSeed;
use toml::{Table, Value};
use toolwright_pack::{ProjectRule, SettingKind, shown};

use super::super::{
    file::{File, explained},
    sections::FileSeed,
};
use crate::PackRegistry;

/// What a trusted folder may do with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Folder {
    /// Nothing.
    Never,
    /// Make narrower what holds without it.
    Narrow,
    /// Set it, where neither a flag nor the environment does.
    Free,
}

/// A key of the file.
pub(in super::super) struct Key {
    /// Its name; `*` stands for any.
    pub(in super::super) name: &'static str,
    pub(super) folder: Folder,
    /// What it is, for people.
    pub(super) about: &'static str,
    /// Whether it is never shown.
    is_secret: bool,
    /// Whether it names a file or a folder, which then lies in the folder itself.
    is_path: bool,
    /// Whether it is an address.
    is_address: bool,
}

impl Key {
    const fn new(name: &'static str, folder: Folder, about: &'static str) -> Self {
        Self { name, folder, about, is_secret: false, is_path: false, is_address: false }
    }
}

const fn never(name: &'static str, about: &'static str) -> Key {
    Key::new(name, Folder::Never, about)
}

const fn narrow(name: &'static str, about: &'static str) -> Key {
    Key::new(name, Folder::Narrow, about)
}

const fn free(name: &'static str, about: &'static str) -> Key {
    Key::new(name, Folder::Free, about)
}

/// What options are, for people.
const OPTIONS: &str = "how the model is to write";

/// Every key there is.
///
/// Never: where something of the user's is kept or sent, what the user's keys are used for, what others
/// may reach, what the user is shown. An address of a model is taken, and no key of the user's goes there.
pub(in super::super) const KEYS: &[Key] = &[
    free("task", "the task"),
    never("data", "where data is kept"),
    never("database", "the database"),
    never("log", "what is logged"),
    narrow("review", "how strictly answers are checked"),
    narrow("single_shot", "whether the model is asked once"),
    never("time_zone", "where you are"),
    free("model.base_url", "where the model is: what you ask and what tools return is sent there"),
    free("model.api_key", "the key for the folder's own address"),
    free("model.name", "the model, which is asked with your key where it needs one"),
    free("model.tool_mode", "how the model is offered its tools"),
    free("model.dialect", "the form of calls in text"),
    never("model.offline_folder", "where the offline model is"),
    never("model.package_index", "where models are fetched from"),
    never("model.judge", "a model that judges answers"),
    never("model.idle_timeout", "how long nothing may come of a reply"),
    never("model.options.temperature", OPTIONS),
    never("model.options.top_p", OPTIONS),
    never("model.options.max_output_tokens", OPTIONS),
    never("model.options.stop", OPTIONS),
    never("model.options.seed", OPTIONS),
    never("model.options.reasoning_effort", OPTIONS),
    never("model.options.parallel_tool_calls", OPTIONS),
    never("model.options.headers.*", OPTIONS),
    never("model.options.extra.*", OPTIONS),
    never("model.accepts", "what the model takes in a message"),
    never("model.output_strategy", "how an answer gets its form"),
    never("model.input_price", "what tokens cost"),
    never("model.cached_input_price", "what tokens cost"),
    never("model.output_price", "what tokens cost"),
    never("providers.*.base_url", "where a provider is"),
    never("providers.*.api_key", "the key to a provider"),
    never("providers.*.api", "what a provider speaks"),
    never("providers.*.headers", "headers that are sent to a provider"),
    never("models.*.window", "how much a model reads"),
    never("models.*.max_output", "how much a model writes"),
    never("models.*.input_price", "what tokens cost"),
    never("models.*.cached_input_price", "what tokens cost"),
    never("models.*.output_price", "what tokens cost"),
    never("models.*.accepts", "what a model takes in a message"),
    never("models.*.output_strategy", "how an answer gets its form"),
    narrow("limits.rounds", "rounds with tools"),
    narrow("limits.calls", "calls in all"),
    narrow("limits.tokens", "tokens in all"),
    narrow("limits.cost", "what a run may cost"),
    narrow("limits.wall_clock", "how long a run may take"),
    narrow("limits.tool_timeout", "how long a call may take"),
    narrow("limits.agent_depth", "how deep agents may ask each other"),
    narrow("limits.parallel_agents", "agents that run at the same time"),
    narrow("context.window", "tokens the model is sent"),
    narrow("context.result", "characters of a result the model reads"),
    narrow("context.tools", "tools the model is offered"),
    never("context.source_wait", "how long a run waits for sources of tools"),
    never("telemetry.metrics", "where metrics are served"),
    never("telemetry.log_content", "whether log lines tell arguments and results"),
    never("telemetry.log_format", "how log lines look"),
    never("embeddings.source", "what makes vectors"),
    never("embeddings.url", "where vectors are made"),
    never("embeddings.model", "the model that makes vectors"),
    never("embeddings.key", "the key for vectors"),
    never("embeddings.folder", "where the model for vectors is"),
    never("http.proxy", "the proxy that requests go through"),
    never("http.no_proxy", "what is asked without a proxy"),
    never("http.ca_file", "whose certificates are trusted"),
    never("http.headers.*", "headers that are sent to an origin"),
    never("openapi.*.spec", "the document that describes an API"),
    never("openapi.*.include", "which operations of an API are tools"),
    never("openapi.*.base_url", "where an API is"),
    never("openapi.*.auth", "which key is sent to an API"),
    never("server.addr", "where the server listens"),
    narrow("server.auth", "who may come in without the token"),
    never("server.manage", "who may change settings on the page"),
    never("server.hosts", "names of the server"),
    never("server.connections", "connections to the server"),
    never("server.runs", "runs of the server"),
    never("server.runs_per_minute", "runs a minute"),
    never("server.upload_mb", "how large a question may be with its attachments"),
    never("server.identity.header", "which header says who asks"),
    never("server.identity.groups_header", "which header says the groups of who asks"),
    never("server.identity.trusted", "who may say who asks"),
    never("server.identity.scopes", "what people may do who sign in"),
    never("server.identity.groups.*", "what groups of people may do"),
    never("server.identity.oidc", "where people sign in"),
    never("server.drain_delay", "how long the server serves on once it is told to stop"),
    never("engine.kind", "who drives runs"),
    never("engine.ingress", "where runs are handed to"),
    never("engine.admin", "where the engine is looked after"),
    never("engine.worker", "where a worker listens"),
    never("engine.slice_rounds", "rounds that are driven in one go"),
    never("engine.decision_timeout", "how long a decision may take"),
    never("engine.grace", "when a worker's conversations are taken from it"),
    never("engine.drain", "how long a worker may take to end"),
    never("mcp.*.command", "a program that is an MCP server"),
    never("mcp.*.args", "what an MCP server is started with"),
    never("mcp.*.env", "variables of an MCP server"),
    never("mcp.*.cwd", "where an MCP server starts"),
    never("mcp.*.url", "where an MCP server is"),
    never("mcp.*.headers", "headers that are sent to an MCP server"),
    never("mcp.*.bearer_token_env", "the token that is sent to an MCP server"),
    never("mcp.*.oauth", "how one logs in to an MCP server"),
    never("mcp.*.required", "whether runs go without an MCP server"),
    never("mcp.*.enabled", "whether an MCP server is used"),
    never("mcp.*.startup_timeout", "how long an MCP server may take to start"),
    never("mcp.*.timeout", "how long a call of an MCP server may take"),
    never("mcp.*.tools", "which tools of an MCP server there are"),
    never("mcp.*.sandbox", "what an MCP server may reach"),
    narrow("rules", "what is denied or asked about"),
    narrow("tasks.*.review", "how strictly answers of a task are checked"),
    narrow("tasks.*.one_at_a_time", "whether only the first call of a reply runs"),
    never("tasks.*.title", "what a task is called"),
    never("tasks.*.description", "what a task is for"),
    never("tasks.*.packs", "the packs of a task"),
    never("tasks.*.sources", "the sources of a task's tools"),
    never("tasks.*.tools", "the tools of a task"),
    never("tasks.*.model", "the model of a task"),
    never("tasks.*.first_tool_choice", "whether a task begins with a tool"),
    never("tasks.*.limits.rounds", "what bounds the runs of a task"),
    never("tasks.*.limits.calls", "what bounds the runs of a task"),
    never("tasks.*.limits.tokens", "what bounds the runs of a task"),
    never("tasks.*.limits.cost", "what bounds the runs of a task"),
    never("tasks.*.limits.wall_clock", "what bounds the runs of a task"),
    never("tasks.*.limits.tool_timeout", "what bounds the runs of a task"),
    never("tasks.*.limits.agent_depth", "what bounds the runs of a task"),
    never("tasks.*.limits.parallel_agents", "what bounds the runs of a task"),
    never("tasks.*.options.temperature", OPTIONS),
    never("tasks.*.options.top_p", OPTIONS),
    never("tasks.*.options.max_output_tokens", OPTIONS),
    never("tasks.*.options.stop", OPTIONS),
    never("tasks.*.options.seed", OPTIONS),
    never("tasks.*.options.reasoning_effort", OPTIONS),
    never("tasks.*.options.parallel_tool_calls", OPTIONS),
    never("tasks.*.options.headers", OPTIONS),
    never("tasks.*.options.extra", OPTIONS),
    never("tasks.*.starters", "questions to begin a task with"),
    never("tasks.*.approvals", "what a task may run without a question"),
    never("tasks.*.prompt", "what a model is told in a task"),
    never("agents.*.task", "an agent that is a tool"),
    never("agents.*.description", "what models are told about an agent"),
    never("agents.*.model", "the model of an agent"),
    never("agents.*.max_rounds", "how long an agent works"),
    never("tools.*", "how calls of a tool are treated"),
    never("commands.*", "a program that becomes a tool"),
    never("sandbox.allow_root", "whether programs may run as root"),
];

/// What is never shown.
const SECRET: &[&str] = &[
    "model.api_key",
    "model.package_index",
    "providers.*.api_key",
    "providers.*.headers",
    "embeddings.key",
    "http.proxy",
    "http.headers.*",
    "model.options.headers.*",
    "tasks.*.options.headers",
    "mcp.*.env",
    "mcp.*.headers",
    "database",
];

/// One thing that a folder says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderSetting {
    /// The key.
    pub key: String,
    /// What it is, for people.
    pub about: &'static str,
    /// The value, where it is no secret.
    pub value: String,
    /// What becomes of it.
    pub becomes: SettingOutcome,
}

/// What becomes of something that a trusted folder says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingOutcome {
    /// It is taken, where neither a flag nor the environment says otherwise.
    Taken,
    /// It is taken where it makes narrower what holds without it.
    Narrowing,
    /// It is ignored: it would be narrower than what holds in no task.
    NotNarrower,
    /// It is ignored: a folder may not decide it.
    Ignored,
}

/// What counts of a folder's settings, and all they say.
pub(super) fn sift(
    packs: &PackRegistry,
    text: &str,
    folder: &Path,
) -> Result<(File, Vec<FolderSetting>), String> {
    let (kept, said) = kept(packs, text, folder)?;
    let kept = Value::Table(kept);
    let file = FileSeed(packs).deserialize(kept).map_err(|error| explained("", &error))?;
    Ok((file, said))
}

/// What is left of a folder's settings before they are read as such, and all they say.
pub(super) fn kept(
    packs: &PackRegistry,
    text: &str,
    folder: &Path,
) -> Result<(Table, Vec<FolderSetting>), String> {
    // A typing mistake is told, wherever it is.
    File::parse(text, packs)?;
    let table: Table = toml::from_str(text).map_err(|error| explained(text, &error))?;
    let mut sieve = Sieve { packs, folder, said: Vec::new() };
    let kept = sieve.table(table, &[]);
    Ok((kept, sieve.said))
}

struct Sieve<'a> {
    packs: &'a PackRegistry,
    folder: &'a Path,
    said: Vec<FolderSetting>,
}

impl Sieve<'_> {
    fn table(&mut self, table: Table, at: &[&str]) -> Table {
        let mut kept = Table::new();
        for (name, value) in table {
            let at: Vec<&str> = at.iter().copied().chain([name.as_str()]).collect();
            let left = match (self.find(&at), value) {
                (Some(key), value) => self.value(&key, &at, value),
                (None, Value::Table(inner)) => Some(Value::Table(self.table(inner, &at))),
                (None, value) => {
                    self.tell(&at, "a setting", shown(&value), SettingOutcome::Ignored);
                    None
                }
            };
            if let Some(left) = left {
                kept.insert(name.clone(), left);
            }
        }
        kept
    }

    /// What is left of a value.
    fn value(&mut self, key: &Key, at: &[&str], value: Value) -> Option<Value> {
        let about = key.about;
        let becomes = match key.folder {
            Folder::Never => SettingOutcome::Ignored,
            Folder::Narrow => SettingOutcome::Narrowing,
            Folder::Free => SettingOutcome::Taken,
        };
        let text = match (key.name, &value) {
            _ if key.is_secret => "set".to_owned(),
            // A name in front of the host must not be taken for it.
            (_, Value::String(url)) if key.is_address => crate::without_password(url),
            _ => shown(&value),
        };
        let left = match (key.folder, key.name, value) {
            (Folder::Never, ..) => None,
            (_, "rules", Value::Array(rules)) => return Some(self.rules(about, rules)),
            (_, _, Value::String(path)) if key.is_path => self.inside(&path).map(Value::String),
            // A file of weights, anywhere.
            (_, "model.name", Value::String(name)) if name.starts_with("offline:") => None,
            (_, _, value) => Some(value),
        };
        self.tell(at, about, text, if left.is_some() { becomes } else { SettingOutcome::Ignored });
        left
    }

    /// Those that deny or ask: what allows is the user's alone.
    fn rules(&mut self, about: &'static str, rules: Vec<Value>) -> Value {
        let (kept, others): (Vec<_>, Vec<_>) = rules.into_iter().partition(|rule| {
            let verdict = rule.get("verdict").and_then(Value::as_str);
            matches!(verdict, Some("deny" | "ask"))
        });
        for rule in &kept {
            self.tell(&["rules"], about, shown(rule), SettingOutcome::Narrowing);
        }
        for rule in &others {
            self.tell(
                &["rules"],
                "what runs without a question",
                shown(rule),
                SettingOutcome::Ignored,
            );
        }
        Value::Array(kept)
    }

    /// The real path of something in the folder.
    fn inside(&self, path: &str) -> Option<String> {
        let folder = self.folder.canonicalize().ok()?;
        let real = folder.join(path).canonicalize().ok()?;
        real.starts_with(&folder).then(|| real.to_str().map(str::to_owned))?
    }

    /// The key at a place: one of the file's own, or one of a pack's.
    fn find(&self, at: &[&str]) -> Option<Key> {
        let fits = |name: &str| {
            let parts: Vec<&str> = name.split('.').collect();
            parts.len() == at.len()
                && parts.iter().zip(at).all(|(part, it)| *part == "*" || part == it)
        };
        if let Some(key) = KEYS.iter().find(|key| fits(key.name)) {
            let is_secret = SECRET.contains(&key.name);
            let is_address = key.name.ends_with("url");
            return Some(Key { is_secret, is_address, ..*key });
        }
        let [pack, name] = at else { return None };
        let info = self.packs.get(pack)?.info();
        let key = info.settings.iter().find(|key| key.name == *name)?;
        Some(Key {
            name: key.name,
            folder: match key.project {
                ProjectRule::Never => Folder::Never,
                ProjectRule::Narrow => Folder::Narrow,
                ProjectRule::Free => Folder::Free,
            },
            about: key.about,
            is_secret: key.secret,
            is_path: key.kind == SettingKind::Path,
            is_address: key.kind == SettingKind::Address,
        })
    }

    fn tell(&mut self, at: &[&str], about: &'static str, value: String, becomes: SettingOutcome) {
        self.said.push(FolderSetting { key: at.join("."), about, value, becomes });
    }
}

#[cfg(test)]
mod tests;
