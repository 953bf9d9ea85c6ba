//! What is written, statement by statement.

use rusqlite::{Connection, OptionalExtension, params};
use toolwright_core::{Attachment, ConversationId};

use super::{connection::error, engine, queue, reader::rows, transaction::Transaction};
use crate::{
    News, StoreError,
    columns::{Cell, millis},
    failpoint::failpoint,
    import::Addition,
    ledger::{Append, Claim, Entry, Ledger, Points, taken},
    owner::View,
    position,
    record::{self, Mark},
    sql,
};

/// Takes the conversation out of everybody else's hands. It is there from now on.
pub(super) fn claim(
    db: &Connection,
    id: &ConversationId,
    view: &View,
) -> Result<Claim, StoreError> {
    let epoch = "UPDATE counter SET epoch = epoch + 1 RETURNING epoch";
    let epoch: i64 = one(db, epoch, [])?;
    let upsert = "INSERT INTO conversation (id, epoch, owner) VALUES ($1, $2, $3)
        ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch
        WHERE $4 IS NULL OR conversation.owner = $4 RETURNING key";
    let values = params![id.as_str(), epoch, view.owner_of_new(), view.only()];
    let key = maybe(db, upsert, values)?;
    let key = key.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
    Ok(Claim { id: id.clone(), key, epoch })
}

/// Appends events, if they fit.
pub(super) fn append(to: &mut Transaction<'_>, append: &Append) -> Result<(), StoreError> {
    let db = to.db();
    let ledger = rows(db, sql::LEDGER, &[append.claim.key.into()], Ledger::read)?;
    let gone = || StoreError::NotHeld(append.claim.id.clone());
    let mut ledger = ledger.into_iter().next().ok_or_else(gone)?;
    let mut points = Points::default();
    for (run, seq) in append.points() {
        let number = maybe(db, sql::POINT, params![position::place(seq), run.as_str()])?;
        points.extend(number.map(|number| ((run.clone(), seq), number)));
    }
    let entries = ledger.admit(append, &points)?;
    failpoint!("store::insert");
    for entry in &entries {
        if entry.begins() {
            begin(db, entry)?;
        }
        insert(db, entry)?;
        attach(db, append.claim.key, &entry.record.attachments)?;
        if let Some(message) = &entry.record.queued {
            queue::take(db, append.claim.key, message)?;
        }
        if let Some(words) = &entry.record.words {
            to.index(entry.number, words);
        }
        if let Mark::Ended(_) = entry.record.mark {
            engine::end(db, &ledger.id, &entry.record.run)?;
        }
    }
    to.tell(News::Kept { id: ledger.id.clone(), events: ledger.events.unsigned_abs() });
    update(db, &ledger)
}

fn begin(db: &Connection, entry: &Entry<'_>) -> Result<(), StoreError> {
    let run = &entry.record.run;
    let insert =
        "INSERT INTO run (first, id, follows) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING";
    match execute(db, insert, params![entry.first, run.as_str(), entry.follows])? {
        0 => Err(taken(run)),
        _ => Ok(()),
    }
}

fn insert(db: &Connection, entry: &Entry<'_>) -> Result<(), StoreError> {
    let record = entry.record;
    let insert = "INSERT INTO event (position, run, round, at, kind, seal, body)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let (at, seal) = (millis(record.at), record.seal.as_bytes());
    let values =
        params![entry.number, entry.first, record.round, at, record.kind, seal, record.body];
    execute(db, insert, values).map(drop)
}

/// Keeps the bytes of what is attached, where nobody did before, and who has it attached. Whoever only names
/// a digest gets nothing by that: the bytes may be another one's.
pub(super) fn attach(
    db: &Connection,
    key: i64,
    attachments: &[Attachment],
) -> Result<(), StoreError> {
    let attached = attachments.iter().filter_map(|it| Some((it, it.bytes()?)));
    for (attachment, bytes) in attached {
        let digest = attachment.digest.to_string();
        let used =
            "INSERT INTO blob_use (conversation, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        execute(db, used, params![key, digest])?;
        let insert = "INSERT INTO blob (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        execute(db, insert, params![digest, &**bytes])?;
    }
    Ok(())
}

fn update(db: &Connection, ledger: &Ledger) -> Result<(), StoreError> {
    let open = ledger.open.as_ref();
    let update = "UPDATE conversation SET title = $1, last_answer = $2, created_at = $3,
        updated_at = $4, runs = $5, messages = $6, events = $7, snapshot = $8, open_run = $9,
        open_first = $10, open_snapshot = $11, branches = $12 WHERE key = $13";
    let values = params![
        ledger.title,
        ledger.last_answer,
        ledger.created_at,
        ledger.updated_at,
        ledger.runs,
        ledger.messages,
        ledger.events,
        ledger.snapshot,
        open.map(|it| it.run.as_str()),
        open.map(|it| it.first),
        open.and_then(|it| it.snapshot),
        ledger.branches,
        ledger.key,
    ];
    execute(db, update, values).map(drop)
}

