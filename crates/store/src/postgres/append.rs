//! What is written, statement by statement. Many conversations' events travel as arrays, so that a
//! commit takes as many round trips for sixty-four runs as for one.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use futures_util::future;
use tokio_postgres::types::ToSql;
use toolwright_core::RunId;

use super::{engine, notice::Notice, session::Session, wire};
use crate::{
    StoreError,
    columns::{Columns, millis},
    failpoint::failpoint,
    import::Addition,
    ledger::{Append, Claim, Entry, Ledger, Points, taken},
    position,
    record::{Mark, Stored},
    sql,
};

/// Whether the server may have seen this before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Never,
    Perhaps,
}

type Results = Vec<Result<(), StoreError>>;

/// Bytes by their digest.
type Blobs = BTreeMap<String, Arc<[u8]>>;

/// Appends in one transaction what fits, and says for each what became of it.
pub(super) async fn commit(
    session: &Session,
    appends: &[&Append],
    sent: Sent,
) -> Result<Results, StoreError> {
    session.batch("BEGIN").await?;
    let results = place(session, appends, sent).await?;
    failpoint!("store::commit");
    session.batch("COMMIT").await?;
    failpoint!("store::committed");
    Ok(results)
}

async fn place(session: &Session, appends: &[&Append], sent: Sent) -> Result<Results, StoreError> {
    let keys: Vec<i64> = appends.iter().map(|append| append.claim.key).collect();
    let begun = appends.iter().flat_map(|append| &append.records).filter(|it| it.seq == 0);
    let begun: Vec<&str> = begun.map(|record| record.run.as_str()).collect();
    let known = "SELECT id FROM run WHERE id = ANY($1)";
    // Sent together, answered in this order.
    let (ledgers, known) =
        future::try_join(async { session.query(sql::LEDGERS_LOCKED, &[&keys]).await }, async {
            session.query(known, &[&begun]).await
        })
        .await?;
    let ledgers = ledgers.iter().map(|row| Ledger::read(row).map(|it| (it.key, it)));
    let mut books = Books {
        ledgers: ledgers.collect::<Result<_, _>>()?,
        runs: known.iter().map(|row| Ok(RunId::from(row.text(0)?))).collect::<Result<_, _>>()?,
        points: points(session, appends).await?,
        entries: Vec::new(),
        changed: HashSet::new(),
    };
    let mut results = Vec::with_capacity(appends.len());
    for append in appends {
        let stands = sent == Sent::Perhaps && stands(session, append).await?;
        results.push(if stands { Ok(()) } else { books.admit(append) });
    }
    failpoint!("store::insert");
    books.write(session).await?;
    Ok(results)
}

/// Where the events stand behind which runs go on. Most go on behind the last, and then nothing is asked.
async fn points(session: &Session, appends: &[&Append]) -> Result<Points, StoreError> {
    let named = appends.iter().flat_map(|append| append.points());
    let (runs, seqs): (Vec<_>, Vec<_>) =
        named.map(|(run, seq)| (run.as_str(), position::place(seq))).unzip();
    if runs.is_empty() {
        return Ok(Points::default());
    }
    let rows = session.query(sql::POINTS, &[&runs, &seqs]).await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(((RunId::from(row.text(0)?), row.int(1)?.unsigned_abs()), row.int(2)?))
    };
    rows.iter().map(read).collect()
}

/// Whether these very events are there.
async fn stands(session: &Session, append: &Append) -> Result<bool, StoreError> {
    let runs: Vec<&str> = append.records.iter().map(|it| it.run.as_str()).collect();
    let seqs: Vec<i64> =
        append.records.iter().map(|it| i64::try_from(it.seq).unwrap_or(i64::MAX)).collect();
    let rows = session.query(sql::THESE, &[&runs, &seqs]).await?;
    let stored = rows.iter().map(|row| Stored::read(row)).collect::<Result<Vec<_>, _>>()?;
    Ok(stored.len() == append.records.len()
        && append.records.iter().zip(&stored).all(|(record, stored)| {
            record.run == stored.run && record.seq == stored.seq && record.is(stored)
        }))
}

