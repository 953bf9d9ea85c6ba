//! [`WebAddress`]: an address on the web, and whether somebody gave it.
//!
//! An address is more than a value: whoever composes one can send with it whatever they like
//! (`https://elsewhere.example/?q=SECRET`). So it must stand somewhere as it is. Only what says nothing may
//! differ: `http` or `https`, the case of the host, the usual port, a slash at the end, what is behind `#`.

use serde_json::Value;

use super::{Conversation, ResultLocation, ValueOrigin, edit::texts};
use crate::{Author, Message, ToolMessage};

/// An address on the web, without what makes no difference.
pub(crate) struct WebAddress {
    /// Host and port, in small letters.
    authority: String,
    /// Path and query, as they are.
    rest: String,
}

impl WebAddress {
    /// The address that a text is; none where it is something else.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let scheme = text.split_once("://").map(|it| it.0.to_ascii_lowercase())?;
        let usual = match scheme.as_str() {
            "http" => ":80",
            "https" => ":443",
            _ => return None,
        };
        let bare = text.get(scheme.len() + 3..)?;
        let bare = bare.split('#').next().unwrap_or_default();
        let (authority, rest) = bare.split_at(bare.find(['/', '?']).unwrap_or(bare.len()));
        let authority = authority.to_ascii_lowercase();
        let authority = authority.strip_suffix(usual).unwrap_or(&authority).to_owned();
        let rest = if rest.contains('?') { rest } else { rest.trim_end_matches('/') };
        (!authority.is_empty()).then(|| Self { authority, rest: rest.to_owned() })
    }

    /// Whether it stands in a text, whole, be it without what is before the host.
    pub(crate) fn stands_in(&self, text: &str) -> bool {
        if text.contains("&amp;") && self.stands_in(&text.replace("&amp;", "&")) {
            return true;
        }
        let lower = text.to_ascii_lowercase();
        lower.match_indices(&self.authority).any(|(at, _)| {
            let (before, after) = text.split_at_checked(at).unwrap_or_default();
            let after = after.get(self.authority.len()..).unwrap_or_default();
            // A path of another address may look like a host, and so may a login.
            let is_begun = !before
                .ends_with(|c: char| c.is_alphanumeric() || "._-@%:\\".contains(c))
                && (!before.ends_with('/') || before.ends_with("//"));
            is_begun && [":80", ":443", ""].iter().any(|port| self.goes_on(after, port))
        })
    }

    fn goes_on(&self, after: &str, port: &str) -> bool {
        let rest = after.strip_prefix(port).and_then(|it| it.strip_prefix(&self.rest));
        let is_within = |c: char| c.is_alphanumeric() || "_-%@".contains(c);
        // What ends a sentence is no part of an address.
        rest.is_some_and(|rest| {
            let behind = rest.strip_prefix(['.', ':']).unwrap_or(rest);
            !rest.starts_with(is_within) && !behind.starts_with(is_within)
        })
    }

    /// Whether the user said it. What stands in a file that they attached somebody else may have written.
    pub(crate) fn was_said(&self, conversation: &Conversation) -> bool {
        let before = conversation.compacted().into_iter().flat_map(|digest| &digest.said);
        let now = conversation.messages().iter().filter_map(|message| match &**message {
            Message::User(user) if user.origin == Author::Person => Some(&user.content),
            _ => None,
        });
        before.chain(now).any(|text| self.stands_in(text))
            || conversation.edits().any(|edit| edit.brings(&|text| self.stands_in(text)))
    }

    /// Where it came from: the user, or a result that did not only repeat what it was asked.
    pub(crate) fn origin(&self, conversation: &Conversation) -> Option<ValueOrigin> {
        if self.was_said(conversation) || self.is_attached(conversation) {
            return Some(ValueOrigin::User);
        }
        let result = self.results(conversation).next()?;
        let (call, tool) = (result.call.clone(), result.name.clone());
        Some(ValueOrigin::Result(ResultLocation { call, tool, pointer: String::new() }))
    }

    fn is_attached(&self, conversation: &Conversation) -> bool {
        conversation.messages().iter().any(|message| match &**message {
            Message::User(user) if user.origin == Author::Person => {
                user.given().any(|text| self.stands_in(text))
            }
            _ => false,
        })
    }

    /// The results it stands in, from the last.
    pub(crate) fn results<'a>(
        &'a self,
        conversation: &'a Conversation,
    ) -> impl Iterator<Item = &'a ToolMessage> {
        let all = conversation.results().rev().filter(|it| it.outcome.status.is_ok());
        all.filter(|it| {
            let data = it.outcome.value().ok();
            self.stands_in(it.outcome.said()) || data.is_some_and(|it| self.is_in(&it))
        })
        .filter(|it| !self.was_asked(it, conversation))
    }

    fn is_in(&self, value: &Value) -> bool {
        texts(value).iter().any(|text| self.stands_in(text))
    }

    /// Whether it stands in the arguments of the call that a result is of.
    fn was_asked(&self, result: &ToolMessage, conversation: &Conversation) -> bool {
        let mut calls = conversation.messages().iter().flat_map(|it| it.calls());
        let call = calls.find(|call| call.id == result.call);
        call.is_some_and(|call| match call.parse() {
            Ok(arguments) => self.is_in(&arguments),
            Err(_) => self.stands_in(&call.arguments),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(address: &str, text: &str) -> bool {
        WebAddress::new(address).is_some_and(|it| it.stands_in(text))
    }

    #[test]
    fn an_address_in_a_longer_text_counts_with_what_makes_no_difference() {
        let address = "https://Example.com/Docs/a_b?x=1&y=2";
        for text in [
            "see https://example.com/Docs/a_b?x=1&y=2.",
            "(http://EXAMPLE.COM:80/Docs/a_b?x=1&y=2)",
            "[x](https://example.com/Docs/a_b?x=1&y=2) and more",
            "<a href=\"https://example.com/Docs/a_b?x=1&amp;y=2\">",
            "example.com/Docs/a_b?x=1&y=2#part, please",
            "https://example.com/Docs/a_b?x=1&y=2",
        ] {
            assert!(stands(address, text), "{text}");
        }
        assert!(stands("https://example.com", "what is on example.com?"));
        assert!(stands("https://example.com/", "https://example.com/a/b"));
        assert!(stands("https://example.com/a/", "https://example.com/a."));
        assert!(stands("https://example.com/a#here", "https://example.com/a"));
        assert!(stands("https://example.com:8443/a", "example.com:8443/a"));
    }

    /// Each of these could carry something out.
    #[test]
    fn what_was_composed_does_not_count() {
        for (address, text) in [
            ("https://example.com/?q=secret", "https://example.com/?q="),
            ("https://example.com/secret", "https://example.com/"),
            ("https://example.com/DOCS", "https://example.com/docs"),
            ("https://example.com/doc", "https://example.com/docs"),
            ("https://secret.example.com/", "https://example.com/"),
            ("https://example.com.evil.test/", "https://example.com/"),
            ("https://example.co/", "https://example.com/"),
            ("https://ample.com/", "https://example.com/"),
            ("https://example.com:8443/", "https://example.com/"),
            ("https://example.com/", "https://example.com.evil.test/"),
            ("https://example.com/", "https://example.com:8443x/"),
            ("https://example.com/", "https://evil.test/example.com/"),
            ("https://example.com/", "https://me@example.com/"),
            ("https://example.com@evil.test/", "https://example.com/ evil.test"),
            ("https://me:secret@example.com/", "https://example.com/"),
            ("ftp://example.com/", "ftp://example.com/"),
            ("example.com", "example.com"),
            ("https://", "https://"),
        ] {
            assert!(!stands(address, text), "{address} in {text}");
        }
    }
}
