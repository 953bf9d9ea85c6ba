//! [`Audit`]: reads a log event by event and holds it against what a run promises, knowing nothing
//! of how a run works inside. [`wire_problems`] does the same for a conversation.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde_json::Value;
use toolwright_core::{
    CallId, CallSource, CallSummary, Decision, Event, EventKind, Fingerprint, Limit, Message,
    QuestionId, ResultMode, Status, ToolEffect, Usage,
};

/// What a log says about one call.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) id: CallId,
    pub(crate) state: State,
    pub(crate) starts: u32,
    allowed: bool,
    /// Whether somebody changed its arguments.
    pub(crate) edited: bool,
    effect: ToolEffect,
    obtained: CallSource,
    summary: CallSummary,
    /// The arguments as the model wrote them, and those that were asked for just now.
    wrote: Option<Arc<Value>>,
    wanted: Option<Arc<Value>>,
    pub(crate) fingerprint: Option<Fingerprint>,
    /// What it asked and has no answer to, and how much it asked.
    pub(crate) questions: Vec<QuestionId>,
    pub(crate) asked: u32,
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Proposed,
    Ready,
    Undecided,
    Started,
    Finished,
}

/// What a log says so far.
#[derive(Clone, Default)]
pub(crate) struct Audit {
    pub(crate) calls: Vec<Seen>,
    by_id: HashMap<CallId, usize>,
    next_seq: u64,
    ended: bool,
    round: u32,
    /// Whether the model is asked once.
    once: bool,
    replies: u32,
    usage: Usage,
    executed: u32,
    limits: HashSet<&'static str>,
    questions: HashSet<QuestionId>,
    reply: Vec<CallId>,
}

