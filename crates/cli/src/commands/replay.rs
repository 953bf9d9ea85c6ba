//! `toolwright replay`: the questions of a conversation asked again, and what is not as it was.

use toolwright_app::{Config, ReplayReport, ReplayedBy, ReplayedQuestion, replay};
use toolwright_core::{plural, printable, truncate_line};

use super::models;
use crate::{
    args::ReplayArgs,
    error::Result,
    exit::Exit,
    style::{BOLD, DIM, END, ERROR, GOOD, WARN, line, out},
};

pub(crate) async fn run(config: &Config, args: &ReplayArgs, json: bool) -> Result<Exit> {
    let by = match args.model {
        Some(_) => ReplayedBy::Model,
        None => ReplayedBy::Recording,
    };
    if by == ReplayedBy::Model {
        models::ready(config).await?;
    }
    let store = super::store_to_read(config).await?;
    let id = store.find(&args.conversation).await?.id;
    let report = replay(config, &store, &id, by).await?;
    if json {
        out(&format!("{}\n", serde_json::to_string(&report)?))?;
    } else {
        report.questions.iter().try_for_each(show)?;
        tell(&report);
    }
    Ok(if report.same { Exit::Answered } else { Exit::Failed })
}

fn show(question: &ReplayedQuestion) -> Result {
    let asked = printable(&truncate_line(&question.question, 100)).into_owned();
    out(&format!("{BOLD}› {asked}{END}\n"))?;
    if question.differences.is_empty() {
        let calls = question.calls as u64;
        let mut same = format!("{calls} {}", plural(calls, "call", "calls"));
        if question.refusals > 0 {
            same.push_str(&format!(" ({} refused)", question.refusals));
        }
        let end = if question.answer.is_some() { "the answer" } else { "the failure" };
        out(&format!("  {GOOD}✓{END} the same: {same}, {end}\n"))?;
    }
    for difference in &question.differences {
        out(&format!("  {ERROR}✗{END} {}\n", printable(&difference.message)))?;
    }
    Ok(())
}

fn tell(report: &ReplayReport) {
    let asked = report.questions.len();
    let same = report.questions.iter().filter(|it| it.differences.is_empty()).count();
    let word = plural(asked as u64, "question", "questions");
    let who = match report.model == report.recorded_model {
        true => format!("as {} answered", report.model),
        false => format!("{} in the place of {}", report.model, report.recorded_model),
    };
    line(&format!("{DIM}{same} of {asked} {word} went the same, {}.{END}", printable(&who)));
    if report.stand_ins > 0 {
        let calls = report.stand_ins as u64;
        let word = plural(calls, "call is", "calls are");
        line(&format!("{WARN}{calls} {word} not in the log{END}: no tool was run for them."));
    }
}
