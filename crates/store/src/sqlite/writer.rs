//! [`Writer`]: the one thread that writes.
//!
//! A disk makes a few hundred commits a second durable, however little is in them. So whatever
//! waits when a commit is done goes into the next one together: nobody waits for more than two
//! commits, and sixty-four runs cost hardly more of them than one. Each job has a savepoint, and
//! one that is refused leaves its neighbours alone. Nobody is told before the commit has returned.

use std::{
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    beside,
    connection::{error, for_writing},
    lease::Leases,
    schema,
};
use crate::{Patience, StoreError, fault::fault};

/// Hands jobs to the thread that writes.
pub(super) struct Writer {
    jobs: Sender<Box<dyn Job>>,
}

/// More jobs than this wait for the next commit.
const BATCH: usize = 512;

impl Writer {
    /// Opens the database and brings it to the newest format.
    pub(super) async fn start(path: PathBuf, patience: Patience) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel();
        let (ready, opened) = oneshot::channel();
        let thread = thread::Builder::new().name("store-writer".to_owned());
        let started = thread.spawn(move || {
            let db = open(&path, patience);
            let failed = db.as_ref().err().cloned();
            if ready.send(failed.map_or(Ok(()), Err)).is_ok()
                && let Ok(db) = db
            {
                Thread { path, patience, queue, db: Some(db) }.serve();
            }
        });
        started.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        opened.await.map_err(|_| stopped())??;
        Ok(Self { jobs })
    }

    /// Queues work, now, and tells when it is done and durable. Nobody has to wait for it.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        work: Work<T>,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static + use<T> {
        let (reply, answer) = oneshot::channel();
        let job = Task { since: Instant::now(), work: Some(work), value: None, reply };
        // A thread that is gone has dropped the queue, and with it the reply.
        let _ = self.jobs.send(Box::new(job));
        async { answer.await.map_err(|_| stopped())? }
    }
}

fn stopped() -> StoreError {
    StoreError::Unavailable("its writer has stopped".to_owned())
}

fn open(path: &Path, patience: Patience) -> Result<Connection, StoreError> {
    let mut db = for_writing(path, patience.locked)?;
    schema::migrate(&mut db, &path.display().to_string())?;
    // A file that is new is durable once its folder says so.
    if let Ok(folder) = std::fs::File::open(beside(path, "")) {
        let _ = folder.sync_all();
    }
    Leases::beside(path).tidy();
    Ok(db)
}

