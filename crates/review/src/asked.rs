//! [`Asked`]: what the person asks for, as far as a claim that it was done depends on it.

use toolwright_core::{Conversation, ToolCatalog, asks};

use super::{
    related::{Topics, stem},
    undone::may_change,
    words::is_listed,
};

/// What the person asked for.
pub(super) struct Asked {
    request: String,
    /// Whether a change is asked for.
    pub(super) wants: bool,
    /// Whether nothing is asked for but to look.
    pub(super) reads: bool,
    /// Whether a text is asked for, in which anybody may say anything.
    pub(super) composes: bool,
    /// Whether a tool changes anything.
    pub(super) can_change: bool,
    /// Whether it is about what tools change, or names a file.
    pub(super) is_topical: bool,
    pub(super) matters: Matters,
}

/// What the tools that change something are about.
pub(super) struct Matters {
    topics: Topics,
    /// What they are named after: `note` of `take_note`.
    things: Vec<String>,
}

impl Matters {
    pub(super) fn has_any(&self, text: &str) -> bool {
        let long = || words(text).filter(|it| it.len() >= WORD);
        self.topics.has_any(long()) || long().any(|it| self.things.contains(&stem(it)))
    }
}

/// The thing that a tool is named after, where it has such a name: `note` of `take_note`.
fn thing(name: &str) -> Option<String> {
    let (_, last) = name.rsplit_once(|c: char| !c.is_alphanumeric())?;
    let is_deed = is_listed(last, WANTING) && !is_listed(last, THINGS);
    (last.len() >= WORD && !is_deed).then(|| stem(last))
}

/// A shorter word says nothing of what something is about.
const WORD: usize = 4;
/// Words by which people ask for something, and which are things, too.
const THINGS: &str = "note order post record book";

impl Asked {
    pub(super) fn of(conversation: &Conversation, catalog: &dyn ToolCatalog) -> Self {
        let mut request = conversation.request().join("\n");
        if request.is_empty() {
            let last = conversation.messages().iter().rev().find(|it| it.is_question());
            request = last.map(|it| it.content().to_owned()).unwrap_or_default();
        }
        let request = request.to_lowercase();
        let words: Vec<&str> = words(&request).collect();
        let has = |list: &str| words.iter().any(|word| is_listed(word, list));
        let changing: Vec<_> = catalog.specs().filter(|it| may_change(Some(it))).collect();
        let can_change = !changing.is_empty();
        let things = changing.iter().filter_map(|it| thing(&it.name)).collect();
        let matters = Matters { things, topics: Topics::of_tools(changing.into_iter()) };
        let is_topical = matters.has_any(&request) || places(&request).next().is_some();
        // Figures are added, too.
        let wants = has(WANTING) || (words.contains(&"add") && !has(FIGURES));
        let first = words.iter().find(|it| !is_listed(it, OPENING));
        let asks_first = first.is_some_and(|it| is_listed(it, READING) || is_listed(it, ASKING));
        Self {
            wants,
            reads: asks_first || (!wants && has(READING)),
            composes: asks(&request, COMPOSING),
            can_change,
            is_topical,
            matters,
            request,
        }
    }

    /// Whether a sentence names a file, or a place, that the person or a call named.
    pub(super) fn names(&self, sentence: &str, arguments: &str) -> bool {
        let lower = sentence.to_lowercase();
        places(&lower).any(|it| self.request.contains(it) || arguments.contains(it))
    }
}

/// The files and paths that stand in a text: `app.toml`, `src/lib`.
fn places(text: &str) -> impl Iterator<Item = &str> {
    const LEAST: usize = 4;
    let is_mark = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'));
    let words = text.split(is_mark).map(|it| it.trim_matches(['.', '/', '-']));
    words.filter(|it| it.len() >= LEAST && is_place(it))
}

fn is_place(word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |(_, it)| it);
    let has_letters = |it: &str| it.contains(char::is_alphabetic);
    has_letters(ending) || (word.contains('/') && has_letters(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty())
}

/// Words by which people ask for a change.
const WANTING: &str = "
    change set update edit delete remove rename replace write create save note send put fix correct
    remember append insert overwrite modify move book order schedule cancel submit store record
    post upload install enable disable should turn switch bump raise lower increase decrease";
/// What is added up.
const FIGURES: &str = "numbers figures amounts sum total together up tip prices";
/// Words by which people ask to look.
const READING: &str = "
    read show open look list find search check tell see view print display summarize summarise
    explain what which who when why how describe compare";
/// Words with which questions begin.
const ASKING: &str = "is are was were has have did does do whose where any whats";
/// Words with which requests begin, whatever they ask for.
const OPENING: &str = "please hi hey hello ok okay and so now then thanks well";
/// Words by which people ask for a text.
const COMPOSING: &[&str] = &[
    "translate",
    "draft",
    "compose",
    "rephrase",
    "paraphrase",
    "rewrite",
    "proofread",
    "story",
    "poem",
    "essay",
    "letter",
    "tweet",
    "commit message",
    "release notes",
    "pretend",
    "example sentence",
    "summarize",
    "summarise",
    "summary",
    "write an email",
    "write a mail",
    "write a message",
    "write a reply",
    "how do i say",
];
