//! [`Sources`]: the sources of a value, best first: flags, environment variables, the folder one stands
//! in where it is trusted, the user's config file.

use std::{fmt, path::Path, time::Duration};

use super::{Setting, SettingSource, file::File, layers::Layers};
use crate::AppError;

/// The sources of a value, best first.
pub(super) struct Sources<'a> {
    pub(super) env: &'a dyn Fn(&'static str) -> Option<String>,
    path: Option<&'a Path>,
    /// What counts of the folder one stands in; nothing where it is not trusted.
    pub(super) folder: File,
    folder_path: Option<&'a Path>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(env: &'a dyn Fn(&'static str) -> Option<String>, layers: &'a Layers) -> Self {
        let folder = layers.folder.as_ref();
        Self {
            env,
            path: layers.path.as_deref(),
            folder: folder.map(|it| it.file.clone()).unwrap_or_default(),
            folder_path: folder.map(|it| it.path.as_path()),
        }
    }

    pub(super) fn pick(
        &self,
        flag: &'static str,
        given: Option<String>,
        variable: &'static str,
        in_file: Option<String>,
    ) -> Option<Setting<String>> {
        let from_env = || if variable.is_empty() { None } else { (self.env)(variable) };
        given
            .map(|value| Setting { value, place: SettingSource::Flag(flag) })
            .or_else(|| {
                from_env().map(|value| Setting { value, place: SettingSource::Env(variable) })
            })
            .or_else(|| in_file.map(|value| Setting { value, place: self.file() }))
    }

    pub(super) fn in_file<T>(&self, in_file: Option<T>, default: T) -> Setting<T> {
        match in_file {
            Some(value) => Setting { value, place: self.file() },
            None => Setting { value: default, place: SettingSource::Default },
        }
    }

    /// What the folder says in the place of the user's file, where neither a flag nor the environment
    /// says anything.
    pub(super) fn or_folder(
        &self,
        picked: Option<Setting<String>>,
        folder: Option<&String>,
    ) -> Option<Setting<String>> {
        match picked {
            Some(picked) if picked.place.is_said_now() => Some(picked),
            picked => folder.map(|it| self.of_folder(it.clone())).or(picked),
        }
    }

    /// What the folder says, where it is narrower than what holds without it.
    pub(super) fn narrowed<T>(
        &self,
        setting: Setting<T>,
        folder: Option<T>,
        is_narrower: impl Fn(&T, &T) -> bool,
    ) -> Setting<T> {
        match folder {
            Some(value) if !setting.place.is_said_now() && is_narrower(&value, &setting.value) => {
                self.of_folder(value)
            }
            _ => setting,
        }
    }

    /// As [`Sources::narrowed`], for what is narrower where it is less.
    pub(super) fn at_most<T: PartialOrd>(
        &self,
        setting: Setting<T>,
        folder: Option<T>,
    ) -> Setting<T> {
        self.narrowed(setting, folder, |new, old| new < old)
    }

    /// As [`Sources::at_most`], where there may be no limit.
    pub(super) fn at_most_if_any<T: PartialOrd>(
        &self,
        setting: Setting<Option<T>>,
        folder: Option<T>,
    ) -> Setting<Option<T>> {
        self.narrowed(setting, folder.map(Some), |new, old| match (new, old) {
            (Some(new), Some(old)) => new < old,
            (new, _) => new.is_some(),
        })
    }

    /// Something that the folder says, parsed.
    pub(super) fn folders<T, E: fmt::Display>(
        &self,
        name: &'static str,
        said: Option<&String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, AppError> {
        let said = said.map(|it| self.of_folder(it.clone()));
        let parsed = parsed(name, said, None, |text| parse(text).map(Some))?;
        Ok(parsed.value)
    }

    /// A time that the folder says.
    pub(super) fn folders_time(
        &self,
        name: &'static str,
        said: Option<&String>,
    ) -> Result<Option<Duration>, AppError> {
        self.folders(name, said, toolwright_duration::parse_nonzero)
    }

    pub(super) fn of_folder<T>(&self, value: T) -> Setting<T> {
        let path = self.folder_path.map(Path::to_owned).unwrap_or_default();
        Setting { value, place: SettingSource::Folder(path) }
    }

    pub(super) fn file(&self) -> SettingSource {
        SettingSource::File(self.path.map(Path::to_owned).unwrap_or_default())
    }
}

pub(super) fn optional(setting: Option<Setting<String>>) -> Setting<Option<String>> {
    match setting {
        Some(setting) => Setting { value: Some(setting.value), place: setting.place },
        None => Setting { value: None, place: SettingSource::Default },
    }
}

pub(super) fn parsed<T, E: fmt::Display>(
    name: &'static str,
    setting: Option<Setting<String>>,
    default: T,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Setting<T>, AppError> {
    let Some(Setting { value, place }) = setting else {
        return Ok(Setting { value: default, place: SettingSource::Default });
    };
    match parse(&value) {
        Ok(value) => Ok(Setting { value, place }),
        Err(error) => {
            let (name, place, reason) = (name.to_owned(), place.to_string(), error.to_string());
            Err(AppError::BadValue { name, value, place, reason })
        }
    }
}
