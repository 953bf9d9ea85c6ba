//! [`Line`]: what Ollama sends, a line of a stream or a whole reply.
//!
//! What is missing, null or of another shape than documented is taken as what it can only mean: there are
//! many servers by now that speak this API.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{
        IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use serde_json::Value;
use toolwright_core::RawJson;

/// A line of a stream, or a whole reply. What comes once in a reply is read as any value: that costs nothing
/// where it is not there.
#[derive(Deserialize)]
pub(super) struct Line<'a> {
    #[serde(borrow, default)]
    pub(super) message: Option<Piece<'a>>,
    #[serde(default)]
    pub(super) done: Value,
    #[serde(default)]
    pub(super) done_reason: Value,
    #[serde(default)]
    pub(super) prompt_eval_count: Value,
    #[serde(default)]
    pub(super) eval_count: Value,
    #[serde(default)]
    pub(super) error: Value,
}

/// A piece of a message, or a whole one.
#[derive(Deserialize)]
pub(super) struct Piece<'a> {
    #[serde(borrow, default)]
    pub(super) content: Text<'a>,
    #[serde(borrow, default)]
    pub(super) thinking: Text<'a>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Calls<'a>,
}

/// A call, always whole.
#[derive(Deserialize)]
pub(super) struct Called<'a> {
    #[serde(borrow, default)]
    pub(super) id: Text<'a>,
    #[serde(borrow, default)]
    pub(super) function: Option<Function<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Function<'a> {
    #[serde(borrow, default)]
    pub(super) name: Text<'a>,
    #[serde(default)]
    pub(super) arguments: Arguments,
}

impl Line<'_> {
    /// Whether nothing more comes.
    pub(super) fn is_last(&self) -> bool {
        let is_done = self.done == true || self.done.as_str() == Some("true");
        is_done || self.done_reason.as_str().is_some_and(|it| !it.is_empty())
    }

    /// Whether it brings nothing but a piece of a message.
    pub(super) fn is_piece(&self) -> bool {
        let rest = [&self.done_reason, &self.prompt_eval_count, &self.eval_count, &self.error];
        self.done != true && !self.done.is_string() && rest.iter().all(|it| it.is_null())
    }
}

/// A number, or one written as text.
pub(super) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// Text; or a number; or the texts of parts, joined; or nothing.
#[derive(Default)]
pub(super) struct Text<'a>(Option<Cow<'a, str>>);

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

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

/// A list of calls; or one; or none.
#[derive(Default)]
pub(super) struct Calls<'a>(pub(super) Vec<Called<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Calls<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyCalls).map(Calls)
    }
}

struct AnyCalls;

impl<'de> Visitor<'de> for AnyCalls {
    type Value = Vec<Called<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tool calls")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = seq.next_element::<Option<Called<'de>>>()? {
            all.extend(one);
        }
        Ok(all)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Called::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
    }
}

/// Arguments, as they are documented an object; or the text of one; or nothing.
#[derive(Default)]
pub(super) struct Arguments(pub(super) Option<String>);

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyArguments).map(Arguments)
    }
}

struct AnyArguments;

impl<'de> Visitor<'de> for AnyArguments {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arguments")
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned()).filter(|it| !it.is_empty()))
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
