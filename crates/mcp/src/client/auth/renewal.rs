//! [`Authorization`]: the login to a server, kept good while it is used.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use http::HeaderValue;
use tokio::sync::watch;
use toolwright_http::Url;
use toolwright_redact::Secrets;

use super::{
    Challenge, OAuthConfig,
    client::{self, NoGrant},
    guarded::GuardedHttp,
    login::is_safe,
    token_store::Credentials,
};

/// The login to a server, kept good while it is used: read again when the file changes, renewed when it ends soon, by
/// one at a time.
pub(in super::super) struct Authorization {
    name: String,
    server: Url,
    config: OAuthConfig,
    http: GuardedHttp,
    known: Mutex<Known>,
    renewing: tokio::sync::Mutex<()>,
    /// What the user is told once there is no login any more.
    lost: watch::Sender<Option<String>>,
}

/// What was last read.
struct Known {
    stamp: Option<(SystemTime, u64)>,
    login: Option<Token>,
    /// What was sent so far, and with what it is renewed.
    seen: Vec<String>,
    secrets: Arc<Secrets>,
}

/// A login that may be used.
pub(in super::super) type Token = Arc<TokenLogin>;

/// A login, and the header that shows it.
pub(in super::super) struct TokenLogin {
    credentials: Credentials,
    pub(in super::super) header: HeaderValue,
}

/// Why there is no login.
pub(in super::super) enum NoLogin {
    /// The user has to log in: what they are told.
    LoggedOut(String),
    /// It could not be renewed this time.
    Failed(String),
}

/// How many secrets are remembered.
const MOST: usize = 16;

impl Authorization {
    /// The login to a server at this address, where a token may be sent there.
    pub(in super::super) fn new(
        name: &str,
        server: &Url,
        config: &OAuthConfig,
    ) -> Option<Arc<Self>> {
        is_safe(server).then(|| {
            Arc::new(Self {
                name: name.to_owned(),
                server: server.clone(),
                config: config.clone(),
                http: GuardedHttp::new(server, config),
                known: Mutex::new(Known::nothing()),
                renewing: tokio::sync::Mutex::default(),
                lost: watch::Sender::new(None),
            })
        })
    }

    /// The login there is, renewed where it ends soon; none where nobody logged in.
    pub(in super::super) async fn token(self: &Arc<Self>) -> Result<Option<Token>, NoLogin> {
        match self.read()? {
            Some(login) if login.credentials.ends_soon() => self.renewed(login).await.map(Some),
            login => Ok(login),
        }
    }

    /// Another login than the one that the server did not take, if there is one or can be.
    pub(in super::super) async fn other_than(
        self: &Arc<Self>,
        refused: Option<&Token>,
        challenge: Option<&Challenge>,
    ) -> Result<Token, NoLogin> {
        let is_same = |it: &Token| {
            refused.is_some_and(|old| old.credentials.access_token == it.credentials.access_token)
        };
        let login = match self.read()? {
            None => return Err(self.log_in(challenge)),
            Some(login) if is_same(&login) => self.renewed(login).await?,
            Some(login) => login,
        };
        if is_same(&login) { Err(self.log_in_again()) } else { Ok(login) }
    }

    /// What the user is told where a login does not allow enough. The next one asks for more.
    pub(in super::super) fn wants_more(&self, challenge: &Challenge) -> String {
        if let Err(error) = self.config.tokens.want(&self.name, &challenge.scopes) {
            tracing::warn!(server = self.name, %error, "what it wants is not kept");
        }
        let name = &self.name;
        let what = match challenge.scopes.is_empty() {
            true => String::new(),
            false => format!(" (`{}`)", challenge.scopes.join(" ")),
        };
        match self.config.scopes {
            Some(_) => format!(
                "it wants more than your login allows{what}: add it to `scopes` of `[mcp.{name}]`, and log in with \
                 `toolwright mcp login {name}`"
            ),
            None => format!(
                "it wants more than your login allows{what}: log in with `toolwright mcp login {name}`, which asks for it"
            ),
        }
    }

