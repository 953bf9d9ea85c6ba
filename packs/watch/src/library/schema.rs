//! The tables of a [`Library`](super::Library).

/// The tables of a library. Times are milliseconds since 1970, and whole seconds.
pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS channels (
        row INTEGER PRIMARY KEY,
        id TEXT UNIQUE,
        name TEXT NOT NULL,
        -- the name as names are compared: lower case, no accents, single blanks
        folded TEXT NOT NULL,
        -- when the watch was that told the name
        name_at INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS channels_folded ON channels (folded);
    CREATE TABLE IF NOT EXISTS videos (
        row INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT,
        channel INTEGER REFERENCES channels (row),
        seconds INTEGER,
        is_music INTEGER NOT NULL DEFAULT 0,
        watches INTEGER NOT NULL,
        last INTEGER NOT NULL,
        enriched INTEGER NOT NULL DEFAULT 0,
        -- when the watches were that told the title and the channel
        title_at INTEGER,
        channel_at INTEGER
    );
    CREATE INDEX IF NOT EXISTS videos_last ON videos (last);
    CREATE INDEX IF NOT EXISTS videos_channel ON videos (channel, last);
    CREATE INDEX IF NOT EXISTS videos_unasked ON videos (last) WHERE enriched = 0;
    CREATE TABLE IF NOT EXISTS watches (
        video INTEGER NOT NULL REFERENCES videos (row),
        at INTEGER NOT NULL,
        PRIMARY KEY (video, at)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS watches_at ON watches (at);
    CREATE TABLE IF NOT EXISTS gone (
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        PRIMARY KEY (at, kind)
    ) WITHOUT ROWID;
    -- Times that hang on what the zone of their file was taken for.
    CREATE TABLE IF NOT EXISTS unsure (
        -- the video's id, or the kind of what is gone
        subject TEXT NOT NULL,
        at INTEGER NOT NULL,
        -- what the file says: the time as if it were told in Greenwich, and the name of the zone
        local INTEGER NOT NULL,
        zone TEXT NOT NULL,
        PRIMARY KEY (subject, at)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
        title, channel, content='', contentless_delete=1,
        tokenize=\"porter unicode61 remove_diacritics 2\"
    );
    CREATE TABLE IF NOT EXISTS vectors (
        video INTEGER PRIMARY KEY REFERENCES videos (row),
        -- hash of the text it was made of
        text INTEGER NOT NULL,
        vector BLOB NOT NULL
    );
    CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
";
