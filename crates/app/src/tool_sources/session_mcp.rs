//! [`SessionMcpServer`]: an MCP server that is named for one session, and in no config file.

use std::{
    collections::HashSet,
    env,
    path::{Path, PathBuf},
};

use http::{HeaderMap, HeaderName};
use toolwright_files::digest_of;
use toolwright_http::Url;
use toolwright_mcp::client::{
    HttpEndpoint, McpServer, McpServerConfig, McpTransport, Pinning, Screened, StdioCommand,
};

use super::mcp::{SECRET, mcp_pins, sandboxed, sensitive};
use crate::Config;

/// The longest name of one: what is behind it in a tool's name needs room, too.
const LONGEST: usize = 32;
/// In the name of a variable, these say that its value is a secret.
const SECRETS: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"];

/// An MCP server that is named for one session. Nothing in it stands for a variable of ours.
#[derive(Clone)]
pub struct SessionMcpServer {
    /// What it is called here: [`SessionMcpServer::name`] makes a name of any text.
    pub name: String,
    /// How it is reached.
    pub transport: SessionMcpTransport,
}

/// How such a server is reached.
#[derive(Clone)]
pub enum SessionMcpTransport {
    /// It is a program.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that it is given.
        env: Vec<(String, String)>,
    },
    /// It is at an address.
    Address {
        /// The address.
        url: String,
        /// What is sent with every request.
        headers: Vec<(String, String)>,
    },
}

impl SessionMcpServer {
    /// A name for tools of a server that calls itself so, which none of these has.
    pub fn name(text: &str, taken: &HashSet<String>) -> String {
        let plain =
            |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' };
        let words: String = text.chars().take(200).map(plain).collect();
        let words = words.trim_start_matches(|it: char| !it.is_ascii_alphabetic());
        let words: Vec<&str> = words.split('-').filter(|it| !it.is_empty()).collect();
        let name = if words.is_empty() { "server".to_owned() } else { words.join("-") };
        let cut = |most: usize| name.chars().take(most).collect::<String>();
        let numbered = (2..).map(|nth| format!("{}-{nth}", cut(LONGEST - 4)));
        let mut names = std::iter::once(cut(LONGEST)).chain(numbered);
        names.find(|it| !taken.contains(it)).unwrap_or(name)
    }

    /// The server, started. `folder` is the session's: a program starts in it, inside walls, and may read it and
    /// what its arguments name, unless all of the user's home or our own data is in that; it changes nothing
    /// outside of its own home, and has no network.
    ///
    /// # Errors
    /// When it cannot be reached so: why.
    pub fn start(&self, config: &Config, folder: &Path) -> Result<McpServer, String> {
        let pinned = self.pinned_as();
        let transport = match &self.transport {
            SessionMcpTransport::Program { command, args, env } => {
                if command.trim().is_empty() {
                    return Err("it has no `command`".to_owned());
                }
                let folder = Some(folder).filter(|it| !is_too_much(config, it));
                let shown = (readable(config, folder, command, args), Vec::new());
                McpTransport::Stdio(StdioCommand {
                    program: command.clone(),
                    args: args.clone(),
                    env: env.clone(),
                    cwd: folder.map(Path::to_owned),
                    sandbox: Some(sandboxed(config, &pinned, shown, folder)),
                })
            }
            SessionMcpTransport::Address { url, headers } => {
                McpTransport::Http(HttpEndpoint { url: address(url)?, headers: sent(headers)? })
            }
        };
        let mut server = McpServerConfig::new(&self.name, transport);
        let advice = "you are asked before your next prompt is answered".to_owned();
        server.pinning = Some(Pinning { name: pinned, advice });
        let secrets = self.secrets();
        server.secrets = Screened::new(secrets.iter().map(String::as_str));
        Ok(McpServer::new(server, mcp_pins(config)))
    }

    /// What its approvals are kept under: its name, and all that makes it another server. What is sent to an
    /// address does not: a token may be another one tomorrow.
    pub fn pinned_as(&self) -> String {
        let parts: Vec<&str> = match &self.transport {
            SessionMcpTransport::Program { command, args, env } => {
                let words = std::iter::once(command).chain(args).map(String::as_str);
                let given = env.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
                words.chain(["env"]).chain(given).collect()
            }
            SessionMcpTransport::Address { url, .. } => vec![url],
        };
        let digest: String = digest_of(parts).chars().take(32).collect();
        format!("session-{}-{digest}", self.name)
    }

    /// How it is reached, for people: nothing in it is a secret.
    pub fn describe(&self) -> String {
        match &self.transport {
            SessionMcpTransport::Program { command, args, env } => {
                let words = [command].into_iter().chain(args).map(|it| format!("{it:?}"));
                let words: Vec<_> = words.collect();
                let names: Vec<_> = env.iter().map(|(name, _)| name.as_str()).collect();
                let given = match names.is_empty() {
                    true => String::new(),
                    false => format!(" (given: {})", names.join(", ")),
                };
                format!("{}{given}", words.join(" "))
            }
            SessionMcpTransport::Address { url, .. } => toolwright_http::without_password(url),
        }
    }

