//! [`ArgumentWords`]: what calls were made with, by which a result's own values are told from an echo.
//!
//! Many tools repeat what they were asked. A value that a model made up, sent to one of them and found
//! again in its result was returned by nobody.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::{Call, CallId, Message};

/// The words in the arguments of calls.
#[derive(Default)]
pub struct ArgumentWords(HashMap<CallId, HashSet<String>>);

impl ArgumentWords {
    /// Takes note of a message's calls.
    pub(crate) fn hear(&mut self, message: &Message) {
        message.calls().iter().for_each(|call| self.hear_call(call));
    }

    /// Takes note of one call.
    pub fn hear_call(&mut self, call: &Call) {
        let heard = self.0.entry(call.id.clone()).or_default();
        let arguments = call.parse().unwrap_or_else(|_| call.arguments.clone().into());
        collect(&arguments, heard);
    }

    /// Whether a value, in its one spelling, is nothing that the call's result added: every word of it
    /// stands in the call's own arguments.
    pub fn is_echo(&self, call: &CallId, value: &str) -> bool {
        let mut words = words(value).peekable();
        words.peek().is_some()
            && self.0.get(call).is_some_and(|asked| words.all(|word| asked.contains(word)))
    }
}

fn collect(value: &Value, heard: &mut HashSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                if super::values::is_data(key) {
                    heard.extend(words(&key.to_lowercase()).map(str::to_owned));
                }
                collect(inner, heard);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, heard)),
        scalar => {
            let text = super::values::canonical(scalar).unwrap_or_default();
            heard.extend(words(&text).map(str::to_owned));
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_')).filter(|word| !word.is_empty())
}
