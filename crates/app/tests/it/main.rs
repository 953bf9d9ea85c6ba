//! Tasks as files, packs by their trait alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod names;
mod prompts;

use std::path::Path;

use toolwright_app::{Config, Flags, PackRegistry};

/// The packs that come with the program.
fn packs() -> PackRegistry {
    PackRegistry::new()
        .with(toolwright_demo::DemoPack)
        .with(toolwright_market::MarketPack)
        .with(toolwright_watch::WatchPack)
        .with(toolwright_workspace::WorkspacePack)
}

/// Settings of nobody's but the test's.
fn config(data: &Path, task: &str) -> Config {
    let file = data.join("toolwright.toml");
    std::fs::write(&file, "").unwrap();
    let flags = Flags {
        data: Some(data.to_owned()),
        config: Some(file),
        task: Some(task.to_owned()),
        ..Flags::default()
    };
    let zone = |name: &str| (name == "TOOLWRIGHT_TIME_ZONE").then(|| "Europe/Berlin".to_owned());
    Config::load_from(&packs(), &flags, &zone).unwrap()
}
