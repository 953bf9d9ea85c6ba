//! `toolwright worker`: drives runs for Restate, until it is told to end.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use toolwright_app::{
    AgentPool, AutoApprove, Config, Flags, SliceDesk, SliceSettings, Slices, keep_waking,
};
use toolwright_core::{ActionableError, Fault, Observer, plural};
use toolwright_durable::{
    Admin, Drained, Registered, Registration, RestateEngine, Worker, WorkerCounts, WorkerSettings,
};
use toolwright_session::{EngineError, SliceDriver};
use toolwright_telemetry::{Metrics, SliceCounts};

use super::{restate, shared_store, tell_if_away};
use crate::{
    args::WorkerArgs,
    error::{CommandError, Result},
    exit::Exit,
    process::{keep_to_itself, open_many},
    stop::asked_to_stop,
    style::{BOLD, DIM, END, line, out},
    watch::Watch,
};

/// Beside what a run may take: how long a person may think about what a tool asks, before Restate breaks the
/// connection. The slice is driven on even then, and found again by whoever asks this worker.
const THINKING: Duration = Duration::from_secs(24 * 60 * 60);
/// How soon Restate is told again where workers are, at first and at most: this one has to be reached through whatever
/// stands before it, which has to notice it first; and Restate may be started later.
const REGISTER_AGAIN: Duration = Duration::from_secs(1);
const REGISTER_RARELY: Duration = Duration::from_secs(30);

