//! What `toolwright doctor` looks at where an engine drives.

use toolwright_app::{Config, config::EngineKind};
use toolwright_core::ActionableError;
use toolwright_durable::Admin;
use toolwright_pack::{Check, CheckState};
use toolwright_session::RunEngine;

use super::{restate, shared_store};
use crate::commands::doctor::bad;

/// Whether the engine answers, has workers, and shares a log with this process.
pub(crate) async fn checks(config: &Config) -> Vec<Check> {
    if config.engine.kind.value == EngineKind::Local {
        return Vec::new();
    }
    let mut checks = answering(config).await;
    checks.push(match shared_store(config).await {
        Ok(_) => Check::good("shared log", "every server and worker with this log key can use it"),
        Err(error) => bad("shared log", &error),
    });
    checks
}

async fn answering(config: &Config) -> Vec<Check> {
    let engine = match restate(config) {
        Ok(engine) => engine,
        Err(error) => return vec![told("engine", &error)],
    };
    if let Err(error) = engine.check().await {
        return vec![told("engine", &error)];
    }
    let at = &config.engine.ingress.value;
    let Some(admin) = engine.admin() else {
        let says =
            format!("Restate answers at {at}; its version and its workers are not looked at");
        return vec![Check::good("engine", says)];
    };
    let version = admin.version().await.unwrap_or_default();
    let engine = Check::good("engine", format!("Restate {version} answers at {at}"));
    vec![engine, workers(admin).await]
}

/// Whether Restate knows of workers, and one is there: Restate is had ask, as it is Restate that has to reach them.
async fn workers(admin: &Admin) -> Check {
    let uri = match admin.registered().await {
        Ok(Some(uri)) => uri,
        Ok(None) => {
            return Check::bad(
                "workers",
                "Restate knows of none: what is asked waits until it does",
            )
            .with_advice("toolwright worker --register http://127.0.0.1:9080");
        }
        Err(error) => return told("workers", &error),
    };
    match admin.reaches(&uri).await {
        Ok(()) => Check::good("workers", format!("Restate reaches one at {uri}")),
        Err(error) => Check::bad(
            "workers",
            format!("none answers, and what is asked waits until one does: {error}"),
        )
        .with_advice(format!(
            "start one that Restate reaches at {uri}: `toolwright worker`; where they have another address, \
             `toolwright worker --register-only URI`"
        )),
    }
}

fn told(name: &'static str, error: &dyn ActionableError) -> Check {
    let advice = error.advice().map(Into::into);
    Check { name, state: CheckState::Bad, says: error.to_string(), advice }
}
