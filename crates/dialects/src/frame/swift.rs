//! [`element`], [`pairs`], [`keywords`]: calls in tags and in Python that are all there and need no care,
//! which is most of what models write, read without waiting.
//!
//! What is read here, [`super::elements`], [`super::pairs`] and [`super::python`] would read in the same
//! way. Each gives up at the first byte that asks for more, and leaves all of it to them.

use crate::{
    KnownTools,
    frame::tagged::trimmed,
    tools::Tool,
    value::{escape, number, quick::quick, schema::Kinds},
};

/// The longest name or key that is read here.
const LONGEST: usize = 256;

/// Room for the arguments of most calls.
const ROOM: usize = 128;

/// A call that was read: its name, and how many bytes it took.
pub(super) struct Swift<'t> {
    pub(super) name: &'t str,
    pub(super) read: usize,
}

/// Writes arguments.
struct Fields<'a> {
    json: &'a mut String,
    tool: Option<&'a Tool>,
    count: usize,
}

impl<'a> Fields<'a> {
    fn of(name: &str, tools: &'a KnownTools, json: &'a mut String) -> Self {
        Self { json, tool: tools.tool(name), count: 0 }
    }

    fn begin(&mut self, key: &str) {
        if self.count == 0 {
            self.json.reserve(ROOM);
        }
        self.json.push_str(if self.count == 0 { "{\"" } else { ",\"" });
        escape::write(self.json, key);
        self.json.push_str("\":");
        self.count += 1;
    }

    /// A value that is written as text.
    fn text(&mut self, key: &str, value: &str) {
        self.begin(key);
        let kinds = self.tool.map_or_else(Kinds::default, |tool| KnownTools::kinds_in(tool, key));
        kinds.write(self.json, trimmed(value));
    }

    fn end(self) {
        if self.count > 0 {
            self.json.push('}');
        }
    }
}

/// Reads a call at its opening tag, up to and with the tag that closes it, and writes its arguments.
pub(super) fn element<'t>(
    text: &'t str,
    tools: &KnownTools,
    json: &mut String,
) -> Option<Swift<'t>> {
    let call = Tag::at(text)?;
    if !matches!(call.name, "invoke" | "function") {
        return None;
    }
    let mut fields = Fields::of(call.value, tools, json);
    let mut rest = call.rest;
    loop {
        rest = rest.trim_ascii_start();
        if let Some(closing) = rest.strip_prefix("</") {
            let closing = closing.strip_prefix(call.prefix)?.strip_prefix(call.name)?;
            let after = closing.strip_prefix('>')?;
            fields.end();
            return Some(Swift { name: call.value, read: text.len() - after.len() });
        }
        let field = Tag::at(rest)?;
        if !matches!(field.name, "parameter" | "argument" | "arg") || field.prefix != call.prefix {
            return None;
        }
        let (value, after) =
            field.rest.split_at_checked(memchr::memchr(b'<', field.rest.as_bytes())?)?;
        let after = after.strip_prefix("</")?.strip_prefix(field.prefix)?;
        let after = after.strip_prefix(field.name)?.strip_prefix('>')?;
        // Else the closing tag may be a part of the value.
        let follows = after.trim_ascii_start();
        let next = follows.strip_prefix('<')?;
        let next_field =
            || next.strip_prefix(field.prefix).and_then(|it| it.strip_prefix(field.name));
        if !next.starts_with('/') && next_field().is_none() {
            return None;
        }
        fields.text(field.value, value);
        rest = follows;
    }
}

/// An opening tag: `<name=value>`, `<name value="…">`, with or without a namespace.
struct Tag<'t> {
    prefix: &'t str,
    name: &'t str,
    value: &'t str,
    rest: &'t str,
}

