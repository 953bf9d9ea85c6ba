//! What `toolwright doctor` looks at where an engine drives.

use toolwright_app::{Config, Engines, config::EngineKind};
use toolwright_core::{ActionableError, Fault, plural};
use toolwright_durable::{Admin, Bound, Trouble};
use toolwright_pack::{Check, CheckState};
use toolwright_session::{EngineError, RunEngine};

use super::{is_shared, restate};
use crate::commands::doctor::bad;

/// Whether the engine answers, has workers, and shares a log with this process.
pub(crate) async fn checks(config: &Config) -> Vec<Check> {
    if config.engine.kind.value == EngineKind::Local {
        return Vec::new();
    }
    let mut checks = answering(config).await;
    checks.extend(shared_log(config).await);
    // One that does not answer is not waited for again.
    if checks.iter().all(|it| it.name != "engine" || it.state != CheckState::Bad) {
        checks.extend(another(config).await);
    }
    checks
}

/// Whether another Restate drives the runs of the same log. Where that cannot be seen, the other checks say why.
async fn another(config: &Config) -> Option<Check> {
    let (engine, store) = (restate(config).ok()?, config.look_into_store().await.ok()?);
    let at = Engines::of(&store, &engine).another().await.ok()??.address;
    let says = format!(
        "another Restate, which somebody reaches at {at}, drives the runs of this database, too: neither knows what the \
         other does"
    );
    Some(Check::bad("engines", says).with_advice(
        "use one: stop the other for good, with the servers and workers that use it; what is open is woken from the log. \
         Where that was done a moment ago, or a deployment was just taken out of Restate, look again in three minutes",
    ))
}

/// Whether others can use the log. Looking decides nothing: not which key the log has, either. What is wrong with the
/// database itself its own check tells.
async fn shared_log(config: &Config) -> Option<Check> {
    let store = config.look_into_store().await.ok()?;
    if let Err(error) = is_shared(config, &store) {
        return Some(bad("shared log", &error));
    }
    store.check().await.ok()?;
    store.check_key().await.ok()?;
    Some(Check::good("shared log", "every server and worker with this log key can use it"))
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
    let version = match engine.admin_version().await {
        Ok(version) => version.unwrap_or_default(),
        Err(error) if error.fault() == Fault::Failure => {
            let answers = Check::good("engine", format!("Restate answers at {at}"));
            return vec![answers, not_looked_after(&error)];
        }
        // With that neither a server nor a worker starts.
        Err(error) => return vec![told("engine", &error)],
    };
    let engine = Check::good("engine", format!("Restate {version} answers at {at}"));
    let mut checks = vec![engine, workers(admin).await];
    checks.extend(runs(admin).await);
    checks
}

/// Runs are driven all the same; what is wrong with them cannot be seen from here.
fn not_looked_after(error: &EngineError) -> Check {
    Check { state: CheckState::Warning, ..told("engine.admin", error) }
}

/// Whether what was asked is driven: workers may be there, and none of them able to; or what was begun is kept for others.
async fn runs(admin: &Admin) -> Vec<Check> {
    let trouble = match admin.trouble().await {
        Ok(trouble) => trouble,
        Err(error) => {
            let says = format!("what Restate has under way cannot be read: {error}");
            return vec![Check::warning("runs", says)];
        }
    };
    let mut checks: Vec<_> = trouble.bound.iter().map(bound).collect();
    if trouble.conversations > 0 || checks.is_empty() {
        checks.push(asked_in_vain(trouble));
    }
    checks
}

/// What was begun where no worker is any more.
fn bound(kept: &Bound) -> Check {
    let (conversations, place) = (kept.conversations(), kept.place());
    let word = plural(conversations as u64, "conversation waits", "conversations wait");
    Check::bad(
        "runs",
        format!(
            "{conversations} {word} for workers at {place}, where Restate finds none any more, and new work goes elsewhere"
        ),
    )
    .with_advice(
        "register the address that new work goes to once more (`toolwright worker --register-only URI`), and they go on \
         there at once; servers and workers that know engine.admin have them go on, too, within two minutes",
    )
}

fn asked_in_vain(trouble: Trouble) -> Check {
    let Trouble { conversations, paused, lasts, last, .. } = trouble;
    if conversations == 0 {
        return Check::good("runs", "none is asked for in vain");
    }
    let word = plural(conversations as u64, "conversation is", "conversations are");
    let last = last.unwrap_or_else(|| "nobody said why".to_owned());
    let says = format!(
        "{conversations} {word} not driven, and asked for again and again; what was said last: {last}"
    );
    match (paused, lasts) {
        (1.., _) => Check::bad("runs", format!("{says}. Restate has given up on {paused}")).with_advice(
            "mend the reason, then have them go on: PATCH /invocations/ID/resume at Restate's admin address",
        ),
        (0, true) => Check::bad("runs", says)
            .with_advice("mend the reason; nothing is lost, and they go on by themselves then"),
        (0, false) => Check::warning("runs", says).with_advice("it may pass: look again in a minute"),
    }
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
        .with_advice(match admin.elsewhere().await {
            Ok(Some(other)) => format!(
                "workers answer at {other}, which was registered before: `toolwright worker --register-only {other}` sends \
                 new work there; or start one that Restate reaches at {uri}"
            ),
            _ => format!(
                "{}; or start one that Restate reaches at {uri}: `toolwright worker`; where they have another address, \
                 `toolwright worker --register-only URI`",
                error.advice().unwrap_or_default()
            ),
        }),
    }
}

fn told(name: &'static str, error: &dyn ActionableError) -> Check {
    let advice = error.advice().map(Into::into);
    Check { name, state: CheckState::Bad, says: error.to_string(), advice }
}
