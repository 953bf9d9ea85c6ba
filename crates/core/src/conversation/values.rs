//! [`ValueOrigins`]: where the values in a call's arguments came from.
//!
//! An identifier a model uses must be one that an earlier result really returned, that the user
//! typed, or that was configured. The index of returned values is built as it is first asked for
//! and then grows with the conversation.

use std::{
    borrow::Cow,
    collections::HashMap,
    fmt::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CompactedHistory, Conversation, ReturnedValue, echo::ArgumentWords};
use crate::{Author, CallId, Message};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum ValueOrigin {
    /// An earlier result returned it.
    Result(ResultLocation),
    /// The user typed it, in a message or into a call.
    User,
    /// It was configured.
    Configured,
}

/// A place in an earlier result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResultLocation {
    /// The call whose result it is.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// The place in the result, as a JSON pointer; empty for a result that is text.
    pub pointer: String,
}

/// Looks up where values came from; borrowed from [`Conversation::origins`].
pub struct ValueOrigins<'a> {
    conversation: &'a Conversation,
}

impl Conversation {
    /// Where the values in this conversation came from.
    pub fn origins(&self) -> ValueOrigins<'_> {
        ValueOrigins { conversation: self }
    }

    /// The index, up to the newest message.
    pub(super) fn grown(&self) -> &Index {
        self.index.0.lock().unwrap_or_else(PoisonError::into_inner).grow(&self.messages);
        &self.index
    }

    /// What stands for the older part, where that was too long to keep.
    pub fn compacted(&self) -> Option<&CompactedHistory> {
        self.digest.as_deref()
    }
}

impl<'a> ValueOrigins<'a> {
    /// The conversation they are looked up in.
    pub(super) fn conversation(&self) -> &'a Conversation {
        self.conversation
    }

    /// Where `value` came from, if it was returned by a result or typed by the user. Numbers and
    /// their spelling as text are the same value; so are texts that differ in case only.
    ///
    /// What a result only repeats of its call's own arguments was not returned by it.
    pub fn of(&self, value: &Value) -> Option<ValueOrigin> {
        self.given(value, Echoes::Ignored)
    }

    /// The same where an echo counts: for what a value belongs to, which a search may have been
    /// narrowed by.
    pub(crate) fn of_owner(&self, value: &Value) -> Option<ValueOrigin> {
        self.given(value, Echoes::Counted)
    }

    fn given(&self, value: &Value, echoes: Echoes) -> Option<ValueOrigin> {
        let wanted = canonical(value)?;
        let (index, messages) = (&self.conversation.index, self.conversation.messages());
        match index.place(&wanted, messages, echoes) {
            Some(source) => Some(ValueOrigin::Result(source)),
            None => self
                .in_text(&wanted)
                .or_else(|| self.before(&wanted, echoes))
                // Whoever began this conversation could have used it just as well.
                .or_else(|| self.conversation.outer()?.origins().given(value, echoes)),
        }
    }

    /// Whether it is known from the part that a digest stands for.
    fn before(&self, wanted: &str, echoes: Echoes) -> Option<ValueOrigin> {
        let digest = self.conversation.digest.as_deref()?;
        let counts = |it: &&ReturnedValue| !it.echoed || echoes == Echoes::Counted;
        let newest = digest.returned.iter().rev().filter(counts).find(|it| it.value == wanted);
        match newest {
            Some(returned) => Some(ValueOrigin::Result(returned.source.clone())),
            None => digest.said.iter().any(|text| says(text, wanted)).then_some(ValueOrigin::User),
        }
    }

    /// The values returned so far under `key`, newest first; under any key that names an
    /// identifier where there is none. Each with its key and the tool that returned it.
    pub(crate) fn returned_under(&self, key: &str, most: usize) -> Vec<(String, String, String)> {
        let same = self.returned(&|name| name.eq_ignore_ascii_case(key), most);
        if same.is_empty() { self.returned(&is_identifier, most) } else { same }
    }

    fn returned(
        &self,
        wanted: &dyn Fn(&str) -> bool,
        most: usize,
    ) -> Vec<(String, String, String)> {
        let mut found: Vec<(String, String, String)> = Vec::new();
        let mut asked = ArgumentWords::default();
        self.conversation.messages().iter().for_each(|message| asked.hear(message));
        for result in self.conversation.results().rev().filter(|it| it.outcome.status.is_ok()) {
            let Ok(value) = result.outcome.value() else { continue };
            each_leaf(&value, &mut |leaf| {
                if let Leaf::Scalar { key, value, .. } = leaf
                    && wanted(key)
                    && canonical(value).is_some_and(|it| !asked.is_echo(&result.call, &it))
                    && found.len() < most
                    && !found.iter().any(|(_, known, _)| *known == shown(value))
                {
                    found.push((key.to_owned(), shown(value), result.name.clone()));
                }
            });
        }
        let before = self.conversation.digest.iter().flat_map(|it| it.returned.iter().rev());
        for it in before.filter(|it| wanted(&it.key) && !it.echoed) {
            if found.len() < most && !found.iter().any(|(_, known, _)| *known == it.value) {
                found.push((it.key.clone(), it.value.clone(), it.source.tool.clone()));
            }
        }
        found
    }

    /// Whether the words occur in what the user typed, or in a result that is text.
    fn in_text(&self, wanted: &str) -> Option<ValueOrigin> {
        for message in self.conversation.messages() {
            match &**message {
                Message::User(user)
                    if user.origin == Author::Person && user.given().any(|it| says(it, wanted)) =>
                {
                    return Some(ValueOrigin::User);
                }
                Message::Tool(it)
                    if it.outcome.status.is_ok()
                        && it.outcome.data.is_none()
                        && !looks_like_json(it.outcome.said())
                        && says(it.outcome.said(), wanted)
                        && !self.conversation.index.is_echo(&it.call, wanted) =>
                {
                    return Some(ValueOrigin::Result(ResultLocation {
                        call: it.call.clone(),
                        tool: it.name.clone(),
                        pointer: String::new(),
                    }));
                }
                _ => {}
            }
        }
        let typed = self.conversation.edits().any(|edit| edit.says(wanted));
        typed.then_some(ValueOrigin::User)
    }
}

