//! [`Chunk`]: what OpenAI-compatible servers send, read in one pass and in every form seen.
//!
//! One type serves a chunk of a stream and a whole completion. Fields are borrowed where the JSON
//! allows it. What is missing, null or of another shape than documented is taken as what it can
//! only mean.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::{Map, Value};
use toolwright_core::Usage;

/// A chunk of a stream, or a whole completion.
#[derive(Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default, deserialize_with = "choices")]
    pub(super) choices: Option<Choice<'a>>,
    #[serde(default)]
    pub(super) usage: Option<Counts>,
    #[serde(default)]
    pub(super) x_groq: Option<Groq>,
    #[serde(default)]
    pub(super) error: Option<Value>,
    /// `error` where vLLM writes a bare error object.
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) object: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) message: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
pub(super) struct Groq {
    #[serde(default)]
    pub(super) usage: Option<Counts>,
}

/// The first choice; only one is ever asked for.
#[derive(Deserialize, Default)]
pub(super) struct Choice<'a> {
    #[serde(borrow, default)]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    pub(super) message: Option<Delta<'a>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) finish_reason: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) error: Option<Value>,
}

#[derive(Deserialize, Default)]
pub(super) struct Delta<'a> {
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) content: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) refusal: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) reasoning_content: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) reasoning: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) reasoning_details: Option<Value>,
    #[serde(borrow, default, deserialize_with = "fragments")]
    pub(super) tool_calls: Vec<Fragment<'a>>,
    #[serde(borrow, default)]
    pub(super) function_call: Option<Function<'a>>,
}

/// A piece of a call.
#[derive(Deserialize, Default)]
pub(super) struct Fragment<'a> {
    #[serde(default, deserialize_with = "number")]
    pub(super) index: Option<u64>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) function: Option<Function<'a>>,
    #[serde(default)]
    pub(super) extra_content: Option<Map<String, Value>>,
}

#[derive(Deserialize, Default)]
pub(super) struct Function<'a> {
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) arguments: Arguments<'a>,
}

/// Arguments: a piece of text, or the whole as a value.
#[derive(Default)]
pub(super) enum Arguments<'a> {
    #[default]
    None,
    Text(Cow<'a, str>),
    Value(Value),
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
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'de, str>>, D::Error> {
    struct Text;
    impl<'de> Visitor<'de> for Text {
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
                joined.push_str(part["text"].as_str().or(part.as_str()).unwrap_or_default());
            }
            Ok(Some(Cow::Owned(joined)))
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(None)
        }
    }
    deserializer.deserialize_any(Text)
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
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
            Ok((number >= 0.0).then_some(number as u64))
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

/// The first of a list of choices; or nothing.
fn choices<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Choice<'de>>, D::Error> {
    struct First;
    impl<'de> Visitor<'de> for First {
        type Value = Option<Choice<'de>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("choices")
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let first = seq.next_element()?;
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(first)
        }
    }
    d.deserialize_any(First)
}

/// A list of pieces of calls; or one piece; or nothing.
fn fragments<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Fragment<'de>>, D::Error> {
    struct Fragments;
    impl<'de> Visitor<'de> for Fragments {
        type Value = Vec<Fragment<'de>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("tool calls")
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(one) = seq.next_element::<Option<Fragment<'de>>>()? {
                all.extend(one);
            }
            Ok(all)
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Ok(vec![Fragment::deserialize(MapAccessDeserializer::new(map))?])
        }
    }
    d.deserialize_any(Fragments)
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
                let value = Value::deserialize(de::value::SeqAccessDeserializer::new(seq))?;
                Ok(Arguments::Value(value))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Ok(Arguments::Value(Value::deserialize(MapAccessDeserializer::new(map))?))
            }
        }
        deserializer.deserialize_any(AnyForm)
    }
}
