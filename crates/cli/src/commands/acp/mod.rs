//! `toolwright acp`: an editor drives runs, over the Agent Client Protocol at standard input and output.
//!
//! Nothing but the protocol is written to standard output.

mod commands;
mod host;
mod known;
#[cfg_attr(not(feature = "mcp"), path = "no_servers.rs")]
mod servers;

use std::{
    io::{self, BufReader},
    sync::Arc,
};

use toolwright_app::{Config, Flags};

use self::host::EditorHost;
use crate::{error::Result, exit::Exit, stop::asked_to_stop, watch::Watch};

pub(crate) async fn run(flags: Flags, config: &Config, watch: &Watch) -> Result<Exit> {
    let stop = asked_to_stop()?;
    let host = Arc::new(EditorHost::open(flags, config, watch).await?);
    toolwright_acp::serve(host, BufReader::new(io::stdin()), io::stdout(), stop).await;
    Ok(Exit::Answered)
}
