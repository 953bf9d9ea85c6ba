//! [`Vectors`]: the vectors in memory, with the times their videos were watched at.

use rusqlite::Connection;

use super::{
    code::{Code, dimensions, shorten},
    nearest::nearest,
};
use crate::WatchError;

/// The vectors in memory, in the order of the videos' rows, with the times they were watched at: a
/// number of 8 bits for each of a vector's, and some 12 bytes for each watch.
#[derive(Default)]
pub(crate) struct Vectors {
    dimensions: usize,
    /// The videos. Where one is in this list is its place.
    rows: Vec<i64>,
    codes: Vec<u8>,
    /// What one step of a code is.
    steps: Vec<f32>,
    /// When something was watched, in milliseconds, the oldest first, and its place.
    times: Vec<i64>,
    places: Vec<u32>,
}

/// Among which vectors is looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    /// All.
    All,
    /// Those at these places, in ascending order.
    These(Vec<u32>),
}

impl Vectors {
    pub(super) fn load(&mut self, database: &Connection) -> Result<(), WatchError> {
        *self = Self::default();
        let sql = "SELECT count(*) FROM vectors";
        let count: isize = database.query_row(sql, [], |row| row.get(0))?;
        let mut statement = database.prepare("SELECT video, vector FROM vectors ORDER BY video")?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let bytes = row.get_ref(1)?.as_blob().unwrap_or_default();
            if self.rows.is_empty() {
                self.dimensions = dimensions(bytes);
                self.reserve(count.unsigned_abs());
            }
            if let Some(step) = shorten(bytes, self.dimensions, &mut self.codes) {
                self.rows.push(row.get(0)?);
                self.steps.push(step);
            }
        }
        Ok(())
    }

    fn reserve(&mut self, count: usize) {
        self.codes.reserve_exact(count.saturating_mul(self.dimensions));
        self.rows.reserve_exact(count);
        self.steps.reserve_exact(count);
    }

    pub(super) fn load_times(&mut self, database: &Connection) -> Result<(), WatchError> {
        self.times.clear();
        self.places.clear();
        let mut statement = database.prepare("SELECT at, video FROM watches ORDER BY at")?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            if let Some(place) = self.place(row.get(1)?) {
                self.times.push(row.get(0)?);
                self.places.push(place);
            }
        }
        Ok(())
    }

    fn place(&self, video: i64) -> Option<u32> {
        self.rows.binary_search(&video).ok().and_then(|it| u32::try_from(it).ok())
    }

    /// The places of these videos.
    pub(crate) fn of(&self, videos: &[i64]) -> Vec<u32> {
        let mut places: Vec<u32> = videos.iter().filter_map(|it| self.place(*it)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The places of videos watched from the one moment on and before the other, in milliseconds.
    pub(crate) fn watched(&self, from: i64, before: i64) -> Vec<u32> {
        let start = self.times.partition_point(|at| *at < from);
        let end = self.times.partition_point(|at| *at < before);
        let watched = self.places.get(start..end).unwrap_or_default();
        // Few are sorted; for many it is faster to tick them off.
        if watched.len() < self.rows.len() / 32 {
            let mut places = watched.to_vec();
            places.sort_unstable();
            places.dedup();
            return places;
        }
        let mut ticked = vec![false; self.rows.len()];
        for place in watched {
            if let Some(it) = ticked.get_mut(*place as usize) {
                *it = true;
            }
        }
        (0u32..).zip(ticked).filter(|(_, is_ticked)| *is_ticked).map(|(place, _)| place).collect()
    }

    /// The videos whose vectors are nearest to this one by their codes, by row, the nearest first; of
    /// equals the lower row. Exact only among no more than `most`.
    pub(crate) fn nearest(&self, vector: &[f32], among: &Among, most: usize) -> Vec<i64> {
        if vector.len() != self.dimensions || self.rows.is_empty() || most == 0 {
            return Vec::new();
        }
        let code = Code::of(vector);
        let near = |place: u32| -> Option<f32> {
            let start = place as usize * self.dimensions;
            let it = self.codes.get(start..start + self.dimensions)?;
            Some(code.times(it, *self.steps.get(place as usize)?))
        };
        let places = match among {
            Among::All => {
                nearest(0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX), &near, most)
            }
            Among::These(places) => nearest(places.iter().copied(), &near, most),
        };
        places.iter().filter_map(|it| self.rows.get(*it as usize).copied()).collect()
    }
}
