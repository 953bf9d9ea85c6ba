//! [`Arguments`]: the arguments of a call, written in the ways dialects write them.

use std::{fmt, io};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor},
};
use serde_json::{Value as Json, ser::Formatter};
use toolwright_core::Call;

use super::template::fill;

/// The arguments of a call, in the order the model wrote them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arguments(Vec<(String, Json)>);

/// How one value is written as text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// As it is: the template has it on lines of its own, or line breaks are no markup.
    AsIs,
    /// Between the tags. A line break at its edge is doubled, because one is markup.
    Inline,
    /// Inline, with entities for what is markup.
    Escaped,
    /// Inline, in a CDATA section where it holds markup or line breaks.
    Cdata,
}

impl Arguments {
    /// What cannot be read as an object stands for no arguments: of a call that was cut off, say.
    pub(super) fn of(call: &Call) -> Self {
        serde_json::from_str(&call.arguments)
            .ok()
            .or_else(|| serde_json::from_value(call.parse().ok()?).ok())
            .unwrap_or_default()
    }

    pub(super) fn json(&self, out: &mut String) {
        self.listed(["{", ", ", "}"], out, |key, value, out| {
            spaced(key, out);
            out.push_str(": ");
            spaced(value, out);
        });
    }

    pub(super) fn each(&self, template: &str, style: Value, out: &mut String) {
        for (key, value) in &self.0 {
            fill(template, out, |word, out| match word {
                "key" => out.push_str(key),
                "value" => style.write(value, out),
                "type" => out.push_str(kind(value)),
                "string" => out.push_str(if value.is_string() { "true" } else { "false" }),
                _ => {}
            });
        }
    }

    pub(super) fn python(&self, words: [&str; 3], out: &mut String) {
        self.listed(["", ", ", ""], out, |key, value, out| {
            out.push_str(key);
            out.push('=');
            python(value, words, out);
        });
    }

    pub(super) fn braces(&self, quote: &str, out: &mut String) {
        self.listed(["{", ",", "}"], out, |key, value, out| {
            out.push_str(key);
            out.push(':');
            braces(value, quote, out);
        });
    }

    pub(super) fn nested(&self, token: &str, out: &mut String) {
        for (key, value) in &self.0 {
            element(key, value, token, out);
        }
    }

    fn listed(
        &self,
        [open, between, close]: [&str; 3],
        out: &mut String,
        mut one: impl FnMut(&str, &Json, &mut String),
    ) {
        out.push_str(open);
        for (number, (key, value)) in self.0.iter().enumerate() {
            out.push_str(if number > 0 { between } else { "" });
            one(key, value, out);
        }
        out.push_str(close);
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Arguments;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Arguments, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Arguments(all))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Value {
    fn write(self, value: &Json, out: &mut String) {
        let mut json = String::new();
        let text = match value {
            Json::String(text) => text.as_str(),
            other => {
                spaced(other, &mut json);
                json.as_str()
            }
        };
        let marked = text.contains(['<', '&', '\n']);
        match self {
            Self::AsIs => out.push_str(text),
            Self::Cdata if marked && !text.contains("]]>") => {
                out.push_str(&format!("<![CDATA[{text}]]>"));
            }
            Self::Inline => padded(text, out),
            Self::Escaped | Self::Cdata => {
                let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                padded(&text, out);
            }
        }
    }
}

fn padded(text: &str, out: &mut String) {
    out.push_str(if text.starts_with(['\n', '\r']) { "\n" } else { "" });
    out.push_str(text);
    out.push_str(if text.ends_with('\n') { "\n" } else { "" });
}

fn python(value: &Json, words: [&str; 3], out: &mut String) {
    let [yes, no, nothing] = words;
    match value {
        Json::Null => out.push_str(nothing),
        Json::Bool(true) => out.push_str(yes),
        Json::Bool(false) => out.push_str(no),
        // JSON's escapes are Python's, too.
        Json::Number(_) | Json::String(_) => spaced(value, out),
        Json::Array(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                python(item, words, out);
            }
            out.push(']');
        }
        Json::Object(fields) => {
            out.push('{');
            for (number, (key, field)) in fields.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                spaced(key, out);
                out.push_str(": ");
                python(field, words, out);
            }
            out.push('}');
        }
    }
}

fn braces(value: &Json, quote: &str, out: &mut String) {
    match value {
        Json::String(text) => out.push_str(&format!("{quote}{text}{quote}")),
        Json::Array(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                braces(item, quote, out);
            }
            out.push(']');
        }
        Json::Object(fields) => {
            out.push('{');
            for (number, (key, field)) in fields.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                out.push_str(key);
                out.push(':');
                braces(field, quote, out);
            }
            out.push('}');
        }
        other => spaced(other, out),
    }
}

fn element(name: &str, value: &Json, token: &str, out: &mut String) {
    out.push_str(&format!("{token}<{name}>"));
    match value {
        Json::Object(fields) => {
            fields.iter().for_each(|(key, field)| element(key, field, token, out));
        }
        Json::Array(items) => items.iter().for_each(|item| element("item", item, token, out)),
        // Here no line break is markup.
        other => Value::AsIs.write(other, out),
    }
    out.push_str(&format!("{token}</{name}>"));
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// Adds JSON with a blank behind each comma and colon: what models were trained on.
pub(super) fn spaced(value: &(impl Serialize + ?Sized), out: &mut String) {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    if value.serialize(&mut serializer).is_ok() {
        out.push_str(&String::from_utf8_lossy(&bytes));
    }
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
