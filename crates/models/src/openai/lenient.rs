//! Values as servers really write them: each type here takes every form seen of what it stands for.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{
        MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use serde_json::{Map, Value};
use toolwright_core::{RawJson, Usage};

use crate::endpoint::lenient::{Few, Text, number};

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

/// A list of pieces of calls; or one piece; or nothing.
pub(super) type Fragments<'a> = Few<Fragment<'a>>;

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
