//! [`Hit`]s, read from the database.

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use super::{Hit, bounds::Bounds};
use crate::{Channel, Video, WatchError};

const ONE: &str = "SELECT videos.row, videos.id, title, channels.id, name, seconds, is_music, watches, last, \
    (SELECT max(at) FROM watches WHERE video = videos.row \
        AND (?2 IS NULL OR (at >= ?2 AND at < ?3))) \
    FROM videos LEFT JOIN channels ON channels.row = videos.channel WHERE videos.row = ?1";

/// The videos of these rows, in this order, each with its relevance.
pub(super) fn read(
    database: &Connection,
    found: &[(i64, f32)],
    bounds: &Bounds,
) -> Result<Vec<Hit>, WatchError> {
    let mut statement = database.prepare_cached(ONE)?;
    let (from, before) = bounds.times.unzip();
    let mut hits = Vec::with_capacity(found.len());
    for (video, relevance) in found {
        let mut rows = statement.query((video, from, before))?;
        if let Some(row) = rows.next()? {
            let video = video_of(row)?;
            let watched = row.get::<_, Option<i64>>(9)?.map_or(video.last, moment);
            hits.push(Hit { video, relevance: *relevance, watched });
        }
    }
    Ok(hits)
}

fn video_of(row: &Row<'_>) -> rusqlite::Result<Video> {
    let id = row.get(3)?;
    let name: Option<String> = row.get(4)?;
    Ok(Video {
        row: row.get(0)?,
        id: row.get(1)?,
        title: row.get(2)?,
        channel: name.map(|name| Channel { id, name }),
        seconds: row.get(5)?,
        is_music: row.get(6)?,
        watches: row.get(7)?,
        last: moment(row.get(8)?),
    })
}

fn moment(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or_default()
}
