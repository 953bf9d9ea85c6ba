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

/// What became of a question.
enum Fate {
    /// It was answered; this many ends were told.
    Answered(usize),
    /// It was refused after so many milliseconds, with or without a time to come back.
    Refused(f64, Option<String>),
}

pub(crate) async fn measure(bench: &Bench) -> Result<()> {
    let (count, runs) = (bench.many(1_000), bench.many(50));
    let server = Server::start(bench, Bounds { runs }).await?;
    server.answers().await?;
    let mut tasks = JoinSet::new();
    let barrier = Arc::new(Barrier::new(count));
    for _ in 0..count {
        let connection = Connection::open(server.door.address).await?;
        tasks.spawn(ask(connection, server.door.clone(), barrier.clone()));
    }
    let fates: Vec<Fate> = tasks.join_all().await.into_iter().collect::<Result<_>>()?;
    let memory = server.memory()? / 1024.0;
    let ends = fates.iter().filter(|it| matches!(it, Fate::Answered(1))).count();
    let told = fates.iter().filter(|it| matches!(it, Fate::Refused(_, Some(_)))).count();
    let times = fates.iter().filter_map(|it| match it {
        Fate::Refused(time, _) => Some(*time),
        Fate::Answered(_) => None,
    });
    let times = Spread::new(times.collect());
    row(
        &format!("{count} questions at once, room for {runs}"),
        &format!("{ends} answered to the end, {told} of {} told when to come back", times.len()),
        "none lost",
    );
    row("the others are refused", &format!("{times} ms"), "p99 ≤ 50 ms");
    row("memory afterwards", &format!("{memory:.0} MiB"), "≤ 1 GiB");
    server.answers().await?;
    let again = ask(
        Connection::open(server.door.address).await?,
        server.door.clone(),
        Arc::new(Barrier::new(1)),
    );
    ensure!(matches!(again.await?, Fate::Answered(1)), "afterwards there was no room");
    server.stop().await
}

async fn ask(mut connection: Connection, door: Door, barrier: Arc<Barrier>) -> Result<Fate> {
    let request = door.ask(PACE);
    barrier.wait().await;
    let start = Instant::now();
    connection.send(&request).await?;
    let head = connection.head().await?;
    let took = start.elapsed().as_secs_f64() * 1e3;
    match head.status {
        200 => Ok(Fate::Answered(watch(connection, &head).await?.ends)),
        429 => Ok(Fate::Refused(took, head.retry_after)),
        status => anyhow::bail!("a question was answered with {status}"),
    }
}
