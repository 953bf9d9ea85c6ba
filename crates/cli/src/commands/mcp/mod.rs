//! `toolwright mcp`: the Model Context Protocol.

mod serve;

use toolwright_app::Config;

use crate::{args::McpCommand, error::Result, exit::Exit, watch::Watch};

pub(crate) async fn run(config: &Config, watch: &Watch, command: McpCommand) -> Result<Exit> {
    match command {
        McpCommand::Serve(args) => serve::run(config, watch, &args).await,
    }
}
