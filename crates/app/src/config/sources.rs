//! [`Sources`]: the sources of a value, best first: flags, environment variables, the config file.

use std::{fmt, path::Path};

use super::{Place, Setting};
use crate::AppError;

/// The sources of a value, best first.
pub(super) struct Sources<'a> {
    pub(super) env: &'a dyn Fn(&'static str) -> Option<String>,
    pub(super) path: Option<&'a Path>,
}

impl Sources<'_> {
    pub(super) fn pick(
        &self,
        flag: &'static str,
        given: Option<String>,
        variable: &'static str,
        in_file: Option<String>,
    ) -> Option<Setting<String>> {
        let from_env = || if variable.is_empty() { None } else { (self.env)(variable) };
        given
            .map(|value| Setting { value, place: Place::Flag(flag) })
            .or_else(|| from_env().map(|value| Setting { value, place: Place::Env(variable) }))
            .or_else(|| in_file.map(|value| Setting { value, place: self.file() }))
    }

    pub(super) fn in_file<T>(&self, in_file: Option<T>, default: T) -> Setting<T> {
        match in_file {
            Some(value) => Setting { value, place: self.file() },
            None => Setting { value: default, place: Place::Default },
        }
    }

    fn file(&self) -> Place {
        Place::File(self.path.map(Path::to_owned).unwrap_or_default())
    }
}

pub(super) fn optional(setting: Option<Setting<String>>) -> Setting<Option<String>> {
    match setting {
        Some(setting) => Setting { value: Some(setting.value), place: setting.place },
        None => Setting { value: None, place: Place::Default },
    }
}

pub(super) fn parsed<T, E: fmt::Display>(
    name: &'static str,
    setting: Option<Setting<String>>,
    default: T,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Setting<T>, AppError> {
    let Some(Setting { value, place }) = setting else {
        return Ok(Setting { value: default, place: Place::Default });
    };
    match parse(&value) {
        Ok(value) => Ok(Setting { value, place }),
        Err(error) => {
            let (place, reason) = (place.to_string(), error.to_string());
            Err(AppError::BadValue { name, value, place, reason })
        }
    }
}
