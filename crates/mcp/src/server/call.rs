//! [`McpServer::call`]: a `tools/call` as a run of its own.

use std::sync::{Arc, OnceLock};

use futures_util::StreamExt;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, ContentBlock,
        ElicitRequest, ElicitResult, InputRequest, InputRequests, InputRequiredResult,
        ProgressNotificationParam, ProgressToken, ServerRequest,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio::sync::mpsc;
use toolwright_core::{
    ActionableError, Decision, Event, EventKind, Failure, FailureKind, Fingerprint, Message,
    Outcome, UserMessage,
};
use toolwright_runtime::{Approver, CancelHandle, RuleApprover, Toolbox};

use super::{
    McpServer, RunEvents, StartError,
    approval::{Ask, AskClient, Wanted, Way, decided, form},
    client_model::ClientModel,
    handler::Client,
    request_state::TO_DECIDE,
    result::told,
};

/// Under which name the one question of a round is asked.
const APPROVAL: &str = "approval";

impl McpServer {
    /// Runs a tool for a client.
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let session = &self.shared.served.session;
        let toolbox = &session.agent().settings().toolbox;
        toolbox.ready().await;
        check_known(&toolbox.current(), &request.name)?;
        let _place = self.shared.calls.try_acquire().map_err(|_| {
            busy("too many calls wait here; send fewer at the same time, or the same again later")
        })?;
        let client = Client::of(&context);
        let given = self.given(&client, &request)?;
        let mut turn = tokio::select! {
            turn = self.slot(&client).lock_owned() => turn,
            () = context.ct.cancelled() => return Err(cancelled()),
        };
        let wanted = Wanted::default();
        let (sender, asks) = mpsc::unbounded_channel();
        let approver = self.approver(&client, sender, given, wanted.clone());
        let id = turn.next();
        let (events, cancel) = self.start(&client, &request, approver, id.clone()).await?;
        let calling = Calling { context: &context, token: context.meta.get_progress_token() };
        let heard = calling.follow(events, asks, cancel).await;
        drop(turn);
        let asked = wanted.lock().ok().and_then(|mut it| it.take());
        if let Some((message, about)) = asked {
            return self.ask_by_result(&client, &request.name, message, &about);
        }
        let result = match heard {
            Heard { outcome: Some(outcome), .. } => {
                told(&outcome, session.store(), &id, client.is_modern).await
            }
            Heard { failure, .. } => failed(failure.as_deref()),
        };
        Ok(result.into())
    }

    /// What the client's user decided, where it was asked before.
    fn given(
        &self,
        client: &Client,
        request: &CallToolRequestParams,
    ) -> Result<Option<(Fingerprint, Decision)>, ErrorData> {
        let Some(state) = &request.request_state else { return Ok(None) };
        let about = self.shared.states.open(&client.key, &request.name, state)?;
        let answer = request.input_responses.as_ref().and_then(|it| it.get(APPROVAL));
        let Some(answer) = answer else { return Ok(None) };
        let answer: ElicitResult = serde_json::from_value(answer.clone()).map_err(|_| {
            ErrorData::invalid_params(format!("inputResponses.{APPROVAL} is no ElicitResult"), None)
        })?;
        Ok(Some((about, decided(&answer))))
    }

    /// Who decides: rules first, then the client's user, or who does where that cannot be asked.
    fn approver(
        &self,
        client: &Client,
        asks: mpsc::UnboundedSender<Ask>,
        given: Option<(Fingerprint, Decision)>,
        wanted: Wanted,
    ) -> Box<dyn Approver> {
        let served = &self.shared.served;
        let way = match (client.can_ask, client.is_modern) {
            (false, _) => {
                return Box::new(RuleApprover::new(served.rules.clone(), served.unasked.clone()));
            }
            (true, true) => Way::Round { given, wanted },
            (true, false) => Way::Request(asks),
        };
        let asked = AskClient { approve: served.approve, way };
        Box::new(RuleApprover::new(served.rules.clone(), asked))
    }

    async fn start(
        &self,
        client: &Client,
        request: &CallToolRequestParams,
        approver: Box<dyn Approver>,
        id: toolwright_core::ConversationId,
    ) -> Result<(RunEvents, CancelHandle), ErrorData> {
        let served = &self.shared.served;
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default()).to_string();
        let model = ClientModel::new(&client.name, &request.name, arguments);
        let session = served.session.with_agent(served.session.agent().calling(model, approver));
        let said = UserMessage::of_client(format!("{} called {}", client.name, request.name));
        let context = served.context.clone();
        let cancel = Arc::new(OnceLock::new());
        let handed = cancel.clone();
        let begin = Box::pin(async move {
            let started = session.ask(Some(&id), said, context).await?;
            let _ = handed.set(started.running.cancel());
            Ok(started)
        });
        let started = self.shared.starter.start(begin).await;
        let events = started.map_err(|error| match error {
            StartError::Busy(why) => busy(&why),
            StartError::Session(error) => {
                tracing::warn!(%error, "a call of an MCP client could not be kept");
                let advice = error.advice().map(|it| format!(" ({it})")).unwrap_or_default();
                ErrorData::internal_error(format!("the call cannot be recorded{advice}"), None)
            }
        })?;
        Ok((events, cancel.get().cloned().unwrap_or_default()))
    }

    /// The question as the result of the call: the client calls again with the answer.
    fn ask_by_result(
        &self,
        client: &Client,
        tool: &str,
        message: String,
        about: &Fingerprint,
    ) -> Result<CallToolResponse, ErrorData> {
        let form = form(message).ok_or_else(|| ErrorData::internal_error("no form", None))?;
        let asked = InputRequest::Elicitation(ElicitRequest::new(form));
        let state = self.shared.states.seal(&client.key, tool, about);
        let requests = InputRequests::from([(APPROVAL.to_owned(), asked)]);
        Ok(InputRequiredResult::new(Some(requests), Some(state)).into())
    }
}

