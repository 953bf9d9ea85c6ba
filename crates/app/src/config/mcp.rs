//! [`McpSection`]: what `toolwright.toml` says of a server that speaks the Model Context Protocol.

use std::{collections::BTreeMap, fmt, time::Duration};

use serde::{Deserialize, Deserializer, de::Error};
use toml::Value;

use super::values;
use crate::AppError;

/// What the file says of an MCP server: a program, or an address. No folder may say any of it.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct McpSection {
    /// The program.
    #[serde(deserialize_with = "values::named")]
    pub command: Option<String>,
    /// Its arguments.
    pub args: Option<Vec<String>>,
    /// Variables that it is given; `${NAME}` in their values stands for ours.
    pub env: BTreeMap<String, String>,
    /// The folder it starts in.
    #[serde(deserialize_with = "values::named")]
    pub cwd: Option<String>,
    /// The address, where it is none of this machine's programs.
    #[serde(deserialize_with = "values::named")]
    pub url: Option<String>,
    /// What is sent with every request; `${NAME}` stands for a variable.
    pub headers: BTreeMap<String, String>,
    /// The variable that holds the token that is sent with every request.
    #[serde(deserialize_with = "values::named")]
    pub bearer_token_env: Option<String>,
    /// How one logs in to it, where that is not left to the server.
    pub oauth: Option<McpOAuth>,
    /// Whether a run that is to have its tools ends where they are not there.
    pub required: Option<bool>,
    /// Whether it is used at all.
    pub enabled: Option<bool>,
    /// How long it may take to start and to list its tools.
    #[serde(deserialize_with = "values::time")]
    pub startup_timeout: Option<Duration>,
    /// How long one call may take.
    #[serde(deserialize_with = "values::time")]
    pub timeout: Option<Duration>,
    /// Which of its tools there are, by their own names.
    pub tools: Option<Vec<String>>,
    /// What it may reach: a table, or `false` for everything.
    #[serde(deserialize_with = "sandbox")]
    pub sandbox: Option<McpSandbox>,
}

impl McpSection {
    /// How it is reached, on a line: the very words that are started, or the address. Nothing that is sent or given to it.
    pub fn reached(&self) -> String {
        if let Some(url) = &self.url {
            return crate::without_password(url);
        }
        let words = self.command.iter().chain(self.args.iter().flatten());
        let command = words.map(|it| quoted(it)).collect::<Vec<_>>().join(" ");
        match &self.sandbox {
            Some(McpSandbox::Off) => format!("{command} (without a sandbox)"),
            Some(McpSandbox::Walls(walls)) if walls.network => {
                format!("{command} (with the network)")
            }
            _ => command,
        }
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./=:@%+,".contains(it);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// How one logs in to a server (OAuth).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct McpOAuth {
    /// As which client: one that was registered by hand, or the address of a client's metadata document.
    #[serde(deserialize_with = "values::named")]
    pub client_id: Option<String>,
    /// The variable that holds the secret of that client.
    #[serde(deserialize_with = "values::named")]
    pub client_secret_env: Option<String>,
    /// What is asked for.
    pub scopes: Option<Vec<String>>,
    /// The port of this machine that the browser comes back to.
    pub callback_port: Option<u16>,
    /// Hosts of login servers that may be gone to though their addresses are not public.
    pub allow_hosts: Vec<String>,
}

/// What a program may reach.
#[derive(Clone, Debug, PartialEq)]
pub enum McpSandbox {
    /// Everything.
    Off,
    /// These, and nothing else.
    Walls(McpWalls),
}

/// What a program may reach besides what every program needs.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct McpWalls {
    /// Whether it has the network.
    pub network: bool,
    /// Folders that it may read.
    pub read: Vec<String>,
    /// Folders that it may write, too.
    pub write: Vec<String>,
}

fn sandbox<'de, D: Deserializer<'de>>(from: D) -> Result<Option<McpSandbox>, D::Error> {
    let said = match Option::<Value>::deserialize(from)? {
        None => return Ok(None),
        Some(Value::Boolean(false)) => McpSandbox::Off,
        Some(Value::Boolean(true)) => McpSandbox::Walls(McpWalls::default()),
        Some(table @ Value::Table(_)) => {
            McpSandbox::Walls(McpWalls::deserialize(table).map_err(Error::custom)?)
        }
        Some(_) => {
            return Err(Error::custom("`false` is expected here, or a table: { network = true }"));
        }
    };
    Ok(Some(said))
}

impl McpSection {
    /// Whether it can be a server.
    pub(super) fn check(&self, name: &str) -> Result<(), AppError> {
        let wrong = |reason: &str| {
            let (section, reason) = (format!("mcp.{name}"), reason.to_owned());
            Err(AppError::BadSource { section, reason })
        };
        let of_program = self.args.is_some()
            || !self.env.is_empty()
            || self.cwd.is_some()
            || self.sandbox.is_some();
        let of_address =
            !self.headers.is_empty() || self.bearer_token_env.is_some() || self.oauth.is_some();
        if let Some(oauth) = &self.oauth {
            if self.bearer_token_env.is_some() {
                return wrong("it has `oauth` and `bearer_token_env`: it can be one of them");
            }
            if oauth.client_secret_env.is_some() && oauth.client_id.is_none() {
                return wrong("`client_secret_env` of `oauth` needs its `client_id`");
            }
        }
        match (&self.command, &self.url) {
            (None, None) => wrong("it needs a `command` to start, or a `url`"),
            (Some(_), Some(_)) => wrong("it has a `command` and a `url`: it can be one of them"),
            (Some(_), None) if of_address => {
                wrong("`headers`, `bearer_token_env` and `oauth` are for a server with a `url`")
            }
            (None, Some(_)) if of_program => {
                wrong("`args`, `env`, `cwd` and `sandbox` are for a server with a `command`")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for McpSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |map: &BTreeMap<String, String>| map.keys().cloned().collect::<Vec<_>>();
        f.debug_struct("McpSection")
            .field("command", &self.command)
            .field("args", &self.args)
            .field("env", &names(&self.env))
            .field("cwd", &self.cwd)
            .field("url", &self.url.as_deref().map(crate::without_password))
            .field("headers", &names(&self.headers))
            .field("bearer_token_env", &self.bearer_token_env)
            .field("oauth", &self.oauth)
            .field("required", &self.required)
            .field("enabled", &self.enabled)
            .field("startup_timeout", &self.startup_timeout)
            .field("timeout", &self.timeout)
            .field("tools", &self.tools)
            .field("sandbox", &self.sandbox)
            .finish()
    }
}
