//! `toolwright market`: a market that works without a broker.

use std::net::SocketAddr;

use clap::{Parser, Subcommand};
use serde_json::json;
use toolwright_market::{SimSettings, Simulator};

use super::{CommandContext, PackCommand};
use crate::{
    error::{CommandError, Result},
    stop::asked_to_stop,
    style::{BOLD, DIM, END, out},
};

/// `toolwright market`.
pub(super) const COMMAND: PackCommand = PackCommand {
    name: "market",
    command: <MarketArgs as clap::CommandFactory>::command,
    run: |context| Box::pin(run(context)),
};

/// Look after the market that works without a broker
#[derive(Debug, Parser)]
#[command(name = "market")]
struct MarketArgs {
    #[command(subcommand)]
    command: MarketCommand,
}

#[derive(Debug, Subcommand)]
enum MarketCommand {
    /// Simulate a market: the broker's endpoints, with made-up prices, until Ctrl-C
    Simulate {
        /// Where to listen; port 0 chooses one
        #[arg(long, default_value = "127.0.0.1:8002", value_name = "ADDR")]
        addr: SocketAddr,
        /// The same seed makes the same market
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
    },
}

async fn run(context: CommandContext<'_>) -> Result {
    let MarketArgs { command: MarketCommand::Simulate { addr, seed } } = context.args()?;
    let stop = asked_to_stop()?;
    let settings = SimSettings { addr, seed, ..SimSettings::default() };
    let simulator = Simulator::start(settings).await.map_err(|error| {
        CommandError::unusable(error.to_string())
            .with_advice("choose another address with --addr; port 0 takes any that is free")
    })?;
    let url = simulator.base_url();
    out(&if context.json {
        format!("{}\n", json!({"base_url": url, "seed": seed, "simulated": true}))
    } else {
        format!(
            "{BOLD}A simulated market is at {url}{END} {DIM}(seed {seed}; Ctrl-C stops it){END}\n\
             Prices are made up. To trade with it:\n  export DHANHQ_BASE_URL={url}\n\
             {DIM}It takes any access token but `expired` and `invalid`.{END}\n"
        )
    })?;
    simulator.run_until(stop).await;
    Ok(())
}
