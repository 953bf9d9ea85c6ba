//! [`undone`]: what an answer says was done, although no call did it.
//!
//! A call may have done something where its tool does more than look, and it succeeded; or where nobody knows how far
//! it got. Tools that are not known count as such. One of them in the whole conversation excuses every sentence, for
//! it may be what is told of; but where such calls were made since the question, and none did anything, sentences are
//! about those.
//!
//! To send a good answer back is worse than to let one pass. What a model changes in a text of the person's is in its
//! answer, and no tool is needed for it; so something has to tie a sentence to the tools: a call that did nothing, a
//! file that is named and was spoken of, or a person who asks for a change.

use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{
    Conversation, Message, Status, ToolCatalog, ToolMessage, ToolSpec,
    review::{Finding, FindingKind, ReviewCheck},
};

use super::{
    asked::Asked,
    deeds::{Deed, Deeds, Said},
    finding,
    repeated::RepeatedLines,
};

/// The sentences that say that something was done which was not.
pub(super) fn undone(
    answer: &str,
    conversation: &Conversation,
    catalog: &dyn ToolCatalog,
    repeated: &RepeatedLines<'_>,
) -> Vec<Finding> {
    if let Some(sentence) = unrun(answer, conversation, catalog) {
        return vec![finding(ReviewCheck::Supported, FindingKind::Undone, sentence)];
    }
    let deeds = Deeds::of(answer);
    // What came of calls elsewhere nobody knows here.
    if deeds.all.is_empty() || conversation.is_foreign() {
        return Vec::new();
    }
    let calls = Calls::of(conversation, catalog);
    if calls.did_something() {
        return Vec::new();
    }
    let asked = Asked::of(conversation, catalog);
    let is_undone = |it: &&Deed<'_>| {
        calls.belie(it, &deeds, &asked) && !is_told(it.sentence, conversation, repeated)
    };
    let claims = deeds.all.iter().filter(is_undone);
    claims.map(|it| finding(ReviewCheck::Supported, FindingKind::Undone, it.sentence)).collect()
}

/// The first line of an answer where it says what a command did (`\`make\` printed:`) that did not run, though calls were made.
fn unrun<'a>(
    answer: &'a str,
    conversation: &Conversation,
    catalog: &dyn ToolCatalog,
) -> Option<&'a str> {
    let line = answer.lines().next()?;
    let (command, behind) = line.strip_prefix('`')?.split_once('`')?;
    let said = ["ran", "printed", "failed"];
    let says = behind.split(|it: char| !it.is_alphanumeric()).find(|it| !it.is_empty())?;
    let turn = conversation.turn();
    let executes = |name: &str| catalog.find(name).is_some_and(|it| !it.executable.is_empty());
    if !said.contains(&says) || turn.iter().all(|it| result(it).is_none()) {
        return None;
    }
    let calls: Vec<_> = turn.iter().flat_map(|it| it.calls()).collect();
    let ran = turn.iter().filter_map(result).any(|result| {
        let stopped = matches!(result.outcome.status, Status::Refused | Status::Denied);
        let call = calls.iter().find(|it| it.id == result.call);
        let is_it = |it: &Value| it.as_str().is_some_and(|it| it.contains(command));
        let arguments = call.and_then(|it| it.parse().ok());
        let has = |it: Value| it.as_object().is_some_and(|it| it.values().any(is_it));
        !stopped && executes(&result.name) && arguments.is_some_and(has)
    });
    let can_run = catalog.specs().any(|it| !it.executable.is_empty());
    (can_run && !ran && !conversation.is_foreign()).then_some(line)
}

/// Whether somebody else says the same: a result, or the person.
fn is_told(sentence: &str, conversation: &Conversation, repeated: &RepeatedLines<'_>) -> bool {
    let lower = sentence.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&lower);
    repeated.has(sentence)
        || conversation.messages().iter().any(|it| match &**it {
            Message::User(user) => user.texts().any(has),
            Message::Tool(result) => result.outcome.status.is_ok() && has(result.outcome.said()),
            _ => false,
        })
}

/// What became of the calls.
struct Calls<'c> {
    catalog: &'c dyn ToolCatalog,
    /// The results since the question.
    run: Vec<&'c ToolMessage>,
    /// Whether something may have been done before the question.
    did_before: bool,
    /// What the calls were made with, in lower case.
    arguments: String,
}

