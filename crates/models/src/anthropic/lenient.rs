//! Values as servers really write them: each type here takes every form of what it can only mean.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{
        MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use toolwright_core::RawJson;

/// Text; anything else is none.
#[derive(Default)]
pub(super) struct Text<'a>(Cow<'a, str>);

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Ok(Self(match json {
            Json::Text(text) => text,
            Json::None | Json::Value(_) | Json::Count(_) => Cow::Borrowed(""),
        }))
    }
}

/// A number; or one written as text; or nothing.
#[derive(Clone, Copy, Default)]
pub(super) struct Number(pub(super) Option<u64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Json::deserialize(deserializer)? {
            Json::Count(number) => Some(number),
            Json::Text(text) => text.trim().parse().ok(),
            Json::None | Json::Value(_) => None,
        }))
    }
}

/// Text, or a value as JSON.
#[derive(Default)]
pub(super) enum Json<'a> {
    /// Null, false, or nothing.
    #[default]
    None,
    Text(Cow<'a, str>),
    Count(u64),
    /// An object or a list.
    Value(String),
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::None)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Json::None)
    }
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Json::Count(number))
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Json::None)
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        // 2^64 and more counts nothing that could be counted.
        let counts = (0.0..18_446_744_073_709_551_616.0).contains(&number);
        Ok(if counts { Json::Count(number as u64) } else { Json::None })
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        let RawJson(json) = RawJson::deserialize(SeqAccessDeserializer::new(seq))?;
        Ok(Json::Value(json))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let RawJson(json) = RawJson::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Json::Value(json))
    }
}

/// An object; anything else is none.
#[derive(Clone, Copy, Default)]
pub(super) struct Object<T>(pub(super) Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        OneOrMany::deserialize(deserializer).map(|it| {
            Self(match it {
                OneOrMany::One(it) => Some(it),
                OneOrMany::None | OneOrMany::Text(_) | OneOrMany::Many(_) => None,
            })
        })
    }
}

/// A list of objects; or one of them; or a text in their place.
#[derive(Default)]
pub(super) enum OneOrMany<T> {
    #[default]
    None,
    One(T),
    Many(Vec<Object<T>>),
    Text(String),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyList(std::marker::PhantomData))
    }
}

struct AnyList<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for AnyList<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("objects")
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(OneOrMany::Text(text.to_owned()))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(OneOrMany::None)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(OneOrMany::None)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(OneOrMany::None)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(OneOrMany::None)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(OneOrMany::None)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = seq.next_element()? {
            // More than any reply has reason to hold is counted by whoever takes them.
            all.push(one);
        }
        Ok(OneOrMany::Many(all))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(OneOrMany::One)
    }
}
