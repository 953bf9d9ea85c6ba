//! [`OAuthServers`]: an MCP server that wants a login and the login server that gives one, each on a socket of its
//! own, and [`browse`]: a browser without a screen.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "without a socket there is no test to run"
)]

mod browser;
mod login_server;
mod protected_server;
mod wire;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::Value;

pub use self::browser::{Page, browse};
use self::wire::{Asked, Reply, listen};

/// What changes the query that a browser comes back with.
pub type RedirectTwist = Box<dyn Fn(&mut Vec<(String, String)>) + Send + Sync>;

/// Changes a document before it is sent.
pub type Twist = Box<dyn Fn(&mut Value) + Send + Sync>;

/// What is different from servers that mean well.
#[derive(Default)]
pub struct OAuthTwists {
    /// The challenge, in the place of the usual one.
    pub challenge: Option<String>,
    /// Changes what the MCP server says about logging in.
    pub resource: Option<Twist>,
    /// Changes what the login server says of itself.
    pub server: Option<Twist>,
    /// Changes the answer that has tokens in it.
    pub tokens: Option<Twist>,
    /// Changes the query that the browser comes back with: a list of pairs.
    pub redirect: Option<RedirectTwist>,
    /// Paths that are answered in another way: a status, headers, a body.
    pub answers: BTreeMap<String, (u16, String, Vec<u8>)>,
    /// How long a token is good for, in seconds; not said where nothing is.
    pub lifetime: Option<u64>,
    /// Whether the MCP server wants to know who asks only once something is asked for.
    pub begins_with_anybody: bool,
    /// Whether calls fail with what was shown, among bytes that are no text.
    pub fails_with_token: bool,
    /// A client that is registered already: its id and its secret.
    pub client: Option<(String, String)>,
}

/// An MCP server that wants a login, and the login server that gives one. They are on this machine.
pub struct OAuthServers {
    /// The address of the MCP server.
    pub url: String,
    /// The login server.
    pub issuer: String,
    shared: Arc<Shared>,
}

struct Shared {
    twists: OAuthTwists,
    url: String,
    issuer: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    clients: Vec<String>,
    codes: BTreeMap<String, BTreeMap<String, String>>,
    /// Those that are good, and what they allow.
    access: BTreeMap<String, String>,
    refresh: BTreeMap<String, String>,
    given: Vec<String>,
    renewals: usize,
    asked: Vec<String>,
    count: usize,
}

impl OAuthServers {
    /// Starts both.
    pub fn start(twists: OAuthTwists) -> Self {
        let (login, protected) = (wire::bind(), wire::bind());
        let issuer = format!("http://{}", login.local_addr().unwrap());
        let url = format!("http://{}/mcp", protected.local_addr().unwrap());
        let mut state = State::default();
        state.clients.extend(twists.client.iter().map(|it| it.0.clone()));
        let state = Mutex::new(state);
        let shared = Arc::new(Shared { twists, url: url.clone(), issuer: issuer.clone(), state });
        let (a, b) = (shared.clone(), shared.clone());
        listen(login, move |asked| a.answer(asked, login_server::answer));
        listen(protected, move |asked| b.answer(asked, protected_server::answer));
        Self { url, issuer, shared }
    }

    /// Ends every access token, though nobody was told how long it is good for.
    pub fn end_access(&self) {
        self.shared.state.lock().unwrap().access.clear();
    }

    /// Ends every login.
    pub fn end_logins(&self) {
        self.end_access();
        self.shared.state.lock().unwrap().refresh.clear();
    }

    /// How often tokens were renewed.
    pub fn renewals(&self) -> usize {
        self.shared.state.lock().unwrap().renewals
    }

    /// Every token that was ever given.
    pub fn given(&self) -> Vec<String> {
        self.shared.state.lock().unwrap().given.clone()
    }

    /// What both were asked: `POST /token`.
    pub fn asked(&self) -> Vec<String> {
        self.shared.state.lock().unwrap().asked.clone()
    }
}

impl Shared {
    fn answer(&self, asked: &Asked, usual: fn(&Self, &Asked) -> Reply) -> Reply {
        let line = format!("{} {}", asked.method, asked.path);
        self.state.lock().unwrap().asked.push(line);
        match self.twists.answers.get(&asked.path) {
            Some((status, headers, body)) => {
                Reply { status: *status, headers: headers.clone(), body: body.clone() }
            }
            None => usual(self, asked),
        }
    }

    fn twisted(&self, mut document: Value, twist: Option<&Twist>) -> Reply {
        if let Some(twist) = twist {
            twist(&mut document);
        }
        Reply::json(200, &document)
    }
}
