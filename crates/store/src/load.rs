//! [`load`]: a conversation read from its log, for whoever holds it and for those who only look.
//!
//! Only what stood in the log when its row was read counts: somebody else may be at work in it.

use toolwright_core::{Conversation, ConversationId, Run};

use crate::{
    ConversationState, LogKey, StoreError,
    backend::Backend,
    branches::{self, Runs},
    ledger::Ledger,
    position,
    record::Stored,
    sql,
    state::{self, Piece},
};

/// What was said so far, and the run that has not ended, if there is one.
pub(crate) async fn load(
    backend: &Backend,
    key: &LogKey,
    ledger: &Ledger,
) -> Result<ConversationState, StoreError> {
    let (id, range) = (&ledger.id, position::range(ledger.key));
    let end = range.start.saturating_add(ledger.events);
    let until = ledger.open.as_ref().map_or(end, |open| open.first);
    let pieces = match ledger.branches {
        0 => {
            let stretch = ledger.snapshot.unwrap_or(range.start)..until;
            state::said(backend, key, id, stretch).await?
        }
        _ => {
            let runs = branches::of(backend, ledger).await?;
            leading_to(backend, key, id, &runs, runs.before(until)).await?
        }
    };
    let history = state::fold(pieces);
    let unfinished = match &ledger.open {
        Some(open) => {
            let stored = vec![open.first.into(), end.into()];
            let stored = backend.query(sql::REPLAYED, stored, Stored::read).await?;
            Some(replay(key, id, stored, &history).map_err(|error| backend.locate(error))?)
        }
        None => None,
    };
    Ok(ConversationState { history, unfinished })
}

fn replay(
    key: &LogKey,
    id: &ConversationId,
    stored: Vec<Stored>,
    history: &Conversation,
) -> Result<Run, StoreError> {
    let events = stored.into_iter().map(|stored| {
        let stored = stored.sound()?;
        let authenticity = stored.authenticity(key, id);
        Ok((stored.into_event()?, authenticity))
    });
    let events = events.collect::<Result<Vec<_>, StoreError>>()?;
    let events = events.iter().map(|(event, authenticity)| (event, *authenticity));
    Run::replay_mixed(history.clone(), events).map_err(StoreError::damaged)
}

/// What leads to this number.
pub(crate) async fn leading_to(
    backend: &Backend,
    key: &LogKey,
    id: &ConversationId,
    runs: &Runs,
    until: i64,
) -> Result<Vec<Piece>, StoreError> {
    let path = runs.path(until).map_err(|error| backend.locate(error))?;
    let mut pieces = Vec::new();
    for stretch in path {
        pieces.extend(state::said(backend, key, id, stretch).await?);
    }
    Ok(pieces)
}
