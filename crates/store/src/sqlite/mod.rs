//! [`Sqlite`]: the log in a file.
//!
//! One thread writes ([`writer`]) and gathers what waits into one transaction; two others read, so
//! that nobody who lists conversations waits for a disk. Who may write to a conversation is decided
//! by a lock on a file beside the database ([`lease`]), which the kernel gives back when its owner
//! dies, and by the epoch in the conversation's row.

mod condition;
mod connection;
mod engine;
mod examine;
mod lease;
mod queue;
mod reader;
mod schema;
mod served;
mod statements;
mod transaction;
mod writer;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use futures_core::future::BoxFuture;
use toolwright_core::{ConversationId, MessageId, RunId};

use self::{
    condition::Condition,
    lease::Leases,
    reader::Readers,
    writer::{Company, Work, Writer},
};
pub(crate) use self::{lease::LeaseFile, served::ServedFile};
use crate::{
    Instructed, IntegrityReport, KeyClaim, KeyState, StoreError, StoreNews, Timeouts, Withdrawal,
    backend::Liveness,
    columns::{Cell, Reading},
    import::Addition,
    instruction::SealedInstruction,
    ledger::{Append, Claim},
    news::Newsroom,
    owner::View,
    queue::Queued,
};

/// The log in a file.
pub(crate) struct Sqlite {
    path: PathBuf,
    /// Which file it is.
    identity: (u64, u64),
    timeouts: Timeouts,
    condition: Condition,
    writer: Writer,
    readers: Readers,
    leases: Leases,
    newsroom: Newsroom,
}

/// How often a lease that is taken is tried again, and how long apart: whoever only looks whether
/// it is taken holds it for an instant.
const ATTEMPTS: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(10);

impl Sqlite {
    /// What brings it from format to format.
    pub(crate) const STEPS: &[&str] = schema::STEPS;

    pub(crate) async fn open(path: &Path, timeouts: Timeouts) -> Result<Self, StoreError> {
        let path = connection::place(path)?;
        has_one_name(&path)?;
        // Opening and migrating touch the disk: the writer does it on its own thread.
        let (condition, newsroom) = (Condition::default(), Newsroom::new());
        let writer =
            Writer::start(path.clone(), timeouts, condition.clone(), newsroom.clone()).await?;
        let readers = Readers::start(&path, timeouts, condition.clone())?;
        let (identity, leases) = (identity(&path)?, Leases::beside(&path));
        Ok(Self { path, identity, timeouts, condition, writer, readers, leases, newsroom })
    }

    /// Whether the file is still the one that was opened: what is written to one that was taken away
    /// or replaced is found by nobody.
    pub(crate) fn is_in_place(&self) -> Result<(), StoreError> {
        if identity(&self.path)? == self.identity {
            return Ok(());
        }
        Err(StoreError::Unavailable("another file has taken its place".to_owned()))
    }

