//! The tables, and how they came to be: numbered steps, each in one transaction with its number.

use rusqlite::{Connection, TransactionBehavior};

use super::connection::error;
use crate::{StoreError, failpoint::failpoint, format::next_step};

/// `Tlwr`, in the file's header.
const APPLICATION: i32 = 0x546c_7772;

/// Never change a step that was released; add one.
pub(super) const STEPS: &[&str] =
    &[LOG, SEARCH, BLOBS, BRANCHES, QUEUE, TAKERS, ENGINE, OWNERS, RULES];

const LOG: &str = "
    CREATE TABLE conversation (
        key           INTEGER PRIMARY KEY,
        id            TEXT NOT NULL UNIQUE,
        epoch         INTEGER NOT NULL,
        title         TEXT NOT NULL DEFAULT '',
        last_answer   TEXT,
        created_at    INTEGER NOT NULL DEFAULT 0,
        updated_at    INTEGER NOT NULL DEFAULT 0,
        runs          INTEGER NOT NULL DEFAULT 0,
        messages      INTEGER NOT NULL DEFAULT 0,
        events        INTEGER NOT NULL DEFAULT 0,
        snapshot      INTEGER,
        open_run      TEXT,
        open_first    INTEGER,
        open_snapshot INTEGER
    ) STRICT;
    CREATE INDEX conversation_newest ON conversation (updated_at DESC, id DESC) WHERE runs > 0;
    CREATE TABLE run (
        first INTEGER PRIMARY KEY,
        id    TEXT NOT NULL UNIQUE
    ) STRICT;
    -- The bodies stand last: rows of kinds nobody asked for are skipped without reading them.
    CREATE TABLE event (
        position INTEGER PRIMARY KEY,
        run      INTEGER NOT NULL,
        round    INTEGER NOT NULL,
        at       INTEGER NOT NULL,
        kind     TEXT NOT NULL,
        seal     BLOB,
        body     TEXT NOT NULL
    ) STRICT;
    CREATE TABLE counter (epoch INTEGER NOT NULL) STRICT;
    INSERT INTO counter VALUES (0);
";

// The words come as they are to be indexed, and blanks separate them: `ascii` cuts nothing else.
// The text itself is not kept a second time.
const SEARCH: &str = "
    CREATE VIRTUAL TABLE search USING fts5 (
        words, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
    );
    INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
";

