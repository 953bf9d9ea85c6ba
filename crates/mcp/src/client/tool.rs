//! [`McpTool`]: a tool of a server, as one that a model may call.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use rmcp::{
    model::{
        CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotificationParam,
        ClientRequest, InputRequest, InputRequiredResult, InputResponses, RequestId, ServerResult,
    },
    service::{Peer, PeerRequestOptions, RoleClient, ServiceError},
};
use serde_json::{Value, json};
use toolwright_core::{RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec};
use toolwright_runtime::ValueSchema;

use super::{
    McpServerConfig, ToolDefinition,
    connection::{Connection, Link},
    elicitation::elicit_named,
    error::request_failure,
    result::output,
    server::Running,
};

/// The most times that a server may want to know something more before it is done.
const ROUNDS: usize = 8;

/// A tool of a server.
pub(super) struct McpTool {
    spec: ToolSpec,
    server: String,
    /// What it is called there.
    name: String,
    returns: Option<ValueSchema>,
    link: Arc<Link>,
    /// How long a call waits for a server that is being started.
    patience: Duration,
    /// The server runs for as long as any of its tools is there.
    _running: Arc<Running>,
    /// What it was made of.
    pub(super) digest: String,
}

impl McpTool {
    /// A tool of this definition, under this name.
    ///
    /// # Errors
    /// Why it cannot be offered.
    pub(super) fn new(
        config: &McpServerConfig,
        name: &str,
        (definition, digest): (&ToolDefinition, &str),
        link: &Arc<Link>,
        running: Arc<Running>,
    ) -> Result<Self, String> {
        let mut spec = definition.spec(name)?;
        spec.policy.timeout = config.timeout;
        Ok(Self {
            spec,
            server: config.name.clone(),
            name: definition.name.clone(),
            returns: definition.output_schema.clone().map(ValueSchema::new),
            link: link.clone(),
            patience: config.startup_timeout,
            _running: running,
            digest: digest.to_owned(),
        })
    }

    async fn run(&self, arguments: Arc<Value>, context: &RunContext) -> ToolResult {
        let Some(connection) = self.link.reached(self.patience).await else {
            let told = format!("the server `{}` is not running at the moment", self.server);
            return Err(self.passing(told));
        };
        // It may have been offered before the server had said what it is now.
        if !self.link.lists(&self.name, &self.digest) {
            return Err(ToolError::new(format!(
                "the tool is not what was approved any more, and was not called: `toolwright mcp inspect {}` \
                 shows what changed",
                self.server
            )));
        }
        let arguments = match Arc::unwrap_or_clone(arguments) {
            Value::Object(arguments) => arguments,
            _ => serde_json::Map::new(),
        };
        let mut params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments);
        for _ in 0..ROUNDS {
            match self.once(&connection, params.clone(), context).await? {
                Reply::Done(result) => return output(*result, self.returns.as_ref()),
                Reply::Wants(wanted) => {
                    params.request_state.clone_from(&wanted.request_state);
                    params.input_responses = self.answers(*wanted, context).await?;
                }
            }
        }
        Err(ToolError::new(format!("the server asked for more {ROUNDS} times, and was not done")))
    }

    /// Asks once.
    async fn once(
        &self,
        connection: &Connection,
        params: CallToolRequestParams,
        context: &RunContext,
    ) -> Result<Reply, ToolError> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let options = PeerRequestOptions::no_options();
        let open = connection.calls.open(context);
        let sent = connection.peer.send_request_with_option(request, options).await;
        let reply = match sent {
            Ok(handle) => {
                open.told_under(&handle.progress_token);
                let mut given_up = GivenUp::new(&connection.peer, &handle.id);
                let reply = handle.await_response().await;
                given_up.id = None;
                reply
            }
            Err(error) => Err(error),
        };
        match reply {
            Ok(ServerResult::CallToolResult(result)) => Ok(Reply::Done(Box::new(result))),
            Ok(ServerResult::InputRequiredResult(wanted)) => Ok(Reply::Wants(Box::new(wanted))),
            Ok(_) => Err(ToolError::new("what the server returned is no result of a tool")),
            Err(ServiceError::TransportSend(_)) if connection.is_program => {
                Err(self.passing(connection.why_ended().await.to_string()))
            }
            Err(ServiceError::TransportClosed) => {
                Err(self.passing(connection.why_ended().await.to_string()))
            }
            Err(error @ ServiceError::McpError(_)) => Err(ToolError::new(request_failure(&error))),
            Err(error) => Err(self.passing(request_failure(&error))),
        }
    }

    /// What a server is told that wants to know something.
    async fn answers(
        &self,
        wanted: InputRequiredResult,
        context: &RunContext,
    ) -> Result<Option<InputResponses>, ToolError> {
        let requests = wanted.input_requests.unwrap_or_default();
        if requests.is_empty() && wanted.request_state.is_none() {
            return Err(ToolError::new("the server wants something, and does not say what"));
        }
        let mut answers = InputResponses::new();
        for (key, request) in requests {
            let answer = match request {
                InputRequest::Elicitation(request) => {
                    json!(elicit_named(&self.server, Some(&key), request.params, context).await)
                }
                InputRequest::ListRoots(_) => json!({"roots": []}),
                _ => {
                    return Err(ToolError::new(format!(
                        "the server `{}` asked for words of a model, which it is not given",
                        self.server
                    )));
                }
            };
            answers.insert(key, answer);
        }
        Ok((!answers.is_empty()).then_some(answers))
    }

    /// A failure that may pass. What is not known to be repeatable is not repeated: nobody knows how far it got.
    fn passing(&self, told: String) -> ToolError {
        match self.spec.effect.is_repeatable() {
            true => ToolError::new(told).of_kind(ToolErrorKind::Temporary),
            false => ToolError::new(told),
        }
    }
}

enum Reply {
    Done(Box<CallToolResult>),
    Wants(Box<InputRequiredResult>),
}

impl Tool for McpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(self.run(arguments, context))
    }
}

/// Tells the server that nobody waits for a reply any more, where that is so.
pub(super) struct GivenUp {
    peer: Peer<RoleClient>,
    pub(super) id: Option<RequestId>,
}

impl GivenUp {
    pub(super) fn new(peer: &Peer<RoleClient>, id: &RequestId) -> Self {
        Self { peer: peer.clone(), id: Some(id.clone()) }
    }
}

impl Drop for GivenUp {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let reason = "nobody waits for it any more".to_owned();
            let params = CancelledNotificationParam::new(Some(id), Some(reason));
            let _ = peer.notify_cancelled(params).await;
        });
    }
}
