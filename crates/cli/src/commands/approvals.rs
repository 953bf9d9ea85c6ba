//! `toolwright approvals`: what was approved with "always", and taking it back.

use toolwright_app::{ApprovalRules, Config, GivenRule};
use toolwright_core::truncate_line;

use super::store_to_read;
use crate::{
    args::ApprovalsCommand,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line, out},
};

pub(crate) async fn run(
    config: &Config,
    command: Option<&ApprovalsCommand>,
    json: bool,
) -> Result<Exit> {
    let store = match command {
        None | Some(ApprovalsCommand::List) => store_to_read(config).await?,
        Some(_) => config.open_store().await?,
    };
    let rules = ApprovalRules::open(config, &store).await?;
    match command {
        None | Some(ApprovalsCommand::List) => list(&rules.given().await?, json)?,
        Some(ApprovalsCommand::Remove { number }) => {
            let Some(rule) = rules.take_back(*number).await? else {
                let message = format!("there is no approval {number}");
                let advice = "`toolwright approvals` lists them with their numbers";
                return Err(CommandError::unusable(message).with_advice(advice).into());
            };
            line(&format!("{DIM}Taken back:{END} {rule}"));
        }
        Some(ApprovalsCommand::Clear) => {
            rules.clear().await?;
            line(&format!("{DIM}All approvals were taken back.{END}"));
        }
    }
    Ok(Exit::Answered)
}

fn list(rules: &[GivenRule], json: bool) -> Result {
    if json {
        return Ok(out(&format!("{}\n", serde_json::to_string_pretty(&rules)?))?);
    }
    if rules.is_empty() {
        line(&format!("{DIM}Nothing is approved for good.{END}"));
    }
    for rule in rules {
        let (number, text) = (rule.number, rule.to_string());
        out(&format!("{number:>3}  {}\n", truncate_line(&text, usize::MAX)))?;
    }
    Ok(())
}
