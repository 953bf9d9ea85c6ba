//! What calling a tool through the toolbox costs, beside calling the function itself, and what the
//! layers of a policy add to that.
//!
//!   bench-call
//!
//! The arguments are parsed beforehand in the first two rows: "plus the JSON itself" is the third.

use std::{hint::black_box, sync::Arc, time::Instant};

use anyhow::Result;
use futures_util::FutureExt;
use serde_json::{Value, json};
use toolwright::{prelude::*, run::ToolCatalog};

/// Calculate a tip.
#[tool(read_only, inline, manual)]
fn calculate_tip(amount: f64, #[tool(default = 18.0)] percentage: f64) -> f64 {
    amount * percentage / 100.0
}

/// Calculate a tip, with everything a policy can ask for.
#[tool(
    read_only,
    inline,
    manual,
    timeout = "5s",
    idle_timeout = "5s",
    retry = 3,
    cache = "60s",
    breaker,
    // As many as no loop here can make, so that nobody waits.
    limit(calls = 10000, period = "1ms", max_concurrent = 8),
    redact("email")
)]
fn calculate_tip_layered(amount: f64, #[tool(default = 18.0)] percentage: f64) -> f64 {
    amount * percentage / 100.0
}

/// Calculate a tip on a thread of its own, as every function does that is not `async` or `inline`.
#[tool(read_only, manual)]
fn calculate_tip_aside(amount: f64, #[tool(default = 18.0)] percentage: f64) -> f64 {
    amount * percentage / 100.0
}

fn main() -> Result<()> {
    plain()?;
    aside()?;
    // The layers' timers have to belong somewhere.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let _entered = runtime.enter();
    layered()
}

/// A call, and the same through all layers: answered by the tool, and answered from the cache.
fn layered() -> Result<()> {
    let (bare, all) = (calculate_tip::tool(), calculate_tip_layered::tool());
    let toolbox = Toolbox::builder().tools([bare, all]).build()?;
    toolbox.verify()?;
    let open = RunContext::new().label("user", "ann");
    let secret = open.clone().secret("sk-a-key-of-the-usual-length-0123456789");
    let mut amount = 0.0;
    let mut next = || {
        amount += 1.0;
        json!({"amount": amount, "percentage": 20.0})
    };
    let call = |tool: &str, context: &RunContext, arguments: Value| {
        drop(black_box(toolbox.call(tool, arguments, context).now_or_never()));
    };
    let bare = time(|| call("calculate_tip", &open, next()));
    let miss = time(|| call("calculate_tip_layered", &open, next()));
    let hit =
        time(|| call("calculate_tip_layered", &open, json!({"amount": 0.5, "percentage": 20.0})));
    let hidden = time(|| call("calculate_tip_layered", &secret, next()));

    println!();
    println!(
        "| a call of `calculate_tip`, valid against the schema | ns | more than without | goal |"
    );
    println!("|---|---|---|---|");
    println!("| without a policy | {bare:.0} | | |");
    for (what, nanos) in [
        ("through all layers, answered by the tool", miss),
        ("through all layers, answered from the cache", hit),
        ("through all layers, in a run that has a secret", hidden),
    ] {
        let more = nanos - bare;
        let goal = if more <= 5000.0 { "≤ 5 µs: met" } else { "≤ 5 µs: missed" };
        println!("| {what} | {nanos:.0} | {more:.0} | {goal} |");
    }
    Ok(())
}

/// What the way to a thread and back adds.
fn aside() -> Result<()> {
    let tools = [calculate_tip::tool(), calculate_tip_aside::tool()];
    let toolbox = Toolbox::builder().tools(tools).build()?;
    toolbox.verify()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let context = RunContext::new();
    let call = |tool: &str| {
        let arguments = json!({"amount": 45.6, "percentage": 20.0});
        drop(black_box(runtime.block_on(toolbox.call(tool, arguments, &context))));
    };
    let inline = time(|| call("calculate_tip"));
    let aside = time(|| call("calculate_tip_aside"));
    println!();
    println!("| a call of `calculate_tip`, awaited | ns | more than inline |");
    println!("|---|---|---|");
    println!("| `inline` | {inline:.0} | |");
    println!("| on a thread of its own | {aside:.0} | {:.0} |", aside - inline);
    Ok(())
}

fn plain() -> Result<()> {
    let toolbox = Toolbox::builder().tool(calculate_tip::tool()).build()?;
    toolbox.verify()?;
    let context = RunContext::new();
    let text = r#"{"amount":45.6,"percentage":20.0}"#;
    let value: Value = serde_json::from_str(text)?;
    let shared = Arc::new(json!({"amount": 45.6, "percentage": 20.0}));

    let direct = time(|| {
        black_box(calculate_tip(black_box(45.6), black_box(20.0)));
    });
    let through = time(|| {
        let found = toolbox.find("calculate_tip").is_some();
        let tool = toolbox.get(black_box("calculate_tip"));
        let result = tool.map(|tool| tool.call(shared.clone(), &context).now_or_never());
        drop(black_box((found, result)));
    });
    let checked = time(|| {
        let outcome = toolbox.call("calculate_tip", value.clone(), &context).now_or_never();
        drop(black_box(outcome));
    });
    let parse = time(|| drop(black_box(serde_json::from_str::<Value>(black_box(text)))));

    println!("| a call of `calculate_tip` | ns | goal |");
    println!("|---|---|---|");
    println!("| the function itself | {direct:.0} | |");
    println!(
        "| through the toolbox: found, arguments to types, result to JSON | {through:.0} | {} |",
        goal(through)
    );
    println!("| the same, valid against the schema | {checked:.0} | {} |", goal(checked));
    println!("| parsing the arguments, for comparison | {parse:.0} | |");
    Ok(())
}

/// The best of several rounds, in nanoseconds a call: what it costs when nothing disturbs it.
fn time(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 20_000;
    let round = |_| {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    (0..20).map(round).fold(f64::INFINITY, f64::min)
}

fn goal(nanos: f64) -> &'static str {
    if nanos <= 2000.0 { "≤ 2 µs: met" } else { "≤ 2 µs: missed" }
}