impl<'c> Calls<'c> {
    fn of(conversation: &'c Conversation, catalog: &'c dyn ToolCatalog) -> Self {
        let messages = conversation.messages();
        let run = conversation.turn();
        let before = messages.get(..messages.len() - run.len()).unwrap_or_default();
        let results = |messages: &'c [_]| messages.iter().filter_map(result);
        let digested = conversation.compacted().is_some_and(|digest| {
            digest.answered.iter().any(|name| may_change(catalog.find(name)))
        });
        // A model that works for another may speak of what that one did.
        let outer = conversation
            .outer()
            .is_some_and(|it| it.results().any(|result| may_have_done(result, catalog)));
        let arguments = messages.iter().flat_map(|it| it.calls());
        let arguments: Vec<_> = arguments.map(|it| it.arguments.to_lowercase()).collect();
        Self {
            catalog,
            run: results(run).collect(),
            did_before: digested || outer || results(before).any(|it| may_have_done(it, catalog)),
            arguments: arguments.join("\n"),
        }
    }

    /// Whether something was done that sentences may tell of.
    fn did_something(&self) -> bool {
        // What a guard refused may have been done before: that is why it did.
        let fell_through = |it: &&ToolMessage| {
            matches!(it.outcome.status, Status::Failed | Status::Denied) && self.may_change(it)
        };
        let did = self.run.iter().any(|it| may_have_done(it, self.catalog));
        did || (self.did_before && !self.run.iter().any(fell_through))
    }

    fn may_change(&self, result: &ToolMessage) -> bool {
        may_change(self.catalog.find(&result.name))
    }

    /// Whether no call ran at all, though some were made.
    fn never_ran(&self) -> bool {
        let is_stopped =
            |it: &&ToolMessage| matches!(it.outcome.status, Status::Refused | Status::Denied);
        !self.run.is_empty() && self.run.iter().all(is_stopped)
    }

    /// Whether what a sentence says is known not to be so.
    fn belie(&self, deed: &Deed<'_>, answer: &Deeds<'_>, asked: &Asked) -> bool {
        // Nothing was done: such a call did not do it.
        let failed = self.run.iter().any(|it| self.may_change(it));
        let names = asked.names(deed.sentence, &self.arguments);
        let about =
            names || (asked.wants && (asked.is_topical || asked.matters.has_any(deed.sentence)));
        let shown = answer.shows || (!failed && (answer.lists || asked.composes));
        match deed.said {
            Said::Looked => self.never_ran(),
            Said::Ran => failed && self.never_ran(),
            // What it changed may be what it shows.
            _ if shown && (!names || asked.composes) => false,
            _ if self.run.is_empty() && !names && !answer.is_brief => false,
            // A result may tell of what others did.
            Said::Unnamed if self.say(&deed.verb) => false,
            Said::Changed => failed || (about && (asked.can_change || !self.run.is_empty())),
            Said::Done | Said::Unnamed => failed || (about && asked.can_change && !asked.reads),
        }
    }

    /// Whether a result since the question has this word.
    fn say(&self, word: &str) -> bool {
        let mut good = self.run.iter().filter(|it| it.outcome.status.is_ok());
        !word.is_empty() && good.any(|it| it.outcome.said().to_lowercase().contains(word))
    }
}

fn result(message: &Arc<Message>) -> Option<&ToolMessage> {
    match &**message {
        Message::Tool(result) => Some(result),
        _ => None,
    }
}

/// Whether calls of a tool may change something; where it is not known, nobody knows.
pub(super) fn may_change(spec: Option<&ToolSpec>) -> bool {
    spec.is_none_or(|it| !it.effect.is_read_only())
}

/// Whether a call may have changed something.
fn may_have_done(result: &ToolMessage, catalog: &dyn ToolCatalog) -> bool {
    let spec = catalog.find(&result.name);
    let may = match result.outcome.status {
        Status::Refused | Status::Denied => false,
        // A command that ends with an error did something until then, and so did another agent.
        Status::Failed => spec.is_some_and(|it| it.agent || !it.executable.is_empty()),
        _ => true,
    };
    may && may_change(spec)
}
