//! [`read`]: what OpenAI-compatible servers send, read in one pass and in every form seen.
//!
//! The same code reads a chunk of a stream and a whole completion. It goes straight from the JSON
//! into the [`Assembler`], without structures in between: a reply of a few hundred words comes in a
//! few hundred chunks. What is missing, null or of another shape than documented is taken as what
//! it can only mean.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{
        self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use serde_json::{Map, Value, json};
use toolwright_core::{ModelError, Usage};

use super::{assemble::Assembler, error::from_body, sink::Sink};

/// Why a chunk was not taken.
pub(super) enum Unread {
    /// It is not JSON as documented.
    Malformed(serde_json::Error),
    /// It says that something went wrong, or holds more than it may.
    Failed(ModelError),
}

/// Reads a chunk, or a whole completion, into `assembler`; hands what is new in it to `sink`.
pub(super) fn read(
    json: &str,
    assembler: &mut Assembler,
    sink: &mut Sink<'_>,
) -> Result<(), Unread> {
    let mut target = Target { assembler, sink, failed: None };
    let mut json = serde_json::Deserializer::from_str(json);
    let read = ChunkSeed(&mut target).deserialize(&mut json).and_then(|()| json.end());
    match (read, target.failed) {
        (_, Some(error)) => Err(Unread::Failed(error)),
        (Err(error), None) => Err(Unread::Malformed(error)),
        (Ok(()), None) => Ok(()),
    }
}

/// Where what is read goes.
struct Target<'t, 'o> {
    assembler: &'t mut Assembler,
    sink: &'t mut Sink<'o>,
    failed: Option<ModelError>,
}

impl Target<'_, '_> {
    /// Stops reading where taking what was read failed.
    fn checked<E: de::Error>(&mut self, taken: Result<(), ModelError>) -> Result<(), E> {
        taken.map_err(|error| {
            self.failed = Some(error);
            E::custom("not taken")
        })
    }

    fn error<E: de::Error>(&mut self, body: &Value) -> Result<(), E> {
        let failed = if body.is_null() { Ok(()) } else { Err(from_body(None, body)) };
        self.checked(failed)
    }
}

macro_rules! keys {
    ($name:ident { $($key:ident = $text:literal),* $(,)? }) => {
        #[derive(Deserialize)]
        #[serde(field_identifier)]
        enum $name {
            $(#[serde(rename = $text)] $key,)*
            #[serde(other)]
            Other,
        }
    };
}

keys!(ChunkKey {
    Choices = "choices",
    Usage = "usage",
    Groq = "x_groq",
    Error = "error",
    Object = "object",
    Message = "message",
    Code = "code",
    Type = "type",
});

keys!(ChoiceKey {
    Delta = "delta",
    Message = "message",
    Finish = "finish_reason",
    Error = "error",
});

keys!(DeltaKey {
    Content = "content",
    Refusal = "refusal",
    ReasoningContent = "reasoning_content",
    Reasoning = "reasoning",
    Details = "reasoning_details",
    Calls = "tool_calls",
    Call = "function_call",
});

/// A chunk of a stream, or a whole completion.
struct ChunkSeed<'s, 't, 'o>(&'s mut Target<'t, 'o>);

impl<'de> DeserializeSeed<'de> for ChunkSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ChunkSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a chat completion")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut is_error, mut is_reply) = (false, false);
        let (mut words, mut code, mut kind) = (Value::Null, Value::Null, Value::Null);
        while let Some(key) = map.next_key()? {
            match key {
                ChunkKey::Choices => {
                    is_reply = true;
                    map.next_value_seed(ChoicesSeed(self.0))?;
                }
                // Totals, also where they come with every chunk: the last one counts.
                ChunkKey::Usage => self.0.assembler.cost(map.next_value::<Option<Counts>>()?),
                ChunkKey::Groq => {
                    let groq = map.next_value::<Option<Groq>>()?;
                    self.0.assembler.cost(groq.and_then(|groq| groq.usage));
                }
                ChunkKey::Error => self.0.error(&map.next_value()?)?,
                ChunkKey::Object => {
                    is_error = map.next_value::<Text<'de>>()?.0.as_deref() == Some("error");
                }
                ChunkKey::Message => words = map.next_value()?,
                ChunkKey::Code => code = map.next_value()?,
                ChunkKey::Type => kind = map.next_value()?,
                ChunkKey::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        // vLLM writes a bare error object, others just words.
        if is_error || (words.is_string() && !is_reply) {
            return self.0.error(&json!({"message": words, "code": code, "type": kind}));
        }
        Ok(())
    }
}

