//! `toolwright server sessions`: the browsers that were let in, and signing them out.

use serde_json::json;
use toolwright_app::Config;
use toolwright_core::{Timestamp, truncate_line};
use toolwright_server::{BrowserSession, BrowserSessions, SignedInBrowser, SignedInBrowsers};

use super::folder;
use crate::{
    args::SessionsCommand,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line, out},
    time,
};

pub(crate) async fn run(
    config: &Config,
    command: Option<&SessionsCommand>,
    json: bool,
) -> Result<Exit> {
    let sessions = BrowserSessions::in_folder(&folder(config));
    // Where people sign in, their browsers are in the database.
    let signed_in = match config.server.identity.value.is_used() {
        true => Some(SignedInBrowsers::of(&config.open_store().await?)),
        false => None,
    };
    let known = match &signed_in {
        Some(browsers) => browsers.list().await?,
        None => Vec::new(),
    };
    match command {
        None | Some(SessionsCommand::List) => list(&sessions.list()?, &known, json)?,
        Some(SessionsCommand::Revoke { id: Some(id), .. }) => {
            let is_person = match &signed_in {
                Some(browsers) => browsers.revoke(id).await?,
                None => false,
            };
            if !is_person && !sessions.revoke(id)? {
                let message = format!("no browser is known as `{id}`");
                let advice = "`toolwright server sessions` lists them with their ids";
                return Err(CommandError::unusable(message).with_advice(advice).into());
            }
            line(&format!("{DIM}Signed out. That browser needs a new link now.{END}"));
        }
        Some(SessionsCommand::Revoke { id: None, .. }) => {
            let mut count = sessions.revoke_all()?;
            if let Some(browsers) = &signed_in {
                for it in &known {
                    count += usize::from(browsers.revoke(&it.id).await?);
                }
            }
            line(&format!("{DIM}Browsers signed out: {count}. They need new links now.{END}"));
        }
    }
    Ok(Exit::Answered)
}

fn list(sessions: &[BrowserSession], known: &[SignedInBrowser], json: bool) -> Result {
    if json {
        let people = known.iter().map(|it| {
            json!({"id": it.id, "name": it.name, "owner": it.owner,
                "created": it.created_at.0 / 1000, "used": it.used_at.0 / 1000})
        });
        let all: Vec<_> = sessions
            .iter()
            .map(|it| {
                json!({"id": it.id, "port": it.port, "created": it.created, "used": it.used,
                    "agent": it.agent})
            })
            .chain(people)
            .collect();
        return Ok(out(&format!("{}\n", serde_json::to_string_pretty(&all)?))?);
    }
    if sessions.is_empty() && known.is_empty() {
        line(&format!("{DIM}No browser is known.{END}"));
    }
    for it in sessions {
        let (used, agent) =
            (time::ago(Timestamp(it.used * 1000)), truncate_line(&it.agent, usize::MAX));
        out(&format!("{}  :{}  last here: {used}  {DIM}{agent}{END}\n", it.id, it.port))?;
    }
    for it in known {
        let (used, name) = (time::ago(it.used_at), truncate_line(&it.name, usize::MAX));
        out(&format!("{}  {name}  last here: {used}  {DIM}{}{END}\n", it.id, it.owner))?;
    }
    Ok(())
}
