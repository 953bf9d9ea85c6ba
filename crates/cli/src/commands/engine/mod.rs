//! The engine that drives runs, where it is not the process that was asked: `toolwright worker`, and what
//! `toolwright serve --engine restate` wakes.

mod checks;
mod worker;

use std::sync::Arc;

use toolwright_app::{Config, config::EngineKind};
use toolwright_durable::{RestateEngine, RestateSettings};
use toolwright_session::{EngineError, RunEngine};
use toolwright_store::Store;

pub(crate) use self::{checks::checks, worker::run as worker};
use crate::error::{CommandError, Result};

/// The engine that was configured; none where the process that is asked drives.
#[cfg(feature = "server")]
pub(crate) fn configured(config: &Config) -> Result<Option<Arc<dyn RunEngine>>> {
    match config.engine.kind.value {
        EngineKind::Local => Ok(None),
        EngineKind::Restate => Ok(Some(Arc::new(restate(config)?))),
    }
}

fn restate(config: &Config) -> Result<RestateEngine, EngineError> {
    RestateEngine::new(&RestateSettings {
        ingress: config.engine.ingress.value.clone(),
        admin: config.engine.admin.value.clone(),
        http: config.http.settings().clone(),
    })
}

/// The log, where it is one that several processes can share.
async fn shared_store(config: &Config) -> Result<Store> {
    let store = config.open_store().await?;
    if !store.is_shared() {
        let location = config.location();
        return Err(CommandError::unusable(format!(
            "engine restate needs PostgreSQL, and conversations are kept in {location}"
        ))
        .with_advice("set DATABASE_URL to the PostgreSQL that all servers and workers share")
        .into());
    }
    if !store.shares_key().await? {
        return Err(CommandError::unusable(
            "the log in this database was begun with another log key than the one this process has",
        )
        .with_advice(
            "give every server and worker the same one: TOOLWRIGHT_LOG_KEY, or the file log.key of the data folder",
        )
        .into());
    }
    Ok(store)
}
