//! [`Form`]: what a text must look like, by its schema's `pattern` and `format`.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::Value;

use super::{
    shapes::Unwritable,
    spans::{Length, Spans},
    text::Clock,
};

/// How many words a piece has that must look like something.
const WORDS: usize = 12;
/// The same of an address.
const ADDRESS_WORDS: usize = 48;

/// Formats that texts of a conversation can be held against. They are narrower than what the formats allow.
const FORMATS: &[(&str, &str)] = &[
    (
        "email",
        r"^[A-Za-z0-9][A-Za-z0-9_+-]*(\.[A-Za-z0-9_+-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z]{2,12})+$",
    ),
    ("hostname", r"^[a-z0-9]{1,40}(\.[a-z0-9]{1,40}){0,4}$"),
    (
        "ipv4",
        r"^(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}$",
    ),
    ("uri", r"^https?://[a-z0-9]+([.-][a-z0-9]+)*(:[0-9]{1,4})?(/[A-Za-z0-9._~/=&?+-]*)?$"),
    ("uuid", r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"),
];
/// Formats that every text has which has another, or that nobody checks.
const WIDER: &[(&str, &str)] = &[
    ("uri-reference", "uri"),
    ("iri", "uri"),
    ("iri-reference", "uri"),
    ("url", "uri"),
    ("idn-email", "email"),
    ("idn-hostname", "hostname"),
];
/// Formats that are checked, and that a text of a conversation has by chance only.
const UNWRITABLE: &[&str] =
    &["time", "duration", "ipv6", "uri-template", "json-pointer", "relative-json-pointer", "regex"];

/// What a text must look like.
#[derive(Default)]
pub(super) struct Form {
    patterns: Vec<Regex>,
    words: usize,
}

impl Form {
    /// What a schema says.
    ///
    /// # Errors
    /// Where it asks for something that cannot be told here.
    pub(super) fn of(schema: &Value) -> Result<Self, Unwritable> {
        let mut form = Self { patterns: Vec::new(), words: WORDS };
        if let Some(format) = schema.get("format").and_then(Value::as_str) {
            let wider = WIDER.iter().find(|(name, _)| *name == format);
            let format = wider.map_or(format, |(_, narrower)| narrower);
            if UNWRITABLE.contains(&format) {
                return Err(Unwritable(format!("the format `{format}`")));
            }
            if let Some((_, pattern)) = FORMATS.iter().find(|(name, _)| *name == format) {
                form.patterns.extend(Regex::new(pattern));
            }
            if format == "uri" {
                form.words = ADDRESS_WORDS;
            }
        }
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
            let told = || Unwritable(format!("the pattern `{pattern}`"));
            form.patterns.push(Regex::new(&of_schemas(pattern)).map_err(|_| told())?);
        }
        Ok(form)
    }

    /// Whether any text will do.
    pub(super) fn is_free(&self) -> bool {
        self.patterns.is_empty()
    }

    pub(super) fn fits(&self, text: &str) -> bool {
        self.patterns.iter().all(|it| it.is_match(text))
    }

    /// The pieces that look so, as JSON strings.
    pub(super) fn matching(&self, spans: &Spans, length: Length) -> BTreeSet<String> {
        let pieces: BTreeSet<_> = spans.pieces(self.words, length).collect();
        let quoted = pieces.into_iter().filter_map(|piece| {
            let text = format!("\"{}\"", std::str::from_utf8(piece).ok()?);
            let inner: String = serde_json::from_str(&text).ok()?;
            self.fits(&inner).then_some(text)
        });
        quoted.collect()
    }
}

/// A pattern as schemas mean it: figures and letters are those of ASCII.
fn of_schemas(pattern: &str) -> String {
    let mut out = String::new();
    let (mut chars, mut is_class) = (pattern.chars(), false);
    while let Some(char) = chars.next() {
        match char {
            '[' => is_class = true,
            ']' => is_class = false,
            _ => {}
        }
        if char != '\\' {
            out.push(char);
            continue;
        }
        let ascii = match chars.next() {
            Some('d') => Some("0-9"),
            Some('w') => Some("A-Za-z0-9_"),
            other => {
                out.push(char);
                out.extend(other);
                None
            }
        };
        if let Some(ascii) = ascii {
            out.push_str(&if is_class { ascii.to_owned() } else { format!("[{ascii}]") });
        }
    }
    out
}

/// Whether a text is a day or a moment, and of which form. Where no format says so, the description may.
pub(super) fn clock(schema: &Value) -> Option<Clock> {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    match schema.get("format").map(|it| it.as_str().unwrap_or_default()) {
        Some("date") => Some(Clock::Day),
        Some("date-time") => Some(Clock::Instant),
        None if description.contains("YYYY-MM-DD HH:MM") => Some(Clock::Minutes),
        None if description.contains("YYYY-MM-DD") => Some(Clock::Day),
        _ => None,
    }
}
