//! [`Context`]: what values may be taken from.

use serde_json::Value;

use super::{list::List, numbers::Numbers, spans::Spans};

/// What values may be taken from: what the person said and what tools returned.
pub struct Context {
    pub(super) spans: Spans,
    pub(super) numbers: Numbers,
    /// How numbers may be written in prose.
    pub(super) figures: List<()>,
}

impl Context {
    /// Of the texts the model has read.
    pub fn new(texts: &[String]) -> Self {
        let mut numbers = Numbers::default();
        let mut inner = Vec::new();
        for text in texts {
            numbers.add(text);
            let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
            numbers.count(lines);
            if text.starts_with(['{', '['])
                && let Ok(value) = serde_json::from_str(text)
            {
                walk(&value, &mut numbers, &mut inner);
            }
        }
        let texts = texts.iter().chain(&inner).map(String::as_str);
        let figures = numbers.figures.iter().map(|figure| (figure.as_bytes().into(), ()));
        Self { spans: Spans::new(texts), figures: List::new(figures), numbers }
    }
}

/// Collects what JSON says that its text does not: strings that are escaped in it, and how many
/// items a list has.
fn walk(value: &Value, numbers: &mut Numbers, strings: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(['"', '\\', '\n', '\t']) => strings.push(text.clone()),
        Value::Array(items) => {
            numbers.count(items.len());
            items.iter().for_each(|item| walk(item, numbers, strings));
        }
        Value::Object(fields) => fields.values().for_each(|it| walk(it, numbers, strings)),
        _ => {}
    }
}
