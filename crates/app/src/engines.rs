//! [`Engines`]: which engines drive the runs of a log, as far as those who use them say so. It should be one.
//!
//! Two that share a log know nothing of each other: each has the same run driven, one of the two is refused by the log, and what
//! was stopped at one goes on at the other. An engine is known by what new work goes to there. Everybody who uses one notes
//! that now and then, beside the log; what others note, and the own engine does not know, is another's.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use toolwright_core::Timestamp;
use toolwright_session::{EngineError, EnginePlace, RunEngine};
use toolwright_store::{Grant, GrantKind, Store, StoreError};

/// For how long what somebody noted is taken for true: twice as long as it takes them to note it again, and some more.
const CURRENT: Duration = Duration::from_secs(150);
/// How long it is kept.
const KEPT: Duration = Duration::from_secs(60 * 60);

/// Which engines drive the runs of a log.
pub struct Engines<'a> {
    store: &'a Store,
    engine: &'a dyn RunEngine,
}

impl<'a> Engines<'a> {
    /// As whoever uses this engine sees it.
    pub fn of(store: &'a Store, engine: &'a dyn RunEngine) -> Self {
        Self { store, engine }
    }

    /// Notes that the own engine is used.
    ///
    /// # Errors
    /// When the engine does not answer, or the database cannot be written.
    pub async fn note(&self) -> Result<(), EnginesError> {
        let Some(EnginePlace { name, address }) = self.engine.place().await? else { return Ok(()) };
        let at = now();
        let grant = Grant {
            kind: GrantKind::Engine,
            digest: name.clone(),
            name,
            body: address,
            created_at: at,
            used_at: at,
            expires_at: None,
        };
        if !self.store.put_grant(&grant).await? {
            self.store.note_grant_use(GrantKind::Engine, &grant.name, at).await?;
        }
        for old in self.store.grants(GrantKind::Engine).await? {
            if at.since(old.used_at) > millis(KEPT) {
                self.store.remove_grant(GrantKind::Engine, &old.name).await?;
            }
        }
        Ok(())
    }

    /// Another engine that drives the runs of this log, too. It may have been the own one, by a name that was taken from it a
    /// moment ago: then nobody notes it any more.
    ///
    /// # Errors
    /// When the engine does not answer, or the database cannot be read.
    pub async fn another(&self) -> Result<Option<OtherEngine>, EnginesError> {
        let Some(own) = self.engine.place().await? else { return Ok(None) };
        let at = now();
        for noted in self.store.grants(GrantKind::Engine).await? {
            let is_current = at.since(noted.used_at) <= millis(CURRENT);
            // New work went elsewhere before: that is the same engine.
            if is_current && noted.name != own.name && !self.engine.knows(&noted.name).await? {
                let Grant { name, body: address, used_at: noted_at, .. } = noted;
                return Ok(Some(OtherEngine { name, address, noted_at }));
            }
        }
        Ok(None)
    }
}

/// Another engine that drives the runs of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherEngine {
    /// What it is told from others by.
    pub name: String,
    /// Where it is, as whoever uses it knows it.
    pub address: String,
    /// When somebody last noted that they use it.
    pub noted_at: Timestamp,
}

impl OtherEngine {
    /// Whether somebody uses it still: it was noted again since it was seen before.
    pub fn is_used_since(&self, before: Option<&Self>) -> bool {
        before.is_some_and(|it| it.name == self.name && it.noted_at < self.noted_at)
    }
}

/// Why it is not known which engines there are.
#[derive(Debug, thiserror::Error)]
pub enum EnginesError {
    /// The engine does not answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The database does not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn now() -> Timestamp {
    Timestamp(millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use toolwright_session::{EngineFuture, Wake};
    use toolwright_store::StoreLocation;

    use super::*;

    /// Engines by the names that they had, the one of now last.
    struct Named(&'static [&'static str]);

    impl RunEngine for Named {
        fn wake(&self, _: Wake) -> EngineFuture<Result<(), EngineError>> {
            Box::pin(async { Ok(()) })
        }

        fn place(&self) -> EngineFuture<Result<Option<EnginePlace>, EngineError>> {
            let place = self.0.last().map(|name| EnginePlace {
                name: (*name).to_owned(),
                address: format!("http://{name}"),
            });
            Box::pin(async { Ok(place) })
        }

        fn knows(&self, name: &str) -> EngineFuture<Result<bool, EngineError>> {
            let is_known = self.0.contains(&name);
            Box::pin(async move { Ok(is_known) })
        }

        fn check(&self) -> EngineFuture<Result<(), EngineError>> {
            Box::pin(async { Ok(()) })
        }
    }

    #[tokio::test]
    async fn of_two_engines_each_hears_of_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let place = StoreLocation::Sqlite(folder.path().join("log.db"));
        let store = Store::open(&place).await.unwrap();
        let another = async |engine: &Named| Engines::of(&store, engine).another().await.unwrap();
        let note = async |engine: &Named| Engines::of(&store, engine).note().await.unwrap();
        let (unset, first, moved, second) =
            (Named(&[]), Named(&["a"]), Named(&["a", "b"]), Named(&["c"]));
        note(&unset).await;
        note(&first).await;
        assert_eq!((another(&unset).await, another(&first).await), (None, None));
        // New work goes elsewhere, and those who noted it before are on the same engine.
        note(&moved).await;
        note(&moved).await;
        assert_eq!(another(&moved).await, None);
        note(&second).await;
        let seen = another(&moved).await.unwrap();
        assert_eq!((seen.name.as_str(), seen.address.as_str()), ("c", "http://c"));
        // Whether it is used is told by whether somebody notes it again.
        assert!(!seen.is_used_since(None) && !seen.is_used_since(Some(&seen)));
        let later = Timestamp(seen.noted_at.0 + 1);
        store.note_grant_use(GrantKind::Engine, "c", later).await.unwrap();
        assert!(another(&moved).await.unwrap().is_used_since(Some(&seen)));
        assert!(another(&second).await.is_some());
        // Whoever says nothing any more is gone, and is forgotten in the end.
        let long_ago = Timestamp(now().0 - millis(CURRENT) - 1000);
        store.note_grant_use(GrantKind::Engine, "c", long_ago).await.unwrap();
        assert_eq!(another(&moved).await, None);
        store.note_grant_use(GrantKind::Engine, "c", Timestamp(0)).await.unwrap();
        note(&moved).await;
        let all = store.grants(GrantKind::Engine).await.unwrap();
        assert_eq!(all.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }
}
