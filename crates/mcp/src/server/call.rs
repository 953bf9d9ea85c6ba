//! [`McpServer::call`]: a `tools/call` as a run of its own.

use std::sync::{Arc, OnceLock};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult,
        InputRequest, InputRequests, InputRequiredResult,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use toolwright_core::{ActionableError, ConversationId, Decision, Fingerprint, UserMessage};
use toolwright_runtime::{Approver, CancelHandle, RuleApprover, Toolbox};

use super::{
    McpServer, RunEvents, StartError,
    approval::{Ask, AskClient, Rounds, Wanted, decided, form},
    client_model::ClientModel,
    conversations::Turn,
    following::{Calling, Followed, Heard},
    handler::Client,
    parked::ParkedCall,
    request_state::{AskedBefore, no_such_state},
    result::{DataForm, failed, told},
};

/// Under which name it is asked whether a call may run.
const APPROVAL: &str = "approval";

/// A call that was begun.
pub(super) struct Going {
    pub(super) events: RunEvents,
    pub(super) asks: mpsc::UnboundedReceiver<Ask>,
    pub(super) cancel: CancelHandle,
    pub(super) heard: Heard,
    conversation: ConversationId,
    wanted: Wanted,
    /// Its turn in the conversation, and its place among all calls.
    turn: Turn,
    _place: OwnedSemaphorePermit,
}

impl McpServer {
    /// Runs a tool for a client, or goes on with what it asked.
    pub(super) async fn call(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = Client::of(&context);
        let state = request.request_state.as_ref();
        let asked = state.map(|it| self.shared.states.open(&client.key, &request.name, it));
        let going = match asked.transpose()? {
            Some(AskedBefore::Question(name)) => match self.answered(&name, &mut request)? {
                Ok(going) => going,
                Err(again) => return self.ask_question(&client, &request.name, again),
            },
            Some(AskedBefore::Approval(about)) => {
                let given = decision(&request)?.map(|decision| (about, decision));
                self.begin(&client, &request, given, &context).await?
            }
            None => self.begin(&client, &request, None, &context).await?,
        };
        let mut given = request.input_responses.take().unwrap_or_default();
        // That was about the call itself, and is no answer to a tool.
        given.remove(APPROVAL);
        let level = self.log_level(&client, &context);
        let mut calling = Calling::new(&context, client.is_modern, given, level);
        match calling.follow(going).await {
            Followed::Ended(going) => self.ended(&client, &request.name, going).await,
            Followed::Asked(going, question) => {
                let arguments = request.arguments;
                let parked = ParkedCall { going: *going, question, arguments };
                self.ask_question(&client, &request.name, parked)
            }
        }
    }

