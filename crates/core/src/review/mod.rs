//! [`Finding`]: something wrong with an answer, found by holding it against the results.
//!
//! [`review`] asks two things, without a model and always with the same outcome. Is the answer
//! *supported*: does every figure, date, id and name in it stand in a result, in what the person
//! typed or in the system message, however it is written there? And did it *answer*, or is it
//! empty, or an apology although the tools answered? [`correction`] says to the model what was
//! found, so that one more round can put it right.
//!
//! Figures may be rounded, scaled, converted, counted or worked out from two numbers of a result.
//! Names are judged with the greatest care: to send a good answer back is worse than to let a made
//! up name pass. What cannot be checked (a relation put into words, a number in words, a sign put
//! into words as in "fell") is not.

mod arithmetic;
mod calendar;
mod duration;
mod figure;
mod moment;
mod month;
mod names;
mod numbers;
mod prose;
mod quoted;
mod regret;
mod scan;
mod setting;
mod sources;
mod support;
mod unit;
mod words;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use self::{
    prose::Prose,
    scan::{Mention, What, scan},
    setting::Setting,
    sources::Sources,
};
use crate::{Conversation, Message, Origin};

/// One thing a review found wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Which question the answer failed.
    pub check: Check,
    /// What the text is.
    pub kind: FindingKind,
    /// The piece of the answer it is about; empty when it is about the whole.
    pub text: String,
}

/// A question an answer is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// Does it rest on the results?
    Supported,
    /// Does it answer?
    Answered,
    /// Does a model that judges it agree?
    Judged,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A number no source has.
    Figure,
    /// A day or a time no source has.
    Date,
    /// A name no source has.
    Name,
    /// An id, a version or an address no source has.
    Id,
    /// An answer that says nothing.
    Empty,
    /// An apology in the place of an answer.
    Apology,
    /// Something a model that judges the answer objects to.
    Claim,
}

/// More findings than this do not help the model.
const MOST: usize = 32;
/// A longer piece of the answer is not quoted whole.
const QUOTE: usize = 200;

/// Everything wrong with `answer`, given what was said before it. `conversation` may end with the
/// answer itself.
///
/// Whether it is supported is only asked where some result is ok: without one there is nothing to
/// support it with.
pub fn review(answer: &str, conversation: &Conversation) -> Vec<Finding> {
    let says_something = |c: char| !c.is_whitespace() && !c.is_ascii_punctuation();
    if !answer.contains(says_something) {
        return vec![finding(Check::Answered, FindingKind::Empty, "")];
    }
    let mut findings: Vec<Finding> = Vec::new();
    findings.extend(apology(answer, conversation));
    let shortened = conversation.shortened().is_some_and(|it| !it.answered.is_empty());
    if shortened || conversation.results().any(|it| it.outcome.status.is_ok()) {
        let sources = Sources::of(conversation);
        if sources.is_whole() {
            findings.extend(unsupported(answer, &sources, conversation));
        }
    }
    findings.truncate(MOST);
    findings
}

fn finding(check: Check, kind: FindingKind, text: &str) -> Finding {
    let text = match text.char_indices().nth(QUOTE) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    };
    Finding { check, kind, text }
}

/// Everything in the answer that no source has, in the order it is said.
fn unsupported(answer: &str, sources: &Sources, conversation: &Conversation) -> Vec<Finding> {
    let prose = Prose::of(answer);
    let mut findings = Vec::new();
    let mut ids = Vec::new();
    let mut introduced = HashSet::new();
    let lines = || prose.lines.iter().map(|line| line.said.as_str());
    // A digest keeps numbers and ids, not every word.
    let named = conversation.shortened().is_none() && !words::capitalises_nouns(lines());
    for line in &prose.lines {
        scan(&line.text, &mut |mention| {
            if is_shown(&mention, prose.items)
                || sources.supports(&mention, &Setting::of(&line.text, &mention))
            {
                return;
            }
            let found = finding(Check::Supported, kind(&mention.what), mention.text);
            if !findings.contains(&found) && findings.len() < MOST {
                if found.kind == FindingKind::Id {
                    ids.push(sources::spelling(mention.text));
                }
                findings.push(found);
            }
        });
        let names = if named { names::names(&line.said) } else { Vec::new() };
        for name in names::unknown(names, sources, &mut introduced) {
            let found = finding(Check::Supported, FindingKind::Name, name.text);
            if !findings.contains(&found) && findings.len() < MOST {
                findings.push(found);
            }
        }
    }
    let quoted = quoted::quoted(&ids, conversation);
    findings
        .retain(|it| it.kind != FindingKind::Id || !quoted.contains(&sources::spelling(&it.text)));
    findings
}

/// Whether a mention counts what the answer itself lists.
fn is_shown(mention: &Mention<'_>, items: usize) -> bool {
    mention.text.parse() == Ok(items)
}

