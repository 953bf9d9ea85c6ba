//! Folding events into a [`Run`]: the only place its state changes.

use std::sync::Arc;

use super::{
    CallState, OpenCall, Phase, ResultMode, Run,
    output::{Asked, OUTPUT},
    review::REVIEW,
};
use crate::{
    Authenticity, CallId, CallSummary, Decision, Event, EventKind, FinishReason, Message,
    RequestedCall, Status, Timestamp, ToolEffect, Usage, tokens,
};

impl Run {
    /// Makes an event of `kind` and folds it in.
    pub(super) fn event(&mut self, at: Timestamp, kind: EventKind) -> Event {
        let begins = u32::from(matches!(kind, EventKind::RoundStarted { .. }));
        // The number may come from a log that somebody else wrote.
        let round = self.round.saturating_add(begins);
        let event = Event { seq: self.seq, run: self.id.clone(), round, at, kind };
        self.fold(&event);
        event
    }

    /// As [`Run::event`], and hands it out with others of the same report.
    pub(super) fn emit(&mut self, out: &mut Vec<Event>, at: Timestamp, kind: EventKind) {
        let event = self.event(at, kind);
        out.push(event);
    }

    pub(super) fn fold(&mut self, event: &Event) {
        self.place(event);
        self.fold_kind(&event.kind, event.at);
    }

    /// Takes note of where an event stands.
    pub(super) fn place(&mut self, event: &Event) {
        self.seq = event.seq + u64::from(!event.kind.is_provisional());
        self.round = event.round;
    }

    pub(super) fn fold_kind(&mut self, kind: &EventKind, at: Timestamp) {
        match kind {
            EventKind::RunStarted {
                conversation_id,
                model,
                limits,
                first_choice,
                review,
                judge,
                price,
                mode,
                output,
                tools_off,
                ..
            } => {
                self.conversation_id = conversation_id.clone();
                self.limits = *limits;
                self.first_choice = first_choice.clone();
                self.reviewing = *review;
                self.has_judge = *judge && !review.is_off() && *mode == ResultMode::Loop;
                self.price = *price;
                self.models.begin(model);
                self.output.clone_from(output);
                self.tools_off.clone_from(tools_off);
                self.mode = *mode;
            }
            EventKind::Message { message, queued } => {
                self.conversation.push(message.clone());
                self.output_asked.told();
                self.taken_up.extend(queued.clone());
                match self.phase {
                    // There is more to say: the answer was one on the way.
                    Phase::Answered(_) if message.is_steering() => self.phase = Phase::Model,
                    Phase::Ran => self.phase = Phase::Accepted(FinishReason::ToolCalls),
                    Phase::Rejected(finish) => self.phase = Phase::Accepted(finish),
                    _ => {}
                }
            }
            EventKind::OutputRequested => {
                self.output_asked = Asked::Requested;
                self.phase = Phase::Model;
            }
            EventKind::RoundStarted { .. } => {
                self.phase = Phase::Model;
                self.partial.clear();
            }
            // Behind its reply it is an answer that was held back, and no beginning of one.
            EventKind::Content { data } if self.phase == Phase::Model => {
                self.partial.push_str(data);
            }
            EventKind::ModelFallback { from, to, reason, price, usage } => {
                self.fold_silence(usage);
                self.turn_to(from, to, reason, *price);
            }
            EventKind::Reply { message, finish, usage } => {
                self.usage += *usage;
                self.unreported += unreported(usage, self.conversation.size(), message);
                self.partial.clear();
                self.fold_reply(message, *finish);
            }
            EventKind::ToolCalls { tool_calls } => {
                self.open = tool_calls.iter().map(proposed).collect();
            }
            EventKind::CallChecked {
                id,
                tool,
                arguments: args,
                effect,
                review_reason: care,
                ..
            } => {
                if let Some(call) = self.open_call(id) {
                    call.edited(args);
                    call.tool.clone_from(tool);
                    call.arguments = args.clone();
                    call.effect = *effect;
                    call.review_reason.clone_from(care);
                    // Whoever asked is gone.
                    call.questions.clear();
                    // A log may end before the decision is asked for: it is needed all the same.
                    call.state =
                        if call.needs_decision() { CallState::Undecided } else { CallState::Ready };
                }
            }
            EventKind::DecisionNeeded { calls } => {
                for id in calls {
                    // What was not checked here cannot be decided about.
                    if let Some(call) = self.open_call(id).filter(|it| it.is_checked()) {
                        call.state = CallState::Undecided;
                    }
                }
            }
            EventKind::CallPreview { id, preview, .. } => {
                if let Some(call) = self.open_call(id) {
                    call.preview = preview.clone();
                }
            }
            EventKind::DecisionMade { id, fingerprint, decision } => {
                let is_asked = !matches!(decision, Decision::Allow | Decision::Edit { .. });
                self.asked += u32::from(is_asked);
                if let Some(call) = self.open_call(id)
                    && call.state == CallState::Undecided
                    && call.permitted_by(decision)
                {
                    call.state = CallState::Ready;
                    call.decided.clone_from(fingerprint);
                }
            }
            EventKind::CallStarted { id, .. } => {
                if let Some(call) = self.open_call(id) {
                    (call.state, call.started) = (CallState::Started, Some(at));
                }
            }
            EventKind::QuestionAsked { id, question_id, .. } => {
                self.fold_question(id, question_id);
            }
            EventKind::QuestionAnswered { id, question_id, .. } => {
                if let Some(call) = self.open_call(id) {
                    call.questions.retain(|open| open != question_id);
                }
            }
            EventKind::CallFinished { id, message, .. } => self.fold_result(id, message),
            EventKind::AnswerRejected { guard, reason } => {
                match guard.as_str() {
                    REVIEW => self.review_returned = true,
                    OUTPUT => self.output_asked.returned(),
                    _ => self.guard_returned = true,
                }
                self.answer_rejected = Some(reason.clone());
                self.phase = Phase::Model;
            }
            EventKind::LimitReached { limit, .. } => self.closing = Some(*limit),
            EventKind::Done(answer) => self.phase = Phase::Done(answer.clone()),
            EventKind::Error(failure) => self.phase = Phase::Failed(failure.clone()),
            EventKind::Reviewed { findings, verdict, usage, checked } => {
                self.usage += *usage;
                self.fold_verdict(*verdict, findings, *checked);
            }
            EventKind::Compacted(digest) => self.conversation.restore(digest),
            EventKind::Nested { id, event } => {
                self.fold_nested(id, event, Authenticity::Authentic);
            }
            EventKind::PolicyApplied { .. }
            | EventKind::FullResult { .. }
            | EventKind::ToolsOffered { .. }
            | EventKind::ToolsChanged(_)
            | EventKind::Content { .. }
            | EventKind::Reasoning { .. }
            | EventKind::CallDelta { .. }
            | EventKind::ModelRetry { .. }
            | EventKind::CallProgress { .. }
            | EventKind::Notice { .. } => {}
        }
    }