/// The bytes of what is attached, once each, and who has it attached.
const BLOBS: &str = "
    CREATE TABLE blob (
        digest TEXT PRIMARY KEY,
        bytes  BLOB NOT NULL
    ) STRICT;
    CREATE TABLE blob_use (
        conversation INTEGER NOT NULL,
        digest       TEXT NOT NULL,
        PRIMARY KEY (conversation, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blob_used ON blob_use (digest);
";

/// Which runs do not follow the run before them, and how many of those a conversation has. What a run
/// follows ends before the number that it has here; without one, before its own first.
const BRANCHES: &str = "
    ALTER TABLE run ADD COLUMN follows INTEGER;
    ALTER TABLE conversation ADD COLUMN branches INTEGER NOT NULL DEFAULT 0;
";

/// What was said to a conversation and no run took up yet, in the order of its numbers.
const QUEUE: &str = "
    CREATE TABLE queued (
        number       INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation INTEGER NOT NULL,
        id           TEXT NOT NULL,
        mode         TEXT NOT NULL,
        at           INTEGER NOT NULL,
        seal         BLOB NOT NULL,
        body         TEXT NOT NULL,
        UNIQUE (conversation, id)
    ) STRICT;
";

/// In which epoch of its conversation a run takes a message up: until that is an event, or the conversation
/// is in other hands, nobody takes it back.
const TAKERS: &str = "ALTER TABLE queued ADD COLUMN taker INTEGER;";

/// What others need to drive a run: how it was asked for and when somebody was last told to, what was left for
/// it, which requests were made, and which key the log has. `conversation` is its id: some of it is there
/// before the conversation is.
const ENGINE: &str = "
    CREATE TABLE spec (
        run          TEXT PRIMARY KEY,
        conversation TEXT NOT NULL,
        made_at      INTEGER NOT NULL,
        woken_at     INTEGER NOT NULL,
        body         BLOB NOT NULL
    ) STRICT;
    CREATE INDEX spec_of ON spec (conversation);
    CREATE TABLE instruction (
        number       INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation TEXT NOT NULL,
        run          TEXT NOT NULL,
        subject      TEXT NOT NULL,
        body         BLOB NOT NULL,
        UNIQUE (conversation, run, subject)
    ) STRICT;
    CREATE TABLE claimed_key (
        owner        TEXT NOT NULL,
        key          TEXT NOT NULL,
        digest       TEXT NOT NULL,
        conversation TEXT NOT NULL,
        run          TEXT NOT NULL,
        at           INTEGER NOT NULL,
        PRIMARY KEY (owner, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX claimed_at ON claimed_key (at);
    CREATE TABLE log_key (
        one         INTEGER PRIMARY KEY CHECK (one = 1),
        check_value BLOB NOT NULL
    ) STRICT;
";

/// Whose a conversation is, and what lets people and programs in: tokens, browsers that are signed in, and sign-ins
/// that have begun. Of secrets there are digests.
const OWNERS: &str = "
    ALTER TABLE conversation ADD COLUMN owner TEXT;
    CREATE INDEX conversation_owned ON conversation (owner, updated_at DESC, id DESC) WHERE runs > 0;
    CREATE TABLE access (
        kind       TEXT NOT NULL,
        name       TEXT NOT NULL,
        digest     TEXT NOT NULL,
        body       TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        used_at    INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX access_digest ON access (kind, digest);
";

/// What was approved for good. Numbers are used once, so whoever takes one back takes no other.
const RULES: &str = "
    CREATE TABLE rule (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        digest TEXT NOT NULL UNIQUE,
        body   BLOB NOT NULL
    ) STRICT;
";

/// Brings the database to the newest format. Killed at any moment it is of one format or the next.
pub(super) fn migrate(db: &mut Connection, name: &str) -> Result<(), StoreError> {
    loop {
        // Whoever is not alone here waits, and finds the work done.
        let step = db.transaction_with_behavior(TransactionBehavior::Immediate);
        let step = step.map_err(|it| error(&it))?;
        let found: i64 = pragma(&step, "user_version")?;
        let application: i64 = pragma(&step, "application_id")?;
        if application != i64::from(APPLICATION) && !is_empty(&step)? {
            return Err(StoreError::Foreign(name.to_owned()));
        }
        let Some((version, sql)) = next_step(STEPS, found, name)? else { return Ok(()) };
        step.execute_batch(sql).map_err(|it| other_tables(found, error(&it)))?;
        let marks = (version, APPLICATION);
        step.pragma_update(None, "user_version", marks.0).map_err(|it| error(&it))?;
        step.pragma_update(None, "application_id", marks.1).map_err(|it| error(&it))?;
        failpoint!("store::migrate");
        step.commit().map_err(|it| error(&it))?;
    }
}

/// What a step makes is there already, or what it changes is not: the format that is noted is not that of the tables.
fn other_tables(noted: i64, error: StoreError) -> StoreError {
    let (StoreError::Unavailable(said) | StoreError::Damaged { what: said, .. }) = &error else {
        return error;
    };
    // Behind it there is the whole of the step.
    let said = said.split(" in \n").next().unwrap_or_default();
    let is_misfit = ["already exists", "duplicate column", "no such table"];
    match is_misfit.iter().any(|it| said.contains(it)) {
        true => StoreError::other_tables(noted, said),
        false => error,
    }
}

fn is_empty(db: &Connection) -> Result<bool, StoreError> {
    let any = "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)";
    let any: i64 = db.query_row(any, [], |row| row.get(0)).map_err(|it| error(&it))?;
    Ok(any == 0)
}

fn pragma(db: &Connection, name: &str) -> Result<i64, StoreError> {
    db.pragma_query_value(None, name, |row| row.get(0)).map_err(|it| error(&it))
}
