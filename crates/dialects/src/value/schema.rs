//! [`Kinds`]: which types a value may take, and a text as the first of them that it fits.

use std::{borrow::Cow, collections::VecDeque};

use serde_json::Value;

use super::{
    escape,
    json::{self, Style},
    number,
};

/// Which types a value may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

const NULL: u8 = 1;
const INTEGER: u8 = 2;
const NUMBER: u8 = 4;
const BOOLEAN: u8 = 8;
const OBJECT: u8 = 16;
const ARRAY: u8 = 32;
const STRING: u8 = 64;

/// How many schemas are looked at for one value: they come from outside and may refer to themselves.
const MOST: usize = 64;

impl Kinds {
    /// The types a schema allows.
    pub(crate) fn of(schema: &Value, root: &Value) -> Self {
        let mut kinds = Self::default();
        kinds.collect(schema, root, &mut 0);
        kinds
    }

    /// The type of this name.
    pub(crate) fn named(name: &str) -> Self {
        Self(match name {
            "null" => NULL,
            "integer" | "int" | "long" => INTEGER,
            "number" | "float" | "double" => NUMBER | INTEGER,
            "boolean" | "bool" => BOOLEAN,
            "object" | "dict" | "map" => OBJECT,
            "array" | "list" | "tuple" => ARRAY,
            "string" | "str" | "text" | "varchar" => STRING,
            _ => 0,
        })
    }

    fn collect(&mut self, schema: &Value, root: &Value, looked: &mut usize) {
        *looked += 1;
        if *looked > MOST {
            return;
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.0 |= Self::named(name).0,
            Some(Value::Array(names)) => {
                for name in names.iter().filter_map(Value::as_str) {
                    self.0 |= Self::named(name).0;
                }
            }
            _ => {}
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            for branch in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.collect(branch, root, looked);
            }
        }
        if let Some(target) = referred(schema, root) {
            self.collect(target, root, looked);
        }
        if self.0 == 0 {
            let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
            for value in values.chain(schema.get("const")) {
                self.0 |= match value {
                    Value::Null => NULL,
                    Value::Bool(_) => BOOLEAN,
                    Value::Number(it) if it.is_f64() => NUMBER,
                    Value::Number(_) => INTEGER,
                    Value::String(_) => STRING,
                    Value::Array(_) => ARRAY,
                    Value::Object(_) => OBJECT,
                };
            }
        }
    }

    fn has(self, kind: u8) -> bool {
        self.0 & kind != 0
    }

    pub(crate) fn has_array(self) -> bool {
        self.has(ARRAY)
    }

    pub(crate) fn has_object(self) -> bool {
        self.has(OBJECT)
    }

    /// Whether nothing is said about the type.
    pub(crate) fn is_unknown(self) -> bool {
        self.0 == 0
    }

    /// Whether only text will do.
    pub(crate) fn is_text(self) -> bool {
        self.0 == STRING || self.0 == 0
    }

    /// Writes the text as JSON: as the first type that it fits, else as text.
    pub(crate) fn write(self, to: &mut String, text: &str) {
        match self.typed(text) {
            Some(json) => to.push_str(&json),
            None => {
                to.push('"');
                escape::write(to, text);
                to.push('"');
            }
        }
    }

    fn typed(self, text: &str) -> Option<String> {
        if self.is_text() {
            return None;
        }
        let bare = text.trim();
        if self.has(NULL) && matches!(bare, "null" | "None" | "NULL" | "Null" | "nil") {
            return Some("null".to_owned());
        }
        if self.has(INTEGER)
            && let Some(number) = finite(bare)
        {
            if !number.contains(['.', 'e', 'E']) {
                return Some(number.into_owned());
            }
            // `3.0` is an integer, too.
            if let Some((whole, fraction)) = number.split_once('.')
                && fraction.bytes().all(|digit| digit == b'0')
                && !self.has(NUMBER)
            {
                return Some(whole.to_owned());
            }
        }
        if self.has(NUMBER)
            && let Some(number) = finite(bare)
        {
            return Some(number.into_owned());
        }
        if self.has(BOOLEAN) {
            match bare.to_ascii_lowercase().as_str() {
                "true" | "1" => return Some("true".to_owned()),
                "false" | "0" => return Some("false".to_owned()),
                _ => {}
            }
        }
        for (kind, first) in [(OBJECT, '{'), (ARRAY, '[')] {
            if self.has(kind) && bare.starts_with(first) {
                return json::mended(bare, Style::PYTHON).map(|(json, _)| json);
            }
        }
        if self.has(ARRAY) && bare.starts_with('(') {
            return json::mended(bare, Style::PYTHON).map(|(json, _)| json);
        }
        None
    }
}

/// A number that is one in JSON, and not beyond what a number can be.
fn finite(text: &str) -> Option<Cow<'_, str>> {
    let number = number::mended(text)?;
    number.parse::<f64>().is_ok_and(f64::is_finite).then_some(number)
}

/// What a schema refers to, within its root.
fn referred<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

/// The schema of a property.
pub(crate) fn property<'a>(schema: &'a Value, name: &str, root: &'a Value) -> Option<&'a Value> {
    find(schema, root, |schema| schema.get("properties")?.get(name))
}

/// The schema of a list's items.
pub(crate) fn items<'a>(schema: &'a Value, root: &'a Value) -> Option<&'a Value> {
    find(schema, root, |schema| schema.get("items"))
}

/// The first that `get` finds in a schema, in what it refers to, or in its branches.
fn find<'a>(
    schema: &'a Value,
    root: &'a Value,
    get: impl Fn(&'a Value) -> Option<&'a Value>,
) -> Option<&'a Value> {
    let mut waiting = VecDeque::from([schema]);
    for _ in 0..MOST {
        let schema = waiting.pop_front()?;
        if let Some(found) = get(schema) {
            return Some(found);
        }
        waiting.extend(referred(schema, root));
        let branches = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key));
        waiting.extend(branches.filter_map(Value::as_array).flatten().take(MOST));
    }
    None
}

/// The text with its entities decoded; an ampersand that begins none is one.
pub(crate) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, entity) = rest.split_at(at);
        plain.push_str(before);
        match decoded(entity) {
            Some((letter, length)) => {
                plain.push(letter);
                rest = entity.get(length..).unwrap_or_default();
            }
            None => {
                plain.push('&');
                rest = entity.get(1..).unwrap_or_default();
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// The letter that an entity stands for, and the entity's length.
fn decoded(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let letter = match text.get(1..end)? {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        other => {
            let number = other.strip_prefix('#')?;
            let hex = number.strip_prefix(['x', 'X']);
            let code = match hex {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((letter, end + 1))
}