fn kind(what: &What) -> FindingKind {
    match what {
        What::Figure(_) | What::Described(_) => FindingKind::Figure,
        What::Moment(_) => FindingKind::Date,
        What::Id => FindingKind::Id,
    }
}

/// The apology the answer consists of, although every tool of this run answered in the end.
fn apology(answer: &str, conversation: &Conversation) -> Option<Finding> {
    let sorry = regret::sentences(answer).find(|it| regret::is_regret(it))?;
    let messages = conversation.messages();
    let is_question =
        |it: &&Message| matches!(it, Message::User(user) if user.origin == Origin::Person);
    let asked = messages.iter().rposition(|it| is_question(&&**it)).map_or(0, |at| at + 1);
    let run = messages.get(asked..).unwrap_or_default();
    let mut tools: Vec<(&str, bool)> = Vec::new();
    for message in run.iter().rev() {
        if let Message::Tool(result) = &**message
            && !tools.iter().any(|(tool, _)| *tool == result.name)
        {
            tools.push((&result.name, result.outcome.status.is_ok()));
        }
    }
    // Where a tool failed to the end, there is something to regret.
    if tools.is_empty() || !tools.iter().all(|(_, ok)| *ok) {
        return None;
    }
    let results = Sources::read(run.iter().rev().map(|it| &**it));
    let earlier = messages.get(..asked).unwrap_or_default().iter().rev().map(|it| &**it);
    let known = Sources::read(earlier.filter(|it| !matches!(it, Message::Tool(_))));
    let told = results.is_whole() && !tells(answer, &results, &known);
    told.then(|| finding(Check::Answered, FindingKind::Apology, sorry))
}

/// Whether the answer tells something from the results that was not known before: a figure, a day,
/// an id, or, where it does not apologise, a word.
fn tells(answer: &str, results: &Sources, known: &Sources) -> bool {
    let prose = Prose::of(answer);
    let mut told = false;
    for line in &prose.lines {
        scan(&line.text, &mut |mention| {
            let setting = Setting::of(&line.text, &mention);
            let stated = |sources: &Sources| match &mention.what {
                What::Figure(figure) => sources.states(figure, &setting),
                _ => sources.supports(&mention, &setting),
            };
            told |= stated(results) && !stated(known);
        });
    }
    let good = regret::sentences(answer).filter(|it| !regret::is_regret(it));
    let words = good.flat_map(|it| it.split(|c: char| !c.is_alphabetic()));
    told || words.filter(|it| it.chars().nth(3).is_some()).any(|word| {
        let lower = word.to_lowercase();
        !words::is_common(word) && results.tokens.contains(&lower) && !known.tokens.contains(&lower)
    })
}

/// What the model is told, saying exactly what is wrong, so that it can correct the answer in one
/// round. Empty where nothing was found.
pub fn correction(findings: &[Finding]) -> String {
    let of = |check: Check, kind: FindingKind| {
        let texts = findings.iter().filter(move |it| it.check == check && it.kind == kind);
        texts.map(|it| format!("`{}`", it.text)).collect::<Vec<_>>().join(", ")
    };
    let mut words: Vec<String> = Vec::new();
    let has = |kind: FindingKind| findings.iter().any(|it| it.kind == kind);
    if has(FindingKind::Empty) {
        words
            .push("Your answer is empty. Answer the question from what the tools returned.".into());
    }
    if has(FindingKind::Apology) {
        words.push(
            "Your answer apologises, but the tools did answer. Answer the question from what they \
             returned."
                .into(),
        );
    }
    let kinds = [
        ("figures", FindingKind::Figure),
        ("dates and times", FindingKind::Date),
        ("ids and links", FindingKind::Id),
        ("names", FindingKind::Name),
    ];
    let listed = kinds.map(|(name, kind)| (name, of(Check::Supported, kind)));
    let listed: Vec<String> = listed
        .into_iter()
        .filter(|(_, texts)| !texts.is_empty())
        .map(|(name, texts)| format!("{name} {texts}"))
        .collect();
    if !listed.is_empty() {
        words.push(format!(
            "Your answer says things that no tool returned and the user did not say: {}. Replace \
             each with what the results say, or leave it out; if a result is missing, call the \
             tool for it.",
            listed.join("; ")
        ));
    }
    let judged: Vec<&str> = findings
        .iter()
        .filter(|it| it.check == Check::Judged && !it.text.is_empty())
        .map(|it| it.text.as_str())
        .collect();
    if !judged.is_empty() {
        words.push(format!("A reviewer objects to your answer: {}", judged.join("; ")));
    }
    if !words.is_empty() {
        words.push("Then give the whole answer again, and do not mention this correction.".into());
    }
    words.join(" ")
}
