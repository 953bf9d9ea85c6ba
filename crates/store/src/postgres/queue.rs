//! Messages that wait, statement by statement.

use tokio_postgres::types::ToSql;
use toolwright_core::{ConversationId, MessageId};

use super::{notice::Notice, session::Session, wire};
use crate::{
    StoreError, Withdrawal,
    columns::{Columns, millis},
    failpoint::failpoint,
    ledger::Claim,
    queue::Queued,
    sql,
};

/// Whether there was a conversation for it to wait in.
pub(super) async fn queue(
    session: &Session,
    id: &ConversationId,
    queued: &Queued,
) -> Result<bool, StoreError> {
    // Whoever deletes the conversation meanwhile waits, or is waited for.
    let rows = session.query(sql::KEY_LOCKED, &[&id.as_str()]).await?;
    let Some(key) = rows.first().map(|row| row.int(0)).transpose()? else { return Ok(false) };
    let insert = "INSERT INTO queued (conversation, id, mode, at, seal, body)
        VALUES ($1, $2, $3, $4, $5, $6)";
    let (mode, at, seal) = (queued.mode.as_str(), millis(queued.at), queued.seal.as_bytes());
    let (message, body) = (queued.id.as_str(), queued.body.as_str());
    session.execute(insert, &[&key, &message, &mode, &at, &seal, &body]).await?;
    for attachment in &queued.attachments {
        // Whoever only names a digest gets nothing by that: the bytes may be another one's.
        let Some(bytes) = attachment.bytes() else { continue };
        let (digest, bytes): (_, &[u8]) = (attachment.digest.to_string(), bytes);
        let used =
            "INSERT INTO blob_use (conversation, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        session.execute(used, &[&key, &digest]).await?;
        let insert = "INSERT INTO blob (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        session.execute(insert, &[&digest, &bytes]).await?;
    }
    wire::tell(session, &[Notice::Queue { id: id.clone() }.to_text()]).await?;
    failpoint!("store::queue");
    Ok(true)
}

/// What became of it.
pub(super) async fn withdraw(
    session: &Session,
    id: &ConversationId,
    message: &MessageId,
) -> Result<Withdrawal, StoreError> {
    let rows = session.query(sql::KEY_OF, &[&id.as_str()]).await?;
    let Some(key) = rows.first().map(|row| row.int(0)).transpose()? else {
        return Ok(Withdrawal::Unknown);
    };
    // Whoever takes it up at the same moment has its row, and is waited for.
    if session.execute(sql::WITHDRAW, &[&key, &message.as_str()]).await? > 0 {
        wire::tell(session, &[Notice::Queue { id: id.clone() }.to_text()]).await?;
        return Ok(Withdrawal::Withdrawn);
    }
    let waits = session.query(sql::WAITS, &[&key, &message.as_str()]).await?;
    Ok(if waits.is_empty() { Withdrawal::Unknown } else { Withdrawal::TakenUp })
}

/// Which of them are taken up from here on.
pub(super) async fn take_up(
    session: &Session,
    claim: &Claim,
    messages: &[MessageId],
) -> Result<Vec<MessageId>, StoreError> {
    let mut taken = Vec::with_capacity(messages.len());
    for message in messages {
        let values: [&(dyn ToSql + Sync); 3] = [&claim.epoch, &claim.key, &message.as_str()];
        if session.execute(sql::TAKE, &values).await? > 0 {
            taken.push(message.clone());
        }
    }
    Ok(taken)
}
