//! Values as servers really write them: each type here takes every form seen of what it stands for.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{
        IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use serde_json::{Map, Value};
use toolwright_core::{RawJson, Usage};

/// Where Groq counts tokens.
#[derive(Deserialize)]
pub(super) struct Groq {
    #[serde(default)]
    pub(super) usage: Option<Counts>,
}

/// A piece of a call.
#[derive(Deserialize, Default)]
pub(super) struct Fragment<'a> {
    #[serde(default, deserialize_with = "number")]
    pub(super) index: Option<u64>,
    #[serde(borrow, default)]
    pub(super) id: Text<'a>,
    #[serde(borrow, default)]
    pub(super) function: Option<Function<'a>>,
    #[serde(default)]
    pub(super) extra_content: Option<Map<String, Value>>,
}

impl<'a> Fragment<'a> {
    /// The one call of the form that came before lists of calls.
    pub(super) fn lone(function: Function<'a>) -> Self {
        Self { index: Some(0), function: Some(function), ..Self::default() }
    }
}

#[derive(Deserialize, Default)]
pub(super) struct Function<'a> {
    #[serde(borrow, default)]
    pub(super) name: Text<'a>,
    #[serde(borrow, default)]
    pub(super) arguments: Arguments<'a>,
}

/// Arguments: a piece of text, or the whole as a value.
#[derive(Default)]
pub(super) enum Arguments<'a> {
    #[default]
    None,
    Text(Cow<'a, str>),
    Whole(String),
}

#[derive(Deserialize, Default)]
pub(super) struct Counts {
    #[serde(default, deserialize_with = "number")]
    prompt_tokens: Option<u64>,
    #[serde(default, deserialize_with = "number")]
    completion_tokens: Option<u64>,
    #[serde(default)]
    prompt_tokens_details: Option<Details>,
    #[serde(default)]
    completion_tokens_details: Option<Details>,
}

#[derive(Deserialize, Default)]
struct Details {
    #[serde(default, deserialize_with = "number")]
    cached_tokens: Option<u64>,
    #[serde(default, deserialize_with = "number")]
    reasoning_tokens: Option<u64>,
}

impl From<Counts> for Usage {
    fn from(counts: Counts) -> Self {
        let read = counts.prompt_tokens_details.and_then(|it| it.cached_tokens);
        let thought = counts.completion_tokens_details.and_then(|it| it.reasoning_tokens);
        Self {
            prompt_tokens: counts.prompt_tokens.unwrap_or_default(),
            completion_tokens: counts.completion_tokens.unwrap_or_default(),
            cached_tokens: read.unwrap_or_default(),
            reasoning_tokens: thought.unwrap_or_default(),
        }
    }
}

/// Text; or the texts of parts, joined; or nothing.
#[derive(Default)]
pub(super) struct Text<'a>(pub(super) Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyText).map(Text)
    }
}

struct AnyText;

impl<'de> Visitor<'de> for AnyText {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let mut joined = String::new();
        while let Some(part) = parts.next_element::<Value>()? {
            let text = part.get("text").unwrap_or(&part).as_str();
            joined.push_str(text.unwrap_or_default());
        }
        Ok(Some(Cow::Owned(joined)))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// A number; or one written as text; or nothing.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    struct Number;
    impl<'de> Visitor<'de> for Number {
        type Value = Option<u64>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number")
        }
        fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
            Ok(Some(number))
        }
        fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
            Ok(u64::try_from(number).ok())
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
            // 2^64 and more counts nothing that could be counted.
            Ok((0.0..18_446_744_073_709_551_616.0).contains(&number).then_some(number as u64))
        }
        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(text.trim().parse().ok())
        }
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(None)
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(None)
        }
    }
    deserializer.deserialize_any(Number)
}

/// A list of pieces of calls; or one piece; or nothing. Nearly always there is one, which needs no
/// list.
#[derive(Default)]
pub(super) struct Fragments<'a> {
    first: Option<Fragment<'a>>,
    rest: Vec<Fragment<'a>>,
}

impl<'a> Fragments<'a> {
    pub(super) fn into_iter(self) -> impl Iterator<Item = Fragment<'a>> {
        self.first.into_iter().chain(self.rest)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fragments<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyFragments)
    }
}

struct AnyFragments;

impl<'de> Visitor<'de> for AnyFragments {
    type Value = Fragments<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tool calls")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Fragments::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut all = Fragments::default();
        while let Some(one) = seq.next_element::<Option<Fragment<'de>>>()? {
            match &all.first {
                None => all.first = one,
                Some(_) => all.rest.extend(one),
            }
        }
        Ok(all)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let first = Fragment::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Fragments { first: Some(first), rest: Vec::new() })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Arguments<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyForm;
        impl<'de> Visitor<'de> for AnyForm {
            type Value = Arguments<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("arguments")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Arguments::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Arguments::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Arguments::None)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                let RawJson(json) = RawJson::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(Arguments::Whole(json))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let RawJson(json) = RawJson::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Arguments::Whole(json))
            }
        }
        deserializer.deserialize_any(AnyForm)
    }
}