    pub(super) fn fold_reply(&mut self, message: &Arc<Message>, finish: FinishReason) {
        if !message.calls().is_empty() || !message.content().trim().is_empty() {
            self.models.replied();
        }
        if !message.calls().is_empty() {
            self.conversation.push(message.clone());
            self.phase = Phase::Tools;
        } else if message.content().trim().is_empty() {
            // Providers reject an assistant message that says nothing: it is not kept.
            self.empty_replies += 1;
        } else {
            self.conversation.push(message.clone());
            self.phase = Phase::Answered(finish);
        }
    }

    /// Results join the conversation in the order of the calls, once the last of them is there.
    pub(super) fn fold_result(&mut self, id: &CallId, message: &Arc<Message>) {
        let Some(call) = self.open_call(id) else { return };
        let started = call.state == CallState::Started;
        call.state = CallState::Settled(message.clone());
        call.questions.clear();
        self.executed += u32::from(started);
        if !self.open.iter().all(|call| call.state.is_settled()) {
            return;
        }
        for call in std::mem::take(&mut self.open) {
            if let CallState::Settled(message) = call.state {
                let status = match &*message {
                    Message::Tool(result) => result.outcome.status,
                    _ => Status::Failed,
                };
                let summary = CallSummary { tool: call.tool, status, args: call.arguments };
                self.settled.push(summary);
                self.conversation.push(message);
            }
        }
        self.phase = match self.mode {
            ResultMode::Loop => Phase::Model,
            ResultMode::SingleShot => Phase::Ran,
        };
    }

    pub(super) fn open_call(&mut self, id: &CallId) -> Option<&mut OpenCall> {
        self.open.iter_mut().find(|call| call.id == *id)
    }
}

fn proposed(call: &RequestedCall) -> OpenCall {
    OpenCall {
        id: call.id.clone(),
        tool: call.tool.clone(),
        arguments: call.args.clone(),
        original_arguments: None,
        effect: ToolEffect::default(),
        source: call.source,
        review_reason: None,
        preview: Arc::default(),
        decided: None,
        started: None,
        questions: Vec::new(),
        nested: None,
        state: CallState::Proposed,
    }
}

/// What a provider left unsaid of a reply's cost: as many tokens as texts of that length have, where it
/// reported none.
fn unreported(usage: &Usage, read: usize, reply: &Message) -> Usage {
    let written = match reply {
        Message::Assistant(said) => said.reasoning.len() + crate::conversation::size(reply),
        _ => 0,
    };
    let unless = |reported: u64, length| if reported == 0 { tokens(length) } else { 0 };
    Usage {
        prompt_tokens: unless(usage.prompt_tokens, read),
        completion_tokens: unless(usage.completion_tokens, written),
        ..Usage::default()
    }
}
