//! Those who connect and say nothing, or never come to the end of what they say, beside those who
//! ask properly.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use tokio::{
    task::{JoinHandle, JoinSet},
    time,
};

use crate::{
    bench::Bench,
    figures::{Spread, row},
    http::{Connection, Door},
};

/// How long is asked before the others come.
const BEFORE: Duration = Duration::from_secs(8);
/// How many ask properly.
const ASKING: usize = 4;

pub(crate) async fn measure(bench: &Bench) -> Result<()> {
    let count = bench.many(1_000);
    let server = bench.serve().await?;
    server.answers().await?;
    let asking = Asking::begin(&server.door);
    time::sleep(BEFORE).await;
    let before = asking.end().await?;
    let memory = server.memory()?;
    let asking = Asking::begin(&server.door);
    let mut slow = JoinSet::new();
    for index in 0..2 * count {
        let mut connection = Connection::open(server.door.address).await?;
        let is_silent = index % 2 == 0;
        let start = Instant::now();
        slow.spawn(async move {
            if is_silent {
                connection.outlast(None).await;
            } else if connection.send(b"GET /api/health HTTP/1.1\r\nx-slow: ").await.is_ok() {
                connection.outlast(Some(b"z")).await;
            }
            start.elapsed().as_secs_f64()
        });
    }
    let each = (server.memory()? - memory) / (2 * count) as f64;
    let closed = Spread::new(slow.join_all().await);
    let during = asking.end().await?;
    row(
        &format!("{count} silent connections, {count} with half a head, a byte a second"),
        &format!(
            "closed after {:.1} to {:.1} s; {each:.1} KiB each",
            closed.at(0.0),
            closed.most()
        ),
        "≤ 10 s",
    );
    let change = (during.at(99.0) / before.at(99.0) - 1.0) * 100.0;
    row("`GET /api/health` before", &format!("{before} ms, {} requests", before.len()), "");
    row(
        "the same meanwhile",
        &format!("{during} ms, {} requests; p99 {change:+.0} %", during.len()),
        "p99 +10 % at most",
    );
    server.answers().await?;
    server.stop().await
}

/// Some who ask properly, again and again.
struct Asking {
    is_over: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<Result<Vec<f64>>>>,
}

impl Asking {
    fn begin(door: &Door) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let tasks = (0..ASKING).map(|_| tokio::spawn(ask(door.clone(), is_over.clone())));
        Self { tasks: tasks.collect(), is_over }
    }

    /// How many milliseconds each took.
    async fn end(self) -> Result<Spread> {
        self.is_over.store(true, Ordering::Relaxed);
        let mut times = Vec::new();
        for task in self.tasks {
            times.extend(task.await??);
        }
        Ok(Spread::new(times))
    }
}

async fn ask(door: Door, is_over: Arc<AtomicBool>) -> Result<Vec<f64>> {
    let mut connection = Connection::open(door.address).await?;
    let (request, mut times) = (door.get("/api/health"), Vec::new());
    while !is_over.load(Ordering::Relaxed) {
        let start = Instant::now();
        connection.send(&request).await?;
        let head = connection.head().await?;
        connection.body(&head).await?;
        ensure!(head.status == 200, "its health is {}", head.status);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        time::sleep(Duration::from_millis(5)).await;
    }
    Ok(times)
}
