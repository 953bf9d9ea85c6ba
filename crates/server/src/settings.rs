//! [`Settings`]: where the server listens, who may come in, and what bounds everything.

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

use toolwright_app::config::{AuthMode, IdentityConfig, ManageMode};

use crate::Token;

/// Where the server listens, who may come in, and what bounds everything.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub address: SocketAddr,
    /// Who may come in without the token.
    pub auth: AuthMode,
    /// Whether those who come in may change settings.
    pub manage: ManageMode,
    /// What lets everybody in who has it.
    pub token: Token,
    /// Names under which it is reached, besides its address: `desk.example:8001`, or
    /// `https://desk.example` behind a proxy with TLS.
    pub hosts: Vec<String>,
    /// How people sign in, where several do.
    pub identity: IdentityConfig,
    /// The folder of its own: which browsers were let in, and the socket for programs of the same
    /// user.
    pub folder: PathBuf,
    /// What bounds everything.
    pub limits: Limits,
}

/// What bounds everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at the same time. Fewer, where the process may not have twice as many files open.
    pub connections: usize,
    /// Runs at the same time.
    pub runs: usize,
    /// Runs that begin in a minute.
    pub runs_per_minute: Option<NonZeroU32>,
    /// The size of a request's body.
    pub body: usize,
    /// The size of a body that may carry attachments: a question, or a conversation that is brought
    /// back. Bytes are a third longer as text.
    pub upload: usize,
    /// How many bodies of more than the usual size are read at the same time.
    pub uploads: usize,
    /// How long somebody may take to send a request's head, and how long its body.
    pub client_timeout: Duration,
    /// How long somebody who is sent something may take nothing of it.
    pub sending: Duration,
    /// How long a link for a browser is good.
    pub link: Duration,
    /// How long the server goes on serving once it is told to stop, and says that it is not ready: whoever spreads
    /// requests over several notices.
    pub drain_delay: Duration,
    /// How long runs may take to end when the server stops.
    pub settling: Duration,
    /// How often it is looked whether somebody still drives what is listened to here and driven elsewhere.
    pub looking: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 16_384,
            runs: 256,
            runs_per_minute: NonZeroU32::new(600),
            body: 2 << 20,
            upload: 32 << 20,
            uploads: 8,
            client_timeout: Duration::from_secs(8),
            sending: Duration::from_secs(30),
            link: Duration::from_secs(10 * 60),
            drain_delay: Duration::ZERO,
            settling: Duration::from_secs(4),
            looking: Duration::from_secs(10),
        }
    }
}
