//! One call: lines to and fro with the server itself, and through the toolbox.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    sync::Arc,
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use toolwright::{prelude::*, tool::ToolSource};
use toolwright_mcp::client::{McpServer, McpServerConfig, McpTransport, PinStore, StdioCommand};

use crate::{Programs, median, verdict};

/// Calls of one round, and rounds: there and back, so that a busy spell falls on both.
const CALLS: usize = 2_000;
const ROUNDS: usize = 5;
/// What a call may cost more than the lines themselves, in µs.
const GOAL: f64 = 300.0;

pub(crate) fn measure(programs: &Programs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (mut raw, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        raw.push(lines(programs)?);
        whole.push(runtime.block_on(calls(programs))?);
    }
    let least = |it: &[f64]| it.iter().copied().fold(f64::MAX, f64::min);
    let (raw, whole) = (least(&raw), least(&whole));
    let added = whole - raw;
    println!("\n### A call of an MCP server's tool\n");
    println!("| median of {CALLS}, least of {ROUNDS} rounds | µs | goal |\n|---|---|---|");
    println!("| lines to the server and back | {raw:.0} | |");
    println!("| the same call through the toolbox | {whole:.0} ({:.1} ×) | |", whole / raw);
    println!("| added | {added:.0} | ≤ {GOAL:.0}: {} |", verdict(added, GOAL));
    Ok(())
}

/// The protocol's lines alone, with nothing between.
fn lines(programs: &Programs) -> Result<f64> {
    let mut server = Command::new(&programs.server)
        .arg("20")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("bench-mcp-server does not start")?;
    let mut input = server.stdin.take().context("no standard input")?;
    let mut output = BufReader::new(server.stdout.take().context("no standard output")?);
    let mut reply = String::new();
    let mut took = Vec::with_capacity(CALLS);
    for id in 0..CALLS {
        let params = json!({"name": "create_issue_0", "arguments": {"owner": "ann"}});
        let line = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let begun = Instant::now();
        writeln!(input, "{line}")?;
        reply.clear();
        output.read_line(&mut reply)?;
        let reply: Value = serde_json::from_str(&reply)?;
        took.push(begun.elapsed().as_secs_f64() * 1e6);
        ensure!(reply.get("result").is_some(), "it was no result: {reply}");
    }
    drop(input);
    server.wait()?;
    Ok(median(took))
}

async fn calls(programs: &Programs) -> Result<f64> {
    let folder = std::env::temp_dir().join(format!("bench-mcp-{}", std::process::id()));
    let command = StdioCommand {
        program: programs.server.to_string_lossy().into_owned(),
        args: vec!["20".to_owned()],
        ..StdioCommand::default()
    };
    let config = McpServerConfig::new("bench", McpTransport::Stdio(command));
    let server = Arc::new(McpServer::new(config, PinStore::in_folder(&folder)));
    server.ready().await;
    server.approve()?;
    let toolbox = Arc::new(Toolbox::builder().source(server.clone()).build()?).current();
    let context = RunContext::new();
    let mut took = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let arguments = json!({"owner": "ann"});
        let begun = Instant::now();
        let outcome = toolbox.call("bench__create_issue_0", arguments, &context).await;
        took.push(begun.elapsed().as_secs_f64() * 1e6);
        ensure!(outcome.status.is_ok(), "it failed: {}", outcome.text);
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(median(took))
}