impl Audit {
    pub(crate) fn of<'a>(log: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut audit = Self::default();
        log.into_iter().for_each(|event| audit.observe(event));
        audit
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.ended
    }

    pub(crate) fn rounds(&self) -> u32 {
        self.round
    }

    pub(crate) fn reached(&self, limit: Limit) -> bool {
        self.limits.contains(name(limit))
    }

    pub(crate) fn in_state(&self, state: State) -> Vec<CallId> {
        self.calls.iter().filter(|it| it.state == state).map(|it| it.id.clone()).collect()
    }

    /// The questions that wait for an answer, and the calls that asked.
    pub(crate) fn open_questions(&self) -> Vec<(&CallId, &QuestionId)> {
        self.calls.iter().flat_map(|it| it.questions.iter().map(|open| (&it.id, open))).collect()
    }

    /// What whoever decides about a call was shown.
    pub(crate) fn fingerprint(&self, id: &CallId) -> Option<Fingerprint> {
        self.calls.get(*self.by_id.get(id)?)?.fingerprint.clone()
    }

    fn call(&mut self, id: &CallId) -> &mut Seen {
        let at = *self.by_id.get(id).unwrap_or_else(|| panic!("{id} was never proposed"));
        &mut self.calls[at]
    }

    pub(crate) fn observe(&mut self, event: &Event) {
        assert_eq!(event.seq, self.next_seq, "a gap in the log before {event:?}");
        assert!(!self.ended, "{event:?} comes after the end");
        self.next_seq += u64::from(!event.kind.is_provisional());
        match &event.kind {
            EventKind::RoundStarted { .. } => self.round += 1,
            EventKind::RunStarted { mode, .. } => self.once = *mode == ResultMode::SingleShot,
            EventKind::ModelFallback { usage, .. } => self.usage += *usage,
            EventKind::Reply { message, usage, .. } => {
                self.usage += *usage;
                self.replies += 1;
                assert!(!self.once || self.replies == 1, "the model replied twice");
                self.reply = message.calls().iter().map(|call| call.id.clone()).collect();
            }
            EventKind::ToolCalls { tool_calls } => {
                let ids: Vec<_> = tool_calls.iter().map(|call| call.id.clone()).collect();
                assert_eq!(ids, self.reply, "the calls proposed are not those of the reply");
                for call in tool_calls {
                    let (tool, args) = (call.tool.clone(), call.args.clone());
                    let fresh = self.by_id.insert(call.id.clone(), self.calls.len());
                    assert_eq!(fresh, None, "{} was proposed twice", call.id);
                    self.calls.push(Seen {
                        id: call.id.clone(),
                        state: State::Proposed,
                        starts: 0,
                        allowed: false,
                        edited: false,
                        effect: ToolEffect::default(),
                        obtained: call.source,
                        fingerprint: None,
                        wrote: None,
                        wanted: None,
                        questions: Vec::new(),
                        asked: 0,
                        summary: CallSummary { tool, args, status: Status::Failed },
                    });
                }
            }
            EventKind::CallChecked { id, tool, arguments: args, effect, .. } => {
                let call = self.call(id);
                assert_ne!(call.state, State::Finished, "{id} was checked when it was over");
                let wrote = call.wrote.get_or_insert_with(|| args.clone());
                if let Some(wanted) = call.wanted.take() {
                    assert_eq!(wanted, *args, "{id}: not what was asked for");
                    if call.summary.args != *args {
                        call.fingerprint = None;
                    }
                } else if call.state != State::Proposed {
                    assert_eq!(call.summary.args, *args, "{id}: nobody changed it");
                }
                call.edited = wrote != args;
                call.questions.clear();
                call.state = State::Ready;
                call.effect = *effect;
                call.summary.tool.clone_from(tool);
                call.summary.args = args.clone();
            }
            EventKind::DecisionNeeded { calls } => {
                for id in calls {
                    let call = self.call(id);
                    assert!(matches!(call.state, State::Ready | State::Undecided), "{call:?}");
                    call.state = State::Undecided;
                    (call.wanted, call.allowed) = (None, false);
                }
            }
            EventKind::CallPreview { id, fingerprint, .. } => {
                let call = self.call(id);
                assert_eq!(call.state, State::Undecided, "nobody decides about {id}");
                call.fingerprint = Some(fingerprint.clone());
            }
            EventKind::DecisionMade { id, fingerprint, decision, .. } => {
                let call = self.call(id);
                assert_eq!(call.state, State::Undecided, "nobody asked about {id}");
                if call.fingerprint.is_some() {
                    assert_eq!(call.fingerprint, *fingerprint, "{id}: not what was shown");
                }
                let unseen = call.obtained == CallSource::Repaired || call.edited;
                assert!(
                    !(unseen && *decision == Decision::Allow),
                    "{id} was repaired or changed, and allowed as if it was not"
                );
                if let Decision::Edit { arguments } = decision {
                    call.wanted = Some(Arc::new(arguments.clone()));
                }
                if matches!(decision, Decision::Allow | Decision::AllowReviewed) {
                    call.allowed = true;
                    call.state = State::Ready;
                }
            }
            EventKind::CallStarted { id, tool } => {
                let call = self.call(id);
                assert_eq!((call.state, &call.summary.tool), (State::Ready, tool));
                call.state = State::Started;
                call.starts += 1;
                assert!(
                    call.starts == 1 || call.effect.is_repeatable(),
                    "{id} is not repeatable and was started {} times",
                    call.starts
                );
                assert!(
                    call.allowed || !(call.effect == ToolEffect::Destructive || call.edited),
                    "{id} is destructive or was changed, and nobody allowed it"
                );
            }
            EventKind::CallProgress { id, .. } => {
                assert_eq!(self.call(id).state, State::Started);
            }
            EventKind::QuestionAsked { id, question_id, tool, .. } => {
                assert!(self.questions.insert(question_id.clone()), "{question_id} is used twice");
                let call = self.call(id);
                assert_eq!((call.state, &call.summary.tool), (State::Started, tool));
                call.questions.push(question_id.clone());
                call.asked += 1;
            }
            EventKind::QuestionAnswered { id, question_id, .. } => {
                let call = self.call(id);
                assert_eq!(call.state, State::Started);
                let open = call.questions.iter().position(|it| it == question_id);
                call.questions.remove(open.unwrap_or_else(|| panic!("{question_id} is not open")));
            }
            EventKind::CallFinished { id, tool, status, message, .. } => {
                let call = self.call(id);
                assert_ne!(call.state, State::Finished, "{id} has two results");
                let started = call.state == State::Started;
                call.state = State::Finished;
                call.questions.clear();
                call.summary.status = *status;
                let Message::Tool(result) = &**message else { panic!("not a result: {message:?}") };
                assert_eq!((&result.call, &result.name), (id, tool));
                assert_eq!((result.outcome.status, &call.summary.tool), (*status, tool));
                let ran = (started && call.edited).then_some(&call.summary.args);
                assert_eq!(
                    result.outcome.edited_arguments.as_ref(),
                    ran,
                    "{id}: the model is not told so"
                );
                let is_told = result.outcome.text.contains("changed the arguments of this call");
                assert_eq!(is_told, ran.is_some(), "{:?}", result.outcome.text);
                self.executed += u32::from(started);
            }
            EventKind::LimitReached { limit, .. } => {
                assert!(self.limits.insert(name(*limit)), "{limit} was reached twice");
            }
            EventKind::Done(answer) => {
                self.end();
                assert_eq!(answer.tool_calls, self.summaries());
                assert_eq!(answer.usage, self.usage);
                assert_eq!(answer.tools_executed, self.executed);
                assert!(!answer.response.trim().is_empty(), "an answer that says nothing");
            }
            EventKind::Error(failure) => {
                self.end();
                assert_eq!(failure.tool_calls, self.summaries());
                assert_eq!(failure.usage, self.usage);
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        self.ended = true;
        let open: Vec<_> = self.calls.iter().filter(|it| it.state != State::Finished).collect();
        assert!(open.is_empty(), "the run ended and left {open:?} open");
    }

    fn summaries(&self) -> Vec<CallSummary> {
        self.calls.iter().map(|call| call.summary.clone()).collect()
    }
}

fn name(limit: Limit) -> &'static str {
    match limit {
        Limit::Rounds => "rounds",
        Limit::Calls => "calls",
        Limit::Tokens => "tokens",
        Limit::Cost => "cost",
        Limit::WallClock => "wall_clock",
    }
}

/// Everything a provider would reject: calls without their results directly behind them and in
/// order, results without a call, ids that are missing or used twice, messages that say nothing.
pub(crate) fn wire_problems(messages: &[Arc<Message>]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut ids = HashSet::new();
    let mut rest = messages.iter();
    while let Some(message) = rest.next() {
        match &**message {
            Message::System(_) | Message::User(_) => {}
            Message::Tool(result) => problems.push(format!("{} answers no call", result.call)),
            Message::Assistant(reply) => {
                if reply.calls.is_empty() && reply.content.trim().is_empty() {
                    problems.push("an assistant message that says nothing".into());
                }
                for call in &reply.calls {
                    if call.id.as_str().is_empty() || call.name.trim().is_empty() {
                        problems.push(format!("a call without an id or a name: {call:?}"));
                    }
                    if !ids.insert(call.id.clone()) {
                        problems.push(format!("{} is used twice", call.id));
                    }
                    match rest.next().map(|message| &**message) {
                        Some(Message::Tool(result)) if result.call == call.id => {}
                        other => problems.push(format!("behind {} stands {other:?}", call.id)),
                    }
                }
            }
        }
    }
    problems
}
