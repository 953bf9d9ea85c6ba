//! [`Writer`]: the one task that appends.
//!
//! Whatever waits when a commit is done goes into the next one together. When the connection
//! breaks, nobody knows whether the last commit was made: the task connects again, looks whether
//! the events are there, and sends them again only if they are not.

use std::any::Any;

use futures_core::future::BoxFuture;
use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        oneshot,
    },
    time::Instant,
};

use super::{
    Settings,
    append::{self, Sent},
    session::Session,
};
use crate::{StoreError, ledger::Append};

/// Hands appends to the task.
pub(super) struct Writer {
    jobs: UnboundedSender<Job>,
}

struct Job {
    append: Append,
    /// What must not end before the append is settled.
    keep: Box<dyn Any + Send>,
    reply: oneshot::Sender<Result<(), StoreError>>,
}

impl Job {
    fn settle(self, result: Result<(), StoreError>) {
        let _ = self.reply.send(result);
        drop(self.keep);
    }
}

/// More appends than this wait for the next commit.
const BATCH: usize = 512;

impl Writer {
    pub(super) fn start(settings: Settings) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        tokio::spawn(Task { settings, session: None }.serve(queue));
        Self { jobs }
    }

    /// Queues the append, now, and tells when it is durable. Nobody has to wait for it.
    pub(super) fn submit(
        &self,
        append: Append,
        keep: Box<dyn Any + Send>,
    ) -> BoxFuture<'static, Result<(), StoreError>> {
        let (reply, answer) = oneshot::channel();
        // A task that is gone has dropped the queue, and with it the reply.
        let _ = self.jobs.send(Job { append, keep, reply });
        Box::pin(async {
            answer.await.unwrap_or_else(|_| {
                Err(StoreError::Unavailable("its writer has stopped".to_owned()))
            })
        })
    }
}

struct Task {
    settings: Settings,
    session: Option<Session>,
}

impl Task {
    async fn serve(mut self, mut queue: UnboundedReceiver<Job>) {
        let mut batch = Vec::new();
        while queue.recv_many(&mut batch, BATCH).await > 0 {
            let jobs = std::mem::take(&mut batch);
            let appends: Vec<&Append> = jobs.iter().map(|job| &job.append).collect();
            let results = self.commit(&appends).await;
            jobs.into_iter().zip(results).for_each(|(job, result)| job.settle(result));
        }
    }

    async fn commit(&mut self, appends: &[&Append]) -> Vec<Result<(), StoreError>> {
        match self.send(appends).await {
            Ok(results) => results,
            // The server refuses the whole of it because of one: each gets a chance of its own.
            Err(StoreError::Unavailable(_) | StoreError::Refused { .. } | StoreError::Full(_))
                if appends.len() > 1 =>
            {
                let mut results = Vec::with_capacity(appends.len());
                for append in appends {
                    results.push(match self.send(&[append]).await {
                        Ok(mut alone) => alone.pop().unwrap_or(Ok(())),
                        Err(error) => Err(error),
                    });
                }
                results
            }
            Err(error) => appends.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    /// Sends until it is known what became of it, or the server stays away for too long.
    async fn send(
        &mut self,
        appends: &[&Append],
    ) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let started = Instant::now();
        let timeouts = self.settings.timeouts;
        let mut sent = Sent::Never;
        let mut deadline = started + timeouts.lost;
        loop {
            let session = match self.session.take() {
                Some(session) => session,
                None => Session::open_by(&self.settings, deadline).await?,
            };
            let attempt = append::commit(&session, appends, sent);
            let attempt = tokio::time::timeout(timeouts.locked + timeouts.lost, attempt).await;
            let attempt = attempt
                .unwrap_or_else(|_| Err(StoreError::Lost("the server does not answer".to_owned())));
            match attempt {
                Ok(results) => {
                    self.session = Some(session);
                    let ms = started.elapsed().as_secs_f64() * 1e3;
                    tracing::debug!(jobs = appends.len(), ms, "committed");
                    return Ok(results);
                }
                Err(StoreError::Lost(reason)) => {
                    tracing::warn!(reason, "the connection to PostgreSQL was lost");
                    let now = Instant::now();
                    if sent == Sent::Perhaps && now >= deadline {
                        return Err(StoreError::Lost(reason));
                    }
                    if sent == Sent::Never {
                        deadline = now + timeouts.lost;
                    }
                    sent = Sent::Perhaps;
                }
                Err(error) => {
                    // Undone for certain, unless that could not even be said.
                    if session.batch("ROLLBACK").await.is_ok() {
                        self.session = Some(session);
                    }
                    return Err(error);
                }
            }
        }
    }
}
