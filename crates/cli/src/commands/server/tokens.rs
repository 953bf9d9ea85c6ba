//! `toolwright tokens`: what lets programs and people in by name, at every server that shares the database.

use serde_json::json;
use toolwright_app::Config;
use toolwright_core::{Timestamp, printable};
use toolwright_server::{AddedToken, NamedToken, NamedTokens, NewToken, Scope};
use toolwright_store::Store;

use super::listing::{Entry, show, unknown};
use crate::{
    args::{TokenAddArgs, TokensCommand},
    commands::store_to_read,
    error::Result,
    exit::Exit,
    style::{DIM, END, WARN, line, out},
    time,
};

pub(crate) async fn run(
    config: &Config,
    command: Option<&TokensCommand>,
    json: bool,
) -> Result<Exit> {
    let store = match command {
        None | Some(TokensCommand::List) => store_to_read(config).await?,
        Some(_) => config.open_store().await?,
    };
    let tokens = NamedTokens::of(&store);
    match command {
        None | Some(TokensCommand::List) => {
            let entries = tokens.list().await?.iter().map(entry).collect();
            show(entries, "There are no tokens with names.", json)?;
        }
        Some(TokensCommand::Add(args)) => add(&tokens, args, json).await?,
        Some(TokensCommand::Remove { name, stop }) => remove(&store, name, *stop).await?,
    }
    Ok(Exit::Answered)
}

async fn remove(store: &Store, name: &str, stop: bool) -> Result {
    // Who drives what is in a file hears nothing from here, and nobody is to think that it was stopped.
    if stop && !store.is_shared() {
        return Err(unknown(
            "runs can be stopped from here only where servers share a PostgreSQL".to_owned(),
            "remove it without --stop, and stop what goes on there on the page, or restart the server",
        ));
    }
    let tokens = NamedTokens::of(store);
    let Some(owner) = tokens.remove(name).await? else {
        return Err(unknown(
            format!("there is no token `{name}`"),
            "`toolwright tokens list` lists them",
        ));
    };
    line(&format!(
        "{DIM}Removed. Every server that shares the database refuses it within seconds.{END}"
    ));
    if stop {
        // Those that it begins in these seconds are found, too: a request that was let in has begun its run by then.
        tokio::time::sleep(NamedTokens::NOTICED).await;
        let stopped = tokens.stop_runs_of(&owner).await?;
        line(&format!("{DIM}Runs that are being stopped: {stopped}.{END}"));
    } else {
        line(&format!(
            "{DIM}What was begun with it goes on to its end; admins can stop it on the page.{END}"
        ));
    }
    Ok(())
}

async fn add(tokens: &NamedTokens, args: &TokenAddArgs, json: bool) -> Result {
    for name in [Some(&args.name), args.person.as_ref()].into_iter().flatten() {
        if !NamedTokens::is_name(name) {
            let message = format!("`{}` is no name", printable(name));
            let advice =
                "use 1 to 64 characters, without blanks and without any that cannot be seen";
            return Err(unknown(message, advice));
        }
    }
    let scopes = args.scope.parse();
    let scopes = scopes
        .map_err(|reason: String| unknown(reason, "name some of them: `--scope ask,decide`"))?;
    let wanted = NewToken {
        name: args.name.clone(),
        scopes,
        person: args.person.clone(),
        life: args.expires,
        take_over: args.take_over,
    };
    let secret = match tokens.add(&wanted).await? {
        AddedToken::Made(secret) => secret,
        AddedToken::Taken => {
            let message = format!("there is a token `{}` already", args.name);
            return Err(unknown(message, "remove it first, or take another name"));
        }
        AddedToken::Known => {
            let message = format!(
                "there was a token `{}`, and its conversations are still there: whoever has the new one would have them",
                args.name
            );
            return Err(unknown(
                message,
                "take another name, or add --take-over where that is meant",
            ));
        }
    };
    if !scopes.has(Scope::Ask) {
        line(&format!(
            "{WARN}!{END} it may not ask: with it no conversation can be listed, read or followed, so nobody sees what there is \
             to decide. What to do: remove it, and make it with `--scope ask,decide`."
        ));
    }
    if json {
        let told = json!({"name": args.name, "token": secret, "scopes": scopes.names()});
        return Ok(out(&format!("{told}\n"))?);
    }
    out(&format!("{secret}\n"))?;
    line(&format!(
        "{DIM}It is shown this once. Send it as `Authorization: Bearer …`; it may: {scopes}.{END}"
    ));
    Ok(())
}

fn entry(it: &NamedToken) -> Entry {
    let json = json!({"name": it.name, "owner": it.owner, "scopes": it.scopes.names(),
        "created_at": it.created_at, "used_at": it.used_at, "expires_at": it.expires_at});
    let used = it.used_at.map_or_else(|| "never".to_owned(), time::ago);
    let ends = it.expires_at.map(|end| format!("  {DIM}ends in {}{END}", until(end)));
    let owner = it.owner.strip_prefix("user:").map(|name| format!("  for {name}"));
    let (owner, ends) = (owner.unwrap_or_default(), ends.unwrap_or_default());
    Entry { json, line: format!("{}  {}{owner}  last used: {used}{ends}", it.name, it.scopes) }
}

/// How long from now.
fn until(end: Timestamp) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
    toolwright_duration::ahead(std::time::Duration::from_millis(end.0.saturating_sub(now)))
}
