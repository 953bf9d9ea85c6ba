//! [`Store`]: what can be asked of a log, whichever database it is in.

use std::{sync::Arc, time::Duration};

use toolwright_core::{ConversationId, Digest, Event, RunId, RunTree};

use crate::{
    ConversationLease, ConversationPage, ConversationStatus, ConversationSummary, ImportReport,
    LogKey, Position, SearchHit, StoreError, StoreLocation, Timeouts,
    backend::{Backend, Liveness},
    branches,
    columns::Cell,
    import::{self, Addition, Bundle, Lacking},
    ledger::Ledger,
    owner::View,
    position,
    record::Stored,
    search::Match,
    sql,
    words::{self, Query},
};

/// The log of every conversation. Cloning it is cheap.
#[derive(Clone)]
pub struct Store {
    pub(crate) backend: Arc<Backend>,
    pub(crate) key: LogKey,
    pub(crate) view: View,
}

/// The name of the file that has the key of a log, beside it.
pub const KEY_FILE: &str = "log.key";

/// How many candidates an ambiguous id is answered with.
const CANDIDATES: usize = 5;

/// How far an examination came that found no damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegrityReport {
    /// All of it was looked at.
    Whole,
    /// The time was up before that.
    Part,
}

impl Store {
    /// Opens the log, makes it where there is none, and brings it to the newest format.
    ///
    /// # Errors
    /// When it cannot be reached or written, belongs to another program or to a newer version.
    pub async fn open(location: &StoreLocation) -> Result<Self, StoreError> {
        Self::open_with(location, Timeouts::default()).await
    }

