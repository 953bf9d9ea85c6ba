//! [`Writing`]: a change to a library, before it is kept.
//!
//! Exports come in any order and overlap, and what they make of the library must not depend on that: of
//! two titles, or two names of a channel, the one counts that the later watch tells.

use std::collections::BTreeSet;

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};

use super::{fold, unsure::Subject};
use crate::{Channel, WatchError, Watched, import::Local};

const FIND: &str = "SELECT row, title, title_at, channel, channel_at, is_music, last \
    FROM videos WHERE id = ?1";
const INSERT: &str = "INSERT INTO videos \
    (id, title, title_at, channel, channel_at, is_music, watches, last) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7) RETURNING row";
const UPDATE: &str = "UPDATE videos SET title = ?2, title_at = ?3, channel = ?4, channel_at = ?5, \
    is_music = ?6, watches = watches + ?7, last = ?8 WHERE row = ?1";
const WORDS: &str = "INSERT OR REPLACE INTO words (rowid, title, channel) \
    SELECT videos.row, coalesce(title, ''), coalesce(name, '') \
    FROM videos LEFT JOIN channels ON channels.row = videos.channel WHERE videos.row = ?1";

/// A change to a library, before it is kept.
pub(crate) struct Writing<'a> {
    database: &'a Transaction<'a>,
    /// Videos whose words are to be written anew, by row.
    changed: BTreeSet<i64>,
    /// Whether any time is unsure, once that was asked.
    pub(super) has_unsure: Option<bool>,
}

/// What became of one watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It was there already.
    Known,
    /// It is new, of a video that is not.
    Again,
    /// It is new, and so is the video.
    First,
}

/// What was learned of a video, apart from watching it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Learned {
    pub(crate) title: Option<String>,
    pub(crate) channel: Option<Channel>,
    pub(crate) seconds: Option<u32>,
}

/// A video as the table has it.
struct Stored {
    row: i64,
    title: Option<String>,
    title_at: Option<i64>,
    channel: Option<i64>,
    channel_at: Option<i64>,
    is_music: bool,
    last: i64,
}

impl<'a> Writing<'a> {
    pub(super) fn new(database: &'a Transaction<'a>) -> Self {
        Self { database, changed: BTreeSet::new(), has_unsure: None }
    }

