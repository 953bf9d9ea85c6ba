//! What a file that merely lies in the current folder may decide.
//!
//! `./toolwright.toml` is read because it is there. Whoever made the folder wrote it, and that may be
//! somebody else: it must not name the workspace it lies in, nor let commands run as root, and keys that the user keeps elsewhere are
//! not sent to an address it names.

use std::path::Path;

use super::{Config, Place, Setting, workspace::is_in};
use crate::AppError;

impl Config {
    /// Refuses what a file that nobody named may not decide.
    pub(super) fn check_trust(self, is_named: bool) -> Result<Self, AppError> {
        let Some(file) = self.file.clone().filter(|it| !is_named && !self.is_users(it)) else {
            return Ok(self);
        };
        if self.workspace().is_some_and(|folder| is_in(&file, &folder)) {
            return Err(AppError::InWorkspace { file });
        }
        if matches!(self.workspace.allow_root, Setting { value: true, place: Place::File(_) }) {
            return Err(AppError::RootForFile { file });
        }
        let (model, market, history) = (&self.model, &self.market, &self.history);
        let pairs = [
            (&model.base_url, is_elsewhere(&model.api_key)),
            (&market.base_url, is_elsewhere(&market.access_token)),
            (&history.embeddings_url, is_elsewhere(&history.embeddings_key)),
            (&history.youtube_url, is_elsewhere(&history.youtube_key)),
        ];
        let sent = pairs.into_iter().filter(|(_, has_key)| *has_key).find_map(|(url, _)| {
            let named = matches!(url.place, Place::File(_));
            url.value.clone().filter(|url| named && !super::market::is_this_machine(url))
        });
        match sent {
            Some(url) => Err(AppError::KeyForFile { file, url }),
            None => Ok(self),
        }
    }

    /// Whether it is the user's own file.
    fn is_users(&self, file: &Path) -> bool {
        self.user_folder.as_ref().is_some_and(|folder| is_in(file, folder))
    }
}

/// Whether there is a key, and another place than the file has it.
fn is_elsewhere<T>(key: &Setting<Option<T>>) -> bool {
    key.value.is_some() && !matches!(key.place, Place::File(_))
}
