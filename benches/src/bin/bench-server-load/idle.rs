//! Many who listen while nothing happens.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::time;

use crate::{
    bench::Bench,
    figures::row,
    http::{Connection, Door},
};

/// Longer than the time from one heartbeat to the next.
const WATCHED: Duration = Duration::from_secs(20);
/// How many connections are opened at a time.
const OPENING: usize = 64;

/// What those who listen have heard.
#[derive(Default)]
struct Heard {
    /// Who had a heartbeat.
    alive: AtomicUsize,
    /// Who was cut off.
    lost: AtomicUsize,
}

pub(crate) async fn measure(bench: &mut Bench) -> Result<()> {
    let count = bench.many(15_000);
    let conversations = bench.conversations(count).await?;
    let server = bench.serve().await?;
    row(
        "files it may open, begun with 1024",
        &server.files()?.to_string(),
        "the most there may be",
    );
    server.answers().await?;
    let before = server.memory()?;
    let start = Instant::now();
    let listeners = open_all(&server.door, &conversations).await?;
    let took = start.elapsed().as_secs_f64();
    let each = (server.memory()? - before) / count as f64;
    row(
        &format!("{count} streams, each of another conversation"),
        &format!("{each:.1} KiB each, opened in {took:.1} s"),
        "≤ 24 KiB each",
    );
    let heard = Arc::<Heard>::default();
    let tasks: Vec<_> =
        listeners.into_iter().map(|it| tokio::spawn(listen(it, heard.clone()))).collect();
    let cpu = server.cpu()?;
    time::sleep(WATCHED).await;
    let share = (server.cpu()? - cpu) / WATCHED.as_secs_f64() * 100.0;
    let (alive, lost) = (heard.alive.load(Ordering::Relaxed), heard.lost.load(Ordering::Relaxed));
    row(
        &format!("the same for {} s", WATCHED.as_secs()),
        &format!("heartbeats on {alive}, {lost} lost, {share:.1} % of a core"),
        "all, none, ≤ 5 %",
    );
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
    server.stop().await
}

/// Listens to each of these conversations.
pub(crate) async fn open_all(door: &Door, conversations: &[String]) -> Result<Vec<Connection>> {
    let opening = stream::iter(conversations).map(|id| open(door, id));
    opening.buffer_unordered(OPENING).try_collect().await
}

async fn open(door: &Door, id: &str) -> Result<Connection> {
    let mut connection = Connection::open(door.address).await?;
    connection.send(&door.get(&format!("/api/conversations/{id}/stream"))).await?;
    let head = connection.head().await?;
    ensure!(head.status == 200, "listening was answered with {}", head.status);
    Ok(connection)
}

async fn listen(mut connection: Connection, heard: Arc<Heard>) {
    let mut is_first = true;
    while let Ok(Some(_)) = connection.chunk().await {
        if std::mem::take(&mut is_first) {
            heard.alive.fetch_add(1, Ordering::Relaxed);
        }
    }
    heard.lost.fetch_add(1, Ordering::Relaxed);
}
