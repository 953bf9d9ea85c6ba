//! `toolwright server sessions`: the browsers that were let in, and signing them out.

use serde_json::json;
use toolwright_app::Config;
use toolwright_core::{Timestamp, truncate_line};
use toolwright_server::{BrowserSession, BrowserSessions, SignedInBrowser, SignedInBrowsers};

use super::{
    folder,
    listing::{Entry, show, unknown},
};
use crate::{
    args::SessionsCommand,
    commands::store_to_read,
    error::Result,
    exit::Exit,
    style::{DIM, END, line},
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
        true => Some(SignedInBrowsers::of(&match command {
            None | Some(SessionsCommand::List) => store_to_read(config).await?,
            Some(_) => config.open_store().await?,
        })),
        false => None,
    };
    let known = match &signed_in {
        Some(browsers) => browsers.list().await?,
        None => Vec::new(),
    };
    match command {
        None | Some(SessionsCommand::List) => {
            let sessions = sessions.list()?;
            let entries = sessions.iter().map(linked).chain(known.iter().map(person));
            show(entries.collect(), "No browser is known.", json)?;
        }
        Some(SessionsCommand::Revoke { id: Some(id), .. }) => {
            let is_person = match &signed_in {
                Some(browsers) => browsers.revoke(id).await?,
                None => false,
            };
            if !is_person && !sessions.revoke(id)? {
                let message = format!("no browser is known as `{id}`");
                return Err(unknown(
                    message,
                    "`toolwright server sessions` lists them with their ids",
                ));
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

/// A browser that followed a link.
fn linked(it: &BrowserSession) -> Entry {
    let json = json!({"id": it.id, "port": it.port, "created": it.created, "used": it.used,
        "agent": it.agent});
    let (used, agent) =
        (time::ago(Timestamp(it.used * 1000)), truncate_line(&it.agent, usize::MAX));
    Entry { json, line: format!("{}  :{}  last here: {used}  {DIM}{agent}{END}", it.id, it.port) }
}

/// A browser in which somebody signed in.
fn person(it: &SignedInBrowser) -> Entry {
    let json = json!({"id": it.id, "name": it.name, "owner": it.owner,
        "created": it.created_at.0 / 1000, "used": it.used_at.0 / 1000});
    let (used, name) = (time::ago(it.used_at), truncate_line(&it.name, usize::MAX));
    Entry { json, line: format!("{}  {name}  last here: {used}  {DIM}{}{END}", it.id, it.owner) }
}
