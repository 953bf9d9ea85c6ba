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
    at_home(data, task, None)
}

/// As [`config`], for somebody whose home this is.
fn at_home(data: &Path, task: &str, home: Option<&Path>) -> Config {
    let file = data.join("toolwright.toml");
    std::fs::write(&file, "").unwrap();
    let flags = Flags {
        data: Some(data.to_owned()),
        config: Some(file),
        task: Some(task.to_owned()),
        ..Flags::default()
    };
    let env = |name: &str| match name {
        "TOOLWRIGHT_TIME_ZONE" => Some("Europe/Berlin".to_owned()),
        "HOME" => home.map(|it| it.to_str().unwrap().to_owned()),
        _ => None,
    };
    Config::load_from(&packs(), &flags, &env).unwrap()
}
