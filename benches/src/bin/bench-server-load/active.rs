//! Many runs at once, each watched token by token; beside the same without a server in between.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use memchr::memmem::find;
use tokio::{task::JoinSet, time};

use crate::{
    bench::Bench,
    figures::{Spread, row},
    http::{Connection, Door, Events, Head},
    model::{Pace, ages},
};

/// 20 tokens a second, for 15 seconds.
const PACE: Pace = Pace { tokens: 300, apart: 50 };
/// Over how long they begin, so that their tokens do not all come at the same moments.
const BEGINNING: Duration = Duration::from_secs(2);

/// By this token of any run, all of them have begun.
const BEGUN: usize = 60;

/// What one run looked like to whoever watched it.
#[derive(Default)]
pub(crate) struct Watched {
    /// How long each token was on its way, in milliseconds.
    ages: Vec<f64>,
    /// The longest time without a token, in milliseconds.
    gap: f64,
    /// Ends it was told of. It has one.
    pub(crate) ends: usize,
}

pub(crate) async fn measure(bench: &Bench) -> Result<()> {
    let count = bench.many(1_000);
    let door = Door { address: bench.model.address, token: "none".to_owned() };
    let question = format!(r#"{{"model":"bench","stream":true,"content":"{PACE}"}}"#);
    let direct = door.post("/v1/chat/completions", &question);
    let watched = watch_all(&door, &direct, count).await?;
    tell(&format!("{count} × 20 tokens a second, no server in between"), watched, "");

    let server = bench.serve().await?;
    server.answers().await?;
    let (asked, cpu, before) = (bench.model.asked(), server.cpu()?, server.memory()?);
    let start = Instant::now();
    let watched = watch_all(&server.door, &server.door.ask(PACE), count).await?;
    let asked = bench.model.asked() - asked;
    let share = (server.cpu()? - cpu) / start.elapsed().as_secs_f64() * 100.0;
    let each = (server.memory()? - before) / count as f64;
    let ended = watched.iter().filter(|it| it.ends == 1).count();
    let whole = watched.iter().filter(|it| it.ages.len() == PACE.tokens as usize).count();
    let later = watched.iter().flat_map(|it| it.ages.iter().skip(BEGUN)).copied();
    let later = Spread::new(later.collect());
    tell(&format!("{count} runs × 20 tokens a second"), watched, "p99 ≤ 25 ms, no gap > 1 s");
    row("the same, once all have begun", &format!("{later} ms"), "p99 ≤ 25 ms");
    row(
        "the same",
        &format!("{ended} ended once, {whole} with every token, {asked} requests to the model"),
        "all",
    );
    row("the server meanwhile", &format!("{share:.0} % of a core, {each:.0} KiB a run"), "");
    server.answers().await?;
    server.stop().await
}

fn tell(what: &str, watched: Vec<Watched>, goal: &str) {
    let gap = Spread::new(watched.iter().map(|it| it.gap).collect()).most();
    let ages = Spread::new(watched.into_iter().flat_map(|it| it.ages).collect());
    let tokens = ages.len();
    row(what, &format!("a token takes {ages} ms; longest gap {gap:.0} ms; {tokens} tokens"), goal);
}

async fn watch_all(door: &Door, request: &[u8], count: usize) -> Result<Vec<Watched>> {
    let apart = BEGINNING / u32::try_from(count)?;
    let mut tasks = JoinSet::new();
    for index in 0..u32::try_from(count)? {
        let (address, request) = (door.address, request.to_vec());
        tasks.spawn(async move {
            time::sleep(apart * index).await;
            let mut connection = Connection::open(address).await?;
            connection.send(&request).await?;
            let head = connection.head().await?;
            watch(connection, &head).await
        });
    }
    tasks.join_all().await.into_iter().collect()
}

/// Watches a run to the end of the response's body.
pub(crate) async fn watch(mut connection: Connection, head: &Head) -> Result<Watched> {
    ensure!(head.status == 200, "a run was answered with {}", head.status);
    let (mut watched, mut events) = (Watched::default(), Events::default());
    let mut last = None;
    while let Some(chunk) = connection.chunk().await? {
        events.push(&chunk);
        while let Some(event) = events.next() {
            let is_token = [TOKEN, DIRECT].iter().any(|it| find(&event, it).is_some());
            if is_token {
                watched.ages.extend(ages(&event));
                let now = Instant::now();
                let gap = last.map_or(0.0, |last: Instant| (now - last).as_secs_f64() * 1e3);
                watched.gap = watched.gap.max(gap);
                last = Some(now);
            } else if ENDS.iter().any(|it| find(&event, it).is_some()) {
                watched.ends += 1;
            }
        }
    }
    Ok(watched)
}

const TOKEN: &[u8] = b"\"type\":\"content\"";
const DIRECT: &[u8] = b"\"delta\":{\"content\"";
const ENDS: [&[u8]; 3] = [b"\"type\":\"done\"", b"\"type\":\"error\"", b"data: [DONE]"];
