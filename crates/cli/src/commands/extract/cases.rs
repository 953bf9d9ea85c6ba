//! `toolwright extract --cases`: texts whose calls are known, and whether they are found.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use toolwright_core::truncate_line;
use toolwright_dialects::{Decoder, Dialect, KnownTools};

use super::{Finding, compare::Expected, read};
use crate::{
    args::ExtractArgs,
    error::{CommandError, Result},
    exit::Exit,
    style::{BOLD, DIM, END, ERROR, GOOD, out},
};

/// A text, what was offered, and what is to be found in it: a line of the file.
#[derive(Deserialize)]
struct Case {
    id: String,
    dialect: Dialect,
    #[serde(default)]
    tools: Value,
    text: String,
    /// The text as it is to be fed.
    chunks: Option<Vec<String>>,
    /// Whether the prompt had already opened the reasoning.
    #[serde(default)]
    start_in_reasoning: bool,
    /// Kept as it is written, to be shown so.
    expect: Option<Box<RawValue>>,
}

/// How many cases of a dialect there were, and how many gave what they expect.
struct Tally {
    dialect: Dialect,
    met: usize,
    all: usize,
}

pub(super) fn run(file: &Path, args: &ExtractArgs, json: bool) -> Result<Exit> {
    let cases = cases(file)?;
    if json {
        for (case, _) in &cases {
            out(&format!("{}\n", case.find(args).report(Some(&case.id)).json()?))?;
        }
        return Ok(Exit::Answered);
    }
    let mut tallies: Vec<Tally> = Vec::new();
    let mut differing = String::new();
    for (case, expected) in &cases {
        let Some(expected) = expected else { continue };
        let finding = case.find(args);
        let met = expected.is_met_by(&finding.found);
        if !met {
            differing.push_str(&case.difference(&finding)?);
        }
        match tallies.iter_mut().find(|it| it.dialect == case.dialect) {
            Some(tally) => tally.add(met),
            None => tallies.push(Tally { dialect: case.dialect, met: usize::from(met), all: 1 }),
        }
    }
    out(&differing)?;
    for tally in &tallies {
        out(&row(tally.dialect.name(), tally.met, tally.all))?;
    }
    let (met, all) = tallies.iter().fold((0, 0), |(met, all), it| (met + it.met, all + it.all));
    out(&row("all", met, all))?;
    Ok(if met == all { Exit::Answered } else { Exit::Failed })
}

/// The cases of a file, each with what it expects. What is wrong with one is told before any runs.
fn cases(file: &Path) -> Result<Vec<(Case, Option<Expected>)>> {
    let text = read(file)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let cases = lines.map(|(at, line)| {
        let case = serde_json::from_str::<Case>(line).and_then(|case| {
            let expected = case.expect.as_ref().map(|it| serde_json::from_str(it.get()));
            expected.transpose().map(|expected| (case, expected))
        });
        case.map_err(|error| {
            CommandError::unusable(format!(
                "line {} of {} is not a case: {error}",
                at + 1,
                file.display()
            ))
            .with_advice("a case is an object with `id`, `dialect`, `tools`, `text` and `expect`")
        })
    });
    Ok(cases.collect::<Result<_, _>>()?)
}

impl Case {
    fn find(&self, args: &ExtractArgs) -> Finding {
        let dialect = args.dialect.unwrap_or(self.dialect);
        let tools = KnownTools::from_openai(&self.tools);
        let decoder = if self.start_in_reasoning {
            Decoder::in_reasoning(dialect, &tools)
        } else {
            Decoder::new(dialect, &tools)
        };
        match (args.chunks, &self.chunks) {
            (Some(chunks), _) => Finding::of(decoder, chunks.cut(&self.text)),
            (None, Some(chunks)) => Finding::of(decoder, chunks.iter().map(String::as_str)),
            (None, None) => Finding::of(decoder, [self.text.as_str()]),
        }
    }

    fn difference(&self, finding: &Finding) -> Result<String> {
        let (id, dialect) = (truncate_line(&self.id, 200), self.dialect);
        let expected = self.expect.as_ref().map_or("nothing", |it| it.get());
        let got = finding.report(None).json()?;
        Ok(format!(
            "{ERROR}✗{END} {BOLD}{id}{END} {DIM}{dialect}{END}\n  expected {expected}\n  got      \
             {got}\n"
        ))
    }
}

impl Tally {
    fn add(&mut self, met: bool) {
        self.met += usize::from(met);
        self.all += 1;
    }
}

fn row(name: &str, met: usize, all: usize) -> String {
    let mark = if met == all { format!("{GOOD}✓{END}") } else { format!("{ERROR}✗{END}") };
    format!("{mark} {name:<16} {met} of {all}\n")
}
