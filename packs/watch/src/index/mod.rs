//! [`Embedded`]: the vectors of a [`Library`], made in batches and searched in memory.
//!
//! A vector is kept in the row of a table, in the same transaction as the hash of its text and the name
//! of what made it. There is no file beside the database that could disagree with it: whatever
//! is cut short, by a crash or by pulling the plug, was either kept as a whole or not at all. What
//! is searched is a copy in memory, made of that table when it is first needed and when it has changed.

mod code;
mod form;
mod nearest;
mod shelf;
mod text;
mod vectors;

use serde::Serialize;
use toolwright_embed::{EmbedError, Embedder};

use self::{
    code::{MOST_DIMENSIONS, encode},
    form::Form,
    text::Text,
};
pub(crate) use self::{
    code::{decode, exact},
    form::{as_title, made_by},
    shelf::{Shelf, View},
    vectors::{Among, Vectors},
};
use crate::{Library, Progress, WatchError, WatchErrorKind};

/// How many texts are handed to an embedder at once, and are lost at most when it is stopped.
const BATCH: usize = 64;

/// What became of making vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Embedded {
    /// Vectors that were made.
    pub made: u64,
    /// Vectors there are.
    pub all: u64,
}

impl Library {
    /// Makes the vectors that are missing: of videos that have none, whose title or channel changed, or
    /// whose vector another embedder made. What was made is kept, should it be stopped.
    ///
    /// # Errors
    /// When they cannot be made or kept.
    pub async fn embed(
        &self,
        embedder: &dyn Embedder,
        progress: Progress<'_>,
    ) -> Result<Embedded, WatchError> {
        let name = made_by(embedder);
        let wanted = self.blocking(move |it| it.without_vector(&name)).await?;
        let total = wanted.len() as u64;
        let mut made = 0;
        progress(made, Some(total));
        let form = if wanted.is_empty() {
            Form::none()
        } else {
            Form::of(embedder).await.map_err(failed)?
        };
        for rows in wanted.chunks(BATCH) {
            let rows = rows.to_vec();
            let texts = self.blocking(move |it| text::of(&it.database(), &rows)).await?;
            made += self.embed_batch(embedder, &form, texts).await?;
            progress(made, Some(total));
        }
        let all = self.blocking(Self::finish_vectors).await?;
        Ok(Embedded { made, all })
    }

    async fn embed_batch(
        &self,
        embedder: &dyn Embedder,
        form: &Form,
        texts: Vec<Text>,
    ) -> Result<u64, WatchError> {
        let (keys, texts): (Vec<_>, Vec<_>) =
            texts.into_iter().map(|it| ((it.row, it.hash), it.text)).unzip();
        if texts.is_empty() {
            return Ok(0);
        }
        let vectors = embedder.embed(&texts).await.map_err(failed)?;
        check(&vectors, texts.len(), embedder)?;
        let vectors: Vec<_> = vectors.into_iter().map(|it| form.without(it)).collect();
        let name = made_by(embedder);
        let made = vectors.len() as u64;
        self.blocking(move |it| it.keep_vectors(&name, &keys, &vectors)).await?;
        Ok(made)
    }

