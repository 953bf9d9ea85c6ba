//! How long it takes to read a list of instruments as long as the real one, how much memory it
//! needs, and how long a search takes (the median of 301):
//! `cargo run --release -p toolwright-market --example search`. With a file's name that list is read; with more words these are searched for.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "an example may stop")]

#[path = "../tests/it/generated.rs"]
mod generated;

use std::{fs, time::Instant};

use toolwright_market::{Instruments, Query};

const QUERIES: &[&str] = &[
    "nifty",
    "bank nifty",
    "n",
    "tata",
    "bank",
    "industries",
    "reliance industries",
    "relianse",
    "infosis",
    "bankinfty",
    "state bnak of idnia",
    "zzzzzzzz",
    "nifty 25000 ce",
    "nifty 25030 pe",
    "banknifty oct put",
    "reliance aug fut",
    "crudeoil sep fut",
    "usdinr 86.25 ce",
    "relianse 1400 ce",
    "india international ventures",
];

fn main() {
    let mut words = std::env::args().skip(1);
    let path = match words.next() {
        Some(path) => path.into(),
        None => {
            // Through a file, so that the text is not counted as memory of the index.
            let path = std::env::temp_dir().join("toolwright-search-example.csv");
            fs::write(&path, generated::compact(&generated::records(1))).unwrap();
            drop(std::process::Command::new(std::env::current_exe().unwrap()).arg(&path).status());
            fs::remove_file(path).unwrap();
            return;
        }
    };
    let path: std::path::PathBuf = path;
    let before = memory("VmRSS:");
    let start = Instant::now();
    let instruments = Instruments::read(fs::File::open(&path).unwrap()).unwrap();
    println!(
        "{} instruments in {:.0?}; {before} MB resident before, {} MB after, {} MB at most",
        instruments.len(),
        start.elapsed(),
        memory("VmRSS:"),
        memory("VmHWM:")
    );
    let typed: Vec<String> = words.collect();
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    for text in if typed.is_empty() { QUERIES } else { &typed[..] } {
        let query = Query { today: Some(generated::TODAY), ..Query::new(*text) };
        let found = instruments.search(&query);
        let mut times: Vec<_> = (0..301)
            .map(|_| {
                let start = Instant::now();
                std::hint::black_box(instruments.search(&query));
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let first: Vec<_> =
            found.iter().take(3).map(|it| format!("{} {}", it.key.segment, it.symbol)).collect();
        println!("{:>9.1?}  {text:<28} {}", times[times.len() / 2], first.join(", "));
    }
}

/// Memory of this process in MB.
fn memory(kind: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(kind));
    let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kb.unwrap_or_default() / 1024
}
