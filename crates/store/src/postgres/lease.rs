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
use crate::{LeaseHolder, StoreError, columns::Columns, ledger::Claim, owner::View};

/// Locks are numbers; this keeps ours apart from those of other programs in the same database. The epoch is
/// added to it.
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
        loop {
            let is_wanted = self.held.values().any(|hold| hold.lock == Lock::Wanted);
            let again = is_wanted.then_some(AGAIN);
            tokio::select! {
                ask = self.queue.recv() => match ask {
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
            Err(error @ (StoreError::InUse { .. } | StoreError::NotFound(_) | StoreError::Busy)) => {
                Err(error)
            }
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

async fn epoch(session: &Session, id: &ConversationId) -> Result<Option<i64>, StoreError> {
    let rows =
        session.query("SELECT epoch FROM conversation WHERE id = $1", &[&id.as_str()]).await?;
    rows.first().map(|row| row.int(0)).transpose()
}

async fn try_lock(session: &Session, id: &ConversationId, epoch: i64) -> Result<bool, StoreError> {
    let sql = "SELECT pg_try_advisory_lock(hashtextextended($1, $2::bigint + $3::bigint))";
    let rows = session.query(sql, &[&id.as_str(), &LOCKS, &epoch]).await?;
    Ok(rows.first().is_some_and(|row| row.try_get(0).unwrap_or(false)))
}

async fn unlock(session: &Session, id: &ConversationId, epoch: i64) -> Result<(), StoreError> {
    let sql = "SELECT pg_advisory_unlock(hashtextextended($1, $2::bigint + $3::bigint))";
    session.query(sql, &[&id.as_str(), &LOCKS, &epoch]).await.map(drop)
}

/// The epoch of a conversation that may be seen. As every epoch is another one, whoever takes it from this one takes what
/// was seen.
async fn shown_epoch(
    session: &Session,
    id: &ConversationId,
    view: &View,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT epoch, owner FROM conversation WHERE id = $1";
    let rows = session.query(sql, &[&id.as_str()]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    match view.shows(row.maybe_text(1)?) {
        true => Ok(Some(row.int(0)?)),
        false => Err(StoreError::NotFound(id.to_string())),
    }
}

/// Gives the lock of a former epoch back, where there was one.
async fn give(
    session: &Session,
    id: &ConversationId,
    former: Option<i64>,
) -> Result<(), StoreError> {
    match former {
        Some(epoch) => unlock(session, id, epoch).await,
        None => Ok(()),
    }
}

fn no_answer() -> StoreError {
    StoreError::Lost("the server does not answer".to_owned())
}

/// How often it is tried again when the conversation changed hands at the same moment.
const CHANGES: u32 = 10;

/// Takes the conversation unless somebody has it; `own` is the epoch in which this process has it. It is there
/// from now on.
async fn acquire(
    session: &Session,
    id: &ConversationId,
    own: Option<i64>,
    view: &View,
) -> Result<Claim, StoreError> {
    for _ in 0..CHANGES {
        let found = shown_epoch(session, id, view).await?;
        // The server would give the same lock to the same connection twice.
        let is_ours = found.is_some() && found == own;
        let is_free = match found {
            _ if is_ours => false,
            Some(found) => try_lock(session, id, found).await?,
            None => true,
        };
        if !is_free {
            return Err(held(session, id).await);
        }
        // Locked before anybody can see that there is something to lock.
        session.batch("BEGIN").await?;
        let claim = match claim(session, id, found, view).await {
            Ok(Some(claim)) => {
                try_lock(session, id, claim.epoch).await?;
                session.batch("COMMIT").await?;
                Some(claim)
            }
            Ok(None) => {
                session.batch("ROLLBACK").await?;
                None
            }
            // Somebody is in the middle of writing: what else is held here stays held.
            Err(StoreError::Busy) => {
                session.batch("ROLLBACK").await?;
                give(session, id, found).await?;
                return Err(StoreError::Busy);
            }
            Err(error) => return Err(error),
        };
        give(session, id, found).await?;
        if let Some(claim) = claim {
            return Ok(claim);
        }
    }
    Err(held(session, id).await)
}

/// Takes the conversation out of everybody else's hands, whoever that is.
pub(super) async fn seize(session: &Session, id: &ConversationId) -> Result<Claim, StoreError> {
    for _ in 0..CHANGES {
        let found = epoch(session, id).await?;
        if let Some(claim) = claim(session, id, found, &View::default()).await? {
            return Ok(claim);
        }
    }
    Err(held(session, id).await)
}

/// Takes the conversation from whoever has it in this epoch, or makes it; nothing where it is in another one.
async fn claim(
    session: &Session,
    id: &ConversationId,
    found: Option<i64>,
    view: &View,
) -> Result<Option<Claim>, StoreError> {
    let update = "UPDATE conversation SET epoch = nextval('epoch'),
        held_by = $2 || coalesce(' at ' || host(inet_client_addr()), ''), held_since = $3
        WHERE id = $1 AND epoch = $4 RETURNING key, epoch";
    let insert = "INSERT INTO conversation (id, epoch, held_by, held_since, owner)
        VALUES ($1, nextval('epoch'), $2 || coalesce(' at ' || host(inet_client_addr()), ''), $3, $4)
        ON CONFLICT (id) DO NOTHING RETURNING key, epoch";
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    let process = std::process::id().to_string();
    let rows = match found {
        Some(found) => session.query(update, &[&id.as_str(), &process, &now, &found]).await?,
        None => {
            let owner = view.owner_of_new();
            session.query(insert, &[&id.as_str(), &process, &now, &owner]).await?
        }
    };
    let claimed = |row: &tokio_postgres::Row| {
        Ok(Claim { id: id.clone(), key: row.int(0)?, epoch: row.int(1)? })
    };
    rows.first().map(claimed).transpose()
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
