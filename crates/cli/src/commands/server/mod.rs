//! `toolwright serve`: the page and the API, until Ctrl-C; `toolwright server` looks after it.

mod checks;
#[cfg_attr(not(feature = "dapr"), path = "no_dapr.rs")]
mod dapr;
mod link;
mod listing;
mod sessions;
mod tokens;

use std::{num::NonZeroU32, path::PathBuf, sync::Arc};

use serde_json::json;
use tokio::sync::watch;
use toolwright_app::{AgentPool, AutoApprove, Config, Flags, RunOverrides};
use toolwright_server::{Limits, PendingApprovals, Server, Settings, Token};

use self::link::Link;
pub(crate) use self::{checks::checks, sessions::run as sessions, tokens::run as tokens};
use crate::{
    args::ServeArgs,
    browser,
    commands::engine,
    error::Result,
    exit::Exit,
    process::{keep_to_itself, open_many},
    stop::asked_to_stop,
    style::{BOLD, DIM, END, line, out},
    watch::Watch,
};

pub(crate) async fn serve(
    flags: Flags,
    config: &Config,
    watch: &Watch,
    ServeArgs { open, dapr, approve, .. }: ServeArgs,
    json: bool,
) -> Result<Exit> {
    let driven_by = engine::configured(config).await?;
    let beforehand = if approve { AutoApprove::Everything } else { AutoApprove::Nothing };
    let stop = asked_to_stop()?;
    keep_to_itself();
    open_many();
    let (metrics, observers) = watch.with_metrics();
    let waiting = PendingApprovals::new(beforehand);
    let decides = Arc::new(waiting.clone());
    let host = AgentPool::open(flags, config.clone(), decides, beforehand, observers).await?;
    super::tell_if_unusable(host.store()).await;
    let model = host.engine()?;
    // Until the end: a file has one server.
    let _alone = host.store().serve_alone()?;
    let host = Arc::new(host);
    let answers_here = driven_by.is_none();
    let server = Server::bind(settings(config)?, host.clone(), waiting, metrics, driven_by).await?;
    let sidecar = dapr::bind(dapr, &host, server.entrance()).await?;
    let link = Link::make(&server, config, open).await?;
    if json {
        let (address, socket) = (server.address(), server.socket());
        let socket = socket.map(|path| path.display().to_string());
        let url = link.shown(&server);
        let mut told = json!({"address": address.to_string(), "url": url, "socket": socket});
        if let (Some(sidecar), Some(fields)) = (&sidecar, told.as_object_mut()) {
            fields.insert("dapr".to_owned(), sidecar.json());
        }
        out(&format!("{told}\n"))?;
    } else {
        out(&format!("{BOLD}Toolwright is at {}{END}\n", link.shown(&server)))?;
        line(&format!("{DIM}{}{END}", link.describe(&server, config)));
        line(&format!("{DIM}Ctrl-C stops the server.{END}"));
        line(&format!("{DIM}{}.{END}", model.describe()));
        if let Some(sidecar) = &sidecar {
            line(&format!("{DIM}{}{END}", sidecar.describe()));
        }
    }
    // It is listened at already: whoever comes now waits until they are let in.
    if let Some(to_open) = link.to_open()
        && !browser::open(to_open)
    {
        line(&format!("{DIM}{}{END}", link.unopened(&server, config)));
    }
    // While the page is opened, and the first question typed. Whoever asks is told what is wrong.
    if answers_here {
        let _ = host.warm(&RunOverrides::default());
    }
    until(stop, server, sidecar).await;
    Ok(Exit::Answered)
}

/// Serves until `stop` ends, at every port.
async fn until(stop: impl Future<Output = ()>, server: Server, sidecar: Option<dapr::Bound>) {
    let (tell, told) = watch::channel(false);
    let stopped = |mut told: watch::Receiver<bool>| async move {
        // Who could tell is gone: that is the end, too.
        let _ = told.wait_for(|it| *it).await;
    };
    let stopping = async {
        stop.await;
        tell.send_replace(true);
    };
    let aside = async {
        if let Some(sidecar) = sidecar {
            sidecar.serve(stopped(told.clone())).await;
        }
    };
    tokio::join!(server.serve(stopped(told.clone())), aside, stopping);
}

/// The folder with what the server keeps for itself.
fn folder(config: &Config) -> PathBuf {
    config.data.value.join("server")
}

/// Where the server's token is, unless one is given.
fn token_file(config: &Config) -> PathBuf {
    config.data.value.join("server.token")
}

fn settings(config: &Config) -> Result<Settings> {
    let server = &config.server;
    let token = match &server.token.value {
        Some(token) => Token::new(token.reveal())?,
        None => Token::in_file(&token_file(config))?,
    };
    let usual = Limits::default();
    let limits = Limits {
        connections: server.connections.value.unwrap_or(usual.connections),
        runs: server.runs.value.unwrap_or(usual.runs),
        runs_per_minute: match server.runs_per_minute.value {
            Some(most) => NonZeroU32::new(most),
            None => usual.runs_per_minute,
        },
        drain_delay: server.drain_delay.value,
        upload: server.upload_mb.value.map_or(usual.upload, |it| it.saturating_mul(1 << 20)),
        ..usual
    };
    Ok(Settings {
        address: server.addr.value,
        auth: server.auth.value,
        manage: server.manage.value,
        token,
        hosts: server.hosts.value.clone(),
        identity: server.identity.value.clone(),
        folder: folder(config),
        limits,
    })
}
