//! [`ServerConfig`]: where the server listens, who may come in, and what bounds it.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use super::{
    Flags, IdentityConfig, Secret, Setting,
    file::ServerSection,
    sources::{Sources, optional, parsed},
};
use crate::AppError;

/// Where the server listens, who may come in, and what bounds it.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where it listens.
    pub addr: Setting<SocketAddr>,
    /// Who may come in without the token.
    pub auth: Setting<AuthMode>,
    /// Whether those who come in may change settings.
    pub manage: Setting<ManageMode>,
    /// The token, where it is not the one in the data folder.
    pub token: Setting<Option<Secret>>,
    /// Names under which it is reached, besides its address.
    pub hosts: Setting<Vec<String>>,
    /// Connections at the same time.
    pub connections: Setting<Option<usize>>,
    /// Runs at the same time.
    pub runs: Setting<Option<usize>>,
    /// Runs that begin in a minute; 0 for as many as anybody likes.
    pub runs_per_minute: Setting<Option<u32>>,
    /// What a question may have with all that is attached to it, in MiB.
    pub upload_mb: Setting<Option<usize>>,
    /// How people sign in, where several do.
    pub identity: Setting<IdentityConfig>,
    /// How long it goes on serving once it is told to stop, while it says that it is not ready.
    pub drain_delay: Setting<Duration>,
}

/// Who may come in without the token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthMode {
    /// Programs of the same user on the same machine.
    #[default]
    Local,
    /// Nobody.
    Token,
}

impl AuthMode {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Token => "token",
        }
    }

    fn parse(word: &str) -> Result<Self, &'static str> {
        [Self::Local, Self::Token]
            .into_iter()
            .find(|it| it.name() == word)
            .ok_or("use local or token")
    }
}

/// Whether those who come in may change settings: connect a model, say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ManageMode {
    /// Where the server is reached from this machine alone.
    #[default]
    Local,
    /// Wherever it is reached from.
    Yes,
    /// Nowhere.
    No,
}

impl ManageMode {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Yes => "yes",
            Self::No => "no",
        }
    }

    fn parse(word: &str) -> Result<Self, &'static str> {
        [Self::Local, Self::Yes, Self::No]
            .into_iter()
            .find(|it| it.name() == word)
            .ok_or("use local, yes or no")
    }
}

const PORT: u16 = 8001;
const LONGEST_DELAY: Duration = Duration::from_secs(600);

impl ServerConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        flags: &Flags,
        file: ServerSection,
    ) -> Result<Self, AppError> {
        let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
        let addr = sources.pick("--addr", flags.addr.clone(), "TOOLWRIGHT_ADDR", file.addr);
        let auth = sources.pick("--auth", flags.auth.clone(), "TOOLWRIGHT_AUTH", file.auth);
        // Never in a file: what is in there is read by others, too, sooner or later.
        let token = optional(sources.pick("", None, "TOOLWRIGHT_TOKEN", None));
        let folder = sources.folder.server.auth.as_ref();
        let folder = sources.folders_word("server.auth", folder, AuthMode::parse)?;
        let auth = parsed("server.auth", auth, AuthMode::Local, AuthMode::parse)?;
        let delay = sources.bounded(
            "server.drain_delay",
            file.drain_delay,
            &(Duration::from_millis(1)..=LONGEST_DELAY),
            (
                toolwright_duration::format,
                "balancers need some seconds, and whoever ends a server kills it after a while",
            ),
        )?;
        let manage = sources.pick("", None, "TOOLWRIGHT_MANAGE", file.manage);
        Ok(Self {
            manage: parsed("server.manage", manage, ManageMode::Local, ManageMode::parse)?,
            addr: parsed("server.addr", addr, usual, address)?,
            auth: Sources::narrowed(auth, folder, |new, _| *new == AuthMode::Token),
            token: token.map(|token| token.map(Secret::new)),
            hosts: sources.in_file(file.hosts, Vec::new()),
            connections: sources.in_file(file.connections.map(Some), None),
            runs: sources.in_file(file.runs.map(Some), None),
            runs_per_minute: sources.in_file(file.runs_per_minute.map(Some), None),
            identity: IdentityConfig::read(sources, file.identity)?,
            upload_mb: sources.in_file(file.upload_mb.map(Some), None),
            drain_delay: sources.in_file(delay, Duration::ZERO),
        })
    }
}

/// Where the server listens.
pub(super) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let text = text.trim();
    let text = text
        .strip_prefix("localhost:")
        .map_or_else(|| text.to_owned(), |it| format!("127.0.0.1:{it}"));
    text.parse().map_err(|_| "use an address and a port, such as 127.0.0.1:8001")
}