    pub(crate) async fn query<T: Send + 'static>(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
        read: Reading<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.readers.query(sql, cells, read).await
    }

    pub(crate) fn append<K: Send + 'static>(
        &self,
        append: Append,
        keep: K,
    ) -> BoxFuture<'static, Result<(), StoreError>> {
        // What is kept, the lease, comes back when all is durable: it must not end before.
        let work: Work<K> = Box::new(move |it| statements::append(it, &append).map(|()| keep));
        let done = self.writer.submit(Company::Any, work);
        Box::pin(async { done.await.map(drop) })
    }

    /// Writes what is no part of the log.
    pub(crate) async fn execute(
        &self,
        sql: &'static str,
        cells: Vec<Cell>,
    ) -> Result<u64, StoreError> {
        let work: Work<u64> = Box::new(move |it| statements::execute_cells(it.db(), sql, &cells));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn acquire(
        &self,
        id: &ConversationId,
        view: &View,
    ) -> Result<(Claim, LeaseFile), StoreError> {
        let mut attempt = 1;
        let lease = loop {
            match self.leases.take(id)? {
                Some(lease) => break lease,
                None if attempt < ATTEMPTS => tokio::time::sleep(BETWEEN).await,
                None => {
                    let holder = self.leases.holder(id);
                    return Err(StoreError::InUse { id: id.clone(), holder });
                }
            }
            attempt += 1;
        };
        let (id, view) = (id.clone(), view.clone());
        let work: Work<Claim> = Box::new(move |it| statements::claim(it.db(), &id, &view));
        let claim = self.writer.submit(Company::Any, work).await?;
        Ok((claim, lease))
    }

    /// Locks of files are silent: whether whoever has one is frozen nobody can tell.
    pub(crate) fn held(&self, ids: &[ConversationId]) -> HashMap<ConversationId, Liveness> {
        let held = ids.iter().filter(|id| self.leases.is_taken(id));
        held.map(|id| (id.clone(), Liveness::Alive)).collect()
    }

    /// All of them or none.
    pub(crate) async fn import(&self, additions: Vec<Addition>) -> Result<(), StoreError> {
        let work: Work<()> = Box::new(move |it| statements::import(it, &additions));
        self.writer.submit(Company::None, work).await
    }

    pub(crate) async fn rename(
        &self,
        id: &ConversationId,
        title: String,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        let work: Work<bool> = Box::new(move |it| statements::rename(it.db(), &id, &title));
        self.writer.submit(Company::Any, work).await
    }

    /// Whether there was a conversation for it to wait in.
    pub(crate) async fn queue(
        &self,
        id: &ConversationId,
        queued: Queued,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        let work: Work<bool> = Box::new(move |it| queue::queue(it, &id, &queued));
        self.writer.submit(Company::Any, work).await
    }

    /// What became of it.
    pub(crate) async fn withdraw(
        &self,
        id: &ConversationId,
        message: &MessageId,
    ) -> Result<Withdrawal, StoreError> {
        let (id, message) = (id.clone(), message.clone());
        let work: Work<Withdrawal> = Box::new(move |it| queue::withdraw(it, &id, &message));
        self.writer.submit(Company::Any, work).await
    }

    /// Which of them are taken up from here on.
    pub(crate) async fn take_up(
        &self,
        claim: &Claim,
        messages: Vec<MessageId>,
    ) -> Result<Vec<MessageId>, StoreError> {
        let claim = claim.clone();
        let work: Work<_> = Box::new(move |it| queue::take_up(it.db(), &claim, &messages));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn delete(&self, claim: Claim) -> Result<(), StoreError> {
        let work: Work<()> = Box::new(move |it| statements::delete(it, &claim));
        self.writer.submit(Company::None, work).await
    }

    pub(crate) fn news(&self) -> StoreNews {
        self.newsroom.listen()
    }

    pub(crate) fn serve_alone(&self) -> Result<ServedFile, StoreError> {
        let served = || StoreError::Served {
            place: self.path.display().to_string(),
            holder: Leases::server(&self.path),
        };
        ServedFile::take(&self.path)?.ok_or_else(served)
    }

    pub(crate) async fn instruct(
        &self,
        id: &ConversationId,
        run: &RunId,
        instruction: SealedInstruction,
    ) -> Result<Instructed, StoreError> {
        let (id, run) = (id.clone(), run.clone());
        let work: Work<_> = Box::new(move |it| engine::instruct(it, &id, &run, &instruction));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn dismiss(
        &self,
        id: &ConversationId,
        run: &RunId,
        subject: String,
    ) -> Result<(), StoreError> {
        let (id, run) = (id.clone(), run.clone());
        let work: Work<()> = Box::new(move |it| engine::dismiss(it.db(), &id, &run, &subject));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn put_spec(
        &self,
        id: &ConversationId,
        run: &RunId,
        body: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let (id, run) = (id.clone(), run.clone());
        let work: Work<bool> = Box::new(move |it| engine::put_spec(it, &id, &run, &body));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn stranded(
        &self,
        idle: i64,
        most: i64,
    ) -> Result<Vec<(ConversationId, RunId)>, StoreError> {
        let leases = self.leases.clone();
        let work: Work<_> = Box::new(move |it| {
            engine::stranded(it.db(), idle, most, &|id: &ConversationId| leases.is_taken(id))
        });
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn woken(&self, run: &RunId) -> Result<(), StoreError> {
        let run = run.clone();
        let work: Work<()> = Box::new(move |it| engine::woken(it.db(), &run));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn not_woken(&self, run: &RunId) -> Result<(), StoreError> {
        let run = run.clone();
        let work: Work<()> = Box::new(move |it| engine::not_woken(it.db(), &run));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn rest(&self, run: &RunId, known: i64, until: i64) -> Result<(), StoreError> {
        let run = run.clone();
        let work: Work<()> = Box::new(move |it| engine::rest(it.db(), &run, known, until));
        self.writer.submit(Company::Any, work).await
    }

    pub(crate) async fn claim_key(&self, claim: &KeyClaim) -> Result<KeyState, StoreError> {
        let claim = claim.clone();
        let work: Work<KeyState> = Box::new(move |it| engine::claim_key(it.db(), &claim));
        self.writer.submit(Company::Any, work).await
    }

    /// Looks for damage, for at most this long.
    pub(crate) async fn examine(&self, most: Duration) -> Result<IntegrityReport, StoreError> {
        let found = examine::examine(self.path.clone(), self.timeouts, most).await;
        found.inspect_err(|error| self.condition.note(error))
    }
}

/// A folder beside the database.
fn beside(path: &Path, name: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new(".")).join(name)
}

/// A database has its newest changes in a file beside it, which is called as it is: under another name the same database is
/// without them, and whoever opens it so damages it.
fn has_one_name(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt;
    match std::fs::metadata(path) {
        Ok(found) if found.nlink() > 1 => Err(StoreError::Unavailable(format!(
            "{} has {} names (hard links), and what was written under one is not seen under the others; \
             close what uses it, and keep one of them",
            path.display(),
            found.nlink()
        ))),
        // What is not there has none yet.
        _ => Ok(()),
    }
}

/// By which a file is known again, whatever it is called.
fn identity(path: &Path) -> Result<(u64, u64), StoreError> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(path);
    let found = found.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    Ok((found.dev(), found.ino()))
}
