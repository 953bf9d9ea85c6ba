//! Values as servers really write them: each type here takes what is missing, null or of another shape.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{
        IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use toolwright_core::RawJson;

/// Text; or nothing.
#[derive(Default)]
pub(super) struct Text<'a>(Option<Cow<'a, str>>);

impl Text<'_> {
    /// What it says, be it nothing.
    pub(super) fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Scalar).map(|it| Self(it.text()))
    }
}

/// A number; or one written as text; or nothing.
pub(super) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    Ok(match from.deserialize_any(Scalar)? {
        Read::Number(number) => Some(number),
        Read::Text(text) => text.trim().parse().ok(),
        Read::Fraction(_) | Read::Flag(_) | Read::Nothing => None,
    })
}

/// Whether something is so.
pub(super) fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(match from.deserialize_any(Scalar)? {
        Read::Flag(is) => is,
        Read::Text(text) => text == "true",
        Read::Number(number) => number == 1,
        Read::Fraction(_) | Read::Nothing => false,
    })
}

/// A value that is no list and no object.
enum Read<'a> {
    Text(Cow<'a, str>),
    Number(u64),
    Fraction(f64),
    Flag(bool),
    Nothing,
}

impl<'a> Read<'a> {
    fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(number) => Some(number.to_string().into()),
            Self::Fraction(number) => Some(number.to_string().into()),
            Self::Flag(_) | Self::Nothing => None,
        }
    }
}

struct Scalar;

impl<'de> Visitor<'de> for Scalar {
    type Value = Read<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Read::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Read::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Read::Number(number))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        // Less than nothing counts nothing.
        Ok(u64::try_from(number).map_or(Read::Nothing, Read::Number))
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        // 2^53, up to where it is a whole number for certain.
        let is_count = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
        Ok(if is_count { Read::Number(number as u64) } else { Read::Fraction(number) })
    }
    fn visit_bool<E>(self, is: bool) -> Result<Self::Value, E> {
        Ok(Read::Flag(is))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Read::Nothing)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Read::Nothing)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Read::Nothing)
    }
}

/// A list; or one of what would be in it; or nothing. Nearly always there is one, which needs no list.
pub(super) struct Few<T> {
    first: Option<T>,
    rest: Vec<T>,
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self { first: None, rest: Vec::new() }
    }
}

impl<T> Few<T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.rest)
    }

    /// The one there is, where there is no other.
    pub(super) fn only(&self) -> Option<&T> {
        self.first.as_ref().filter(|_| self.rest.is_empty())
    }

    fn push(&mut self, one: T) {
        match self.first {
            None => self.first = Some(one),
            Some(_) => self.rest.push(one),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Few<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyFew(PhantomData))
    }
}

struct AnyFew<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for AnyFew<T> {
    type Value = Few<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Few::default())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut all = Few::default();
        while let Some(one) = seq.next_element::<Option<T>>()? {
            one.into_iter().for_each(|one| all.push(one));
        }
        Ok(all)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let first = T::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Few { first: Some(first), rest: Vec::new() })
    }
}

/// Arguments: an object, as text.
#[derive(Default)]
pub(super) struct Arguments(pub(super) Option<String>);

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyForm;
        impl<'de> Visitor<'de> for AnyForm {
            type Value = Option<String>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("arguments")
            }
            // Encoded twice.
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Some(text.to_owned()))
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(None)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                RawJson::deserialize(SeqAccessDeserializer::new(seq)).map(|it| Some(it.0))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                RawJson::deserialize(MapAccessDeserializer::new(map)).map(|it| Some(it.0))
            }
        }
        deserializer.deserialize_any(AnyForm).map(Self)
    }
}
