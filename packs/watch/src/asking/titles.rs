//! Videos, as people name them.

use super::videos;
use crate::{Library, Video, WatchError, library::fold, video::SELECT_VIDEO};

/// How many videos a title may mean at most.
const MOST: i64 = 20;

impl Library {
    /// The videos a title may mean, those watched last first: those that have it, or else those whose titles hold it.
    /// None where there are too many for anybody to mean one.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub(crate) fn videos_titled(&self, title: &str) -> Result<Vec<Video>, WatchError> {
        let folded = fold(title);
        if folded.chars().count() < 3 {
            return Ok(Vec::new());
        }
        let sql = format!(
            "{SELECT_VIDEO} WHERE title LIKE ?1 ESCAPE '\\' \
             ORDER BY last DESC, videos.row DESC LIMIT ?2"
        );
        let mut found = videos(&self.database(), &sql, (pattern(title), MOST + 1))?;
        let is_it = |it: &Video| it.title.as_deref().is_some_and(|it| fold(it) == folded);
        if found.iter().any(is_it) {
            found.retain(is_it);
        }
        let is_few = i64::try_from(found.len()).is_ok_and(|it| it <= MOST);
        Ok(if is_few { found } else { Vec::new() })
    }
}

/// The text anywhere, with any blanks between its words.
fn pattern(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let mut escaped = String::new();
        for letter in word.chars() {
            if matches!(letter, '%' | '_' | '\\') {
                escaped.push('\\');
            }
            escaped.push(letter);
        }
        escaped
    });
    format!("%{}%", words.collect::<Vec<_>>().join("%"))
}
