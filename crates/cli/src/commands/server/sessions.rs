//! `toolwright server sessions`: the browsers that were let in, and signing them out.

use serde_json::json;
use toolwright_app::Config;
use toolwright_core::{Timestamp, truncate_line};
use toolwright_server::{BrowserSession, BrowserSessions};

use super::folder;
use crate::{
    args::SessionsCommand,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line, out},
    time,
};

pub(crate) fn run(config: &Config, command: Option<&SessionsCommand>, json: bool) -> Result<Exit> {
    let sessions = BrowserSessions::in_folder(&folder(config));
    match command {
        None | Some(SessionsCommand::List) => list(&sessions.list()?, json)?,
        Some(SessionsCommand::Revoke { id: Some(id), .. }) => {
            if !sessions.revoke(id)? {
                let message = format!("no browser is known as `{id}`");
                let advice = "`toolwright server sessions` lists them with their ids";
                return Err(CommandError::unusable(message).with_advice(advice).into());
            }
            line(&format!("{DIM}Signed out. That browser needs a new link now.{END}"));
        }
        Some(SessionsCommand::Revoke { id: None, .. }) => {
            let count = sessions.revoke_all()?;
            line(&format!("{DIM}Browsers signed out: {count}. They need new links now.{END}"));
        }
    }
    Ok(Exit::Answered)
}

fn list(sessions: &[BrowserSession], json: bool) -> Result {
    if json {
        let all: Vec<_> = sessions
            .iter()
            .map(|it| {
                json!({"id": it.id, "port": it.port, "created": it.created, "used": it.used,
                    "agent": it.agent})
            })
            .collect();
        return Ok(out(&format!("{}\n", serde_json::to_string_pretty(&all)?))?);
    }
    if sessions.is_empty() {
        line(&format!("{DIM}No browser is known.{END}"));
    }
    for it in sessions {
        let (used, agent) =
            (time::ago(Timestamp(it.used * 1000)), truncate_line(&it.agent, usize::MAX));
        out(&format!("{}  :{}  last here: {used}  {DIM}{agent}{END}\n", it.id, it.port))?;
    }
    Ok(())
}
