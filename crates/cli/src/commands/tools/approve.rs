//! `toolwright tools approve`: one command for whatever tools come from, as a user need not know which it is.

use toolwright_app::{Config, ConfiguredSource, SourceKind};

use super::api;
use crate::{
    args::McpCommand,
    commands::mcp,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line},
    watch::Watch,
};

pub(super) async fn run(
    config: &Config,
    watch: &Watch,
    name: String,
    yes: bool,
    json: bool,
) -> Result<Exit> {
    let Some(source) = config.sources().iter().find(|it| it.name == name) else {
        return Err(unknown(config, &name).into());
    };
    match source.kind {
        SourceKind::Mcp => mcp::run(config, watch, McpCommand::Approve { name, yes }, json).await,
        SourceKind::OpenApi => api::approve(config, &name, yes, json).await,
        kind => {
            let section = kind.name();
            line(&format!(
                "{DIM}`[{section}.{name}]` is used as your settings say: there is nothing to approve.{END}"
            ));
            Ok(Exit::Answered)
        }
    }
}

fn unknown(config: &Config, name: &str) -> CommandError {
    let names: Vec<_> = config.sources().iter().map(ConfiguredSource::describe).collect();
    let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    CommandError::unusable(format!("no source of tools is called `{name}`; there are: {there}"))
        .with_advice("the config file names them: `[mcp.NAME]`, `[openapi.NAME]`")
}