/// The rows of a transaction, and what is to be written.
struct Books<'a> {
    ledgers: HashMap<i64, Ledger>,
    runs: HashSet<RunId>,
    points: Points,
    entries: Vec<Entry<'a>>,
    changed: HashSet<i64>,
}

impl<'a> Books<'a> {
    fn admit(&mut self, append: &'a Append) -> Result<(), StoreError> {
        let begun = append.records.iter().filter(|record| record.seq == 0);
        let begun: Vec<&RunId> = begun.map(|record| &record.run).collect();
        let ledger = self.ledgers.get_mut(&append.claim.key);
        let ledger = ledger.ok_or_else(|| StoreError::NotHeld(append.claim.id.clone()))?;
        let mut after = ledger.clone();
        let entries = after.admit(append, &self.points)?;
        if let Some(run) = begun.iter().find(|run| self.runs.contains(**run)) {
            return Err(taken(run));
        }
        *ledger = after;
        self.runs.extend(begun.into_iter().cloned());
        self.entries.extend(entries);
        self.changed.insert(append.claim.key);
        Ok(())
    }

    async fn write(&self, session: &Session) -> Result<(), StoreError> {
        if self.entries.is_empty() {
            return Ok(());
        }
        future::try_join5(
            self.begin(session),
            self.insert(session),
            self.index(session),
            self.attach(session),
            future::try_join4(
                self.update(session),
                self.unqueue(session),
                self.end(session),
                self.tell(session),
            ),
        )
        .await
        .map(drop)
    }

    /// What was kept for runs that end here is needed no longer.
    async fn end(&self, session: &Session) -> Result<(), StoreError> {
        let ended = self.entries.iter().filter(|it| matches!(it.record.mark, Mark::Ended(_)));
        let ended = ended.filter_map(|it| {
            let ledger = self.ledgers.get(&position::key(it.number))?;
            Some((ledger.id.as_str(), it.record.run.as_str()))
        });
        let (ids, runs): (Vec<&str>, Vec<&str>) = ended.unzip();
        if ids.is_empty() {
            return Ok(());
        }
        engine::end(session, &ids, &runs).await
    }

    /// Tells of each conversation once how many events it has.
    async fn tell(&self, session: &Session) -> Result<(), StoreError> {
        let changed = self.changed.iter().filter_map(|key| self.ledgers.get(key));
        let notices: Vec<String> = changed
            .map(|it| {
                Notice::Kept { id: it.id.clone(), events: it.events.unsigned_abs() }.to_text()
            })
            .collect();
        wire::tell(session, &notices).await
    }

    /// What was taken up waits no longer.
    async fn unqueue(&self, session: &Session) -> Result<(), StoreError> {
        let taken = self
            .entries
            .iter()
            .filter_map(|it| Some((position::key(it.number), it.record.queued.as_ref()?.as_str())));
        let (keys, ids): (Vec<i64>, Vec<&str>) = taken.unzip();
        if keys.is_empty() {
            return Ok(());
        }
        let sql = "DELETE FROM queued q USING unnest($1::bigint[], $2::text[]) AS taken (key, id)
            WHERE q.conversation = taken.key AND q.id = taken.id";
        session.execute(sql, &[&keys, &ids]).await.map(drop)
    }

    /// Keeps the bytes of what is attached, where nobody did before, and who has it attached.
    async fn attach(&self, session: &Session) -> Result<(), StoreError> {
        let (keys, digests, blobs) = self.attached();
        if keys.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO blob_use (conversation, digest)
            SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING";
        session.execute(sql, &[&keys, &digests]).await?;
        // One by one: each may be as large as all events together.
        for (digest, bytes) in blobs {
            let sql = "INSERT INTO blob (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            let bytes: &[u8] = &bytes;
            session.execute(sql, &[&digest, &bytes]).await?;
        }
        Ok(())
    }