    /// The database, for what is kept beside the watches.
    pub(crate) fn database(&self) -> &Transaction<'a> {
        self.database
    }

    /// Adds a watch, unless it is there. With its local time, where its moment hangs on a zone that was chosen.
    pub(crate) fn watched(
        &mut self,
        watched: &Watched,
        local: Option<&Local>,
    ) -> Result<Kept, WatchError> {
        let subject = Subject::Video(&watched.id);
        let at = self.settled(subject, millis(watched.at), local)?;
        let channel = match &watched.channel {
            Some(channel) => Some(self.channel(channel, at)?),
            None => None,
        };
        let Some(stored) = self.stored(&watched.id)? else {
            let title_at = watched.title.as_ref().map(|_| at);
            let channel_at = channel.map(|_| at);
            let video = (&watched.id, &watched.title, title_at, channel, channel_at);
            let values = (video.0, video.1, video.2, video.3, video.4, watched.is_music, at);
            let row: i64 =
                self.database.prepare_cached(INSERT)?.query_row(values, |row| row.get(0))?;
            self.time(row, at)?;
            self.note_unsure(subject, at, local)?;
            self.changed.insert(row);
            return Ok(Kept::First);
        };
        let is_new = self.time(stored.row, at)?;
        if is_new {
            self.note_unsure(subject, at, local)?;
        }
        self.update(stored, watched, at, channel, i64::from(is_new))?;
        Ok(if is_new { Kept::Again } else { Kept::Known })
    }

    /// Notes that something was watched which is gone.
    pub(crate) fn gone(
        &mut self,
        at: Timestamp,
        kind: &str,
        local: Option<&Local>,
    ) -> Result<(), WatchError> {
        let subject = Subject::Gone(kind);
        let at = self.settled(subject, millis(at), local)?;
        let sql = "INSERT OR IGNORE INTO gone (at, kind) VALUES (?1, ?2)";
        if self.database.prepare_cached(sql)?.execute((at, kind))? == 1 {
            self.note_unsure(subject, at, local)?;
        }
        Ok(())
    }

    /// Fills in what was not known of a video, and notes that it was asked about.
    pub(crate) fn learned(&mut self, id: &str, learned: &Learned) -> Result<(), WatchError> {
        let Some(stored) = self.stored(id)? else { return Ok(()) };
        let channel = match &learned.channel {
            // Told at no time: the name of a channel that was watched stays as it was told.
            Some(channel) => Some(self.channel(channel, 0)?),
            None => stored.channel,
        };
        if channel != stored.channel || (stored.title.is_none() && learned.title.is_some()) {
            self.changed.insert(stored.row);
        }
        // What YouTube itself tells, no export takes back: it has no time, and so is never the earlier.
        let sql = "UPDATE videos SET title = coalesce(title, ?2), \
            channel_at = CASE WHEN channel IS ?3 THEN channel_at END, channel = ?3, \
            seconds = coalesce(?4, seconds), enriched = 1 WHERE row = ?1";
        let values = (stored.row, &learned.title, channel, learned.seconds);
        self.database.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Writes the words of what was changed.
    pub(super) fn finish(self) -> Result<(), WatchError> {
        let mut words = self.database.prepare_cached(WORDS)?;
        for row in &self.changed {
            words.execute([row])?;
        }
        Ok(())
    }

    fn stored(&self, id: &str) -> Result<Option<Stored>, WatchError> {
        let mut find = self.database.prepare_cached(FIND)?;
        let stored = find.query_row([id], |row| {
            Ok(Stored {
                row: row.get(0)?,
                title: row.get(1)?,
                title_at: row.get(2)?,
                channel: row.get(3)?,
                channel_at: row.get(4)?,
                is_music: row.get(5)?,
                last: row.get(6)?,
            })
        });
        Ok(stored.optional()?)
    }

    /// Whether this time is new.
    fn time(&self, row: i64, at: i64) -> Result<bool, WatchError> {
        let sql = "INSERT OR IGNORE INTO watches (video, at) VALUES (?1, ?2)";
        Ok(self.database.prepare_cached(sql)?.execute((row, at))? == 1)
    }

    fn update(
        &mut self,
        mut stored: Stored,
        watched: &Watched,
        at: i64,
        channel: Option<i64>,
        added: i64,
    ) -> Result<(), WatchError> {
        let mut is_told = false;
        if let Some(title) = &watched.title
            && is_later(at, stored.title_at, stored.title.is_some())
        {
            is_told |= stored.title_at != Some(at);
            if stored.title.as_ref() != Some(title) {
                stored.title = Some(title.clone());
                self.changed.insert(stored.row);
            }
            stored.title_at = Some(at);
        }
        if channel.is_some() && is_later(at, stored.channel_at, stored.channel.is_some()) {
            is_told |= stored.channel_at != Some(at);
            if stored.channel != channel {
                stored.channel = channel;
                self.changed.insert(stored.row);
            }
            stored.channel_at = Some(at);
        }
        let is_music = stored.is_music || watched.is_music;
        if added == 0
            && !is_told
            && is_music == stored.is_music
            && !self.changed.contains(&stored.row)
        {
            return Ok(());
        }
        let (last, video) = (stored.last.max(at), (stored.row, &stored.title, stored.title_at));
        let (row, title, title_at) = video;
        let values =
            (row, title, title_at, stored.channel, stored.channel_at, is_music, added, last);
        self.database.prepare_cached(UPDATE)?.execute(values)?;
        Ok(())
    }

    /// The row of a channel: by its id, else by its name. A channel of which only the name was known gets
    /// its id from the first that has it.
    fn channel(&mut self, channel: &Channel, at: i64) -> Result<i64, WatchError> {
        let folded = fold(&channel.name);
        let by_id = "SELECT row, name, name_at FROM channels WHERE id = ?1";
        let by_name = if channel.id.is_some() {
            "SELECT row, name, name_at FROM channels WHERE folded = ?1 AND id IS NULL"
        } else {
            "SELECT row, name, name_at FROM channels WHERE folded = ?1 ORDER BY id IS NULL, id \
             LIMIT 1"
        };
        let found = match &channel.id {
            Some(id) => self.named(by_id, id)?,
            None => None,
        };
        let found = match found {
            Some(found) => Some(found),
            None => {
                let found = self.named(by_name, &folded)?;
                if let (Some((row, ..)), Some(id)) = (&found, &channel.id) {
                    let sql = "UPDATE channels SET id = ?2 WHERE row = ?1";
                    self.database.prepare_cached(sql)?.execute((row, id))?;
                }
                found
            }
        };
        let Some((row, name, name_at)) = found else {
            let sql = "INSERT INTO channels (id, name, folded, name_at) VALUES (?1, ?2, ?3, ?4) \
                RETURNING row";
            let values = (&channel.id, &channel.name, folded, at);
            return Ok(self.database.prepare_cached(sql)?.query_row(values, |row| row.get(0))?);
        };
        if at >= name_at && (at != name_at || name != channel.name) {
            let sql = "UPDATE channels SET name = ?2, folded = ?3, name_at = ?4 WHERE row = ?1";
            self.database.prepare_cached(sql)?.execute((row, &channel.name, folded, at))?;
            if name != channel.name {
                self.change_all_of(row)?;
            }
        }
        Ok(row)
    }

    fn named(&self, sql: &str, key: &str) -> Result<Option<(i64, String, i64)>, WatchError> {
        let mut find = self.database.prepare_cached(sql)?;
        let found = find.query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        Ok(found.optional()?)
    }

    fn change_all_of(&mut self, channel: i64) -> Result<(), WatchError> {
        let sql = "SELECT row FROM videos WHERE channel = ?1";
        let mut find = self.database.prepare_cached(sql)?;
        for row in find.query_map([channel], |row| row.get(0))? {
            self.changed.insert(row?);
        }
        Ok(())
    }
}

/// Whether what is told at this time counts: it does not where YouTube itself told before.
fn is_later(at: i64, told: Option<i64>, is_known: bool) -> bool {
    told.map_or(!is_known, |told| at >= told)
}

/// Whole seconds, as one kind of export has no more: the same watch is the same in both.
fn millis(at: Timestamp) -> i64 {
    at.as_second().saturating_mul(1000)
}
