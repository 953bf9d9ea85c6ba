//! What holds for every question that is put to a user, whoever wrote it.

use std::collections::HashSet;

use super::{
    Question, QuestionError, QuestionKind,
    field::{FieldKind, FieldOption, QuestionField},
    secret::is_secret,
};
use crate::revealed;

/// The longest message, in characters.
const MESSAGE: usize = 4_000;
/// The longest name of whoever asks, of a field, and the longest title.
const NAME: usize = 200;
/// The longest description of a field.
const DESCRIPTION: usize = 1_000;
/// The longest value that can be chosen, and the longest text that stands there at first.
const VALUE: usize = 1_000;
/// The longest address.
const URL: usize = 2_000;
/// How many fields a form has.
const FIELDS: usize = 32;
/// How many choices a field has.
const OPTIONS: usize = 100;

impl Question {
    /// The question as it may be put to a user: within its bounds, with nothing hidden in it, and asking for
    /// no secret. [`RunContext::ask`](crate::RunContext::ask) sees to it.
    ///
    /// # Errors
    /// When it may not.
    pub fn checked(mut self) -> Result<Self, QuestionError> {
        bounded("characters in the message", &self.message, MESSAGE)?;
        self.message = shown(&self.message);
        if let Some(asker) = &mut self.asker {
            bounded("characters in the name of whoever asks", asker, NAME)?;
            *asker = shown(asker);
        }
        if let Some(name) = &mut self.name {
            bounded("characters in the name of the question", name, NAME)?;
            *name = shown(name);
        }
        match &mut self.kind {
            QuestionKind::Form { fields } => check_fields(fields)?,
            QuestionKind::Url { url, host } => {
                bounded("characters in the address", url, URL)?;
                *host = host_of(url).map_err(|it| QuestionError::Url(it.to_owned()))?;
            }
        }
        Ok(self)
    }
}

fn check_fields(fields: &mut [QuestionField]) -> Result<(), QuestionError> {
    count("fields", fields.len(), FIELDS)?;
    let mut names = HashSet::new();
    for field in fields.iter_mut() {
        bounded("characters in the name of a field", &field.name, NAME)?;
        if field.name.is_empty() || !names.insert(field.name.clone()) {
            let name = &field.name;
            return Err(QuestionError::Schema(format!(
                "there are two fields `{name}`, or it is empty"
            )));
        }
        if is_secret(field) {
            return Err(QuestionError::Secret(shown(&field.name)));
        }
        for (what, text, most) in [
            ("characters in the title of a field", &mut field.title, NAME),
            ("characters in the description of a field", &mut field.description, DESCRIPTION),
        ] {
            if let Some(text) = text {
                bounded(what, text, most)?;
                *text = shown(text);
            }
        }
        check_kind(&field.name, &mut field.kind)?;
    }
    Ok(())
}

fn check_kind(name: &str, kind: &mut FieldKind) -> Result<(), QuestionError> {
    match kind {
        FieldKind::Choice { options, .. } | FieldKind::MultipleChoice { options, .. } => {
            check_options(name, options)?;
        }
        FieldKind::Text { default: Some(text), .. } => {
            bounded("characters in what stands in a field at first", text, VALUE)?;
        }
        FieldKind::Number { minimum, maximum, default } => {
            // JSON has no others, and a log could not keep them.
            for bound in [minimum, maximum, default] {
                *bound = bound.filter(|it| it.is_finite());
            }
        }
        _ => {}
    }
    kind.drop_invalid_default();
    Ok(())
}

fn check_options(name: &str, options: &mut [FieldOption]) -> Result<(), QuestionError> {
    count("choices of a field", options.len(), OPTIONS)?;
    if options.is_empty() {
        return Err(QuestionError::Schema(format!(
            "the field `{name}` has nothing to choose from"
        )));
    }
    let mut values = HashSet::new();
    for option in options {
        bounded("characters in a choice", &option.value, VALUE)?;
        if let Some(title) = &mut option.title {
            bounded("characters in a choice", title, NAME)?;
            *title = shown(title);
        }
        if !values.insert(option.value.clone()) {
            return Err(QuestionError::Schema(format!("the field `{name}` has a choice twice")));
        }
    }
    Ok(())
}

/// As it is shown: nothing hides in it, and no terminal obeys it.
fn shown(text: &str) -> String {
    crate::printable(&revealed(text)).into_owned()
}

fn bounded(what: &str, text: &str, most: usize) -> Result<(), QuestionError> {
    // A text of many megabytes is not counted through.
    if text.len() <= most {
        return Ok(());
    }
    count(what, text.chars().take(4 * most + 1).count(), most)
}

fn count(what: &str, found: usize, most: usize) -> Result<(), QuestionError> {
    if found <= most {
        return Ok(());
    }
    Err(QuestionError::TooLong { what: what.to_owned(), most, found })
}

/// Whose address it is. Readers of addresses differ in what they make of odd ones, so only plain ones are
/// taken: no user before the host, no letters beyond ASCII, no backslash.
pub(super) fn host_of(url: &str) -> Result<String, &'static str> {
    let is_https = url.get(..8).is_some_and(|it| it.eq_ignore_ascii_case("https://"));
    let Some(rest) = url.get(8..).filter(|_| is_https) else {
        return Err("it has to begin with https://");
    };
    if !url.chars().all(|it| it.is_ascii_graphic() && !"\\<>\"{}|^`".contains(it)) {
        return Err("it has characters in it that no address has");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err("it names a user, which can make it look like the address of somebody else");
    }
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let is_port = port.is_none_or(|it| it.parse::<u16>().is_ok());
    let is_name = !host.is_empty()
        && host.len() <= 253
        && host.chars().all(|it| it.is_ascii_alphanumeric() || ".-".contains(it))
        && !host.starts_with(['.', '-']);
    let inner = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_address = inner.is_some_and(|it| it.parse::<std::net::Ipv6Addr>().is_ok());
    if !is_port || !(is_name || is_address) {
        return Err("it has no host");
    }
    Ok(authority.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_are_visited() {
        for (url, host) in [
            ("https://example.com/a?b=c#d", "example.com"),
            ("HTTPS://Example.COM", "example.com"),
            ("https://example.com:8443/", "example.com:8443"),
            ("https://[::1]:8443/x", "[::1]:8443"),
            ("https://evil.example?x=https://bank.example/", "evil.example"),
        ] {
            assert_eq!(host_of(url).as_deref(), Ok(host), "{url}");
        }
        for url in [
            "",
            "http://example.com/",
            "javascript:alert(1)",
            "https://",
            "https:///x",
            "https://a b/",
            "https://bank.example@evil.example/",
            "https://bank.example\\@evil.example/",
            "https://exämple.com/",
            "https://example.com:99999/",
            "https://example.com:/x",
            "https://[x]/",
            "https://.com/",
            "https://example.com/\u{202e}",
            "https://example.com/\n",
            " https://example.com/",
            "file:///etc/passwd",
        ] {
            assert!(host_of(url).is_err(), "{url}");
            assert!(Question::url("Go", url).checked().is_err(), "{url}");
        }
    }
}
