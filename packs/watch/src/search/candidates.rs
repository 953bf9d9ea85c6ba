//! [`Looking`]: from a question to the videos that answer it.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension};

use super::{Hit, bounds::Bounds, hits, relevance, terms::Terms, words::written};
use crate::{
    WatchError,
    index::{Among, View, decode, exact},
};

/// Candidates for each that is wanted, and at least: the order by codes is not quite the order by vectors,
/// and neither is that by both vectors and words.
const FOR_EACH: usize = 4;
const AT_LEAST: usize = 64;

/// What is looked for.
pub(super) struct Looking {
    pub(super) terms: Terms,
    pub(super) vector: Option<Vec<f32>>,
    pub(super) bounds: Bounds,
    pub(super) most: usize,
}

/// The videos that fit a question.
pub(super) fn by_query(view: &mut View<'_>, looking: &Looking) -> Result<Vec<Hit>, WatchError> {
    let candidates = candidates(looking.most);
    let near: HashSet<i64> = match &looking.vector {
        Some(vector) => {
            let among = looking.bounds.among(view)?;
            view.vectors()?.nearest(vector, &among, candidates).into_iter().collect()
        }
        None => HashSet::new(),
    };
    let limit = (candidates, &near);
    let written = written(view.database, &looking.terms, &looking.bounds, limit)?;
    let mut judged = HashMap::with_capacity(near.len() + written.len());
    for video in near.iter().chain(written.keys()) {
        let words = written.get(video).copied().unwrap_or(0.0);
        let cosine = match &looking.vector {
            Some(vector) => cosine(view.database, *video, vector)?,
            None => None,
        };
        judged.extend(relevance::of_question(cosine, words).map(|it| (*video, it)));
    }
    hits::read(view.database, &best(judged, looking.most), &looking.bounds)
}

/// The videos most like that of this id.
pub(super) fn by_video(
    view: &mut View<'_>,
    id: &str,
    most: usize,
) -> Result<Option<Vec<Hit>>, WatchError> {
    let Some((video, title, vector)) = known(view.database, id)? else { return Ok(None) };
    let bounds = Bounds::default();
    let mut judged = HashMap::new();
    // One more: the nearest to a video is itself.
    let candidates = candidates(most) + 1;
    if let Some(vector) = vector.map(|it| decode(&it)) {
        for near in view.vectors()?.nearest(&vector, &Among::All, candidates) {
            if let Some(cosine) = cosine(view.database, near, &vector)? {
                judged.extend(relevance::of_video(cosine).map(|it| (near, it)));
            }
        }
    } else {
        let terms = Terms::of(&title.unwrap_or_default());
        let written = written(view.database, &terms, &bounds, (candidates, &HashSet::new()))?;
        let worth = |(it, part)| Some((it, relevance::by_words(part)?));
        judged.extend(written.into_iter().filter_map(worth));
    }
    judged.remove(&video);
    hits::read(view.database, &best(judged, most), &bounds).map(Some)
}

fn candidates(most: usize) -> usize {
    most.saturating_mul(FOR_EACH).clamp(AT_LEAST, 4096).max(most.min(100_000))
}

/// The most relevant, of equals that which came into the library first.
fn best(judged: HashMap<i64, f32>, most: usize) -> Vec<(i64, f32)> {
    let mut found: Vec<(i64, f32)> = judged.into_iter().collect();
    found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(most);
    found
}

fn cosine(database: &Connection, video: i64, vector: &[f32]) -> Result<Option<f32>, WatchError> {
    let mut statement = database.prepare_cached("SELECT vector FROM vectors WHERE video = ?1")?;
    let mut rows = statement.query([video])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(exact(vector, row.get_ref(0)?.as_blob().unwrap_or_default())))
}

type Known = (i64, Option<String>, Option<Vec<u8>>);

/// The row, the title and the vector of a video.
fn known(database: &Connection, id: &str) -> Result<Option<Known>, WatchError> {
    let sql =
        "SELECT row, title, vector FROM videos LEFT JOIN vectors ON video = row WHERE id = ?1";
    let mut statement = database.prepare_cached(sql)?;
    let found = statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    Ok(found.optional()?)
}