/// Where each value was returned last. Only a cache, behind a lock because guards see the
/// conversation by reference.
#[derive(Default)]
pub(crate) struct Index(Mutex<Indexed>);

#[derive(Default)]
struct Indexed {
    upto: usize,
    /// The message, and the place in its result.
    by_value: HashMap<String, Place>,
    /// The same for what results only repeat of their calls' arguments.
    echoes: HashMap<String, Place>,
    asked: ArgumentWords,
}

type Place = (usize, Box<str>);

/// What becomes of values that a result only repeats of its call's arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Echoes {
    Ignored,
    Counted,
}

impl Index {
    fn place(
        &self,
        wanted: &str,
        messages: &[Arc<Message>],
        echoes: Echoes,
    ) -> Option<ResultLocation> {
        // Only a panic while indexing poisons it, and a half-grown index is still true.
        let mut indexed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        indexed.grow(messages);
        let echoed = || indexed.echoes.get(wanted).filter(|_| echoes == Echoes::Counted);
        let (at, pointer) = indexed.by_value.get(wanted).or_else(echoed)?;
        let Message::Tool(it) = &**messages.get(*at)? else { return None };
        let (call, tool) = (it.call.clone(), it.name.clone());
        Some(ResultLocation { call, tool, pointer: pointer.to_string() })
    }

    /// Whether a value stands in the call's own arguments, of the calls that were indexed.
    pub(super) fn is_echo(&self, call: &CallId, wanted: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).asked.is_echo(call, wanted)
    }
}

impl Clone for Index {
    fn clone(&self) -> Self {
        // The copy builds its own when it is asked.
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
        for (at, message) in messages.iter().enumerate().skip(self.upto) {
            self.asked.hear(message);
            if let Message::Tool(it) = &**message
                && it.outcome.status.is_ok()
                && let Ok(value) = it.outcome.value()
            {
                // The newest place wins: it is what the model has last seen.
                each_leaf(&value, &mut |leaf| {
                    let Some(value) = leaf.canonical() else { return };
                    let is_echo = self.asked.is_echo(&it.call, &value);
                    let known = if is_echo { &mut self.echoes } else { &mut self.by_value };
                    known.insert(value, (at, leaf.pointer().into()));
                });
            }
        }
        self.upto = messages.len();
    }
}

