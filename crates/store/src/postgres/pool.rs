//! [`Pool`]: a few sessions that are kept for small changes, each of which is one transaction.
//!
//! They do not share the session of the writer: a change may have to wait for an append that is under way.

use std::{
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::time::Instant;

use super::{Settings, session::Session};
use crate::StoreError;

/// A few sessions that are kept.
pub(super) struct Pool {
    settings: Settings,
    idle: Arc<Idle>,
}

type Idle = Mutex<Vec<Session>>;

/// More sessions than this are not kept; as many as are needed are made.
const KEPT: usize = 4;

/// A session in which a transaction was begun. Dropped without [`Begun::commit`], nothing happened.
pub(super) struct Begun {
    session: Session,
    idle: Arc<Idle>,
}

impl Pool {
    pub(super) fn new(settings: Settings) -> Self {
        Self { settings, idle: Arc::default() }
    }

    /// A kept session may have been cut since: that shows here, before anything is sent that counts.
    pub(super) async fn begin(&self) -> Result<Begun, StoreError> {
        let deadline = Instant::now() + self.settings.timeouts.lost;
        loop {
            let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(session) = kept else { break };
            let begun = tokio::time::timeout_at(deadline, session.batch("BEGIN")).await;
            if matches!(begun, Ok(Ok(()))) {
                return Ok(Begun { session, idle: self.idle.clone() });
            }
        }
        let timeouts = self.settings.timeouts;
        let session = Session::open_by(&self.settings, deadline).await?;
        let session = session.answering_within(timeouts.locked + timeouts.lost);
        session.batch("BEGIN").await?;
        Ok(Begun { session, idle: self.idle.clone() })
    }
}

impl Begun {
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.session.batch("COMMIT").await?;
        self.keep();
        Ok(())
    }

    fn keep(self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(self.session);
        }
    }
}

impl Deref for Begun {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}
