//! [`Sections`]: what a file says of packs, and how it is read beside the rest of it.
//!
//! The file's own keys are those of [`File`]; the packs' keys are only known once the packs are. Both are
//! read in one go, so that a mistake in either is told with its line.

use std::collections::BTreeMap;

use serde::{
    Deserialize,
    de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor},
};
use toml::Value;
use toolwright_pack::{PackInfo, SettingKey};

use super::{file::File, trust::KEYS};
use crate::{PackRegistry, words::unknown_field};

/// What a file says of packs: by the pack's name, by the key's.
pub(super) type Sections = BTreeMap<&'static str, BTreeMap<&'static str, Value>>;

/// Reads a file, with the sections of these packs.
#[derive(Clone, Copy)]
pub(super) struct FileSeed<'p>(pub(super) &'p PackRegistry);

impl<'de> DeserializeSeed<'de> for FileSeed<'_> {
    type Value = File;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<File, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FileSeed<'_> {
    type Value = File;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<File, A::Error> {
        let mut sections = Sections::new();
        let rest = Rest { map, packs: self.0, sections: &mut sections };
        let file = File::deserialize(de::value::MapAccessDeserializer::new(rest))?;
        Ok(File { packs: sections, ..file })
    }
}

/// What a file says, without what it says of packs: that is set aside.
struct Rest<'s, A> {
    map: A,
    packs: &'s PackRegistry,
    sections: &'s mut Sections,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let mut seed = Some(seed);
        loop {
            let key = KeySeed { seed: &mut seed, packs: self.packs };
            match self.map.next_key_seed(key)? {
                None => return Ok(None),
                Some(FileKey::Own(key)) => return Ok(Some(key)),
                Some(FileKey::Pack(info)) => {
                    let section = self.map.next_value_seed(SectionSeed(info))?;
                    self.sections.insert(info.name, section);
                }
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A key of the file: its own, or the name of a pack.
enum FileKey<'p, K> {
    Own(K),
    Pack(&'p PackInfo),
}

struct KeySeed<'s, 'p, K> {
    seed: &'s mut Option<K>,
    packs: &'p PackRegistry,
}

impl<'de, 'p, K: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<'_, 'p, K> {
    type Value = FileKey<'p, K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        let name = String::deserialize(from)?;
        if let Some(pack) = self.packs.get(&name) {
            return Ok(FileKey::Pack(pack.info()));
        }
        let own = own_keys();
        if !own.contains(&name.as_str()) {
            let packs = self.packs.iter().map(|pack| pack.info().name);
            let all: Vec<&str> = own.into_iter().chain(packs).collect();
            return Err(de::Error::custom(unknown_field(&name, &all)));
        }
        match self.seed.take() {
            Some(seed) => seed.deserialize(name.into_deserializer()).map(FileKey::Own),
            None => Err(de::Error::custom("a key was read twice")),
        }
    }
}

/// The keys of the file that are no pack's.
fn own_keys() -> Vec<&'static str> {
    let mut names: Vec<_> = KEYS.iter().filter_map(|key| key.name.split('.').next()).collect();
    names.dedup();
    names
}

/// Reads the section of a pack: its keys, and values of their kinds.
#[derive(Clone, Copy)]
struct SectionSeed<'p>(&'p PackInfo);

impl<'de> DeserializeSeed<'de> for SectionSeed<'_> {
    type Value = BTreeMap<&'static str, Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for SectionSeed<'_> {
    type Value = BTreeMap<&'static str, Value>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a section with the settings of `{}`", self.0.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = BTreeMap::new();
        while let Some(key) = map.next_key_seed(NameSeed(self.0))? {
            values.insert(key.name, map.next_value_seed(ValueSeed(key))?);
        }
        Ok(values)
    }
}

struct NameSeed<'p>(&'p PackInfo);

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = SettingKey;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<SettingKey, D::Error> {
        let name = String::deserialize(from)?;
        let found = self.0.settings.iter().find(|key| key.name == name);
        found.copied().ok_or_else(|| {
            let known: Vec<_> = self.0.settings.iter().map(|it| it.name).collect();
            de::Error::custom(match known.is_empty() {
                true => format!("unknown field `{name}`; there are none"),
                false => unknown_field(&name, &known),
            })
        })
    }
}

struct ValueSeed(SettingKey);

impl<'de> DeserializeSeed<'de> for ValueSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        let value = Value::deserialize(from)?;
        self.0.check(&value).map_err(de::Error::custom)?;
        Ok(value)
    }
}
