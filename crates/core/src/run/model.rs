//! What a driver reports about the model: that it is asked, what it says, how it fails.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use super::{Events, ResultMode, Run, output::NO_CALL};
use crate::{
    AssistantMessage, CallValidator, CompactedHistory, Event, EventKind, FailureKind, FinishReason,
    Limit, Message, ModelDelta, ModelError, ModelResponse, Outcome, QueuedMessage, RequestedCall,
    Status, Timestamp, ToolChanges, UnavailableTool,
    call_validator::{Place, Verdict},
};

/// After this many replies with nothing in them the run gives up.
const EMPTY_REPLIES: u32 = 3;

impl Run {
    /// The model is being asked.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn model_called(&mut self, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(1);
        if self.is_overspent_within(&mut out, at) {
            return Ok(out);
        }
        if self.round >= self.limits.rounds && self.closing.is_none() {
            self.reach(&mut out, at, Limit::Rounds);
        }
        if self.closing.is_some() {
            self.ask_for_output(&mut out, at);
        }
        let kind = EventKind::RoundStarted { of: self.limits.rounds, tool_choice: self.choice() };
        self.emit(&mut out, at, kind);
        Ok(out)
    }

    /// A piece of the reply arrived. [`ModelDelta::Response`] is for [`Run::model_replied`]; a piece the run
    /// does not wait for, because it came too late say, is no event.
    pub fn model_part(&mut self, part: ModelDelta, at: Timestamp) -> Option<Event> {
        self.expect_model().ok()?;
        let kind = match part {
            // Nobody can be asked to forget a text: one that may be rejected waits for the verdict.
            ModelDelta::Text(_) if self.holds_answers() => return None,
            ModelDelta::Text(data) => EventKind::Content { data },
            ModelDelta::Reasoning(data) => EventKind::Reasoning { data },
            ModelDelta::CallName { index, name } => {
                EventKind::CallDelta { index, tool: Some(name), arguments: String::new() }
            }
            ModelDelta::CallArguments { index, json } => {
                EventKind::CallDelta { index, tool: None, arguments: json }
            }
            ModelDelta::Retry { attempt, wait_ms, reason } => {
                EventKind::ModelRetry { attempt, wait_ms, reason }
            }
            ModelDelta::Response(_) => return None,
        };
        Some(self.event(at, kind))
    }

    /// The model replied.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn model_replied(
        &mut self,
        reply: ModelResponse,
        gate: &CallValidator<'_>,
        at: Timestamp,
    ) -> Events {
        self.model_replied_while(reply, Vec::new(), gate, at)
    }

    /// As [`Run::model_replied`], where the user said something meanwhile. Behind an answer the run goes on
    /// with that; where the model called tools, or may not be asked again, it stays where it is.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn model_replied_while(
        &mut self,
        mut reply: ModelResponse,
        waiting: Vec<QueuedMessage>,
        gate: &CallValidator<'_>,
        at: Timestamp,
    ) -> Events {
        self.expect_model()?;
        let mut out = Vec::new();
        let nameless = reply.calls.len();
        reply.calls.retain(|call| !call.name.trim().is_empty());
        if reply.calls.len() < nameless {
            let message = "the model called a tool without naming one; ignored".to_owned();
            self.emit(&mut out, at, EventKind::Notice { message, id: None });
        }
        self.conversation.give_ids(&mut reply.calls);
        for call in &mut reply.calls {
            // Which tool is meant is a guess, as it is where JSON had to be mended.
            if gate.catalog.find(&call.name).is_some() && !gate.catalog.is_exact(&call.name) {
                call.source = crate::CallSource::Repaired;
            }
        }
        let finish = if reply.calls.is_empty() { reply.finish } else { FinishReason::ToolCalls };
        let text = reply.text.clone();
        let proposals: Vec<_> = reply.calls.iter().map(crate::Call::parse).collect();
        let message = Arc::new(Message::Assistant(AssistantMessage {
            content: reply.text,
            reasoning: reply.reasoning,
            calls: reply.calls,
            model: reply.model,
            extra: reply.extra,
        }));
        let kind = EventKind::Reply { message: message.clone(), finish, usage: reply.usage };
        let is_answer = message.calls().is_empty() && !text.trim().is_empty();
        let waiting = if is_answer { self.goes_on_with(waiting, &kind, at) } else { Vec::new() };
        if !message.calls().is_empty() || !waiting.is_empty() {
            self.review_aside(&mut out, at, gate, &message);
        }
        self.emit(&mut out, at, kind);
        if !message.calls().is_empty() {
            self.propose(&mut out, at, gate, &message, proposals, reply.finish);
        } else if !waiting.is_empty() {
            self.take_up(&mut out, at, waiting);
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
        let message = self.models.all_silent(error.message);
        self.fail(&mut out, at, kind, message, error.advice);
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
        withheld: Vec<UnavailableTool>,
        at: Timestamp,
    ) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(2);
        let told = withheld.iter().map(|it| format!("`{}` {}", it.tool, it.reason));
        let told = told.collect::<Vec<_>>().join("; ");
        self.emit(&mut out, at, EventKind::ToolsOffered { tools, of, unavailable: withheld });
        if !told.is_empty() {
            let text = format!("Not available at the moment: {told}. Do without, and say so.");
            let message = Arc::new(Message::correction(text));
            self.emit(&mut out, at, EventKind::message(message));
        }
        Ok(out)
    }

    /// What can be called is not what it was.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn tools_changed(&mut self, changes: ToolChanges, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::ToolsChanged(changes));
        Ok(out)
    }

    /// Something that whoever watches has to know.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn noticed(&mut self, message: String, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::Notice { message, id: None });
        Ok(out)
    }

    /// The older part of the conversation is replaced by a digest.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn compacted(&mut self, digest: CompactedHistory, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::Compacted(Arc::new(digest)));
        Ok(out)
    }

    /// Checks each call of a reply; what may not run gets its result now.
    fn propose(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &CallValidator<'_>,
        message: &Message,
        parsed: Vec<Result<Value, crate::ArgumentsError>>,
        finish: FinishReason,
    ) {
        let calls = message.calls();
        let parsed: Vec<_> = parsed.into_iter().map(|it| it.map(Arc::new)).collect();
        let tool_calls = calls.iter().zip(&parsed).map(|(call, parsed)| {
            let spec = gate.catalog.find(&call.name);
            RequestedCall::new(call, spec.map_or(&call.name, |spec| &spec.name), parsed)
        });
        let tool_calls = tool_calls.collect();
        self.emit(out, at, EventKind::ToolCalls { tool_calls });
        if let Some(limit) = self.closing.or_else(|| self.over_budget(out, at)) {
            return self.refuse_all(out, at, gate, limit, message.content());
        }
        if self.output_asked.is_asked() {
            self.settle_all(out, at, Status::Refused, NO_CALL);
            return self.unfit(out, at, &["it calls a tool and is no answer".to_owned()]);
        }
        let mut undecided = Vec::new();
        for (index, (call, parsed)) in calls.iter().zip(parsed).enumerate() {
            if self.settled.len() + self.nested.calls() + index >= self.limits.calls as usize {
                if self.closing.is_none() {
                    self.reach(out, at, Limit::Calls);
                }
                let outcome = Outcome::refused(self.at_limit(Limit::Calls));
                self.settle(out, at, &call.id, outcome, None, Duration::ZERO);
                continue;
            }
            // The reply that is being checked is already part of the conversation, its results
            // are not: guards see what the model had seen when it made the call.
            let place = Place {
                index,
                finish,
                earlier: self.earlier(index),
                original_arguments: None,
                single_shot: self.mode == ResultMode::SingleShot,
            };
            match gate.admit(call, parsed, place, &self.conversation) {
                Verdict::Admit(admitted) => {
                    if admitted.effect.needs_decision() || admitted.review_reason.is_some() {
                        undecided.push(call.id.clone());
                    }
                    self.emit(out, at, admitted.checked(call.id.clone()));
                }
                Verdict::Settle { outcome, guard } => {
                    self.settle(out, at, &call.id, *outcome, guard, Duration::ZERO);
                }
            }
        }
        if !undecided.is_empty() {
            self.emit(out, at, EventKind::DecisionNeeded { calls: undecided });
        }
        self.answer_with_results(out, at);
    }

    /// How many calls of the same tool the run made before this one of the reply.
    pub(super) fn earlier(&self, index: usize) -> usize {
        let Some(tool) = self.open.get(index).map(|call| &call.tool) else { return 0 };
        let settled = self.settled.iter().filter(|call| call.tool == *tool).count();
        settled + self.open.iter().take(index).filter(|call| call.tool == *tool).count()
    }

    /// The model called tools when it had to answer.
    fn refuse_all(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &CallValidator<'_>,
        limit: Limit,
        text: &str,
    ) {
        let reason = self.at_limit(limit);
        self.settle_all(out, at, Status::Refused, &reason);
        if self.output.is_some() {
            return self.ask_for_output_at_limit(out, at, limit);
        }
        if text.trim().is_empty() {
            self.fail_at_limit(out, at, limit);
        } else {
            self.last_word(out, at, gate, text);
        }
    }

    pub(super) fn nothing_said(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        finish: FinishReason,
    ) {
        let (kind, message, advice) = match finish {
            FinishReason::ContentFilter => (
                FailureKind::ContentFilter,
                "the provider withheld the model's answer (content filter)",
                "rephrase the question, or ask another model",
            ),
            FinishReason::Length => (
                FailureKind::EmptyReplies,
                "the model used up its length limit before it said anything",
                "allow longer replies, or ask a model that reasons less",
            ),
            _ if self.mode == ResultMode::SingleShot => (
                FailureKind::EmptyReplies,
                "the model replied with nothing",
                "ask again, or without single shot, which asks the model only once",
            ),
            _ if self.empty_replies >= EMPTY_REPLIES => (
                FailureKind::EmptyReplies,
                "the model replied with nothing, three times",
                "ask again, or ask another model",
            ),
            _ => return,
        };
        let message = self.models.all_silent(message.to_owned());
        self.fail(out, at, kind, message, Some(advice.to_owned()));
    }

    fn answered(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &CallValidator<'_>,
        text: &str,
    ) {
        // What has the form it was asked for is data: what guards look for in texts is not there.
        let may_return =
            !self.guard_returned && self.may_ask_again() && !self.output_asked.is_asked();
        let refused = if may_return { gate.refuse_answer(text, &self.conversation) } else { None };
        match refused {
            None => self.accept(out, at, gate, text),
            Some((guard, reason)) => {
                let message = Arc::new(Message::correction(reason.clone()));
                self.emit(out, at, EventKind::AnswerRejected { guard, reason });
                self.emit(out, at, EventKind::message(message));
            }
        }
    }
}
