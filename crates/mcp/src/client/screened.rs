//! [`Screened`]: what a server says, without what nobody may see.

use std::{borrow::Cow, fmt, sync::Arc};

use toolwright_redact::Secrets;

/// What is taken out of everything that a server says, before anybody reads it: its messages as they
/// arrive, and what it writes to standard error. A server may say whatever it was given.
#[derive(Clone, Default)]
pub struct Screened(Vec<Arc<Secrets>>);

impl Screened {
    /// These are taken out.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut secrets = secrets.into_iter().filter(|it| !it.is_empty()).peekable();
        let is_empty = secrets.peek().is_none();
        Self((!is_empty).then(|| Arc::new(Secrets::new(secrets))).into_iter().collect())
    }

    /// These are taken out as well.
    pub(super) fn and<'a>(&self, more: impl IntoIterator<Item = &'a str>) -> Self {
        Self(self.0.iter().cloned().chain(Self::new(more).0).collect())
    }

    /// A text without them.
    pub(super) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let without = |text: Cow<'t, str>, secrets: &Arc<Secrets>| match secrets.clean(&text) {
            Some((cleaned, _)) => Cow::Owned(cleaned),
            None => text,
        };
        self.0.iter().fold(Cow::Borrowed(text), without)
    }

    /// The bytes of a message without them.
    pub(super) fn bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        if self.0.is_empty() {
            return Cow::Borrowed(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        let cleaned = match self.text(&text) {
            Cow::Owned(cleaned) => Some(cleaned.into_bytes()),
            // What is no text is left to whoever reads it.
            Cow::Borrowed(_) => None,
        };
        cleaned.map_or(Cow::Borrowed(bytes), Cow::Owned)
    }
}

impl fmt::Debug for Screened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Screened")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_may_see_is_taken_out_and_what_is_left_is_still_a_message() {
        let screened = Screened::new(["canary-\"quoted\"", "canary-plain"]);
        let line = r#"{"id":1,"result":{"a":"canary-plain","b":"x canary-\"quoted\" y"}}"#;
        let cleaned = screened.bytes(line.as_bytes()).into_owned();
        let read: serde_json::Value = serde_json::from_slice(&cleaned).unwrap();
        assert_eq!(read["id"], 1);
        assert!(!read.to_string().contains("canary"), "{read}");
        assert_eq!(screened.text("no secret"), "no secret");
        let both = screened.and(["another"]);
        let said = both.text("canary-plain, another").into_owned();
        assert!(!said.contains("canary") && !said.contains("another"), "{said}");
        assert!(screened.text("another").contains("another"));
        assert!(!format!("{screened:?}").contains("canary"));
    }
}
