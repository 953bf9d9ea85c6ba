//! What MCP servers cost: a call, very many servers, and servers that are slow to start.
//!
//!     bench-mcp [call] [many] [slow]
//!
//! The server is `bench-mcp-server`, the command line `toolwright`; both lie beside this program.

mod call;
mod start;

use std::path::PathBuf;

use anyhow::{Context, Result};

/// The programs.
struct Programs {
    server: PathBuf,
    toolwright: PathBuf,
}

fn main() -> Result<()> {
    let own = std::env::current_exe()?;
    let folder = own.parent().context("this program lies in no folder")?;
    let programs =
        Programs { server: folder.join("bench-mcp-server"), toolwright: folder.join("toolwright") };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| it == name);
    if is_wanted("call") {
        call::measure(&programs)?;
    }
    if is_wanted("many") {
        start::many(&programs)?;
    }
    if is_wanted("slow") {
        start::slow(&programs)?;
    }
    Ok(())
}

/// Whether a goal was met, for a table.
fn verdict(figure: f64, goal: f64) -> &'static str {
    if figure <= goal { "met" } else { "missed" }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
