//! [`Shelf`]: a library in a folder that goes away.

use jiff::Timestamp;
use rusqlite::Connection;
use tempfile::TempDir;
use toolwright_embed::Embedder;
use toolwright_watch::{Channel, Embedded, Filter, Hit, Library, Query, Watched};

pub(crate) struct Shelf {
    pub(crate) library: Library,
    pub(crate) folder: TempDir,
}

/// A moment, so many minutes after some other.
pub(crate) fn minute(number: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + number * 60).unwrap()
}

/// Something watched: its number makes its id.
pub(crate) fn watched(number: usize, title: &str, channel: &str, at: Timestamp) -> Watched {
    Watched {
        id: format!("video{number:06}"),
        title: (!title.is_empty()).then(|| title.to_owned()),
        channel: (!channel.is_empty()).then(|| Channel { id: None, name: channel.to_owned() }),
        is_music: false,
        at,
    }
}

impl Shelf {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        Self { library: Library::open(folder.path()).unwrap(), folder }
    }

    /// Titles, each watched a minute after the one before.
    pub(crate) fn of(titles: &[(&str, &str)]) -> Self {
        let shelf = Self::new();
        let watched: Vec<Watched> = titles
            .iter()
            .enumerate()
            .map(|(number, (title, channel))| {
                watched(number, title, channel, minute(number as i64))
            })
            .collect();
        shelf.library.add(&watched).unwrap();
        shelf
    }

    pub(crate) fn database(&self) -> Connection {
        Connection::open(self.folder.path().join("watch.db")).unwrap()
    }

    pub(crate) fn channel(&self, name: &str) -> i64 {
        let sql = "SELECT row FROM channels WHERE name = ?1";
        self.database().query_row(sql, [name], |row| row.get(0)).unwrap()
    }

    pub(crate) async fn embed(&self, embedder: &dyn Embedder) -> Embedded {
        self.library.embed(embedder, &mut |_, _| ()).await.unwrap()
    }

    pub(crate) async fn search(&self, text: &str, by: Option<&dyn Embedder>) -> Vec<Hit> {
        self.filtered(text, Filter::default(), by).await
    }

    pub(crate) async fn filtered(
        &self,
        text: &str,
        filter: Filter,
        by: Option<&dyn Embedder>,
    ) -> Vec<Hit> {
        let query = Query { text: text.to_owned(), most: 10, filter };
        self.library.search(&query, by).await.unwrap()
    }

    /// What is kept: the video, the hash of its text, its vector.
    pub(crate) fn vectors(&self) -> Vec<(i64, i64, Vec<u8>)> {
        let database = self.database();
        let sql = "SELECT video, text, vector FROM vectors ORDER BY video";
        let mut statement = database.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    }
}

/// The titles that were found.
pub(crate) fn titles(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|it| it.video.title.as_deref().unwrap_or_default()).collect()
}
