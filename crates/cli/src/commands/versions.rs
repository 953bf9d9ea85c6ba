//! [`Versions`]: how the questions of a conversation hang together, where some were asked anew.

use std::collections::{HashMap, HashSet};

use serde_json::json;
use toolwright_core::{
    Author, Branch, BranchPoint, Event, EventKind, Message, RunId, RunTree, Timestamp,
    truncate_line,
};

use crate::{
    error::{CommandError, Result},
    style::{BOLD, DIM, END, NAME, out},
    time::ago,
};

/// How deep a drawing goes to the right.
const DEEPEST: usize = 30;
/// How much of a question is shown, in characters.
const SHOWN: usize = 60;

/// The runs of a conversation, what was asked in each, and which goes on from where.
#[derive(Default)]
pub(super) struct Versions {
    tree: RunTree,
    /// In the order in which they began.
    runs: Vec<Asked>,
}

struct Asked {
    run: RunId,
    at: Timestamp,
    question: String,
}

impl Versions {
    /// Takes note of the conversation's next event.
    pub(super) fn take(&mut self, event: &Event) {
        self.tree.take(event);
        match &event.kind {
            EventKind::RunStarted { .. } => {
                let (run, at) = (event.run.clone(), event.at);
                self.runs.push(Asked { run, at, question: String::new() });
            }
            EventKind::Message { message, .. } => {
                if let Message::User(said) = &**message
                    && matches!(said.origin, Author::Person | Author::Client)
                    && let Some(asked) = self.runs.last_mut().filter(|it| it.question.is_empty())
                {
                    asked.question = truncate_line(&said.content, SHOWN);
                }
            }
            _ => {}
        }
    }

    /// A line for each run, for programs.
    pub(super) fn print(&self) -> Result {
        let newest = self.newest();
        let mut versions: HashMap<&BranchPoint, Vec<&RunId>> = HashMap::new();
        for Asked { run, .. } in &self.runs {
            versions.entry(self.origin(run)).or_default().push(run);
        }
        for Asked { run, at, question } in &self.runs {
            let of = versions.get(self.origin(run)).map(Vec::as_slice).unwrap_or_default();
            let line = json!({
                "run": run, "after": self.origin(run), "at": at, "question": question,
                "version": of.iter().position(|it| *it == run).unwrap_or_default() + 1,
                "versions": of.len(), "current": newest.contains(run),
            });
            out(&format!("{line}\n"))?;
        }
        Ok(())
    }

    /// Draws them. What follows stands below, and versions of one question beside each other; a dot that is filled
    /// leads to the newest.
    pub(super) fn draw(&self) -> Result {
        let newest = self.newest();
        let asked: HashMap<&RunId, &Asked> = self.runs.iter().map(|it| (&it.run, it)).collect();
        let mut following: HashMap<Option<&RunId>, Vec<&RunId>> = HashMap::new();
        for Asked { run, .. } in &self.runs {
            following.entry(self.origin(run).run()).or_default().push(run);
        }
        // What is still to be drawn, the next at the end: a run, what stands before it and before what is below it.
        let mut open = self.below(None, "", &following);
        while let Some((run, before, below)) = open.pop() {
            let Some(Asked { at, question, .. }) = asked.get(run) else { continue };
            let (dot, when) = (if newest.contains(run) { "●" } else { "○" }, ago(*at));
            let question = match self.runs.last().is_some_and(|it| it.run == *run) {
                true => format!("{BOLD}{question}{END} {DIM}(the newest){END}"),
                false => question.clone(),
            };
            out(&format!("{before}{dot} {NAME}{run}{END}  {DIM}{when:>8}{END}  {question}\n"))?;
            open.extend(self.below(Some(run), &below, &following));
        }
        Ok(())
    }

    /// The runs that go on from this one, the first at the end. One that follows all of it stands right below.
    fn below<'a>(
        &self,
        run: Option<&RunId>,
        before: &str,
        following: &HashMap<Option<&'a RunId>, Vec<&'a RunId>>,
    ) -> Vec<(&'a RunId, String, String)> {
        let next = following.get(&run).map(Vec::as_slice).unwrap_or_default();
        let end = run.and_then(|run| self.tree.end_of(run)).unwrap_or(BranchPoint::Start);
        if let [only] = next
            && *self.origin(only) == end
        {
            return vec![(*only, before.to_owned(), before.to_owned())];
        }
        let is_deep = before.chars().count() >= 3 * DEEPEST;
        let (before, last) = (if is_deep { "… " } else { before }, next.len().saturating_sub(1));
        let drawn = next.iter().enumerate().map(|(at, run)| match at == last {
            true => (*run, format!("{before}└─ "), format!("{before}   ")),
            false => (*run, format!("{before}├─ "), format!("{before}│  ")),
        });
        drawn.rev().collect()
    }

    /// The runs that lead to the newest.
    fn newest(&self) -> HashSet<RunId> {
        self.tree.newest().runs().cloned().collect()
    }

    fn origin(&self, run: &RunId) -> &BranchPoint {
        self.tree.origin(run).unwrap_or(&BranchPoint::Start)
    }
}

/// The path through a conversation that is meant: the one with this run in it, to where that was gone on with last, or
/// the newest.
///
/// # Errors
/// Where no run is called so, or several are.
pub(super) fn chosen(tree: &RunTree, named: Option<&str>) -> Result<Branch, CommandError> {
    let Some(named) = named else { return Ok(tree.newest()) };
    let fits: Vec<_> = tree.runs().filter(|it| it.as_str().starts_with(named)).collect();
    let exact = fits.iter().find(|it| it.as_str() == named);
    let named = truncate_line(named, 60);
    match (exact, fits.as_slice()) {
        (Some(run), _) | (None, [run]) => Ok(tree.branch(tree.tip(run))),
        (None, found) => {
            let what = match found {
                [] => format!("there is no run `{named}` in this conversation"),
                _ => format!("`{named}` is the beginning of several runs"),
            };
            let advice = "`toolwright conversations tree ID` lists the runs of a conversation";
            Err(CommandError::unusable(what).with_advice(advice))
        }
    }
}
