//! [`Grants`]: tokens with names and browsers that are signed in, as the database has them: every server that shares it
//! knows them, and what is removed is gone everywhere within [`FRESH`].

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use toolwright_core::Timestamp;
use toolwright_store::{Grant, GrantKind, Store, StoreError};

use super::{
    Identity, Scopes, Way,
    secret::{digest, random},
};

/// For how long what was read is not read again.
pub(super) const FRESH: Duration = Duration::from_secs(2);
/// How exactly is kept when one was last used.
const GRAIN: Duration = Duration::from_secs(10 * 60);
/// How many are remembered.
const REMEMBERED: usize = 10_000;
/// What a token begins with: what does not is none, and not looked up.
const PREFIX: &str = "tw_";

/// What is kept with a token or a session: who it is.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Holder {
    /// What they are called.
    pub(super) name: String,
    /// Whose their conversations are.
    pub(super) owner: String,
    /// What they may do.
    pub(super) scopes: String,
    /// The digest of the key that a page sends, where it is a browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<String>,
}

impl Holder {
    pub(super) fn identity(&self, way: Way) -> Option<Identity> {
        Some(Identity {
            name: self.name.as_str().into(),
            owner: Some(self.owner.as_str().into()),
            scopes: self.scopes.parse::<Scopes>().ok().filter(|it| !it.is_empty())?,
            way,
        })
    }
}

/// A grant that was shown, by which it is looked up again.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) kind: GrantKind,
    pub(super) digest: String,
}

/// Tokens with names and browsers that are signed in.
pub(super) struct Grants {
    store: Store,
    read: Mutex<HashMap<(GrantKind, String), (Instant, Option<Arc<Grant>>)>>,
}

impl Grants {
    pub(super) fn new(store: Store) -> Self {
        Self { store, read: Mutex::default() }
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Who has this token.
    pub(super) async fn token(&self, shown: &str) -> Result<Option<(Identity, Shown)>, StoreError> {
        if !shown.starts_with(PREFIX) {
            return Ok(None);
        }
        let shown = Shown { kind: GrantKind::Token, digest: digest(shown) };
        let Some(grant) = self.find(&shown).await? else { return Ok(None) };
        let holder: Option<Holder> = serde_json::from_str(&grant.body).ok();
        Ok(holder.and_then(|it| it.identity(Way::Token)).map(|who| (who, shown)))
    }

    /// Whose browser has this cookie, with the digest of its page's key.
    pub(super) async fn session(
        &self,
        cookie: &str,
    ) -> Result<Option<(Identity, Shown, String)>, StoreError> {
        let shown = Shown { kind: GrantKind::Session, digest: digest(cookie) };
        let Some(grant) = self.find(&shown).await? else { return Ok(None) };
        let holder: Option<Holder> = serde_json::from_str(&grant.body).ok();
        Ok(holder.and_then(|it| Some((it.identity(Way::Oidc)?, shown, it.key?))))
    }

    /// Whether what was shown still lets in. A database that does not answer right now takes nothing back.
    pub(super) async fn is_good(&self, shown: &Shown) -> bool {
        match self.find(shown).await {
            Ok(found) => found.is_some(),
            Err(_) => true,
        }
    }

    /// Forgets a browser.
    pub(super) async fn forget(&self, shown: &Shown) -> Result<(), StoreError> {
        if let Some(grant) = self.find(shown).await? {
            self.store.remove_grant(shown.kind, &grant.name).await?;
        }
        self.lock().remove(&(shown.kind, shown.digest.clone()));
        Ok(())
    }

    /// The one that is good now.
    async fn find(&self, shown: &Shown) -> Result<Option<Arc<Grant>>, StoreError> {
        let key = (shown.kind, shown.digest.clone());
        let known = self.lock().get(&key).cloned().filter(|(at, _)| at.elapsed() < FRESH);
        let found = match known {
            Some((_, found)) => found,
            None => {
                let found = self.store.grant(shown.kind, &shown.digest).await?;
                let is_it = |it: &Grant| it.digest.as_bytes().ct_eq(shown.digest.as_bytes()).into();
                let found = found.filter(is_it).map(Arc::new);
                self.note(&shown.digest, found.as_deref()).await;
                let mut read = self.lock();
                if read.len() >= REMEMBERED {
                    read.clear();
                }
                read.insert(key, (Instant::now(), found.clone()));
                found
            }
        };
        let now = now();
        Ok(found.filter(|it| it.is_current(now) && !is_idle(it, now)))
    }

    /// Keeps that it was used, now and then.
    async fn note(&self, _digest: &str, grant: Option<&Grant>) {
        let (Some(grant), now) = (grant, now()) else { return };
        let is_old = now.0.saturating_sub(grant.used_at.0) > millis(GRAIN);
        let is_new = grant.used_at == grant.created_at;
        if is_old || is_new {
            // Later than it was made, so that it shows that it was used.
            let at = Timestamp(now.0.max(grant.created_at.0 + 1));
            if let Err(error) = self.store.note_grant_use(grant.kind, &grant.name, at).await {
                tracing::warn!(%error, "when a token was last used is not kept");
            }
        }
    }

    fn lock(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<(GrantKind, String), (Instant, Option<Arc<Grant>>)>>
    {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long a browser is known that does not come back, and how long at most.
const IDLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
pub(super) const LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

fn is_idle(grant: &Grant, now: Timestamp) -> bool {
    let away = now.0.saturating_sub(grant.used_at.0.max(grant.created_at.0));
    grant.kind == GrantKind::Session && away > millis(IDLE)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(millis(since))
}

pub(super) fn later(time: Duration) -> Timestamp {
    Timestamp(now().0.saturating_add(millis(time)))
}

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
        Ok(self.0.put_grant(&grant).await?.then_some(secret))
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
        self.0.remove_grant(GrantKind::Token, name).await
    }

    /// Whether a token, or a person, can be called so.
    pub fn is_name(name: &str) -> bool {
        let is_plain = |it: char| !it.is_control() && !it.is_whitespace();
        !name.is_empty() && name.chars().count() <= NAME && name.chars().all(is_plain)
    }
}
