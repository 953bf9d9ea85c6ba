//! The engine that drives runs, where it is not the process that was asked: `toolwright worker`, and what
//! `toolwright serve --engine restate` wakes.

mod checks;
mod worker;

use std::time::Duration;

use toolwright_app::Config;
use toolwright_core::{ActionableError, Fault};
use toolwright_durable::{RestateEngine, RestateSettings};
use toolwright_session::{EngineError, RunEngine};
use toolwright_store::Store;
use toolwright_timeout::timeout;

pub(crate) use self::{checks::checks, worker::run as worker};
use crate::{
    error::{CommandError, Result},
    style::{DIM, END, line},
};

/// The engine that was configured, where it can be used; none where the process that is asked drives.
#[cfg(feature = "server")]
pub(crate) async fn configured(config: &Config) -> Result<Option<std::sync::Arc<dyn RunEngine>>> {
    use toolwright_app::config::EngineKind;
    if config.engine.kind.value == EngineKind::Local {
        return Ok(None);
    }
    let engine = restate(config)?;
    let log = shared_store(config).await?.log_id().await;
    let engine = engine.of_log(log);
    tell_if_away(&engine).await?;
    Ok(Some(std::sync::Arc::new(engine)))
}

/// How long a start waits for a Restate that says nothing.
const START: Duration = Duration::from_secs(4);

/// Restate may be started later; one that cannot be used is no reason to wait.
async fn tell_if_away(engine: &RestateEngine) -> Result {
    let looked = async { tokio::join!(engine.check(), engine.check_admin()) };
    let Ok((driving, admin)) = timeout(START, looked).await else {
        line(&format!(
            "{DIM}Restate takes connections and says nothing. Runs are driven as soon as it does; see whether it is \
             frozen.{END}"
        ));
        return Ok(());
    };
    let is_driving = driving.is_ok();
    if let Some(error) = passing(driving)? {
        line(&format!("{DIM}{error}. Runs are driven as soon as it does.{END}"));
    }
    // Where nobody answers at all that is said already.
    if let Some(error) = passing(admin)?.filter(|_| is_driving) {
        let advice = error.advice().unwrap_or_default();
        line(&format!("{DIM}{error}. What to do: {advice}.{END}"));
    }
    Ok(())
}

/// What may pass by itself; anything else ends the start.
fn passing(seen: Result<(), EngineError>) -> Result<Option<EngineError>> {
    match seen {
        Ok(()) => Ok(None),
        Err(error) if error.fault() == Fault::Failure => Ok(Some(error)),
        Err(error) => Err(error.into()),
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
    is_shared(config, &store).map(|()| store)
}

fn is_shared(config: &Config, store: &Store) -> Result {
    if store.is_shared() {
        return Ok(());
    }
    let location = config.location();
    Err(CommandError::unusable(format!(
        "engine restate needs PostgreSQL, and conversations are kept in {location}"
    ))
    .with_advice("set DATABASE_URL to the PostgreSQL that all servers and workers share")
    .into())
}
