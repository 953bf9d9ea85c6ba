//! [`Bench`]: what all parts share: the program, its data, the model, and how much of everything.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;

use crate::{
    figures::{Spread, row},
    http::Connection,
    model::{self, Model, Pace},
    server::{Bounds, Server},
};

/// What all parts share.
pub(crate) struct Bench {
    pub(crate) program: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) model: Model,
    scale: f64,
    /// Conversations that were held, and ended.
    held: Vec<String>,
}

/// How many connections ask while conversations are made.
const ASKING: usize = 64;

impl Bench {
    pub(crate) async fn new(program: PathBuf, scale: f64) -> Result<Self> {
        let program = program.canonicalize().with_context(|| {
            format!("{} is not built: cargo build --release -p toolwright-cli", program.display())
        })?;
        let folder = std::path::absolute(Path::new("target/bench-server-load"))?;
        // What is left of a run that was cut short.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        Ok(Self { program, folder, model: model::start().await?, scale, held: Vec::new() })
    }

    /// As many, or the share of it that was asked for.
    pub(crate) fn many(&self, full: usize) -> usize {
        ((full as f64 * self.scale).round() as usize).max(1)
    }

    pub(crate) async fn serve(&self) -> Result<Server> {
        Server::start(self, Bounds::WIDE).await
    }

    /// Conversations that were held, and ended: made with short runs where there are too few.
    pub(crate) async fn conversations(&mut self, count: usize) -> Result<Vec<String>> {
        let missing = count.saturating_sub(self.held.len());
        if missing > 0 {
            let server = self.serve().await?;
            let each = missing.div_ceil(ASKING);
            let start = Instant::now();
            let made = try_join_all((0..ASKING).map(|_| hold(&server, each))).await?;
            let took = start.elapsed().as_secs_f64();
            let (ids, times): (Vec<_>, Vec<_>) = made.into_iter().flatten().unzip();
            let rate = ids.len() as f64 / took;
            let times = Spread::new(times);
            let asked = ids.len();
            let measured = format!("{rate:.0} a second, {times} ms");
            row(&format!("{asked} short runs, {ASKING} at a time"), &measured, "≥ 500 a second");
            self.held.extend(ids);
            server.stop().await?;
        }
        Ok(self.held.iter().take(count).cloned().collect())
    }

    pub(crate) fn clear(self) -> Result<()> {
        Ok(fs::remove_dir_all(self.folder)?)
    }
}

/// Holds conversations one after the other: their names, and how many milliseconds each took.
async fn hold(server: &Server, count: usize) -> Result<Vec<(String, f64)>> {
    let mut connection = Connection::open(server.door.address).await?;
    let mut held = Vec::new();
    for _ in 0..count {
        let start = Instant::now();
        connection.send(&server.door.ask(Pace::AT_ONCE)).await?;
        let head = connection.head().await?;
        ensure!(head.status == 200, "a run was answered with {}", head.status);
        let told = connection.body(&head).await?;
        ensure!(memchr::memmem::find(&told, b"\"type\":\"done\"").is_some(), "a run had no end");
        let id = head.conversation.context("a run without a conversation")?;
        held.push((id, start.elapsed().as_secs_f64() * 1e3));
    }
    Ok(held)
}
