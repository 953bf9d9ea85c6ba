//! [`Writer`]: the one thread that writes.
//!
//! A disk makes a few hundred commits a second durable, however little is in them. So whatever
//! waits when a commit is done goes into the next one together: nobody waits for more than two
//! commits, and sixty-four runs cost hardly more of them than one. Each job has a savepoint, and
//! one that is refused leaves its neighbours alone. Nobody is told before the commit has returned.
//! What touches many pages, an import say, goes alone: a savepoint remembers every page.

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
    condition::Condition,
    connection::{error, for_writing},
    lease::Leases,
    schema,
    transaction::Transaction,
};
use crate::{StoreError, Timeouts, news::Newsroom};

/// Hands jobs to the thread that writes.
pub(super) struct Writer {
    jobs: Sender<Box<dyn Job>>,
}

/// More jobs than this wait for the next commit.
const BATCH: usize = 512;

impl Writer {
    /// Opens the database and brings it to the newest format.
    pub(super) async fn start(
        path: PathBuf,
        timeouts: Timeouts,
        condition: Condition,
        newsroom: Newsroom,
    ) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel();
        let (ready, opened) = oneshot::channel();
        let thread = thread::Builder::new().name("store-writer".to_owned());
        let started = thread.spawn(move || {
            let db = open(&path, timeouts);
            let failed = db.as_ref().err().cloned();
            if ready.send(failed.map_or(Ok(()), Err)).is_ok()
                && let Ok(db) = db
            {
                let (next, db) = (None, Some(db));
                Thread { path, timeouts, condition, newsroom, queue, next, db }.serve();
            }
        });
        started.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        opened.await.map_err(|_| stopped())??;
        Ok(Self { jobs })
    }

    /// Queues work, now, and tells when it is done and durable. Nobody has to wait for it.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        company: Company,
        work: Work<T>,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static + use<T> {
        let (reply, answer) = oneshot::channel();
        let job = Task { since: Instant::now(), company, work: Some(work), value: None, reply };
        // A thread that is gone has dropped the queue, and with it the reply.
        let _ = self.jobs.send(Box::new(job));
        async { answer.await.map_err(|_| stopped())? }
    }
}

fn stopped() -> StoreError {
    StoreError::Unavailable("its writer has stopped".to_owned())
}

fn open(path: &Path, timeouts: Timeouts) -> Result<Connection, StoreError> {
    let mut db = for_writing(path, timeouts.locked)?;
    schema::migrate(&mut db, &path.display().to_string())?;
    // A file that is new is durable once its folder says so.
    if let Ok(folder) = std::fs::File::open(beside(path, "")) {
        let _ = folder.sync_all();
    }
    Leases::beside(path).tidy();
    Ok(db)
}

/// Whether work shares its commit with others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    Any,
    None,
}

/// Work for the thread that writes.
trait Job: Send {
    fn since(&self) -> Instant;
    fn company(&self) -> Company;
    fn run(&mut self, transaction: &mut Transaction<'_>) -> Result<(), StoreError>;
    fn settle(self: Box<Self>, result: Result<(), StoreError>);
}

pub(super) type Work<T> = Box<dyn FnOnce(&mut Transaction<'_>) -> Result<T, StoreError> + Send>;

struct Task<T> {
    since: Instant,
    company: Company,
    work: Option<Work<T>>,
    value: Option<T>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send> Job for Task<T> {
    fn since(&self) -> Instant {
        self.since
    }

    fn company(&self) -> Company {
        self.company
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
    timeouts: Timeouts,
    condition: Condition,
    newsroom: Newsroom,
    queue: Receiver<Box<dyn Job>>,
    /// One that was taken from the queue and wants no company.
    next: Option<Box<dyn Job>>,
    /// Nothing after a failure that leaves doubts: the next commit begins with a fresh one.
    db: Option<Connection>,
}

impl Thread {
    fn serve(mut self) {
        while let Some(first) = self.next.take().or_else(|| self.queue.recv().ok()) {
            let mut batch = vec![first];
            while !batch.is_empty() {
                self.gather(&mut batch);
                match self.begin(&batch) {
                    Ok(()) => self.commit(std::mem::take(&mut batch)),
                    Err(StoreError::Busy) => batch = self.give_up(batch),
                    Err(error) => settle(std::mem::take(&mut batch), &error),
                }
            }
        }
    }

    /// Adds what waits.
    fn gather(&mut self, batch: &mut Vec<Box<dyn Job>>) {
        let wants_none = |job: &dyn Job| job.company() == Company::None;
        while self.next.is_none()
            && batch.len() < BATCH
            && !batch.iter().any(|job| wants_none(&**job))
            && let Ok(job) = self.queue.try_recv()
        {
            if wants_none(&*job) {
                self.next = Some(job);
            } else {
                batch.push(job);
            }
        }
    }

    /// Waits for the database as long as the one who has waited longest still will.
    fn begin(&mut self, batch: &[Box<dyn Job>]) -> Result<(), StoreError> {
        self.condition.check()?;
        let db = match &self.db {
            Some(db) => db,
            None => self.db.insert(for_writing(&self.path, self.timeouts.locked)?),
        };
        let longest = batch.iter().map(|job| job.since().elapsed()).max().unwrap_or_default();
        // Waiting is done in whole milliseconds: at least one, or nobody would ever be late.
        let left = self.timeouts.locked.saturating_sub(longest).max(Duration::from_millis(1));
        let begun = db.busy_timeout(left).and_then(|()| db.execute_batch("BEGIN IMMEDIATE"));
        begun.map_err(|it| error(&it)).inspect_err(|error| {
            self.condition.note(error);
            if *error != StoreError::Busy {
                self.db = None;
            }
        })
    }

    /// Those who waited long enough are told; the others go on waiting.
    fn give_up(&self, batch: Vec<Box<dyn Job>>) -> Vec<Box<dyn Job>> {
        let (late, rest) =
            batch.into_iter().partition(|job| job.since().elapsed() >= self.timeouts.locked);
        settle(late, &StoreError::Busy);
        rest
    }

    fn commit(&mut self, batch: Vec<Box<dyn Job>>) {
        let Some(db) = &self.db else { return settle(batch, &stopped()) };
        let started = Instant::now();
        let mut transaction = Transaction::new(db, batch.len(), &self.newsroom);
        let mut done = Vec::with_capacity(batch.len());
        let mut trust = Trust::Kept;
        for mut job in batch {
            match transaction.attempt(|it| job.run(it)) {
                Ok(()) => done.push(job),
                Err(error) => {
                    self.condition.note(&error);
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
                if jobs > 0 {
                    let ms = started.elapsed().as_secs_f64() * 1e3;
                    tracing::debug!(jobs, ms, "committed");
                }
                done.into_iter().for_each(|job| job.settle(Ok(())));
            }
            Err(error) => {
                tracing::warn!(jobs, %error, "a commit failed");
                self.condition.note(&error);
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
            StoreError::Full(_) | StoreError::Unavailable(_) | StoreError::Damaged { .. } => {
                Self::Lost
            }
            _ => self,
        }
    }
}

fn settle(batch: Vec<Box<dyn Job>>, error: &StoreError) {
    batch.into_iter().for_each(|job| job.settle(Err(error.clone())));
}
