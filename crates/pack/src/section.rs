//! [`Section`]: what was set about a pack, and where.

use std::{collections::BTreeMap, time::Duration};

use serde::de::DeserializeOwned;
use toml::Value;

use crate::{
    PackError, PackInfo, Setting, SettingKey, SettingKind, SettingSource, key::time, shown,
};

/// What was set about a pack. It is made once, from every place that can say something; all values
/// are of their kind.
#[derive(Clone, Debug, Default)]
pub struct Section {
    pack: &'static str,
    settings: &'static [SettingKey],
    values: BTreeMap<&'static str, (SettingKey, Setting<Value>)>,
}

impl Section {
    /// An empty one.
    pub fn new(info: &PackInfo) -> Self {
        Self { pack: info.name, settings: info.settings, values: BTreeMap::new() }
    }

    /// Sets something, in the place of what was set.
    pub fn set(&mut self, key: SettingKey, value: Setting<Value>) {
        self.values.insert(key.name, (key, value));
    }

    /// Whether another says the same.
    pub fn is_same(&self, other: &Self) -> bool {
        let said = |it: &Self| -> Vec<_> {
            it.values.iter().map(|(name, (_, setting))| (*name, setting.clone())).collect()
        };
        self.pack == other.pack && said(self) == said(other)
    }

    /// Whether anybody set this.
    pub fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// What was set, and where.
    pub fn setting(&self, name: &str) -> Option<&Setting<Value>> {
        self.values.get(name).map(|(_, setting)| setting)
    }

    /// What holds: what was set, or what is [usual](SettingKey::usual).
    fn held(&self, name: &str) -> Result<Option<(SettingKey, Setting<Value>)>, PackError> {
        if let Some(set) = self.values.get(name) {
            return Ok(Some(set.clone()));
        }
        let Some(key) = self.settings.iter().find(|key| key.name == name) else { return Ok(None) };
        let Some(usual) = key.usual else { return Ok(None) };
        match key.parse(usual) {
            Ok(value) => Ok(Some((*key, Setting { value, place: SettingSource::Default }))),
            Err(reason) => {
                let value = Value::String(usual.to_owned());
                let setting = Setting { value, place: SettingSource::Default };
                Err(self.unusable(key, &setting, &reason))
            }
        }
    }

    /// What holds, as a type of the pack's own: what was set, or what is [usual](SettingKey::usual).
    ///
    /// # Errors
    /// When it is none of that type. The error says where it was set.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, PackError> {
        let Some((key, setting)) = self.held(name)? else { return Ok(None) };
        match setting.value.clone().try_into() {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.unusable(&key, &setting, error.message())),
        }
    }

    /// What holds, made of its text by the pack's own rules.
    ///
    /// # Errors
    /// When they do not allow it. The error says where it was set.
    pub fn parse<T, E: std::fmt::Display>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, PackError> {
        let Some((key, setting)) = self.held(name)? else { return Ok(None) };
        let text = setting.value.as_str().unwrap_or_default();
        match parse(text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.unusable(&key, &setting, &error.to_string())),
        }
    }

    /// A time that holds.
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

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: PackInfo = PackInfo::new("dice", "dice to roll").settings(&[
        SettingKey::number("sides", "how many sides a die has").usual("6"),
        SettingKey::duration("wait", "how long a roll takes").usual("2s"),
        SettingKey::number("weight", "what a die weighs").usual("many"),
        SettingKey::address("url", "where dice are"),
        SettingKey::text("name", "what they are called"),
    ]);

    /// What a pack says is usual is said once.
    #[test]
    fn what_is_usual_holds_where_nothing_is_set() {
        let mut section = Section::new(&INFO);
        assert_eq!(section.get::<u32>("sides").unwrap(), Some(6));
        assert_eq!(section.duration("wait").unwrap(), Some(Duration::from_secs(2)));
        assert_eq!(section.get::<String>("name").unwrap(), None);
        assert!(!section.is_set("sides"));
        let [sides, ..] = INFO.settings else { panic!("no settings") };
        let place = SettingSource::Flag("--sides");
        section.set(*sides, Setting { value: Value::Integer(20), place });
        assert_eq!(section.get::<u32>("sides").unwrap(), Some(20));
        let told = section.get::<u32>("weight").unwrap_err().to_string();
        assert!(told.contains("dice.weight is set to `many` (default)"), "{told}");
    }

    #[test]
    fn an_address_has_the_form_of_one() {
        let key = INFO.settings.iter().find(|it| it.name == "url").unwrap();
        for good in ["https://dice.example", "http://me:pw@127.0.0.1:80/x?y", "wss://[::1]:1/"] {
            assert!(key.parse(good).is_ok(), "{good}");
        }
        for bad in ["", ":::", "dice", "http://", "http:///x", "://x", "http://a b", "https://:"] {
            assert!(key.parse(bad).is_err(), "{bad}");
            assert!(key.check(&Value::String(bad.to_owned())).is_err(), "{bad}");
        }
    }
}