    /// What no tool may return: what is sent to an address, and variables that are secrets by their names.
    pub fn secrets(&self) -> Vec<String> {
        let values: Vec<&String> = match &self.transport {
            SessionMcpTransport::Program { env, .. } => {
                let is_secret = |name: &str| {
                    let name = name.to_ascii_uppercase();
                    SECRETS.iter().any(|it| name.contains(it))
                };
                env.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value).collect()
            }
            SessionMcpTransport::Address { headers, .. } => {
                headers.iter().map(|(_, value)| value).collect()
            }
        };
        // A token stands alone as often as it does behind `Bearer`.
        let words = values.into_iter().flat_map(|it| {
            let last = it.rsplit(' ').next().filter(|last| *last != it).map(str::to_owned);
            std::iter::once(it.clone()).chain(last)
        });
        words.filter(|it| it.len() >= SECRET).collect()
    }
}

/// Whether so much is below a path that a program must not read it: all of somebody's home, or our own data.
fn is_too_much(config: &Config, path: &Path) -> bool {
    let data = &config.data.value;
    let home = env::var_os("HOME").map(PathBuf::from);
    data.starts_with(path)
        || path.starts_with(data)
        || home.as_deref().is_some_and(|it| it.starts_with(path))
}

/// What a program may read: the folder it starts in, itself, and what its arguments name.
fn readable(
    config: &Config,
    folder: Option<&Path>,
    command: &str,
    args: &[String],
) -> Vec<PathBuf> {
    let named = [command].into_iter().chain(args.iter().map(String::as_str));
    let named = named.map(PathBuf::from).filter(|it| it.is_absolute());
    // What a link leads to may be anything.
    let named = named.filter_map(|it| it.canonicalize().ok().filter(|real| *real == it));
    let named = named.filter(|it| !it.starts_with("/usr") && !is_too_much(config, it));
    folder.map(Path::to_owned).into_iter().chain(named).collect()
}

fn address(url: &str) -> Result<Url, String> {
    let url = Url::parse(url).map_err(|_| "its `url` is none".to_owned())?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err("its `url` begins with neither https:// nor http://".to_owned()),
    }
}

fn sent(headers: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut sent = HeaderMap::new();
    for (name, value) in headers {
        // What is wrong with it may be a secret.
        let bad = || "one of its headers has characters in it that no header has".to_owned();
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        sent.insert(header, sensitive(value).ok_or_else(bad)?);
    }
    Ok(sent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(args: &[&str], env: &[(&str, &str)]) -> SessionMcpServer {
        let args = args.iter().map(|it| (*it).to_owned()).collect();
        let env = env.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let transport = SessionMcpTransport::Program { command: "/bin/x".to_owned(), args, env };
        SessionMcpServer { name: "x".to_owned(), transport }
    }

    #[test]
    fn any_text_becomes_a_name_that_nobody_has() {
        let none = HashSet::new();
        for (text, name) in [
            ("files", "files"),
            ("My Server! (prod)", "my-server-prod"),
            ("__", "server"),
            ("7 wonders", "wonders"),
            ("a__b_", "a-b"),
            ("\u{202e}", "server"),
        ] {
            assert_eq!(SessionMcpServer::name(text, &none), name, "{text}");
        }
        assert!(SessionMcpServer::name(&"x".repeat(500), &none).len() <= LONGEST);
        let taken = HashSet::from(["files".to_owned(), "files-2".to_owned()]);
        assert_eq!(SessionMcpServer::name("files", &taken), "files-3");
    }

    /// What was approved is approved for exactly this: pieces that were cut elsewhere are others.
    #[test]
    fn another_command_is_another_server() {
        let all = [
            program(&["a", "b"], &[]),
            program(&["ab"], &[]),
            program(&["b", "a"], &[]),
            program(&["a"], &[("b", "")]),
            program(&["a", "b"], &[("LD_PRELOAD", "x")]),
            program(&["a", "b"], &[("LD_PRELOAD", "y")]),
        ];
        let names: HashSet<_> = all.iter().map(SessionMcpServer::pinned_as).collect();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn secrets_are_known_by_their_names_and_shown_nowhere() {
        let server =
            program(&[], &[("API_KEY", "canary-1234"), ("HOME", "/home/me"), ("PASS", "x")]);
        assert_eq!(server.secrets(), ["canary-1234"]);
        assert!(server.describe().contains("API_KEY") && !server.describe().contains("canary"));
        let headers = vec![("authorization".to_owned(), "Bearer canary-1234".to_owned())];
        let url = "https://me:canary-1234@x.example/".to_owned();
        let transport = SessionMcpTransport::Address { url, headers };
        let server = SessionMcpServer { name: "x".to_owned(), transport };
        assert_eq!(server.secrets(), ["Bearer canary-1234", "canary-1234"]);
        assert!(!server.describe().contains("canary"), "{}", server.describe());
    }
}
