//! `toolwright server sessions`: the browsers that were let in, and signing them out.

use serde_json::json;
use toolwright_app::Config;
use toolwright_core::{Timestamp, truncate_line};
use toolwright_server::{
    BrowserSession, BrowserSessions, LinkedBrowser, LinkedBrowsers, SignedInBrowser,
    SignedInBrowsers,
};
use toolwright_store::{Store, StoreLocation};

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
    let is_reading = matches!(command, None | Some(SessionsCommand::List));
    let kept = Kept::of(config, is_reading).await?;
    match command {
        None | Some(SessionsCommand::List) => {
            // Servers that share a database know those that are in it, and none of a file's.
            let sessions = if kept.is_shared() { Vec::new() } else { sessions.list()? };
            let entries = sessions.iter().map(linked).chain(kept.entries().await?);
            show(entries.collect(), "No browser is known.", json)?;
        }
        Some(SessionsCommand::Revoke { id: Some(id), .. }) => {
            if !kept.revoke(id).await? && !sessions.revoke(id)? {
                let message = format!("no browser is known as `{id}`");
                return Err(unknown(
                    message,
                    "`toolwright server sessions` lists them with their ids",
                ));
            }
            line(&format!("{DIM}Signed out. That browser needs a new link now.{END}"));
        }
        Some(SessionsCommand::Revoke { id: None, .. }) => {
            let count = sessions.revoke_all()? + kept.revoke_all().await?;
            line(&format!("{DIM}Browsers signed out: {count}. They need new links now.{END}"));
        }
    }
    Ok(Exit::Answered)
}

/// The browsers that are kept in the database: those of people who signed in, and, where servers share it, those
/// that followed a link.
struct Kept {
    signed_in: Option<SignedInBrowsers>,
    linked: Option<LinkedBrowsers>,
}

impl Kept {
    async fn of(config: &Config, is_reading: bool) -> Result<Self> {
        let is_shared = matches!(config.location(), StoreLocation::Postgres(_));
        let are_people = config.server.identity.value.is_used();
        // A file that has none is not opened.
        let store: Option<Store> = match is_shared || are_people {
            true if is_reading => Some(store_to_read(config).await?),
            true => Some(config.open_store().await?),
            false => None,
        };
        let store = store.as_ref();
        Ok(Self {
            signed_in: store.filter(|_| are_people).map(SignedInBrowsers::of),
            linked: store.filter(|_| is_shared).map(LinkedBrowsers::of),
        })
    }

    fn is_shared(&self) -> bool {
        self.linked.is_some()
    }

    async fn people(&self) -> Result<Vec<SignedInBrowser>> {
        match &self.signed_in {
            Some(browsers) => Ok(browsers.list().await?),
            None => Ok(Vec::new()),
        }
    }

    async fn linked(&self) -> Result<Vec<LinkedBrowser>> {
        match &self.linked {
            Some(browsers) => Ok(browsers.list().await?),
            None => Ok(Vec::new()),
        }
    }

    async fn entries(&self) -> Result<Vec<Entry>> {
        let (linked, people) = (self.linked().await?, self.people().await?);
        Ok(linked.iter().map(shared).chain(people.iter().map(person)).collect())
    }

    async fn revoke(&self, id: &str) -> Result<bool> {
        let is_person = match &self.signed_in {
            Some(browsers) => browsers.revoke(id).await?,
            None => false,
        };
        let is_linked = match &self.linked {
            Some(browsers) => browsers.revoke(id).await?,
            None => false,
        };
        Ok(is_person || is_linked)
    }

    async fn revoke_all(&self) -> Result<usize> {
        let (linked, people) = (self.linked().await?, self.people().await?);
        let ids = linked.into_iter().map(|it| it.id).chain(people.into_iter().map(|it| it.id));
        let mut count = 0;
        for id in ids {
            count += usize::from(self.revoke(&id).await?);
        }
        Ok(count)
    }
}

/// A browser that followed a link of one of several servers.
fn shared(it: &LinkedBrowser) -> Entry {
    let json = json!({"id": it.id, "created": it.created_at.0 / 1000, "used": it.used_at.0 / 1000,
        "agent": it.agent});
    let (used, agent) = (time::ago(it.used_at), truncate_line(&it.agent, usize::MAX));
    Entry { json, line: format!("{}  last here: {used}  {DIM}{agent}{END}", it.id) }
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