    /// Who has what attached, and the bytes of it; in one order for everybody, so that two writers
    /// cannot wait for each other.
    fn attached(&self) -> (Vec<i64>, Vec<String>, Blobs) {
        let (mut used, mut blobs) = (BTreeSet::new(), BTreeMap::new());
        for entry in &self.entries {
            for attachment in &entry.record.attachments {
                // Whoever only names a digest gets nothing by that: the bytes may be another one's.
                let Some(bytes) = attachment.bytes() else { continue };
                let digest = attachment.digest.to_string();
                used.insert((position::key(entry.number), digest.clone()));
                blobs.insert(digest, bytes.clone());
            }
        }
        let (keys, digests) = used.into_iter().unzip();
        (keys, digests, blobs)
    }

    async fn begin(&self, session: &Session) -> Result<(), StoreError> {
        let begun = self.entries.iter().filter(|entry| entry.begins());
        let begun: Vec<_> = begun.collect();
        if begun.is_empty() {
            return Ok(());
        }
        let firsts: Vec<i64> = begun.iter().map(|it| it.first).collect();
        let ids: Vec<&str> = begun.iter().map(|it| it.record.run.as_str()).collect();
        let follows: Vec<Option<i64>> = begun.iter().map(|it| it.follows).collect();
        let sql = "INSERT INTO run (first, id, follows)
            SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])";
        session.execute(sql, &[&firsts, &ids, &follows]).await.map(drop)
    }

    async fn insert(&self, session: &Session) -> Result<(), StoreError> {
        let all = || self.entries.iter();
        let numbers: Vec<i64> = all().map(|it| it.number).collect();
        let runs: Vec<i64> = all().map(|it| it.first).collect();
        let rounds: Vec<i64> = all().map(|it| i64::from(it.record.round)).collect();
        let times: Vec<i64> = all().map(|it| millis(it.record.at)).collect();
        let kinds: Vec<&str> = all().map(|it| it.record.kind).collect();
        let bodies: Vec<&str> = all().map(|it| it.record.body.as_str()).collect();
        let seals: Vec<&[u8]> = all().map(|it| it.record.seal.as_bytes()).collect();
        let sql = "INSERT INTO event (position, run, round, at, kind, body, seal)
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[],
                                 $5::text[], $6::text[], $7::bytea[])";
        let values: &[&(dyn ToSql + Sync)] =
            &[&numbers, &runs, &rounds, &times, &kinds, &bodies, &seals];
        session.execute(sql, values).await.map(drop)
    }

    async fn index(&self, session: &Session) -> Result<(), StoreError> {
        let found =
            self.entries.iter().filter_map(|it| Some((it.number, it.record.words.as_deref()?)));
        let (numbers, words): (Vec<_>, Vec<_>) = found.unzip();
        if numbers.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO search (position, words)
            SELECT position, array_to_tsvector(string_to_array(words, ' '))
            FROM unnest($1::bigint[], $2::text[]) AS found (position, words)";
        session.execute(sql, &[&numbers, &words]).await.map(drop)
    }

    async fn update(&self, session: &Session) -> Result<(), StoreError> {
        let changed: Vec<&Ledger> =
            self.changed.iter().filter_map(|key| self.ledgers.get(key)).collect();
        let ints = |value: fn(&Ledger) -> i64| changed.iter().map(|it| value(it)).collect();
        let maybe =
            |value: fn(&Ledger) -> Option<i64>| changed.iter().map(|it| value(it)).collect();
        let (keys, created, updated): (Vec<i64>, Vec<i64>, Vec<i64>) =
            (ints(|it| it.key), ints(|it| it.created_at), ints(|it| it.updated_at));
        let branches: Vec<i64> = ints(|it| it.branches);
        let (runs, messages, events): (Vec<i64>, Vec<i64>, Vec<i64>) =
            (ints(|it| it.runs), ints(|it| it.messages), ints(|it| it.events));
        let snapshots: Vec<Option<i64>> = maybe(|it| it.snapshot);
        let firsts: Vec<Option<i64>> = maybe(|it| it.open.as_ref().map(|open| open.first));
        let open_snapshots: Vec<Option<i64>> =
            maybe(|it| it.open.as_ref().and_then(|open| open.snapshot));
        let titles: Vec<&str> = changed.iter().map(|it| it.title.as_str()).collect();
        let answers: Vec<Option<&str>> =
            changed.iter().map(|it| it.last_answer.as_deref()).collect();
        let open: Vec<Option<&str>> =
            changed.iter().map(|it| it.open.as_ref().map(|open| open.run.as_str())).collect();
        let sql = "UPDATE conversation c SET title = n.title, last_answer = n.last_answer,
                created_at = n.created_at, updated_at = n.updated_at, runs = n.runs,
                messages = n.messages, events = n.events, snapshot = n.snapshot,
                open_run = n.open_run, open_first = n.open_first, open_snapshot = n.open_snapshot,
                branches = n.branches
            FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[],
                        $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::text[],
                        $11::bigint[], $12::bigint[], $13::bigint[])
              AS n (key, title, last_answer, created_at, updated_at, runs, messages, events,
                    snapshot, open_run, open_first, open_snapshot, branches)
            WHERE c.key = n.key";
        session
            .execute(
                sql,
                &[
                    &keys,
                    &titles,
                    &answers,
                    &created,
                    &updated,
                    &runs,
                    &messages,
                    &events,
                    &snapshots,
                    &open,
                    &firsts,
                    &open_snapshots,
                    &branches,
                ],
            )
            .await
            .map(drop)
    }
}

