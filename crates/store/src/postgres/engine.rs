//! What those need who drive runs elsewhere, statement by statement.

use toolwright_core::{ConversationId, RunId};

use super::{claim::LOCKS, notice::Notice, session::Session, wire};
use crate::{
    Instructed, KeyClaim, KeyState, StoreError, claim::Claimed, columns::Columns,
    failpoint::failpoint, instruction::SealedInstruction, spec::DAY, sql,
};

/// The database's clock, in milliseconds.
macro_rules! now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    };
}

fn day() -> i64 {
    i64::try_from(DAY.as_millis()).unwrap_or(i64::MAX)
}

pub(super) async fn instruct(
    session: &Session,
    id: &ConversationId,
    run: &RunId,
    instruction: &SealedInstruction,
) -> Result<Instructed, StoreError> {
    // Whoever ends the run meanwhile waits, or is waited for.
    let goes_on = session.query(sql::GOES_ON_LOCKED, &[&id.as_str(), &run.as_str()]).await?;
    if goes_on.is_empty() {
        return Ok(Instructed::NotOpen);
    }
    let SealedInstruction { subject, body } = instruction;
    let left =
        session.execute(sql::INSTRUCT, &[&id.as_str(), &run.as_str(), subject, body]).await?;
    // Whoever cannot tell the engine leaves it to those who look for such.
    not_woken(session, run).await?;
    wire::tell(session, &[Notice::Instructed { id: id.clone() }.to_text()]).await?;
    failpoint!("store::instruct");
    Ok(if left > 0 { Instructed::Taken } else { Instructed::Twice })
}

pub(super) async fn dismiss(
    session: &Session,
    id: &ConversationId,
    run: &RunId,
    subject: &str,
) -> Result<(), StoreError> {
    session.execute(sql::DISMISS, &[&id.as_str(), &run.as_str(), &subject]).await.map(drop)
}

/// What was kept for runs goes with their last events.
pub(super) async fn end(session: &Session, ids: &[&str], runs: &[&str]) -> Result<(), StoreError> {
    let specs = "DELETE FROM spec s USING unnest($1::text[], $2::text[]) AS ended (id, run)
        WHERE s.conversation = ended.id AND s.run = ended.run";
    let instructions = "DELETE FROM instruction i
        USING unnest($1::text[], $2::text[]) AS ended (id, run)
        WHERE i.conversation = ended.id AND i.run = ended.run";
    for sql in [specs, instructions] {
        session.execute(sql, &[&ids, &runs]).await?;
    }
    Ok(())
}

/// Whether there is no such run elsewhere.
pub(super) async fn put_spec(
    session: &Session,
    id: &ConversationId,
    run: &RunId,
    body: &[u8],
) -> Result<bool, StoreError> {
    let upsert = concat!(
        "INSERT INTO spec (run, conversation, made_at, woken_at, body)
         SELECT $1, $2, at, at, $3 FROM (SELECT ",
        now!(),
        " AS at) AS clock ON CONFLICT (run) DO UPDATE SET body = excluded.body,
            made_at = excluded.made_at, woken_at = excluded.woken_at
         WHERE spec.conversation = excluded.conversation"
    );
    let is_put = session.execute(upsert, &[&run.as_str(), &id.as_str(), &body]).await? > 0;
    // A run that is about to begin tells of itself.
    if is_put && !session.query(sql::GOES_ON, &[&id.as_str(), &run.as_str()]).await?.is_empty() {
        wire::tell(session, &[Notice::Instructed { id: id.clone() }.to_text()]).await?;
    }
    Ok(is_put)
}

/// Each is handed out once: whoever changes its row has it.
pub(super) async fn stranded(
    session: &Session,
    idle: i64,
    most: i64,
) -> Result<Vec<(ConversationId, RunId)>, StoreError> {
    let forget = concat!(
        "DELETE FROM spec WHERE run IN (SELECT s.run FROM spec s WHERE s.made_at < ",
        now!(),
        " - $1::bigint AND NOT EXISTS (SELECT 1 FROM conversation c
              WHERE c.id = s.conversation AND c.open_run = s.run)
            LIMIT 100 FOR UPDATE SKIP LOCKED)"
    );
    session.execute(forget, &[&day()]).await?;
    // An event of the future, from a machine whose clock is wrong, does not keep anybody waiting.
    let select = concat!(
        "WITH clock AS MATERIALIZED (SELECT ",
        now!(),
        " AS at),
        held AS MATERIALIZED (
            SELECT (l.classid::bigint << 32) | l.objid::bigint AS number FROM pg_locks l
            WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
              AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())),
        found AS MATERIALIZED (
            SELECT s.run FROM clock, spec s
            JOIN conversation c ON c.id = s.conversation AND c.open_run = s.run
            WHERE (s.woken_at = 0 OR s.woken_at <= clock.at - $1::bigint
                AND NOT (c.updated_at > clock.at - $1::bigint AND c.updated_at <= clock.at))
              AND NOT EXISTS (SELECT 1 FROM held
                  WHERE held.number = hashtextextended(c.id, $3::bigint + c.epoch))
            ORDER BY s.woken_at, s.run LIMIT $2 FOR UPDATE OF s SKIP LOCKED)
        UPDATE spec SET woken_at = clock.at FROM clock, found WHERE spec.run = found.run
        RETURNING spec.conversation, spec.run"
    );
    let rows = session.query(select, &[&idle, &most, &LOCKS]).await?;
    rows.iter().map(|row| Ok((row.text(0)?.into(), row.text(1)?.into()))).collect()
}

pub(super) async fn woken(session: &Session, run: &RunId) -> Result<(), StoreError> {
    let update = concat!("UPDATE spec SET woken_at = ", now!(), " WHERE run = $1");
    session.execute(update, &[&run.as_str()]).await.map(drop)
}

pub(super) async fn not_woken(session: &Session, run: &RunId) -> Result<(), StoreError> {
    session.execute(sql::NOT_WOKEN, &[&run.as_str()]).await.map(drop)
}

pub(super) async fn rest(
    session: &Session,
    run: &RunId,
    known: i64,
    until: i64,
) -> Result<(), StoreError> {
    session.execute(sql::REST, &[&until, &run.as_str(), &known]).await.map(drop)
}

pub(super) async fn claim_key(session: &Session, claim: &KeyClaim) -> Result<KeyState, StoreError> {
    let clock = session.query(concat!("SELECT ", now!()), &[]).await?;
    let now = clock.first().map(|row| row.int(0)).transpose()?.unwrap_or_default();
    let before = now.saturating_sub(day());
    // In nobody's way: whoever else forgets at this moment forgets others.
    let forget = "DELETE FROM claimed_key WHERE (owner, key) IN (SELECT owner, key FROM claimed_key
        WHERE at < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)";
    session.execute(forget, &[&before]).await?;
    let KeyClaim { owner, key, digest, conversation, run } = claim;
    let digest = digest.to_string();
    // Whoever claims it at the same moment is waited for.
    let values: &super::session::Values<'_> =
        &[owner, key, &digest, &conversation.as_str(), &run.as_str(), &now, &before];
    if session.execute(sql::CLAIM, values).await? > 0 {
        return Ok(KeyState::New);
    }
    let rows = session.query(sql::CLAIMED, &[owner, key]).await?;
    let gone = || StoreError::damaged("a row that must be there is not");
    let found = rows.first().ok_or_else(gone)?;
    Ok(Claimed::read(found)?.state(claim))
}
