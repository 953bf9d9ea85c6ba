//! Exports as Takeout makes them, and libraries to put them in.

use std::{
    fs,
    path::{Path, PathBuf},
};

use jiff::{Timestamp, tz::TimeZone};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;
use toolwright_watch::{Imported, Library, Video, WatchError};

/// A library, and a folder beside it for what is put in.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    pub(crate) library: Library,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let library = Library::open(&folder.path().join("library")).unwrap();
        Self { folder, library }
    }

    /// Writes a file of an export.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join("export").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn import(&self, path: &Path) -> Result<Imported, WatchError> {
        self.library.import_in(&TimeZone::UTC, path, &mut |_, _| {})
    }

    /// Imports these entries.
    pub(crate) fn entries(&self, entries: &[Value]) -> Imported {
        let path = self.file("watch-history.json", json!(entries).to_string());
        self.import(&path).unwrap()
    }

    pub(crate) fn video(&self, id: &str) -> Video {
        self.library.video(id).unwrap().unwrap_or_else(|| panic!("no video {id}"))
    }

    pub(crate) fn database(&self) -> Connection {
        Connection::open(self.library.folder().join("watch.db")).unwrap()
    }

    /// The ids of the videos in which these words are.
    pub(crate) fn with_words(&self, words: &str) -> Vec<String> {
        let database = self.database();
        let sql = "SELECT id FROM words JOIN videos ON videos.row = words.rowid \
            WHERE words MATCH ?1 ORDER BY id";
        let mut found = database.prepare(sql).unwrap();
        let found = found.query_map([words], |row| row.get(0)).unwrap();
        found.map(Result::unwrap).collect()
    }
}

/// An ordinary entry.
pub(crate) fn watched(id: &str, title: &str, channel: &str, time: &str) -> Value {
    json!({
        "header": "YouTube",
        "title": format!("Watched {title}"),
        "titleUrl": format!("https://www.youtube.com/watch?v={id}"),
        "subtitles": [{"name": channel, "url": channel_url(channel)}],
        "time": time,
        "products": ["YouTube"],
        "activityControls": ["YouTube watch history"],
    })
}

/// An id that depends on the name only.
pub(crate) fn channel_id(name: &str) -> String {
    let sum: u64 = name.bytes().fold(7, |sum, it| sum.wrapping_mul(31).wrapping_add(u64::from(it)));
    format!("UC{sum:022}")
}

pub(crate) fn channel_url(name: &str) -> String {
    format!("https://www.youtube.com/channel/{}", channel_id(name))
}

/// Changes fields of an entry; null takes one away.
pub(crate) fn with(mut entry: Value, changes: Value) -> Value {
    let Value::Object(changes) = changes else { panic!("changes are an object") };
    for (name, value) in changes {
        if value.is_null() {
            entry.as_object_mut().unwrap().remove(&name);
        } else {
            entry[name] = value;
        }
    }
    entry
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A page of activity with these cells in it.
pub(crate) fn page(cells: &[String]) -> String {
    let style = ".outer-cell{margin:0}".repeat(5000);
    format!(
        "<html><head><meta charset=\"UTF-8\"><style>{style}</style></head><body>\
         <div class=\"mdl-grid\">{}</div></body></html>",
        cells.join("")
    )
}

/// A cell, with what it says and what is said below it.
pub(crate) fn cell(content: &str, caption: &str) -> String {
    format!(
        "<div class=\"outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp\"><div class=\"mdl-grid\">\
         <div class=\"header-cell mdl-cell mdl-cell--12-col\"><p class=\"mdl-typography--title\">YouTube<br></p></div>\
         <div class=\"content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1\">{content}<br></div>\
         <div class=\"content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right\"></div>\
         <div class=\"content-cell mdl-cell mdl-cell--12-col mdl-typography--caption\"><b>Products:</b><br>&emsp;YouTube<br>{caption}\
         <b>Why is this here?</b><br>&emsp;This activity was saved to your account.</div></div></div>"
    )
}
