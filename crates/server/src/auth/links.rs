//! [`Links`]: each lets one browser in, once, and soon.
//!
//! Where several servers share the log they are in the database: whoever is asked for one need not be the one at whom it
//! is followed. What is there are digests, and who removes one has used it.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use subtle::ConstantTimeEq;
use toolwright_store::{Grant, GrantKind, Store, StoreError};

use super::{
    grants::{GrantError, in_time, later, now},
    secret::{digest, random},
};

/// How many may wait in memory to be used; a further one takes the place of the oldest.
const MOST: usize = 4;

/// Links that let one browser in, once.
pub(super) enum Links {
    /// Those of one server.
    Here(Waiting),
    /// Those of all servers that share a log, and how long each is good.
    Shared(Store, Duration),
}

impl Links {
    /// Each is good for so long.
    pub(super) fn new(store: &Store, life: Duration) -> Self {
        match store.is_shared() {
            true => Self::Shared(store.clone(), life),
            false => Self::Here(Waiting { links: Mutex::default(), life }),
        }
    }

    /// The token of a new link.
    pub(super) async fn make(&self) -> Result<String, GrantError> {
        let token = random();
        match self {
            Self::Here(waiting) => waiting.add(&token),
            Self::Shared(store, life) => in_time(add(store, &token, *life)).await?,
        }
        Ok(token)
    }

    /// Uses a link up.
    pub(super) async fn take(&self, shown: &str) -> Result<bool, GrantError> {
        match self {
            Self::Here(waiting) => Ok(waiting.take(shown)),
            Self::Shared(store, _) => in_time(take(store, shown)).await,
        }
    }
}

async fn add(store: &Store, token: &str, life: Duration) -> Result<(), StoreError> {
    let at = now();
    store.tidy_grants(at).await?;
    let grant = Grant {
        kind: GrantKind::Link,
        name: random(),
        digest: digest(token),
        body: String::new(),
        created_at: at,
        used_at: at,
        expires_at: Some(later(life)),
    };
    store.put_grant(&grant).await.map(drop)
}

/// Of several who follow the same one at the same moment, one removes it.
async fn take(store: &Store, shown: &str) -> Result<bool, StoreError> {
    let shown = digest(shown);
    let found = store.grant(GrantKind::Link, &shown).await?;
    let is_it = |it: &Grant| bool::from(it.digest.as_bytes().ct_eq(shown.as_bytes()));
    match found.filter(|it| it.is_current(now()) && is_it(it)) {
        Some(link) => store.remove_grant(GrantKind::Link, &link.name).await,
        None => Ok(false),
    }
}

/// Links in memory.
pub(super) struct Waiting {
    links: Mutex<VecDeque<Link>>,
    life: Duration,
}

struct Link {
    token: String,
    made: Instant,
}

impl Waiting {
    fn add(&self, token: &str) {
        let mut links = self.current();
        while links.len() >= MOST {
            links.pop_front();
        }
        links.push_back(Link { token: token.to_owned(), made: Instant::now() });
    }

    fn take(&self, shown: &str) -> bool {
        let mut links = self.current();
        let before = links.len();
        links.retain(|link| !bool::from(link.token.as_bytes().ct_eq(shown.as_bytes())));
        links.len() < before
    }

    /// Those that are still good.
    fn current(&self) -> MutexGuard<'_, VecDeque<Link>> {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.retain(|link| link.made.elapsed() < self.life);
        links
    }
}
