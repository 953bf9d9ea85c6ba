//! `toolwright mcp`, where it is not compiled in.

use toolwright_app::Config;
use toolwright_pack::Check;

use crate::{
    args::McpCommand,
    error::{CommandError, Result},
    exit::Exit,
    watch::Watch,
};

#[expect(clippy::unused_async, reason = "the one that is compiled in waits")]
pub(crate) async fn run(
    _config: &Config,
    _watch: &Watch,
    _command: McpCommand,
    _json: bool,
) -> Result<Exit> {
    Err(CommandError::unusable("this program was built without the feature `mcp`")
        .with_advice("build it with that feature")
        .into())
}

#[expect(clippy::unused_async, reason = "the one that is compiled in waits")]
pub(crate) async fn checks(_config: &Config) -> Vec<Check> {
    Vec::new()
}
