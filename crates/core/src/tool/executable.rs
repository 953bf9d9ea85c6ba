//! [`Text`]: what stands in the parameters of a call that are carried out.

use serde_json::Value;

use super::ToolSpec;

/// A text in a parameter that is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// Where it stands, as a JSON pointer.
    pub(crate) at: String,
    /// The text.
    pub(crate) text: String,
}

impl ToolSpec {
    /// Every text at or below the parameters declared [`executable`](Self::executable). A list or an
    /// object is told as one text, too, its values side by side: `["curl", "a.example"]` is carried
    /// out as `curl a.example`.
    pub(crate) fn carried_out_texts(&self, arguments: &Value) -> Vec<Text> {
        let mut texts = Vec::new();
        for name in &self.executable {
            let Some(value) = arguments.get(name) else { continue };
            let at = format!("/{}", escaped(name));
            if value.is_array() || value.is_object() {
                let mut line = Vec::new();
                words(value, &mut line);
                texts.push(Text { at: at.clone(), text: line.join(" ") });
            }
            walk(value, at, &mut texts);
        }
        texts
    }
}

/// Everything that is text by itself: values, and the keys in front of them.
fn walk(value: &Value, at: String, texts: &mut Vec<Text>) {
    match value {
        Value::String(text) => texts.push(Text { at, text: text.clone() }),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, format!("{at}/{index}"), texts);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                let at = format!("{at}/{}", escaped(key));
                texts.push(Text { at: at.clone(), text: key.clone() });
                walk(value, at, texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The values in their order, as a command line would have them.
fn words(value: &Value, line: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::String(text) => line.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| words(item, line)),
        Value::Object(fields) => fields.values().for_each(|value| words(value, line)),
        Value::Bool(_) | Value::Number(_) => line.push(value.to_string()),
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
