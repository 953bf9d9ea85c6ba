//! [`Mark`]: whether a turn was right, and if not, why.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use toolwright_core::ToolEffect;

use crate::{
    days::Days,
    play::{Made, Played},
    question::{Case, Turn, Wanted, Way},
    value::{Judge, numbers, says},
};

/// Whether a turn was right, and what else is counted.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Mark {
    /// What was wrong; nothing where the turn was right.
    pub(crate) faults: Vec<Fault>,
    /// Calls that were not wanted and did no harm.
    pub(crate) extra: usize,
    /// Calls that were refused or failed.
    pub(crate) failed: usize,
}

impl Mark {
    pub(crate) fn is_right(&self) -> bool {
        self.faults.is_empty()
    }
}

/// What was wrong with a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "fault", content = "of")]
pub(crate) enum Fault {
    /// The run ended without an answer.
    Failed(String),
    /// A call where none was wanted.
    FalseCall(String),
    /// A call that was not made.
    MissingCall(String),
    /// A call of the right tool, but not with the right arguments or not at the right time.
    Arguments(String),
    /// A call that was not wanted and changes something.
    Harm(String),
    /// The answer does not say what it must.
    Unsaid(String),
    /// The answer says what it must not, or what no result has.
    Invented(String),
    /// A file is not as it should be.
    File(String),
}

impl Fault {
    /// The name of its kind.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Failed(_) => "failed",
            Self::FalseCall(_) => "false call",
            Self::MissingCall(_) => "missing call",
            Self::Arguments(_) => "arguments",
            Self::Harm(_) => "harm",
            Self::Unsaid(_) => "unsaid",
            Self::Invented(_) => "invented",
            Self::File(_) => "file",
        }
    }
}

/// Marks every turn of a case. `defaults` knows what a parameter is where it is left out.
pub(crate) fn mark(
    case: &Case,
    played: &[Played],
    days: &Days,
    defaults: &dyn Fn(&str, &str) -> Value,
) -> Vec<Mark> {
    let mut results: Vec<String> = Vec::new();
    let mut asked = String::new();
    let turns = case.turns.iter().zip(played);
    let marks = turns.map(|(turn, played)| {
        asked.push_str(&turn.ask);
        let before = results.len();
        results.extend(played.calls.iter().map(|made| made.text.clone()));
        let scene = Scene { turn, played, results: &results, before, days, defaults };
        let mut mark = scene.calls(case.tools.is_empty());
        if case.tools.is_empty() {
            mark.faults.extend(scene.answer(&asked));
        }
        mark
    });
    marks.collect()
}

/// A turn with all that it is judged by.
struct Scene<'a> {
    turn: &'a Turn,
    played: &'a Played,
    /// The results of the conversation, to the end of this turn.
    results: &'a [String],
    /// How many of them are of earlier turns.
    before: usize,
    days: &'a Days,
    defaults: &'a dyn Fn(&str, &str) -> Value,
}

