//! [`Sources`]: the sources of a value, best first: flags, environment variables, the folder one stands
//! in where it is trusted, the user's config file.

use std::{fmt, ops::RangeInclusive, path::Path};

use super::{Setting, SettingSource, file::File, layers::Layers};
use crate::{
    AppError, Task,
    task::{TaskSettings, TaskSource},
};

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

    /// The same for what has bounds: beyond them it is refused, with the reason.
    pub(super) fn bounded<T: PartialOrd + Copy>(
        &self,
        name: &'static str,
        in_file: Option<T>,
        bounds: &RangeInclusive<T>,
        (shown, why): (impl Fn(T) -> String, &str),
    ) -> Result<Option<T>, AppError> {
        match in_file.filter(|it| !bounds.contains(it)) {
            None => Ok(in_file),
            Some(value) => {
                let (from, to) = (shown(*bounds.start()), shown(*bounds.end()));
                let reason = format!("use {from} to {to}: {why}");
                let (name, place) = (name.to_owned(), self.file().to_string());
                Err(AppError::BadValue { name, value: shown(value), place, reason })
            }
        }
    }

    /// What the user's files say of a setting: `[tasks.NAME]`, else the task's own file where it is the
    /// user's, else what is said of all tasks.
    pub(super) fn users<T>(
        &self,
        task: &Task,
        of_task: impl Fn(&TaskSettings) -> Option<T>,
        of_all: Option<T>,
    ) -> Option<Setting<T>> {
        let said = of_task(&task.said).map(|value| Setting { value, place: self.file() });
        let own = || match &task.source {
            TaskSource::User(path) => {
                let place = SettingSource::File(path.clone());
                of_task(&task.own).map(|value| Setting { value, place })
            }
            TaskSource::BuiltIn | TaskSource::Project(_) | TaskSource::Config(_) => None,
        };
        let all = || of_all.map(|value| Setting { value, place: self.file() });
        said.or_else(own).or_else(all)
    }

    /// What holds where nobody says anything: what comes with a task that is built in, or else `none`.
    pub(super) fn usual<T>(
        task: &Task,
        of_task: impl Fn(&TaskSettings) -> Option<T>,
        none: T,
    ) -> Setting<T> {
        let own = match task.source {
            TaskSource::BuiltIn => of_task(&task.own),
            _ => None,
        };
        Setting { value: own.unwrap_or(none), place: SettingSource::Default }
    }

    /// What the folder one stands in says of a setting, where it is trusted: its task, and its settings.
    pub(super) fn folders<T>(
        &self,
        task: &Task,
        of_task: impl Fn(&TaskSettings) -> Option<T>,
        of_all: impl IntoIterator<Item = T>,
    ) -> Vec<Setting<T>> {
        let own = match &task.source {
            TaskSource::Project(path) => {
                let place = SettingSource::Folder(path.clone());
                of_task(&task.own).map(|value| Setting { value, place })
            }
            _ => None,
        };
        own.into_iter().chain(of_all.into_iter().map(|it| self.of_folder(it))).collect()
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

    /// What folders say, where it is narrower than what holds without it.
    pub(super) fn narrowed<T>(
        setting: Setting<T>,
        folders: impl IntoIterator<Item = Setting<T>>,
        is_narrower: impl Fn(&T, &T) -> bool,
    ) -> Setting<T> {
        if setting.place.is_said_now() {
            return setting;
        }
        folders.into_iter().fold(setting, |holds, folder| {
            if is_narrower(&folder.value, &holds.value) { folder } else { holds }
        })
    }

    /// A word that the folder's settings say, parsed.
    pub(super) fn folders_word<T, E: fmt::Display>(
        &self,
        name: &'static str,
        said: Option<&String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<Setting<T>>, AppError> {
        let said = said.map(|it| self.of_folder(it.clone()));
        let Setting { value, place } = parsed(name, said, None, |text| parse(text).map(Some))?;
        Ok(value.map(|value| Setting { value, place }))
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
