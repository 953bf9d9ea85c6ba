//! JSON as Python's `json.dumps(…, ensure_ascii=False)` writes it: what the model was trained on.

use std::io;

use serde::Serialize;
use serde_json::{Serializer, Value, ser::Formatter};

/// A value in one line, with a space behind each comma and colon.
pub(crate) fn spaced(value: &Value) -> String {
    // That cannot fail: a `Value` has only text as keys.
    spaced_as(value).unwrap_or_default()
}

/// The same of whatever can be written as JSON.
pub(super) fn spaced_as(value: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Spaced))?;
    // What is written is UTF-8.
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