pub(crate) async fn run(
    flags: Flags,
    config: &Config,
    watch: &Watch,
    args: &WorkerArgs,
    json: bool,
) -> Result<Exit> {
    let engine = restate(config)?;
    if let Some(uri) = &args.register_only {
        let registered = admin(&engine)?.register(uri, args.force).await?;
        tell_registered(uri, &registered, json)?;
        return Ok(Exit::Answered);
    }
    let stop = asked_to_stop()?;
    keep_to_itself();
    open_many();
    // Before anything is opened that takes longer, and closed again: one for each process is enough.
    let log = shared_store(config).await?.log_id().await;
    let engine = engine.of_log(log);
    let (metrics, observers) = watch.with_metrics();
    let (driver, pool) = driver(flags, config, observers).await?;
    let settings = settings(config);
    let worker = Worker::bind(config.engine.worker.value, driver, settings).await?;
    count(&metrics, worker.counts());
    let worker = worker.with_metrics(move || metrics.text());
    tell(&worker, config, json)?;
    crate::commands::tell_if_unusable(pool.store()).await;
    tell_if_away(&engine).await?;
    let (told, second) = tokio::sync::oneshot::channel::<()>();
    let stop = async move {
        stop.await;
        let _ = told.send(());
        if !json {
            line(&format!(
                "{DIM}Ends at the next boundary of what runs; again to end at once.{END}"
            ));
        }
    };
    let again = async move {
        let _ = second.await;
        match asked_to_stop() {
            Ok(again) => again.await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        drained = worker.serve(stop) => Ok(ended(drained, json)),
        () = again => Ok(Exit::Interrupted),
        error = register(&engine, args, json) => Err(error),
        never = keep_waking(pool.store(), &engine) => match never {},
    }
}

/// What drives slices, and with which agents.
async fn driver(
    flags: Flags,
    config: &Config,
    observers: Vec<Arc<dyn Observer>>,
) -> Result<(Arc<dyn SliceDriver>, Arc<AgentPool>)> {
    let desk = SliceDesk::new();
    let asked = Arc::new(desk.clone());
    // What was approved beforehand is said by the server that was asked.
    let beforehand = AutoApprove::Nothing;
    let pool = AgentPool::open(flags, config.clone(), asked, beforehand, observers).await?;
    let pool = Arc::new(pool);
    let settings = SliceSettings::from(&config.engine);
    Ok((Arc::new(Slices::new(pool.clone(), desk, settings)), pool))
}

/// Slices are among the metrics.
fn count(metrics: &Metrics, counts: WorkerCounts) {
    metrics.count_slices(move || SliceCounts {
        running: u64::try_from(counts.running()).unwrap_or(u64::MAX),
        started: counts.started(),
        found_again: counts.attached(),
        failed: counts.failed(),
    });
}

fn settings(config: &Config) -> WorkerSettings {
    WorkerSettings {
        inactivity: config.limits.wall_clock.value.saturating_add(THINKING).min(THINKING * 365),
        drain: config.engine.drain.value,
        ..WorkerSettings::default()
    }
}

fn admin(engine: &RestateEngine) -> Result<&Admin> {
    engine.admin().ok_or_else(|| {
        CommandError::unusable(
            "where Restate is looked after is set to none, and workers are registered there",
        )
        .with_advice("set engine.admin, or TOOLWRIGHT_ENGINE_ADMIN, for this command")
        .into()
    })
}

/// Tells Restate where workers are, where that was asked for; ends only where that cannot be.
async fn register(engine: &RestateEngine, args: &WorkerArgs, json: bool) -> crate::error::Error {
    let Some(uri) = &args.register else { return std::future::pending().await };
    let admin = match admin(engine) {
        Ok(admin) => admin,
        Err(error) => return error,
    };
    let (mut wait, mut told) = (REGISTER_AGAIN, String::new());
    let registered = loop {
        match admin.register(uri, args.force).await {
            Ok(registered) => break registered,
            Err(error) if error.fault() == Fault::Failure => {
                tell_unregistered(uri, &error, &mut told);
                tokio::time::sleep(wait).await;
                wait = wait.saturating_mul(2).min(REGISTER_RARELY);
            }
            Err(error) => return error.into(),
        }
    };
    if let Err(error) = tell_registered(uri, &registered, json) {
        return error;
    }
    std::future::pending().await
}

/// Why workers are not registered yet, and what to do: once for each reason.
fn tell_unregistered(uri: &str, error: &EngineError, told: &mut String) {
    let advice = error.advice().unwrap_or_default();
    let says = format!(
        "{uri} is not registered yet, and is as soon as that works: {error}. What to do: {advice}"
    );
    match says == *told {
        true => tracing::debug!("{says}"),
        false => tracing::warn!("{says}"),
    }
    *told = says;
}

fn tell(worker: &Worker, config: &Config, json: bool) -> Result {
    let (address, ingress) = (worker.addr(), &config.engine.ingress.value);
    if json {
        let told = json!({"address": address.to_string(), "engine": ingress});
        out(&format!("{told}\n"))?;
        return Ok(());
    }
    out(&format!("{BOLD}A worker is at {address}, for Restate at {ingress}{END}\n"))?;
    line(&format!("{DIM}Ctrl-C ends it when what runs is at a boundary.{END}"));
    Ok(())
}

fn tell_registered(uri: &str, registered: &Registered, json: bool) -> Result {
    let Registered { deployment, outcome, revision, instead_of, handed_on } = registered;
    if json {
        let is_new = *outcome != Registration::Known;
        let told = json!({
            "registered": uri, "deployment": deployment, "new": is_new, "revision": revision,
            "instead_of": instead_of, "handed_on": handed_on,
        });
        out(&format!("{told}\n"))?;
        return Ok(());
    }
    line(&match outcome {
        Registration::New => {
            format!("{DIM}Restate sends new work to {uri} from now on ({deployment}).{END}")
        }
        Registration::Renewed => format!(
            "{DIM}Restate knew of {uri} ({deployment}), read anew what workers offer there, and sends new work to it \
             from now on.{END}"
        ),
        Registration::Known => format!(
            "{DIM}Restate sends new work to {uri} already ({deployment}): nothing changed.{END}"
        ),
    });
    if let Some(before) = instead_of {
        line(&format!(
            "{DIM}Until now it went to {before}: workers there get nothing new. Restate sends to one address: for \
             several workers register the one of a balancer before them.{END}"
        ));
    }
    if *handed_on > 0 {
        let word = plural(*handed_on as u64, "conversation goes", "conversations go");
        line(&format!(
            "{DIM}{handed_on} {word} on there now, kept until now for workers elsewhere, which are gone.{END}"
        ));
    }
    Ok(())
}

fn ended(Drained { left, took }: Drained, json: bool) -> Exit {
    if left == 0 {
        return Exit::Answered;
    }
    tracing::warn!(
        left,
        ?took,
        "slices were left: their calls are interrupted, and another worker goes on"
    );
    if !json {
        line(&format!("{DIM}{left} left in the middle: other workers go on with them.{END}"));
    }
    Exit::Answered
}