/// How many bytes of events are sent at once.
const CHUNK: usize = 16 << 20;

/// Adds to conversations, those that are new being made: all of it or nothing.
pub(super) async fn import(session: &Session, additions: Vec<Addition>) -> Result<(), StoreError> {
    session.batch("BEGIN").await?;
    let mut chunk = Vec::new();
    let mut size = 0;
    for addition in additions {
        let claim = match &addition.claim {
            Some(claim) => claim.clone(),
            None => create(session, &addition).await?,
        };
        size += addition.records.iter().map(|record| record.body.len()).sum::<usize>();
        chunk.push(Append { claim, records: addition.records });
        if size > CHUNK {
            add(session, &chunk).await?;
            (chunk, size) = (Vec::new(), 0);
        }
    }
    add(session, &chunk).await?;
    failpoint!("store::commit");
    session.batch("COMMIT").await
}

/// A refusal ends the session, and with it the transaction.
async fn add(session: &Session, chunk: &[Append]) -> Result<(), StoreError> {
    let appends: Vec<&Append> = chunk.iter().collect();
    place(session, &appends, Sent::Never).await?.into_iter().collect()
}

async fn create(session: &Session, addition: &Addition) -> Result<Claim, StoreError> {
    let sql = "INSERT INTO conversation (id, epoch, owner) VALUES ($1, nextval('epoch'), $2)
        ON CONFLICT (id) DO NOTHING RETURNING key, epoch";
    let rows = session.query(sql, &[&addition.id.as_str(), &addition.owner]).await?;
    let row = rows.first().ok_or_else(|| addition.appeared())?;
    Ok(Claim { id: addition.id.clone(), key: row.int(0)?, epoch: row.int(1)? })
}

/// Deletes the conversation and everything that was made from it.
pub(super) async fn delete(session: &Session, claim: &Claim) -> Result<(), StoreError> {
    session.batch("BEGIN").await?;
    let conversation = "DELETE FROM conversation WHERE key = $1 AND epoch = $2";
    if session.execute(conversation, &[&claim.key, &claim.epoch]).await? == 0 {
        return Err(StoreError::NotHeld(claim.id.clone()));
    }
    let range = position::range(claim.key);
    for sql in [
        "DELETE FROM search WHERE position >= $1 AND position < $2",
        "DELETE FROM event WHERE position >= $1 AND position < $2",
        "DELETE FROM run WHERE first >= $1 AND first < $2",
    ] {
        session.execute(sql, &[&range.start, &range.end]).await?;
    }
    for sql in [sql::DELETE_BLOBS, sql::DELETE_BLOB_USES, sql::DELETE_QUEUED] {
        session.execute(sql, &[&claim.key]).await?;
    }
    for sql in [sql::DELETE_SPECS, sql::DELETE_INSTRUCTIONS, sql::SPEND_KEYS] {
        session.execute(sql, &[&claim.id.as_str()]).await?;
    }
    session.batch("COMMIT").await
}
