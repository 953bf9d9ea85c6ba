//! [`NamedTokens`] and [`SignedInBrowsers`]: what lets people in by the database, as whoever runs the servers sees it.

use std::time::Duration;

use toolwright_core::Timestamp;
use toolwright_store::{Grant, GrantKind, Store, StoreError};

use super::{
    Scopes,
    grants::{Holder, PREFIX, later, now},
    secret::{digest, random},
};

/// A token with a name, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedToken {
    /// What it is called.
    pub name: String,
    /// Whose the conversations are that are begun with it.
    pub owner: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to ten minutes.
    pub used_at: Option<Timestamp>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// The tokens with names that a log's servers know.
pub struct NamedTokens(Store);

/// How long a name may be.
const NAME: usize = 64;

impl NamedTokens {
    /// Those that are kept beside this log.
    pub fn of(store: &Store) -> Self {
        Self(store.clone())
    }

    /// Makes one, and says it: the only time that anybody does. Nothing where there is one of that name.
    ///
    /// Conversations that are begun with it belong to `person`, where one is named, and else to the token.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub async fn add(
        &self,
        name: &str,
        scopes: Scopes,
        person: Option<&str>,
        life: Option<Duration>,
    ) -> Result<Option<String>, StoreError> {
        self.0.tidy_grants(now()).await?;
        let secret = format!("{PREFIX}{}", random());
        let owner = person.map_or_else(|| format!("token:{name}"), |it| format!("user:{it}"));
        let name = name.to_owned();
        let holder = Holder { name: name.clone(), owner, scopes: scopes.to_string(), key: None };
        let body = serde_json::to_string(&holder).unwrap_or_default();
        let (kind, at) = (GrantKind::Token, now());
        let expires_at = life.map(later);
        let digest = digest(&secret);
        let grant = Grant { kind, name, digest, body, created_at: at, used_at: at, expires_at };
        let is_new = self.0.put_grant(&grant).await?;
        if is_new {
            let (token, scopes) = (grant.name.as_str(), scopes.to_string());
            tracing::info!(target: "audit", action = "token_add", token, scopes, "done");
        }
        Ok(is_new.then_some(secret))
    }

    /// All that are good, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn list(&self) -> Result<Vec<NamedToken>, StoreError> {
        let now = now();
        let all = self.0.grants(GrantKind::Token).await?.into_iter();
        let good = all.filter(|it| it.is_current(now)).filter_map(|grant| {
            let holder: Holder = serde_json::from_str(&grant.body).ok()?;
            Some(NamedToken {
                name: grant.name,
                owner: holder.owner,
                scopes: holder.scopes.parse().ok()?,
                created_at: grant.created_at,
                used_at: Some(grant.used_at).filter(|it| *it != grant.created_at),
                expires_at: grant.expires_at,
            })
        });
        Ok(good.collect())
    }

    /// Removes one; whether there was one of that name.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn remove(&self, name: &str) -> Result<bool, StoreError> {
        let was_there = self.0.remove_grant(GrantKind::Token, name).await?;
        if was_there {
            tracing::info!(target: "audit", action = "token_remove", token = name, "done");
        }
        Ok(was_there)
    }

    /// Whether a token, or a person, can be called so.
    pub fn is_name(name: &str) -> bool {
        let is_plain = |it: char| !it.is_control() && !it.is_whitespace();
        !name.is_empty() && name.chars().count() <= NAME && name.chars().all(is_plain)
    }
}

/// A browser that is signed in, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedInBrowser {
    /// What it is called by.
    pub id: String,
    /// Who signed in with it.
    pub name: String,
    /// Whose their conversations are.
    pub owner: String,
    /// When they did.
    pub created_at: Timestamp,
    /// When it was last here, to ten minutes.
    pub used_at: Timestamp,
}

/// The browsers that are signed in at a log's servers.
pub struct SignedInBrowsers(Store);

impl SignedInBrowsers {
    /// Those that are kept beside this log.
    pub fn of(store: &Store) -> Self {
        Self(store.clone())
    }

    /// All that are signed in.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn list(&self) -> Result<Vec<SignedInBrowser>, StoreError> {
        let now = now();
        let all = self.0.grants(GrantKind::Session).await?.into_iter();
        let good = all.filter(|it| it.is_current(now)).filter_map(|grant| {
            let Holder { name, owner, .. } = serde_json::from_str(&grant.body).ok()?;
            let (created_at, used_at) = (grant.created_at, grant.used_at);
            Some(SignedInBrowser { id: grant.name, name, owner, created_at, used_at })
        });
        Ok(good.collect())
    }

    /// Signs one out, within seconds at every server; whether it was signed in.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn revoke(&self, id: &str) -> Result<bool, StoreError> {
        self.0.remove_grant(GrantKind::Session, id).await
    }
}
