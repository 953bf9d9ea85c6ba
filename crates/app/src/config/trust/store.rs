//! [`TrustStore`]: which folders the user trusts, and what was in them then.
//!
//! It is kept in the data folder, which no folder's settings name and no tool reaches.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::FolderContents;
use crate::{AppError, ListFile};

/// Which folders the user trusts.
#[derive(Clone, Debug)]
pub struct TrustStore(ListFile);

/// What the user said of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustEntry {
    /// The folder, its real path.
    pub folder: String,
    /// The digest of what was in it.
    pub digest: String,
    /// What was said.
    pub verdict: TrustVerdict,
    /// The digests of the files `AGENTS.md` below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<String>,
}

/// Whether a folder is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrustVerdict {
    /// It is.
    Trusted,
    /// It is not, and nobody needs to be asked again.
    Declined,
}

impl TrustStore {
    /// The one in this data folder.
    pub(in super::super) fn in_folder(data: &Path) -> Self {
        Self(ListFile::new(data.join("trust.json")))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// What the user said of a folder with exactly these contents.
    ///
    /// # Errors
    /// When it cannot be read, or others may have written it.
    pub fn verdict(&self, contents: &FolderContents) -> Result<Option<TrustVerdict>, AppError> {
        let entries = self.list()?;
        let is_it = |it: &&TrustEntry| {
            Path::new(&it.folder) == contents.folder() && it.digest == contents.digest()
        };
        Ok(entries.iter().find(is_it).map(|it| it.verdict))
    }

    /// The digests of the files `AGENTS.md` below a folder that the user trusts with exactly these contents.
    ///
    /// # Errors
    /// When it cannot be read, or others may have written it.
    pub fn nested(&self, contents: &FolderContents) -> Result<Vec<String>, AppError> {
        let is_it = |it: &TrustEntry| {
            Path::new(&it.folder) == contents.folder()
                && it.digest == contents.digest()
                && it.verdict == TrustVerdict::Trusted
        };
        let found = self.list()?.into_iter().find(is_it);
        Ok(found.map(|it| it.nested).unwrap_or_default())
    }

    /// Whether the user trusted this folder with other contents.
    pub(super) fn is_trusted_otherwise(&self, contents: &FolderContents) -> Result<bool, AppError> {
        let is_it = |it: &TrustEntry| {
            Path::new(&it.folder) == contents.folder() && it.verdict == TrustVerdict::Trusted
        };
        Ok(self.list()?.iter().any(is_it))
    }

    /// All that was said.
    ///
    /// # Errors
    /// When it cannot be read, or others may have written it.
    pub fn list(&self) -> Result<Vec<TrustEntry>, AppError> {
        self.0.read_own().map_err(|reason| self.unusable(&reason))
    }

    /// Keeps what the user said of a folder, in the place of what was said before.
    ///
    /// # Errors
    /// When it cannot be kept, or the folder's path is no text.
    pub fn say(&self, contents: &FolderContents, verdict: TrustVerdict) -> Result<(), AppError> {
        let Some(folder) = contents.folder().to_str().map(str::to_owned) else {
            return Err(self.unusable(&io::Error::other("the folder's path is no text in UTF-8")));
        };
        let nested = contents.nested().iter().map(|(_, digest)| digest.clone()).collect();
        let entry = TrustEntry { folder, digest: contents.digest().to_owned(), verdict, nested };
        self.change(|entries| {
            entries.retain(|it| it.folder != entry.folder);
            entries.push(entry);
        })
    }

    /// Forgets what was said of a folder; whether anything was.
    ///
    /// # Errors
    /// When it cannot be read or kept.
    pub fn revoke(&self, folder: &Path) -> Result<bool, AppError> {
        // A folder that is gone is only known by its name.
        let real: PathBuf = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut is_known = false;
        self.change(|entries| {
            let before = entries.len();
            entries.retain(|it| Path::new(&it.folder) != real);
            is_known = entries.len() < before;
        })?;
        Ok(is_known)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<TrustEntry>)) -> Result<(), AppError> {
        // What others may have written is not kept on under the user's name.
        self.list()?;
        self.0.change(change).map_err(|reason| self.unusable(&reason))
    }

    fn unusable(&self, reason: &io::Error) -> AppError {
        AppError::Trust { path: self.path().to_owned(), reason: reason.to_string() }
    }
}
