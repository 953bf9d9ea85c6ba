//! [`look_after`]: starts a server, starts it again where it ends, and ends it.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use rmcp::model::{ServerCapabilities, ServerNotification, SubscriptionFilter};
use tokio::sync::{Semaphore, oneshot};

use super::{
    McpError, McpTransport,
    connection::{Connection, Keeper, connect},
    listing::list_tools,
    process::NETWORK,
    server::{ServerState, Shared},
};

/// How many times in a row a server is started that does not stay.
const TRIES: u32 = 5;
/// How long is waited before it is started again: this, then twice as long each time.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// One that stayed this long is not counted as one that does not stay.
const STAYED: Duration = Duration::from_secs(60);
/// How long a server may take to end.
const CLOSING: Duration = Duration::from_secs(2);
/// How many servers start side by side: they compete with whoever waits for a first answer.
static STARTS: Semaphore = Semaphore::const_new(4);
/// How long one may keep the others from starting.
const TURN: Duration = Duration::from_secs(2);
/// How often is looked whether the user approved something, and how often at most a list is taken up.
const LOOK: Duration = Duration::from_secs(1);

/// Looks after a server until it is `stopped`, which is when nobody holds it any more.
pub(super) async fn look_after(shared: Arc<Shared>, mut stopped: oneshot::Receiver<()>) {
    let mut tries = 0;
    loop {
        let begun = Instant::now();
        let error = tokio::select! {
            biased;
            _ = &mut stopped => return,
            started = start(&shared) => match started {
                Err(error) => error,
                Ok((connection, keeper)) => {
                    match stay(&shared, connection, keeper, &mut stopped).await {
                        Some(error) => error,
                        None => return,
                    }
                }
            },
        };
        shared.link.set(None);
        // Whoever wants its tools is told in their place.
        tracing::info!(server = shared.config.name, %error, "an MCP server does not answer");
        tries = if begun.elapsed() >= STAYED { 1 } else { tries + 1 };
        if tries < TRIES && error.may_pass() {
            let wait = (FIRST_WAIT * 2_u32.pow(tries - 1)).min(LONGEST_WAIT);
            shared.set_state(ServerState::Restarting(error));
            tokio::select! {
                _ = &mut stopped => return,
                () = tokio::time::sleep(wait) => {}
            }
        } else {
            let wants_login = matches!(error, McpError::Unauthorized(_));
            shared.set_state(ServerState::Off(error));
            tries = 0;
            tokio::select! {
                _ = &mut stopped => return,
                () = shared.wanted.notified() => {}
                () = logged_in(&shared), if wants_login => {}
            }
        }
    }
}

/// Ends when the user has logged in to it. That somebody renewed a login is none: two who are not let in would
/// wake each other for ever.
async fn logged_in(shared: &Shared) {
    let Some(oauth) = &shared.config.oauth else { return std::future::pending().await };
    let since = || oauth.tokens.since(&shared.config.name);
    let (mut stamp, before) = (oauth.tokens.stamp(), since());
    loop {
        tokio::time::sleep(LOOK).await;
        let now = oauth.tokens.stamp();
        if now != stamp {
            stamp = now;
            if since().is_some_and(|it| Some(it) != before) {
                return;
            }
        }
    }
}

/// Reaches the server and takes up its tools.
async fn start(shared: &Shared) -> Result<(Arc<Connection>, Keeper), McpError> {
    let limit = shared.config.startup_timeout;
    let turn = STARTS.acquire().await;
    let started = async {
        let (connection, keeper) = connect(&shared.config, |tail| shared.set_stderr(tail)).await?;
        let listed = match has_tools(&connection) {
            true => list_tools(&connection.peer).await?,
            false => Vec::new(),
        };
        Ok((Arc::new(connection), keeper, listed))
    };
    // What is not done in time is dropped, and with it the program.
    let mut started = Box::pin(tokio::time::timeout(limit, started));
    let started = match tokio::time::timeout(TURN, &mut started).await {
        Ok(started) => started,
        Err(_) => {
            drop(turn);
            started.await
        }
    };
    let (connection, keeper, listed) =
        started.map_err(|_| McpError::Slow { limit, hint: hint(shared) })??;
    shared.set_listed(listed);
    shared.link.set(Some(connection.clone()));
    shared.set_state(ServerState::Ready);
    Ok((connection, keeper))
}

