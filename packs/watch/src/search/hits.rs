//! [`Hit`]s, read from the database.

use rusqlite::{Connection, OptionalExtension};

use super::{Hit, bounds::Bounds};
use crate::{
    Video, WatchError,
    video::{SELECT_VIDEO, moment},
};

/// When a video was watched last, among the times that count.
const WATCHED: &str = "SELECT max(at) FROM watches WHERE video = ?1 \
    AND (?2 IS NULL OR (at >= ?2 AND at < ?3))";

/// The videos of these rows, in this order, each with its relevance.
pub(super) fn read(
    database: &Connection,
    found: &[(i64, f32)],
    bounds: &Bounds,
) -> Result<Vec<Hit>, WatchError> {
    let mut one = database.prepare_cached(&format!("{SELECT_VIDEO} WHERE videos.row = ?1"))?;
    let mut watched = database.prepare_cached(WATCHED)?;
    let (from, before) = bounds.times.unzip();
    let mut hits = Vec::with_capacity(found.len());
    for (row, relevance) in found {
        let Some(video) = one.query_row([row], Video::read).optional()? else { continue };
        let at: Option<i64> = watched.query_row((row, from, before), |it| it.get(0))?;
        let watched = at.map_or(video.last, moment);
        hits.push(Hit { video, relevance: *relevance, watched });
    }
    Ok(hits)
}
