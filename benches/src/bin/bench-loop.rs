//! Toolwright's own client: an agent as a user would write it, with schema checks, guards and
//! events on.
//!
//!   bench-loop BASE_URL SCENARIO N CONCURRENCY

use std::{collections::HashMap, sync::Arc};

use anyhow::Result;
use toolwright::{model::EndpointConfig, prelude::*};
use toolwright_benches::{
    drive::{Args, drive},
    measure::mark,
    scenario::{
        LOOKUP_TIME, SYSTEM, Scenario, lookup_result, page_result, quote_result, search_result,
    },
};

/// Search instruments by name.
#[tool(read_only, inline, manual)]
fn search_instruments(query: String, instrument_type: String) -> String {
    search_result(&query, &instrument_type).to_owned()
}

/// Latest quote by segment and security ids.
#[tool(read_only, inline, manual)]
fn get_market_quote(#[tool(grounded)] securities: HashMap<String, Vec<i64>>) -> String {
    quote_result(&securities).to_owned()
}

/// Look up one id.
#[tool(read_only, manual)]
async fn slow_lookup(id: i64) -> String {
    tokio::time::sleep(LOOKUP_TIME).await;
    lookup_result(id)
}

/// Fetch one page.
#[tool(read_only, inline, manual)]
fn fetch_page(page: i64) -> String {
    mark();
    page_result(page)
}

fn tools(scenario: Scenario) -> Vec<Arc<dyn Tool>> {
    match scenario {
        Scenario::Nifty => vec![search_instruments::tool(), get_market_quote::tool()],
        Scenario::Parallel => vec![slow_lookup::tool()],
        Scenario::Long => vec![fetch_page::tool()],
    }
}

fn main() -> Result<()> {
    let args = Args::from_env()?;
    let scenario = args.scenario;
    let model =
        Endpoint::new(EndpointConfig::new(&args.base_url, scenario.name()).with_key("bench"))?;
    let toolbox = Arc::new(Toolbox::builder().tools(tools(scenario)).build()?);
    let agent = Agent::builder(model)
        .system(SYSTEM)
        .toolbox(toolbox)
        .limits(Limits { rounds: 200, calls: 200, ..Limits::default() })
        .build()?;
    drive("toolwright", args, move || {
        let mut run = agent.run(scenario.prompt());
        async move {
            // Events are what a user of the library watches: they are part of the price.
            let mut events = 0_usize;
            while run.next().await.is_some() {
                events += 1;
            }
            let answer = run.finish().await?;
            anyhow::ensure!(events > 0, "no events");
            Ok::<_, anyhow::Error>(answer.response)
        }
    })
}
