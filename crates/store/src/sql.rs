//! The statements that both databases understand. `$1` stands for the first value in either.

/// A conversation's row; see `Ledger::read`.
macro_rules! ledger {
    ($tail:literal) => {
        concat!(
            "SELECT key, id, epoch, title, last_answer, created_at, updated_at, runs, messages, ",
            "events, snapshot, open_run, open_first, open_snapshot, branches, owner FROM conversation ",
            $tail
        )
    };
}

/// The columns of a summary; see `ConversationSummary::read`.
macro_rules! summary {
    ($tail:literal) => {
        concat!(
            "SELECT c.id, c.title, c.created_at, c.updated_at, c.runs, c.messages, c.open_run, ",
            "c.last_answer, c.owner",
            $tail
        )
    };
}

/// Events with the id of their run; see `Stored::read`.
macro_rules! stored {
    ($tail:literal) => {
        concat!(
            "SELECT e.position, e.run, r.id, e.round, e.at, e.body, e.kind, e.seal
             FROM event e JOIN run r ON r.first = e.run ",
            $tail
        )
    };
}

/// Of which format the database is now, where it can be read.
#[cfg(feature = "sqlite")]
pub(crate) const CONDITION_SQLITE: &str =
    "SELECT user_version, EXISTS(SELECT 1 FROM conversation) FROM pragma_user_version";
#[cfg(feature = "postgres")]
pub(crate) const CONDITION_POSTGRES: &str =
    "SELECT version, EXISTS(SELECT 1 FROM conversation) FROM format";

pub(crate) const LEDGER: &str = ledger!("WHERE key = $1");
pub(crate) const LEDGER_OF: &str = ledger!("WHERE id = $1");
/// PostgreSQL only: in one order for everybody, so that two writers cannot wait for each other.
#[cfg(feature = "postgres")]
pub(crate) const LEDGERS_LOCKED: &str = ledger!("WHERE key = ANY($1) ORDER BY key FOR UPDATE");

