//! [`Fields`]: names of fields whose values nobody may see.

use std::ops::Range;

use serde_json::Value;

use toolwright_redact::MARK;

/// Names of fields whose values nobody may see, at any depth.
pub(super) struct Fields(Vec<String>);

/// Shorter values are not looked for in the words beside the data: they would be found in anything.
const TELLING: usize = 4;

impl Fields {
    pub(super) fn new(names: &[String]) -> Self {
        Self(names.to_vec())
    }

    /// JSON with the values masked, and how many; nothing if none is. What is not masked stays as
    /// it was, to the byte: taking the text apart would change the order of fields, and numbers.
    pub(super) fn mask_json(&self, json: &str) -> Option<(String, usize)> {
        let places = self.places(json);
        if places.is_empty() {
            return None;
        }
        let (mut masked, mut at) = (String::with_capacity(json.len()), 0);
        for place in &places {
            masked.push_str(json.get(at..place.start).unwrap_or_default());
            masked.push_str(&format!("\"{MARK}\""));
            at = place.end;
        }
        masked.push_str(json.get(at..).unwrap_or_default());
        Some((masked, places.len()))
    }

    /// Masks the values in data. What they were goes into `removed`; how many, is returned.
    pub(super) fn mask(&self, data: &mut Value, removed: &mut Vec<String>) -> usize {
        match data {
            Value::Array(items) => items.iter_mut().map(|item| self.mask(item, removed)).sum(),
            Value::Object(map) => {
                let field = |(name, value): (&String, &mut Value)| {
                    if !self.has(name) {
                        return self.mask(value, removed);
                    }
                    leaves(value, removed);
                    *value = Value::String(MARK.to_owned());
                    1
                };
                map.iter_mut().map(field).sum()
            }
            _ => 0,
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Where the values are. Text that is no JSON is read as far as it looks like it.
    fn places(&self, json: &str) -> Vec<Range<usize>> {
        let (bytes, mut places, mut at) = (json.as_bytes(), Vec::new(), 0);
        while let Some(start) = next(bytes, at, |byte| byte == b'"') {
            let end = end_of_string(bytes, start);
            let colon = skip_space(bytes, end);
            at = end;
            if bytes.get(colon) == Some(&b':') && self.is_name(json.get(start..end)) {
                let value = skip_space(bytes, colon + 1);
                at = end_of_value(bytes, value);
                places.push(value..at);
            }
        }
        places
    }

    /// Whether this, with its quotes, is one of the names.
    fn is_name(&self, quoted: Option<&str>) -> bool {
        let Some(quoted) = quoted else { return false };
        match quoted.contains('\\') {
            true => serde_json::from_str::<String>(quoted).is_ok_and(|name| self.has(&name)),
            false => self.has(quoted.trim_matches('"')),
        }
    }
}

fn leaves(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.chars().count() >= TELLING => found.push(text.clone()),
        Value::Number(number) => {
            found.extend(Some(number.to_string()).filter(|text| text.len() >= TELLING));
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(item, found)),
        Value::Object(map) => map.values().for_each(|item| leaves(item, found)),
        _ => {}
    }
}

fn next(bytes: &[u8], from: usize, is: impl Fn(u8) -> bool) -> Option<usize> {
    bytes.iter().skip(from).position(|byte| is(*byte)).map(|at| from + at)
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    next(bytes, from, |byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len())
}

/// Behind the quote that ends the string; behind everything where none does.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = next(bytes, at, |byte| matches!(byte, b'"' | b'\\')) {
        if bytes.get(found) == Some(&b'"') {
            return found + 1;
        }
        at = found + 2;
    }
    bytes.len()
}

/// Behind the value; behind everything where it does not end.
fn end_of_value(bytes: &[u8], start: usize) -> usize {
    let is_end = |byte: u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
    match bytes.get(start) {
        Some(b'"') => end_of_string(bytes, start),
        Some(b'{' | b'[') => end_of_nest(bytes, start),
        _ => next(bytes, start, is_end).unwrap_or(bytes.len()),
    }
}

fn end_of_nest(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'{' | b'[' => (at, depth) = (at + 1, depth + 1),
            b'}' | b']' if depth <= 1 => return at + 1,
            b'}' | b']' => (at, depth) = (at + 1, depth - 1),
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn masked(json: &str) -> String {
        let fields = Fields::new(&["email".to_owned(), "phone".to_owned()]);
        fields.mask_json(json).map_or_else(|| json.to_owned(), |(masked, _)| masked)
    }

    #[test]
    fn everything_else_stays_as_it_was() {
        let json = r#"{ "z": 1.50, "email" : "a\"b@c.d", "a":[{"Email":null,"x":"email"}], "phone":[1,{"a":"}"}], "n":12345678901234567890 }"#;
        let wanted = r#"{ "z": 1.50, "email" : "[redacted]", "a":[{"Email":"[redacted]","x":"email"}], "phone":"[redacted]", "n":12345678901234567890 }"#;
        assert_eq!(masked(json), wanted);
        assert_eq!(masked(r#"{"\u0065mail":"a@b.c"}"#), r#"{"\u0065mail":"[redacted]"}"#);
        assert_eq!(masked(r#"["email","a@b.c"]"#), r#"["email","a@b.c"]"#);
    }

    #[test]
    fn what_is_cut_off_is_masked_to_its_end() {
        for json in [r#"{"email":"a@b"#, r#"{"email":["a@b.c","#, r#"{"email":12"#, r#"{"email":"#]
        {
            assert_eq!(masked(json), r#"{"email":"[redacted]""#, "{json}");
        }
        for json in ["", "\"", "\"\\", "{\"email\"", "email", "\"email\\\":1"] {
            masked(json);
        }
    }

    #[test]
    fn data_is_masked_and_remembered() {
        let fields = Fields::new(&["email".to_owned()]);
        let (mut data, mut removed) = (json!([{"email": {"a": "a@b.c", "n": [12345]}}, 1]), vec![]);
        assert_eq!(fields.mask(&mut data, &mut removed), 1);
        assert_eq!(data, json!([{"email": MARK}, 1]));
        assert_eq!(removed, ["a@b.c", "12345"]);
    }
}