/// Work for the thread that writes.
trait Job: Send {
    fn since(&self) -> Instant;
    fn run(&mut self, transaction: &mut Transaction<'_>) -> Result<(), StoreError>;
    fn settle(self: Box<Self>, result: Result<(), StoreError>);
}

pub(super) type Work<T> = Box<dyn FnOnce(&mut Transaction<'_>) -> Result<T, StoreError> + Send>;

struct Task<T> {
    since: Instant,
    work: Option<Work<T>>,
    value: Option<T>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send> Job for Task<T> {
    fn since(&self) -> Instant {
        self.since
    }

    fn run(&mut self, transaction: &mut Transaction<'_>) -> Result<(), StoreError> {
        let Some(work) = self.work.take() else { return Ok(()) };
        self.value = Some(work(transaction)?);
        Ok(())
    }

    fn settle(self: Box<Self>, result: Result<(), StoreError>) {
        let Self { value, reply, .. } = *self;
        let _ = reply.send(result.and_then(|()| value.ok_or_else(stopped)));
    }
}

struct Thread {
    path: PathBuf,
    patience: Patience,
    queue: Receiver<Box<dyn Job>>,
    /// Nothing after a failure that leaves doubts: the next commit begins with a fresh one.
    db: Option<Connection>,
}

impl Thread {
    fn serve(mut self) {
        while let Ok(first) = self.queue.recv() {
            let mut batch = vec![first];
            while !batch.is_empty() {
                batch.extend(self.queue.try_iter().take(BATCH.saturating_sub(batch.len())));
                match self.begin(&batch) {
                    Ok(()) => self.commit(std::mem::take(&mut batch)),
                    Err(StoreError::Busy) => batch = self.give_up(batch),
                    Err(error) => settle(std::mem::take(&mut batch), &error),
                }
            }
        }
    }

    /// Waits for the database as long as the one who has waited longest still will.
    fn begin(&mut self, batch: &[Box<dyn Job>]) -> Result<(), StoreError> {
        let db = match &self.db {
            Some(db) => db,
            None => self.db.insert(for_writing(&self.path, self.patience.locked)?),
        };
        let longest = batch.iter().map(|job| job.since().elapsed()).max().unwrap_or_default();
        // Waiting is done in whole milliseconds: at least one, or nobody would ever be late.
        let left = self.patience.locked.saturating_sub(longest).max(Duration::from_millis(1));
        let begun = db.busy_timeout(left).and_then(|()| db.execute_batch("BEGIN IMMEDIATE"));
        begun.map_err(|it| error(&it)).inspect_err(|error| {
            if *error != StoreError::Busy {
                self.db = None;
            }
        })
    }

    /// Those who waited long enough are told; the others go on waiting.
    fn give_up(&self, batch: Vec<Box<dyn Job>>) -> Vec<Box<dyn Job>> {
        let is_late = |job: &Box<dyn Job>| job.since().elapsed() >= self.patience.locked;
        let (late, rest) = batch.into_iter().partition(is_late);
        settle(late, &StoreError::Busy);
        rest
    }

    fn commit(&mut self, batch: Vec<Box<dyn Job>>) {
        let Some(db) = &self.db else { return settle(batch, &stopped()) };
        let started = Instant::now();
        let mut transaction = Transaction { db, documents: Vec::new(), truncate: false };
        let mut done = Vec::with_capacity(batch.len());
        let mut trust = Trust::Kept;
        for mut job in batch {
            match transaction.attempt(&mut *job) {
                Ok(()) => done.push(job),
                Err(error) => {
                    trust = trust.after(&error);
                    job.settle(Err(error));
                }
            }
        }
        let result = match done.len() {
            0 => transaction.undo(),
            _ => transaction.finish(),
        };
        let jobs = done.len();
        match result {
            Ok(()) => {
                let ms = started.elapsed().as_secs_f64() * 1e3;
                tracing::debug!(jobs, ms, "committed");
                done.into_iter().for_each(|job| job.settle(Ok(())));
            }
            Err(error) => {
                tracing::warn!(jobs, %error, "a commit failed");
                trust = Trust::Lost;
                settle(done, &error);
            }
        }
        // What a failure left behind is unknown to this connection, too.
        if trust == Trust::Lost {
            self.db = None;
        }
    }
}

/// Whether a connection can be used again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Kept,
    Lost,
}

impl Trust {
    /// A refusal is no failure of the database's.
    fn after(self, error: &StoreError) -> Self {
        match error {
            StoreError::Full(_) | StoreError::Unavailable(_) | StoreError::Damaged(_) => Self::Lost,
            _ => self,
        }
    }
}

fn settle(batch: Vec<Box<dyn Job>>, error: &StoreError) {
    batch.into_iter().for_each(|job| job.settle(Err(error.clone())));
}

/// A transaction that several jobs share.
pub(super) struct Transaction<'a> {
    db: &'a Connection,
    /// What is to be found, by the number of its event. Indexed at the end: a savepoint makes the
    /// index write out what it has gathered.
    documents: Vec<(i64, String)>,
    /// Whether what was deleted must leave the log file, too.
    truncate: bool,
}

impl<'a> Transaction<'a> {
    pub(super) fn db(&self) -> &'a Connection {
        self.db
    }

    pub(super) fn index(&mut self, number: i64, words: &str) {
        self.documents.push((number, words.to_owned()));
    }

    pub(super) fn leave_no_trace(&mut self) {
        self.truncate = true;
    }

    fn attempt(&mut self, job: &mut dyn Job) -> Result<(), StoreError> {
        // A failure may have ended the whole transaction; then nothing more belongs to it.
        self.check()?;
        let documents = self.documents.len();
        self.execute("SAVEPOINT job")?;
        let result = job.run(self);
        if result.is_err() {
            self.documents.truncate(documents);
            if !self.db.is_autocommit() {
                self.execute("ROLLBACK TO job; RELEASE job")?;
            }
            return result;
        }
        self.execute("RELEASE job")
    }

    pub(super) fn flush(&mut self) -> Result<(), StoreError> {
        let sql = "INSERT INTO search (rowid, words) VALUES ($1, $2)";
        let mut insert = self.db.prepare_cached(sql).map_err(|it| error(&it))?;
        for document in self.documents.drain(..) {
            insert.execute(document).map_err(|it| error(&it))?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), StoreError> {
        match self.db.is_autocommit() {
            true => Err(StoreError::Unavailable("the transaction was undone".to_owned())),
            false => Ok(()),
        }
    }

    fn undo(self) -> Result<(), StoreError> {
        if self.db.is_autocommit() { Ok(()) } else { self.execute("ROLLBACK") }
    }

    fn finish(mut self) -> Result<(), StoreError> {
        self.check()?;
        self.flush()?;
        fault!("store::commit");
        self.execute("COMMIT")?;
        fault!("store::committed");
        if self.truncate {
            // Somebody who is just reading may keep it from being complete; the next one is.
            let truncated = self.db.pragma_query(None, "wal_checkpoint(TRUNCATE)", |_| Ok(()));
            if let Err(error) = truncated {
                tracing::warn!(%error, "the log file keeps what was deleted until its next checkpoint");
            }
        }
        Ok(())
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        self.db.execute_batch(sql).map_err(|it| error(&it))
    }
}
