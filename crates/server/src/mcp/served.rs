//! [`Mcp`]: the tools of the configured task, and the runs of this server.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_core::future::BoxFuture;
use futures_util::{StreamExt, stream};
use http::{Extensions, Method, StatusCode};
use toolwright_app::{
    AgentPool, AutoApprove, CallablePrompt, CallableTools, SessionError, StartedRun,
};
use toolwright_mcp::server::{
    Begin, HttpLimits, McpHttp, McpServer, PromptParameter, RunEvents, RunStarter, ServedPrompt,
    ServedTools, StartError,
};

use crate::{
    ApiError, Limits,
    auth::{Done, Record},
    json::collect,
    runs::{Heard, PendingApprovals, Runs, Started, Subscription},
    server::Service,
};

/// The tools for clients of the Model Context Protocol.
pub(crate) struct Mcp(McpHttp);

impl Mcp {
    /// Serves the tools of the configured task; nothing where they cannot be used, which is in the log.
    pub(crate) fn new(
        host: &Arc<AgentPool>,
        runs: &Arc<Runs>,
        waiting: &PendingApprovals,
        limits: &Limits,
    ) -> Option<Self> {
        let tools = host.callable();
        let tools = tools.inspect_err(|error| tracing::error!(%error, "there is no MCP server"));
        let CallableTools { session, context, description, starters, prompts } = tools.ok()?;
        let served = ServedTools {
            session,
            instructions: Some(description).filter(|it| !it.is_empty()),
            starters,
            prompts: prompts.into_iter().map(served).collect(),
            context,
            rules: host.approvals().rules(),
            approve: waiting.beforehand() == AutoApprove::Everything,
            // Where the client cannot ask its user, somebody decides on the page.
            unasked: Arc::new(waiting.clone()),
        };
        let server = McpServer::new(served, Arc::new(OnPage(runs.clone())));
        let server =
            server.inspect_err(|error| tracing::error!(%error, "there is no MCP server")).ok()?;
        let limits = HttpLimits { body: limits.body, clients: limits.runs };
        Some(Self(McpHttp::new(server, limits)))
    }

    /// Ends every session.
    pub(crate) fn close(&self) {
        self.0.close();
    }
}

/// A command of the user's or the project's, as clients are offered it.
fn served(prompt: CallablePrompt) -> ServedPrompt {
    let parameters = prompt
        .parameters
        .iter()
        .map(|it| PromptParameter { name: it.name.clone(), is_required: it.is_required });
    ServedPrompt {
        name: prompt.name.clone(),
        description: prompt.description.clone(),
        parameters: parameters.collect(),
        expand: Arc::new(move |values| prompt.expand(&values)),
    }
}

/// Answers a request.
pub(crate) async fn serve(
    State(service): State<Service>,
    request: Request,
) -> Result<Response, ApiError> {
    let Some(mcp) = service.mcp() else {
        return Err(ApiError::not_found("the tools cannot be served over MCP; the log says why"));
    };
    let Mcp(http) = &*mcp;
    let (head, body) = request.into_parts();
    let mut read = Bytes::new();
    if head.method == Method::POST {
        // Read here, where it has to come in time.
        let Limits { body: most, client_timeout, .. } = *service.limits();
        let request = Request::from_parts(head.clone(), body);
        read = match collect(request, most, client_timeout).await {
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                return Ok(http.too_large().map(Body::new).into_response());
            }
            read => read?,
        };
    }
    let request = Request::from_parts(head, read);
    Ok(http.handle(request).await.map(Body::new).into_response())
}

/// Runs that can be watched on the page, like any other.
struct OnPage(Arc<Runs>);

impl RunStarter for OnPage {
    fn start<'a>(
        &'a self,
        begin: Begin,
        asked: Option<&'a Extensions>,
    ) -> BoxFuture<'a, Result<RunEvents, StartError>> {
        Box::pin(async move {
            let record = asked.and_then(|it| it.get::<Record>());
            // Why it did not begin, as it was said: the runs only know what a client of theirs is told.
            let mut failed: Option<SessionError> = None;
            let begun = async {
                let started: Result<StartedRun, SessionError> = begin.await;
                started.map_err(|error| {
                    failed = Some(error);
                    ApiError::internal()
                })
            };
            let started = self.0.start(begun).await;
            if let Some(record) = record {
                record.asked(
                    started.as_ref().map_or_else(ApiError::status, |_| StatusCode::OK),
                    &done(&started),
                );
            }
            match (started, failed) {
                (Ok(started), _) => Ok(events(started.subscription)),
                (Err(_), Some(error)) => Err(error.into()),
                (Err(error), None) => Err(StartError::Busy(error.message().to_owned())),
            }
        })
    }
}

/// What is told of a call: which run it is.
fn done(started: &Result<Started, ApiError>) -> Done {
    match started {
        Ok(Started { conversation, run, .. }) => {
            Done { run: Some(run.to_string()), ..Done::within(conversation) }
        }
        Err(_) => Done::default(),
    }
}

fn events(subscription: Subscription) -> RunEvents {
    let heard = stream::unfold(subscription, |mut subscription| async {
        let heard = subscription.next().await?;
        let events: Vec<_> = match heard {
            Heard::Frames(frames) => frames.into_iter().map(|frame| frame.event).collect(),
            Heard::Queue | Heard::Undriven(_) | Heard::Nothing | Heard::Leaving => Vec::new(),
        };
        Some((stream::iter(events), subscription))
    });
    heard.flatten().boxed()
}
