//! [`Rewriting`]: a conversation as a model that only writes text is sent it.

use std::sync::Arc;

use toolwright_core::{AssistantMessage, Author, Conversation, Message, ToolMessage, UserMessage};
use toolwright_dialects::Prompt;

use super::offer::Offer;

/// A conversation in which tools are a part of the instructions, calls are what the model wrote, and
/// results are what it is told. It grows with the one it is made from: each message is rewritten
/// once, so that what was encoded of it for an earlier round still serves.
#[derive(Default)]
pub(super) struct Rewriting {
    offer: Option<Arc<Offer>>,
    /// How many messages were rewritten.
    count: usize,
    /// The last of them.
    last: Option<Arc<Message>>,
    rewritten: Conversation,
}

impl Rewriting {
    /// The conversation of these messages, for a model that is offered these tools.
    pub(super) fn follow(
        &mut self,
        messages: &[Arc<Message>],
        offer: &Arc<Offer>,
        prompt: &Prompt,
    ) -> &Conversation {
        let last = self.count.checked_sub(1).and_then(|at| messages.get(at));
        let kept = self.offer.as_ref().is_some_and(|it| Arc::ptr_eq(it, offer))
            && self.last.as_ref().map(Arc::as_ptr) == last.map(Arc::as_ptr);
        if !kept {
            *self = Self { offer: Some(offer.clone()), ..Self::default() };
            self.begin(messages, offer.section(prompt));
        }
        self.add(messages.get(self.count..).unwrap_or_default(), prompt);
        self.count = messages.len();
        self.last = messages.last().cloned();
        &self.rewritten
    }

    /// The instructions, and what is said about the tools.
    fn begin(&mut self, messages: &[Arc<Message>], section: &str) {
        let system = match messages.first().map(|it| &**it) {
            Some(Message::System(system)) => system.trim_end(),
            _ => "",
        };
        self.count = usize::from(!system.is_empty());
        let both = [system, section].into_iter().filter(|it| !it.is_empty());
        let both = both.collect::<Vec<_>>().join("\n\n");
        if !both.is_empty() {
            self.rewritten.push(Message::system(both));
        }
    }

    fn add(&mut self, messages: &[Arc<Message>], prompt: &Prompt) {
        // All results of a turn are one message; what the person or the runtime adds to them is a
        // part of it, because many templates want user and assistant to take turns.
        let mut results: Vec<&ToolMessage> = Vec::new();
        for message in messages {
            match &**message {
                Message::Tool(result) => results.push(result),
                Message::User(user) if !results.is_empty() => {
                    let told = results_of(&mut results, prompt);
                    self.rewritten.push(Message::User(behind(told, user)));
                }
                other => {
                    self.tell(&mut results, prompt);
                    match other {
                        Message::Assistant(turn) if !turn.calls.is_empty() => {
                            self.rewritten.push(written(turn, prompt));
                        }
                        _ => self.rewritten.push(message.clone()),
                    }
                }
            }
        }
        self.tell(&mut results, prompt);
    }

    fn tell(&mut self, results: &mut Vec<&ToolMessage>, prompt: &Prompt) {
        if !results.is_empty() {
            let told = results_of(results, prompt);
            self.rewritten.push(Message::User(UserMessage { origin: Author::Runtime, ..told }));
        }
    }
}

/// What a model is told about results: all of them in one message, with what is attached to them.
fn results_of(results: &mut Vec<&ToolMessage>, prompt: &Prompt) -> UserMessage {
    let attached: Vec<_> = results.iter().flat_map(|it| it.outcome.attachments.clone()).collect();
    let told = UserMessage::new(prompt.results(results.drain(..)));
    attached.into_iter().fold(told, UserMessage::with_attachment)
}

/// A message behind another one's words.
fn behind(told: UserMessage, user: &UserMessage) -> UserMessage {
    let content = format!("{}\n\n{}", told.content, user.content);
    let shift = told.content.chars().count() + 2;
    let moved = user.attachments.iter().cloned().map(|mut it| {
        it.at += shift;
        it
    });
    let attachments = told.attachments.into_iter().chain(moved).collect();
    UserMessage { content, attachments, ..user.clone() }
}

/// A turn with calls, as the model wrote it.
fn written(turn: &AssistantMessage, prompt: &Prompt) -> Message {
    let content = prompt.turn(&turn.content, &turn.calls);
    Message::Assistant(AssistantMessage { content, calls: Vec::new(), ..turn.clone() })
}

/// The same conversation, with something said at its end for this round only.
pub(super) fn ending_with(conversation: &Conversation, sentence: &str) -> Conversation {
    let mut ending = Conversation::new();
    let (last, earlier) = match conversation.messages().split_last() {
        Some((last, earlier)) => (Some(last), earlier),
        None => (None, conversation.messages()),
    };
    earlier.iter().for_each(|message| ending.push(message.clone()));
    match last.map(|it| &**it) {
        Some(Message::User(user)) => {
            let content = format!("{}\n\n{sentence}", user.content);
            ending.push(Message::User(UserMessage { content, ..user.clone() }));
        }
        _ => {
            last.into_iter().for_each(|message| ending.push(message.clone()));
            ending.push(Message::correction(sentence));
        }
    }
    ending
}
