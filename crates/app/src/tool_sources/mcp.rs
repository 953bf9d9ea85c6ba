//! [`mcp_server`]: an MCP server as the config file describes it.

use std::{
    collections::BTreeMap,
    env, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use http::{HeaderMap, HeaderName, HeaderValue, header::AUTHORIZATION};
use toolwright_core::ToolSource;
use toolwright_http::Url;
use toolwright_mcp::client::{
    HttpEndpoint, McpServer, McpServerConfig, McpTransport, OAuthConfig, PinStore, SandboxConfig,
    Screened, StdioCommand, TokenStore, UnsetVariable, expand,
};

use super::names_secret;
use crate::{
    AppError, Config,
    config::{McpSandbox, McpSection},
};

/// The shortest value of a variable that is taken for a secret: a shorter one stands in many a text.
pub(super) const SECRET: usize = 8;

/// The servers that were opened as sources of tools, for whoever looks after them. Tasks hold them.
#[derive(Default)]
pub(super) struct RunningServers(Mutex<BTreeMap<String, Weak<McpServer>>>);

impl RunningServers {
    /// Those of these names.
    pub(super) fn kept(&self, names: &[String]) -> Self {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = running.iter().filter(|(name, _)| names.contains(name));
        Self(Mutex::new(kept.map(|(name, it)| (name.clone(), it.clone())).collect()))
    }

    /// The one of this name.
    pub(super) fn get(&self, name: &str) -> Option<Arc<McpServer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name)?.upgrade()
    }
}

pub(super) fn opened(
    config: &Config,
    name: &str,
    running: &RunningServers,
) -> Result<Arc<dyn ToolSource>, AppError> {
    let server = Arc::new(mcp_server(config, name)?);
    let mut running = running.0.lock().unwrap_or_else(PoisonError::into_inner);
    running.insert(name.to_owned(), Arc::downgrade(&server));
    Ok(server)
}

/// Takes back what was approved of a server, and logs out of it; whether there was anything.
///
/// # Errors
/// When that cannot be kept.
pub fn mcp_forget(config: &Config, name: &str) -> io::Result<bool> {
    let was_approved = mcp_pins(config).forget(name)?;
    Ok(mcp_tokens(config).forget(name)? || was_approved)
}

/// The MCP server of this name, started. One that cannot be started as it is configured says so in the place of
/// its tools, and hurts no other.
///
/// # Errors
/// When none of this name is configured.
pub fn mcp_server(config: &Config, name: &str) -> Result<McpServer, AppError> {
    Ok(McpServer::new(mcp_server_config(config, name)?, mcp_pins(config)))
}

/// The MCP server of this name as it is configured, not started.
///
/// # Errors
/// When none of this name is configured.
pub fn mcp_server_config(config: &Config, name: &str) -> Result<McpServerConfig, AppError> {
    let Some(section) = config.mcp.get(name) else {
        let reason = "there is none in the config file".to_owned();
        return Err(AppError::BadSource { section: format!("mcp.{name}"), reason });
    };
    Ok(described(config, name, section))
}

/// Which MCP servers the user is logged in to.
pub fn mcp_tokens(config: &Config) -> TokenStore {
    TokenStore::in_folder(&config.data.value)
}

/// What the user approved of MCP servers.
pub fn mcp_pins(config: &Config) -> PinStore {
    PinStore::in_folder(&config.data.value)
}

/// What of Toolwright's own is hidden from a server in the folders that it is shown: the folder, and what is hidden.
pub fn mcp_hides(config: &Config, name: &str) -> Vec<(PathBuf, PathBuf)> {
    let sandbox = config.mcp.get(name).and_then(|it| it.sandbox.as_ref());
    let Some(McpSandbox::Walls(walls)) = sandbox else { return Vec::new() };
    let shown = walls.read.iter().chain(&walls.write).filter_map(|it| folder(it).ok());
    let shown = shown.filter_map(|it| it.canonicalize().ok());
    let own = config.private();
    let own: Vec<_> =
        own.iter().map(|it| it.canonicalize().unwrap_or_else(|_| it.clone())).collect();
    let hidden = shown.filter_map(|shown| {
        let inside = own.iter().find(|it| it.starts_with(&shown))?.clone();
        Some((shown, inside))
    });
    hidden.collect()
}

/// What a program sees in its sandbox: the folders that it may read and those that it may write, and where it begins.
/// It has a home of this name, and no network.
pub(super) fn sandboxed(
    config: &Config,
    home: &str,
    (read, write): (Vec<PathBuf>, Vec<PathBuf>),
    cwd: Option<&Path>,
) -> SandboxConfig {
    let named = read.iter().chain(&write).map(PathBuf::as_path).chain(cwd);
    let led = |it: &Path| Some((it.to_owned(), it.canonicalize().ok()?));
    SandboxConfig {
        network: false,
        resolved: named.filter_map(led).collect(),
        read,
        write,
        home: Some(config.data.value.join("mcp").join("homes").join(home)),
        hidden: config.private(),
        allow_root: config.allow_root,
    }
}

fn described(config: &Config, name: &str, section: &McpSection) -> McpServerConfig {
    let oauth = oauth(config, name, section);
    let transport = match (section.enabled, &oauth) {
        (Some(false), _) => McpTransport::Off(String::new()),
        (_, Err(reason)) => McpTransport::Off(reason.clone()),
        _ => transport(config, name, section).unwrap_or_else(McpTransport::Off),
    };
    let mut server = McpServerConfig::new(name, transport);
    // Whoever sends a token of their own does not log in.
    server.oauth = match &server.transport {
        McpTransport::Http(endpoint) if !endpoint.headers.contains_key(AUTHORIZATION) => oauth.ok(),
        _ => None,
    };
    server.required = section.required.unwrap_or_default();
    server.timeout = section.timeout;
    server.tools = section.tools.clone().unwrap_or_default();
    let known = crate::context(config);
    server.secrets = Screened::new(known.secrets().iter().map(|it| &**it));
    if let Some(limit) = section.startup_timeout {
        server.startup_timeout = limit;
    }
    server
}