// A conversation that was held and never written to has no run and is not shown.
pub(crate) const NEWEST: &str = summary!(
    " FROM conversation c WHERE c.runs > 0 ORDER BY c.updated_at DESC, c.id DESC LIMIT $1"
);
pub(crate) const NEWEST_BEFORE: &str = summary!(
    " FROM conversation c WHERE c.runs > 0 AND (c.updated_at, c.id) < ($1, $2)
      ORDER BY c.updated_at DESC, c.id DESC LIMIT $3"
);
/// What is called `_OWNED` is the same for one owner's alone: the owner is the value that is named first, or, where
/// words are searched for, the one behind them. SQLite counts values in the order in which they first occur.
pub(crate) const NEWEST_OWNED: &str = summary!(
    " FROM conversation c WHERE c.runs > 0 AND c.owner = $1
      ORDER BY c.updated_at DESC, c.id DESC LIMIT $2"
);
pub(crate) const NEWEST_BEFORE_OWNED: &str = summary!(
    " FROM conversation c WHERE c.runs > 0 AND c.owner = $1 AND (c.updated_at, c.id) < ($2, $3)
      ORDER BY c.updated_at DESC, c.id DESC LIMIT $4"
);
pub(crate) const BEGINNING_WITH: &str = summary!(
    " FROM conversation c WHERE c.runs > 0 AND c.id >= $1 AND c.id < $2 ORDER BY c.id LIMIT $3"
);
pub(crate) const BEGINNING_WITH_OWNED: &str = summary!(
    " FROM conversation c WHERE c.runs > 0 AND c.owner = $1 AND c.id >= $2 AND c.id < $3
      ORDER BY c.id LIMIT $4"
);
pub(crate) const SUMMARY_OF: &str = summary!(" FROM conversation c WHERE c.runs > 0 AND c.id = $1");
/// Gives a conversation another title. Every append reads the row it writes back within its own
/// transaction, and only gives a title to one that has none: the name stays.
pub(crate) const RENAME: &str = "UPDATE conversation SET title = $1 WHERE id = $2 AND runs > 0";
/// The newest match of each conversation, with the event's time, kind, body and seal, and its run.
#[cfg(feature = "sqlite")]
pub(crate) const MATCHES_SQLITE: &str = summary!(
    ", e.at, e.kind, e.body, e.seal, r.id FROM (
        SELECT m.position FROM (
            SELECT max(rowid) AS position FROM search WHERE search MATCH $1 GROUP BY rowid >> 32
        ) m JOIN conversation c ON c.key = m.position >> 32
        ORDER BY c.updated_at DESC, c.id DESC LIMIT $2
    ) m JOIN conversation c ON c.key = m.position >> 32 JOIN event e ON e.position = m.position
    JOIN run r ON r.first = e.run ORDER BY c.updated_at DESC, c.id DESC"
);
#[cfg(feature = "sqlite")]
pub(crate) const MATCHES_SQLITE_OWNED: &str = summary!(
    ", e.at, e.kind, e.body, e.seal, r.id FROM (
        SELECT m.position FROM (
            SELECT max(rowid) AS position FROM search WHERE search MATCH $1 GROUP BY rowid >> 32
        ) m JOIN conversation c ON c.key = m.position >> 32 WHERE c.owner = $2
        ORDER BY c.updated_at DESC, c.id DESC LIMIT $3
    ) m JOIN conversation c ON c.key = m.position >> 32 JOIN event e ON e.position = m.position
    JOIN run r ON r.first = e.run ORDER BY c.updated_at DESC, c.id DESC"
);
#[cfg(feature = "postgres")]
pub(crate) const MATCHES_POSTGRES_OWNED: &str = summary!(
    ", e.at, e.kind, e.body, e.seal, r.id FROM (
        SELECT m.position FROM (
            SELECT max(position) AS position FROM search WHERE words @@ $1::text::tsquery
            GROUP BY position >> 32
        ) m JOIN conversation c ON c.key = m.position >> 32 WHERE c.owner = $2
        ORDER BY c.updated_at DESC, c.id DESC LIMIT $3
    ) m JOIN conversation c ON c.key = m.position >> 32 JOIN event e ON e.position = m.position
    JOIN run r ON r.first = e.run ORDER BY c.updated_at DESC, c.id DESC"
);
#[cfg(feature = "postgres")]
pub(crate) const MATCHES_POSTGRES: &str = summary!(
    ", e.at, e.kind, e.body, e.seal, r.id FROM (
        SELECT m.position FROM (
            SELECT max(position) AS position FROM search WHERE words @@ $1::text::tsquery
            GROUP BY position >> 32
        ) m JOIN conversation c ON c.key = m.position >> 32
        ORDER BY c.updated_at DESC, c.id DESC LIMIT $2
    ) m JOIN conversation c ON c.key = m.position >> 32 JOIN event e ON e.position = m.position
    JOIN run r ON r.first = e.run ORDER BY c.updated_at DESC, c.id DESC"
);

/// The bytes of something that is attached in a conversation.
pub(crate) const BLOB: &str = "SELECT b.bytes FROM blob b JOIN blob_use u ON u.digest = b.digest
    WHERE u.conversation = $1 AND u.digest = $2";
/// The same, by the conversation's id.
pub(crate) const BLOB_OF: &str = "SELECT b.bytes FROM blob b
    JOIN blob_use u ON u.digest = b.digest JOIN conversation c ON c.key = u.conversation
    WHERE c.id = $1 AND u.digest = $2";
/// Deletes what is attached in this conversation and in no other.
pub(crate) const DELETE_BLOBS: &str = "DELETE FROM blob WHERE digest IN
      (SELECT digest FROM blob_use WHERE conversation = $1)
    AND NOT EXISTS (SELECT 1 FROM blob_use u WHERE u.digest = blob.digest AND u.conversation <> $1)";
pub(crate) const DELETE_BLOB_USES: &str = "DELETE FROM blob_use WHERE conversation = $1";

