//! [`Grants`]: tokens with names and browsers that are let in, as the database has them: every server that shares it
//! knows them, and what is removed is gone everywhere within [`FRESH`].

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use toolwright_core::Timestamp;
use toolwright_store::{Grant, GrantKind, Store, StoreError};
use toolwright_timeout::timeout;

use super::{Identity, Scopes, Way, secret::digest};
use crate::ApiError;

/// For how long what was read is not read again.
pub(super) const FRESH: Duration = Duration::from_secs(2);
/// How exactly is kept when one was last used.
const GRAIN: Duration = Duration::from_secs(10 * 60);
/// How long the database may take to say who somebody is. Whoever asks is told then, and not when it has given up.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many are remembered.
const REMEMBERED: usize = 10_000;
/// What a token begins with: what does not is none, and not looked up.
pub(super) const PREFIX: &str = "tw_";

/// What is kept with a token or a session: who it is.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Holder {
    /// What they are called.
    pub(super) name: String,
    /// Whose their conversations are.
    pub(super) owner: String,
    /// What they may do.
    pub(super) scopes: String,
    /// With whom they signed in, where they did: a session is good only where people sign in there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) realm: Option<String>,
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

/// Why it cannot be said whether something lets somebody in. Then it does not: what was removed meanwhile must not
/// count because nobody could look.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GrantError {
    /// The database does not answer.
    #[error("the database does not say in time who asks")]
    Silent,
    /// It says that it cannot.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<GrantError> for ApiError {
    fn from(error: GrantError) -> Self {
        tracing::error!(%error, "nobody can be let in by a token or a session");
        Self::no_store()
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
    read: Mutex<Read>,
}

/// What was read of each, by its digest, and when.
type Read = HashMap<(GrantKind, String), (Instant, Option<Arc<Grant>>)>;

impl Grants {
    pub(super) fn new(store: Store) -> Self {
        Self { store, read: Mutex::default() }
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Who has this token.
    pub(super) async fn token(&self, shown: &str) -> Result<Option<(Identity, Shown)>, GrantError> {
        if !shown.starts_with(PREFIX) {
            return Ok(None);
        }
        let shown = Shown { kind: GrantKind::Token, digest: digest(shown) };
        let Some(grant) = self.find(&shown).await? else { return Ok(None) };
        let holder: Option<Holder> = serde_json::from_str(&grant.body).ok();
        Ok(holder.and_then(|it| it.identity(Way::Token)).map(|who| (who, shown)))
    }

    /// Whose browser has this cookie, with the digest of its page's key, where they signed in there.
    pub(super) async fn session(
        &self,
        cookie: &str,
        realm: &str,
    ) -> Result<Option<(Identity, Shown, String)>, GrantError> {
        let shown = Shown { kind: GrantKind::Session, digest: digest(cookie) };
        let Some(grant) = self.find(&shown).await? else { return Ok(None) };
        let holder: Option<Holder> = serde_json::from_str(&grant.body).ok();
        let holder = holder.filter(|it| it.realm.as_deref() == Some(realm));
        Ok(holder.and_then(|it| Some((it.identity(Way::Oidc)?, shown, it.key?))))
    }

    /// Whether what was shown still lets in. A database that does not answer right now takes nothing back.
    pub(super) async fn is_good(&self, shown: &Shown) -> bool {
        match self.find(shown).await {
            Ok(found) => found.is_some(),
            Err(_) => true,
        }
    }

    /// Forgets the browser that has this cookie.
    pub(super) async fn forget(&self, kind: GrantKind, cookie: &str) -> Result<(), GrantError> {
        let shown = Shown { kind, digest: digest(cookie) };
        if let Some(grant) = self.find(&shown).await? {
            self.store.remove_grant(shown.kind, &grant.name).await?;
        }
        self.lock().remove(&(shown.kind, shown.digest.clone()));
        Ok(())
    }

    /// The one that is good now.
    pub(super) async fn find(&self, shown: &Shown) -> Result<Option<Arc<Grant>>, GrantError> {
        let key = (shown.kind, shown.digest.clone());
        let known = self.lock().get(&key).cloned().filter(|(at, _)| at.elapsed() < FRESH);
        let found = match known {
            Some((_, found)) => found,
            None => {
                let found = self.store.grant(shown.kind, &shown.digest);
                let found = in_time(found).await?;
                let is_it = |it: &Grant| it.digest.as_bytes().ct_eq(shown.digest.as_bytes()).into();
                let found = found.filter(is_it).map(Arc::new);
                self.note(found.as_deref()).await;
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
    async fn note(&self, grant: Option<&Grant>) {
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

    fn lock(&self) -> MutexGuard<'_, Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the database says, where it says it soon.
pub(super) async fn in_time<T>(
    asked: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, GrantError> {
    Ok(timeout(PATIENCE, asked).await.map_err(|_| GrantError::Silent)??)
}

/// How long a browser is known that does not come back, and how long at most.
const IDLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
pub(super) const LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

pub(super) fn is_idle(grant: &Grant, now: Timestamp) -> bool {
    let away = now.0.saturating_sub(grant.used_at.0.max(grant.created_at.0));
    matches!(grant.kind, GrantKind::Session | GrantKind::Browser) && away > millis(IDLE)
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