/// Adds to conversations, those that are new being made.
pub(super) fn import(to: &mut Transaction<'_>, additions: &[Addition]) -> Result<(), StoreError> {
    for addition in additions {
        let claim = match &addition.claim {
            Some(claim) => claim.clone(),
            None => {
                let exists = "SELECT key FROM conversation WHERE id = $1";
                if maybe(to.db(), exists, [addition.id.as_str()])?.is_some() {
                    return Err(addition.appeared());
                }
                claim(to.db(), &addition.id, &View::beginning_for(addition.owner.as_deref()))?
            }
        };
        append(to, &Append { claim, records: addition.records.clone() })?;
    }
    Ok(())
}

/// Whether there was a conversation to rename.
pub(super) fn rename(
    db: &Connection,
    id: &ConversationId,
    title: &str,
) -> Result<bool, StoreError> {
    execute(db, sql::RENAME, [title, id.as_str()]).map(|renamed| renamed > 0)
}

/// Deletes the conversation and everything that was made from it.
pub(super) fn delete(from: &mut Transaction<'_>, claim: &Claim) -> Result<(), StoreError> {
    let db = from.db();
    let conversation = "DELETE FROM conversation WHERE key = $1 AND epoch = $2";
    if execute(db, conversation, [claim.key, claim.epoch])? == 0 {
        return Err(StoreError::NotHeld(claim.id.clone()));
    }
    let range = position::range(claim.key);
    unindex(db, range.start, range.end)?;
    let bounds = [range.start, range.end];
    execute(db, "DELETE FROM event WHERE position >= $1 AND position < $2", bounds)?;
    execute(db, "DELETE FROM run WHERE first >= $1 AND first < $2", bounds)?;
    execute(db, sql::DELETE_BLOBS, [claim.key])?;
    execute(db, sql::DELETE_BLOB_USES, [claim.key])?;
    execute(db, sql::DELETE_QUEUED, [claim.key])?;
    execute(db, sql::DELETE_SPECS, [claim.id.as_str()])?;
    execute(db, sql::DELETE_INSTRUCTIONS, [claim.id.as_str()])?;
    execute(db, sql::SPEND_KEYS, [claim.id.as_str()])?;
    from.leave_no_trace();
    Ok(())
}

/// The index keeps no text, so it must be told again what it was given.
fn unindex(db: &Connection, start: i64, end: i64) -> Result<(), StoreError> {
    let select = "SELECT position, body FROM event
        WHERE position >= $1 AND position < $2 AND kind IN ('message', 'reply', 'call_finished')";
    let mut select = db.prepare_cached(select).map_err(|it| error(&it))?;
    let mut events = select.query([start, end]).map_err(|it| error(&it))?;
    while let Some(event) = events.next().map_err(|it| error(&it))? {
        let body = event.get_ref(1).map_err(|it| error(&it))?;
        // A body that cannot be read must not keep anybody from deleting it.
        let words = body.as_str().ok().and_then(|body| record::words_of(body).ok().flatten());
        let Some(words) = words else { continue };
        let number: i64 = event.get(0).map_err(|it| error(&it))?;
        let remove = "INSERT INTO search (search, rowid, words) VALUES ('delete', $1, $2)";
        execute(db, remove, params![number, words])?;
    }
    Ok(())
}

pub(super) fn execute(
    db: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<usize, StoreError> {
    let mut statement = db.prepare_cached(sql).map_err(|it| error(&it))?;
    statement.execute(values).map_err(|it| error(&it))
}

/// As [`execute`], with values as both databases take them.
pub(super) fn execute_cells(db: &Connection, sql: &str, cells: &[Cell]) -> Result<u64, StoreError> {
    execute(db, sql, rusqlite::params_from_iter(cells))
        .map(|changed| u64::try_from(changed).unwrap_or(u64::MAX))
}

fn one(db: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<i64, StoreError> {
    maybe(db, sql, values)?.ok_or_else(|| StoreError::damaged("a row that must be there is not"))
}

pub(super) fn maybe(
    db: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Option<i64>, StoreError> {
    let mut statement = db.prepare_cached(sql).map_err(|it| error(&it))?;
    statement.query_row(values, |row| row.get(0)).optional().map_err(|it| error(&it))
}