impl Scene<'_> {
    /// Whether the calls are those that were wanted, in the order that was.
    fn calls(&self, may_have_more: bool) -> Mark {
        let made = &self.played.calls;
        let mut mark =
            Mark { failed: made.iter().filter(|it| !it.is_ok()).count(), ..Mark::default() };
        if self.turn.is_free {
            return mark;
        }
        if self.turn.calls.is_empty() {
            mark.faults.extend(made.iter().map(|it| Fault::FalseCall(told(it))));
            return mark;
        }
        let mut used = vec![false; made.len()];
        // A step begins after the first call of the step before it.
        let mut from = 0;
        let steps = &self.turn.calls;
        for (at, step) in steps.iter().enumerate() {
            // What may be left out comes before the next step, or is none of this one.
            let next = steps.get(at + 1).filter(|_| step.iter().all(|it| it.optional));
            let next = next.and_then(|next| self.first(next, from)).unwrap_or(made.len());
            let found: Vec<_> =
                step.iter().map(|it| self.find(it, from..next, &mut used)).collect();
            let missing = step.iter().zip(&found).filter(|(it, at)| !it.optional && at.is_none());
            mark.faults.extend(missing.map(|(wanted, _)| self.lack(wanted)));
            from = found.iter().flatten().min().map_or(from, |at| at + 1);
        }
        for (at, (it, _)) in made.iter().zip(&used).enumerate().filter(|(_, (_, used))| !**used) {
            let is_known = || self.turn.calls.iter().flatten().any(|call| self.is(call, it, at));
            if it.is_ok() && changes(it) {
                mark.faults.push(Fault::Harm(told(it)));
            } else if !may_have_more {
                mark.faults.push(Fault::Arguments(told(it)));
            } else if it.is_ok() && !is_known() {
                mark.extra += 1;
            }
        }
        mark
    }

    /// The place of the first call of a step among those made from `from` on.
    fn first(&self, step: &[Wanted], from: usize) -> Option<usize> {
        (from..self.played.calls.len()).find(|at| step.iter().any(|it| self.is_done(it, *at)))
    }

    /// The place of the wanted call among those made in a range.
    fn find(&self, wanted: &Wanted, range: Range<usize>, used: &mut [bool]) -> Option<usize> {
        let is_free = |at: usize| wanted.share || used.get(at) == Some(&false);
        let at = range.into_iter().find(|at| self.is_done(wanted, *at) && is_free(*at))?;
        if let Some(used) = used.get_mut(at) {
            *used = true;
        }
        Some(at)
    }

    /// Whether the call at a place is the wanted one, and ended as it should.
    fn is_done(&self, wanted: &Wanted, at: usize) -> bool {
        let made = self.played.calls.get(at);
        made.is_some_and(|made| made.is_ok() != wanted.fails && self.is(wanted, made, at))
    }

    fn is(&self, wanted: &Wanted, made: &Made, at: usize) -> bool {
        let results = self.results.get(..self.before + at).unwrap_or_default();
        let judge = Judge { results, days: self.days };
        wanted.ways.iter().any(|way| self.is_way(way, made, judge))
    }

    /// Whether a call was made in this way: what is named is as wanted, and the rest is left out or as
    /// if it were.
    fn is_way(&self, way: &Way, made: &Made, judge: Judge<'_>) -> bool {
        let given = |name: &str| made.taken(name);
        let unsaid = |name: &str| {
            let value = given(name);
            let default = (self.defaults)(&made.tool, name);
            judge.accepts(&Value::Null, &value)
                || (!default.is_null() && judge.accepts(&default, &value))
        };
        way.tool == made.tool
            && way.args.iter().all(|(name, wanted)| judge.accepts(wanted, &given(name)))
            && made
                .args
                .as_object()
                .is_none_or(|args| args.keys().all(|it| way.args.contains_key(it) || unsaid(it)))
    }

    /// What is wrong where a wanted call was not found.
    fn lack(&self, wanted: &Wanted) -> Fault {
        let is_tool = |made: &&Made| wanted.ways.iter().any(|way| way.tool == made.tool);
        let tool = wanted.ways.first().map(|it| it.tool.clone()).unwrap_or_default();
        match self.played.calls.iter().rev().find(is_tool) {
            Some(made) => Fault::Arguments(told(made)),
            None => Fault::MissingCall(tool),
        }
    }

    /// Whether the answer says what it must, and nothing that is nowhere.
    fn answer(&self, asked: &str) -> Vec<Fault> {
        let answer = match &self.played.answer {
            Ok(answer) if answer.trim().is_empty() => {
                return vec![Fault::Unsaid("anything".into())];
            }
            Ok(answer) => answer,
            Err(reason) => return vec![Fault::Failed(reason.clone())],
        };
        let said = &self.turn.answer;
        let unsaid = said.must.iter().filter(|it| !self.says(answer, it));
        let unsaid = unsaid.map(|it| Fault::Unsaid(it.to_string()));
        let banned = said.not.iter().filter(|it| says(answer, it)).cloned();
        let invented = if self.results.is_empty() {
            // Nothing was looked up: a figure can only be the person's own, or one of an example.
            numbers(&unquoted(answer)).filter(|it| !says(asked, it)).collect()
        } else {
            self.played.invented.clone()
        };
        unsaid.chain(banned.chain(invented).map(Fault::Invented)).collect()
    }

    fn says(&self, answer: &str, wanted: &Value) -> bool {
        if let Some(text) = wanted.as_str() {
            return says(answer, text);
        }
        if let Some(any) = wanted.get("any").and_then(Value::as_array) {
            return any.iter().any(|it| self.says(answer, it));
        }
        let pattern = wanted.get("from_result").and_then(Value::as_str).unwrap_or_default();
        let captured = Judge { results: self.results, days: self.days }.captured(pattern);
        let other = wanted.get("else").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if captured.is_empty() {
            return other.iter().filter_map(Value::as_str).any(|it| says(answer, it));
        }
        captured.iter().any(|it| says(answer, it))
    }
}

/// A text without what stands in double quotation marks in it.
fn unquoted(text: &str) -> String {
    text.split(['"', '“', '”']).step_by(2).collect::<Vec<_>>().join(" ")
}

fn changes(made: &Made) -> bool {
    made.effect.is_some_and(|it: ToolEffect| !it.is_read_only())
}

fn told(made: &Made) -> String {
    format!("{} {}", made.tool, made.args)
}

/// Marks what files hold after a case. `read` reads one.
pub(crate) fn files(case: &Case, read: &dyn Fn(&str) -> Option<String>) -> Vec<Fault> {
    let wrong = case.files.iter().filter(|(path, content)| {
        let text = read(path).unwrap_or_default();
        let line_end = |text: &str| text.trim_end_matches('\n').to_owned();
        let is =
            content.is.is_empty() || content.is.iter().any(|it| line_end(it) == line_end(&text));
        let has = content.has.iter().all(|it| text.contains(it));
        !is || !has || content.not.iter().any(|it| text.contains(it))
    });
    wrong.map(|(path, _)| Fault::File(path.clone())).collect()
}

#[cfg(test)]
#[path = "score_test.rs"]
mod tests;
