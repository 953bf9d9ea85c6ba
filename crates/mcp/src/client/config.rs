//! [`McpServerConfig`]: how a server is reached, and how far it is trusted.

use std::{fmt, path::PathBuf, time::Duration};

use http::HeaderMap;
use url::Url;

use super::{OAuthConfig, Screened};

/// How long a server may take to start and to list its tools, where nothing is said.
const STARTUP: Duration = Duration::from_secs(30);

/// How a server is reached, and how far it is trusted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct McpServerConfig {
    /// What it is called here: the beginning of the names of its tools.
    pub name: String,
    /// How it is reached.
    pub transport: McpTransport,
    /// How long it may take to start and to list its tools.
    pub startup_timeout: Duration,
    /// How long one call of any of its tools may take.
    pub timeout: Option<Duration>,
    /// Which of its tools there are here, by their own names: `get_*`, `!delete_*`; all, where it is empty.
    pub tools: Vec<String>,
    /// What is taken out of everything that it says.
    pub secrets: Screened,
    /// How one logs in to it, where it is at an address and wants that.
    pub oauth: Option<OAuthConfig>,
    /// Whether a run that is to have its tools ends where they are not there.
    pub required: bool,
    /// Where its approvals are kept, where no config file names it.
    pub pinning: Option<Pinning>,
}

/// Where approvals of a server are kept that no config file names: its name alone says too little, as anybody may
/// choose the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pinning {
    /// What its approvals are kept under.
    pub name: String,
    /// How its tools are approved, for people.
    pub advice: String,
}

impl McpServerConfig {
    /// A server that is reached so, and about which nothing else is said.
    pub fn new(name: impl Into<String>, transport: McpTransport) -> Self {
        Self {
            name: name.into(),
            transport,
            startup_timeout: STARTUP,
            timeout: None,
            tools: Vec::new(),
            secrets: Screened::default(),
            oauth: None,
            required: false,
            pinning: None,
        }
    }

    /// What its approvals are kept under.
    pub(super) fn pinned_as(&self) -> &str {
        self.pinning.as_ref().map_or(&self.name, |it| &it.name)
    }

    /// How its tools are approved, for people.
    pub(super) fn approval_advice(&self) -> String {
        match &self.pinning {
            Some(pinning) => pinning.advice.clone(),
            None => format!("`toolwright mcp approve {}` shows them and asks", self.name),
        }
    }

    /// Whether there is a tool of this name here.
    pub(super) fn admits(&self, tool: &str) -> bool {
        let matches = toolwright_runtime::matches_pattern;
        let (out, within): (Vec<&str>, Vec<&str>) =
            self.tools.iter().map(|it| it.trim()).partition(|it| it.starts_with('!'));
        let is_out = out.iter().any(|it| matches(it.trim_start_matches('!').trim(), tool));
        (within.is_empty() || within.iter().any(|it| matches(it, tool))) && !is_out
    }
}

/// How a server is reached.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum McpTransport {
    /// It is a program: messages are lines of its standard input and output.
    Stdio(StdioCommand),
    /// It is at an address.
    Http(HttpEndpoint),
    /// It is not reached, for this reason.
    Off(String),
}

/// A program that is a server.
#[derive(Clone, Default)]
pub struct StdioCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that it is given besides the usual ones. Their values are never shown.
    pub env: Vec<(String, String)>,
    /// The folder it starts in.
    pub cwd: Option<PathBuf>,
    /// What it may reach; nothing where it is started without walls.
    pub sandbox: Option<SandboxConfig>,
}

impl fmt::Debug for StdioCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        f.debug_struct("StdioCommand")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("env", &names)
            .field("cwd", &self.cwd)
            .field("sandbox", &self.sandbox)
            .finish()
    }
}

/// What a program may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SandboxConfig {
    /// Whether it has the network.
    pub network: bool,
    /// Folders that it may read.
    pub read: Vec<PathBuf>,
    /// Folders that it may write, too.
    pub write: Vec<PathBuf>,
    /// What was named, and where each led when the settings were read: what leads elsewhere later is not shown.
    pub resolved: Vec<(PathBuf, PathBuf)>,
    /// Its home, which is kept from one start to the next, where it can be: not where we are root and it
    /// is nobody, who gets into no folder of ours.
    pub home: Option<PathBuf>,
    /// What it does not see, whatever it may read.
    pub hidden: Vec<PathBuf>,
    /// Whether it may run as root, where we are.
    pub allow_root: bool,
}

/// A server at an address.
#[derive(Clone)]
pub struct HttpEndpoint {
    /// The address.
    pub url: Url,
    /// What is sent with every request. Their values are never shown.
    pub headers: HeaderMap,
}

impl fmt::Debug for HttpEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.keys().collect();
        let url = toolwright_http::without_password(self.url.as_str());
        f.debug_struct("HttpEndpoint").field("url", &url).field("headers", &names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_take_in_and_leave_out() {
        let admits = |patterns: &[&str], tool| {
            let mut config = McpServerConfig::new("x", McpTransport::Off(String::new()));
            config.tools = patterns.iter().map(|it| (*it).to_owned()).collect();
            config.admits(tool)
        };
        assert!(admits(&[], "a"));
        assert!(admits(&["get_*"], "get_a") && !admits(&["get_*"], "set_a"));
        assert!(admits(&["!set_*"], "get_a") && !admits(&["!set_*"], "set_a"));
        assert!(!admits(&["*", "! set_*"], "set_a"));
    }
}
