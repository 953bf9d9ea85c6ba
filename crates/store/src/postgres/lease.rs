//! [`Locks`]: who is at work in which conversation, told by locks that the server holds for a
//! connection and gives back when it ends.
//!
//! A lock is on a conversation in its epoch, which the conversation's row says and each holder gets
//! a new one of. So a lock that a former holder still has, stopped and not dead, is in nobody's way
//! once the conversation was seized; and the epoch keeps that holder from writing.
//!
//! One task has that connection. Locks are taken and given back in the order in which that is
//! asked for. A connection that breaks is made again and asks for its locks anew, until it has them
//! or the row says that somebody else took the conversation.
//!
//! A process that is frozen keeps its connection, and with that its locks: the kernel answers for it. So whoever holds
//! something says something now and then, and the server tells everybody since when it heard nothing.

use std::{collections::HashMap, future::pending, time::Duration};

use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        oneshot,
    },
    time::{Instant, MissedTickBehavior},
};
use toolwright_core::ConversationId;

use super::{
    Settings,
    claim::{acquire, epoch, try_lock, unlock},
    session::{Session, no_answer},
};
use crate::{StoreError, ledger::Claim, owner::View};

/// How long to wait before locks that were lost are asked for again. A server needs a moment to
/// notice that the connection which had them is gone.
const AGAIN: Duration = Duration::from_millis(100);
/// How often a holder gives a sign of life. Whoever gave none for [`SILENT`] is frozen, or cut off from the server.
const BEAT: Duration = Duration::from_secs(3);
/// For how many seconds a holder may say nothing.
pub(super) const SILENT: i64 = 9;

/// Asks for locks.
pub(super) struct Locks {
    asks: UnboundedSender<Ask>,
}

/// A lock that is held until this is dropped.
pub(crate) struct SessionLock {
    asks: UnboundedSender<Ask>,
    id: ConversationId,
    /// Tells it from another lock on the same conversation.
    token: u64,
}

enum Ask {
    Take(SessionLock, View, oneshot::Sender<Result<(Claim, SessionLock), StoreError>>),
    Hold(SessionLock, i64, oneshot::Sender<Result<SessionLock, StoreError>>),
    Give(ConversationId, u64),
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        let _ = self.asks.send(Ask::Give(self.id.clone(), self.token));
    }
}

impl Locks {
    pub(super) fn start(settings: Settings) -> Self {
        let (asks, queue) = mpsc::unbounded_channel();
        tokio::spawn(Task { settings, queue, session: None, held: HashMap::new() }.serve());
        Self { asks }
    }

    pub(super) async fn take(
        &self,
        id: &ConversationId,
        view: &View,
    ) -> Result<(Claim, SessionLock), StoreError> {
        let (reply, answer) = oneshot::channel();
        self.asks.send(Ask::Take(self.lock(id), view.clone(), reply)).map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }

    /// Locks what was claimed and is not yet to be seen by others.
    pub(super) async fn hold(&self, claim: &Claim) -> Result<SessionLock, StoreError> {
        let (reply, answer) = oneshot::channel();
        let ask = Ask::Hold(self.lock(&claim.id), claim.epoch, reply);
        self.asks.send(ask).map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }

    fn lock(&self, id: &ConversationId) -> SessionLock {
        SessionLock { asks: self.asks.clone(), id: id.clone(), token: fresh() }
    }
}

fn stopped() -> StoreError {
    StoreError::Unavailable("its connection has stopped".to_owned())
}

fn fresh() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

struct Task {
    settings: Settings,
    queue: UnboundedReceiver<Ask>,
    session: Option<Session>,
    held: HashMap<ConversationId, Hold>,
}

struct Hold {
    token: u64,
    epoch: i64,
    lock: Lock,
}

#[derive(PartialEq, Eq)]
enum Lock {
    Ours,
    /// The connection that had it broke.
    Wanted,
}

