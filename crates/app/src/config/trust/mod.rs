//! [`FolderTrust`]: what a folder that one merely stands in may say.
//!
//! Whoever made a folder wrote what lies in it, and that may be somebody else. It is data until the user
//! trusted it: by the digest of what would count, kept outside of the folder. Even then it decides only
//! what [`keys`] lets a folder decide.

mod contents;
mod effects;
mod keys;
mod law;
mod store;

use std::{
    fmt,
    path::{Path, PathBuf},
};

pub(super) use self::keys::KEYS;
#[doc(hidden)]
pub use self::law::check_folder_settings;
pub use self::{
    contents::{FolderContents, FolderText, Refusal, TASKS, TOOLS, check_tasks_folder},
    keys::{FolderSetting, SettingOutcome},
    store::{TrustDetails, TrustEntry, TrustStore, TrustVerdict},
};
use super::file::File;
use crate::{AppError, PackRegistry};

/// What the folder one stands in says, and whether it counts.
#[derive(Clone, Debug)]
pub enum FolderTrust {
    /// It says nothing, or nobody asks it: a file was named.
    Silent,
    /// What is there cannot be trusted.
    Refused(Refusal),
    /// Nobody was asked about it yet.
    Unknown(FolderContents),
    /// It was trusted, and not what is there now.
    Changed(FolderContents),
    /// The user does not trust it.
    Declined(FolderContents),
    /// The user trusts it.
    Trusted(FolderContents, Vec<FolderSetting>),
}

impl FolderTrust {
    /// What does not count and why, a line each.
    pub fn notices(&self) -> Vec<String> {
        let contents = match self {
            Self::Silent => return Vec::new(),
            Self::Refused(refusal) => return vec![refusal.to_string()],
            Self::Unknown(it) | Self::Changed(it) | Self::Declined(it) | Self::Trusted(it, _) => it,
        };
        let first = match self {
            Self::Trusted(contents, said) => {
                let ignored = said.iter().filter(|it| it.becomes == SettingOutcome::Ignored);
                let keys: Vec<_> = ignored.map(|it| it.key.as_str()).collect();
                (!keys.is_empty()).then(|| {
                    let (path, keys) = (contents.path().display(), keys.join(", "));
                    format!("{path} may not decide this, and it was ignored: {keys}")
                })
            }
            _ => {
                let (is, was, it) = match contents.is_one() {
                    true => ("is", "was", "it"),
                    false => ("are", "were", "they"),
                };
                let changed = match self {
                    Self::Changed(_) => format!("; {it} changed since {it} {was} trusted"),
                    _ => String::new(),
                };
                Some(format!(
                    "{} {is} not trusted and {was} ignored: `toolwright trust` shows what {it} would \
                     change{changed}",
                    contents.told()
                ))
            }
        };
        first.into_iter().chain(contents.left_out().iter().map(ToString::to_string)).collect()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was ignored: {}", self.path.display(), self.reason)
    }
}

/// What counts of a folder's settings.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Its tasks: where each is, and what stands in it, or why that is no text.
    pub(super) tasks: Vec<(PathBuf, Result<String, String>)>,
    /// Its commands, likewise.
    pub(super) tools: Vec<(PathBuf, Result<String, String>)>,
}

/// What a folder says, and what counts of it.
pub(super) fn look(
    packs: &PackRegistry,
    folder: &Path,
    store: &TrustStore,
) -> Result<(FolderTrust, Option<Layer>), AppError> {
    let contents = match FolderContents::read(folder) {
        Ok(None) => return Ok((FolderTrust::Silent, None)),
        Ok(Some(contents)) => contents,
        Err(refusal) => return Ok((FolderTrust::Refused(refusal), None)),
    };
    match store.verdict(&contents)? {
        None if store.is_trusted_otherwise(&contents)? => {
            Ok((FolderTrust::Changed(contents), None))
        }
        None => Ok((FolderTrust::Unknown(contents), None)),
        Some(TrustVerdict::Declined) => Ok((FolderTrust::Declined(contents), None)),
        Some(TrustVerdict::Trusted) => {
            let (file, said) = contents.sifted(packs)?;
            let (path, tasks) = (contents.path().to_owned(), contents.tasks());
            let tools = contents.tools();
            Ok((FolderTrust::Trusted(contents, said), Some(Layer { path, file, tasks, tools })))
        }
    }
}

impl FolderContents {
    /// What its settings say, and what counts of it.
    fn sifted(&self, packs: &PackRegistry) -> Result<(File, Vec<FolderSetting>), AppError> {
        let invalid = |reason| AppError::Invalid { path: self.path().to_owned(), reason };
        keys::sift(packs, self.text()?, self.folder()).map_err(invalid)
    }

    fn text(&self) -> Result<&str, AppError> {
        std::str::from_utf8(self.settings()).map_err(|_| AppError::Invalid {
            path: self.path().to_owned(),
            reason: "it is no text in UTF-8".to_owned(),
        })
    }
}
