//! How the server begins, and how it ends while many listen.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::{task::JoinSet, time};

use crate::{
    active::watch,
    bench::Bench,
    figures::{Spread, row},
    http::Connection,
    idle,
    model::Pace,
};

/// How often it is started.
const STARTS: usize = 10;
/// Runs that would go on for a minute.
const PACE: Pace = Pace { tokens: 1_200, apart: 50 };

pub(crate) async fn start(bench: &Bench) -> Result<()> {
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let server = bench.serve().await?;
        times.push(server.took.as_secs_f64() * 1e3);
        server.answers().await?;
        sizes.push(server.memory()? / 1024.0);
        server.stop().await?;
    }
    let (times, sizes) = (Spread::new(times), Spread::new(sizes));
    let (least, median) = (times.at(0.0), times.at(50.0));
    row("from its start until it listens", &format!("{least:.0} ms (p50 {median:.0})"), "≤ 100 ms");
    row("memory at rest", &format!("{:.1} MiB", sizes.most()), "≤ 30 MiB");
    Ok(())
}

/// Nine in ten only listen, and in every tenth stream a run goes on.
pub(crate) async fn stop(bench: &mut Bench) -> Result<()> {
    let (quiet, runs) = (bench.many(900), bench.many(100));
    let conversations = bench.conversations(quiet).await?;
    let server = bench.serve().await?;
    let mut listening = JoinSet::new();
    for mut connection in idle::open_all(&server.door, &conversations).await? {
        listening.spawn(async move {
            while connection.chunk().await?.is_some() {}
            Ok(())
        });
    }
    let mut watching = JoinSet::new();
    for _ in 0..runs {
        let mut connection = Connection::open(server.door.address).await?;
        connection.send(&server.door.ask(PACE)).await?;
        let head = connection.head().await?;
        watching.spawn(async move { watch(connection, &head).await });
    }
    time::sleep(Duration::from_secs(1)).await;
    let start = Instant::now();
    server.interrupt()?;
    server.ended().await?;
    let took = start.elapsed().as_secs_f64();
    let listened: Vec<Result<()>> = listening.join_all().await;
    let whole = listened.iter().filter(|it| it.is_ok()).count();
    let watched = watching.join_all().await;
    let ends = watched.iter().flatten().filter(|it| it.ends == 1).count();
    row(
        &format!("told to end while {quiet} listen and {runs} runs go on"),
        &format!("{took:.2} s; {whole} streams and {ends} runs ended properly"),
        "≤ 5 s, all",
    );
    Ok(())
}
