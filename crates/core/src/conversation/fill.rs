//! [`ContextFill`]: what fills a model's window.

use super::{Conversation, size};
use crate::tokens;

/// What fills the window of a model that is sent a conversation, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextFill {
    /// About how many the next request has.
    pub total: u64,
    /// Whether that rests on what the provider counted.
    pub is_counted: bool,
    /// The instructions.
    pub system: u64,
    /// What the model is told of the project.
    pub project: u64,
    /// The definitions of the tools.
    pub tools: u64,
    /// What was said.
    pub history: u64,
    /// What tools returned.
    pub results: u64,
}

impl Conversation {
    /// What fills the window of a model that is sent this. `tools` are the bytes of their definitions, `counted` the
    /// tokens that the provider counted in the request that the last reply is to.
    pub fn fill(&self, tools: usize, counted: Option<u64>) -> ContextFill {
        let [mut system, mut project, mut history, mut results] = [0; 4];
        for message in self.messages() {
            let part = match message.role() {
                "system" => &mut system,
                "tool" => &mut results,
                _ if message.is_project() => &mut project,
                _ => &mut history,
            };
            *part += size(message);
        }
        let messages = system + project + history + results;
        let all = messages + tools;
        // The provider counted the tools with the rest, so that what it counted is held against the messages alone.
        let then = self.before_last_reply();
        let counted = counted.filter(|it| *it > 0 && then > 0);
        let total = match counted {
            Some(counted) => (messages as f64 * (counted as f64 / then as f64)).ceil() as u64,
            None => tokens(all),
        };
        let share = |part: usize| match all {
            0 => 0,
            all => (part as f64 * (total as f64 / all as f64)).round() as u64,
        };
        ContextFill {
            total,
            is_counted: counted.is_some(),
            system: share(system),
            project: share(project),
            tools: share(tools),
            history: share(history),
            results: share(results),
        }
    }

    /// How long it was when the last reply was asked for.
    fn before_last_reply(&self) -> usize {
        let last = self.messages().iter().rposition(|it| it.role() == "assistant").unwrap_or(0);
        self.messages().iter().take(last).map(|it| size(it)).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Conversation, Message};

    fn conversation() -> Conversation {
        let mut conversation = Conversation::new();
        conversation.push(Message::system("s".repeat(40)));
        conversation.push(Message::project("p".repeat(20)));
        conversation.push(Message::user("u".repeat(40)));
        conversation.push(Message::assistant("a".repeat(100)));
        conversation
    }

    #[test]
    fn four_bytes_are_a_token_where_nobody_counted() {
        let fill = conversation().fill(80, None);
        assert_eq!((fill.total, fill.is_counted), (70, false));
        assert_eq!((fill.system, fill.project, fill.tools), (10, 5, 20));
        assert_eq!((fill.history, fill.results), (35, 0));
        assert_eq!(Conversation::new().fill(0, None), super::ContextFill::default());
    }

    #[test]
    fn what_was_counted_is_held_against_what_was_sent() {
        // The request had 100 of the 200 bytes there are now, and 50 tokens with the tools.
        let fill = conversation().fill(80, Some(50));
        assert_eq!((fill.total, fill.is_counted), (100, true));
        let parts = fill.system + fill.project + fill.tools + fill.history + fill.results;
        assert!(fill.total.abs_diff(parts) <= 2, "{fill:?}");
    }
}
