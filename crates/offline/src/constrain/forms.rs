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
            let regex = of_schemas(pattern).and_then(|it| Regex::new(&it).ok());
            form.patterns.push(regex.ok_or_else(told)?);
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

/// A pattern as schemas mean it, in the words of our own: figures and letters are those of ASCII, a class has no others in
/// it, and a point is no end of a line. None where there are no words for what it says.
fn of_schemas(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let (mut chars, mut is_class) = (pattern.chars().peekable(), false);
    while let Some(char) = chars.next() {
        match (char, is_class) {
            ('\\', _) => out.push_str(&escaped(chars.next()?)?),
            ('[', false) => {
                is_class = true;
                out.push(char);
                out.extend(chars.next_if_eq(&'^'));
                // Nothing, or anything.
                if chars.peek() == Some(&']') {
                    return None;
                }
            }
            (']', true) => {
                is_class = false;
                out.push(char);
            }
            ('[' | '&' | '~', true) => out.extend(['\\', char]),
            ('-', true) if chars.peek() == Some(&'-') => return None,
            ('.', false) => out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            ('(', false) => {
                out.push(char);
                if chars.next_if_eq(&'?').is_some() {
                    // Looking ahead, names, and flags, which are ours alone.
                    chars.next_if_eq(&':')?;
                    out.push_str("?:");
                }
            }
            _ => out.push(char),
        }
    }
    Some(out)
}

/// What stands behind a backslash in a pattern.
fn escaped(char: char) -> Option<String> {
    const DIGITS: &str = "0-9";
    const WORD: &str = "A-Za-z0-9_";
    const SPACE: &str = r"\t\n\x0B\x0C\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
    Some(match char {
        'd' => format!("[{DIGITS}]"),
        'D' => format!("[^{DIGITS}]"),
        'w' => format!("[{WORD}]"),
        'W' => format!("[^{WORD}]"),
        's' => format!("[{SPACE}]"),
        'S' => format!("[^{SPACE}]"),
        // These mean the same to everybody. Numbers point back at something, and what ends a word (`\b`) is not
        // the same to all who check.
        'n' | 'r' | 't' | 'f' | 'v' | 'u' | 'x' | 'p' | 'P' => format!("\\{char}"),
        other if other.is_ascii_alphanumeric() => return None,
        other => format!("\\{other}"),
    })
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
