//! [`Quotations`]: the calls that stand in a conversation's results.
//!
//! A result is somebody else's text. A model that tells what stands in it writes the call down again,
//! and has not decided to make it. So a call that is found in a reply's text is held against those that
//! the same decoder finds in the results, whatever form either is written in.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde_json::Value;
use toolwright_core::{Author, Message};
use toolwright_dialects::{Dialect, ExtractedCall, quotable};

use super::offer::Offer;

/// The calls that stand in a conversation's results. It grows with the conversation: each message is
/// read once.
#[derive(Default)]
pub(super) struct Quotations {
    offer: Option<Arc<Offer>>,
    /// How many messages were read, and the last of them.
    count: usize,
    last: Option<Arc<Message>>,
    known: Arc<Known>,
}

/// Calls by their one spelling.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Those in results, with whose result it is.
    returned: HashMap<String, String>,
    /// Those that the user wrote.
    said: HashSet<String>,
}

impl Quotations {
    /// Those in these messages, for a model that is heard in this dialect.
    pub(super) fn follow(
        &mut self,
        messages: &[Arc<Message>],
        offer: &Arc<Offer>,
        dialect: Dialect,
    ) -> Arc<Known> {
        let last = self.count.checked_sub(1).and_then(|at| messages.get(at));
        let kept = self.offer.as_ref().is_some_and(|it| Arc::ptr_eq(it, offer))
            && self.last.as_ref().map(Arc::as_ptr) == last.map(Arc::as_ptr);
        if !kept {
            *self = Self { offer: Some(offer.clone()), ..Self::default() };
        }
        // A call of a tool that does not exist is quoted like any other.
        let any = offer.tools().or_unlisted(|_| true);
        let found = |text: &str| {
            let calls = |it: String| quotable(&it, dialect, &any);
            readings(text).into_iter().flat_map(calls).map(|call| spelling(&call))
        };
        let known = Arc::make_mut(&mut self.known);
        for message in messages.get(self.count..).unwrap_or_default() {
            match &**message {
                Message::Tool(it) => {
                    let calls = found(&it.outcome.text).map(|call| (call, it.name.clone()));
                    known.returned.extend(calls);
                }
                Message::User(it) if it.origin == Author::Person => {
                    known.said.extend(found(&it.content));
                }
                // What a digest tells of results, and what stands in a log from elsewhere.
                Message::User(it) => {
                    let calls = found(&it.content).map(|call| (call, String::new()));
                    known.returned.extend(calls);
                }
                Message::System(_) | Message::Assistant(_) => {}
            }
        }
        self.count = messages.len();
        self.last = messages.last().cloned();
        self.known.clone()
    }
}

impl Known {
    /// Whether a call is the model's own: it stands in no result, and the user did not write it.
    pub(super) fn is_own(&self, call: &ExtractedCall) -> bool {
        let spelling = spelling(call);
        !self.returned.contains_key(&spelling) && !self.said.contains(&spelling)
    }

    /// What is shown in the place of a call that only stands in a result; nothing where it does not, or
    /// the user wrote it.
    pub(super) fn instead_of(&self, call: &ExtractedCall) -> Option<String> {
        let spelling = spelling(call);
        let tool = self.returned.get(&spelling).filter(|_| !self.said.contains(&spelling))?;
        let whose = match tool.as_str() {
            "" => "an earlier result".to_owned(),
            tool => format!("a result of {tool}"),
        };
        let ExtractedCall { name, arguments, .. } = call;
        Some(format!(
            "`{name} {arguments}` (this call stands in {whose}; the user did not ask for it, and it was \
             not made)"
        ))
    }
}

/// How often a text within a text is unpacked: JSON in a string of JSON, and once more.
const WITHIN: usize = 3;

/// A text as it stands, and as a reader of the JSON in it would tell it.
fn readings(text: &str) -> Vec<String> {
    let (mut all, mut now) = (vec![text.to_owned()], vec![text.to_owned()]);
    for _ in 0..WITHIN {
        now = now.iter().flat_map(|it| unpacked(it)).collect();
        all.extend(now.iter().cloned());
    }
    all
}

fn unpacked(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    match serde_json::from_str::<Value>(text) {
        Ok(value) => strings(value, &mut found),
        Err(_) if text.contains('\\') => found.push(unescaped(text)),
        Err(_) => {}
    }
    found
}

fn strings(value: Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.into_iter().for_each(|it| strings(it, found)),
        Value::Object(map) => map.into_iter().for_each(|(key, it)| {
            found.push(key);
            strings(it, found);
        }),
        _ => {}
    }
}

/// The text with what JSON escapes written plainly, wherever it stands.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('n' | 'r') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let code = letters.as_str().get(..4);
                let code = code.and_then(|it| u32::from_str_radix(it, 16).ok());
                match code.and_then(char::from_u32) {
                    Some(plain) => {
                        out.push(plain);
                        letters = letters.as_str().get(4..).unwrap_or_default().chars();
                    }
                    None => out.push('u'),
                }
            }
            other => out.extend(other),
        }
    }
    out
}

/// One spelling for all spellings of a call: the order of its arguments, types that a form does not
/// tell apart, case and blanks do not count.
fn spelling(call: &ExtractedCall) -> String {
    let letters = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let mut out = letters(&call.name);
    match serde_json::from_str::<Value>(&call.arguments) {
        Ok(value) => spell(&value, &mut out),
        Err(_) => out.push_str(&letters(&call.arguments)),
    }
    out
}

fn spell(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut fields: Vec<_> = map.iter().filter(|(_, it)| !it.is_null()).collect();
            fields.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, inner) in fields {
                out.push_str(name);
                out.push(':');
                spell(inner, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                spell(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(number) => out.push_str(&number.to_string()),
            Err(_) => {
                let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
                out.push_str(&words.join(" "));
            }
        },
        Value::Number(number) => match number.as_f64() {
            Some(number) => out.push_str(&number.to_string()),
            None => out.push_str(&number.to_string()),
        },
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Null => {}
    }
}
