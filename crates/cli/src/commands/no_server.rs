//! `toolwright serve` and `toolwright server`, where no server is compiled in.

use toolwright_app::{Config, Flags};
use toolwright_pack::Check;

use crate::{
    args::{ServeArgs, SessionsCommand, TokensCommand},
    error::{CommandError, Error, Result},
    exit::Exit,
    watch::Watch,
};

pub(crate) async fn serve(
    _flags: Flags,
    _config: &Config,
    _watch: &Watch,
    _args: ServeArgs,
    _json: bool,
) -> Result<Exit> {
    Err(no_server())
}

pub(crate) async fn sessions(
    _config: &Config,
    _command: Option<&SessionsCommand>,
    _json: bool,
) -> Result<Exit> {
    Err(no_server())
}

pub(crate) async fn tokens(
    _config: &Config,
    _command: Option<&TokensCommand>,
    _json: bool,
) -> Result<Exit> {
    Err(no_server())
}

pub(crate) async fn checks(_config: &Config) -> Option<Check> {
    None
}

fn no_server() -> Error {
    CommandError::unusable("this program was built without the feature `server`")
        .with_advice("build it with that feature, or use `toolwright chat`")
        .into()
}