/// A value somewhere in a result.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'v> {
    /// A key that is itself a value, as in `{"IDX_I": {"13": …}}`.
    Key {
        /// The key.
        name: &'v str,
        /// Where it stands, as a JSON pointer.
        pointer: &'v str,
    },
    /// A text, a number, or nothing.
    Scalar {
        /// The nearest key above it.
        key: &'v str,
        /// The value.
        value: &'v Value,
        /// Where it stands, as a JSON pointer.
        pointer: &'v str,
    },
}

impl Leaf<'_> {
    /// The value in its one spelling: see [`ArgumentWords::is_echo`].
    pub fn canonical(&self) -> Option<String> {
        match self {
            Self::Key { name, .. } => Some(name.to_lowercase()),
            Self::Scalar { value, .. } => canonical(value),
        }
    }

    fn pointer(&self) -> &str {
        match self {
            Self::Key { pointer, .. } | Self::Scalar { pointer, .. } => pointer,
        }
    }
}

/// Every value in a result that could identify something, with its key and its place.
pub(super) fn each_value(value: &Value, visit: &mut dyn FnMut(&str, String, &str)) {
    each_leaf(value, &mut |leaf| {
        if let Some(value) = leaf.canonical() {
            let key = if let Leaf::Scalar { key, .. } = leaf { key } else { "" };
            visit(key, value, leaf.pointer());
        }
    });
}

/// A key as it stands in a JSON pointer.
pub(crate) fn escaped(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) {
        key.replace('~', "~0").replace('/', "~1").into()
    } else {
        key.into()
    }
}

/// Visits every leaf of a result.
pub fn each_leaf(value: &Value, visit: &mut dyn FnMut(Leaf<'_>)) {
    walk(value, "", &mut String::new(), visit);
}

/// As [`each_leaf`], below this key and this place.
pub(super) fn walk(
    value: &Value,
    key: &str,
    pointer: &mut String,
    visit: &mut dyn FnMut(Leaf<'_>),
) {
    let depth = pointer.len();
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                pointer.push('/');
                pointer.push_str(&escaped(name));
                if is_data(name) {
                    visit(Leaf::Key { name, pointer });
                }
                walk(inner, name, pointer, visit);
                pointer.truncate(depth);
            }
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                // Writing to a `String` cannot fail.
                let _ = write!(pointer, "/{at}");
                walk(inner, key, pointer, visit);
                pointer.truncate(depth);
            }
        }
        value => visit(Leaf::Scalar { key, value, pointer }),
    }
}

/// One spelling for every spelling of a value: `13`, `13.0` and `"13"` are `13`; case and outer
/// space do not count. Values that identify nothing (true, null, "") have none.
pub(super) fn canonical(value: &Value) -> Option<String> {
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

pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether `text` contains the words of `wanted`, whole: `13` is not in `2013` or `13.5`.
pub(super) fn says(text: &str, wanted: &str) -> bool {
    places(&text.to_lowercase(), wanted).next().is_some()
}

/// Where `text`, which is in lower case, has the words of `wanted`, whole: from and to.
fn places<'a>(text: &'a str, wanted: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
    let mut from = 0;
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find(wanted)?;
        from = start + step;
        Some((start, start + wanted.len()))
    })
    .filter(|(start, end)| is_whole(text, *start, *end))
}

/// Whether what stands there is not a part of a longer word or number.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
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
    !joined(before) && !joined(next) && !decimal && !fraction
}

fn looks_like_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether a key is itself a value and not the name of a field.
pub(super) fn is_data(key: &str) -> bool {
    key.contains(|c: char| c.is_ascii_digit()) || !key.contains(|c: char| c.is_lowercase())
}

/// Whether a key names an identifier: `id`, `security_id`, `videoId`, `symbol`, `isin`.
pub(super) fn is_identifier(key: &str) -> bool {
    let lower = key.to_lowercase();
    lower == "id"
        || lower.ends_with("_id")
        || key.ends_with("Id")
        || matches!(lower.as_str(), "symbol" | "isin" | "key" | "uuid" | "name")
}
