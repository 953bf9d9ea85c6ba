//! What those need who drive runs elsewhere, statement by statement.

use rusqlite::{Connection, params};
use toolwright_core::{ConversationId, RunId};

use super::{
    reader::rows,
    statements::{execute, maybe},
    transaction::Transaction,
};
use crate::{
    Instructed, KeyClaim, KeyState, News, StoreError, claim::Claimed, columns::Columns,
    failpoint::failpoint, instruction::SealedInstruction, spec::DAY, sql,
};

/// The database's clock, in milliseconds.
fn now(db: &Connection) -> Result<i64, StoreError> {
    let sql = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)";
    Ok(maybe(db, sql, [])?.unwrap_or_default())
}

fn a_day_ago(now: i64) -> i64 {
    now.saturating_sub(i64::try_from(DAY.as_millis()).unwrap_or(i64::MAX))
}

pub(super) fn instruct(
    to: &mut Transaction<'_>,
    id: &ConversationId,
    run: &RunId,
    instruction: &SealedInstruction,
) -> Result<Instructed, StoreError> {
    let db = to.db();
    if maybe(db, sql::GOES_ON, [id.as_str(), run.as_str()])?.is_none() {
        return Ok(Instructed::NotOpen);
    }
    let SealedInstruction { subject, body } = instruction;
    let left = execute(db, sql::INSTRUCT, params![id.as_str(), run.as_str(), subject, body])?;
    // Whoever cannot tell the engine leaves it to those who look for such.
    not_woken(db, run)?;
    to.tell(News::Instructed { id: id.clone() });
    failpoint!("store::instruct");
    Ok(if left > 0 { Instructed::Taken } else { Instructed::Twice })
}

pub(super) fn dismiss(
    db: &Connection,
    id: &ConversationId,
    run: &RunId,
    subject: &str,
) -> Result<(), StoreError> {
    execute(db, sql::DISMISS, [id.as_str(), run.as_str(), subject]).map(drop)
}

/// What was kept for a run goes with its last event.
pub(super) fn end(db: &Connection, id: &ConversationId, run: &RunId) -> Result<(), StoreError> {
    execute(
        db,
        "DELETE FROM spec WHERE run = $1 AND conversation = $2",
        [run.as_str(), id.as_str()],
    )?;
    let instructions = "DELETE FROM instruction WHERE conversation = $1 AND run = $2";
    execute(db, instructions, [id.as_str(), run.as_str()]).map(drop)
}

/// Whether there is no such run elsewhere.
pub(super) fn put_spec(
    to: &mut Transaction<'_>,
    id: &ConversationId,
    run: &RunId,
    body: &[u8],
) -> Result<bool, StoreError> {
    let upsert = "INSERT INTO spec (run, conversation, made_at, woken_at, body)
        VALUES ($1, $2, $3, $3, $4) ON CONFLICT (run) DO UPDATE SET body = excluded.body,
            made_at = excluded.made_at, woken_at = excluded.woken_at
        WHERE spec.conversation = excluded.conversation";
    let db = to.db();
    let now = now(db)?;
    let is_put = execute(db, upsert, params![run.as_str(), id.as_str(), now, body])? > 0;
    // A run that is about to begin tells of itself.
    if is_put && maybe(db, sql::GOES_ON, [id.as_str(), run.as_str()])?.is_some() {
        to.tell(News::Instructed { id: id.clone() });
    }
    Ok(is_put)
}

pub(super) fn stranded(
    db: &Connection,
    idle: i64,
    most: i64,
    is_held: &dyn Fn(&ConversationId) -> bool,
) -> Result<Vec<(ConversationId, RunId)>, StoreError> {
    let now = now(db)?;
    forget(db, now)?;
    // A clock that was set back does not keep anybody waiting.
    let select = "SELECT s.conversation, s.run FROM spec s
        JOIN conversation c ON c.id = s.conversation AND c.open_run = s.run
        WHERE s.woken_at = 0
           OR s.woken_at <= $1 AND NOT (c.updated_at > $1 AND c.updated_at <= $2)
        ORDER BY s.woken_at, s.run";
    let cells = [now.saturating_sub(idle).into(), now.into()];
    let found = rows(db, select, &cells, read)?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let free: Vec<_> = found.into_iter().filter(|(id, _)| !is_held(id)).take(most).collect();
    for (_, run) in &free {
        execute(db, "UPDATE spec SET woken_at = $1 WHERE run = $2", params![now, run.as_str()])?;
    }
    Ok(free)
}

fn read(row: &dyn Columns) -> Result<(ConversationId, RunId), StoreError> {
    Ok((row.text(0)?.into(), row.text(1)?.into()))
}

/// What was kept for runs that nobody began.
fn forget(db: &Connection, now: i64) -> Result<(), StoreError> {
    let forget = "DELETE FROM spec WHERE made_at < $1 AND NOT EXISTS
        (SELECT 1 FROM conversation c WHERE c.id = spec.conversation AND c.open_run = spec.run)";
    execute(db, forget, [a_day_ago(now)]).map(drop)
}

pub(super) fn woken(db: &Connection, run: &RunId) -> Result<(), StoreError> {
    let now = now(db)?;
    let update = "UPDATE spec SET woken_at = $1 WHERE run = $2";
    execute(db, update, params![now, run.as_str()]).map(drop)
}

pub(super) fn not_woken(db: &Connection, run: &RunId) -> Result<(), StoreError> {
    execute(db, sql::NOT_WOKEN, [run.as_str()]).map(drop)
}

pub(super) fn rest(db: &Connection, run: &RunId, known: i64, until: i64) -> Result<(), StoreError> {
    execute(db, sql::REST, params![until, run.as_str(), known]).map(drop)
}

pub(super) fn claim_key(db: &Connection, claim: &KeyClaim) -> Result<KeyState, StoreError> {
    let now = now(db)?;
    let before = a_day_ago(now);
    execute(db, "DELETE FROM claimed_key WHERE at < $1", [before])?;
    let KeyClaim { owner, key, digest, conversation, run } = claim;
    let digest = digest.to_string();
    let values = params![owner, key, digest, conversation.as_str(), run.as_str(), now, before];
    if execute(db, sql::CLAIM, values)? > 0 {
        return Ok(KeyState::New);
    }
    let cells = [owner.as_str().into(), key.as_str().into()];
    let found = rows(db, sql::CLAIMED, &cells, Claimed::read)?.into_iter().next();
    let gone = || StoreError::damaged("a row that must be there is not");
    found.map(|found| found.state(claim)).ok_or_else(gone)
}
