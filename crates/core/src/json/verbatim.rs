//! [`Verbatim`]: JSON read out of other JSON as text, with everything that stands in it.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};

/// JSON read out of other JSON as text. A [`serde_json::Value`] keeps one value of a key that stands
/// twice and forgets that there was another; this keeps both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verbatim(pub String);

impl<'de> Deserialize<'de> for Verbatim {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Writing)
    }
}

struct Writing;

impl<'de> Visitor<'de> for Writing {
    type Value = Verbatim;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Verbatim, E> {
        Ok(Verbatim("null".to_owned()))
    }

    fn visit_none<E: Error>(self) -> Result<Verbatim, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Verbatim, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_bool<E>(self, is: bool) -> Result<Verbatim, E> {
        Ok(Verbatim(is.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Verbatim, E> {
        Ok(Verbatim(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Verbatim, E> {
        Ok(Verbatim(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Verbatim, E> {
        written(&number)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Verbatim, E> {
        written(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Verbatim, A::Error> {
        let mut json = String::from("[");
        while let Some(Verbatim(item)) = items.next_element()? {
            separate(&mut json);
            json.push_str(&item);
        }
        json.push(']');
        Ok(Verbatim(json))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Verbatim, A::Error> {
        let mut json = String::from("{");
        while let Some(key) = entries.next_key::<String>()? {
            separate(&mut json);
            json.push_str(&written::<_, A::Error>(&key)?.0);
            json.push(':');
            json.push_str(&entries.next_value::<Verbatim>()?.0);
        }
        json.push('}');
        Ok(Verbatim(json))
    }
}

/// Puts a comma behind what is not the first.
fn separate(json: &mut String) {
    if json.len() > 1 {
        json.push(',');
    }
}

fn written<T: serde::Serialize + ?Sized, E: Error>(value: &T) -> Result<Verbatim, E> {
    serde_json::to_string(value).map(Verbatim).map_err(E::custom)
}