    /// The videos without a vector by this embedder of their text, by row.
    fn without_vector(&self, embedder: &str) -> Result<Vec<i64>, WatchError> {
        let database = self.database();
        let is_same = fact(&database, EMBEDDER)?.as_deref() == Some(embedder);
        let mut statement = database.prepare_cached(text::ALL)?;
        let mut found = statement.query([])?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let known: Option<i64> = row.get(3)?;
            let text = Text::read(row)?;
            if !is_same || known != Some(text.hash) {
                rows.push(text.row);
            }
        }
        Ok(rows)
    }

    fn keep_vectors(
        &self,
        embedder: &str,
        keys: &[(i64, i64)],
        vectors: &[Vec<f32>],
    ) -> Result<(), WatchError> {
        self.write(|writing| {
            let database = writing.database();
            // Only now that there is something in their place: an embedder that cannot be reached
            // should not cost the vectors there are.
            if fact(database, EMBEDDER)?.as_deref() != Some(embedder) {
                database.execute("DELETE FROM vectors", [])?;
                set_fact(database, EMBEDDER, embedder)?;
            }
            let sql = "INSERT OR REPLACE INTO vectors (video, text, vector) VALUES (?1, ?2, ?3)";
            let mut insert = database.prepare_cached(sql)?;
            for ((row, hash), vector) in keys.iter().zip(vectors) {
                insert.execute((row, hash, encode(vector)))?;
            }
            count_change(database)
        })
    }

    /// Takes away the vectors of videos that have no title any more, and counts the others.
    fn finish_vectors(&self) -> Result<u64, WatchError> {
        self.write(|writing| {
            let database = writing.database();
            let sql = "DELETE FROM vectors WHERE video NOT IN \
                (SELECT row FROM videos WHERE trim(coalesce(title, '')) <> '')";
            if database.execute(sql, [])? > 0 {
                count_change(database)?;
            }
            let sql = "SELECT count(*) FROM vectors";
            let count: i64 = database.query_row(sql, [], |row| row.get(0))?;
            Ok(count.unsigned_abs())
        })
    }

    /// Does what may take a while on a thread where nothing else waits for it.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, WatchError> + Send + 'static,
    ) -> Result<T, WatchError> {
        let library = self.clone();
        match tokio::task::spawn_blocking(move || work(&library)).await {
            Ok(result) => result,
            Err(error) => Err(WatchError::new(
                WatchErrorKind::Library,
                format!("the watch history was not read to the end: {error}"),
            )),
        }
    }
}

/// What made the vectors.
pub(crate) const EMBEDDER: &str = "embedder";
/// How often the vectors changed.
const CHANGES: &str = "vectors";

/// Something the library knows about itself.
pub(crate) fn fact(
    database: &rusqlite::Connection,
    name: &str,
) -> Result<Option<String>, WatchError> {
    let mut statement = database.prepare_cached("SELECT value FROM facts WHERE name = ?1")?;
    let mut rows = statement.query([name])?;
    Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
}

fn set_fact(database: &rusqlite::Connection, name: &str, value: &str) -> Result<(), WatchError> {
    let sql = "INSERT OR REPLACE INTO facts (name, value) VALUES (?1, ?2)";
    database.prepare_cached(sql)?.execute((name, value))?;
    Ok(())
}

fn count_change(database: &rusqlite::Connection) -> Result<(), WatchError> {
    let changes: u64 = fact(database, CHANGES)?.and_then(|it| it.parse().ok()).unwrap_or(0);
    set_fact(database, CHANGES, &changes.wrapping_add(1).to_string())
}

fn failed(error: EmbedError) -> WatchError {
    let advice = error.advice;
    WatchError { advice, ..WatchError::new(WatchErrorKind::Embedding, error.message) }
}

fn check(vectors: &[Vec<f32>], texts: usize, by: &dyn Embedder) -> Result<(), WatchError> {
    let wrong = |what: String| {
        let message = format!("the embedder {} does not work as it should: {what}", by.name());
        Err(WatchError::new(WatchErrorKind::Embedding, message))
    };
    let dimensions = by.dimensions();
    if dimensions == 0 || dimensions > MOST_DIMENSIONS {
        return wrong(format!(
            "its vectors have {dimensions} numbers, and 1 to {MOST_DIMENSIONS} can be searched"
        ));
    }
    if vectors.len() != texts {
        return wrong(format!("{} vectors for {texts} texts", vectors.len()));
    }
    if let Some(vector) = vectors.iter().find(|it| it.len() != dimensions) {
        return wrong(format!("a vector of {} numbers instead of {dimensions}", vector.len()));
    }
    if vectors.iter().flatten().any(|it| !it.is_finite()) {
        return wrong("a vector holds something that is no number".to_owned());
    }
    Ok(())
}