    /// As [`Store::open`], waiting for the database longer or less long.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_with(
        location: &StoreLocation,
        timeouts: Timeouts,
    ) -> Result<Self, StoreError> {
        let key = match location {
            StoreLocation::Sqlite(path) => LogKey::in_file(&path.with_file_name(KEY_FILE))?,
            StoreLocation::Postgres(_) => LogKey::random()?,
        };
        Self::open_keyed(location, timeouts, key).await
    }

    /// As [`Store::open_with`], with a key of the caller's. Without one, the key of a file is in a
    /// file beside it ([`KEY_FILE`]), and that of a server is made for this process alone: what other
    /// processes wrote is then taken for imported.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_keyed(
        location: &StoreLocation,
        timeouts: Timeouts,
        key: LogKey,
    ) -> Result<Self, StoreError> {
        let backend = Backend::open(location, timeouts, &key).await?;
        Ok(Self { backend: Arc::new(backend), key, view: View::default() })
    }

    /// Takes the conversation for one run at a time, also across processes. It need not exist.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when somebody has it, [`StoreError::NotFound`] when it is somebody else's.
    pub async fn acquire(&self, id: &ConversationId) -> Result<ConversationLease, StoreError> {
        // Before it is locked: that somebody is at work in it is nothing for others.
        self.check_owner(id).await?;
        let lease = self.backend.acquire(id, &self.view).await?;
        Ok(ConversationLease::new(self.backend.clone(), self.key.clone(), lease))
    }

    /// Takes the conversation from whoever has it, who cannot write to it any more: for those who know that
    /// the holder was to be done long ago. In a file, where the dead hold nothing, as [`Store::acquire`].
    ///
    /// # Errors
    /// [`StoreError::Busy`] when the holder is in the middle of writing, and stays there.
    pub async fn seize(&self, id: &ConversationId) -> Result<ConversationLease, StoreError> {
        self.check_owner(id).await?;
        let lease = self.backend.seize(id, &self.view).await?;
        Ok(ConversationLease::new(self.backend.clone(), self.key.clone(), lease))
    }

    /// Whether it can be read, all of it is there, still where it was opened, and changes are taken.
    ///
    /// # Errors
    /// When it cannot, and why.
    pub async fn check(&self) -> Result<(), StoreError> {
        self.backend.check().await
    }

    /// Whether the database had room when something was last written: that nothing fits any more only writing tells.
    pub fn has_room(&self) -> bool {
        self.backend.has_room()
    }

    /// A part of the list of conversations, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        page: &ConversationPage,
    ) -> Result<Vec<ConversationSummary>, StoreError> {
        let limit = limit(page.limit);
        let (both, cells) = match &page.before {
            None => ([sql::NEWEST, sql::NEWEST_OWNED], vec![limit]),
            Some(before) => {
                let at = i64::try_from(before.updated_at.0).unwrap_or(i64::MAX);
                let cells = vec![at.into(), before.id.as_str().into(), limit];
                ([sql::NEWEST_BEFORE, sql::NEWEST_BEFORE_OWNED], cells)
            }
        };
        let (sql, cells) = self.view.pick(both, cells, 0);
        let found = self.backend.query(sql, cells, ConversationSummary::read).await?;
        self.running(found).await
    }

    /// The conversation of this id, or the only one whose id begins so.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is none, [`StoreError::Ambiguous`] when there are
    /// several.
    pub async fn find(&self, id: &str) -> Result<ConversationSummary, StoreError> {
        // Every id that begins so is smaller than this one.
        let end = format!("{id}\u{10ffff}");
        let cells = vec![id.into(), end.as_str().into(), limit(CANDIDATES)];
        let both = [sql::BEGINNING_WITH, sql::BEGINNING_WITH_OWNED];
        let (sql, cells) = self.view.pick(both, cells, 0);
        let mut found = match id {
            "" => Vec::new(),
            _ => self.backend.query(sql, cells, ConversationSummary::read).await?,
        };
        // The shortest comes first: the id itself, if there is one of that name.
        let is_exact = found.first().is_some_and(|first| first.id.as_str() == id);
        match found.len() {
            0 => return Err(StoreError::NotFound(id.to_owned())),
            1 => {}
            _ if is_exact => found.truncate(1),
            _ => {
                let candidates = found.into_iter().map(|it| it.id).collect();
                return Err(StoreError::Ambiguous { prefix: id.to_owned(), candidates });
            }
        }
        let found = self.running(found).await?.into_iter().next();
        found.ok_or_else(|| StoreError::NotFound(id.to_owned()))
    }

    /// Conversations in which one message has all these words, or words that begin so, in any
    /// case: a question, something the model said, or a result. The newest come first, each with
    /// its newest message that fits.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn search(&self, words: &str, most: usize) -> Result<Vec<SearchHit>, StoreError> {
        let Some(query) = Query::new(words) else { return Ok(Vec::new()) };
        let (both, words) = self.backend.matches(&query);
        let (sql, cells) = self.view.pick(both, vec![Cell::Text(words), limit(most)], 1);
        let found = self.backend.query(sql, cells, Match::read).await?;
        let mut hits: Vec<_> = found.into_iter().map(|it| it.into_hit(&query)).collect();
        let summaries = hits.iter().map(|hit| hit.summary.clone()).collect();
        let summaries = self.running(summaries).await?;
        hits.iter_mut().zip(summaries).for_each(|(hit, summary)| hit.summary = summary);
        Ok(hits)
    }

    /// What was stored of a conversation, in order, from behind `after`, at most `most` events.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such conversation.
    pub async fn events(
        &self,
        id: &ConversationId,
        after: Option<Position>,
        most: usize,
    ) -> Result<Vec<(Position, Event)>, StoreError> {
        let ledger = self.ledger(id).await?.filter(|ledger| ledger.runs > 0);
        let ledger = ledger.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
        let range = position::range(ledger.key);
        let from =
            after.map_or(0, |after| i64::try_from(after.0).unwrap_or(i64::MAX).saturating_add(1));
        let from = range.start.saturating_add(from).min(range.end);
        let cells = vec![from.into(), range.end.into(), limit(most)];
        let stored = self.backend.query(sql::EVENTS, cells, Stored::read).await?;
        let read = |stored: Stored| {
            let stored = stored.sound()?;
            Ok((stored.position, stored.into_event()?))
        };
        let events = stored.into_iter().map(read).collect::<Result<_, _>>();
        events.map_err(|error| self.backend.locate(error))
    }

    /// The bytes of something that is attached in a conversation; nothing where there is no such thing.
    ///
    /// # Errors
    /// When the database cannot be read, or they are not what was attached.
    pub async fn attachment(
        &self,
        id: &ConversationId,
        digest: &Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError> {
        let Some(ledger) = self.ledger(id).await? else { return Ok(None) };
        let found = self.backend.attachment(ledger.key, digest).await?;
        match found {
            Some(bytes) if Digest::of(&bytes) != *digest => {
                let what = format!("the bytes of the attachment {digest} are others");
                Err(self.backend.locate(StoreError::damaged(what)))
            }
            found => Ok(found),
        }
    }

    /// Takes in logs that were written elsewhere: all of them, or nothing. What is there already
    /// is left as it is.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when they are no logs, [`StoreError::Conflict`] when something else
    /// is there under the same name, [`StoreError::InUse`] when somebody is at work in one of them.
    pub async fn import(&self, events: Vec<Event>) -> Result<ImportReport, StoreError> {
        let mut done = ImportReport::default();
        let mut additions = Vec::new();
        // Held until everything is in.
        let mut held = Vec::new();
        let events = self.adopted(events).await?;
        for bundle in import::bundles(&events)? {
            self.check_owner(&bundle.id).await?;
            let exists = self.ledger(&bundle.id).await?.is_some();
            let mut lacking = self.lacking(&bundle).await?;
            let mut claim = None;
            if exists && !lacking.records.is_empty() {
                let lease = self.acquire(&bundle.id).await?;
                claim = Some(lease.claim().clone());
                held.push(lease);
                // Somebody may have gone on in it until then.
                lacking = self.lacking(&bundle).await?;
            }
            let Lacking { records, runs, known } = lacking;
            done.known += known;
            if records.is_empty() {
                continue;
            }
            done.conversations += 1;
            done.runs += runs;
            done.events += records.len();
            additions.push(Addition {
                id: bundle.id,
                claim,
                owner: self.view.owner_of_new().map(str::to_owned),
                records,
            });
        }
        if !additions.is_empty() {
            self.backend.import(additions).await?;
        }
        Ok(done)
    }

    /// Gives a conversation a title of somebody's own, also while a run goes on in it. Runs that
    /// follow leave it as it is.
    ///
    /// Blanks around it go, and every other run of them becomes one. A title is nothing that
    /// happened: it is no event, so a log that is exported and imported elsewhere is again called
    /// by its first question.
    ///
    /// # Errors
    /// [`StoreError::Title`] when it is empty or too long, [`StoreError::NotFound`] when there is no
    /// such conversation.
    pub async fn rename(
        &self,
        id: &ConversationId,
        title: &str,
    ) -> Result<ConversationSummary, StoreError> {
        let title = words::title(title)?;
        let gone = || StoreError::NotFound(id.to_string());
        self.check_owner(id).await?;
        if !self.backend.rename(id, title).await? {
            return Err(gone());
        }
        let cells = vec![id.as_str().into()];
        let found = self.backend.query(sql::SUMMARY_OF, cells, ConversationSummary::read).await?;
        self.running(found).await?.into_iter().next().ok_or_else(gone)
    }

    /// Deletes a conversation and everything that was made from it.
    ///
    /// SQLite overwrites it. PostgreSQL keeps deleted rows until its next `VACUUM`, and in its
    /// write-ahead log and backups for as long as it is told to.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when somebody is at work in it, [`StoreError::NotFound`] when there is
    /// no such conversation.
    pub async fn delete(&self, id: &ConversationId) -> Result<(), StoreError> {
        if self.ledger(id).await?.is_none() {
            return Err(StoreError::NotFound(id.to_string()));
        }
        let held = self.acquire(id).await?;
        self.backend.delete(held.claim().clone()).await
    }

    /// Looks for damage, for at most this long. A file is read from end to end; a server looks after
    /// its own.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when there is any.
    pub async fn examine(&self, most: Duration) -> Result<IntegrityReport, StoreError> {
        self.backend.examine(most).await
    }

    /// The row of a conversation that may be seen.
    pub(crate) async fn ledger(&self, id: &ConversationId) -> Result<Option<Ledger>, StoreError> {
        let found = self.any_ledger(id).await?;
        Ok(found.filter(|ledger| self.view.shows(ledger.owner.as_deref())))
    }

    /// The row of a conversation, whosever it is.
    pub(crate) async fn any_ledger(
        &self,
        id: &ConversationId,
    ) -> Result<Option<Ledger>, StoreError> {
        let cells = vec![id.as_str().into()];
        let found = self.backend.query(sql::LEDGER_OF, cells, Ledger::read).await?;
        Ok(found.into_iter().next())
    }

    /// Tells runs that go on from those that nobody goes on with.
    async fn running(
        &self,
        mut summaries: Vec<ConversationSummary>,
    ) -> Result<Vec<ConversationSummary>, StoreError> {
        let open = summaries.iter().filter(|it| it.state == ConversationStatus::Unfinished);
        let open: Vec<_> = open.map(|it| it.id.clone()).collect();
        let held = self.backend.held(&open).await?;
        let open = summaries.iter_mut().filter(|it| it.state == ConversationStatus::Unfinished);
        for summary in open {
            if let Some(liveness) = held.get(&summary.id) {
                summary.state = ConversationStatus::Running;
                summary.is_silent = *liveness == Liveness::Silent;
            }
        }
        Ok(summaries)
    }

    /// What the conversation here lacks of what somebody else has of it.
    async fn lacking(&self, bundle: &Bundle) -> Result<Lacking, StoreError> {
        // A conversation that is not there has no runs; that a run is another one's shows when it is
        // written.
        let ledger = self.ledger(&bundle.id).await?;
        let mut tree = match &ledger {
            Some(ledger) => branches::of(&self.backend, ledger).await?.tree(),
            None => RunTree::new(),
        };
        let mut lacking = Lacking::default();
        for given in &bundle.runs {
            let stored = match &ledger {
                Some(ledger) => self.stored(ledger, &given.id, given.records.len()).await?,
                None => Vec::new(),
            };
            lacking.take(given, &stored, &mut tree)?;
        }
        Ok(lacking)
    }

    /// What a conversation has of a run. A run of that name in another one is not looked at.
    pub(crate) async fn stored(
        &self,
        ledger: &Ledger,
        run: &RunId,
        most: usize,
    ) -> Result<Vec<Stored>, StoreError> {
        let range = position::range(ledger.key);
        let cells = vec![limit(most), run.as_str().into(), range.start.into(), range.end.into()];
        let stored = self.backend.query(sql::RUN, cells, Stored::read).await?;
        let sound = stored.into_iter().map(Stored::sound).collect::<Result<_, _>>();
        sound.map_err(|error| self.backend.locate(error))
    }
}

fn limit(most: usize) -> Cell {
    Cell::Int(i64::try_from(most).unwrap_or(i64::MAX))
}
