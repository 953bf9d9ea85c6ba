//! [`Video`]: something that was watched.

use jiff::Timestamp;
use rusqlite::Row;
use serde::Serialize;

/// What [`Video::read`] reads, and from where.
pub(crate) const SELECT_VIDEO: &str = "SELECT videos.row, videos.id, title, channels.id, name, \
    seconds, is_music, watches, last \
    FROM videos LEFT JOIN channels ON channels.row = videos.channel";

/// A video, and how often it was watched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Video {
    /// Its place in the library; also the place of its vector.
    #[serde(skip)]
    pub row: i64,
    /// YouTube's id: eleven characters.
    pub id: String,
    /// The title, if it is known.
    pub title: Option<String>,
    /// The channel, if it is known.
    pub channel: Option<Channel>,
    /// How long it is, in seconds, if that is known.
    pub seconds: Option<u32>,
    /// Whether it is music: played by YouTube Music, or of a channel that YouTube made for an artist.
    pub is_music: bool,
    /// How often it was watched.
    pub watches: u32,
    /// When it was watched last.
    pub last: Timestamp,
}

impl Video {
    /// The video in a row of [`SELECT_VIDEO`].
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let id = row.get(3)?;
        let name: Option<String> = row.get(4)?;
        Ok(Self {
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
}

/// A time as the library has it.
pub(crate) fn moment(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or_default()
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Channel {
    /// YouTube's id (`UC…`), if it is known.
    pub id: Option<String>,
    /// The name.
    pub name: String,
}

/// One time that a video was watched, as an export tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The video's id.
    pub id: String,
    /// The title, if the export still has it.
    pub title: Option<String>,
    /// The channel, if the export still has it.
    pub channel: Option<Channel>,
    /// Whether it is music.
    pub is_music: bool,
    /// When. Kept to the second.
    pub at: Timestamp,
}
