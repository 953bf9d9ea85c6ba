//! Runs the real model, which is fetched from the package index once.
//! Tests are named after the statement they prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod engine;
mod files;
#[path = "../prompts/golden.rs"]
mod golden_prompts;
mod offline;
mod pointing;
mod tokens;

use std::{
    env,
    path::PathBuf,
    sync::{LazyLock, OnceLock},
};

use serde::de::DeserializeOwned;
use toolwright_fetch::Indexes;
use toolwright_offline::{Offline, engine::Llama, pull, pulled, tokens::Tokenizer, weights::Gguf};

/// Where the weights are, which are fetched once for all tests.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let beside = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("offline");
        let folder = env::var_os("TOOLWRIGHT_OFFLINE_MODEL").map_or_else(beside, PathBuf::from);
        pull(&folder, &indexes(), &mut |_, _| {}).expect("the weights can be fetched");
        folder
    })
}

/// Those that this machine is set up for.
fn indexes() -> Indexes {
    Indexes::configured(None).unwrap()
}

/// The weights without an adapter.
static BARE: LazyLock<(Llama, Tokenizer)> = LazyLock::new(|| {
    let gguf = Gguf::open(pulled(folder()).unwrap()).unwrap();
    (Llama::new(&gguf, None).unwrap(), Tokenizer::new(&gguf).unwrap())
});

/// The model that people get.
static OFFLINE: LazyLock<Offline> = LazyLock::new(|| Offline::open(folder()).unwrap());

fn golden<T: DeserializeOwned>(name: &str) -> T {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}
