//! How fast text is read: prose, text full of calls, and floods that are meant to do harm.
//!
//!   cargo run --release -p toolwright-dialects --example throughput
//!
//! Processor time of one thread, the best of several rounds. A word behind the command measures only
//! what has it in its name, and every flood in a row of its own: `prose`, `calls`, `floods`. A dialect
//! behind `calls` measures only its form.

mod floods;
mod texts;

use std::{env, hint::black_box};

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeVal,
};
use toolwright_dialects::{DecodedPart, Decoder, Dialect, KnownTools};

const SIZE: usize = 1_000_000;

/// The pieces in which a text arrives, in bytes.
const PIECES: [(&str, usize); 4] =
    [("whole", usize::MAX), ("1 KB", 1024), ("16 letters", 16), ("4 letters", 4)];

fn main() {
    let only = env::args().nth(1);
    let wanted = |what: &str| only.as_deref().is_none_or(|only| what.contains(only));
    if wanted("prose") {
        prose();
    }
    if wanted("calls") {
        calls();
    }
    if wanted("floods") {
        all_floods(only.is_some());
    }
}

fn prose() {
    println!("| prose, GB/s | {} | goal |", PIECES.map(|(name, _)| name).join(" | "));
    println!("|---|---|---|---|---|---|");
    let texts = [("plain", texts::prose(SIZE)), ("Markdown", texts::markdown(SIZE))];
    for (what, text) in &texts {
        for dialect in [Dialect::Auto, Dialect::Hermes, Dialect::Generic, Dialect::DeepseekV3] {
            let speeds = PIECES.map(|(_, piece)| speed(dialect, &texts::tools(), text, piece, 0));
            let goal = match *what {
                "plain" => goal(speeds.first().is_some_and(|speed| *speed >= 1e9), "≥ 1 whole"),
                _ => String::new(),
            };
            let speeds = speeds.map(|speed| format!("{:.2}", speed / 1e9)).join(" | ");
            println!("| {what}, `{dialect}` | {speeds} | {goal} |");
        }
    }
    println!();
}

fn calls() {
    println!("| calls, MB/s | {} | goal |", PIECES.map(|(name, _)| name).join(" | "));
    println!("|---|---|---|---|---|---|");
    let tools = texts::tools();
    for form in texts::CALLS {
        let (text, count) = form.text(SIZE);
        for dialect in [form.dialect, Dialect::Auto] {
            if env::args().nth(2).is_some_and(|only| form.dialect.name() != only) {
                continue;
            }
            calls_row(&format!("{}, `{dialect}`", form.what), dialect, &tools, &text, count);
        }
    }
    for (dialect, text, count) in texts::files(SIZE) {
        calls_row(&format!("files of 4 KB, `{dialect}`"), dialect, &tools, &text, count);
    }
    println!();
}

fn calls_row(what: &str, dialect: Dialect, tools: &KnownTools, text: &str, count: usize) {
    let speeds = PIECES.map(|(_, piece)| speed(dialect, tools, text, piece, count));
    let goal = goal(speeds.first().is_some_and(|speed| *speed >= 150e6), "≥ 150 whole");
    let speeds = speeds.map(|speed| format!("{:.0}", speed / 1e6)).join(" | ");
    println!("| {what} | {speeds} | {goal} |");
}

/// The worst floods; or each of them.
fn all_floods(each: bool) {
    println!("| 1 MB of | dialect | whole, ms | 16 letters, ms | goal |");
    println!("|---|---|---|---|---|");
    let tools = floods::tools();
    let mut rows = Vec::new();
    for flood in floods::FLOODS {
        let text = flood.text(SIZE);
        for dialect in [flood.dialect, Dialect::Auto] {
            let [whole, pieces] =
                [usize::MAX, 16].map(|piece| best(3, || read(dialect, &tools, &text, piece)) * 1e3);
            rows.push((whole, pieces, dialect, flood));
        }
    }
    let count = rows.len();
    rows.sort_by(|one, other| one.0.max(one.1).total_cmp(&other.0.max(other.1)).reverse());
    for (whole, pieces, dialect, flood) in rows.iter().take(if each { count } else { 8 }) {
        let goal = goal(whole.max(*pieces) <= 50.0, "≤ 50");
        let opening = flood.opening.chars().take(48).collect::<String>();
        let name = format!("{:?} behind {:?}", flood.unit, opening).replace('|', "\\|");
        println!("| {name} | `{dialect}` | {whole:.1} | {pieces:.1} | {goal} |");
    }
    if let Some((whole, pieces, ..)) = rows.get(count / 2) {
        println!("| the median of {count} | | {whole:.1} | {pieces:.1} | |");
    }
    println!();
}

/// Reads a text, in pieces of so many bytes, and says how many calls were in it.
fn read(dialect: Dialect, tools: &KnownTools, text: &str, piece: usize) -> usize {
    let mut decoder = Decoder::new(dialect, tools);
    let mut calls = 0;
    let mut count = |parts: Vec<DecodedPart>| {
        calls += parts.iter().filter(|part| matches!(part, DecodedPart::Call { .. })).count();
        drop(black_box(parts));
    };
    let mut rest = text;
    while !rest.is_empty() {
        let (next, after) = rest.split_at(rest.ceil_char_boundary(piece));
        count(decoder.push(next));
        rest = after;
    }
    count(decoder.finish());
    calls
}

/// Bytes a second.
fn speed(dialect: Dialect, tools: &KnownTools, text: &str, piece: usize, calls: usize) -> f64 {
    let found = read(dialect, tools, text, piece);
    if found != calls {
        eprintln!("{dialect}: {found} calls were found, not {calls}");
    }
    text.len() as f64 / best(10, || read(dialect, tools, text, piece))
}

/// Seconds of processor time, the best of so many rounds.
fn best<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let round = |_| {
        let start = cpu();
        black_box(work());
        cpu() - start
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// Processor time of this process so far, in seconds.
fn cpu() -> f64 {
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    getrusage(UsageWho::RUSAGE_SELF)
        .map_or(f64::NAN, |usage| seconds(usage.user_time()) + seconds(usage.system_time()))
}

fn goal(met: bool, goal: &str) -> String {
    format!("{goal}: {}", if met { "met" } else { "missed" })
}
