//! [`Locks`]: who is at work in which conversation, told by locks that the server holds for a
//! connection and gives back when it ends.
//!
//! One task has that connection. Locks are taken and given back in the order in which that is
//! asked for. A connection that breaks is made again and asks for its locks anew, until it has them
//! or the epoch in a conversation's row says that somebody else took it. That epoch also keeps a
//! former holder from writing.

use std::{
    collections::HashMap,
    future::pending,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        oneshot,
    },
    time::Instant,
};
use toolwright_core::ConversationId;

use super::{Settings, session::Session};
use crate::{LeaseHolder, StoreError, columns::Columns, ledger::Claim};

/// Locks are numbers; this keeps ours apart from those of other programs in the same database.
pub(super) const LOCKS: i64 = 0x546f_6f6c_7772_6774;

/// How long to wait before locks that were lost are asked for again. A server needs a moment to
/// notice that the connection which had them is gone.
const AGAIN: Duration = Duration::from_millis(100);

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
    Take(SessionLock, oneshot::Sender<Result<(Claim, SessionLock), StoreError>>),
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
    ) -> Result<(Claim, SessionLock), StoreError> {
        let token = fresh();
        let lock = SessionLock { asks: self.asks.clone(), id: id.clone(), token };
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable("its connection has stopped".to_owned());
        self.asks.send(Ask::Take(lock, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
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
        loop {
            let is_wanted = self.held.values().any(|hold| hold.lock == Lock::Wanted);
            let again = is_wanted.then_some(AGAIN);
            tokio::select! {
                ask = self.queue.recv() => match ask {
                    Some(Ask::Take(lock, reply)) => {
                        let taken = self.take(&lock).await;
                        // Where nobody waits any more, the lock is dropped and given back.
                        let _ = reply.send(taken.map(|claim| (claim, lock)));
                    }
                    Some(Ask::Give(id, token)) => self.give(&id, token).await,
                    None => return,
                },
                () = ended(self.session.as_mut()) => self.lose(),
                () = passed(again) => {
                    if self.regain().await.is_err() {
                        self.lose();
                    }
                }
            }
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

    async fn take(&mut self, lock: &SessionLock) -> Result<Claim, StoreError> {
        let timeouts = self.settings.timeouts.locked + self.settings.timeouts.lost;
        // The server would give the same lock to the same connection twice.
        let is_ours = self.held.contains_key(&lock.id);
        let session = self.session().await?;
        let taking = async {
            if is_ours || !try_lock(session, &lock.id).await? {
                return Err(held(session, &lock.id).await);
            }
            claim(session, &lock.id).await
        };
        let taken = tokio::time::timeout(timeouts, taking).await;
        let taken = taken
            .unwrap_or_else(|_| Err(StoreError::Lost("the server does not answer".to_owned())));
        match &taken {
            Ok(claim) => {
                let hold = Hold { token: lock.token, epoch: claim.epoch, lock: Lock::Ours };
                self.held.insert(lock.id.clone(), hold);
            }
            Err(StoreError::InUse { .. }) => {}
            // Whether the lock is ours is not known: with the connection it is gone.
            Err(_) => self.lose(),
        }
        taken
    }

    async fn give(&mut self, id: &ConversationId, token: u64) {
        let is_it = |hold: &&Hold| hold.token == token;
        let Some(hold) = self.held.get(id).filter(is_it) else { return };
        let is_wanted = hold.lock == Lock::Wanted;
        self.held.remove(id);
        let Some(session) = self.session.as_ref().filter(|_| !is_wanted) else { return };
        let given = unlock(session, id);
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
            let is_locked = try_lock(session, id).await?;
            if epoch(session, id).await? != Some(hold.epoch) {
                tracing::warn!(conversation = %id, "the conversation is in other hands now");
                gone.push(id.clone());
                if is_locked {
                    unlock(session, id).await?;
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

async fn epoch(session: &Session, id: &ConversationId) -> Result<Option<i64>, StoreError> {
    let rows =
        session.query("SELECT epoch FROM conversation WHERE id = $1", &[&id.as_str()]).await?;
    rows.first().map(|row| row.int(0)).transpose()
}

async fn try_lock(session: &Session, id: &ConversationId) -> Result<bool, StoreError> {
    let sql = "SELECT pg_try_advisory_lock(hashtextextended($1, $2))";
    let rows = session.query(sql, &[&id.as_str(), &LOCKS]).await?;
    Ok(rows.first().is_some_and(|row| row.try_get(0).unwrap_or(false)))
}

async fn unlock(session: &Session, id: &ConversationId) -> Result<(), StoreError> {
    let sql = "SELECT pg_advisory_unlock(hashtextextended($1, $2))";
    session.query(sql, &[&id.as_str(), &LOCKS]).await.map(drop)
}

/// Takes the conversation out of everybody else's hands. It is there from now on.
async fn claim(session: &Session, id: &ConversationId) -> Result<Claim, StoreError> {
    let update = "UPDATE conversation SET epoch = nextval('epoch'),
        held_by = $2 || coalesce(' at ' || host(inet_client_addr()), ''), held_since = $3
        WHERE id = $1 RETURNING key, epoch";
    let insert = "INSERT INTO conversation (id, epoch, held_by, held_since)
        VALUES ($1, nextval('epoch'), $2 || coalesce(' at ' || host(inet_client_addr()), ''), $3)
        ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch RETURNING key, epoch";
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    let process = std::process::id().to_string();
    for sql in [update, insert] {
        if let Some(row) = session.query(sql, &[&id.as_str(), &process, &now]).await?.first() {
            return Ok(Claim { id: id.clone(), key: row.int(0)?, epoch: row.int(1)? });
        }
    }
    Err(StoreError::damaged("a row that must be there is not"))
}

/// Who has it, as far as they have said.
async fn held(session: &Session, id: &ConversationId) -> StoreError {
    let sql = "SELECT held_by, held_since FROM conversation WHERE id = $1";
    let rows = session.query(sql, &[&id.as_str()]).await.unwrap_or_default();
    let holder = rows.first().and_then(|row| {
        let process = row.maybe_text(0).ok().flatten()?.to_owned();
        Some(LeaseHolder { process, since: row.time(1).ok() })
    });
    StoreError::InUse { id: id.clone(), holder }
}
