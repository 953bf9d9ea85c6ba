//! How many durable runs a second the store keeps, how long a single one takes, and how long it takes to let a
//! message wait and take it back.
//!
//!     cargo run --release -p toolwright-store --example appends -- [FOLDER] [POSTGRES_URL]
//!
//! A run is four appends of three events, each waited for before the next, as a run with one tool
//! call makes them. For PostgreSQL, `scripts/postgres.sh --durable` starts a server to measure. With
//! `FAILPOINTS='store::commit=sleep(5)'` in the environment it is as on a disk that syncs 200 times
//! a second.

use std::{
    error::Error,
    fs::File,
    io::Write,
    path::PathBuf,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use toolwright_core::{
    Event, EventKind, Journal, QueueMode, QueuedMessage, Timestamp, UserMessage,
};
use toolwright_store::{Store, StoreLocation};

const AT_ONCE: usize = 64;
const RUNS: usize = 3_000;
const MESSAGES: u32 = 100;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let _slower = fail::FailScenario::setup();
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("toolwright-throughput-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    println!("disk: {:.0} syncs a second", syncs(&folder.join("sync"))?);
    measure("sqlite", &StoreLocation::Sqlite(folder.join("log.db"))).await?;
    std::fs::remove_dir_all(&folder)?;
    if let Some(url) = arguments.next() {
        measure("postgres", &StoreLocation::Postgres(url)).await?;
    }
    Ok(())
}

/// What the disk can do, to hold the rest against.
fn syncs(path: &std::path::Path) -> Outcome<f64> {
    let mut file = File::create(path)?;
    let started = Instant::now();
    let mut count = 0.0;
    while started.elapsed() < Duration::from_secs(1) {
        file.write_all(&[1; 4096])?;
        file.sync_data()?;
        count += 1.0;
    }
    Ok(count / started.elapsed().as_secs_f64())
}

async fn measure(name: &str, location: &StoreLocation) -> Outcome<()> {
    let store = Store::open(location).await?;
    let tag = format!("{:x}", Instant::now().elapsed().as_nanos() ^ u128::from(std::process::id()));
    let alone = Instant::now();
    for number in 0..50 {
        one(store.clone(), format!("{tag}_alone_{number}")).await?;
    }
    let alone = alone.elapsed().as_secs_f64() * 1e3 / 50.0;
    let started = Instant::now();
    let workers = (0..AT_ONCE).map(|worker| {
        let (store, tag) = (store.clone(), tag.clone());
        tokio::spawn(async move {
            for number in 0..RUNS / AT_ONCE {
                one(store.clone(), format!("{tag}_{worker}_{number}")).await?;
            }
            Outcome::Ok(())
        })
    });
    let workers: Vec<_> = workers.collect();
    for worker in workers {
        worker.await??;
    }
    let rate = (RUNS / AT_ONCE * AT_ONCE) as f64 / started.elapsed().as_secs_f64();
    println!("{name}: {rate:.0} runs a second, {AT_ONCE} at once; one alone takes {alone:.1} ms");
    let started = Instant::now();
    let id = format!("conv_{tag}_alone_0").into();
    for number in 0..MESSAGES {
        let message = QueuedMessage {
            id: format!("message_{number}").into(),
            mode: QueueMode::Next,
            at: Timestamp(1),
            message: UserMessage::new("And the day before?"),
        };
        store.queue(&id, message).await?;
        store.withdraw(&id, &format!("message_{number}").into()).await?;
    }
    let each = started.elapsed().as_secs_f64() * 1e3 / f64::from(2 * MESSAGES);
    println!("{name}: a message waits, or is taken back, in {each:.2} ms");
    Ok(())
}

/// One run of one conversation, with the lease it needs.
async fn one(store: Store, name: String) -> Outcome<()> {
    let id = format!("conv_{name}");
    let held = store.acquire(&id.as_str().into()).await?;
    for report in reports(&id, &format!("run_{name}"))? {
        held.append(&report).await?;
    }
    Ok(())
}

fn reports(conversation: &str, run: &str) -> Outcome<Vec<Vec<Event>>> {
    let usage = json!({"prompt_tokens": 812, "completion_tokens": 64});
    let arguments = json!({"query": "NIFTY 50", "instrument_type": "INDEX"});
    let call = json!({"id": "call_1", "type": "function",
        "function": {"name": "search_instruments", "arguments": arguments.to_string()}});
    let result =
        "{\"security_id\":\"13\",\"symbol\":\"NIFTY 50\",\"segment\":\"IDX_I\"},".repeat(5);
    let kinds = [
        json!({"type": "run_started", "version": 2, "conversation_id": conversation,
            "model": "openai:gpt", "limits": {"rounds": 5, "calls": 64, "wall_clock_ms": 600_000}}),
        json!({"type": "message", "message": {"role": "user",
            "content": "What did the NIFTY 50 close at yesterday, and how does that compare?"}}),
        json!({"type": "round_started", "of": 5, "tool_choice": "auto"}),
        json!({"type": "reply", "message": {"role": "assistant", "content": null,
            "tool_calls": [call]}, "finish": "tool_calls", "usage": usage}),
        json!({"type": "tool_calls", "tool_calls": [{"id": "call_1", "tool": "search_instruments",
            "args": arguments, "status": "pending", "source": "native"}]}),
        json!({"type": "call_checked", "id": "call_1", "tool": "search_instruments",
            "arguments": arguments, "effect": "read_only"}),
        json!({"type": "call_started", "id": "call_1", "tool": "search_instruments"}),
        json!({"type": "call_finished", "id": "call_1", "tool": "search_instruments",
            "status": "success", "message": {"role": "tool", "tool_call_id": "call_1",
            "name": "search_instruments", "content": result, "status": "success"},
            "elapsed_ms": 41.5}),
        json!({"type": "round_started", "of": 5, "tool_choice": "auto"}),
        json!({"type": "notice", "message": "the model was asked again"}),
        json!({"type": "reply", "message": {"role": "assistant",
            "content": "The NIFTY 50 closed at 24,583.05 points, 0.4 % above the day before."},
            "finish": "stop", "usage": usage}),
        json!({"type": "done", "response": "The NIFTY 50 closed at 24,583.05 points.",
            "tool_calls": [{"tool": "search_instruments", "status": "success", "args": arguments}],
            "finish_reason": "stop", "tools_executed": 1, "usage": usage,
            "conversation_id": conversation}),
    ];
    let events = (0_u64..).zip(kinds).map(|(seq, kind)| event(run, seq, kind));
    let events = events.collect::<Result<Vec<_>, _>>()?;
    Ok(events.chunks(3).map(<[Event]>::to_vec).collect())
}

fn event(run: &str, seq: u64, kind: Value) -> Result<Event, serde_json::Error> {
    let kind: EventKind = serde_json::from_value(kind)?;
    Ok(Event { seq, run: run.into(), round: 1, at: Timestamp(1_700_000_000_000 + seq), kind })
}