    /// What was sent to the server and what it is renewed with: nobody else may see it.
    pub(in super::super) fn secrets(&self) -> Arc<Secrets> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).secrets.clone()
    }

    /// What the user is told once there is no login any more.
    pub(in super::super) async fn lost(&self) -> String {
        let mut lost = self.lost.subscribe();
        let told = lost.wait_for(Option::is_some).await.ok().and_then(|it| it.clone());
        match told {
            Some(told) => told,
            None => std::future::pending().await,
        }
    }

    fn read(&self) -> Result<Option<Token>, NoLogin> {
        let stamp = self.config.tokens.stamp();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.stamp != stamp || stamp.is_none() {
            let read = self.config.tokens.of(&self.name, &self.server);
            known.take(read.map_err(|error| self.unreadable(&error))?);
            known.stamp = stamp;
        }
        Ok(known.login.clone())
    }

    /// New tokens. They are asked for in a task of its own: whoever waits may go, and what was given must be kept.
    async fn renewed(self: &Arc<Self>, old: Token) -> Result<Token, NoLogin> {
        let this = self.clone();
        let renewed = tokio::spawn(async move { this.renew(&old.credentials).await }).await;
        renewed.unwrap_or_else(|_| Err(NoLogin::Failed("its login was not renewed".to_owned())))
    }

    async fn renew(&self, old: &Credentials) -> Result<Token, NoLogin> {
        let tokens = &self.config.tokens;
        let _one = self.renewing.lock().await;
        let lock = tokens.lock_renewal(&self.name).await;
        let _lock = lock.map_err(|error| self.unreadable(&error))?;
        let read = tokens.of(&self.name, &self.server).map_err(|error| self.unreadable(&error))?;
        let login = match read {
            None => return Err(self.log_in(None)),
            // Somebody else was faster.
            Some(login) if login.access_token != old.access_token => return self.take(Some(login)),
            Some(login) => login,
        };
        if login.refresh_token.is_none() {
            return match login.has_ended() {
                true => Err(self.log_in_again()),
                false => self.take(Some(login)),
            };
        }
        let kept = match client::renew(&self.http, &login).await {
            // Kept before it is used: the one before may be good for nothing by now.
            Ok(grant) => tokens.replace(&self.name, &login, Some(login.renewed(grant))),
            Err(NoGrant::Refused(reason)) => {
                tracing::info!(server = self.name, reason, "a login was not renewed");
                tokens.replace(&self.name, &login, None)
            }
            Err(NoGrant::Failed(_)) if !login.has_ended() => Ok(Some(login)),
            Err(NoGrant::Failed(error)) => {
                return Err(NoLogin::Failed(format!("its login cannot be renewed: {error}")));
            }
        };
        self.take(kept.map_err(|error| self.unreadable(&error))?)
    }

    fn take(&self, login: Option<Credentials>) -> Result<Token, NoLogin> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.stamp = self.config.tokens.stamp();
        known.take(login);
        known.login.clone().ok_or_else(|| self.log_in_again())
    }

    fn log_in(&self, challenge: Option<&Challenge>) -> NoLogin {
        let name = &self.name;
        let mut told = format!("it wants a login: `toolwright mcp login {name}`");
        if challenge.is_none_or(|it| it.resource_metadata.is_none()) {
            told.push_str(&format!(
                ", or name the variable that holds a token for it, `bearer_token_env` of `[mcp.{name}]`"
            ));
        }
        self.tell(told)
    }

    /// What the user is told whose login is not taken any more.
    pub(in super::super) fn log_in_again(&self) -> NoLogin {
        self.tell(format!(
            "your login has ended, and it wants a login again: `toolwright mcp login {}`",
            self.name
        ))
    }

    fn tell(&self, told: String) -> NoLogin {
        self.lost.send_replace(Some(told.clone()));
        NoLogin::LoggedOut(told)
    }

    fn unreadable(&self, error: &io::Error) -> NoLogin {
        let path = self.config.tokens.path().display();
        NoLogin::Failed(format!("your login cannot be read ({path}): {error}"))
    }
}

impl Known {
    fn nothing() -> Self {
        Self { stamp: None, login: None, seen: Vec::new(), secrets: Arc::new(Secrets::new([])) }
    }

    fn take(&mut self, login: Option<Credentials>) {
        for secret in login.iter().flat_map(Credentials::secrets) {
            if !self.seen.contains(&secret) {
                self.seen.push(secret);
            }
        }
        let old = self.seen.len().saturating_sub(MOST);
        self.seen.drain(..old);
        self.secrets = Arc::new(Secrets::new(self.seen.iter().map(String::as_str)));
        self.login = login.and_then(|credentials| {
            let mut header =
                HeaderValue::from_str(&format!("Bearer {}", credentials.access_token)).ok()?;
            header.set_sensitive(true);
            Some(Arc::new(TokenLogin { credentials, header }))
        });
    }
}
