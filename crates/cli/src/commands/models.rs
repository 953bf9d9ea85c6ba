//! `toolwright models`: what can answer, and what has to be fetched for it.

use serde_json::json;
use toolwright_app::{Config, ModelBackend, OfflineModel, OpenPacks, config::CassetteConfig};

use crate::{
    args::ModelsCommand,
    bar::Bar,
    error::{CommandError, Result},
    exit::Exit,
    style::{BOLD, DIM, END, line, out},
};

pub(crate) async fn run(
    config: &Config,
    command: Option<&ModelsCommand>,
    json: bool,
) -> Result<Exit> {
    match command {
        Some(ModelsCommand::Pull { .. }) => {
            pull(config).await?;
            let folder = config.offline_folder();
            out(&if json {
                format!("{}\n", json!({"model": "offline", "folder": folder}))
            } else {
                format!("The offline model is in {}.\n", folder.display())
            })?;
        }
        None => list(config, json)?,
    }
    Ok(Exit::Answered)
}

/// Fetches what the offline model needs, if it is what answers and something is missing.
pub(crate) async fn ready(config: &Config) -> Result {
    // What was recorded answers: nothing is needed for that.
    if config.cassette.as_ref().is_some_and(CassetteConfig::is_replayed) {
        return Ok(());
    }
    if let Ok(ModelBackend::Offline(model)) =
        ModelBackend::from_config(config, &OpenPacks::default())
        && model.missing().is_some()
    {
        line(&format!(
            "{DIM}No model is configured: the offline model answers. It is fetched once.{END}"
        ));
        pull(config).await?;
    }
    Ok(())
}

/// Fetches the offline model, and the one that finds tools for it.
async fn pull(config: &Config) -> Result {
    if let Some(licence) = OfflineModel::LICENCE {
        line(&format!("{DIM}{licence}{END}"));
    }
    let config = config.clone();
    let fetched = tokio::task::spawn_blocking(move || {
        let mut bar: Option<(&str, Bar)> = None;
        let fetched = OfflineModel::fetch(&config, &mut |what, done, all| {
            if bar.as_ref().is_none_or(|(of, _)| *of != what) {
                end(bar.replace((what, Bar::of_bytes(format!("fetching {what}")))));
            }
            if let Some((_, bar)) = &mut bar {
                bar.set(done, all);
            }
        });
        end(bar);
        fetched
    });
    Ok(fetched.await.map_err(CommandError::failed)??)
}

fn end(bar: Option<(&str, Bar)>) {
    if let Some((_, mut bar)) = bar {
        bar.end();
    }
}

fn list(config: &Config, json: bool) -> Result {
    let is_there = OfflineModel::is_fetched(config);
    let engine = ModelBackend::from_config(config, &OpenPacks::default())?;
    if json {
        let offline = json!({"fetched": is_there, "folder": config.offline_folder()});
        out(&format!("{}\n", json!({"answers": engine.name(), "offline": offline})))?;
        return Ok(());
    }
    let fetched =
        if is_there { "fetched" } else { "not fetched yet: toolwright models pull offline" };
    out(&format!(
        "{BOLD}{}{END} answers\n{DIM}offline  {fetched}\n         any other GGUF of the llama \
         architecture: --model offline:FILE{END}\n",
        engine.name()
    ))?;
    for model in config.packs().iter().flat_map(|pack| pack.info().models) {
        out(&format!("{DIM}{:<8} {}{END}\n", model.name, model.about))?;
    }
    Ok(())
}