    /// Begins a run, once it is this client's turn.
    async fn begin(
        &self,
        client: &Client,
        request: &CallToolRequestParams,
        given: Option<(Fingerprint, Decision)>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Going, ErrorData> {
        let settings = self.shared.served.session.agent().settings();
        let toolbox = &settings.toolbox;
        toolbox.ready_within(settings.source_wait).await;
        check_known(&toolbox.current(), &request.name)?;
        let place = self.shared.calls.clone().try_acquire_owned().map_err(|_| {
            busy("too many calls wait here: send fewer at the same time, or this one again later")
        })?;
        let slot = self.slot(client);
        let mut turn = tokio::select! {
            turn = slot.turn() => turn,
            () = context.ct.cancelled() => return Err(busy("the call was cancelled")),
        };
        let wanted = Wanted::default();
        let (sender, asks) = mpsc::unbounded_channel();
        let approver = self.approver(client, sender, given, wanted.clone());
        let conversation = turn.next();
        let started = self.start(client, request, approver, conversation.clone(), context).await;
        let (events, cancel) = started?;
        let heard = Heard::default();
        Ok(Going { events, asks, cancel, heard, conversation, wanted, turn, _place: place })
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
        if !client.can_ask {
            return Box::new(RuleApprover::new(served.rules.clone(), served.unasked.clone()));
        }
        let rounds = client.is_modern.then_some(Rounds { given, wanted });
        let (approve, can_visit) = (served.approve, client.can_visit);
        let knows_titles = client.knows_titles;
        let asked = AskClient { approve, asks, rounds, can_visit, knows_titles };
        Box::new(RuleApprover::new(served.rules.clone(), asked))
    }

    async fn start(
        &self,
        client: &Client,
        request: &CallToolRequestParams,
        approver: Box<dyn Approver>,
        id: ConversationId,
        context: &RequestContext<RoleServer>,
    ) -> Result<(RunEvents, CancelHandle), ErrorData> {
        let served = &self.shared.served;
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default()).to_string();
        let model = ClientModel::new(&request.name, arguments);
        let session = served.session.with_agent(served.session.agent().calling(model, approver));
        let said = UserMessage::of_client(format!("{} called {}", client.name, request.name));
        let asked = context.extensions.get::<http::request::Parts>().map(|it| &it.extensions);
        let context = served.context.clone();
        let cancel = Arc::new(OnceLock::new());
        let handed = cancel.clone();
        let begin = Box::pin(async move {
            let started = session.ask(Some(&id), said, context).await?;
            let _ = handed.set(started.running.cancel());
            Ok(started)
        });
        let started = self.shared.starter.start(begin, asked).await;
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

    /// What a run came to: the result, or first the question whether it may.
    async fn ended(
        &self,
        client: &Client,
        tool: &str,
        going: Box<Going>,
    ) -> Result<CallToolResponse, ErrorData> {
        let asked = going.wanted.lock().ok().and_then(|mut it| it.take());
        if let Some((message, about)) = asked {
            let form = form(message).ok_or_else(|| ErrorData::internal_error("no form", None))?;
            let asked = AskedBefore::Approval(about);
            return Ok(self.by_result(client, tool, &asked, APPROVAL, form));
        }
        let store = self.shared.served.session.store();
        let schema = self.shared.returned.of(&self.toolbox().current(), tool);
        let form = match &schema {
            Some(schema) => DataForm::Declared(schema),
            None if client.is_modern => DataForm::Any,
            None => DataForm::Object,
        };
        let result = match &going.heard.outcome {
            Some(outcome) => told(outcome, store, &going.conversation, form).await,
            None => failed(going.heard.failure.as_deref()),
        };
        Ok(result.into())
    }

    /// Gives a tool the answer to its question. Where that is missing the question is asked again.
    fn answered(
        &self,
        name: &str,
        request: &mut CallToolRequestParams,
    ) -> Result<Result<Going, ParkedCall>, ErrorData> {
        let parked = self.shared.parked.take(name).ok_or_else(no_such_state)?;
        if parked.arguments != request.arguments {
            // Nothing is lost: the same request can still come.
            drop(self.shared.parked.put(name, parked));
            return Err(ErrorData::invalid_params("the requestState is of another call", None));
        }
        let given = request.input_responses.as_mut();
        match given.and_then(|given| parked.question.answer_in(given)) {
            Some(answer) => {
                parked.going.turn.set_waits(false);
                // The tool may have stopped waiting.
                let _ = parked.question.answer.send(answer);
                Ok(Ok(parked.going))
            }
            None => Ok(Err(parked)),
        }
    }

    /// A tool's question as the result of the call, whose run waits meanwhile.
    fn ask_question(
        &self,
        client: &Client,
        tool: &str,
        parked: ParkedCall,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = toolwright_runtime::new_conversation_id().to_string();
        let (key, form) = (parked.question.key.clone(), parked.question.form.clone());
        parked.going.turn.set_waits(true);
        if self.shared.parked.put(&name, parked).is_err() {
            return Err(busy("too many calls wait for an answer of a user"));
        }
        Ok(self.by_result(client, tool, &AskedBefore::Question(name), &key, *form))
    }

    /// A question as the result of a call: the client calls again with the answer.
    fn by_result(
        &self,
        client: &Client,
        tool: &str,
        asked: &AskedBefore,
        key: &str,
        form: ElicitRequestParams,
    ) -> CallToolResponse {
        let state = self.shared.states.seal(&client.key, tool, asked);
        let asked = InputRequest::Elicitation(ElicitRequest::new(form));
        let requests = InputRequests::from([(key.to_owned(), asked)]);
        InputRequiredResult::new(Some(requests), Some(state)).into()
    }
}

/// What the client's user decided, where it says.
fn decision(request: &CallToolRequestParams) -> Result<Option<Decision>, ErrorData> {
    let answer = request.input_responses.as_ref().and_then(|it| it.get(APPROVAL));
    let Some(answer) = answer else { return Ok(None) };
    let answer: ElicitResult = serde_json::from_value(answer.clone()).map_err(|_| {
        ErrorData::invalid_params(format!("inputResponses.{APPROVAL} is no ElicitResult"), None)
    })?;
    Ok(Some(decided(&answer)))
}

/// Whether there is a tool of exactly this name. What a model may have meant by another is of no interest to a
/// program.
fn check_known(toolbox: &Toolbox, name: &str) -> Result<(), ErrorData> {
    if toolbox.definitions().specs().iter().any(|spec| spec.name == name) {
        return Ok(());
    }
    let name = toolwright_core::truncate_line(name, 100);
    let withheld = toolbox.withheld_reason(&name);
    Err(ErrorData::invalid_params(
        match withheld {
            Some(reason) => format!("the tool `{name}` is not offered: {reason}"),
            None => format!("there is no tool `{name}`: tools/list says which there are"),
        },
        None,
    ))
}

fn busy(why: &str) -> ErrorData {
    ErrorData::internal_error(why.to_owned(), None)
}