/// A conversation's key.
pub(crate) const KEY_OF: &str = "SELECT key FROM conversation WHERE id = $1 AND runs > 0";
/// PostgreSQL only: the same, and it stays until the transaction ends.
#[cfg(feature = "postgres")]
pub(crate) const KEY_LOCKED: &str =
    "SELECT key FROM conversation WHERE id = $1 AND runs > 0 FOR KEY SHARE";
/// What waits in a conversation, in order; see `Queued::read`.
pub(crate) const QUEUED: &str = "SELECT q.id, q.mode, q.at, q.seal, q.body FROM conversation c
    JOIN queued q ON q.conversation = c.key WHERE c.id = $1 ORDER BY q.number";
/// A message waits no longer.
pub(crate) const UNQUEUE: &str = "DELETE FROM queued WHERE conversation = $1 AND id = $2";
/// A run takes a message up, whoever holds the conversation in this epoch: from here on it is not taken back.
/// SQLite counts values in the order in which they first occur.
pub(crate) const TAKE: &str = "UPDATE queued SET taker = $1 WHERE conversation = $2 AND id = $3
    AND EXISTS (SELECT 1 FROM conversation WHERE key = $2 AND epoch = $1)";
/// A message is taken back, unless it is being taken up.
pub(crate) const WITHDRAW: &str = "DELETE FROM queued WHERE conversation = $1 AND id = $2
    AND (taker IS NULL OR taker <> (SELECT epoch FROM conversation WHERE key = $1))";
pub(crate) const WAITS: &str = "SELECT 1 FROM queued WHERE conversation = $1 AND id = $2";
/// Whether an event of a conversation names a message as taken up: `$3` is how JSON has that in it.
pub(crate) const TAKEN_UP: &str = "SELECT e.position FROM event e WHERE e.position >= $1
    AND e.position < $2 AND e.kind = 'message' AND e.body LIKE $3 ESCAPE '!' LIMIT 1";
pub(crate) const DELETE_QUEUED: &str = "DELETE FROM queued WHERE conversation = $1";

/// What was left for a run, in order; see `instruction::read`.
pub(crate) const INSTRUCTIONS: &str = "SELECT i.subject, i.body FROM instruction i
    WHERE i.conversation = $1 AND i.run = $2 ORDER BY i.number";
/// Whether a run goes on.
pub(crate) const GOES_ON: &str = "SELECT key FROM conversation WHERE id = $1 AND open_run = $2";
/// PostgreSQL only: the same, and it stays so until the transaction ends.
#[cfg(feature = "postgres")]
pub(crate) const GOES_ON_LOCKED: &str =
    "SELECT key FROM conversation WHERE id = $1 AND open_run = $2 FOR KEY SHARE";
pub(crate) const INSTRUCT: &str = "INSERT INTO instruction (conversation, run, subject, body)
    VALUES ($1, $2, $3, $4) ON CONFLICT (conversation, run, subject) DO NOTHING";
pub(crate) const DISMISS: &str =
    "DELETE FROM instruction WHERE conversation = $1 AND run = $2 AND subject = $3";
/// How a run was asked for.
pub(crate) const SPEC: &str = "SELECT body FROM spec WHERE conversation = $1 AND run = $2";
pub(crate) const HAS_SPEC: &str = "SELECT 1 FROM spec WHERE conversation = $1 AND run = $2";
/// Whoever looks for runs that nobody drives is handed this one at once.
pub(crate) const NOT_WOKEN: &str = "UPDATE spec SET woken_at = 0 WHERE run = $1";
/// They are not handed it before then, unless more was left for it than so many.
pub(crate) const REST: &str = "UPDATE spec SET woken_at = $1 WHERE run = $2 AND
    (SELECT COUNT(*) FROM instruction i WHERE i.conversation = spec.conversation AND i.run = spec.run) <= $3";
/// What goes with a conversation: `$1` is its id.
/// What was asked in a conversation that is gone is not asked again: its keys are another request's from now on.
pub(crate) const SPEND_KEYS: &str = "UPDATE claimed_key SET digest = '' WHERE conversation = $1";
pub(crate) const DELETE_SPECS: &str = "DELETE FROM spec WHERE conversation = $1";
pub(crate) const DELETE_INSTRUCTIONS: &str = "DELETE FROM instruction WHERE conversation = $1";
/// What a key was used for; see `Claimed::read`.
pub(crate) const CLAIMED: &str =
    "SELECT digest, conversation, run FROM claimed_key WHERE owner = $1 AND key = $2";
