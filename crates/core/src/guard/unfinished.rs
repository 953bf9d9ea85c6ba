//! [`UnfinishedAnswer`]: an answer that only describes a call, or leaves blanks to be filled in.

use serde_json::Value;

use super::{AnswerCheck, Guard, Refusal, placeholders::is_placeholder};
use crate::{Attachment, Author, END_OF_FILE, Message};

/// Sends back an answer that describes a call instead of making it, or that has blanks such as
/// `[Current Price]` where a value belongs.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnfinishedAnswer;

impl Guard for UnfinishedAnswer {
    fn name(&self) -> &str {
        "unfinished"
    }

    fn check_answer(&self, check: &AnswerCheck<'_>) -> Result<(), Refusal> {
        if let Some(tool) = described_call(check) {
            return Err(Refusal::new(format!(
                "Your answer describes a call of `{tool}` but does not make it."
            ))
            .instead("Call the tool, then answer with what it returns."));
        }
        if let Some(blank) = blank(check) {
            return Err(Refusal::new(format!(
                "Your answer leaves `{blank}` where a value belongs."
            ))
            .instead("Answer with real values from the tools' results, or say that you do not have them."));
        }
        Ok(())
    }
}

/// The tool whose call the answer spells out, as JSON or as `tool(…)`, without having called it.
fn described_call(check: &AnswerCheck<'_>) -> Option<String> {
    let uncalled = |name: &str| {
        let spec = check.catalog.find(name)?;
        (spec.name == name && !check.conversation.was_called(name)).then(|| name.to_owned())
    };
    in_json(check.text).and_then(|name| uncalled(&name)).or_else(|| {
        let text = without_code(check.text);
        text.match_indices('(').find_map(|(at, _)| {
            let before = text.get(..at)?;
            let name_at = before
                .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
                .map_or(0, |at| {
                    at + before.get(at..).and_then(|s| s.chars().next()).map_or(1, char::len_utf8)
                });
            uncalled(before.get(name_at..)?)
        })
    })
}

/// The name of the tool in an answer that is nothing but a call written as JSON.
fn in_json(text: &str) -> Option<String> {
    let text = text.trim();
    let body = text.strip_prefix("```json").or_else(|| text.strip_prefix("```")).unwrap_or(text);
    let body = body.strip_suffix("```").unwrap_or(body).trim();
    if !body.starts_with('{') {
        return None;
    }
    let value: Value = serde_json::from_str(body).ok()?;
    let name = ["tool", "name", "function"].iter().find_map(|key| value.get(key)?.as_str())?;
    let has_arguments = ["params", "arguments", "parameters", "args"]
        .iter()
        .filter_map(|key| value.get(key))
        .any(|arguments| arguments.is_object() || arguments.is_string());
    has_arguments.then(|| name.to_owned())
}

/// The longest blank, in characters.
const LONGEST: usize = 200;

/// The first blank that the user did not write too.
fn blank(check: &AnswerCheck<'_>) -> Option<String> {
    let text = without_code(check.text);
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['[', '{', '<']) {
        rest = rest.get(at..)?;
        let close = match rest.as_bytes() {
            [b'[', ..] => "]",
            [b'{', b'{', ..] => "}}",
            [b'{', ..] => "}",
            _ => ">",
        };
        // Nothing longer is a blank, and looking for the end of each of many would take for ever.
        let near = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at);
        let end = rest.get(..near)?.find(close).map(|at| at + close.len());
        // `[text](link)` and `[text][reference]` are links, `[1]:` a footnote.
        let is_link = |end| rest.get(end..).is_some_and(|it| it.starts_with(['(', '[', ':']));
        if let Some(candidate) = end.and_then(|end| rest.get(..end))
            && !(close == "]" && end.is_some_and(is_link))
            && is_placeholder(candidate)
            && candidate != END_OF_FILE
            && !user_wrote(check, candidate)
        {
            return Some(candidate.to_owned());
        }
        rest = rest.get(1..)?;
    }
    None
}

/// Whether it stands in a question, or in a file that came with one: a quotation is no blank.
fn user_wrote(check: &AnswerCheck<'_>, text: &str) -> bool {
    check.conversation.messages().iter().any(|message| match &**message {
        Message::User(user) if user.origin == Author::Person => {
            let mut files = user.attachments.iter().filter_map(Attachment::text);
            user.content.contains(text) || files.any(|it| it.contains(text))
        }
        _ => false,
    })
}

/// The text with code left out: what stands there is quoted, not said.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    for (number, piece) in text.split("```").enumerate() {
        if number % 2 == 0 {
            out.extend(piece.split('`').step_by(2).flat_map(|said| [said, " "]));
        }
    }
    out
}
