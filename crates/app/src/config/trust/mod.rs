//! [`FolderTrust`]: what a folder that one merely stands in may say.
//!
//! Whoever made a folder wrote what lies in it, and that may be somebody else. It is data until the user
//! trusted it: by the digest of what would count, kept outside of the folder. Even then it decides only
//! what [`keys`] lets a folder decide.

mod contents;
mod keys;
mod law;
mod store;

use std::path::{Path, PathBuf};

#[doc(hidden)]
pub use self::law::check_folder_settings;
pub use self::{
    contents::{FolderContents, Refusal},
    keys::{FolderSetting, SettingOutcome},
    store::{TrustEntry, TrustStore, TrustVerdict},
};
use super::file::File;
use crate::{AppError, PackRegistry, task::name_of};

/// What the folder one stands in says, and whether it counts.
#[derive(Clone, Debug)]
pub enum FolderTrust {
    /// It says nothing, or nobody asks it: a file was named.
    Silent,
    /// What is there cannot be trusted.
    Refused(Refusal),
    /// Nobody was asked about it yet, or not about what is there now.
    Unknown(FolderContents),
    /// The user does not trust it.
    Declined(FolderContents),
    /// The user trusts it.
    Trusted(FolderContents, Vec<FolderSetting>),
}

impl FolderTrust {
    /// One line about what does not count and why, if anything does not.
    pub fn notice(&self) -> Option<String> {
        match self {
            Self::Silent => None,
            Self::Refused(Refusal { path, reason }) => {
                Some(format!("{} was ignored: {reason}", path.display()))
            }
            Self::Unknown(contents) | Self::Declined(contents) => Some(format!(
                "{} is not trusted and was ignored: `toolwright trust` shows what it would change",
                contents.path().display()
            )),
            Self::Trusted(contents, said) => {
                let ignored = said.iter().filter(|it| it.becomes == SettingOutcome::Ignored);
                let keys: Vec<_> = ignored.map(|it| it.key.as_str()).collect();
                (!keys.is_empty()).then(|| {
                    let (path, keys) = (contents.path().display(), keys.join(", "));
                    format!("{path} may not decide this, and it was ignored: {keys}")
                })
            }
        }
    }
}

/// What counts of a folder's settings.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Its tasks: where each is, and what stands in it.
    pub(super) tasks: Vec<(PathBuf, String)>,
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
        None => Ok((FolderTrust::Unknown(contents), None)),
        Some(TrustVerdict::Declined) => Ok((FolderTrust::Declined(contents), None)),
        Some(TrustVerdict::Trusted) => {
            let (file, said) = contents.sifted(packs)?;
            let (path, tasks) = (contents.path().to_owned(), contents.tasks());
            Ok((FolderTrust::Trusted(contents, said), Some(Layer { path, file, tasks })))
        }
    }
}

impl FolderContents {
    /// What the folder's settings say, and what would become of it.
    ///
    /// # Errors
    /// When the file is not valid.
    pub fn said(&self, packs: &PackRegistry) -> Result<Vec<FolderSetting>, AppError> {
        self.sifted(packs).map(|(_, said)| said)
    }

    fn sifted(&self, packs: &PackRegistry) -> Result<(File, Vec<FolderSetting>), AppError> {
        let invalid = |reason| AppError::Invalid { path: self.path().to_owned(), reason };
        let text = std::str::from_utf8(self.settings()).map_err(|it| invalid(it.to_string()))?;
        let (file, mut said) = keys::sift(packs, text, self.folder()).map_err(invalid)?;
        said.extend(self.tasks().into_iter().filter_map(|(path, _)| {
            let (key, value) = (format!("tasks.{}", name_of(&path)?), path.display().to_string());
            let (about, becomes) = ("a task of the folder's own", SettingOutcome::Taken);
            Some(FolderSetting { key, about, value, becomes })
        }));
        Ok((file, said))
    }
}
