//! Runs the real model, which is fetched from the package index, and asks a real server.
//! Tests are named after the statement they prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod endpoint;
mod fetching;
mod local;
mod server;

use std::{env, path::PathBuf, sync::OnceLock};

use toolwright_embed::Local;
use toolwright_fetch::Indexes;

/// Where the model is, which is fetched once for all tests.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let beside = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("embed-model");
        let folder = env::var_os("TOOLWRIGHT_EMBED_MODEL").map_or_else(beside, PathBuf::from);
        Local::fetch(&folder, &indexes(), &mut |_, _| {}).expect("the model can be fetched");
        folder
    })
}

/// Those that this machine is set up for.
fn indexes() -> Indexes {
    Indexes::configured(None).unwrap()
}

fn model() -> &'static Local {
    static MODEL: OnceLock<Local> = OnceLock::new();
    MODEL.get_or_init(|| Local::open(folder()).unwrap())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
