//! How values are written into a path, a query and a header, as the style of a parameter says.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::document::{Parameter, Style};

/// Everything but letters, digits and what means nothing anywhere. A point is written as a number, too: two of
/// them are a way up.
const SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, SET).to_string()
}

/// A value as text.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The texts of a list, or of an object as keys and values.
enum Parts {
    One(String),
    List(Vec<String>),
    Pairs(Vec<(String, String)>),
}

fn parts(value: &Value, write: fn(&str) -> String) -> Parts {
    match value {
        Value::Array(items) => Parts::List(items.iter().map(|it| write(&text(it))).collect()),
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, it)| (write(key), write(&text(it))));
            Parts::Pairs(pairs.collect())
        }
        other => Parts::One(write(&text(other))),
    }
}

/// `a,1,b,2`, or `a=1,b=2` where it is taken apart.
fn joined(parts: Parts, explode: bool, with: &str) -> String {
    match parts {
        Parts::One(text) => text,
        Parts::List(items) => items.join(with),
        Parts::Pairs(pairs) => {
            let between = if explode { "=" } else { with };
            let pairs = pairs.into_iter().map(|(key, value)| format!("{key}{between}{value}"));
            pairs.collect::<Vec<_>>().join(with)
        }
    }
}

pub(super) fn in_path(parameter: &Parameter, value: &Value) -> String {
    let (name, explode) = (encoded(&parameter.name), parameter.explode);
    let parts = parts(value, encoded);
    match parameter.style {
        Style::Json => encoded(&value.to_string()),
        Style::Label => {
            let with = if explode { "." } else { "," };
            format!(".{}", joined(parts, explode, with))
        }
        Style::Matrix => match (parts, explode) {
            (Parts::List(items), true) => {
                items.iter().map(|it| format!(";{name}={it}")).collect::<String>()
            }
            (Parts::Pairs(pairs), true) => {
                pairs.iter().map(|(key, it)| format!(";{key}={it}")).collect::<String>()
            }
            (parts, _) => format!(";{name}={}", joined(parts, false, ",")),
        },
        _ => joined(parts, explode, ","),
    }
}

pub(super) fn in_query(parameter: &Parameter, value: &Value) -> Vec<String> {
    let name = encoded(&parameter.name);
    let one = |text: &str| vec![format!("{name}={text}")];
    let with = match parameter.style {
        Style::Json => return one(&encoded(&value.to_string())),
        Style::Deep => return deep(&name, value, 0),
        Style::Space => "%20",
        Style::Pipe => "%7C",
        _ => ",",
    };
    match parts(value, encoded) {
        Parts::List(items) if parameter.explode => {
            items.iter().map(|it| format!("{name}={it}")).collect()
        }
        Parts::Pairs(pairs) if parameter.explode => {
            pairs.iter().map(|(key, it)| format!("{key}={it}")).collect()
        }
        parts => one(&joined(parts, false, with)),
    }
}

/// `x[a]=1&x[b][c]=2`: nothing says how deep it goes, so not far.
fn deep(name: &str, value: &Value, depth: usize) -> Vec<String> {
    match value {
        Value::Object(map) if depth < 4 => {
            let inner = |(key, it): (&String, &Value)| {
                deep(&format!("{name}%5B{}%5D", encoded(key)), it, depth + 1)
            };
            map.iter().flat_map(inner).collect()
        }
        Value::Array(items) => {
            items.iter().map(|it| format!("{name}={}", encoded(&text(it)))).collect()
        }
        other => vec![format!("{name}={}", encoded(&text(other)))],
    }
}

pub(super) fn in_header(parameter: &Parameter, value: &Value) -> String {
    match parameter.style {
        Style::Json => value.to_string(),
        _ => joined(parts(value, str::to_owned), parameter.explode, ","),
    }
}