/// What a program may wait for that does not begin: one that fetches itself waits for the network.
fn hint(shared: &Shared) -> Option<String> {
    let McpTransport::Stdio(command) = &shared.config.transport else { return None };
    command.sandbox.as_ref().filter(|it| !it.network).map(|_| NETWORK.to_owned())
}

fn has_tools(connection: &Connection) -> bool {
    // Some say nothing of what they have.
    connection.info().is_none_or(|info| {
        let known = &info.capabilities;
        known.tools.is_some() || (known.prompts.is_none() && known.resources.is_none())
    })
}

/// Takes up what changes until the server ends, or the user is logged in no more; nothing where it was stopped.
async fn stay(
    shared: &Shared,
    connection: Arc<Connection>,
    keeper: Keeper,
    stopped: &mut oneshot::Receiver<()>,
) -> Option<McpError> {
    let Keeper { service, process } = keeper;
    let stop = service.cancellation_token();
    let listener =
        listens(&connection).map(|filter| tokio::spawn(listen(filter, connection.clone())));
    let mut waiting = Box::pin(service.waiting());
    let mut logged_out = None;
    let has_ended = tokio::select! {
        biased;
        _ = stopped => false,
        _ = &mut waiting => true,
        error = connection.logged_out() => {
            logged_out = Some(error);
            false
        }
        () = follow(shared, &connection) => true,
    };
    if let Some(listener) = listener {
        listener.abort();
    }
    shared.link.set(None);
    if has_ended {
        let why = match process {
            Some(mut process) => process.ended().await,
            None => McpError::Protocol("the connection is closed".to_owned()),
        };
        connection.end(why.clone());
        return Some(why);
    }
    stop.cancel();
    let _ = tokio::time::timeout(CLOSING, waiting).await;
    let stopped = || McpError::Off("the server was stopped".to_owned());
    connection.end(logged_out.clone().unwrap_or_else(stopped));
    if let Some(process) = process {
        process.close().await;
    }
    logged_out
}

/// Takes up what the server lists when it says that this changed, and what the user approves. Never returns.
async fn follow(shared: &Shared, connection: &Connection) {
    let mut stamp = shared.pins.stamp(shared.config.pinned_as());
    loop {
        tokio::select! {
            () = connection.changed.notified() => {
                match list_tools(&connection.peer).await {
                    Ok(listed) => shared.set_listed(listed),
                    Err(error) => {
                        tracing::warn!(server = shared.config.name, %error, "its new list is not taken up");
                    }
                }
                // However often it says so.
                tokio::time::sleep(LOOK).await;
            }
            () = tokio::time::sleep(LOOK) => {
                let now = shared.pins.stamp(shared.config.pinned_as());
                if now != stamp {
                    stamp = now;
                    shared.refresh();
                }
            }
        }
    }
}

/// What the server tells changes of, where it does so only when it is asked to.
fn listens(connection: &Connection) -> Option<SubscriptionFilter> {
    let info = connection.info().filter(|it| !it.protocol_version.has_initialize())?;
    let ServerCapabilities { tools, prompts, resources, .. } = &info.capabilities;
    let mut filter = SubscriptionFilter::new();
    let tells = |said: Option<Option<bool>>| said.flatten().filter(|it| *it);
    filter.tools_list_changed = tells(tools.as_ref().map(|it| it.list_changed));
    filter.prompts_list_changed = tells(prompts.as_ref().map(|it| it.list_changed));
    filter.resources_list_changed = tells(resources.as_ref().map(|it| it.list_changed));
    (filter != SubscriptionFilter::new()).then_some(filter)
}

async fn listen(filter: SubscriptionFilter, connection: Arc<Connection>) {
    let Ok(mut subscription) = connection.peer.listen(filter).await else { return };
    while let Ok(Some(notification)) = subscription.next().await {
        match notification {
            ServerNotification::ToolListChangedNotification(_) => connection.changed.notify_one(),
            ServerNotification::PromptListChangedNotification(_)
            | ServerNotification::ResourceListChangedNotification(_) => {
                connection.content_changes.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}
