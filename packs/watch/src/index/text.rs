//! [`Text`]: what a vector is made of.

use rusqlite::{Connection, Row};

use crate::WatchError;

/// Every video that has a title, and the hash of the text its vector was made of.
pub(super) const ALL: &str = "SELECT videos.row, title, name, vectors.text FROM videos \
    LEFT JOIN channels ON channels.row = videos.channel \
    LEFT JOIN vectors ON vectors.video = videos.row \
    WHERE trim(coalesce(title, '')) <> '' ORDER BY videos.row";

const ONE: &str = "SELECT videos.row, title, name FROM videos \
    LEFT JOIN channels ON channels.row = videos.channel \
    WHERE videos.row = ?1 AND trim(coalesce(title, '')) <> ''";

/// What a vector is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// The video's row.
    pub(super) row: i64,
    /// Of the text: another text, another vector.
    pub(super) hash: i64,
    pub(super) text: String,
}

impl Text {
    /// From a row that begins with the video's row, title and channel.
    pub(super) fn read(row: &Row<'_>) -> Result<Self, WatchError> {
        let title: String = row.get(1)?;
        let channel: Option<String> = row.get(2)?;
        let text = words(&title, channel.as_deref());
        Ok(Self { row: row.get(0)?, hash: hash(&text), text })
    }
}

/// The texts of these videos. One that lost its title in the meantime has none.
pub(super) fn of(database: &Connection, rows: &[i64]) -> Result<Vec<Text>, WatchError> {
    let mut statement = database.prepare_cached(ONE)?;
    let mut texts = Vec::with_capacity(rows.len());
    for row in rows {
        let mut found = statement.query([row])?;
        if let Some(row) = found.next()? {
            texts.push(Text::read(row)?);
        }
    }
    Ok(texts)
}

pub(super) fn words(title: &str, channel: Option<&str>) -> String {
    match channel.filter(|it| !it.trim().is_empty()) {
        Some(channel) => format!("Title: {title}\n\nChannel: {channel}"),
        None => format!("Title: {title}"),
    }
}

/// FNV-1a: the same on every machine and in every release, which the standard library's is not.
fn hash(text: &str) -> i64 {
    let start: u64 = 0xcbf2_9ce4_8422_2325;
    let hash = text
        .bytes()
        .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash.cast_signed()
}
