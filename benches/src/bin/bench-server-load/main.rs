//! The server under load: many who listen, many runs at once, those who dawdle, more than there is
//! room for, and its start and end.
//!
//! ```text
//! bench-server-load [--program FILE] [--scale SHARE] [PART…]
//! ```
//!
//! Parts are `start`, `idle`, `active`, `slow`, `overload` and `stop`; all of them where none is
//! named. It starts `target/dist/toolwright serve` itself, with data in `target/bench-server-load`
//! and a model that is a part of this process and writes at a set pace. Whoever asks, the model and
//! the server share the machine: the figures are of all three. With `--scale 0.05` there are a
//! twentieth as many of everything, to try it out. It goes no further than 127.0.0.1.

mod active;
mod bench;
mod figures;
mod http;
mod idle;
mod model;
mod overload;
mod server;
mod slow;
mod start;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::bench::Bench;

const PARTS: [&str; 6] = ["start", "idle", "active", "slow", "overload", "stop"];

fn main() -> Result<()> {
    let mut program = PathBuf::from("target/dist/toolwright");
    let mut scale = 1.0;
    let mut parts = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--program" => program = args.next().context("--program FILE")?.into(),
            "--scale" => scale = args.next().context("--scale SHARE")?.parse()?,
            part => match PARTS.iter().find(|known| **known == part) {
                Some(part) => parts.push(*part),
                None => bail!("no part {part}: there are {}", PARTS.join(", ")),
            },
        }
    }
    if parts.is_empty() {
        parts.extend(PARTS);
    }
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most)?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build()?;
    runtime.block_on(measure(program, scale, &parts))
}

async fn measure(program: PathBuf, scale: f64, parts: &[&str]) -> Result<()> {
    let mut bench = Bench::new(program, scale).await?;
    println!("| | measured | goal |\n|---|---|---|");
    for part in parts {
        // Others use the machine, too: a figure is worth what was going on beside it.
        let load = std::fs::read_to_string("/proc/loadavg")?;
        eprintln!("{part}: load average {}", load.trim());
        match *part {
            "start" => start::start(&bench).await?,
            "idle" => idle::measure(&mut bench).await?,
            "active" => active::measure(&bench).await?,
            "slow" => slow::measure(&bench).await?,
            "overload" => overload::measure(&bench).await?,
            _ => start::stop(&mut bench).await?,
        }
    }
    bench.clear()
}
