//! [`Origins`]: where the values in a call's arguments came from.
//!
//! An identifier a model uses must be one that an earlier result really returned, that the user
//! typed, or that was configured. The index of returned values is built as it is first asked for
//! and then grows with the conversation.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Conversation;
use crate::{CallId, Message, Origin};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Given {
    /// An earlier result returned it.
    Result(Source),
    /// The user typed it.
    User,
    /// It was configured.
    Configured,
}

/// A place in an earlier result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The call whose result it is.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// The place in the result, as a JSON pointer; empty for a result that is text.
    pub pointer: String,
}

/// A value an earlier result returned under a key, for telling the model what it could use.
pub(crate) struct Returned {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) source: Source,
}

/// Looks up where values came from; borrowed from [`Conversation::origins`].
pub struct Origins<'a> {
    conversation: &'a Conversation,
}

impl Conversation {
    /// Where the values in this conversation came from.
    pub fn origins(&self) -> Origins<'_> {
        Origins { conversation: self }
    }
}

impl Origins<'_> {
    /// Where `value` came from, if it was returned by a result or typed by the user. Numbers and
    /// their spelling as text are the same value; so are texts that differ in case only.
    pub fn of(&self, value: &Value) -> Option<Given> {
        let wanted = canonical(value)?;
        self.with(|index| index.by_value.get(&wanted).cloned())
            .map(Given::Result)
            .or_else(|| self.in_text(&wanted))
    }

    /// The values returned so far under `key`, newest first; under any key that names an
    /// identifier where there is none.
    pub(crate) fn returned_under(&self, key: &str, most: usize) -> Vec<(String, String, Source)> {
        self.with(|index| {
            let take = |wanted: &dyn Fn(&str) -> bool| {
                let mut found: Vec<(String, String, Source)> = Vec::new();
                for it in index.named.iter().rev().filter(|it| wanted(&it.key)) {
                    if found.len() < most && !found.iter().any(|(_, value, _)| *value == it.value) {
                        found.push((it.key.clone(), it.value.clone(), it.source.clone()));
                    }
                }
                found
            };
            let same = take(&|name| name.eq_ignore_ascii_case(key));
            if same.is_empty() { take(&|name| is_identifier(name)) } else { same }
        })
    }

    /// Whether the words occur in what the user typed, or in a result that is text.
    fn in_text(&self, wanted: &str) -> Option<Given> {
        for message in self.conversation.messages() {
            match &**message {
                Message::User(user)
                    if user.origin == Origin::Person && says(&user.content, wanted) =>
                {
                    return Some(Given::User);
                }
                Message::Tool(it)
                    if it.outcome.status.is_ok()
                        && it.outcome.data.is_none()
                        && !looks_like_json(&it.outcome.text)
                        && says(&it.outcome.text, wanted) =>
                {
                    return Some(Given::Result(Source {
                        call: it.call.clone(),
                        tool: it.name.clone(),
                        pointer: String::new(),
                    }));
                }
                _ => {}
            }
        }
        None
    }

    fn with<T>(&self, look: impl FnOnce(&Indexed) -> T) -> T {
        let index = &self.conversation.index;
        // Only a panic while indexing poisons it, and a half-grown index is still true.
        let mut indexed = index.0.lock().unwrap_or_else(PoisonError::into_inner);
        indexed.grow(self.conversation.messages());
        look(&indexed)
    }
}

/// The index, behind a lock because guards only see the conversation by reference.
#[derive(Default)]
pub(crate) struct Index(Mutex<Indexed>);

#[derive(Default)]
struct Indexed {
    upto: usize,
    by_value: HashMap<String, Source>,
    named: Vec<Returned>,
}

impl Clone for Index {
    fn clone(&self) -> Self {
        // It is only a cache: the copy builds its own when it is asked.
        Self::default()
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Index")
    }
}

impl Indexed {
    fn grow(&mut self, messages: &[Arc<Message>]) {
        for message in messages.get(self.upto..).unwrap_or_default() {
            if let Message::Tool(it) = &**message
                && it.outcome.status.is_ok()
                && let Ok(value) = it.outcome.value()
            {
                let mut source =
                    Source { call: it.call.clone(), tool: it.name.clone(), pointer: String::new() };
                self.add(&value, "", &mut source);
            }
        }
        self.upto = messages.len();
    }

    fn add(&mut self, value: &Value, key: &str, source: &mut Source) {
        let depth = source.pointer.len();
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    source.pointer.push('/');
                    source.pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                    if is_data(key) {
                        self.note(key.to_lowercase(), source);
                    }
                    self.add(inner, key, source);
                    source.pointer.truncate(depth);
                }
            }
            Value::Array(items) => {
                for (at, inner) in items.iter().enumerate() {
                    source.pointer.push_str(&format!("/{at}"));
                    self.add(inner, key, source);
                    source.pointer.truncate(depth);
                }
            }
            scalar => {
                if let Some(value) = canonical(scalar) {
                    if !key.is_empty() {
                        let value = shown(scalar);
                        let source = source.clone();
                        self.named.push(Returned { key: key.to_owned(), value, source });
                    }
                    self.note(value, source);
                }
            }
        }
    }

    /// The newest place wins: it is what the model has last seen.
    fn note(&mut self, value: String, source: &Source) {
        self.by_value.insert(value, source.clone());
    }
}

/// One spelling for every spelling of a value: `13`, `13.0` and `"13"` are `13`; case and outer
/// space do not count. Values that identify nothing (true, null, "") have none.
fn canonical(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15 => {
                format!("{float:.0}")
            }
            _ => number.to_string(),
        }),
        Value::String(text) => {
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_lowercase())
        }
        _ => None,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether `text` contains the words of `wanted`, whole: `13` is not in `2013` or `13.5`.
fn says(text: &str, wanted: &str) -> bool {
    let text = text.to_lowercase();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(wanted)) {
        let (start, end) = (from + at, from + at + wanted.len());
        let before = text.get(..start).and_then(|it| it.chars().next_back());
        let mut after = text.get(end..).unwrap_or_default().chars();
        let (next, then) = (after.next(), after.next());
        let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        // A point or a comma joins digits (`13.5`) but ends a sentence.
        let decimal = matches!(next, Some('.' | ',')) && then.is_some_and(|c| c.is_ascii_digit());
        let fraction = matches!(before, Some('.' | ','))
            && text
                .get(..start)
                .is_some_and(|it| it.chars().rev().nth(1).is_some_and(|c| c.is_ascii_digit()));
        if !joined(before) && !joined(next) && !decimal && !fraction {
            return true;
        }
        from = start + wanted.chars().next().map_or(1, char::len_utf8);
    }
    false
}

fn looks_like_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether a key is itself a value, as in `{"IDX_I": {"13": …}}`, and not the name of a field.
fn is_data(key: &str) -> bool {
    key.contains(|c: char| c.is_ascii_digit()) || !key.contains(|c: char| c.is_lowercase())
}

/// Whether a key names an identifier: `id`, `security_id`, `videoId`, `symbol`, `isin`.
fn is_identifier(key: &str) -> bool {
    let lower = key.to_lowercase();
    lower == "id"
        || lower.ends_with("_id")
        || key.ends_with("Id")
        || matches!(lower.as_str(), "symbol" | "isin" | "key" | "uuid" | "name")
}
