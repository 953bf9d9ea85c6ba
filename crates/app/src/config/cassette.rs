//! [`CassetteConfig`]: where what a model says is recorded to, or replayed from.

use std::path::PathBuf;

use toolwright_models::CassetteMode;

use super::Flags;
use crate::AppError;

/// Where what a model says is recorded to, or replayed from. Only said on the command line: no file decides
/// that what is asked and answered is written elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CassetteConfig {
    /// The file.
    pub path: PathBuf,
    /// What is done with it, where somebody says.
    pub mode: Option<CassetteMode>,
}

impl CassetteConfig {
    pub(super) fn read(flags: &Flags) -> Result<Option<Self>, AppError> {
        let mode = flags.cassette_mode.as_deref();
        let mode = mode.map(|text| {
            text.parse::<CassetteMode>().map_err(|reason| AppError::BadValue {
                name: "--cassette-mode".to_owned(),
                value: text.to_owned(),
                place: "on the command line".to_owned(),
                reason: reason.to_owned(),
            })
        });
        let mode = mode.transpose()?;
        Ok(flags.cassette.clone().map(|path| Self { path, mode }))
    }

    /// Whether what was recorded answers, and nobody else.
    pub fn is_replayed(&self) -> bool {
        self.mode() == CassetteMode::Replay
    }

    /// What is done with the file: where nobody says, one that is there is replayed, and one that is not is
    /// recorded.
    pub fn mode(&self) -> CassetteMode {
        self.mode.unwrap_or(match self.path.exists() {
            true => CassetteMode::Replay,
            false => CassetteMode::Record,
        })
    }
}
