//! [`Browsers`]: those that followed a link. One server has them in a file (`sessions`); servers that share a log have
//! them in the database, and know each other's: [`LinkedBrowsers`], as whoever runs them sees it.

use std::path::Path;

use http::{HeaderMap, request::Parts};
use serde::{Deserialize, Serialize};
use toolwright_core::Timestamp;
use toolwright_store::{Grant, GrantKind, Store, StoreError};

use super::{
    Gate,
    grants::{GrantError, Grants, LIFE, Shown, in_time, is_idle, later, now},
    head::cookie,
    secret::{digest, random},
    sessions::{Admitted, Known, farewell, keeping, label},
    sign_in::secure,
    visitor::Revoked,
};
use crate::ApiError;

/// The browsers that followed a link.
pub(super) enum Browsers {
    /// Those of one server.
    Here(Known),
    /// Those of all servers that share the log, with the name of their cookie.
    Shared(String),
}

/// What is kept with one in the database.
#[derive(Deserialize, Serialize)]
struct Linked {
    /// What it calls itself.
    agent: String,
    /// The digest of the key that its page sends.
    key: String,
}

impl Browsers {
    pub(super) async fn new(store: &Store, folder: &Path, port: u16) -> Self {
        if !store.is_shared() {
            return Self::Here(Known::new(folder, port));
        }
        // Browsers tell cookies apart by name and host, and not by port. Servers of one log may have several ports, and those of
        // another log the same host: what they have in common, and with nobody else, is the log.
        let log = store.log_id().await.unwrap_or_else(|| "browser".to_owned());
        Self::Shared(format!("toolwright_{log}"))
    }

    /// What makes a browser drop its cookie.
    pub(super) fn farewell(&self) -> String {
        match self {
            Self::Here(known) => known.farewell(),
            Self::Shared(name) => farewell(name),
        }
    }
}

impl Gate {
    /// Whether a browser of this server's own is still known.
    pub(crate) fn is_known(&self, id: &str) -> bool {
        matches!(&self.browsers, Browsers::Here(known) if known.is_known(id))
    }

    /// The cookie that a browser shows.
    pub(super) fn browser_cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        match &self.browsers {
            Browsers::Here(known) => known.cookie(headers),
            Browsers::Shared(name) => cookie(headers, name),
        }
    }

    /// By what the browser with this cookie is let in, with the digest of its page's key.
    pub(super) async fn browser(
        &self,
        cookie: &str,
    ) -> Result<Option<(Revoked, String)>, GrantError> {
        match &self.browsers {
            Browsers::Here(known) => {
                Ok(known.find(cookie).map(|it| (Revoked::Browser(it.id), it.key)))
            }
            Browsers::Shared(_) => self.grants.browser(cookie).await,
        }
    }

    /// Lets a browser in.
    pub(super) async fn admit_browser(&self, head: &Parts) -> Result<Admitted, ApiError> {
        let Admitted { cookie, key } = match &self.browsers {
            Browsers::Here(known) => known.admit(&head.headers).map_err(|error| {
                tracing::error!(%error, "a browser could not be let in");
                ApiError::internal()
            })?,
            Browsers::Shared(name) => self.grants.admit_browser(&head.headers, name).await?,
        };
        let secure = secure(&self.names.origin(head));
        Ok(Admitted { cookie: format!("{cookie}{secure}"), key })
    }

    /// Forgets the browser that has this cookie.
    pub(super) async fn forget_browser(&self, cookie: &str) -> Result<(), ApiError> {
        match &self.browsers {
            Browsers::Here(known) => {
                let forgotten = known.find(cookie).map_or(Ok(false), |it| known.forget(&it.id));
                forgotten.map(drop).map_err(|error| {
                    tracing::error!(%error, "a browser could not be forgotten");
                    ApiError::internal()
                })
            }
            Browsers::Shared(_) => Ok(self.grants.forget(GrantKind::Browser, cookie).await?),
        }
    }

    /// Whether a browser shows that it is known: enough for the page, and for nothing else.
    pub(super) async fn knows_browser(&self, headers: &HeaderMap) -> bool {
        match self.browser_cookie(headers) {
            Some(shown) => matches!(self.browser(shown).await, Ok(Some(_))),
            None => false,
        }
    }
}

impl Grants {
    async fn browser(&self, cookie: &str) -> Result<Option<(Revoked, String)>, GrantError> {
        let shown = Shown { kind: GrantKind::Browser, digest: digest(cookie) };
        let Some(grant) = self.find(&shown).await? else { return Ok(None) };
        let linked: Option<Linked> = serde_json::from_str(&grant.body).ok();
        Ok(linked.map(|it| (Revoked::Grant(shown), it.key)))
    }

    async fn admit_browser(&self, headers: &HeaderMap, name: &str) -> Result<Admitted, GrantError> {
        let (cookie, key, at) = (random(), random(), now());
        let linked = Linked { agent: label(headers), key: digest(&key) };
        let grant = Grant {
            kind: GrantKind::Browser,
            name: random().chars().take(16).collect(),
            digest: digest(&cookie),
            body: serde_json::to_string(&linked).unwrap_or_default(),
            created_at: at,
            used_at: at,
            expires_at: Some(later(LIFE)),
        };
        in_time(self.store().put_grant(&grant)).await?;
        Ok(Admitted { cookie: keeping(name, &cookie), key })
    }
}

/// A browser that followed a link, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedBrowser {
    /// What it is called by.
    pub id: String,
    /// What it calls itself.
    pub agent: String,
    /// When it was let in.
    pub created_at: Timestamp,
    /// When it was last here, to ten minutes.
    pub used_at: Timestamp,
}

/// The browsers that followed a link of any of a log's servers.
pub struct LinkedBrowsers(Store);

impl LinkedBrowsers {
    /// Those that are kept beside this log.
    pub fn of(store: &Store) -> Self {
        Self(store.clone())
    }

    /// All that are known.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn list(&self) -> Result<Vec<LinkedBrowser>, StoreError> {
        let now = now();
        let all = self.0.grants(GrantKind::Browser).await?.into_iter();
        let good = all.filter(|it| it.is_current(now) && !is_idle(it, now)).filter_map(|grant| {
            let Linked { agent, .. } = serde_json::from_str(&grant.body).ok()?;
            let (created_at, used_at) = (grant.created_at, grant.used_at);
            Some(LinkedBrowser { id: grant.name, agent, created_at, used_at })
        });
        Ok(good.collect())
    }

    /// Forgets one, within seconds at every server; whether it was known.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn revoke(&self, id: &str) -> Result<bool, StoreError> {
        let was_there = self.0.remove_grant(GrantKind::Browser, id).await?;
        if was_there {
            tracing::info!(target: "audit", action = "session_revoke", session = id, "done");
        }
        Ok(was_there)
    }
}