/// The first of a list of choices; only one is ever asked for.
struct ChoicesSeed<'s, 't, 'o>(&'s mut Target<'t, 'o>);

impl<'de> DeserializeSeed<'de> for ChoicesSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ChoicesSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("choices")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if seq.next_element_seed(ChoiceSeed(self.0))?.is_some() {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(())
    }
}

struct ChoiceSeed<'s, 't, 'o>(&'s mut Target<'t, 'o>);

impl<'de> DeserializeSeed<'de> for ChoiceSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ChoiceSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a choice")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.assembler.begin();
        while let Some(key) = map.next_key()? {
            match key {
                ChoiceKey::Delta | ChoiceKey::Message => map.next_value_seed(DeltaSeed(self.0))?,
                ChoiceKey::Finish => {
                    let reason = map.next_value::<Text<'de>>()?.0.unwrap_or_default();
                    // Read on: what an error says about itself may come after it.
                    let taken = self.0.assembler.finished(&reason);
                    self.0.failed = taken.err().or(self.0.failed.take());
                }
                ChoiceKey::Error => self.0.error(&map.next_value()?)?,
                ChoiceKey::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// A piece of a message, or a whole one.
struct DeltaSeed<'s, 't, 'o>(&'s mut Target<'t, 'o>);

impl<'de> DeserializeSeed<'de> for DeltaSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for DeltaSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut delta = Delta::default();
        while let Some(key) = map.next_key()? {
            match key {
                DeltaKey::Content => delta.content = map.next_value()?,
                DeltaKey::Refusal => delta.refusal = map.next_value()?,
                DeltaKey::ReasoningContent | DeltaKey::Reasoning => {
                    let thought = map.next_value::<Text<'de>>()?.0.filter(|it| !it.is_empty());
                    // Some send the same thought under both names.
                    delta.thought = delta.thought.or(thought);
                }
                DeltaKey::Details => delta.details = map.next_value()?,
                DeltaKey::Calls => delta.calls = map.next_value::<Fragments<'de>>()?.0,
                DeltaKey::Call => delta.call = map.next_value()?,
                DeltaKey::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let taken = delta.take(self.0);
        self.0.checked(taken)
    }
}

/// A piece of a message. It is taken once all of it was read: where that fails, and is tried again
/// with half surrogates mended, nothing must be taken twice.
#[derive(Default)]
struct Delta<'a> {
    content: Text<'a>,
    refusal: Text<'a>,
    thought: Option<Cow<'a, str>>,
    details: Value,
    calls: Vec<Fragment<'a>>,
    call: Option<Function<'a>>,
}

impl Delta<'_> {
    fn take(self, target: &mut Target<'_, '_>) -> Result<(), ModelError> {
        let Target { assembler, sink, .. } = target;
        assembler.thought(self.thought, sink)?;
        assembler.keep("reasoning_details", self.details);
        assembler.said(self.content.0, sink)?;
        assembler.said(self.refusal.0, sink)?;
        for fragment in self.calls.into_iter().chain(self.call.map(Fragment::lone)) {
            assembler.fragment(fragment, sink)?;
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct Groq {
    #[serde(default)]
    usage: Option<Counts>,
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
    fn lone(function: Function<'a>) -> Self {
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

/// A list of pieces of calls; or one piece; or nothing.
struct Fragments<'a>(Vec<Fragment<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Fragments<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyFragments).map(Fragments)
    }
}

struct AnyFragments;

impl<'de> Visitor<'de> for AnyFragments {
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
                let value = Value::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(Arguments::Value(value))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Ok(Arguments::Value(Value::deserialize(MapAccessDeserializer::new(map))?))
            }
        }
        deserializer.deserialize_any(AnyForm)
    }
}
