//! How many runs a second are kept durably: question, call, intent, result and answer each on the
//! disk before anything acts on them.
//!
//!     bench-durable FOLDER RUNS
//!
//! Both may be left out. The folder should be on the disk that is to be measured; `DATABASE_URL` measures a server too.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use futures_util::{StreamExt, stream};
use toolwright::{
    model::ModelResponse,
    prelude::*,
    run::{Call, new_conversation_id},
    store::{Store, StoreLocation},
    testing::FunctionModel,
};

/// Look something up.
#[tool(read_only, inline, manual)]
fn look() -> &'static str {
    "It is there."
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| "target/bench-durable".to_owned());
    let runs: usize = args.next().map_or(Ok(4_000), |it| it.parse()).context("RUNS is a number")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let syncs = syncs(folder)?;
    println!("one fsync after another: {syncs:.0} a second\n");
    println!("| a run with one call | at once | runs/s | p50 ms | p99 ms |");
    println!("|---|---|---|---|---|");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        row("not kept", 64, measure(None, 64, runs).await?);
        let file = folder.join("bench.db");
        let store = Store::open(&StoreLocation::Sqlite(file)).await?;
        row("SQLite", 1, measure(Some(&store), 1, 100).await?);
        row("SQLite", 64, measure(Some(&store), 64, runs).await?);
        row("SQLite", 256, measure(Some(&store), 256, runs).await?);
        if let Ok(url) = std::env::var("DATABASE_URL") {
            let store = Store::open(&StoreLocation::Postgres(url)).await?;
            row("PostgreSQL", 1, measure(Some(&store), 1, 100).await?);
            row("PostgreSQL", 64, measure(Some(&store), 64, runs).await?);
        }
        anyhow::Ok(())
    })?;
    Ok(std::fs::remove_dir_all(folder)?)
}

/// How often a second this disk confirms a write.
fn syncs(folder: &Path) -> Result<f64> {
    use std::io::Write;
    let mut file = std::fs::File::create(folder.join("sync"))?;
    let start = Instant::now();
    for _ in 0..100 {
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
    }
    Ok(100.0 / start.elapsed().as_secs_f64())
}

/// Time from start to end, and each run's own.
async fn measure(
    store: Option<&Store>,
    max_concurrent: usize,
    runs: usize,
) -> Result<(Duration, Vec<Duration>)> {
    let model = FunctionModel::new("bench:instant", |request| {
        let is_asked = request.conversation.results().next().is_none();
        Ok(if is_asked {
            ModelResponse::calls([Call::new("", "look", "{}")])
        } else {
            ModelResponse::text("It is there.")
        })
    });
    let agent = Agent::builder(model).tool(look::tool()).build()?;
    let start = Instant::now();
    let all = stream::iter(0..runs).map(|_| one(&agent, store)).buffer_unordered(max_concurrent);
    let mut times: Vec<Duration> =
        all.collect::<Vec<_>>().await.into_iter().collect::<Result<_>>()?;
    let elapsed = start.elapsed();
    times.sort_unstable();
    Ok((elapsed, times))
}

async fn one(agent: &Agent, store: Option<&Store>) -> Result<Duration> {
    let start = Instant::now();
    let id = new_conversation_id();
    let prepared = agent.prepare("Is it there?").conversation_id(id.clone());
    let mut running = match store {
        Some(store) => prepared.journal(store.acquire(&id).await?).start(),
        None => prepared.start(),
    };
    running.finish().await?;
    Ok(start.elapsed())
}

fn row(what: &str, max_concurrent: usize, (elapsed, times): (Duration, Vec<Duration>)) {
    let at = |share: usize| {
        let index = (times.len() * share / 100).min(times.len().saturating_sub(1));
        times.get(index).map_or(0.0, |it| it.as_secs_f64() * 1e3)
    };
    let rate = times.len() as f64 / elapsed.as_secs_f64();
    println!("| {what} | {max_concurrent} | {rate:.0} | {:.1} | {:.1} |", at(50), at(99));
}
