//! [`RawJson`]: JSON read out of other JSON as text, with everything that stands in it.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};

/// JSON read out of other JSON as text. A [`serde_json::Value`] keeps one value of a key that stands
/// twice and forgets that there was another; this keeps both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawJson(pub String);

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Writing)
    }
}

struct Writing;

impl<'de> Visitor<'de> for Writing {
    type Value = RawJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<RawJson, E> {
        Ok(RawJson("null".to_owned()))
    }

    fn visit_none<E: Error>(self) -> Result<RawJson, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<RawJson, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_bool<E>(self, is: bool) -> Result<RawJson, E> {
        Ok(RawJson(is.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<RawJson, E> {
        Ok(RawJson(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<RawJson, E> {
        Ok(RawJson(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<RawJson, E> {
        written(&number)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<RawJson, E> {
        written(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<RawJson, A::Error> {
        let mut json = String::from("[");
        while let Some(RawJson(item)) = items.next_element()? {
            separate(&mut json);
            json.push_str(&item);
        }
        json.push(']');
        Ok(RawJson(json))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<RawJson, A::Error> {
        let mut json = String::from("{");
        while let Some(key) = entries.next_key::<String>()? {
            separate(&mut json);
            json.push_str(&written::<_, A::Error>(&key)?.0);
            json.push(':');
            json.push_str(&entries.next_value::<RawJson>()?.0);
        }
        json.push('}');
        Ok(RawJson(json))
    }
}

/// Puts a comma behind what is not the first.
fn separate(json: &mut String) {
    if json.len() > 1 {
        json.push(',');
    }
}

fn written<T: serde::Serialize + ?Sized, E: Error>(value: &T) -> Result<RawJson, E> {
    serde_json::to_string(value).map(RawJson).map_err(E::custom)
}
