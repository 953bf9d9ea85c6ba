//! [`read`]: what OpenAI-compatible servers send, read in one pass and in every form seen.
//!
//! The same code reads a chunk of a stream and a whole completion. It goes straight from the JSON
//! into the [`Draft`], without structures in between: a reply of a few hundred words comes in a
//! few hundred chunks. What is missing, null or of another shape than documented is taken as what
//! it can only mean.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, json};
use toolwright_core::ModelError;

use super::{
    calls::{Calls, finish_of, keep},
    lenient::{Counts, Fragment, Fragments, Function, Groq},
    messages::OF_MESSAGE,
};
use crate::endpoint::{Draft, Unread, from_body, lenient::Text};

/// Reads a chunk, or a whole completion, into `draft`, and pieces of calls into `calls`.
pub(super) fn read(json: &str, calls: &mut Calls, draft: &mut Draft<'_>) -> Result<(), Unread> {
    let mut target = Target { calls, draft, failed: None };
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
    calls: &'t mut Calls,
    draft: &'t mut Draft<'o>,
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

    fn cost(&mut self, counts: Option<Counts>) {
        if let Some(counts) = counts {
            self.draft.cost(counts.into());
        }
    }

    fn finished(&mut self, reason: &str) {
        match finish_of(reason) {
            _ if reason.is_empty() => {}
            Ok(reason) => self.draft.finished(reason),
            Err(error) => self.failed = Some(error),
        }
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
                ChunkKey::Usage => self.0.cost(map.next_value::<Option<Counts>>()?),
                ChunkKey::Groq => {
                    let groq = map.next_value::<Option<Groq>>()?;
                    self.0.cost(groq.and_then(|groq| groq.usage));
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
        self.0.draft.begin();
        while let Some(key) = map.next_key()? {
            match key {
                ChoiceKey::Delta | ChoiceKey::Message => map.next_value_seed(DeltaSeed(self.0))?,
                ChoiceKey::Finish => {
                    let reason = map.next_value::<Text<'de>>()?.0.unwrap_or_default();
                    // Read on: what an error says about itself may come after it.
                    self.0.finished(&reason);
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
                DeltaKey::Calls => delta.calls = map.next_value()?,
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
    calls: Fragments<'a>,
    call: Option<Function<'a>>,
}

impl Delta<'_> {
    fn take(self, target: &mut Target<'_, '_>) -> Result<(), ModelError> {
        let Target { calls, draft, .. } = target;
        calls.next_chunk();
        draft.thought(self.thought.as_deref().unwrap_or_default())?;
        if !self.details.is_null() {
            keep(draft.kept(OF_MESSAGE), self.details);
        }
        draft.said(self.content.as_str())?;
        draft.refused(self.refusal.as_str())?;
        for fragment in self.calls.into_iter().chain(self.call.map(Fragment::lone)) {
            calls.fragment(fragment, draft)?;
        }
        Ok(())
    }
}
