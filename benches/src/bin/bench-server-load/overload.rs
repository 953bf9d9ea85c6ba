//! More who ask at the same moment than there is room for.

use std::{sync::Arc, time::Instant};

use anyhow::{Result, ensure};
use tokio::{sync::Barrier, task::JoinSet};

use crate::{
    active::watch,
    bench::Bench,
    figures::{Spread, row},
    http::{Connection, Door},
    model::Pace,
    server::{Bounds, Server},
};

/// Runs that last longer than it takes to refuse the others: five seconds.
const PACE: Pace = Pace { tokens: 100, apart: 50 };

/// What became of a request.
enum Fate {
    /// A run, and how many ends it was told of.
    Run(usize),
    /// An answer after so many milliseconds.
    Answer(f64),
    /// A refusal after so many milliseconds that says when to come back.
    Refusal(f64),
}

pub(crate) async fn measure(bench: &Bench) -> Result<()> {
    let (count, runs) = (bench.many(1_000), bench.many(50));
    let server = Server::start(bench, Bounds { runs }).await?;
    let short = all_at_once(&server.door, &server.door.get("/api/health"), count).await?;
    let short = short.iter().filter_map(|it| match it {
        Fate::Answer(took) => Some(*took),
        _ => None,
    });
    let short = Spread::new(short.collect());
    row(
        &format!("{count} × `GET /api/health` at once, for comparison"),
        &format!("{short} ms"),
        "",
    );

    let fates = all_at_once(&server.door, &server.door.ask(PACE), count).await?;
    let memory = server.memory()? / 1024.0;
    let ended = fates.iter().filter(|it| matches!(it, Fate::Run(1))).count();
    let refused = fates.iter().filter_map(|it| match it {
        Fate::Refusal(took) => Some(*took),
        _ => None,
    });
    let refused = Spread::new(refused.collect());
    row(
        &format!("{count} questions at once, room for {runs}"),
        &format!("{ended} answered to the end, {} told when to come back", refused.len()),
        "none lost",
    );
    row("the others are refused", &format!("{refused} ms"), "p99 ≤ 50 ms");
    row("memory afterwards", &format!("{memory:.0} MiB"), "≤ 1 GiB");
    let again = all_at_once(&server.door, &server.door.ask(Pace::AT_ONCE), 1).await?;
    ensure!(matches!(again.as_slice(), [Fate::Run(1)]), "afterwards there was no room");
    server.stop().await
}

/// The same from many, each with a connection that is there already.
async fn all_at_once(door: &Door, request: &[u8], count: usize) -> Result<Vec<Fate>> {
    let mut tasks = JoinSet::new();
    let barrier = Arc::new(Barrier::new(count));
    for _ in 0..count {
        let connection = Connection::open(door.address).await?;
        tasks.spawn(ask(connection, request.to_vec(), barrier.clone()));
    }
    tasks.join_all().await.into_iter().collect()
}

async fn ask(mut connection: Connection, request: Vec<u8>, barrier: Arc<Barrier>) -> Result<Fate> {
    barrier.wait().await;
    let start = Instant::now();
    connection.send(&request).await?;
    let head = connection.head().await?;
    let took = start.elapsed().as_secs_f64() * 1e3;
    match head.status {
        200 if head.conversation.is_some() => Ok(Fate::Run(watch(connection, &head).await?.ends)),
        200 => Ok(Fate::Answer(took)),
        429 if head.retry_after.is_some() => Ok(Fate::Refusal(took)),
        status => anyhow::bail!("a request was answered with {status}"),
    }
}
