//! How well a model answers with tools: `crates/offline/eval` and BFCL, played through the real assembly.
//!
//!   cargo run --release -p toolwright-app --example eval_offline -- --split dev
//!
//! Any model that can be configured can be asked (`--model`). `make eval-offline` fetches BFCL, too.

mod days;
mod described;
mod options;
mod play;
mod question;
mod report;
mod score;
mod value;

use std::{collections::HashMap, error::Error, io::Write, path::Path, process::ExitCode};

use serde_json::Value;

use self::{
    days::Days,
    options::{Options, Style},
    play::Stage,
    question::Case,
    report::Report,
    score::Mark,
};

const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../offline/eval/workspace");

fn main() -> ExitCode {
    // Inside a sandbox this program is only the door to a command, as `toolwright` is.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == toolwright_workspace::ENTER) {
        return toolwright_workspace::enter(arguments);
    }
    match ask_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn ask_all() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    let mut cases = Vec::new();
    for folder in &options.questions {
        cases.extend(question::read(folder)?);
    }
    let cases = chosen(cases, &options);
    let mut stage = Stage::new(&options.model, &options.models, Path::new(WORKSPACE))?;
    let mut report = Report::default();
    let mut out = std::io::stdout();
    for (number, case) in (1..).zip(&cases) {
        let played = stage.play(case).await?;
        let defaults = |tool: &str, name: &str| stage.default_of(tool, name);
        let mut marks = score::mark(case, &played, &Days::now(), &defaults);
        if let Some(last) = marks.last_mut() {
            last.faults.extend(score::files(case, &|path| stage.file(path)));
        }
        report.add(case, &played, &marks);
        match options.style {
            Style::Json => writeln!(out, "{}", report::line(case, &played, &marks))?,
            Style::Table => tell(number, cases.len(), case, &marks)?,
        }
    }
    writeln!(if_json(options.style), "{}", report.table())?;
    Ok(())
}

/// The cases that were asked for, those of a task together: each task is set up once.
fn chosen(cases: Vec<Case>, options: &Options) -> Vec<Case> {
    let mut seen = HashMap::<String, usize>::new();
    let mut cases: Vec<_> = cases.into_iter().filter(|it| options.wants(it)).collect();
    cases.retain(|case| {
        let count = seen.entry(case.group.clone()).or_default();
        *count += 1;
        options.most.is_none_or(|most| *count <= most)
    });
    cases.sort_by(|a, b| a.task.cmp(&b.task));
    cases
}

/// The table goes where no program reads, where one reads.
fn if_json(style: Style) -> Box<dyn Write> {
    match style {
        Style::Json => Box::new(std::io::stderr()),
        Style::Table => Box::new(std::io::stdout()),
    }
}

fn tell(number: usize, of: usize, case: &Case, marks: &[Mark]) -> std::io::Result<()> {
    let mut err = std::io::stderr();
    match report::wrong(case, marks) {
        Some(line) => writeln!(err, "[{number}/{of}] {line}"),
        None => writeln!(err, "[{number}/{of}] {}: right", case.id),
    }
}

impl Stage {
    /// What a parameter is where it is left out: what its schema says.
    fn default_of(&self, tool: &str, name: &str) -> Value {
        let schema = self.schema(tool).unwrap_or_default();
        schema.pointer(&format!("/properties/{name}/default")).cloned().unwrap_or_default()
    }
}
