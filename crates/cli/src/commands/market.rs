//! `toolwright market`: a market that works without a broker.

use serde_json::json;
use toolwright_market::{SimSettings, Simulator};

use crate::{
    args::MarketCommand,
    exit::{Exit, Unusable},
    stop::asked_to_stop,
    style::{BOLD, DIM, END, out},
};

pub(crate) async fn run(command: MarketCommand, json: bool) -> anyhow::Result<Exit> {
    let MarketCommand::Simulate { addr, seed } = command;
    let stop = asked_to_stop()?;
    let settings = SimSettings { addr, seed, ..SimSettings::default() };
    let simulator = Simulator::start(settings).await.map_err(|error| Unusable {
        message: error.to_string(),
        advice: "choose another address with --addr; port 0 takes any that is free",
    })?;
    let url = simulator.base_url();
    out(&if json {
        format!("{}\n", json!({"base_url": url, "seed": seed, "simulated": true}))
    } else {
        format!(
            "{BOLD}A simulated market is at {url}{END} {DIM}(seed {seed}; Ctrl-C stops it){END}\n\
             Prices are made up. To trade with it:\n  export DHANHQ_BASE_URL={url}\n\
             {DIM}It takes any access token but `expired` and `invalid`.{END}\n"
        )
    })?;
    simulator.run_until(stop).await;
    Ok(Exit::Answered)
}
