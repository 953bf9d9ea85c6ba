//! [`Bounds`]: a filter as the database knows it.

use jiff::Timestamp;

use super::Filter;
use crate::{
    WatchError,
    index::{Among, Vectors, View},
};

/// A filter as the database knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    /// In milliseconds: from the one on, before the other.
    pub(super) times: Option<(i64, i64)>,
    /// Rows of channels, as a JSON array.
    pub(super) channels: Option<String>,
}

impl Bounds {
    pub(super) fn of(filter: &Filter) -> Self {
        let times = (filter.from.is_some() || filter.before.is_some()).then(|| {
            (filter.from.map_or(i64::MIN, millis), filter.before.map_or(i64::MAX, millis))
        });
        let channels = filter.channels.as_ref().map(|it| serde_json::json!(it).to_string());
        Self { times, channels }
    }

    /// Among which vectors is looked.
    pub(super) fn among(&self, view: &mut View<'_>) -> Result<Among, WatchError> {
        let of_channels = match &self.channels {
            Some(channels) => Some(videos_of(view, channels)?),
            None => None,
        };
        let vectors: &Vectors = view.vectors()?;
        let watched = self.times.map(|(from, before)| vectors.watched(from, before));
        Ok(match (watched, of_channels.map(|it| vectors.of(&it))) {
            (None, None) => Among::All,
            (Some(places), None) | (None, Some(places)) => Among::These(places),
            (Some(watched), Some(mut places)) => {
                places.retain(|it| watched.binary_search(it).is_ok());
                Among::These(places)
            }
        })
    }
}

fn videos_of(view: &View<'_>, channels: &str) -> Result<Vec<i64>, WatchError> {
    let sql = "SELECT row FROM videos WHERE channel IN (SELECT value FROM json_each(?1))";
    let mut statement = view.database.prepare_cached(sql)?;
    let videos = statement.query_map([channels], |row| row.get(0))?;
    Ok(videos.collect::<Result<_, _>>()?)
}

/// The first whole millisecond at this moment or later: watches have no finer times.
fn millis(moment: Timestamp) -> i64 {
    let nanos = moment.as_nanosecond();
    let millis = nanos.div_euclid(1_000_000) + i128::from(nanos.rem_euclid(1_000_000) > 0);
    // A `Timestamp` ends in the year 9999.
    i64::try_from(millis).unwrap_or(i64::MAX)
}
