//! [`RawJson`] and [`unambiguous`]: JSON that says one thing, whoever reads it.
//!
//! Where a key stands twice in an object, one reader takes the first value and another the last. What
//! was shown, checked and decided about would then not be what runs, so nothing of it is taken.

mod raw;

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, map::Entry};

pub use self::raw::RawJson;

/// Why a text is not taken as JSON.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// It is none.
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
    /// A key stands twice in one object.
    #[error("{0}; give it once")]
    Repeated(DuplicateKey),
}

/// A key that stands twice in one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The key.
    pub key: String,
    /// The object, as a JSON pointer; empty for the outermost.
    pub object: String,
}

impl fmt::Display for DuplicateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the key `{}` stands twice", crate::truncate_line(&self.key, SHOWN))?;
        match self.object.as_str() {
            "" => Ok(()),
            object => write!(f, " in the object at `{}`", crate::truncate_line(object, SHOWN)),
        }
    }
}

/// How much of a name is told.
const SHOWN: usize = 80;

/// The value that a text is, in which no key of any object stands twice.
///
/// # Errors
/// When the text is no JSON, or a key stands twice.
pub fn unambiguous(text: &str) -> Result<Value, JsonError> {
    let repeated = RefCell::default();
    let mut json = serde_json::Deserializer::from_str(text);
    let seed = Once { place: Place::Outermost, repeated: &repeated };
    let value = seed.deserialize(&mut json).and_then(|value| json.end().map(|()| value));
    match repeated.into_inner() {
        Some(repeated) => Err(JsonError::Repeated(repeated)),
        None => Ok(value?),
    }
}

/// Where a value stands: a list from the inside out, so that going deeper copies nothing.
#[derive(Clone, Copy)]
enum Place<'a> {
    Outermost,
    Field(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outermost => Ok(()),
            Self::Field(outer, name) => {
                write!(f, "{outer}/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            Self::Item(outer, at) => write!(f, "{outer}/{at}"),
        }
    }
}

/// Reads a value and stops at a key that stands twice.
#[derive(Clone, Copy)]
struct Once<'a> {
    place: Place<'a>,
    repeated: &'a RefCell<Option<DuplicateKey>>,
}

impl<'de> DeserializeSeed<'de> for Once<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, is: bool) -> Result<Value, E> {
        Ok(Value::Bool(is))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = {
            let place = Place::Item(&self.place, list.len());
            items.next_element_seed(Once { place, repeated: self.repeated })?
        } {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                let object = self.place.to_string();
                *self.repeated.borrow_mut() = Some(DuplicateKey { key, object });
                return Err(A::Error::custom("a key stands twice"));
            }
            let place = Place::Field(&self.place, &key);
            let value = entries.next_value_seed(Once { place, repeated: self.repeated })?;
            if let Entry::Vacant(vacant) = map.entry(key) {
                vacant.insert(value);
            }
        }
        Ok(Value::Object(map))
    }
}