impl Task {
    async fn serve(mut self) {
        let mut beat = tokio::time::interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_wanted = self.held.values().any(|hold| hold.lock == Lock::Wanted);
            let again = is_wanted.then_some(AGAIN);
            tokio::select! {
                ask = self.queue.recv() => match ask {
                    // Many may have given up while nobody answered.
                    Some(Ask::Take(_, _, reply)) if reply.is_closed() => {}
                    Some(Ask::Hold(_, _, reply)) if reply.is_closed() => {}
                    Some(Ask::Take(lock, view, reply)) => {
                        let taken = self.take(&lock, &view).await;
                        // Where nobody waits any more, the lock is dropped and given back.
                        let _ = reply.send(taken.map(|claim| (claim, lock)));
                    }
                    Some(Ask::Hold(lock, epoch, reply)) => {
                        let held = self.hold(&lock, epoch).await;
                        let _ = reply.send(held.map(|()| lock));
                    }
                    Some(Ask::Give(id, token)) => self.give(&id, token).await,
                    None => return,
                },
                () = ended(self.session.as_mut()) => self.lose(),
                _ = beat.tick(), if !self.held.is_empty() => self.beat().await,
                () = passed(again) => {
                    let lost = self.settings.timeouts.lost;
                    if !matches!(tokio::time::timeout(lost, self.regain()).await, Ok(Ok(()))) {
                        self.lose();
                    }
                }
            }
        }
    }

    /// Shows that whoever holds what is held is alive.
    async fn beat(&mut self) {
        let Some(session) = &self.session else { return };
        let beat = tokio::time::timeout(self.settings.timeouts.lost, session.batch("SELECT 1"));
        if !matches!(beat.await, Ok(Ok(()))) {
            self.lose();
        }
    }

    /// With a connection its locks are gone.
    fn lose(&mut self) {
        self.session = None;
        self.held.values_mut().for_each(|hold| hold.lock = Lock::Wanted);
    }

    async fn session(&mut self) -> Result<&Session, StoreError> {
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                let deadline = Instant::now() + self.settings.timeouts.lost;
                Session::open_by(&self.settings, deadline).await?
            }
        };
        Ok(self.session.insert(session))
    }

    async fn take(&mut self, lock: &SessionLock, view: &View) -> Result<Claim, StoreError> {
        let timeouts = self.settings.timeouts.locked + self.settings.timeouts.lost;
        let own = self.held.get(&lock.id).map(|hold| hold.epoch);
        let taking = acquire(self.session().await?, &lock.id, own, view);
        let taken = tokio::time::timeout(timeouts, taking).await;
        match taken.unwrap_or_else(|_| Err(no_answer())) {
            Ok(claim) => {
                self.keep(lock, claim.epoch).await;
                Ok(claim)
            }
            Err(error @ (StoreError::InUse { .. } | StoreError::NotFound(_))) => Err(error),
            // Whether the lock is ours is not known: with the connection it is gone.
            Err(error) => {
                self.lose();
                Err(error)
            }
        }
    }

    async fn hold(&mut self, lock: &SessionLock, epoch: i64) -> Result<(), StoreError> {
        let lost = self.settings.timeouts.lost;
        let holding = try_lock(self.session().await?, &lock.id, epoch);
        match tokio::time::timeout(lost, holding).await.unwrap_or_else(|_| Err(no_answer())) {
            Ok(true) => {
                self.keep(lock, epoch).await;
                Ok(())
            }
            Ok(false) => Err(StoreError::InUse { id: lock.id.clone(), holder: None }),
            Err(error) => {
                self.lose();
                Err(error)
            }
        }
    }

    /// A former hold on the same conversation, which is worth nothing any more, is given back.
    async fn keep(&mut self, lock: &SessionLock, epoch: i64) {
        let hold = Hold { token: lock.token, epoch, lock: Lock::Ours };
        if let Some(former) = self.held.insert(lock.id.clone(), hold) {
            self.unlock(&lock.id, &former).await;
        }
    }

    async fn give(&mut self, id: &ConversationId, token: u64) {
        if self.held.get(id).is_some_and(|hold| hold.token == token)
            && let Some(hold) = self.held.remove(id)
        {
            self.unlock(id, &hold).await;
        }
    }

    async fn unlock(&mut self, id: &ConversationId, hold: &Hold) {
        let is_ours = hold.lock == Lock::Ours;
        let Some(session) = self.session.as_ref().filter(|_| is_ours) else { return };
        let given = unlock(session, id, hold.epoch);
        let given = tokio::time::timeout(self.settings.timeouts.lost, given).await;
        if !matches!(given, Ok(Ok(_))) {
            self.lose();
        }
    }

    /// Takes again what was held.
    async fn regain(&mut self) -> Result<(), StoreError> {
        self.session().await?;
        let Some(session) = &self.session else { return Ok(()) };
        let mut gone = Vec::new();
        for (id, hold) in self.held.iter_mut().filter(|(_, hold)| hold.lock == Lock::Wanted) {
            let is_locked = try_lock(session, id, hold.epoch).await?;
            if epoch(session, id).await? != Some(hold.epoch) {
                tracing::warn!(conversation = %id, "the conversation is in other hands now");
                gone.push(id.clone());
                if is_locked {
                    unlock(session, id, hold.epoch).await?;
                }
            } else if is_locked {
                hold.lock = Lock::Ours;
            }
        }
        self.held.retain(|id, _| !gone.contains(id));
        Ok(())
    }
}

/// Ready when the connection has ended.
async fn ended(session: Option<&mut Session>) {
    match session {
        Some(session) => session.ended().await,
        None => pending().await,
    }
}

async fn passed(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => pending().await,
    }
}
