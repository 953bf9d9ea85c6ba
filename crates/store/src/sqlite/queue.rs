//! Messages that wait, statement by statement.

use rusqlite::{Connection, params};
use toolwright_core::{ConversationId, MessageId};

use super::{
    statements::{attach, execute, maybe},
    transaction::Transaction,
};
use crate::{
    News, StoreError, Withdrawal, columns::millis, failpoint::failpoint, ledger::Claim,
    queue::Queued, sql,
};

/// Whether there was a conversation for it to wait in.
pub(super) fn queue(
    to: &mut Transaction<'_>,
    id: &ConversationId,
    queued: &Queued,
) -> Result<bool, StoreError> {
    let db = to.db();
    let Some(key) = maybe(db, sql::KEY_OF, [id.as_str()])? else { return Ok(false) };
    let insert = "INSERT INTO queued (conversation, id, mode, at, seal, body)
        VALUES ($1, $2, $3, $4, $5, $6)";
    let (mode, at, seal) = (queued.mode.as_str(), millis(queued.at), queued.seal.as_bytes());
    execute(db, insert, params![key, queued.id.as_str(), mode, at, seal, queued.body])?;
    attach(db, key, &queued.attachments)?;
    to.tell(News::Queue { id: id.clone() });
    failpoint!("store::queue");
    Ok(true)
}

/// What became of it.
pub(super) fn withdraw(
    from: &mut Transaction<'_>,
    id: &ConversationId,
    message: &MessageId,
) -> Result<Withdrawal, StoreError> {
    let db = from.db();
    let Some(key) = maybe(db, sql::KEY_OF, [id.as_str()])? else { return Ok(Withdrawal::Unknown) };
    if execute(db, sql::WITHDRAW, params![key, message.as_str()])? > 0 {
        from.tell(News::Queue { id: id.clone() });
        return Ok(Withdrawal::Withdrawn);
    }
    let waits = maybe(db, sql::WAITS, params![key, message.as_str()])?;
    Ok(if waits.is_some() { Withdrawal::TakenUp } else { Withdrawal::Unknown })
}

/// Which of them are taken up from here on.
pub(super) fn take_up(
    db: &Connection,
    claim: &Claim,
    messages: &[MessageId],
) -> Result<Vec<MessageId>, StoreError> {
    let mut taken = Vec::with_capacity(messages.len());
    for message in messages {
        if execute(db, sql::TAKE, params![claim.epoch, claim.key, message.as_str()])? > 0 {
            taken.push(message.clone());
        }
    }
    Ok(taken)
}

/// It waits no longer.
pub(super) fn take(db: &Connection, key: i64, message: &MessageId) -> Result<usize, StoreError> {
    execute(db, sql::UNQUEUE, params![key, message.as_str()])
}
