//! [`Transaction`]: what several jobs write together.

use rusqlite::Connection;

use super::connection::error;
use crate::{News, StoreError, failpoint::failpoint, news::Newsroom};

/// A transaction that several jobs share.
pub(super) struct Transaction<'a> {
    db: &'a Connection,
    jobs: usize,
    /// What is to be found, by the number of its event. Indexed at the end: a savepoint makes the
    /// index write out what it has gathered.
    documents: Vec<(i64, String)>,
    /// What is told once all of it is durable, and to whom.
    news: Vec<News>,
    newsroom: &'a Newsroom,
    /// Whether what was deleted must leave the log file, too.
    truncate: bool,
}

impl<'a> Transaction<'a> {
    /// In a connection that has begun one, for this many jobs.
    pub(super) fn new(db: &'a Connection, jobs: usize, newsroom: &'a Newsroom) -> Self {
        let (documents, news) = (Vec::new(), Vec::new());
        Self { db, jobs, documents, news, newsroom, truncate: false }
    }

    pub(super) fn db(&self) -> &'a Connection {
        self.db
    }

    pub(super) fn index(&mut self, number: i64, words: &str) {
        self.documents.push((number, words.to_owned()));
    }

    /// Tells something once it is durable.
    pub(super) fn tell(&mut self, news: News) {
        self.news.push(news);
    }

    pub(super) fn leave_no_trace(&mut self) {
        self.truncate = true;
    }

    /// Does something that leaves no trace when it fails; where it is all there is, the whole
    /// transaction must be undone then.
    pub(super) fn attempt(
        &mut self,
        job: impl FnOnce(&mut Self) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        // A failure may have ended the whole transaction; then nothing more belongs to it.
        self.check()?;
        if self.jobs == 1 {
            // There is nobody to protect from it.
            return job(self);
        }
        let (documents, news) = (self.documents.len(), self.news.len());
        self.execute("SAVEPOINT job")?;
        let result = job(self);
        if result.is_err() {
            self.documents.truncate(documents);
            self.news.truncate(news);
            if !self.db.is_autocommit() {
                self.execute("ROLLBACK TO job; RELEASE job")?;
            }
            return result;
        }
        self.execute("RELEASE job")
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let sql = "INSERT INTO search (rowid, words) VALUES ($1, $2)";
        let mut insert = self.db.prepare_cached(sql).map_err(|it| error(&it))?;
        for document in self.documents.drain(..) {
            insert.execute(document).map_err(|it| error(&it))?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.db.is_autocommit() {
            return Err(StoreError::Unavailable("the transaction was undone".to_owned()));
        }
        Ok(())
    }

    pub(super) fn undo(self) -> Result<(), StoreError> {
        if self.db.is_autocommit() { Ok(()) } else { self.execute("ROLLBACK") }
    }

    /// Makes everything durable.
    pub(super) fn finish(mut self) -> Result<(), StoreError> {
        self.check()?;
        self.flush()?;
        failpoint!("store::commit");
        self.execute("COMMIT")?;
        self.news.drain(..).for_each(|news| self.newsroom.tell(news));
        failpoint!("store::committed");
        if self.truncate {
            // Somebody who reads for long can keep it from happening now; then it happens later.
            let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
            let busy = self.db.query_row(checkpoint, [], |row| row.get::<_, i64>(0));
            if busy != Ok(0) {
                tracing::warn!("what was deleted stays in the log file until its next checkpoint");
            }
        }
        Ok(())
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        self.db.execute_batch(sql).map_err(|it| error(&it))
    }
}
