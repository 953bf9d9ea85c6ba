//! Channels, as people name them.

use rusqlite::{Connection, OptionalExtension, Row};
use strsim::jaro_winkler;

use super::{ChannelChoice, ChannelStatistics, LONGEST_WATCH, number, whole};
use crate::{Channel, Library, Video, WatchError, library::fold, video::SELECT_VIDEO};

/// How many channels a name may mean at most.
const MOST: usize = 20;
/// How alike spellings are that may mean the same, from 0 to 1.
const ALIKE: f64 = 0.88;

/// Channels of which something was watched, those with the most videos first.
const FOUND: &str = "SELECT row, id, name, \
    (SELECT count(*) FROM videos WHERE channel = channels.row) AS videos \
    FROM channels WHERE videos > 0 AND ";
const ORDER: &str = " ORDER BY videos DESC, row LIMIT ?2";

/// How a channel's name was found to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Exact,
    Part,
    Alike,
}

type Found = (Fit, i64, Channel);

impl Library {
    /// What there is of a channel, if anything was watched of it: of each, where several have its name, those with
    /// the most videos first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn channels(&self, of: &ChannelChoice) -> Result<Vec<ChannelStatistics>, WatchError> {
        let database = self.database();
        let rows = chosen(&database, of)?;
        rows.into_iter().map(|row| statistics(&database, row)).collect()
    }

    /// The channel of this id.
    pub(crate) fn channel_of_id(&self, id: &str) -> Result<Option<(i64, Channel)>, WatchError> {
        let asked = "SELECT row, id, name FROM channels WHERE id = ?1";
        Ok(self.database().query_row(asked, [id], channel).optional()?)
    }

    /// The channels a name may mean, by row, the likeliest first: the name itself, names that begin with or hold
    /// it, names spelled nearly like it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn channels_like(&self, name: &str) -> Result<Vec<(i64, Channel)>, WatchError> {
        let found = like(&self.database(), name)?;
        Ok(found.into_iter().map(|(_, row, channel)| (row, channel)).collect())
    }
}

fn statistics(database: &Connection, row: i64) -> Result<ChannelStatistics, WatchError> {
    let sql = "SELECT channels.id, name, count(*), total(watches), \
        total(min(seconds, ?2) * watches), avg(seconds) \
        FROM videos JOIN channels ON channels.row = channel WHERE channel = ?1";
    let mut statistics = database.query_row(sql, (row, LONGEST_WATCH), |row| {
        Ok(ChannelStatistics {
            channel: Channel { id: row.get(0)?, name: row.get(1)? },
            videos: number(row.get(2)?),
            watches: whole(row.get(3)?),
            seconds: whole(row.get(4)?),
            average: row.get(5)?,
            latest: None,
        })
    })?;
    let sql =
        format!("{SELECT_VIDEO} WHERE channel = ?1 ORDER BY last DESC, videos.row DESC LIMIT 1");
    statistics.latest = database.query_row(&sql, [row], Video::read).optional()?;
    Ok(statistics)
}

/// The rows of the channel that is meant, if something was watched of it and only one name can be meant. Several
/// channels may have that name.
pub(super) fn chosen(
    database: &Connection,
    choice: &ChannelChoice,
) -> Result<Vec<i64>, WatchError> {
    let name = match choice {
        ChannelChoice::Name(name) => name,
        ChannelChoice::Id(id) => {
            let sql = "SELECT row FROM channels WHERE id = ?1 \
                AND EXISTS (SELECT 1 FROM videos WHERE channel = channels.row)";
            let mut one = database.prepare_cached(sql)?;
            return Ok(one.query_row([id], |row| row.get(0)).optional()?.into_iter().collect());
        }
    };
    let found = like(database, name)?;
    let of = |fit: Fit| found.iter().filter(move |it| it.0 == fit).map(|it| it.1);
    if of(Fit::Exact).next().is_some() {
        return Ok(of(Fit::Exact).collect());
    }
    let fit = if of(Fit::Part).next().is_some() { Fit::Part } else { Fit::Alike };
    let mut names = found.iter().filter(|it| it.0 == fit).map(|it| fold(&it.2.name));
    let Some(first) = names.next() else { return Ok(Vec::new()) };
    let is_one = names.all(|it| it == first);
    Ok(if is_one { of(fit).collect() } else { Vec::new() })
}

/// The channels a name may mean, and how they fit, the likeliest first.
fn like(database: &Connection, name: &str) -> Result<Vec<Found>, WatchError> {
    let folded = fold(name);
    if folded.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let exact = format!("{FOUND} folded = ?1{ORDER}");
    add(database, &exact, &folded, Fit::Exact, &mut found)?;
    // Above every letter that can follow, so that the index finds what begins so.
    let begins = format!("{FOUND} folded > ?1 AND folded < ?1 || char(1114111){ORDER}");
    add(database, &begins, &folded, Fit::Part, &mut found)?;
    let holds = format!("{FOUND} instr(folded, ?1) > 1{ORDER}");
    add(database, &holds, &folded, Fit::Part, &mut found)?;
    if found.len() < MOST {
        alike(database, &folded, &mut found)?;
    }
    Ok(found)
}

fn add(
    database: &Connection,
    sql: &str,
    folded: &str,
    fit: Fit,
    found: &mut Vec<Found>,
) -> Result<(), WatchError> {
    let mut statement = database.prepare_cached(sql)?;
    let left = MOST.saturating_sub(found.len());
    let left = i64::try_from(left).unwrap_or(i64::MAX);
    for row in statement.query_map((folded, left), channel)? {
        let (row, channel) = row?;
        if found.iter().all(|it| it.1 != row) {
            found.push((fit, row, channel));
        }
    }
    Ok(())
}

/// Adds what is spelled nearly like it, the most alike first.
fn alike(database: &Connection, folded: &str, found: &mut Vec<Found>) -> Result<(), WatchError> {
    let sql = "SELECT row, id, name, folded FROM channels \
        WHERE EXISTS (SELECT 1 FROM videos WHERE channel = channels.row) ORDER BY row";
    let mut statement = database.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let mut near = Vec::new();
    while let Some(row) = rows.next()? {
        let other = row.get_ref(3)?.as_str().unwrap_or_default();
        let score = jaro_winkler(folded, other);
        if score >= ALIKE && found.iter().all(|it| row.get(0) != Ok(it.1)) {
            near.push((score, channel(row)?));
        }
    }
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    let left = MOST.saturating_sub(found.len());
    found.extend(near.into_iter().take(left).map(|(_, (row, channel))| (Fit::Alike, row, channel)));
    Ok(())
}

fn channel(row: &Row<'_>) -> rusqlite::Result<(i64, Channel)> {
    Ok((row.get(0)?, Channel { id: row.get(1)?, name: row.get(2)? }))
}
