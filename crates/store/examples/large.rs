//! How long a large log takes to open, list, search and load.
//!
//!     cargo run --release -p toolwright-store --example large -- [FOLDER] [CONVERSATIONS]

use std::{error::Error, path::PathBuf, time::Instant};

use serde_json::{Value, json};
use toolwright_core::{Event, EventKind, Journal, Timestamp};
use toolwright_store::{ConversationPage, Store, StoreLocation};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// How many conversations are imported at a time.
const CHUNK: usize = 20_000;
const MEBIBYTE: usize = 1 << 20;

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("toolwright-large-{}", std::process::id()));
    let count: usize = arguments.next().map_or(Ok(100_000), |it| it.parse())?;
    let path = folder.join("log.db");
    let location = StoreLocation::Sqlite(path.clone());
    let store = Store::open(&location).await?;

    let started = Instant::now();
    for chunk in 0..count.div_ceil(CHUNK) {
        let ids = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
        let events = ids.map(small).collect::<Outcome<Vec<_>>>()?;
        store.import(events.concat()).await?;
    }
    println!("import of {count} conversations: {:.1} s", started.elapsed().as_secs_f64());
    // The result as the model reads it is a part of the whole one; or it is all there is.
    large(&store, "whole", 2_000, MEBIBYTE).await?;
    large(&store, "read", 50_000, 0).await?;

    drop(store);
    let started = Instant::now();
    let store = Store::open(&location).await?;
    let size = std::fs::metadata(&path)?.len() / MEBIBYTE as u64;
    println!("open, {size} MiB: {:.1} ms", ms(started));
    let started = Instant::now();
    let mut page = ConversationPage::default();
    for _ in 0..10 {
        let list = store.list(&page).await?;
        page.before = list.last().map(toolwright_store::ConversationSummary::cursor);
    }
    println!("list, a page of 50: {:.2} ms", ms(started) / 10.0);
    for words in ["rare4711", "nifty close", "question"] {
        let started = Instant::now();
        let found = store.search(words, 20).await?.len();
        println!("search for `{words}`, {found} shown: {:.1} ms", ms(started));
    }
    for id in ["whole", "read"] {
        let held = store.acquire(&id.into()).await?;
        let started = Instant::now();
        let loaded = held.load().await?;
        println!("load `{id}`, {} messages: {:.1} ms", loaded.history.len(), ms(started));
    }
    let started = Instant::now();
    store.delete(&"read".into()).await?;
    println!("delete `read`: {:.1} ms", ms(started));
    drop(store);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn small(number: usize) -> Outcome<Vec<Event>> {
    let id = format!("conv_{number}");
    let at = 1_700_000_000_000 + (number as u64 * 7_919) % 1_000_003;
    let kinds = [
        started(&id),
        json!({"type": "message", "message": {"role": "user",
            "content": format!("Question rare{number}: what did the NIFTY close at?")}}),
        done(&id),
    ];
    events(&format!("run_{number}"), at, kinds)
}

/// A conversation of 100 results: `read` bytes of each are what the model reads, `whole` bytes are
/// kept beside it.
async fn large(store: &Store, id: &str, read: usize, whole: usize) -> Outcome<()> {
    let held = store.acquire(&id.into()).await?;
    // As much in all, in both.
    let rounds = 100 * MEBIBYTE / read.max(whole);
    let text = "{\"date\":\"2024-11-14\",\"close\":24583.05,\"volume\":1234567},";
    let fill = |bytes: usize| text.repeat(bytes / text.len() + 1);
    let mut kinds = vec![started(id)];
    for number in 0..rounds {
        let call = format!("call_{number}");
        let asked = json!([{"id": call, "type": "function",
            "function": {"name": "get_daily_ohlcv", "arguments": "{}"}}]);
        kinds.push(json!({"type": "reply", "finish": "tool_calls",
            "usage": {"prompt_tokens": 1, "completion_tokens": 1},
            "message": {"role": "assistant", "content": null, "tool_calls": asked}}));
        kinds.push(
            json!({"type": "tool_calls", "tool_calls": [{"id": call, "tool": "get_daily_ohlcv",
            "args": {}, "status": "pending"}]}),
        );
        if whole > 0 {
            kinds.push(json!({"type": "full_result", "id": call, "text": fill(whole)}));
        }
        kinds.push(json!({"type": "call_finished", "id": call, "tool": "get_daily_ohlcv",
            "status": "success", "elapsed_ms": 1.0, "message": {"role": "tool", "content": fill(read),
            "tool_call_id": call, "name": "get_daily_ohlcv", "status": "success"}}));
    }
    kinds.push(done(id));
    let started = Instant::now();
    for chunk in events(&format!("run_{id}"), 1_700_000_000_000, kinds)?.chunks(64) {
        held.append(chunk).await?;
    }
    println!("write 100 MiB of `{id}`: {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn started(id: &str) -> Value {
    json!({"type": "run_started", "version": 2, "conversation_id": id, "model": "m",
        "limits": {"rounds": 5, "calls": 64}})
}

fn done(id: &str) -> Value {
    json!({"type": "done", "response": "It closed at 24583.05.", "tool_calls": [],
        "finish_reason": "stop", "tools_executed": 1, "conversation_id": id,
        "usage": {"prompt_tokens": 1, "completion_tokens": 1}})
}

fn events(run: &str, at: u64, kinds: impl IntoIterator<Item = Value>) -> Outcome<Vec<Event>> {
    let events = (0_u64..).zip(kinds).map(|(seq, kind)| {
        let kind: EventKind = serde_json::from_value(kind)?;
        Ok(Event { seq, run: run.into(), round: 1, at: Timestamp(at + seq), kind })
    });
    events.collect()
}
