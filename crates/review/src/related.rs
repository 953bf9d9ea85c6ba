//! [`could_tell`]: whether a tool could have told what an answer says, where none answered; and
//! [`Topics`]: what the tools are about.

use std::collections::HashSet;

use toolwright_core::{Conversation, Message, ToolCatalog, ToolSpec, review::ReviewTools};

use super::{claimed::is_telling, prose::Prose, words};

/// Whether a tool could have told what an answer says. One that was called could; otherwise its name,
/// its parameters or the first sentence about it have a word of the question or of the answer, or it
/// runs commands or reads files and the answer quotes one.
pub(super) fn could_tell(
    tools: ReviewTools<'_>,
    answer: &str,
    prose: &Prose<'_>,
    conversation: &Conversation,
) -> bool {
    let catalog = match tools {
        ReviewTools::Required(catalog) => return catalog.specs().next().is_some(),
        ReviewTools::Related(catalog) => catalog,
    };
    if prose.claims.iter().any(|it| is_telling(&it.line)) && catalog.specs().any(can_be_quoted) {
        return true;
    }
    let messages = conversation.messages().iter().rev();
    let mut asked = Vec::new();
    for message in messages {
        match &**message {
            Message::Tool(_) => return true,
            // What steers a question belongs to it.
            Message::User(user) if user.is_turn() => {
                asked.push(user.content.as_str());
                if user.is_question() {
                    break;
                }
            }
            _ => {}
        }
    }
    let topics = asked.into_iter().chain([answer]).flat_map(topics).collect();
    is_about(catalog, &topics)
}

fn is_about(catalog: &dyn ToolCatalog, topics: &HashSet<String>) -> bool {
    catalog.specs().any(|spec| spoken_of(spec).any(|word| topics.contains(&word)))
}

/// Whether a tool runs commands or reads files.
fn can_be_quoted(spec: &ToolSpec) -> bool {
    let quotable = |it: String| matches!(it.as_str(), "command" | "file" | "folder" | "script");
    !spec.executable.is_empty() || spoken_of(spec).any(quotable)
}

/// What tools are about: words in one form.
pub(super) struct Topics(HashSet<String>);

impl Topics {
    /// What the tools of a catalogue are about.
    pub(super) fn of(catalog: &dyn ToolCatalog) -> Self {
        Self::of_tools(catalog.specs())
    }

    /// What these tools are about.
    pub(super) fn of_tools<'s>(specs: impl Iterator<Item = &'s ToolSpec>) -> Self {
        Self(specs.flat_map(spoken_of).map(|it| stem(&it)).collect())
    }

    /// Whether one of these words is one of them.
    pub(super) fn has_any<'w>(&self, mut words: impl Iterator<Item = &'w str>) -> bool {
        words.any(|it| self.0.contains(&stem(it)))
    }
}

/// A word without the endings that number and time give it.
pub(super) fn stem(word: &str) -> String {
    const LEAST: usize = 3;
    let lower = word.to_lowercase();
    let ends = ["ings", "ing", "ed", "s"];
    let bare = ends.iter().find_map(|it| lower.strip_suffix(it).filter(|it| it.len() >= LEAST));
    bare.map(str::to_owned).unwrap_or(lower)
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
