//! [`KnownText`]: the texts that a model has read in a conversation, or written with effect.

use std::{borrow::Cow, collections::HashSet};

use serde_json::Value;

use super::{Conversation, edit::texts};
use crate::{Call, CallId, Message, Status};

/// The texts that stand in a conversation.
pub(crate) struct KnownText<'a> {
    /// What results returned, what was attached, and what calls wrote.
    read: Vec<Cow<'a, str>>,
    /// What was said to the model: people quote without minding the case of letters.
    said: Vec<String>,
}

impl<'a> KnownText<'a> {
    /// Those of a conversation, and of the calls of its newest reply that stand before the one in question.
    pub(crate) fn of(conversation: &'a Conversation, earlier: &'a [Call]) -> Self {
        let mut known = Self { read: Vec::new(), said: Vec::new() };
        known.hear(conversation);
        for call in earlier {
            known.wrote(call.parse().as_ref().ok());
        }
        known
    }

    fn hear(&mut self, conversation: &'a Conversation) {
        let answered: HashSet<&CallId> = conversation
            .results()
            .filter(|it| it.outcome.status.is_ok())
            .map(|it| &it.call)
            .collect();
        for message in conversation.messages() {
            match &**message {
                Message::System(text) => self.read.push(text.into()),
                Message::User(user) => {
                    self.said.extend(user.given().map(str::to_lowercase));
                }
                Message::Assistant(reply) => {
                    for call in reply.calls.iter().filter(|it| answered.contains(&it.id)) {
                        self.wrote(call.parse().as_ref().ok());
                    }
                }
                // What the runtime says of a call that did not run tells nothing of what is there.
                Message::Tool(result)
                    if !matches!(result.outcome.status, Status::Refused | Status::Denied) =>
                {
                    self.read.push(result.outcome.said().into());
                    self.wrote(result.outcome.edited_arguments.as_deref());
                    // In JSON the lines of a text are one line.
                    if let Ok(value) = result.outcome.value() {
                        self.wrote(Some(&value));
                    }
                }
                Message::Tool(_) => {}
            }
        }
        let before = conversation.compacted().into_iter().flat_map(|digest| &digest.said);
        self.said.extend(before.map(|it| it.to_lowercase()));
        // Whoever began this conversation has seen it just as well.
        if let Some(outer) = conversation.outer() {
            self.hear(outer);
        }
    }

    fn wrote(&mut self, value: Option<&Value>) {
        if let Some(value) = value {
            self.read.extend(texts(value).into_iter().map(Cow::Owned));
        }
    }

    /// The first line of a text that stands nowhere, not even as a part of a line.
    pub(crate) fn first_unknown<'t>(&self, text: &'t str) -> Option<&'t str> {
        if self.read.iter().any(|it| it.contains(text)) {
            return None;
        }
        text.lines().find(|line| {
            let line = line.trim();
            let said = line.to_lowercase();
            !self.read.iter().any(|it| it.contains(line))
                && !self.said.iter().any(|it| it.contains(&said))
        })
    }

    /// The same by their lines.
    pub(crate) fn whole_lines(&self) -> KnownLines<'_> {
        let mut lines = HashSet::new();
        for line in self.read.iter().flat_map(|text| text.lines()) {
            lines.insert(line.trim_end());
            lines.extend(bare(line).map(str::trim_end));
        }
        KnownLines { lines, said: &self.said }
    }
}

/// The lines that stand in a conversation, with and without what tools put before them.
pub(crate) struct KnownLines<'a> {
    lines: HashSet<&'a str>,
    said: &'a [String],
}

impl KnownLines<'_> {
    /// Whether it is one of them. A line with nothing in it is no loss.
    pub(crate) fn has(&self, line: &str) -> bool {
        let line = line.trim_end();
        line.is_empty() || self.lines.contains(line) || {
            let said = line.to_lowercase();
            self.said.iter().flat_map(|it| it.lines()).any(|it| it.trim_end() == said)
        }
    }
}

/// A line without what may have been put before it: its number, the sign of a diff, or where a search found it.
fn bare(line: &str) -> impl Iterator<Item = &str> {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = line.split_once('\t').filter(|(number, _)| is_number(number.trim_start()));
    let changed = line.strip_prefix(['+', ' ']);
    let found = line.match_indices(": ").find_map(|(at, _)| {
        let (place, rest) = (line.get(..at)?, line.get(at + 2..)?);
        place.rsplit_once(':').filter(|(_, number)| is_number(number)).map(|_| rest)
    });
    [numbered.map(|(_, rest)| rest), changed, found].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    fn shown(text: &str) -> Conversation {
        [Message::user("Look."), Message::tool("c", "show", Outcome::ok(text))]
            .into_iter()
            .collect()
    }

    #[test]
    fn lines_are_known_whatever_stands_before_them() {
        for text in [
            "port = 8080",
            "     1\tport = 8080",
            "+port = 8080",
            " port = 8080",
            "a/b.toml:12: port = 8080",
            "{\"text\":\"[server]\\nport = 8080\\n\"}",
        ] {
            let talk = shown(text);
            let known = KnownText::of(&talk, &[]);
            assert!(known.whole_lines().has("port = 8080\r"), "{text}");
            assert_eq!(known.first_unknown("port = 8080"), None, "{text}");
            assert!(!known.whole_lines().has("port = 808"), "{text}");
            assert_eq!(known.first_unknown("port = 8080\nhost = a"), Some("host = a"), "{text}");
        }
    }

    #[test]
    fn a_part_of_a_line_is_known_as_a_text_and_not_as_a_line() {
        let talk = shown("     1\tport = 8080 # the door");
        let known = KnownText::of(&talk, &[]);
        assert_eq!(known.first_unknown("8080"), None);
        assert!(!known.whole_lines().has("8080"));
    }

    #[test]
    fn what_was_refused_tells_nothing() {
        let talk: Conversation =
            [Message::tool("c", "edit", Outcome::refused("`port = 8080` was not shown."))]
                .into_iter()
                .collect();
        assert_eq!(KnownText::of(&talk, &[]).first_unknown("port = 8080"), Some("port = 8080"));
    }
}
