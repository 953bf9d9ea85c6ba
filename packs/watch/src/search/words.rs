//! [`Written`]: finding videos by the words of their titles and channels.
//!
//! A word weighs what it weighs in BM25: the more, the fewer videos hold it. The rest of BM25, how often
//! a word is there and how long the text is, says little about titles, and asking FTS5 for it takes
//! much longer than asking which videos hold a word: about 10 µs for each of them.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
};

use rusqlite::Connection;

use super::{bounds::Bounds, terms::Terms};
use crate::WatchError;

/// The videos that hold a word, by row, each with how much of what was looked for it holds: 1 is all of it.
pub(super) type Written = HashMap<i64, f32>;

/// A filter counts here, before the best are taken.
const MATCHES: &str = "SELECT rowid FROM words WHERE words MATCH ?1 \
    AND (?2 IS NULL OR EXISTS \
        (SELECT 1 FROM watches WHERE video = words.rowid AND at >= ?2 AND at < ?3)) \
    AND (?4 IS NULL OR (SELECT channel FROM videos WHERE row = words.rowid) IN \
        (SELECT value FROM json_each(?4)))";

/// Where a word is, and what it is worth there, the lesser first.
const COLUMNS: [(&str, f32); 2] = [("channel", 0.6), ("title", 1.0)];

/// The videos that hold most of the words, so many at most, and besides those of `also` that hold any.
pub(super) fn written(
    database: &Connection,
    terms: &Terms,
    bounds: &Bounds,
    (most, also): (usize, &HashSet<i64>),
) -> Result<Written, WatchError> {
    let videos = videos(database)?;
    let weighed = weighed(database, terms, videos)?;
    let whole: f32 = weighed.iter().map(|(_, weight)| weight).sum();
    let mut held = Vec::new();
    // Rows are counted from 1, without gaps to speak of. What is not touched costs nothing.
    let mut sums = vec![0.0; videos + 1];
    let mut worth = vec![0.0; videos + 1];
    for (term, weight) in &weighed {
        let mut seen = Vec::new();
        for (column, part) in COLUMNS {
            holding(database, &format!("{column} : {term}"), bounds, |row| {
                if let Some(it) = worth.get_mut(row) {
                    *it = weight * part;
                    seen.push(row);
                }
            })?;
        }
        for row in seen {
            if let (Some(sum), Some(worth)) = (sums.get_mut(row), worth.get_mut(row)) {
                if *sum == 0.0 {
                    held.push(row);
                }
                // Once for a video, even if both columns hold the word.
                *sum += std::mem::take(worth);
            }
        }
    }
    let parts = held
        .into_iter()
        .filter_map(|it| Some((i64::try_from(it).ok()?, (sums.get(it)? / whole).clamp(0.0, 1.0))));
    Ok(best(parts, most, also))
}

fn best(parts: impl Iterator<Item = (i64, f32)>, most: usize, also: &HashSet<i64>) -> Written {
    let mut written = Written::new();
    let mut best = BinaryHeap::new();
    for (video, part) in parts {
        if also.contains(&video) {
            written.insert(video, part);
        }
        // Bits of positive numbers are in the order of the numbers.
        best.push(Reverse((part.to_bits(), Reverse(video))));
        if best.len() > most {
            best.pop();
        }
    }
    let best = best.into_iter().map(|Reverse((part, Reverse(video)))| (video, part));
    written.extend(best.map(|(video, part)| (video, f32::from_bits(part))));
    written
}

/// Tells the rows of the videos that match.
fn holding(
    database: &Connection,
    expression: &str,
    bounds: &Bounds,
    mut tell: impl FnMut(usize),
) -> Result<(), WatchError> {
    let (from, before) = bounds.times.unzip();
    let mut statement = database.prepare_cached(MATCHES)?;
    let mut found = statement.query((expression, from, before, &bounds.channels))?;
    while let Some(row) = found.next()? {
        if let Ok(video) = usize::try_from(row.get::<_, i64>(0)?) {
            tell(video);
        }
    }
    Ok(())
}

/// What a word weighs that every video holds.
const LEAST: f32 = 0.25;

/// Each word with what it weighs. One that many videos hold says little, but never nothing: in a small
/// library many words are held by half of it.
fn weighed<'a>(
    database: &Connection,
    terms: &'a Terms,
    videos: usize,
) -> Result<Vec<(&'a String, f32)>, WatchError> {
    let mut count = database.prepare_cached("SELECT count(*) FROM words WHERE words MATCH ?1")?;
    let mut weighed = Vec::new();
    for term in terms.each() {
        let holding: i64 = count.query_row([term], |row| row.get(0))?;
        let (videos, holding) = (videos as f32, holding as f32);
        let others = (videos - holding).max(0.0);
        weighed.push((term, LEAST + (1.0 + (others + 0.5) / (holding + 0.5)).ln()));
    }
    Ok(weighed)
}

/// The highest row of a video.
fn videos(database: &Connection) -> Result<usize, WatchError> {
    let sql = "SELECT coalesce(max(row), 0) FROM videos";
    let highest: i64 = database.query_row(sql, [], |row| row.get(0))?;
    Ok(usize::try_from(highest).unwrap_or(0))
}
