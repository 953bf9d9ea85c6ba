//! What a driver reports to a [`Run`], each report returning the events it caused.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use super::{CallState, Phase, Run, RunError};
use crate::{
    Answer, AssistantMessage, CallId, Decision, Digest, Event, EventKind, Failure, FailureKind,
    Finish, Gate, JournalError, Limit, Message, ModelError, Note, Outcome, Part, ProposedCall,
    Reply, Status, Timestamp, ToolMessage, Withheld,
    gate::{Place, Verdict},
};

/// After this many replies with nothing in them the run gives up.
const EMPTY_REPLIES: u32 = 3;

type Events = Result<Vec<Event>, RunError>;

impl Run {
    /// The model is being asked.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn model_called(&mut self, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(1);
        if self.round >= self.limits.rounds && self.closing.is_none() {
            self.reach(&mut out, at, Limit::Rounds);
        }
        let kind = EventKind::RoundStarted { of: self.limits.rounds, tool_choice: self.choice() };
        self.emit(&mut out, at, kind);
        Ok(out)
    }

    /// A piece of the reply arrived. [`Part::Reply`] is for [`Run::model_replied`]; a piece the run
    /// does not wait for, because it came too late say, is no event.
    pub fn model_part(&mut self, part: Part, at: Timestamp) -> Option<Event> {
        self.expect_model().ok()?;
        let kind = match part {
            Part::Text(data) => EventKind::Content { data },
            Part::Reasoning(data) => EventKind::Reasoning { data },
            Part::CallName { index, name } => {
                EventKind::CallDelta { index, tool: Some(name), arguments: String::new() }
            }
            Part::CallArguments { index, json } => {
                EventKind::CallDelta { index, tool: None, arguments: json }
            }
            Part::Retry { attempt, wait_ms, reason } => {
                EventKind::ModelRetry { attempt, wait_ms, reason }
            }
            Part::Reply(_) => return None,
        };
        Some(self.event(at, kind))
    }

    /// The model replied.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn model_replied(&mut self, mut reply: Reply, gate: &Gate<'_>, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::new();
        let nameless = reply.calls.len();
        reply.calls.retain(|call| !call.name.trim().is_empty());
        if reply.calls.len() < nameless {
            let message = "the model called a tool without naming one; ignored".to_owned();
            self.emit(&mut out, at, EventKind::Notice { message });
        }
        self.conversation.give_ids(&mut reply.calls);
        let finish = if reply.calls.is_empty() { reply.finish } else { Finish::ToolCalls };
        let text = reply.text.clone();
        let proposals: Vec<_> = reply.calls.iter().map(crate::Call::parse).collect();
        let message = Arc::new(Message::Assistant(AssistantMessage {
            content: reply.text,
            reasoning: reply.reasoning,
            calls: reply.calls,
            extra: reply.extra,
        }));
        let kind = EventKind::Reply { message: message.clone(), finish, usage: reply.usage };
        self.emit(&mut out, at, kind);
        if !message.calls().is_empty() {
            self.propose(&mut out, at, gate, &message, proposals, reply.finish);
        } else if text.trim().is_empty() {
            self.nothing_said(&mut out, at, reply.finish);
        } else {
            self.answered(&mut out, at, gate, &text);
        }
        Ok(out)
    }

    /// The model gave no reply.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn model_failed(&mut self, error: ModelError, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::new();
        let kind = FailureKind::Model(error.kind);
        self.fail(&mut out, at, kind, error.message, error.advice);
        Ok(out)
    }

    /// The tool is about to run.
    ///
    /// # Errors
    /// When the call may not be started now.
    pub fn tool_started(&mut self, id: &CallId, at: Timestamp) -> Events {
        let Some(call) = self.runnable().find(|call| call.id == *id) else {
            return Err(RunError::NoSuchCall(id.clone()));
        };
        let kind = EventKind::CallStarted { id: id.clone(), tool: call.tool.clone() };
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, kind);
        Ok(out)
    }

    /// The tool says how far it is.
    ///
    /// # Errors
    /// When the call does not run.
    pub fn tool_progress(&mut self, id: &CallId, text: String, at: Timestamp) -> Events {
        self.open_in(id, &CallState::Started)?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::CallProgress { id: id.clone(), data: text });
        Ok(out)
    }

    /// A layer did something about the call.
    ///
    /// # Errors
    /// When the call does not run.
    pub fn layer_acted(&mut self, id: &CallId, note: Note, at: Timestamp) -> Events {
        self.open_in(id, &CallState::Started)?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::LayerActed { id: id.clone(), note });
        Ok(out)
    }

    /// The tools on offer are not all there are.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn tools_offered(
        &mut self,
        tools: Vec<String>,
        of: usize,
        withheld: Vec<Withheld>,
        at: Timestamp,
    ) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(2);
        let told = withheld.iter().map(|it| format!("`{}` {}", it.tool, it.reason));
        let told = told.collect::<Vec<_>>().join("; ");
        self.emit(&mut out, at, EventKind::ToolsOffered { tools, of, withheld });
        if !told.is_empty() {
            let text = format!("Not available at the moment: {told}. Do without, and say so.");
            let message = Arc::new(Message::correction(text));
            self.emit(&mut out, at, EventKind::Message { message });
        }
        Ok(out)
    }

    /// The older part of the conversation is replaced by a digest.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn compacted(&mut self, digest: Digest, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::Compacted(Arc::new(digest)));
        Ok(out)
    }

    /// The events could not be kept: nothing more may happen.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn not_kept(&mut self, error: JournalError, at: Timestamp) -> Events {
        self.expect_alive()?;
        let mut out = Vec::new();
        let text = "The call was stopped: what happens could not be recorded.";
        self.settle_all(&mut out, at, Status::Interrupted, text);
        let message = format!("the run could not be recorded and was stopped: {}", error.message);
        self.fail(&mut out, at, FailureKind::Storage(error.kind), message, error.advice);
        Ok(out)
    }

    /// The call has its result. `whole` is the result as the tool gave it, where the outcome holds
    /// only a part.
    ///
    /// # Errors
    /// When the call was not started, or has its result already.
    pub fn tool_settled(
        &mut self,
        id: &CallId,
        outcome: Outcome,
        whole: Option<String>,
        elapsed: Duration,
        at: Timestamp,
    ) -> Events {
        self.open_in(id, &CallState::Started)?;
        let mut out = Vec::with_capacity(1);
        if let Some(text) = whole {
            self.emit(&mut out, at, EventKind::WholeResult { id: id.clone(), text });
        }
        self.settle(&mut out, at, id, outcome, None, elapsed);
        Ok(out)
    }

    /// A person, or the policy that stands in for one, decided.
    ///
    /// # Errors
    /// When the call does not wait for a decision.
    pub fn decided(&mut self, id: &CallId, decision: Decision, at: Timestamp) -> Events {
        let tool = self.open_in(id, &CallState::Undecided)?;
        let mut out = Vec::new();
        let denied = match &decision {
            Decision::Allow => None,
            Decision::Deny { reason } => Some(match reason {
                Some(reason) => format!("The call of {tool} was denied: {reason}"),
                None => format!("The call of {tool} was denied by the user. Do not try it again."),
            }),
        };
        self.emit(&mut out, at, EventKind::Decided { id: id.clone(), decision });
        if let Some(text) = denied {
            let outcome = Outcome::new(Status::Denied, text);
            self.settle(&mut out, at, id, outcome, None, Duration::ZERO);
        }
        Ok(out)
    }

    /// Somebody cancelled the run: every open call is settled and the run ends.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn cancelled(&mut self, at: Timestamp) -> Events {
        self.expect_alive()?;
        let mut out = Vec::new();
        self.settle_all(&mut out, at, Status::Cancelled, "The call was cancelled.");
        self.fail(&mut out, at, FailureKind::Cancelled, "the run was cancelled".into(), None);
        Ok(out)
    }

    /// The wall clock ran out: every open call is settled and the run ends.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn out_of_time(&mut self, at: Timestamp) -> Events {
        self.expect_alive()?;
        let mut out = Vec::new();
        // A log that was cut short may already say so.
        if self.closing != Some(Limit::WallClock) {
            self.reach(&mut out, at, Limit::WallClock);
        }
        let text = "The call was stopped because the run's time was up.";
        self.settle_all(&mut out, at, Status::TimedOut, text);
        self.fail_at_limit(&mut out, at, Limit::WallClock);
        Ok(out)
    }

    /// Checks each call of a reply; what may not run gets its result now.
    fn propose(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &Gate<'_>,
        message: &Message,
        parsed: Vec<Result<Value, crate::ArgumentsError>>,
        finish: Finish,
    ) {
        let calls = message.calls();
        let parsed: Vec<_> = parsed.into_iter().map(|it| it.map(Arc::new)).collect();
        let tool_calls = calls.iter().zip(&parsed).map(|(call, parsed)| {
            let spec = gate.catalog.find(&call.name);
            ProposedCall::new(call, spec.map_or(&call.name, |spec| &spec.name), parsed)
        });
        let tool_calls = tool_calls.collect();
        self.emit(out, at, EventKind::ToolCalls { tool_calls });
        if let Some(limit) = self.closing.or_else(|| self.over_budget(out, at)) {
            return self.refuse_all(out, at, limit, message.content());
        }
        let mut undecided = Vec::new();
        for (index, (call, parsed)) in calls.iter().zip(parsed).enumerate() {
            if self.settled.len() + index >= self.limits.calls as usize {
                if self.closing.is_none() {
                    self.reach(out, at, Limit::Calls);
                }
                let outcome = Outcome::refused(self.at_limit(Limit::Calls));
                self.settle(out, at, &call.id, outcome, None, Duration::ZERO);
                continue;
            }
            // The reply that is being checked is already part of the conversation, its results
            // are not: guards see what the model had seen when it made the call.
            let place = Place { index, finish, earlier: self.earlier(index) };
            match gate.admit(call, parsed, place, &self.conversation) {
                Verdict::Admit(admitted) => {
                    if admitted.effect.needs_decision() {
                        undecided.push(call.id.clone());
                    }
                    let kind = EventKind::CallChecked {
                        id: call.id.clone(),
                        tool: admitted.tool,
                        args: admitted.arguments,
                        effect: admitted.effect,
                        provenance: admitted.provenance,
                    };
                    self.emit(out, at, kind);
                }
                Verdict::Settle { outcome, guard } => {
                    self.settle(out, at, &call.id, outcome, guard, Duration::ZERO);
                }
            }
        }
        if !undecided.is_empty() {
            self.emit(out, at, EventKind::DecisionNeeded { calls: undecided });
        }
    }

    /// How many calls of the same tool the run made before this one of the reply.
    fn earlier(&self, index: usize) -> usize {
        let Some(tool) = self.open.get(index).map(|call| &call.tool) else { return 0 };
        let settled = self.settled.iter().filter(|call| call.tool == *tool).count();
        settled + self.open.iter().take(index).filter(|call| call.tool == *tool).count()
    }

    /// The model called tools when it had to answer.
    fn refuse_all(&mut self, out: &mut Vec<Event>, at: Timestamp, limit: Limit, text: &str) {
        let reason = self.at_limit(limit);
        self.settle_all(out, at, Status::Refused, &reason);
        if text.trim().is_empty() {
            self.fail_at_limit(out, at, limit);
        } else {
            self.done(out, at, text.to_owned(), Finish::ToolCalls);
        }
    }

    fn nothing_said(&mut self, out: &mut Vec<Event>, at: Timestamp, finish: Finish) {
        let (kind, message, advice) = match finish {
            Finish::ContentFilter => (
                FailureKind::ContentFilter,
                "the provider withheld the model's answer (content filter)",
                "rephrase the question, or ask another model",
            ),
            Finish::Length => (
                FailureKind::EmptyReplies,
                "the model used up its length limit before it said anything",
                "allow longer replies, or ask a model that reasons less",
            ),
            _ if self.empty_replies >= EMPTY_REPLIES => (
                FailureKind::EmptyReplies,
                "the model replied with nothing, three times",
                "ask again, or ask another model",
            ),
            _ => return,
        };
        self.fail(out, at, kind, message.to_owned(), Some(advice.to_owned()));
    }

    fn answered(&mut self, out: &mut Vec<Event>, at: Timestamp, gate: &Gate<'_>, text: &str) {
        let may_return = !self.guard_returned && self.closing.is_none();
        let refused = if may_return { gate.refuse_answer(text, &self.conversation) } else { None };
        match refused {
            None => self.review(out, at, text),
            Some((guard, reason)) => {
                let message = Arc::new(Message::correction(reason.clone()));
                self.emit(out, at, EventKind::AnswerReturned { guard, reason });
                self.emit(out, at, EventKind::Message { message });
            }
        }
    }

    /// Ends a run whose last message is the answer.
    pub(super) fn finish(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        let finish = match self.phase {
            Phase::Answered(finish) => finish,
            _ => Finish::Stop,
        };
        let text = self.conversation.messages().last().map(|it| it.content().to_owned());
        self.done(out, at, text.unwrap_or_default(), finish);
    }

    fn done(&mut self, out: &mut Vec<Event>, at: Timestamp, response: String, finish: Finish) {
        let answer = Answer {
            response,
            tool_calls: self.settled.clone(),
            finish_reason: finish,
            tools_executed: self.executed,
            usage: self.usage,
            conversation_id: self.conversation_id.clone(),
        };
        self.emit(out, at, EventKind::Done(Box::new(answer)));
    }

    pub(super) fn fail(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        kind: FailureKind,
        message: String,
        advice: Option<String>,
    ) {
        let failure = Failure {
            kind,
            message,
            advice,
            response: self.partial.clone(),
            tool_calls: self.settled.clone(),
            usage: self.usage,
            conversation_id: self.conversation_id.clone(),
        };
        self.emit(out, at, EventKind::Error(Box::new(failure)));
    }

    pub(super) fn settle(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        id: &CallId,
        outcome: Outcome,
        guard: Option<String>,
        elapsed: Duration,
    ) {
        let Some(call) = self.open.iter().find(|call| call.id == *id) else { return };
        let (tool, status) = (call.tool.clone(), outcome.status);
        let message = ToolMessage { call: id.clone(), name: tool.clone(), outcome };
        let kind = EventKind::CallFinished {
            id: id.clone(),
            tool,
            status,
            message: Arc::new(Message::Tool(message)),
            elapsed_ms: elapsed.as_secs_f64() * 1e3,
            guard,
        };
        self.emit(out, at, kind);
    }

    pub(super) fn settle_all(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        status: Status,
        text: &str,
    ) {
        let open: Vec<CallId> = self
            .open
            .iter()
            .filter(|call| !call.state.is_settled())
            .map(|call| call.id.clone())
            .collect();
        for id in open {
            self.settle(out, at, &id, Outcome::new(status, text), None, Duration::ZERO);
        }
    }

    /// The limit that the reply went over, of those that count what replies use.
    fn over_budget(&mut self, out: &mut Vec<Event>, at: Timestamp) -> Option<Limit> {
        let over = |most: Option<u64>, used: u64| most.is_some_and(|most| used > most);
        let limit = if over(self.limits.tokens, self.usage.total()) {
            Limit::Tokens
        } else if over(self.limits.cost, self.cost().unwrap_or_default()) {
            Limit::Cost
        } else {
            return None;
        };
        self.reach(out, at, limit);
        Some(limit)
    }

    fn reach(&mut self, out: &mut Vec<Event>, at: Timestamp, limit: Limit) {
        let message = format!("{} reached; {}", limit.describe(&self.limits), limit.advice());
        self.emit(out, at, EventKind::LimitReached { limit, message });
    }

    /// What the model is told about a call beyond a limit.
    fn at_limit(&self, limit: Limit) -> String {
        let what = limit.describe(&self.limits);
        format!("The call was not run: the limit of {what} is reached. Answer with what you have.")
    }

    fn fail_at_limit(&mut self, out: &mut Vec<Event>, at: Timestamp, limit: Limit) {
        let what = limit.describe(&self.limits);
        let message = format!("the run reached its limit of {what} without an answer");
        self.fail(out, at, FailureKind::Limit(limit), message, Some(limit.advice()));
    }

    fn expect_alive(&self) -> Result<(), RunError> {
        if self.is_ended() { Err(RunError::Ended) } else { Ok(()) }
    }

    fn expect_model(&self) -> Result<(), RunError> {
        self.expect_alive()?;
        if self.phase == Phase::Model { Ok(()) } else { Err(RunError::NotAsking) }
    }

    /// The tool of an open call in this state.
    fn open_in(&self, id: &CallId, state: &CallState) -> Result<String, RunError> {
        self.expect_alive()?;
        let call = self.open.iter().find(|call| call.id == *id && call.state == *state);
        call.map(|call| call.tool.clone()).ok_or_else(|| RunError::NoSuchCall(id.clone()))
    }
}