/// A key is claimed at `$6`, unless it was after `$7`.
pub(crate) const CLAIM: &str = "INSERT INTO claimed_key (owner, key, digest, conversation, run, at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (owner, key) DO UPDATE SET digest = excluded.digest,
        conversation = excluded.conversation, run = excluded.run, at = excluded.at
    WHERE claimed_key.at < $7";
/// The key of the log, as it was noted.
pub(crate) const NOTED_KEY: &str = "SELECT check_value FROM log_key";
pub(crate) const NOTE_KEY: &str =
    "INSERT INTO log_key (one, check_value) VALUES (1, $1) ON CONFLICT (one) DO NOTHING";

/// What tells a database of PostgreSQL from every other; a copy that was restored elsewhere is another one.
pub(crate) const DATABASE_ID: &str =
    "SELECT server.system_identifier::text || ' ' || own.oid::text || ' ' ||
        coalesce(current_schema(), '')
    FROM pg_control_system() AS server, pg_database AS own WHERE own.datname = current_database()";

/// The runs of a conversation in order: see `RunRow::read`.
pub(crate) const RUNS: &str =
    "SELECT first, id, follows FROM run WHERE first >= $1 AND first < $2 ORDER BY first";
/// The number of an event of a run. SQLite counts values in the order in which they first occur.
#[cfg(feature = "sqlite")]
pub(crate) const POINT: &str = "SELECT e.position FROM run r
    JOIN event e ON e.position = r.first + $1 AND e.run = r.first WHERE r.id = $2";
/// PostgreSQL only: the numbers of those of these events that are there.
#[cfg(feature = "postgres")]
pub(crate) const POINTS: &str = "SELECT wanted.run, wanted.seq, e.position
    FROM unnest($1::text[], $2::bigint[]) AS wanted (run, seq)
    JOIN run r ON r.id = wanted.run
    JOIN event e ON e.position = r.first + wanted.seq AND e.run = r.first";
/// What finished runs said, from one number to before another.
pub(crate) const HISTORY: &str = stored!(
    "WHERE e.position >= $1 AND e.position < $2
      AND e.kind IN ('message', 'reply', 'call_finished', 'compacted')
    ORDER BY e.position"
);
/// As [`EVENTS`], without the bodies that a replay does not look at and that can be large.
pub(crate) const REPLAYED: &str = "SELECT e.position, e.run, r.id, e.round, e.at,
      CASE WHEN e.kind IN ('full_result', 'call_progress', 'policy_applied', 'tools_offered',
                           'model_retry') THEN NULL ELSE e.body END, e.kind, e.seal
    FROM event e JOIN run r ON r.first = e.run
    WHERE e.position >= $1 AND e.position < $2 ORDER BY e.position";
/// Events in order; see `Stored::read`.
pub(crate) const EVENTS: &str =
    stored!("WHERE e.position >= $1 AND e.position < $2 ORDER BY e.position LIMIT $3");
/// The first events of a run of the conversation with these numbers; see `Stored::read`.
pub(crate) const RUN: &str = "SELECT e.position, e.run, r.id, e.round, e.at, e.body, e.kind, e.seal
    FROM run r JOIN event e ON e.position >= r.first AND e.position < r.first + $1
    WHERE r.id = $2 AND r.first >= $3 AND r.first < $4 AND e.run = r.first ORDER BY e.position";
/// PostgreSQL only: those of these events that are there; see `Stored::read`.
#[cfg(feature = "postgres")]
pub(crate) const THESE: &str =
    "SELECT e.position, e.run, r.id, e.round, e.at, e.body, e.kind, e.seal
    FROM unnest($1::text[], $2::bigint[]) AS wanted (run, seq)
    JOIN run r ON r.id = wanted.run
    JOIN event e ON e.position = r.first + wanted.seq AND e.run = r.first
    ORDER BY e.position";
