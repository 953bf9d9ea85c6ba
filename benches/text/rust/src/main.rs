//! Calls in text and broken JSON: Toolwright beside others, on the same inputs.
//!
//!   bench-text [FOLDER]
//!
//! Processor time, the best of several rounds. The inputs are written into the folder, where
//! `bench_py.py` finds them.

mod inputs;

use std::{env, hint::black_box, path::Path};

use anyhow::Result;
use memchr::memmem::Finder;
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeVal,
};
use regex::Regex;
use serde_json::{Value, json};
use toolwright_dialects::{Decoder, Dialect, Part, Tools, mend};

use self::inputs::Inputs;

fn main() -> Result<()> {
    let inputs = Inputs::new();
    if let Some(folder) = env::args().nth(1) {
        inputs.write(Path::new(&folder))?;
    }
    println!("| what | with | result | ms | MB/s |");
    println!("|---|---|---|---|---|");
    calls(&inputs)?;
    let want: Value = serde_json::from_str(&inputs.valid)?;
    repair("1 MB of JSON, valid", &inputs.valid, &want);
    repair("the same, broken", &inputs.broken, &want);
    one(&inputs.one);
    Ok(())
}

/// The calls in prose.
fn calls(inputs: &Inputs) -> Result<()> {
    let (text, what) = (inputs.hermes.as_str(), "1 MB of prose with calls");
    let schema = json!({"type": "object", "properties": {
        "query": {"type": "string"}, "instrument_type": {"type": "string"},
    }});
    let tools = Tools::new([("search_instruments", schema)]);
    let count = |count: &usize| format!("{count} of {} calls", inputs.calls);
    let found = |dialect: Dialect, size: usize| {
        let mut decoder = Decoder::new(dialect, &tools);
        let mut parts = Vec::new();
        for piece in text.as_bytes().chunks(size) {
            parts.extend(decoder.push(std::str::from_utf8(piece).unwrap_or_default()));
        }
        parts.extend(decoder.finish());
        let valid = |part: &&Part| match part {
            Part::Call { call, .. } => serde_json::from_str::<Value>(&call.arguments).is_ok(),
            _ => false,
        };
        parts.iter().filter(valid).count()
    };
    let pattern = Regex::new(r"(?s)<tool_call>(.*?)</tool_call>")?;
    let by_regex = || {
        let calls = pattern.captures_iter(text);
        calls.filter(|it| serde_json::from_str::<Value>(&it[1]).is_ok()).count()
    };
    let size = text.len();
    row(what, "**toolwright**, `hermes`", size, || found(Dialect::Hermes, size), count);
    row(what, "**toolwright**, `auto`", size, || found(Dialect::Auto, size), count);
    row(
        what,
        "**toolwright**, `auto`, as it streams: 16 letters at a time",
        size,
        || found(Dialect::Auto, 16),
        count,
    );
    row(what, "crate `regex`, then serde_json", size, by_regex, count);
    row(what, "crate `memchr`, then serde_json", size, || by_search(text), count);
    Ok(())
}

/// The least that can be done.
fn by_search(text: &str) -> usize {
    let (open, close) = (Finder::new("<tool_call>"), Finder::new("</tool_call>"));
    let (mut calls, mut rest) = (0, text);
    while let Some(start) = open.find(rest.as_bytes()) {
        rest = &rest[start + "<tool_call>".len()..];
        let Some(end) = close.find(rest.as_bytes()) else { break };
        calls += usize::from(serde_json::from_str::<Value>(&rest[..end]).is_ok());
        rest = &rest[end..];
    }
    calls
}

type Loaded = Option<Value>;
type Load = fn(&str) -> Loaded;

fn toolwright(text: &str) -> Loaded {
    serde_json::from_str(&mend(text)?).ok()
}

fn jsonrepair(text: &str) -> Loaded {
    jsonrepair::loads(text, &jsonrepair::Options::default()).ok()
}

fn llm_json(text: &str) -> Loaded {
    llm_json::loads(text, &llm_json::RepairOptions::default()).ok()
}

fn plain(text: &str) -> Loaded {
    serde_json::from_str(text).ok()
}

/// JSON, read as values.
fn repair(what: &str, text: &str, want: &Value) {
    let records = |loaded: &Loaded| match (loaded, want) {
        (Some(Value::Array(found)), Value::Array(want)) => {
            let right = found.iter().zip(want).filter(|(one, other)| one == other).count();
            format!("{right} of {} records right", want.len())
        }
        (Some(_), _) => "something else, and no error".to_owned(),
        (None, _) => "an error".to_owned(),
    };
    let size = text.len();
    row(
        what,
        "**toolwright**, `mend` alone",
        size,
        || mend(text),
        |mended| records(&mended.as_deref().and_then(plain)),
    );
    row(what, "**toolwright**, `mend`, then serde_json", size, || toolwright(text), records);
    row(what, "crate `jsonrepair`", size, || jsonrepair(text), records);
    row(what, "crate `llm_json`", size, || llm_json(text), records);
    if plain(text).is_some() {
        row(what, "serde_json", size, || plain(text), records);
    }
}

/// One small call, many times.
fn one(text: &str) {
    const TIMES: usize = 1000;
    let want = json!({"query": "NIFTY", "instrument_type": "INDEX", "limit": 5});
    let right = |loaded: &Loaded| match loaded {
        Some(found) if *found == want => "right".to_owned(),
        other => format!("{other:?}"),
    };
    let loaders: [(&str, Load); 3] = [
        ("**toolwright**, `mend`, then serde_json", toolwright),
        ("crate `jsonrepair`", jsonrepair),
        ("crate `llm_json`", llm_json),
    ];
    for (with, load) in loaders {
        let many = || {
            let mut last = None;
            for _ in 0..TIMES {
                last = black_box(load(black_box(text)));
            }
            last
        };
        row("1000 × one broken call of 58 bytes", with, text.len() * TIMES, many, right);
    }
}

/// Measures and prints one row.
fn row<T>(
    what: &str,
    with: &str,
    size: usize,
    mut work: impl FnMut() -> T,
    result: impl Fn(&T) -> String,
) {
    let (mut least, mut last) = (f64::INFINITY, work());
    for _ in 0..20 {
        let start = cpu();
        let next = work();
        least = least.min(cpu() - start);
        // The one before is dropped outside the measurement.
        last = next;
    }
    let (ms, speed) = (least * 1e3, size as f64 / least / 1e6);
    println!("| {what} | {with} | {} | {ms:.2} | {speed:.0} |", result(&last));
}

/// Processor time of this process so far, in seconds.
fn cpu() -> f64 {
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    getrusage(UsageWho::RUSAGE_SELF)
        .map_or(f64::NAN, |usage| seconds(usage.user_time()) + seconds(usage.system_time()))
}