/// What a run came to.
#[derive(Default)]
struct Heard {
    outcome: Option<Outcome>,
    failure: Option<Box<Failure>>,
    told: u32,
}

/// One call, and the client that waits for it.
struct Calling<'a> {
    context: &'a RequestContext<RoleServer>,
    token: Option<ProgressToken>,
}

impl Calling<'_> {
    /// Follows a run to its end. Questions are asked from here, in the task of the request: that is how the
    /// protocol knows which request they belong to.
    async fn follow(
        &self,
        mut events: RunEvents,
        mut asks: mpsc::UnboundedReceiver<Ask>,
        cancel: CancelHandle,
    ) -> Heard {
        let mut heard = Heard::default();
        loop {
            tokio::select! {
                biased;
                () = self.context.ct.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
                Some(ask) = asks.recv() => {
                    let decision = self.ask(ask.message).await;
                    // The run may have ended meanwhile.
                    let _ = ask.answer.send(decision);
                }
                event = events.next() => match event {
                    Some(event) => self.hear(&mut heard, &event).await,
                    None => return heard,
                },
            }
        }
    }

    async fn hear(&self, heard: &mut Heard, event: &Event) {
        match &event.kind {
            EventKind::CallProgress { data, .. } => self.tell(heard, data).await,
            EventKind::DecisionNeeded { .. } => self.tell(heard, "Waiting for an approval").await,
            EventKind::CallFinished { message, .. } => {
                if let Message::Tool(result) = &**message {
                    heard.outcome = Some(result.outcome.clone());
                }
            }
            EventKind::Error(failure) => heard.failure = Some(failure.clone()),
            _ => {}
        }
    }

    /// Tells the client how far its call is, where it wants to know.
    async fn tell(&self, heard: &mut Heard, words: &str) {
        let Some(token) = &self.token else { return };
        heard.told += 1;
        let told = ProgressNotificationParam::new(token.clone(), f64::from(heard.told));
        let sent = self.context.peer.notify_progress(told.with_message(words));
        tokio::select! {
            // Who has gone hears nothing, and that is noticed elsewhere.
            _ = sent => {}
            () = self.context.ct.cancelled() => {}
        }
    }

    /// Asks the client's user, by a request of our own.
    async fn ask(&self, message: String) -> Decision {
        let Some(form) = form(message) else { return Decision::Deny { reason: None } };
        let asked = ServerRequest::ElicitRequest(ElicitRequest::new(form));
        let asked = tokio::time::timeout(TO_DECIDE, self.context.peer.send_request(asked));
        let answer = tokio::select! {
            answer = asked => answer,
            () = self.context.ct.cancelled() => return Decision::deny("the call was cancelled."),
        };
        match answer {
            Ok(Ok(ClientResult::ElicitResult(answer))) => decided(&answer),
            Ok(Ok(_)) => Decision::deny("the client's answer is no answer to the question."),
            Ok(Err(error)) => {
                tracing::debug!(%error, "a client did not ask its user");
                Decision::deny("the client did not ask its user.")
            }
            Err(_) => Decision::deny("nobody decided about it in time."),
        }
    }
}

/// Whether there is a tool of exactly this name. What a model may have meant by another is of no interest to a
/// program.
fn check_known(toolbox: &Toolbox, name: &str) -> Result<(), ErrorData> {
    if toolbox.definitions().specs().iter().any(|spec| spec.name == name) {
        return Ok(());
    }
    let name: String = toolwright_core::truncate_line(name, 100);
    let withheld = toolbox.withheld().iter().find(|it| it.tool == name);
    Err(ErrorData::invalid_params(
        match withheld {
            Some(it) => format!("the tool `{name}` is not offered: {}", it.reason),
            None => format!("there is no tool `{name}`: tools/list says which there are"),
        },
        None,
    ))
}

/// A run without a result of its call. What only the operator may know is in the log.
fn failed(failure: Option<&Failure>) -> CallToolResult {
    let words = match failure.map(|it| (&it.kind, it)) {
        Some((FailureKind::Limit(_), failure)) => failure.message.clone(),
        Some((FailureKind::Cancelled, _)) => "The call was cancelled.".to_owned(),
        failure => {
            let why = failure.map_or("it broke off", |(_, it)| it.message.as_str());
            tracing::warn!(why, "a call of an MCP client has no result");
            "The call has no result because of a fault in the server; its log says which."
                .to_owned()
        }
    };
    CallToolResult::error(vec![ContentBlock::text(words)])
}

fn busy(why: &str) -> ErrorData {
    ErrorData::internal_error(why.to_owned(), None)
}

fn cancelled() -> ErrorData {
    ErrorData::internal_error("the call was cancelled", None)
}
