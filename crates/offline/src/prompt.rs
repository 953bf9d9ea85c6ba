//! [`Prompt`]: what the offline model reads, byte for byte as it was trained on.
//!
//! The rules are written down beside the golden files in `tests/prompts`, which the training program
//! checks its own renderer against.

mod json;
mod messages;
mod signature;
mod template;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use jiff::civil::Date;
use toolwright_core::{
    Author, Call, Conversation, Message, ResultFormat, ToolDefinitions, ToolMessage, ToolSpec,
    values::texts,
};

use self::signature::signature;
pub(crate) use self::{json::spaced, template::Template};
use crate::{constrain::CallForm, pointers::Pointers};

/// How many of the person's turns are kept.
const TURNS: usize = 6;
/// How many of the last turns show their results at length.
const FRESH_TURNS: usize = 2;
/// How many characters of a fresh result are shown.
const FRESH: usize = 1200;
/// How many characters of an older result are shown.
const OLD: usize = 300;

/// What the offline model reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The whole text, up to where the model goes on.
    pub text: String,
    /// What the person said, as far as the text shows it: what values may be taken from.
    pub said: Vec<String>,
    /// What tools returned, likewise.
    pub found: Vec<String>,
    /// What tools were called with, likewise: an answer may quote a command that nobody else wrote.
    pub called: Vec<String>,
    /// What an answer may point at, as it is written there: `[[1]]`, `[[tools]]`.
    pub pointers: Vec<String>,
}

impl Prompt {
    /// The prompt for the next turn of a conversation with these tools, in this order.
    pub fn render(
        conversation: &Conversation,
        tools: &ToolDefinitions,
        today: Option<Date>,
    ) -> Self {
        let pointers = Pointers::of(conversation, tools.all());
        let mut prompt = Self { pointers: pointers.names(), ..Self::default() };
        prompt.turn("system", &system(tools.specs(), today));
        let messages = conversation.messages();
        let first = turn(messages, TURNS);
        let fresh = turn(messages, FRESH_TURNS);
        let mut results = Vec::new();
        for (at, message) in messages.iter().enumerate().skip(first) {
            match &**message {
                Message::Tool(result) => results.push(result),
                other if other.is_question() => results.clear(),
                _ => {}
            }
            prompt.message(message, if at < fresh { OLD } else { FRESH }, &pointers, &results);
        }
        prompt.text.push_str("<|im_start|>assistant\n");
        prompt
    }

    /// What every conversation with these tools begins with, on whatever day.
    pub fn beginning(tools: &[Arc<ToolSpec>]) -> String {
        let mut prompt = Self::default();
        prompt.turn("system", &system(tools, None));
        prompt.text
    }

    /// Adds a message. An answer of its own has read the `results` of its turn.
    fn message(
        &mut self,
        message: &Message,
        most: usize,
        pointers: &Pointers,
        results: &[&ToolMessage],
    ) {
        match message {
            // What a project says is longer than this prompt may be.
            Message::User(said) if said.origin == Author::Project => {}
            Message::System(_) => {}
            Message::User(said) => {
                self.turn("user", &said.content);
                // What the runtime says in the person's place is no source of values.
                if matches!(said.origin, Author::Person | Author::Agent) {
                    self.said.push(said.content.clone());
                }
            }
            Message::Assistant(said) if said.calls.is_empty() => {
                if !said.content.is_empty() {
                    self.turn("assistant", &pointers.collapse(&said.content, results));
                }
            }
            Message::Assistant(said) => {
                let arguments = said.calls.iter().filter_map(|call| call.parse().ok());
                self.called.extend(arguments.flat_map(|it| texts(&it)));
                let calls: Vec<_> = said.calls.iter().map(written).collect();
                self.turn("assistant", &calls.join("\n"));
            }
            Message::Tool(result) => {
                // A small model reads words better than JSON, and was taught to.
                let outcome = &result.outcome;
                let shown = match &outcome.words {
                    Some(words) => cut(&format!("{}{words}", ResultFormat::SUCCESS), most),
                    None => cut(&outcome.text, most),
                };
                self.turn("tool", &shown);
                self.found.push(shown);
            }
        }
    }

    fn turn(&mut self, role: &str, content: &str) {
        // Nobody can write a turn in another's name.
        let content = content.replace("<|im_", "< |im_").replace("<|endoftext", "< |endoftext");
        self.text.push_str(&format!("<|im_start|>{role}\n{content}<|im_end|>\n"));
    }
}

fn system(tools: &[Arc<ToolSpec>], today: Option<Date>) -> String {
    let mut parts = vec!["You call tools.".to_owned()];
    if !tools.is_empty() {
        parts.push("# Tools".to_owned());
        parts.extend(tools.iter().map(|spec| signature(spec)));
    }
    // Last, so that what stands before it is the same every day.
    parts.extend(today.map(|it| it.strftime("Today is %Y-%m-%d (%A).").to_string()));
    parts.join("\n")
}

/// Where the last `count` turns of the person begin.
fn turn(messages: &[Arc<Message>], count: usize) -> usize {
    let turns = messages.iter().enumerate().rev().filter(|(_, message)| message.is_question());
    turns.map(|(at, _)| at).nth(count - 1).unwrap_or_default()
}

/// A call as the model writes it.
fn written(call: &Call) -> String {
    // What is no JSON is shown as it was, with the refusal it got.
    let arguments = call.parse().map_or_else(|_| call.arguments.clone(), |it| spaced(&it));
    CallForm::default().call(&call.name, &arguments)
}

/// The beginning of a text, in whole lines.
fn cut(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let kept = text.get(..end).unwrap_or_default();
    let kept = match kept.rfind('\n') {
        Some(line) if line > 0 => kept.get(..line).unwrap_or_default(),
        _ => kept,
    };
    format!("{kept}\n…")
}
