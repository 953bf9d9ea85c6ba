//! [`Layers`]: what files say, read once.
//!
//! The file that was named, alone; or else the user's own, and behind it what counts of the folder that
//! one stands in.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use toolwright_files::exposed;
use toolwright_project::{ProjectFiles, UserFolders};

use super::{
    Flags, Setting, SettingSource, commands,
    file::{File, NAME},
    trust::{self, FolderTrust, Layer, TrustStore},
};
use crate::{AppError, PackRegistry};

/// What files say.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// The folder that one stands in.
    pub(super) here: PathBuf,
    /// The file that was named or is the user's, if there is one.
    pub(super) path: Option<PathBuf>,
    pub(super) file: File,
    /// The same as it was read, by its keys: what changed is told by that.
    pub(super) said: toml::Table,
    /// Whether it was named.
    pub(super) origin: Origin,
    /// Where the user's own settings are, whether or not there are any.
    pub(super) user_folder: Option<PathBuf>,
    /// Where the user's own files are.
    pub(super) user: UserFolders,
    /// Files of the user's that define commands.
    pub(super) tools: Vec<(PathBuf, Result<String, String>)>,
    /// What counts of the folder that one stands in.
    pub(super) folder: Option<Layer>,
    pub(super) standing: FolderTrust,
    pub(super) data: Setting<PathBuf>,
    /// What the user always tells a model.
    pub(super) own: Arc<ProjectFiles>,
}

/// Where the user's file came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Somebody named it.
    Named,
    /// It lies where the user's settings lie.
    Usual,
}

impl Layers {
    pub(super) fn read(
        packs: &PackRegistry,
        flags: &Flags,
        env: &dyn Fn(&'static str) -> Option<String>,
        here: &Path,
        user: &UserFolders,
    ) -> Result<Self, AppError> {
        let named = flags.config.clone().or_else(|| env("TOOLWRIGHT_CONFIG").map(PathBuf::from));
        let origin = if named.is_some() { Origin::Named } else { Origin::Usual };
        let path = named.or_else(|| users(user));
        let (file, said) =
            path.as_deref().map(|path| File::read(path, packs)).transpose()?.unwrap_or_default();
        let data = data(flags, env, path.as_deref(), &file)?;
        if let Some(reason) = exposed(&data.value) {
            let (path, place) = (data.value, data.place.to_string());
            return Err(AppError::Data { path, place, reason });
        }
        let (standing, folder) = match origin {
            Origin::Named => (FolderTrust::Silent, None),
            Origin::Usual if is_same(path.as_deref(), &here.join(NAME)) => {
                (FolderTrust::Silent, None)
            }
            Origin::Usual => trust::look(packs, here, &TrustStore::in_folder(&data.value))?,
        };
        let here = here.to_owned();
        let user_folder = user.config.clone();
        let tools = commands::of_user(user_folder.as_deref());
        let own = Arc::new(ProjectFiles::of_user(user));
        let user = user.clone();
        Ok(Self {
            here,
            path,
            file,
            said,
            origin,
            user_folder,
            user,
            tools,
            folder,
            standing,
            data,
            own,
        })
    }

    /// Why the tasks of the folder one stands in do not count, where they do not.
    pub(super) fn withheld(&self) -> Option<String> {
        let reason = match &self.standing {
            FolderTrust::Silent if self.origin == Origin::Named => {
                "a config file was named, and nothing of the folder counts beside it"
            }
            FolderTrust::Silent | FolderTrust::Trusted(..) => return None,
            FolderTrust::Refused(it) => return Some(it.reason.clone()),
            FolderTrust::Unknown(_) => {
                "the folder is not trusted; `toolwright trust` shows what it says"
            }
            FolderTrust::Changed(_) => {
                "the folder is no longer trusted, as it changed; `toolwright trust` shows what it says"
            }
            FolderTrust::Declined(_) => {
                "you did not trust the folder; `toolwright trust` asks again"
            }
        };
        Some(reason.to_owned())
    }
}

/// The user's own file, if there is one.
fn users(user: &UserFolders) -> Option<PathBuf> {
    user.config.as_ref().map(|folder| folder.join(NAME)).filter(|path| path.exists())
}

/// Whether the user stands where their own settings are.
fn is_same(path: Option<&Path>, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    path.and_then(real).is_some_and(|path| real(other) == Some(path))
}

/// Where data is kept: said by the user, and never by the folder one stands in.
fn data(
    flags: &Flags,
    env: &dyn Fn(&'static str) -> Option<String>,
    path: Option<&Path>,
    file: &File,
) -> Result<Setting<PathBuf>, AppError> {
    let variable = "TOOLWRIGHT_DATA";
    if let Some(value) = flags.data.clone() {
        return Ok(Setting { value, place: SettingSource::Flag("--data") });
    }
    if let Some(value) = env(variable) {
        return Ok(Setting { value: value.into(), place: SettingSource::Env(variable) });
    }
    if let Some(value) = &file.data {
        let place = SettingSource::File(path.map(Path::to_owned).unwrap_or_default());
        return Ok(Setting { value: value.into(), place });
    }
    use etcetera::BaseStrategy;
    // Not the folder one stands in: rules and trust that lie there would be somebody else's.
    let base = etcetera::choose_base_strategy().map_err(|_| AppError::NoHome)?;
    Ok(Setting { value: base.data_dir().join("toolwright"), place: SettingSource::Default })
}
