//! [`Placeholders`]: no value that only stands for a value.

use serde_json::Value;

use super::{CallCheck, Guard, Refusal};
use crate::conversation::{Conversation, escaped};

/// Refuses arguments such as `<security_id>`, `YOUR_ID` or `{{x}}`. Parameters declared as free
/// text are not looked at: code may well contain any of these. A word that the person used is theirs
/// (`show me the todo file`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Placeholders;

impl Guard for Placeholders {
    fn name(&self) -> &str {
        "placeholders"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        let Some(arguments) = check.arguments.as_object() else { return Ok(()) };
        for (name, value) in arguments {
            if check.spec.free_text.contains(name) {
                continue;
            }
            if let Some((text, at)) = find(value)
                && !is_said(text, check.conversation)
            {
                return Err(refusal(text, &format!("/{name}{at}")));
            }
        }
        Ok(())
    }
}

/// Whether it is a word, and one of the person's: what stands in brackets is a slot whoever wrote it.
fn is_said(text: &str, conversation: &Conversation) -> bool {
    let words = |said: &str| {
        let mut words = said.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word.eq_ignore_ascii_case(text))
    };
    text.chars().all(char::is_alphanumeric) && conversation.request().into_iter().any(words)
}

fn refusal(text: &str, at: &str) -> Refusal {
    Refusal::new(format!("The argument at {at} is the placeholder `{text}`, not a real value."))
        .instead("Use a value from the user's question or from an earlier result; call the tool that returns it first if there is none yet.")
}

/// The first placeholder in a value, and its place as a JSON pointer, which is only put together
/// where there is one. Keys can stand for a value too: `{"<segment>": [13]}`.
fn find(value: &Value) -> Option<(&str, String)> {
    match value {
        Value::String(text) => is_placeholder(text).then(|| (text.as_str(), String::new())),
        Value::Array(items) => items.iter().enumerate().find_map(|(number, inner)| {
            find(inner).map(|(text, at)| (text, format!("/{number}{at}")))
        }),
        Value::Object(map) => map.iter().find_map(|(key, inner)| {
            if is_placeholder(key) {
                return Some((key.as_str(), String::new()));
            }
            find(inner).map(|(text, at)| (text, format!("/{}{at}", escaped(key))))
        }),
        _ => None,
    }
}

/// Whether the whole text only stands for a value.
pub fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let inside = |open: &str, close: &str| {
        text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).map(str::trim)
    };
    // A template slot is always one. In angle or square brackets only a name is, as a page's
    // `<b>` or a list's `[1, 2]` may be meant.
    if inside("{{", "}}").or_else(|| inside("${", "}")).or_else(|| inside("{%", "%}")).is_some() {
        return true;
    }
    if let Some(name) = inside("<", ">").or_else(|| inside("[", "]")).or_else(|| inside("{", "}")) {
        return is_slot_name(name);
    }
    is_shouted(text)
}

/// A name such as `security_id`, `your id`, `Current Price`: words, at least one of them telling.
fn is_slot_name(name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.' | '\'');
    if name.is_empty() || name.len() > 48 || !name.chars().all(is_word) {
        return false;
    }
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let several = words.clone().count() > 1;
    let named = words.clone().any(is_telling);
    let starts_as_word = name.chars().next().is_some_and(char::is_alphabetic);
    starts_as_word && (named || (several && name.contains('_')))
}

/// Words that name a value rather than being one.
fn is_telling(word: &str) -> bool {
    const TELLING: &[&str] = &[
        "id",
        "your",
        "insert",
        "value",
        "placeholder",
        "token",
        "symbol",
        "name",
        "current",
        "price",
        "date",
        "amount",
        "number",
        "key",
        "segment",
        "city",
        "location",
        "todo",
        "tbd",
        "query",
        "path",
        "file",
        "url",
        "here",
        "percentage",
        "temperature",
        "user",
        "email",
    ];
    TELLING.iter().any(|telling| telling.eq_ignore_ascii_case(word))
}

/// `YOUR_ID`, `YOUR_API_KEY_HERE`, `INSERT_DATE`, `PLACEHOLDER`, `TODO`, `xxx`.
fn is_shouted(text: &str) -> bool {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    let starts =
        |word: &str| text.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    let shout = text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let filler = text.len() >= 3 && text.chars().all(|c| matches!(c, 'x' | 'X'));
    let slot = ["your_", "your-", "insert_", "insert-", "replace_with", "enter_your"]
        .iter()
        .any(|word| starts(word) && text.len() > word.len() && !text.contains(' '));
    filler
        || slot
        || ["placeholder", "todo", "tbd", "n/a", "unknown_id"].into_iter().any(is)
        || (shout && (text.ends_with("_HERE") || starts("placeholder_")))
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn tells_values_from_what_only_stands_for_them() {
        for text in [
            "<security_id>",
            "<SECURITY_ID>",
            "YOUR_ID",
            "your_api_key",
            "{{x}}",
            "{{ city }}",
            "${TOKEN}",
            "[Current Price]",
            "[insert date]",
            "<your id>",
            "INSERT_DATE",
            "TODO",
            "xxx",
            "XXXX",
            "PLACEHOLDER",
            "VALUE_HERE",
            "{security_id}",
            "<value>",
        ] {
            assert!(is_placeholder(text), "{text} is a placeholder");
        }
        for text in [
            "13",
            "NIFTY",
            "IDX_I",
            "San Francisco, CA",
            "",
            "a < b > c",
            "<b>",
            "<div>",
            "[1, 2]",
            "[]",
            "{}",
            "your order",
            "NSE_EQ",
            "x",
            "xx",
            "2025-12-15",
            "[x]",
            "<!doctype html>",
            "yourself",
            "TATA_STEEL",
            "insert",
            "{\"a\":1}",
        ] {
            assert!(!is_placeholder(text), "{text} is a value");
        }
    }
}
