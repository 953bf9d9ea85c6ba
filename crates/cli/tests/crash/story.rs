//! [`Story`]: a question, and what the model does with it.
//!
//! What the model says follows from the messages it is sent and from nothing else, so it goes on
//! from wherever a killed process left the conversation.

use serde_json::{Value, json};
use toolwright_testkit::{Chunking, Recorded, Reply};

/// A question, and what the model does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Story {
    /// Reads side by side, a note, a note and a read, an answer.
    TwoNotes,
    /// A note, an answer.
    OneNote,
    /// A note, then all notes deleted and read, an answer.
    Clear,
    /// Another agent, which does what is done in `TwoNotes`, an answer.
    Delegate,
    /// Another agent, which does what is done in `Clear`, an answer.
    DelegateClear,
    /// An answer.
    Thanks,
}

const ALL: [Story; 6] = [
    Story::TwoNotes,
    Story::OneNote,
    Story::Clear,
    Story::Delegate,
    Story::DelegateClear,
    Story::Thanks,
];

/// The agent that is asked in the course of some.
pub(crate) const HELPER: &str = "[agents.helper]\ntask = \"demo\"\n\
    description = \"Somebody who keeps notes.\"\nmax_rounds = 20\n";

/// How every story ends.
pub(crate) const ANSWER: &str = "All is well and done.";

impl Story {
    /// What has to be configured.
    pub(crate) fn config(self) -> Option<&'static str> {
        matches!(self, Self::Delegate | Self::DelegateClear).then_some(HELPER)
    }

    pub(crate) fn question(self) -> &'static str {
        match self {
            Self::TwoNotes => "Please keep two notes.",
            Self::OneNote => "Please keep one note.",
            Self::Clear => "Please clear my notes.",
            Self::Delegate => "Please let the helper keep two notes.",
            Self::DelegateClear => "Please let the helper clear my notes.",
            Self::Thanks => "Thank you. How do things stand?",
        }
    }

    /// The calls of a round, from 0: tool and arguments.
    fn calls(self, turn: usize, round: usize) -> Vec<(&'static str, Value)> {
        let note =
            |name: &str| ("take_note", json!({"text": format!("the {name} of turn {turn}")}));
        let list = ("list_notes", json!({}));
        let asked = |story: Self| ("helper", json!({"input": story.question()}));
        match (self, round) {
            (Self::TwoNotes, 0) => vec![list, ("get_weather", json!({"location": "Rome"}))],
            (Self::TwoNotes, 1) => vec![note("first")],
            (Self::TwoNotes, 2) => vec![note("second"), list],
            (Self::OneNote | Self::Clear, 0) => vec![note("only one")],
            (Self::Delegate, 0) => vec![asked(Self::TwoNotes)],
            (Self::DelegateClear, 0) => vec![asked(Self::Clear)],
            (Self::Clear, 1) => vec![("delete_notes", json!({})), list],
            _ => Vec::new(),
        }
    }
}

/// What the model says next.
pub(crate) fn reply(request: &Recorded) -> Reply {
    let messages = request.body["messages"].as_array().cloned().unwrap_or_default();
    let story_of =
        |message: &Value| ALL.into_iter().find(|story| words(message) == story.question());
    let asked = messages.iter().rposition(|message| story_of(message).is_some());
    let asked = asked.expect("a question of ours");
    let turn = messages[..=asked].iter().filter(|message| story_of(message).is_some()).count();
    let rounds = messages[asked..].iter().filter(|it| it["role"] == "assistant").count();
    let calls = story_of(&messages[asked]).unwrap().calls(turn, rounds);
    if calls.is_empty() {
        return Reply::text(ANSWER).chunking(Chunking::PerEvent);
    }
    let calls = calls.into_iter().enumerate().map(|(at, (tool, args))| {
        (format!("call-{turn}-{rounds}-{at}"), tool.to_owned(), args.to_string())
    });
    Reply::calls(calls)
}

/// What a message says, beside what may be attached to it.
fn words(message: &Value) -> &str {
    let content = &message["content"];
    content.as_str().or_else(|| content[0]["text"].as_str()).unwrap_or_default()
}
