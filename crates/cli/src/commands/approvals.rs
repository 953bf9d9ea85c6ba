//! `toolwright approvals`: what was approved with "always", and taking it back.

use toolwright_app::{Config, SavedRules};
use toolwright_core::truncate_line;

use crate::{
    args::ApprovalsCommand,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line, out},
};

pub(crate) fn run(config: &Config, command: Option<&ApprovalsCommand>, json: bool) -> Result<Exit> {
    let kept = SavedRules::of(config);
    match command {
        None | Some(ApprovalsCommand::List) => list(&kept, json)?,
        Some(ApprovalsCommand::Remove { number }) => {
            let removed = match number.checked_sub(1) {
                Some(at) => kept.remove(at)?,
                None => None,
            };
            let Some(rule) = removed else {
                let message = format!("there is no approval {number}");
                let advice = "`toolwright approvals` lists them with their numbers";
                return Err(CommandError::unusable(message).with_advice(advice).into());
            };
            line(&format!("{DIM}Taken back:{END} {rule}"));
        }
        Some(ApprovalsCommand::Clear) => {
            kept.clear()?;
            line(&format!("{DIM}All approvals were taken back.{END}"));
        }
    }
    Ok(Exit::Answered)
}

fn list(kept: &SavedRules, json: bool) -> Result {
    let rules = kept.list()?;
    if json {
        return Ok(out(&format!("{}\n", serde_json::to_string_pretty(&rules)?))?);
    }
    if rules.is_empty() {
        line(&format!("{DIM}Nothing is approved for good.{END}"));
    }
    for (at, rule) in rules.iter().enumerate() {
        out(&format!("{:>3}  {}\n", at + 1, truncate_line(&rule.to_string(), usize::MAX)))?;
    }
    Ok(())
}
