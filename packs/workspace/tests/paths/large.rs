//! A file that is larger than anybody wants to read.

use std::{
    fs,
    io::Write as _,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::support::{World, only, passes};

const SIZE: u64 = 2 << 30;
/// What is promised, and what code that is not optimised is given.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });

/// The most memory this program ever had, in KiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Runs alone, so that the memory that is counted is that of `show`.
#[test]
#[ignore = "started by p17, on its own"]
fn child() {
    let world = World::new();
    let make = |name: &str, begin: &str| {
        let mut file = fs::File::create(world.at(name)).unwrap();
        file.write_all(begin.as_bytes()).unwrap();
        file.set_len(SIZE).unwrap();
    };
    make("zeros", "");
    make("lines", &"fn main() {}\n".repeat(1 << 21));
    make("line", &"x".repeat(10_000));
    world.show("zeros").unwrap();
    let before = peak();
    let timed = |path: &str, first: u64| {
        let started = Instant::now();
        let result = world.call("show", json!({"file_path": path, "start_line": first}));
        let took = started.elapsed();
        println!("{path} from {first}: {took:?}");
        assert!(took < LIMIT, "{path} from {first}: {took:?}");
        let text = result.unwrap_or_else(|error| error);
        assert!(text.len() <= 50_000);
        text
    };
    assert!(timed("zeros", 1).contains("binary file of 2,147,483,648 bytes"));
    let text = timed("lines", 1);
    assert!(
        text.ends_with("[lines 1-2000 of a file of 2 GiB; ask for start_line 2001 to see more]")
    );
    assert!(timed("lines", 2_000_000).starts_with("2000000\tfn main() {}\n"));
    assert!(timed("lines", 1_000_000_000).contains("use bash, such as sed -n '1000000000,"));
    assert!(timed("line", 1).contains("only the first 256 MiB are looked through"));
    assert!(timed("line", 2).contains("is not among the first 256 MiB"));
    let grown = peak() - before;
    println!("memory grew by {grown} KiB");
    assert!(grown < 8 << 10, "{grown} KiB");
}

#[test]
fn p17_two_gib_are_shown_within_a_second_and_bounded_memory() {
    let told = passes(Command::new(std::env::current_exe().unwrap()).args(only("large::child")));
    println!("{told}");
}
