//! `toolwright models test` and `models add`: a model, asked for one word and for one call, and written into the
//! config file.

use std::io;

use serde_json::json;
use toolwright_app::{
    CheckedThing, Config, ModelCheck, ModelConnection, StepOutcome,
    config::{ProviderEntry, Readers, Secret, SettingsFile, set_model},
};
use toolwright_core::truncate_line;

use crate::{
    args::ModelsAddArgs,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, ERROR, GOOD, line, out},
};

/// The longest key.
const KEY: u64 = 4096;

/// Tests a model that is configured.
pub(crate) async fn test(config: &Config, name: Option<&str>, json: bool) -> Result<Exit> {
    let Some(name) = name.or_else(|| config.model.names().next()) else {
        return Err(CommandError::unusable("no model is configured")
            .with_advice("name one: `toolwright models test PROVIDER:NAME`")
            .into());
    };
    let check = ModelCheck::of(config.endpoint(name)?).await;
    show(name, &check, json)?;
    Ok(if check.answers() { Exit::Answered } else { Exit::Failed })
}

/// Tests a model, and has it answer from now on.
pub(crate) async fn add(config: &Config, args: &ModelsAddArgs, json: bool) -> Result<Exit> {
    let api = args.api.as_deref().map(|it| it.parse().map_err(CommandError::unusable));
    let connection = ModelConnection {
        provider: args.provider.clone(),
        base_url: args.base_url.clone(),
        api: api.transpose()?,
        api_key: if args.key_stdin { Some(key()?) } else { None },
        model: Some(args.model.clone()),
    };
    connection.check(config)?;
    let (name, endpoint) = (connection.name(), connection.endpoint(config)?);
    if !args.untested {
        let check = ModelCheck::of(endpoint).await;
        show(&name, &check, json)?;
        if !check.answers() {
            line(&format!("{DIM}Nothing was written; --untested saves it all the same.{END}"));
            return Ok(Exit::Failed);
        }
    }
    let readers = match connection.api_key {
        Some(_) => Readers::Owner,
        None => Readers::AsBefore,
    };
    let ModelConnection { provider, base_url, api, api_key, .. } = connection;
    let file = SettingsFile::of(config)?;
    let again = || config.reread(&config.flags_without_model());
    file.change_if(
        readers,
        |document| {
            ProviderEntry { base_url, api, api_key }.add(document, &provider);
            set_model(document, std::slice::from_ref(&name));
            Ok(())
        },
        again,
    )?;
    line(&format!("{GOOD}✓{END} {name} answers from now on ({})", file.path().display()));
    Ok(Exit::Answered)
}

/// The key, as it comes: it is in no list of programs, and in no history of a shell.
fn key() -> Result<Secret> {
    let bytes = toolwright_files::read_stream(io::stdin().lock(), KEY)?;
    let text = String::from_utf8(bytes).unwrap_or_default();
    let key = text.lines().next().unwrap_or_default().trim();
    match key.is_empty() {
        false => Ok(Secret::new(key)),
        true => Err(CommandError::unusable("there is no key on standard input")
            .with_advice("pass it in: `printenv KEY | toolwright models add … --key-stdin`")
            .into()),
    }
}

fn show(name: &str, check: &ModelCheck, json: bool) -> Result {
    if json {
        let told = json!({"name": name, "answers": check.answers(), "steps": check.steps,
            "models": check.models});
        out(&format!("{told}\n"))?;
        return Ok(());
    }
    for step in &check.steps {
        let (what, sign) = (what(step.step), sign(step.outcome));
        let time = step.elapsed_ms.map(|it| format!(" {DIM}{it} ms{END}")).unwrap_or_default();
        let says = step.says.as_ref().map(|it| format!(": {}", truncate_line(it, 500)));
        out(&format!("{sign} {what}{}{time}\n", says.unwrap_or_default()))?;
        if let Some(advice) = &step.advice {
            out(&format!("  {DIM}{}{END}\n", truncate_line(advice, 500)))?;
        }
    }
    Ok(())
}

fn what(thing: CheckedThing) -> &'static str {
    match thing {
        CheckedThing::Address => "the address answers",
        CheckedThing::Key => "the key is accepted",
        CheckedThing::Model => "the model is there",
        CheckedThing::Answer => "it answers",
        _ => "it calls tools",
    }
}

fn sign(outcome: StepOutcome) -> String {
    match outcome {
        StepOutcome::Passed => format!("{GOOD}✓{END}"),
        StepOutcome::Failed => format!("{ERROR}✗{END}"),
        StepOutcome::Skipped => format!("{DIM}-{END}"),
    }
}
