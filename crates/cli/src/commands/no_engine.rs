//! `toolwright worker` and `serve --engine`, where no engine is compiled in.

use toolwright_app::{Config, Flags, config::EngineKind};
use toolwright_pack::Check;

use crate::{
    args::WorkerArgs,
    error::{CommandError, Error, Result},
    exit::Exit,
    watch::Watch,
};

pub(crate) async fn worker(
    _flags: Flags,
    _config: &Config,
    _watch: &Watch,
    _args: &WorkerArgs,
    _json: bool,
) -> Result<Exit> {
    Err(no_engine())
}

/// The engine that was configured; none where the process that is asked drives.
#[cfg(feature = "server")]
pub(crate) async fn configured(
    config: &Config,
) -> Result<Option<std::sync::Arc<dyn toolwright_session::RunEngine>>> {
    match config.engine.kind.value {
        EngineKind::Local => Ok(None),
        EngineKind::Restate => Err(no_engine()),
    }
}

pub(crate) async fn checks(config: &Config) -> Vec<Check> {
    match config.engine.kind.value {
        EngineKind::Local => Vec::new(),
        EngineKind::Restate => vec![super::doctor::bad("engine", &no_engine())],
    }
}

fn no_engine() -> Error {
    CommandError::unusable("this program was built without the feature `durable`")
        .with_advice("build it with that feature, or let this process drive: `--engine local`")
        .into()
}
