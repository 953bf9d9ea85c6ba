//! `toolwright tokens`: what lets programs and people in by name, at every server that shares the database.

use serde_json::json;
use toolwright_app::Config;
use toolwright_core::Timestamp;
use toolwright_server::{NamedToken, NamedTokens};

use crate::{
    args::{TokenAddArgs, TokensCommand},
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line, out},
    time,
};

pub(crate) async fn run(
    config: &Config,
    command: Option<&TokensCommand>,
    json: bool,
) -> Result<Exit> {
    let tokens = NamedTokens::of(&config.open_store().await?);
    match command {
        None | Some(TokensCommand::List) => list(&tokens.list().await?, json)?,
        Some(TokensCommand::Add(args)) => add(&tokens, args, json).await?,
        Some(TokensCommand::Remove { name }) => {
            if !tokens.remove(name).await? {
                let message = format!("there is no token `{name}`");
                let advice = "`toolwright tokens list` lists them";
                return Err(CommandError::unusable(message).with_advice(advice).into());
            }
            line(&format!(
                "{DIM}Removed. Every server that shares the database refuses it within seconds.{END}"
            ));
        }
    }
    Ok(Exit::Answered)
}

async fn add(tokens: &NamedTokens, args: &TokenAddArgs, json: bool) -> Result {
    let unusable = |message: String, advice: &'static str| {
        CommandError::unusable(message).with_advice(advice).into()
    };
    for name in [Some(&args.name), args.person.as_ref()].into_iter().flatten() {
        if !NamedTokens::is_name(name) {
            let message = format!("`{}` is no name", name.escape_debug());
            return Err(unusable(message, "use 1 to 64 characters, without blanks"));
        }
    }
    let scopes = args.scope.parse();
    let scopes = scopes
        .map_err(|reason: String| unusable(reason, "name some of them: `--scope ask,decide`"))?;
    let made = tokens.add(&args.name, scopes, args.person.as_deref(), args.expires).await?;
    let Some(secret) = made else {
        let message = format!("there is a token `{}` already", args.name);
        return Err(unusable(message, "remove it first, or take another name"));
    };
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

fn list(tokens: &[NamedToken], json: bool) -> Result {
    if json {
        let all: Vec<_> = tokens
            .iter()
            .map(|it| {
                json!({"name": it.name, "owner": it.owner, "scopes": it.scopes.names(),
                    "created_at": it.created_at, "used_at": it.used_at, "expires_at": it.expires_at})
            })
            .collect();
        return Ok(out(&format!("{}\n", serde_json::to_string_pretty(&all)?))?);
    }
    if tokens.is_empty() {
        line(&format!("{DIM}There are no tokens with names.{END}"));
    }
    for it in tokens {
        let used = it.used_at.map_or_else(|| "never".to_owned(), time::ago);
        let ends = it.expires_at.map(|end| format!("  {DIM}ends in {}{END}", until(end)));
        let owner = it.owner.strip_prefix("user:").map(|name| format!("  for {name}"));
        out(&format!(
            "{}  {}{}  last used: {used}{}\n",
            it.name,
            it.scopes,
            owner.unwrap_or_default(),
            ends.unwrap_or_default(),
        ))?;
    }
    Ok(())
}

/// How long from now.
fn until(end: Timestamp) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
    toolwright_duration::ahead(std::time::Duration::from_millis(end.0.saturating_sub(now)))
}