impl<'t> Tag<'t> {
    fn at(text: &'t str) -> Option<Self> {
        let inner = text.strip_prefix('<')?;
        let window = inner.as_bytes().get(..inner.len().min(LONGEST))?;
        let (tag, rest) = inner.split_at_checked(memchr::memchr(b'>', window)?)?;
        let rest = rest.get(1..)?;
        let length = tag.bytes().position(|byte| !is_name(byte))?;
        let (full, value) = tag.split_at_checked(length)?;
        let split = full.rfind([':', '|', '｜']).map_or(0, |at| {
            at + full.get(at..).and_then(|it| it.chars().next()).map_or(1, char::len_utf8)
        });
        let (prefix, name) = full.split_at_checked(split)?;
        let value = match value.strip_prefix('=') {
            Some(bare) => bare,
            None => {
                let value = value.strip_prefix(" name=\"")?;
                let (value, others) = value.split_once('"')?;
                // Others say what the schema knows better, and are left to who reads with care.
                if !others.is_empty() {
                    return None;
                }
                value
            }
        };
        let plain = !name.is_empty() && !value.is_empty() && value.bytes().all(is_name);
        plain.then_some(Self { prefix, name, value, rest })
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.:|".contains(&byte) || !byte.is_ascii()
}

/// Reads the keys and values of the call to `name`, up to the mark that closes it, and writes them. How
/// many bytes that took.
pub(super) fn pairs(
    text: &str,
    name: &str,
    tools: &KnownTools,
    json: &mut String,
) -> Option<usize> {
    let mut fields = Fields::of(name, tools, json);
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        if rest.starts_with("</tool_call>") && fields.count > 0 {
            fields.end();
            return Some(text.len() - rest.len());
        }
        let (key, after) = until_tag(rest.strip_prefix("<arg_key>")?)?;
        let after = after.strip_prefix("</arg_key>")?.trim_ascii_start();
        let (value, after) = until_tag(after.strip_prefix("<arg_value>")?)?;
        let after = after.strip_prefix("</arg_value>")?.trim_ascii_start();
        // Else the closing tag may be a part of the value.
        if !after.starts_with("<arg_key>") && !after.starts_with("</tool_call>") {
            return None;
        }
        fields.text(key.trim(), value);
        rest = after;
    }
}

fn until_tag(text: &str) -> Option<(&str, &str)> {
    text.split_at_checked(memchr::memchr(b'<', text.as_bytes())?)
}

/// Reads the arguments of a call in Python behind its parenthesis, up to and with the one that closes it,
/// and writes them. How many bytes that took.
pub(super) fn keywords(text: &str, json: &mut String) -> Option<usize> {
    let mut rest = text.trim_ascii_start();
    let mut count = 0;
    loop {
        if let Some(after) = rest.strip_prefix(')') {
            if count > 0 {
                json.push('}');
            }
            return Some(text.len() - after.len());
        }
        let window = rest.as_bytes().get(..rest.len().min(LONGEST))?;
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let (key, after) = rest.split_at_checked(window.iter().position(|byte| !is_key(*byte))?)?;
        if !key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            return None;
        }
        let value = after.strip_prefix('=')?;
        if count == 0 {
            json.reserve(ROOM);
        }
        json.push_str(if count == 0 { "{\"" } else { ",\"" });
        json.push_str(key);
        json.push_str("\":");
        count += 1;
        let read = match *value.as_bytes().first()? {
            b'"' | b'{' | b'[' => quick(value, |piece| json.push_str(piece))?,
            _ => scalar(value, json)?,
        };
        // What Python would join, and three quotes, do not end so.
        rest = value.get(read..)?.trim_ascii_start();
        rest = match *rest.as_bytes().first()? {
            b',' => rest.get(1..)?.trim_ascii_start(),
            b')' => rest,
            _ => return None,
        };
    }
}

/// Reads a number, or one of JSON's words.
fn scalar(text: &str, json: &mut String) -> Option<usize> {
    let window = text.as_bytes().get(..text.len().min(64))?;
    let end = window.iter().position(|byte| b",) \n\r\t".contains(byte))?;
    let word = text.get(..end)?;
    let json_word = matches!(word, "true" | "false" | "null");
    let python = match word {
        "True" => Some("true"),
        "False" => Some("false"),
        "None" => Some("null"),
        _ => None,
    };
    if !json_word && python.is_none() && !number::is_json(word) {
        return None;
    }
    json.push_str(python.unwrap_or(word));
    Some(end)
}
