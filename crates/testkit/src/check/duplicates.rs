//! [`find`]: keys that occur twice in one JSON object, at any depth.
//!
//! Bodies that are built by appending text can write a key twice without noticing, and which of
//! the two a server believes is up to the server.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::Findings;

/// Adds a finding for every repeated key. `text` is known to be valid JSON.
pub(super) fn find(text: &str, found: &mut Findings) {
    let walk = Walk { place: String::from("body"), found };
    // The text parsed as a `Value` before this call, so there is no error left to report.
    let _ = walk.deserialize(&mut serde_json::Deserializer::from_str(text));
}

struct Walk<'a> {
    place: String,
    found: &'a mut Findings,
}

impl Walk<'_> {
    fn inner(&mut self, step: fmt::Arguments<'_>) -> Walk<'_> {
        Walk { place: format!("{}{step}", self.place), found: self.found }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while items.next_element_seed(self.inner(format_args!("[{index}]")))?.is_some() {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            entries.next_value_seed(self.inner(format_args!(".{key}")))?;
            if let Some(key) = seen.replace(key) {
                self.found.add(&self.place, format_args!("has the key {key:?} twice"));
            }
        }
        Ok(())
    }
}