/// How it is reached, or why it is not.
fn transport(config: &Config, name: &str, section: &McpSection) -> Result<McpTransport, String> {
    let filled = |key: &str, text: &str| {
        expand(text, &variable).map_err(|UnsetVariable(variable)| {
            format!("`{key}` of `[mcp.{name}]` names the variable {variable}, which is not set")
        })
    };
    if let Some(url) = &section.url {
        return http(section, &filled("url", url)?, &filled);
    }
    let program = filled("command", section.command.as_deref().unwrap_or_default())?;
    let args = section.args.iter().flatten().map(|it| filled("args", it));
    let env = section.env.iter().map(|(key, value)| {
        let value = filled(&format!("env.{key}"), value)?;
        Ok::<_, String>((key.clone(), value))
    });
    let cwd = section.cwd.as_deref().map(folder).transpose()?;
    let sandbox = match &section.sandbox {
        Some(McpSandbox::Off) => None,
        said => {
            let walls = match said {
                Some(McpSandbox::Walls(walls)) => walls.clone(),
                _ => Default::default(),
            };
            let folders =
                |all: &[String]| all.iter().map(|it| folder(it)).collect::<Result<_, _>>();
            let shown = (folders(&walls.read)?, folders(&walls.write)?);
            Some(SandboxConfig {
                network: walls.network,
                ..sandboxed(config, name, shown, cwd.as_deref())
            })
        }
    };
    Ok(McpTransport::Stdio(StdioCommand {
        program,
        args: args.collect::<Result<_, _>>()?,
        env: env.collect::<Result<_, _>>()?,
        cwd,
        sandbox,
    }))
}

fn http(
    section: &McpSection,
    url: &str,
    filled: &dyn Fn(&str, &str) -> Result<String, String>,
) -> Result<McpTransport, String> {
    let url = Url::parse(url).map_err(|_| "its `url` is none".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("its `url` begins with neither https:// nor http://".to_owned());
    }
    let mut headers = HeaderMap::new();
    for (name, value) in &section.headers {
        let value = filled(&format!("headers.{name}"), value)?;
        let bad = || format!("the header `{name}` has characters in it that no header has");
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        headers.insert(header, sensitive(&value).ok_or_else(bad)?);
    }
    if let Some(name) = &section.bearer_token_env {
        let token = variable(name).ok_or_else(|| {
            format!("`bearer_token_env` names the variable {name}, which is not set")
        })?;
        let bad = || format!("what {name} holds is no token");
        headers.insert(AUTHORIZATION, sensitive(&format!("Bearer {token}")).ok_or_else(bad)?);
    }
    Ok(McpTransport::Http(HttpEndpoint { url, headers }))
}

/// How one logs in to it, or why one cannot.
fn oauth(config: &Config, name: &str, section: &McpSection) -> Result<OAuthConfig, String> {
    let mut oauth = OAuthConfig::new(mcp_tokens(config));
    let Some(said) = section.oauth.clone() else { return Ok(oauth) };
    if let Some(secret) = &said.client_secret_env {
        let told = || {
            format!(
                "`oauth.client_secret_env` of `[mcp.{name}]` names the variable {secret}, which is not set"
            )
        };
        oauth.client_secret = Some(variable(secret).ok_or_else(told)?);
    }
    oauth.client_id = said.client_id;
    oauth.scopes = said.scopes;
    oauth.callback_port = said.callback_port;
    oauth.allow_hosts = said.allow_hosts;
    Ok(oauth)
}

pub(super) fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|it| !it.trim().is_empty())
}

/// A folder as people write it.
fn folder(text: &str) -> Result<PathBuf, String> {
    let text = expand(text, &variable).map_err(|it| it.to_string())?;
    Ok(match (text.strip_prefix("~/"), variable("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ if text == "~" => variable("HOME").map_or_else(|| PathBuf::from(&text), PathBuf::from),
        _ => PathBuf::from(text),
    })
}

/// What no tool may return: what servers are sent and given, as far as it comes from variables or is a header.
pub(crate) fn secrets(config: &Config) -> Vec<String> {
    let values = config.mcp.values().flat_map(|it| {
        let named =
            it.env.iter().filter(|(name, value)| value.contains("${") || names_secret(name));
        let token = it.bearer_token_env.as_deref().and_then(variable);
        let client = it.oauth.as_ref().and_then(|it| it.client_secret_env.as_deref());
        let token = token.into_iter().chain(client.and_then(variable));
        let sent = it.headers.values().filter_map(|value| expand(value, &variable).ok());
        // `Bearer TOKEN`: the second word alone is as secret.
        let sent = sent.flat_map(|it| [it.rsplit(' ').next().map(str::to_owned), Some(it)]);
        let given = named.filter_map(|(_, value)| expand(value, &variable).ok());
        given.chain(sent.flatten()).chain(token).collect::<Vec<_>>()
    });
    // Where the file cannot be read nothing of it is sent either.
    let logins = mcp_tokens(config).secrets().unwrap_or_default();
    values.chain(logins).filter(|it| it.len() >= SECRET).collect()
}
