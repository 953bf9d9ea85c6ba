//! [`could_tell`]: whether a tool could have told what an answer says, where none answered.

use std::collections::HashSet;

use super::{ReviewTools, words};
use crate::{Conversation, Message, ToolCatalog, ToolSpec};

/// Whether a tool could have told what an answer says. One that was called could; otherwise its name,
/// its parameters or the first sentence about it have a word of the question or of the answer.
pub(super) fn could_tell(
    tools: ReviewTools<'_>,
    answer: &str,
    conversation: &Conversation,
) -> bool {
    let catalog = match tools {
        ReviewTools::Required(catalog) => return catalog.specs().next().is_some(),
        ReviewTools::Related(catalog) => catalog,
    };
    let messages = conversation.messages().iter().rev();
    let is_question = |it: &Message| matches!(it, Message::User(user) if user.is_turn());
    let mut question = "";
    for message in messages {
        match &**message {
            Message::Tool(_) => return true,
            it if is_question(it) => {
                question = it.content();
                break;
            }
            _ => {}
        }
    }
    let topics = topics(question).chain(topics(answer)).collect();
    is_about(catalog, &topics)
}

fn is_about(catalog: &dyn ToolCatalog, topics: &HashSet<String>) -> bool {
    catalog.specs().any(|spec| spoken_of(spec).any(|word| topics.contains(&word)))
}

/// The words a tool is known by.
fn spoken_of(spec: &ToolSpec) -> impl Iterator<Item = String> {
    let first = spec.description.split_once(". ").map_or(&*spec.description, |(first, _)| first);
    let properties = spec.parameters.get("properties").and_then(|it| it.as_object());
    let parameters = properties.into_iter().flat_map(|it| it.keys()).flat_map(|it| topics(it));
    topics(&spec.name).chain(topics(first)).chain(parameters)
}

/// The words of a text that say what it is about, in one form.
fn topics(text: &str) -> impl Iterator<Item = String> {
    const LEAST: usize = 4;
    let words = text.split(|c: char| !c.is_alphabetic());
    let long = words.filter(|word| word.chars().nth(LEAST - 1).is_some());
    let lower = long.map(str::to_lowercase).filter(|it| !words::is_function(it) && !is_vague(it));
    lower.map(|word| word.strip_suffix('s').map(str::to_owned).unwrap_or(word))
}

/// Words that tools and questions have in common whatever they are about.
fn is_vague(word: &str) -> bool {
    const VAGUE: &str = "
        able add allow answer answers ask back call called check date dates default does done each
        exact exactly find first from gets give given gives have help here item items keep kind know
        last less limit list lists made make makes many more most name names need needs newest next
        number numbers optional order page part people person place please question read result
        results return returned returns right same search show shows some start started tell tells
        text thing things this time times today tool tools type used user uses using value values
        want wants whole with word words work works write written wrote year years";
    VAGUE.split_ascii_whitespace().any(|it| it == word)
}
