//! Did the answer answer? [`apology`] finds those that only regret although the tools answered.

use std::sync::Arc;

use toolwright_core::{
    Conversation, Message,
    review::{Finding, FindingKind, ReviewCheck},
};

use super::{
    Vocabulary, finding,
    prose::Prose,
    regret::{is_regret, sentences},
    scan::{What, scan},
    setting::Setting,
    sources::Sources,
};

/// The apology that stands in the place of an answer. None where the answer tells something from
/// the results besides, or where a tool failed to the end: then there is something to regret.
pub(super) fn apology(
    answer: &str,
    conversation: &Conversation,
    vocabulary: &Arc<Vocabulary>,
) -> Option<Finding> {
    let sorry = sentences(answer).find(|it| is_regret(it))?;
    let messages = conversation.messages();
    let asked = messages.iter().rposition(|it| it.is_question()).map_or(0, |at| at + 1);
    let (before, run) = messages.split_at_checked(asked)?;
    if !all_answered(run.iter().map(|it| &**it)) {
        return None;
    }
    let results = Sources::read(run.iter().rev().map(|it| &**it), vocabulary);
    let said = before.iter().rev().map(|it| &**it).filter(|it| !matches!(it, Message::Tool(_)));
    let known = Sources::read(said, vocabulary);
    let empty = results.is_whole() && !tells(answer, &results, &known);
    empty.then(|| finding(ReviewCheck::Answered, FindingKind::Apology, sorry))
}

/// Whether tools were called, and the last result of each is ok.
fn all_answered<'m>(run: impl DoubleEndedIterator<Item = &'m Message>) -> bool {
    let mut tools: Vec<&str> = Vec::new();
    for message in run.rev() {
        let Message::Tool(result) = message else { continue };
        if !tools.contains(&result.name.as_str()) {
            if !result.outcome.status.is_ok() {
                return false;
            }
            tools.push(&result.name);
        }
    }
    !tools.is_empty()
}

/// Whether the answer tells something from the results that was not known before: a figure, a day,
/// an id, or, where it does not apologise, a word.
fn tells(answer: &str, results: &Sources, known: &Sources) -> bool {
    let mut told = false;
    for line in &Prose::of(answer).lines {
        scan(&line.text, &mut |mention| {
            let setting = Setting::of(&line.text, &mention, &results.vocabulary);
            let stated = |sources: &Sources| match &mention.what {
                What::Figure(figure) | What::Spelled(figure) => {
                    sources.states(figure, &setting) || sources.works_out(figure, &setting)
                }
                _ => sources.supports(&mention, &setting),
            };
            told = told || (stated(results) && !stated(known));
        });
    }
    let others = sentences(answer).filter(|it| !is_regret(it));
    let words = others.flat_map(|it| it.split(|c: char| !c.is_alphabetic()));
    let mut telling =
        words.filter(|it| it.chars().nth(3).is_some() && !results.vocabulary.is_general(it));
    told || telling.any(|word| {
        let lower = word.to_lowercase();
        results.lexicon.has(&lower) && !known.lexicon.has(&lower)
    })
}
