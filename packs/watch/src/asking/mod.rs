//! Questions to a [`Library`](crate::Library) that need no vectors: what was watched lately, how much, from whom.

mod channels;
mod titles;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;

use crate::{
    Channel, Library, Video, WatchError,
    video::{SELECT_VIDEO, moment},
};

/// A stream that runs for days was not watched for days.
const LONGEST_WATCH: u32 = 12 * 60 * 60;
const MOST_TOP: u32 = 5;

/// A channel, as a person names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelChoice {
    /// By YouTube's id.
    Id(String),
    /// By its name, or something like it.
    Name(String),
}

/// What there is in all.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Videos.
    pub videos: u64,
    /// Channels.
    pub channels: u64,
    /// Times something was watched.
    pub watches: u64,
    /// Times something was watched that the export does not name any more.
    pub gone: u64,
    /// Seconds of all watches together, where the length is known.
    pub seconds: u64,
    /// Videos whose length is known.
    pub with_length: u64,
    /// Average length of a video in seconds, where any is known.
    pub average: Option<f64>,
    /// The first time something was watched.
    pub oldest: Option<Timestamp>,
    /// The last time.
    pub newest: Option<Timestamp>,
    /// The channels watched most, with their numbers of videos.
    pub top: Vec<(Channel, u64)>,
    /// Videos that have a vector.
    pub embedded: u64,
}

/// What there is of one channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChannelStatistics {
    /// The channel.
    pub channel: Channel,
    /// Videos.
    pub videos: u64,
    /// Times one of them was watched.
    pub watches: u64,
    /// Seconds of all watches together, where the length is known.
    pub seconds: u64,
    /// Average length of a video in seconds, where any is known.
    pub average: Option<f64>,
    /// The one watched last.
    pub latest: Option<Video>,
}

impl Library {
    /// The videos watched last, each once, the newest first; those of a channel, if one is chosen.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn recent(
        &self,
        most: usize,
        of: Option<&ChannelChoice>,
    ) -> Result<Vec<Video>, WatchError> {
        let database = self.database();
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let Some(choice) = of else {
            let sql = format!("{SELECT_VIDEO} ORDER BY last DESC, videos.row DESC LIMIT ?1");
            return videos(&database, &sql, [most]);
        };
        let rows = channels::chosen(&database, choice)?;
        let sql = format!(
            "{SELECT_VIDEO} WHERE channel IN (SELECT value FROM json_each(?1)) \
             ORDER BY last DESC, videos.row DESC LIMIT ?2"
        );
        videos(&database, &sql, (serde_json::json!(rows).to_string(), most))
    }

    /// The video of this id, if it was watched.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn video(&self, id: &str) -> Result<Option<Video>, WatchError> {
        let database = self.database();
        let mut one = database.prepare_cached(&format!("{SELECT_VIDEO} WHERE videos.id = ?1"))?;
        Ok(one.query_row([id], Video::read).optional()?)
    }

    /// What there is in all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn statistics(&self) -> Result<Statistics, WatchError> {
        let database = self.database();
        let sql = "SELECT count(*), count(DISTINCT channel), total(watches), count(seconds), \
            total(min(seconds, ?1) * watches), avg(seconds) FROM videos";
        let mut statistics = database.query_row(sql, [LONGEST_WATCH], |row| {
            Ok(Statistics {
                videos: number(row.get(0)?),
                channels: number(row.get(1)?),
                watches: whole(row.get(2)?),
                with_length: number(row.get(3)?),
                seconds: whole(row.get(4)?),
                average: row.get(5)?,
                ..Statistics::default()
            })
        })?;
        // One each: only alone are they found by the index.
        let end = |sql: &str| database.query_row(sql, [], |row| row.get::<_, Option<i64>>(0));
        statistics.oldest = end("SELECT min(at) FROM watches")?.map(moment);
        statistics.newest = end("SELECT max(at) FROM watches")?.map(moment);
        statistics.gone = number(end("SELECT count(*) FROM gone")?.unwrap_or_default());
        statistics.embedded = number(end("SELECT count(*) FROM vectors")?.unwrap_or_default());
        statistics.top = top(&database)?;
        Ok(statistics)
    }
}

fn top(database: &Connection) -> Result<Vec<(Channel, u64)>, WatchError> {
    let sql = "SELECT channels.id, name, count(*) AS videos FROM videos \
        JOIN channels ON channels.row = channel \
        GROUP BY channel ORDER BY videos DESC, sum(watches) DESC, name LIMIT ?1";
    let mut top = database.prepare_cached(sql)?;
    let found = top.query_map([MOST_TOP], |row| {
        Ok((Channel { id: row.get(0)?, name: row.get(1)? }, number(row.get(2)?)))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn videos(
    database: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Video>, WatchError> {
    let mut all = database.prepare_cached(sql)?;
    let found = all.query_map(values, Video::read)?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn number(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}

/// A sum that SQLite keeps as a fraction, so that it cannot overflow.
fn whole(sum: f64) -> u64 {
    sum as u64
}
