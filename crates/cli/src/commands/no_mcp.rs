//! `toolwright mcp`, where the protocol is not compiled in.

use toolwright_app::Config;

use crate::{
    args::McpCommand,
    error::{CommandError, Result},
    exit::Exit,
    watch::Watch,
};

pub(crate) async fn run(_config: &Config, _watch: &Watch, command: McpCommand) -> Result<Exit> {
    let McpCommand::Serve(args) = command;
    let _ = args.approve;
    Err(CommandError::unusable("this program was built without the feature `mcp`")
        .with_advice("build it with that feature")
        .into())
}
