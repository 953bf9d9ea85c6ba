//! [`Calling`]: a request that waits for its call, and hears how far it is.

use futures_util::StreamExt;
use rmcp::{
    RoleServer,
    model::{
        ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, InputResponses,
        ProgressNotificationParam, ProgressToken, ServerRequest,
    },
    service::RequestContext,
};
use toolwright_core::{Decision, Event, EventKind, Failure, Message, Outcome, QuestionAnswer};

use super::{
    approval::{Ask, AskedQuestion, decided, form},
    call::Going,
    logging::{LogLevel, log},
    request_state::TO_DECIDE,
};

/// What a run came to, as far as it was heard.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) outcome: Option<Outcome>,
    pub(super) failure: Option<Box<Failure>>,
}

/// A request that waits for its call.
pub(super) struct Calling<'a> {
    context: &'a RequestContext<RoleServer>,
    token: Option<ProgressToken>,
    /// Whether the client is asked by the result of its call.
    is_modern: bool,
    /// What it answers to questions that it expects.
    given: InputResponses,
    /// How grave messages have to be for the client to be told, where it wants any.
    level: Option<LogLevel>,
}

/// How far a call came.
pub(super) enum Followed {
    /// To its end.
    Ended(Box<Going>),
    /// To a question, which the client has to be asked first.
    Asked(Box<Going>, AskedQuestion),
}

impl<'a> Calling<'a> {
    pub(super) fn new(
        context: &'a RequestContext<RoleServer>,
        is_modern: bool,
        given: InputResponses,
        level: Option<LogLevel>,
    ) -> Self {
        Self { context, token: context.meta.get_progress_token(), is_modern, given, level }
    }

    /// Follows a run. Questions are asked from here, in the task of the request: that is how the protocol knows
    /// which request they belong to.
    pub(super) async fn follow(&mut self, going: Going) -> Followed {
        let (mut going, mut told) = (Box::new(going), 0);
        loop {
            tokio::select! {
                biased;
                () = self.context.ct.cancelled(), if !going.cancel.is_cancelled() => {
                    going.cancel.cancel();
                }
                Some(ask) = going.asks.recv() => match ask {
                    // The run may have ended meanwhile: then nobody waits for the answer.
                    Ask::Approval { message, answer } => {
                        drop(answer.send(self.decide(message).await));
                    }
                    Ask::Question(asked) if self.is_modern => {
                        match asked.answer_in(&mut self.given) {
                            Some(answer) => drop(asked.answer.send(answer)),
                            None => return Followed::Asked(going, asked),
                        }
                    }
                    Ask::Question(AskedQuestion { form, answer, .. }) => {
                        drop(answer.send(self.question(*form).await));
                    }
                },
                event = going.events.next() => match event {
                    Some(event) => self.hear(&mut going.heard, &event, &mut told).await,
                    None => return Followed::Ended(going),
                },
            }
        }
    }

    async fn hear(&self, heard: &mut Heard, event: &Event, told: &mut u32) {
        match &event.kind {
            EventKind::CallProgress { data, .. } => self.tell(told, data).await,
            EventKind::DecisionNeeded { .. } => self.tell(told, "Waiting for an approval").await,
            EventKind::CallFinished { message, .. } => {
                if let Message::Tool(result) = &**message {
                    heard.outcome = Some(result.outcome.clone());
                }
            }
            EventKind::Error(failure) => heard.failure = Some(failure.clone()),
            _ => {}
        }
    }

    /// Tells the client how far its call is, where it wants to know: as progress, or else in its log.
    async fn tell(&self, told: &mut u32, words: &str) {
        let sent = async {
            match (&self.token, self.level) {
                (Some(token), _) => {
                    *told += 1;
                    let progress = ProgressNotificationParam::new(token.clone(), f64::from(*told));
                    let _ = self.context.peer.notify_progress(progress.with_message(words)).await;
                }
                (None, Some(level)) => log(&self.context.peer, level, words).await,
                (None, None) => {}
            }
        };
        tokio::select! {
            // Who has gone hears nothing, and that is noticed elsewhere.
            () = sent => {}
            () = self.context.ct.cancelled() => {}
        }
    }

    /// Asks the client's user whether a call may run, by a request of our own.
    async fn decide(&self, message: String) -> Decision {
        let Some(form) = form(message) else { return Decision::Deny { reason: None } };
        match self.ask(form).await {
            Ok(answer) => decided(&answer),
            Err(why) => Decision::deny(why),
        }
    }

    /// Passes a tool's question on.
    async fn question(&self, form: ElicitRequestParams) -> QuestionAnswer {
        let answer = self.ask(form).await.ok().and_then(|it| serde_json::to_value(it).ok());
        let answer = answer.and_then(|it| serde_json::from_value(it).ok());
        answer.unwrap_or(QuestionAnswer::Cancel)
    }

    async fn ask(&self, form: ElicitRequestParams) -> Result<ElicitResult, &'static str> {
        let asked = ServerRequest::ElicitRequest(ElicitRequest::new(form));
        let asked = tokio::time::timeout(TO_DECIDE, self.context.peer.send_request(asked));
        let answer = tokio::select! {
            answer = asked => answer,
            () = self.context.ct.cancelled() => return Err("the call was cancelled."),
        };
        match answer {
            Ok(Ok(ClientResult::ElicitResult(answer))) => Ok(answer),
            Ok(Ok(_)) => Err("the client's answer is no answer to the question."),
            Ok(Err(error)) => {
                tracing::debug!(%error, "a client did not ask its user");
                Err("the client did not ask its user.")
            }
            Err(_) => Err("nobody decided about it in time."),
        }
    }
}
