//! What is set about packs: every key of every pack, from every place that may say something.

use std::collections::BTreeMap;

use serde::{Deserialize, de::value::MapDeserializer};
use toml::Value;
use toolwright_pack::{
    PackInfo, ProjectRule, Section, Setting, SettingKey, SettingKind, SettingSource,
};

use super::{Flags, file::File, sections::Sections, sources::Sources};
use crate::{AppError, PackRegistry};

/// Reads the settings of every pack.
pub(super) fn read(
    packs: &PackRegistry,
    sources: &Sources<'_>,
    flags: &Flags,
    file: &Sections,
) -> Result<BTreeMap<&'static str, Section>, AppError> {
    let mut all = BTreeMap::new();
    for pack in packs.iter() {
        let info = pack.info();
        let mut section = Section::new(info);
        for key in info.settings {
            let at = (info.name, key.name);
            let in_file = file.get(at.0).and_then(|it| it.get(at.1)).cloned();
            if let Some(setting) = resolved(sources, flags, at.0, key, in_file)? {
                section.set(*key, setting);
            }
        }
        all.insert(info.name, section);
    }
    Ok(all)
}

/// The switch that lets programs run as root, in whatever pack it is.
const ALLOW_ROOT: &str = "allow_root";

/// Whether programs may run as root: as `[sandbox]` says, or as it was said for this very run. It holds for every
/// program, whoever starts it, so each pack with such a switch has it set, unless it was set there.
pub(super) fn allow_root(
    packs: &PackRegistry,
    sections: &mut BTreeMap<&'static str, Section>,
    in_file: Option<bool>,
    place: &SettingSource,
) -> bool {
    let is_said = |it: &Setting<Value>| {
        matches!(it.place, SettingSource::Flag(_) | SettingSource::Env(_))
            && it.value == Value::Boolean(true)
    };
    let allowed = in_file.unwrap_or(false)
        || sections.values().filter_map(|it| it.setting(ALLOW_ROOT)).any(is_said);
    for pack in packs.iter().filter(|_| allowed) {
        let info = pack.info();
        let key = info.settings.iter().find(|key| key.name == ALLOW_ROOT);
        if let (Some(key), Some(section)) = (key, sections.get_mut(info.name))
            && !section.is_set(ALLOW_ROOT)
        {
            section.set(*key, Setting { value: Value::Boolean(true), place: place.clone() });
        }
    }
    allowed
}

/// One setting: a flag beats the environment beats the project's file, where it may decide, beats the
/// user's.
fn resolved(
    sources: &Sources<'_>,
    flags: &Flags,
    pack: &'static str,
    key: &SettingKey,
    in_file: Option<Value>,
) -> Result<Option<Setting<Value>>, AppError> {
    if let Some(said) = said_now(sources.env, flags, pack, key)? {
        return Ok(Some(said));
    }
    let in_file = in_file.map(|value| Setting { value, place: sources.file() });
    let folder = sources.folder.packs.get(pack).and_then(|it| it.get(key.name)).cloned();
    let Some(folder) = folder else { return Ok(in_file) };
    let is_taken = match key.project {
        ProjectRule::Never => false,
        ProjectRule::Free => true,
        ProjectRule::Narrow => {
            let usual = key.usual.and_then(|it| key.parse(it).ok());
            let holds = in_file.as_ref().map(|it| it.value.clone()).or(usual);
            holds.is_some_and(|holds| key.is_narrower(&folder, &holds))
        }
    };
    Ok(if is_taken { Some(sources.of_folder(folder)) } else { in_file })
}

/// What the user says for this very run.
fn said_now(
    env: &dyn Fn(&'static str) -> Option<String>,
    flags: &Flags,
    pack: &'static str,
    key: &SettingKey,
) -> Result<Option<Setting<Value>>, AppError> {
    let flag = flags.packs.get(&(pack, key.name)).cloned();
    let flag = flag.map(|text| (text, SettingSource::Flag(key.flag.unwrap_or_default())));
    let variable = || key.env.and_then(|name| Some((env(name)?, SettingSource::Env(name))));
    let Some((text, place)) = flag.or_else(variable) else { return Ok(None) };
    match key.parse(&text) {
        Ok(value) => Ok(Some(Setting { value, place })),
        Err(reason) => {
            let is_hidden = key.secret || key.kind == SettingKind::Address;
            let value = if is_hidden { "[hidden]".to_owned() } else { text };
            let (name, place) = (format!("{pack}.{}", key.name), place.to_string());
            Err(AppError::BadValue { name, value, place, reason })
        }
    }
}

/// The task that is meant where none is named, by what the user says for this very run.
pub(super) fn selected(
    packs: &PackRegistry,
    env: &dyn Fn(&'static str) -> Option<String>,
    flags: &Flags,
) -> Result<Option<&'static str>, AppError> {
    for pack in packs.iter() {
        for key in pack.info().settings {
            if let Some((task, _)) = key.selects
                && said_now(env, flags, pack.info().name, key)?.is_some()
            {
                return Ok(Some(task));
            }
        }
    }
    Ok(None)
}

/// The same section, with what holds in a task that names the pack, where nobody said anything.
pub(super) fn filled_in(info: &PackInfo, section: &Section) -> Section {
    let mut section = section.clone();
    for key in info.settings.iter().filter(|key| !section.is_set(key.name)).collect::<Vec<_>>() {
        let usual = key.selects.and_then(|(_, usual)| key.parse(usual).ok());
        if let Some(value) = usual {
            section.set(*key, Setting { value, place: SettingSource::Default });
        }
    }
    section
}

/// Whether a key of the config file has this name, so that no pack can have it.
pub fn is_own_key(name: &str) -> bool {
    let only = [(name, ())].into_iter();
    let read = File::deserialize(MapDeserializer::<_, serde::de::value::Error>::new(only));
    !read.is_err_and(|error| error.to_string().starts_with("unknown field"))
}
