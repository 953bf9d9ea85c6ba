//! [`TrustStore`]: which folders the user trusts, and what was in them then.
//!
//! It is kept in the data folder, which no folder's settings name and no tool reaches.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use toolwright_files::{DigestEntry, DigestMatch, DigestStore};

use super::FolderContents;
use crate::AppError;

/// Which folders the user trusts.
#[derive(Clone, Debug)]
pub struct TrustStore(DigestStore<TrustDetails>);

/// What the user said of a folder: of its real path, with the digest of what was in it.
pub type TrustEntry = DigestEntry<TrustDetails>;

/// What was said of a folder, beside what was in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustDetails {
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
        Self(DigestStore::new(data.join("trust.json")))
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
        Ok(match self.said(contents)? {
            DigestMatch::Same(entry) => Some(entry.details.verdict),
            _ => None,
        })
    }

    /// The digests of the files `AGENTS.md` below a folder that the user trusts with exactly these contents.
    ///
    /// # Errors
    /// When it cannot be read, or others may have written it.
    pub fn nested(&self, contents: &FolderContents) -> Result<Vec<String>, AppError> {
        Ok(match self.said(contents)? {
            DigestMatch::Same(entry) if entry.details.verdict == TrustVerdict::Trusted => {
                entry.details.nested
            }
            _ => Vec::new(),
        })
    }

    /// Whether the user trusted this folder with other contents.
    pub(super) fn is_trusted_otherwise(&self, contents: &FolderContents) -> Result<bool, AppError> {
        let said = self.said(contents)?;
        Ok(matches!(said, DigestMatch::Changed(it) if it.details.verdict == TrustVerdict::Trusted))
    }

    /// All that was said.
    ///
    /// # Errors
    /// When it cannot be read, or others may have written it.
    pub fn list(&self) -> Result<Vec<TrustEntry>, AppError> {
        self.0.entries().map_err(|reason| self.unusable(&reason))
    }

    /// Keeps what the user said of a folder, in the place of what was said before.
    ///
    /// # Errors
    /// When it cannot be kept, or the folder's path is no text.
    pub fn say(&self, contents: &FolderContents, verdict: TrustVerdict) -> Result<(), AppError> {
        let Some(subject) = contents.folder().to_str().map(str::to_owned) else {
            return Err(self.unusable(&io::Error::other("the folder's path is no text in UTF-8")));
        };
        let nested = contents.nested().iter().map(|(_, digest)| digest.clone()).collect();
        let (digest, details) = (contents.digest().to_owned(), TrustDetails { verdict, nested });
        let said = self.0.put(vec![TrustEntry { subject, digest, details }]);
        said.map_err(|reason| self.unusable(&reason))
    }

    /// Forgets what was said of a folder; whether anything was.
    ///
    /// # Errors
    /// When it cannot be read or kept.
    pub fn revoke(&self, folder: &Path) -> Result<bool, AppError> {
        // A folder that is gone is only known by its name.
        let real: PathBuf = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let Some(subject) = real.to_str() else { return Ok(false) };
        self.0.forget(subject).map_err(|reason| self.unusable(&reason))
    }

    /// What was said of a folder; of one whose path is no text nothing can have been.
    fn said(&self, contents: &FolderContents) -> Result<DigestMatch<TrustDetails>, AppError> {
        let subject = contents.folder().to_str().unwrap_or_default();
        self.0.check(subject, contents.digest()).map_err(|reason| self.unusable(&reason))
    }

    fn unusable(&self, reason: &io::Error) -> AppError {
        AppError::Trust { path: self.path().to_owned(), reason: reason.to_string() }
    }
}
