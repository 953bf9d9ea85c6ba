//! Whose a conversation is, statement by statement: the epoch in its row, and the lock on it in that epoch.

use std::time::{SystemTime, UNIX_EPOCH};

use tokio_postgres::Row;
use toolwright_core::ConversationId;

use super::session::{Session, Values};
use crate::{LeaseHolder, StoreError, columns::Columns, ledger::Claim, owner::View};

/// Locks are numbers; this keeps ours apart from those of other programs in the same database. The epoch is
/// added to it.
pub(super) const LOCKS: i64 = 0x546f_6f6c_7772_6774;

pub(super) async fn epoch(
    session: &Session,
    id: &ConversationId,
) -> Result<Option<i64>, StoreError> {
    let rows =
        session.query("SELECT epoch FROM conversation WHERE id = $1", &[&id.as_str()]).await?;
    rows.first().map(|row| row.int(0)).transpose()
}

pub(super) async fn try_lock(
    session: &Session,
    id: &ConversationId,
    epoch: i64,
) -> Result<bool, StoreError> {
    let sql = "SELECT pg_try_advisory_lock(hashtextextended($1, $2::bigint + $3::bigint))";
    let rows = session.query(sql, &[&id.as_str(), &LOCKS, &epoch]).await?;
    Ok(rows.first().is_some_and(|row| row.try_get(0).unwrap_or(false)))
}

pub(super) async fn unlock(
    session: &Session,
    id: &ConversationId,
    epoch: i64,
) -> Result<(), StoreError> {
    let sql = "SELECT pg_advisory_unlock(hashtextextended($1, $2::bigint + $3::bigint))";
    session.query(sql, &[&id.as_str(), &LOCKS, &epoch]).await.map(drop)
}

/// How often it is tried again when the conversation changed hands at the same moment.
const CHANGES: u32 = 10;

/// Makes a conversation that is claimed; `$1` to `$4` are its id, the process, the time and whose it is.
macro_rules! made {
    () => {
        "INSERT INTO conversation (id, epoch, held_by, held_since, owner)
        VALUES ($1, nextval('epoch'), $2 || coalesce(' at ' || host(inet_client_addr()), ''), $3, $4)
        ON CONFLICT (id) DO NOTHING RETURNING key, epoch"
    };
}

/// Takes a conversation from whoever has it in the epoch `$4`; where somebody is writing to it, that is waited
/// for, or with `SKIP LOCKED` nothing is taken.
macro_rules! taken {
    ($wait:literal) => {
        concat!(
            "UPDATE conversation SET epoch = nextval('epoch'),
                held_by = $2 || coalesce(' at ' || host(inet_client_addr()), ''), held_since = $3
            WHERE key = (SELECT key FROM conversation WHERE id = $1 AND epoch = $4
                FOR NO KEY UPDATE ",
            $wait,
            ") RETURNING key, epoch"
        )
    };
}

/// The same, and the lock is taken before anybody can see that there is something to lock.
macro_rules! locked {
    ($claim:expr, $locks:literal) => {
        concat!(
            "WITH claimed AS (",
            $claim,
            ") SELECT key, epoch, pg_try_advisory_lock(hashtextextended($1, ",
            $locks,
            "::bigint + epoch)) FROM claimed"
        )
    };
}

/// Takes the conversation unless somebody has it; `own` is the epoch in which this process has it. It is there
/// from now on.
pub(super) async fn acquire(
    session: &Session,
    id: &ConversationId,
    own: Option<i64>,
    view: &View,
) -> Result<Claim, StoreError> {
    // The server would give the same lock to the same connection twice. Nobody's lock is touched who is not seen.
    let look = "SELECT epoch, owner, CASE WHEN epoch IS DISTINCT FROM $3
              AND ($4::text IS NULL OR owner = $4)
            THEN pg_try_advisory_lock(hashtextextended($1, $2::bigint + epoch)) ELSE false END
        FROM conversation WHERE id = $1";
    let (process, now) = (std::process::id().to_string(), now());
    for _ in 0..CHANGES {
        let found = session.query(look, &[&id.as_str(), &LOCKS, &own, &view.only()]).await?;
        let Some(found) = found.first() else {
            let made = locked!(made!(), "$5");
            let owner = view.owner_of_new();
            let values: &Values<'_> = &[&id.as_str(), &process, &now, &owner, &LOCKS];
            let rows = session.query(made, values).await?;
            match claimed(id, &rows)? {
                Some(claim) => return Ok(claim),
                None => continue,
            }
        };
        if !view.shows(found.maybe_text(1)?) {
            return Err(StoreError::NotFound(id.to_string()));
        }
        if !found.try_get(2).unwrap_or(false) {
            return Err(held(session, id).await);
        }
        let former = found.int(0)?;
        // All the locks of this process wait behind this: it waits for nobody.
        let taken = locked!(taken!("SKIP LOCKED"), "$5");
        let values: &Values<'_> = &[&id.as_str(), &process, &now, &former, &LOCKS];
        let rows = session.query(taken, values).await?;
        unlock(session, id, former).await?;
        if let Some(claim) = claimed(id, &rows)? {
            return Ok(claim);
        }
    }
    Err(held(session, id).await)
}

/// Takes the conversation out of everybody else's hands, whoever that is. It is there from now on.
pub(super) async fn seize(session: &Session, id: &ConversationId) -> Result<Claim, StoreError> {
    let (process, now) = (std::process::id().to_string(), now());
    for _ in 0..CHANGES {
        let rows = match epoch(session, id).await? {
            Some(found) => {
                session.query(taken!(""), &[&id.as_str(), &process, &now, &found]).await?
            }
            None => session.query(made!(), &[&id.as_str(), &process, &now, &None::<&str>]).await?,
        };
        if let Some(claim) = claimed(id, &rows)? {
            return Ok(claim);
        }
    }
    Err(held(session, id).await)
}

/// What was claimed; nothing where somebody else was first.
fn claimed(id: &ConversationId, rows: &[Row]) -> Result<Option<Claim>, StoreError> {
    let claim = |row: &Row| Ok(Claim { id: id.clone(), key: row.int(0)?, epoch: row.int(1)? });
    rows.first().map(claim).transpose()
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}

/// Who has it, as far as they have said.
async fn held(session: &Session, id: &ConversationId) -> StoreError {
    let sql = "SELECT held_by, held_since FROM conversation WHERE id = $1";
    let rows = session.query(sql, &[&id.as_str()]).await.unwrap_or_default();
    let holder = rows.first().and_then(|row| {
        let process = row.maybe_text(0).ok().flatten()?.to_owned();
        Some(LeaseHolder { process, since: row.time(1).ok() })
    });
    StoreError::InUse { id: id.clone(), holder }
}
