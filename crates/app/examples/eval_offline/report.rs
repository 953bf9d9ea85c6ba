//! [`Report`]: the marks of many cases, in a table or one case a line.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};

use crate::{
    play::Played,
    question::{Case, Split},
    score::{Fault, Mark},
};

/// The marks of many cases.
#[derive(Default)]
pub(crate) struct Report {
    rows: BTreeMap<(String, Split), Row>,
}

#[derive(Default)]
struct Row {
    cases: usize,
    right: usize,
    /// Turns at which no call was wanted, and those of them at which one was made.
    quiet: usize,
    false_calls: usize,
    extra: usize,
    failed: usize,
    faults: BTreeMap<&'static str, usize>,
    to_first_call: Vec<Duration>,
    to_answer: Vec<Duration>,
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.right += other.right;
        self.quiet += other.quiet;
        self.false_calls += other.false_calls;
        self.extra += other.extra;
        self.failed += other.failed;
        other
            .faults
            .iter()
            .for_each(|(name, count)| *self.faults.entry(name).or_default() += count);
        self.to_first_call.extend(&other.to_first_call);
        self.to_answer.extend(&other.to_answer);
    }

    fn line(&self, name: &str) -> String {
        let faults: Vec<_> = self.faults.iter().map(|(name, it)| format!("{name} {it}")).collect();
        format!(
            "| {name} | {} | {} ({}) | {} of {} | {} | {} | {} | {} | {} |",
            self.cases,
            self.right,
            percent(self.right, self.cases),
            self.false_calls,
            self.quiet,
            self.extra,
            self.failed,
            times(&self.to_first_call),
            times(&self.to_answer),
            faults.join(", "),
        )
    }
}

impl Report {
    /// Adds a case.
    pub(crate) fn add(&mut self, case: &Case, played: &[Played], marks: &[Mark]) {
        let row = self.rows.entry((case.group.clone(), case.split)).or_default();
        row.cases += 1;
        row.right += usize::from(marks.iter().all(Mark::is_right));
        for ((turn, played), mark) in case.turns.iter().zip(played).zip(marks) {
            if turn.calls.is_empty() {
                row.quiet += 1;
                row.false_calls += usize::from(!played.calls.is_empty());
            }
            row.extra += mark.extra;
            row.failed += mark.failed;
            row.to_first_call.extend(played.to_first_call);
            row.to_answer.push(played.to_answer);
        }
        // The first fault of a case: the others mostly follow from it.
        if let Some(fault) = marks.iter().flat_map(|it| &it.faults).next() {
            *row.faults.entry(fault.name()).or_default() += 1;
        }
    }

    /// The table, in Markdown.
    pub(crate) fn table(&self) -> String {
        let mut lines = vec![
            "| group | cases | right | false calls | extra | failed calls | to the first call, p50 / p95 | to the answer, p50 / p95 | first faults |".to_owned(),
            "|---|---|---|---|---|---|---|---|---|".to_owned(),
        ];
        let mut total = BTreeMap::<(Kind, Split), Row>::new();
        for ((group, split), row) in &self.rows {
            lines.push(row.line(&format!("{group}, {}", name(*split))));
            total.entry((Kind::of(group), *split)).or_default().add(row);
        }
        for ((kind, split), row) in &total {
            lines.push(row.line(&format!("**{}, {}**", kind.name(), name(*split))));
        }
        lines.join("\n")
    }
}

/// Whose questions they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Ours,
    Bfcl,
}

impl Kind {
    fn of(group: &str) -> Self {
        if group.starts_with("bfcl") { Self::Bfcl } else { Self::Ours }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ours => "tasks",
            Self::Bfcl => "BFCL",
        }
    }
}

fn name(split: Split) -> &'static str {
    match split {
        Split::Dev => "dev",
        Split::Held => "held",
    }
}

fn percent(part: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64)
}

fn times(times: &[Duration]) -> String {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    // The smallest time that this part of all does not exceed.
    let at = |part: f64| {
        let place = (sorted.len() as f64 * part).ceil().max(1.0) as usize - 1;
        sorted.get(place).map_or_else(|| "-".to_owned(), |it| format!("{:.2} s", it.as_secs_f64()))
    };
    format!("{} / {}", at(0.5), at(0.95))
}

/// A case as a line of JSON. What is held out tells its score and no more.
pub(crate) fn line(case: &Case, played: &[Played], marks: &[Mark]) -> Value {
    let score =
        json!({"id": case.id, "group": case.group, "right": marks.iter().all(Mark::is_right)});
    if case.split == Split::Held {
        return score;
    }
    let turns = case.turns.iter().zip(played).zip(marks).map(|((turn, played), mark)| {
        let calls = played.calls.iter().map(|made| {
            json!({"tool": made.tool, "args": made.args, "status": made.status, "text": made.text})
        });
        json!({
            "ask": turn.ask,
            "offered": played.offered,
            "calls": calls.collect::<Vec<_>>(),
            "answer": played.answer.as_ref().unwrap_or_else(|reason| reason),
            "mark": mark,
            "first_call_ms": played.to_first_call.map(|it| it.as_millis() as u64),
            "answer_ms": played.to_answer.as_millis() as u64,
        })
    });
    let mut told = score;
    if let Some(fields) = told.as_object_mut() {
        fields.insert("turns".to_owned(), turns.collect());
    }
    told
}

/// A wrong case in a line, for whoever waits at a terminal.
pub(crate) fn wrong(case: &Case, marks: &[Mark]) -> Option<String> {
    let fault: &Fault = marks.iter().flat_map(|it| &it.faults).next()?;
    let ask = case.turns.iter().map(|it| it.ask.as_str()).collect::<Vec<_>>().join(" / ");
    Some(match case.split {
        Split::Dev => format!("{}: {ask}\n    {}", case.id, json!(fault)),
        Split::Held => format!("{}: wrong", case.id),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::times;

    #[test]
    fn the_middle_and_the_slow_end() {
        let seconds: Vec<_> = (1..=100).map(Duration::from_secs).collect();
        assert_eq!(times(&seconds), "50.00 s / 95.00 s");
        assert_eq!(times(&[]), "- / -");
    }
}
