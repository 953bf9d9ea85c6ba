//! [`Store::fork`]: a path through a conversation, as a conversation of its own.

use std::{collections::HashMap, ops::Range, sync::Arc};

use toolwright_core::{
    Authenticity, BranchPoint, Conversation, ConversationId, Digest, Event, Run, RunId,
};

use crate::{
    Store, StoreError, branches,
    columns::Cell,
    import::Addition,
    record::{Record, Stored},
    sql,
    state::{self, Piece},
};

/// An event, and whether it was written here.
type Known = (Event, Authenticity);

/// Bytes of what is attached.
type Blobs = HashMap<Digest, Option<Arc<[u8]>>>;

impl Store {
    /// Copies what leads to a point of a conversation, or to its end, into a new conversation. That one has nothing
    /// to do with the first any more: it stays when the first is deleted. Each run gets the id that `name`
    /// gives; one of which only a part leads there ends with it. What was not written here does not become ours by it.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such conversation, [`StoreError::Point`] when there is no such
    /// point, nothing was said before it, or calls had no results there yet.
    pub async fn fork(
        &self,
        id: &ConversationId,
        point: Option<&BranchPoint>,
        into: &ConversationId,
        mut name: impl FnMut() -> RunId,
    ) -> Result<(), StoreError> {
        let runs = self.leading_to(id, point).await?;
        if runs.is_empty() {
            let what = "nothing was said before that point: begin a new conversation instead";
            return Err(StoreError::Point(what));
        }
        let (mut records, mut blobs) = (Vec::new(), Blobs::new());
        for run in runs {
            let new = name();
            for (mut event, authenticity) in ended(run)? {
                event.run = new.clone();
                event.kind.move_to(into);
                self.fill(id, &event, &mut blobs).await?;
                for mut record in Record::all([&event])? {
                    if authenticity == Authenticity::Authentic {
                        record.sign(&self.key, into);
                    }
                    records.push(record);
                }
            }
        }
        let owner = self.view.owner_of_new().map(str::to_owned);
        let id = into.clone();
        self.backend.import(vec![Addition { id, claim: None, owner, records }]).await
    }

    /// The runs that lead to a point, the oldest first, each as far as it does.
    async fn leading_to(
        &self,
        id: &ConversationId,
        point: Option<&BranchPoint>,
    ) -> Result<Vec<Vec<Known>>, StoreError> {
        let located = |error| self.backend.locate(error);
        let ledger = self.ledger(id).await?.filter(|ledger| ledger.runs > 0);
        let ledger = ledger.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
        let runs = branches::of(&self.backend, &ledger).await?;
        let until = match point {
            Some(point) => runs.until(point).ok_or_else(branches::no_such_point)?,
            None => runs.end(),
        };
        let (mut found, mut said) = (Vec::<Vec<Known>>::new(), Vec::new());
        for stretch in runs.path(until).map_err(located)? {
            for stored in self.stretch(stretch).await? {
                let authenticity = stored.authenticity(&self.key, id);
                said.extend(Piece::of(&stored, authenticity).map_err(located)?);
                let event = stored.into_event().map_err(located)?;
                match found.last_mut() {
                    Some(run) if run.first().is_some_and(|(first, _)| first.run == event.run) => {
                        run.push((event, authenticity));
                    }
                    _ => found.push(vec![(event, authenticity)]),
                }
            }
        }
        match state::unanswered(&said) {
            0 => Ok(found),
            _ => Err(branches::between_calls()),
        }
    }

    async fn stretch(&self, stretch: Range<i64>) -> Result<Vec<Stored>, StoreError> {
        let cells = vec![stretch.start.into(), stretch.end.into(), Cell::Int(i64::MAX)];
        let stored = self.backend.query(sql::EVENTS, cells, Stored::read).await?;
        let sound = stored.into_iter().map(Stored::sound).collect::<Result<_, _>>();
        sound.map_err(|error| self.backend.locate(error))
    }

    /// Gives what is attached to an event its bytes, so that they are kept with the copy, too.
    async fn fill(
        &self,
        id: &ConversationId,
        event: &Event,
        blobs: &mut Blobs,
    ) -> Result<(), StoreError> {
        for attachment in event.kind.attachments() {
            let digest = attachment.digest;
            if let std::collections::hash_map::Entry::Vacant(entry) = blobs.entry(digest) {
                entry.insert(self.attachment(id, &digest).await?);
            }
            if let Some(Some(bytes)) = blobs.get(&digest) {
                attachment.fill(bytes.clone()).map_err(StoreError::damaged)?;
            }
        }
        Ok(())
    }
}

/// The run with an end, where it has none.
fn ended(mut run: Vec<Known>) -> Result<Vec<Known>, StoreError> {
    let Some((last, _)) = run.last().filter(|(last, _)| !last.kind.is_terminal()) else {
        return Ok(run);
    };
    let at = last.at;
    let events = run.iter().map(|(event, authenticity)| (event, *authenticity));
    let replayed = Run::replay_mixed(Conversation::new(), events);
    let end = replayed.and_then(|mut run| run.cut_short(at)).map_err(StoreError::damaged)?;
    run.extend(end.into_iter().map(|event| (event, Authenticity::Authentic)));
    Ok(run)
}
