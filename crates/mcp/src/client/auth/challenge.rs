//! [`Challenge`]: what a server says that wants to know who asks.

use http::{HeaderMap, header::WWW_AUTHENTICATE};

use super::scopes;

/// How much of a header is read.
const LONGEST: usize = 4_000;

/// What a server says that wants to know who asks (`WWW-Authenticate: Bearer …`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Challenge {
    /// Where it says who lets one in.
    pub(in super::super) resource_metadata: Option<String>,
    /// What is to be asked for.
    pub(in super::super) scopes: Vec<String>,
    /// What was wrong with the token.
    pub(in super::super) error: Option<String>,
}

impl Challenge {
    /// The first challenge of this kind in the headers.
    pub(in super::super) fn of(headers: &HeaderMap) -> Option<Self> {
        let all = headers.get_all(WWW_AUTHENTICATE).iter();
        all.filter_map(|it| it.to_str().ok()).find_map(Self::parse)
    }

    /// Whether what the token allows is not enough.
    pub(in super::super) fn wants_more(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    fn parse(header: &str) -> Option<Self> {
        let mut found: Option<Self> = None;
        for part in parts(header.get(..LONGEST).unwrap_or(header)) {
            let (scheme, rest) = opening(part);
            match (scheme, &found) {
                (Some(scheme), None) if scheme.eq_ignore_ascii_case("bearer") => {
                    found = Some(Self::default());
                }
                // Another begins.
                (Some(_), Some(_)) => break,
                _ => {}
            }
            if let (Some(found), Some((name, value))) = (&mut found, rest.split_once('=')) {
                found.take(name.trim(), unquoted(value.trim()));
            }
        }
        found
    }

    fn take(&mut self, name: &str, value: String) {
        match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => self.resource_metadata = Some(value),
            "scope" => self.scopes = scopes::read(&value),
            "error" => self.error = Some(value),
            _ => {}
        }
    }
}

/// What stands between commas that are in no quotation.
fn parts(header: &str) -> Vec<&str> {
    let (mut parts, mut start, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, letter) in header.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                parts.push(header.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(header.get(start..).unwrap_or_default().trim());
    parts
}

/// The scheme that a part begins with, if it does, and what is behind it.
fn opening(part: &str) -> (Option<&str>, &str) {
    let (first, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
    match first.contains('=') || rest.trim_start().starts_with('=') {
        true => (None, part),
        false => (Some(first), rest),
    }
}

fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')) else {
        return value.to_owned();
    };
    let mut letters = inner.chars();
    let next = || match letters.next() {
        Some('\\') => letters.next(),
        letter => letter,
    };
    std::iter::from_fn(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_read_as_servers_write_it() {
        let read = |header| {
            Challenge::parse(header).map(|it| {
                (
                    it.resource_metadata.unwrap_or_default(),
                    it.scopes.join("+"),
                    it.error.unwrap_or_default(),
                )
            })
        };
        let told = |a: &str, b: &str, c: &str| Some((a.to_owned(), b.to_owned(), c.to_owned()));
        for (header, expected) in [
            (
                r#"Bearer resource_metadata="https://a/b", scope="x y""#,
                told("https://a/b", "x+y", ""),
            ),
            (
                r#"bearer realm="a, b=\"c\"" , error = "insufficient_scope",scope=z"#,
                told("", "z", "insufficient_scope"),
            ),
            (r#"Basic realm="x", Bearer scope="a""#, told("", "a", "")),
            (r#"Bearer scope="a", Digest scope="b", error="c""#, told("", "a", "")),
            ("Bearer", told("", "", "")),
            (r#"Bearer scope="never closed"#, told("", "closed", "")),
            ("Basic realm=x", None),
            ("", None),
        ] {
            assert_eq!(read(header), expected, "{header}");
        }
        // Whatever it is, and however long.
        assert!(Challenge::parse(&format!("Bearer scope=\"{}\"", "é ".repeat(9_000))).is_some());
    }
}
