//! [`Section`]: what was set about a pack, and where.

use std::{collections::BTreeMap, time::Duration};

use serde::de::DeserializeOwned;
use toml::Value;

use crate::{PackError, PackInfo, Setting, SettingKey, SettingKind, key::time, shown};

/// What was set about a pack. It is made once, from every place that can say something; all values
/// are of their kind.
#[derive(Clone, Debug, Default)]
pub struct Section {
    pack: &'static str,
    values: BTreeMap<&'static str, (SettingKey, Setting<Value>)>,
}

impl Section {
    /// An empty one.
    pub fn new(info: &PackInfo) -> Self {
        Self { pack: info.name, values: BTreeMap::new() }
    }

    /// Sets something, in the place of what was set.
    pub fn set(&mut self, key: SettingKey, value: Setting<Value>) {
        self.values.insert(key.name, (key, value));
    }

    /// Whether anybody set this.
    pub fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// What was set, and where.
    pub fn setting(&self, name: &str) -> Option<&Setting<Value>> {
        self.values.get(name).map(|(_, setting)| setting)
    }

    /// What was set, as a type of the pack's own.
    ///
    /// # Errors
    /// When it is none of that type. The error says where it was set.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, PackError> {
        let Some((key, setting)) = self.values.get(name) else { return Ok(None) };
        match setting.value.clone().try_into() {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.unusable(key, setting, error.message())),
        }
    }

    /// What was set, made of its text by the pack's own rules.
    ///
    /// # Errors
    /// When they do not allow it. The error says where it was set.
    pub fn parse<T, E: std::fmt::Display>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, PackError> {
        let Some((key, setting)) = self.values.get(name) else { return Ok(None) };
        let text = setting.value.as_str().unwrap_or_default();
        match parse(text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.unusable(key, setting, &error.to_string())),
        }
    }

    /// A time that was set.
    ///
    /// # Errors
    /// When it is none.
    pub fn duration(&self, name: &str) -> Result<Option<Duration>, PackError> {
        self.parse(name, time)
    }

    fn unusable(&self, key: &SettingKey, setting: &Setting<Value>, reason: &str) -> PackError {
        let (pack, name, place) = (self.pack, key.name, &setting.place);
        let is_hidden = key.secret || key.kind == SettingKind::Address;
        let value = match is_hidden {
            true => String::new(),
            false => format!(" to `{}`", shown(&setting.value)),
        };
        PackError::new(format!(
            "{pack}.{name} is set{value} ({place}), which cannot be used: {reason}"
        ))
    }
}
