//! [`World`]: drives a run by a tape of random bytes. The tape says what the model replies, how
//! tools end, who cancels and when the process dies; where it ends, everybody is polite.

use std::{sync::Arc, time::Duration};

use proptest::{collection, prelude::*};
use serde_json::json;
use toolwright_core::{
    AssistantMessage, Attachment, Call, CallId, CallPreview, CallSource, CallValidator,
    Conversation, ConversationId, Decision, Event, EventKind, Fingerprint, FinishReason, Guard,
    JournalError, JournalErrorKind, Limits, Message, MessageId, ModelDelta, ModelError,
    ModelErrorKind, ModelResponse, Outcome, OutputSchema, OutputValidator, PolicyNote, Price,
    Question, QuestionAnswer, QuestionField, QuestionId, QueueMode, QueuedMessage, ResultMode,
    ReviewMode, Run, RunConfig, RunError, RunId, Status, Step, Timestamp, ToolChoice, ToolEffect,
    Usage, UserMessage, guard,
    review::{Finding, FindingKind, ReviewCheck},
};
use toolwright_review::AnswerReviewer;

use crate::{
    audit::{Audit, State, wire_problems},
    desk::{Tools, spec},
};

/// Random bytes, then zeros.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    bytes: Vec<u8>,
    at: usize,
}

impl Tape {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, at: 0 }
    }

    /// One of `of`, counted from 0.
    pub(crate) fn pick(&mut self, of: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        usize::from(byte) % of
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.pick(of.len())]
    }

    /// Something that happens once in `of` times, and never when the tape has ended.
    fn chance(&mut self, of: usize) -> bool {
        self.pick(of) == of - 1
    }
}

/// What a schedule starts with.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) limits: Limits,
    pub(crate) first_choice: ToolChoice,
    pub(crate) has_history: bool,
    pub(crate) review: ReviewMode,
    pub(crate) judge: bool,
    pub(crate) mode: ResultMode,
    /// Whether the answer has to have a form.
    pub(crate) has_form: bool,
}

pub(crate) fn starts() -> impl Strategy<Value = Start> {
    let tokens = prop_oneof![Just(None), (0_u64..60).prop_map(Some)];
    let limits = (0_u32..4, 0_u32..6, tokens);
    let choices = prop_oneof![
        Just(ToolChoice::Auto),
        Just(ToolChoice::Required),
        Just(ToolChoice::None),
        Just(ToolChoice::Tool("look".into())),
    ];
    let reviews = prop_oneof![
        Just(ReviewMode::Off),
        Just(ReviewMode::Warn),
        Just(ReviewMode::Enforce),
        Just(ReviewMode::Replace),
    ];
    let modes = prop_oneof![3 => Just(ResultMode::Loop), 1 => Just(ResultMode::SingleShot)];
    (limits, choices, any::<bool>(), reviews, any::<bool>(), modes, any::<bool>()).prop_map(
        |((rounds, calls, tokens), first_choice, has_history, review, judge, mode, has_form)| {
            Start {
                limits: Limits { rounds, calls, tokens, cost: None, wall_clock: None },
                first_choice,
                has_history,
                review,
                judge,
                mode,
                has_form,
            }
        },
    )
}

pub(crate) fn tapes() -> impl Strategy<Value = Vec<u8>> {
    collection::vec(any::<u8>(), 0..140)
}

fn tools() -> Tools {
    Tools(vec![
        spec("look", ToolEffect::ReadOnly),
        spec("peek", ToolEffect::ReadOnly),
        spec("put", ToolEffect::Idempotent),
        spec("write", ToolEffect::Write),
        spec("drop", ToolEffect::Destructive),
        spec("then", ToolEffect::Write).after("look"),
        spec("use", ToolEffect::ReadOnly).grounded("id"),
        spec("sell", ToolEffect::Destructive).grounded("id"),
        spec("fetch", ToolEffect::ReadOnly).executable("url"),
    ])
}

/// The form that answers may have to have.
fn form() -> OutputSchema {
    OutputSchema::new("form", json!({"type": "object", "required": ["ok"]})).expect("a schema")
}

/// Knows that form.
struct Form;

impl OutputValidator for Form {
    fn violations(&self, _schema: &OutputSchema, answer: &serde_json::Value) -> Vec<String> {
        if answer.get("ok").is_some() {
            Vec::new()
        } else {
            vec!["the answer: ok is required".into()]
        }
    }
}

fn history() -> Conversation {
    let call = Call::new("call_0", "look", "{}");
    let reply = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    Conversation::from_iter([
        Message::system("Be brief."),
        Message::user("What is 7?"),
        Message::Assistant(reply),
        Message::tool("call_0", "look", Outcome::ok(r#"{"id":7}"#)),
        Message::assistant("A number."),
    ])
}

/// A run, its log so far, and whoever drives it.
#[derive(Clone)]
pub(crate) struct World {
    tools: Arc<Tools>,
    guards: Arc<[Arc<dyn Guard>]>,
    pub(crate) history: Conversation,
    pub(crate) run: Run,
    pub(crate) log: Vec<Event>,
    pub(crate) audit: Audit,
    /// Whether the model is being asked.
    asked: bool,
    clock: u64,
    /// How many messages the user sent while the run went on.
    said: usize,
    /// How many events the run began with.
    pub(crate) opening: usize,
}

impl World {
    pub(crate) fn new(start: &Start) -> Self {
        let history = if start.has_history { history() } else { Conversation::new() };
        let setup = RunConfig {
            id: RunId::from("run"),
            conversation_id: ConversationId::from("talk"),
            model: "test:model".into(),
            history: history.clone(),
            after: None,
            messages: vec![Message::system("Help."), Message::user("Use 13, please.")],
            queued: None,
            limits: start.limits,
            first_choice: start.first_choice.clone(),
            mode: start.mode,
            review: start.review,
            judge: start.judge,
            price: None,
            output: start.has_form.then(|| Arc::new(form())),
            tools_off: Vec::new(),
        };
        let (run, log) = Run::start(setup, Timestamp(0));
        Self {
            tools: Arc::new(tools()),
            guards: guard::defaults().into(),
            history,
            run,
            audit: Audit::of(&log),
            opening: log.len(),
            log,
            asked: false,
            clock: 0,
            said: 0,
        }
    }

    /// The same world, its process having died when the log had this many events.
    pub(crate) fn cut(&self, at: usize) -> Self {
        let log = self.log[..at].to_vec();
        let run = Run::replay(self.history.clone(), &log).expect("a prefix of a log is a log");
        Self { run, audit: Audit::of(&log), log, asked: false, ..self.clone() }
    }

    pub(crate) fn now(&mut self) -> Timestamp {
        self.clock += 1;
        Timestamp(self.clock)
    }

    pub(crate) fn report(
        &mut self,
        report: impl FnOnce(&mut Run, Timestamp) -> Result<Vec<Event>, RunError>,
    ) {
        let at = self.now();
        let events = report(&mut self.run, at).expect("the run asked for this report");
        events.iter().for_each(|event| self.audit.observe(event));
        self.log.extend(events);
        self.check();
    }

    pub(crate) fn gated(&mut self, reply: ModelResponse) {
        self.gated_while(reply, Vec::new());
    }

    /// The model replied, and the user said something meanwhile.
    pub(crate) fn gated_while(&mut self, reply: ModelResponse, waiting: Vec<QueuedMessage>) {
        let (tools, guards) = (self.tools.clone(), self.guards.clone());
        let reviewer = AnswerReviewer::new();
        let gate = CallValidator::new(&*tools, &guards).reviewer(&reviewer).output(&Form);
        self.report(|run, at| run.model_replied_while(reply, waiting, &gate, at));
    }

    /// What must hold whenever nothing is going on.
    fn check(&self) {
        let questions: Vec<_> = self.run.open_questions().collect();
        assert_eq!(questions, self.audit.open_questions());
        let messages = self.run.conversation().messages();
        let step = self.run.step();
        let upto = match step {
            // The last message is the reply whose calls are open.
            Step::RunTools(_) | Step::AwaitDecision(_) => messages.len() - 1,
            Step::CallModel { .. } | Step::Judge | Step::Review | Step::Done(_) => messages.len(),
        };
        assert_eq!(wire_problems(&messages[..upto]), Vec::<String>::new(), "{messages:?}");
        let open = self.audit.calls.iter().any(|call| call.state != State::Finished);
        match step {
            Step::CallModel { .. } => {
                assert!(!open, "the model is asked while calls are open");
                let last = messages.last().map(|message| message.role());
                let cut_opening = self.log.len() < self.opening || !self.opened();
                assert!(cut_opening || matches!(last, Some("user" | "tool")), "ends with {last:?}");
            }
            Step::Judge | Step::Review => {
                assert!(!open, "an answer is judged while calls are open");
                assert_eq!(messages.last().map(|message| message.role()), Some("assistant"));
            }
            Step::Done(_) => assert!(self.audit.is_ended()),
            Step::AwaitDecision(calls) => {
                let ids: Vec<_> = calls.into_iter().map(|call| call.id).collect();
                assert_eq!(ids, self.audit.in_state(State::Undecided));
            }
            Step::RunTools(calls) => {
                assert!(open, "no tool is left to run");
                let running = !self.audit.in_state(State::Started).is_empty();
                assert!(running || !calls.is_empty(), "the run waits for nobody");
                if running || calls.len() > 1 {
                    let read = |call: &toolwright_core::CheckedCall| call.effect.is_read_only();
                    assert!(calls.iter().all(read), "{calls:?} do not all run side by side");
                }
            }
        }
        assert_eq!(self.run.is_ended(), self.audit.is_ended());
    }

    /// Whether the log has the question the run began with.
    fn opened(&self) -> bool {
        let opening = self.log.iter().take(self.opening);
        opening.filter(|event| matches!(event.kind, EventKind::Message { .. })).count()
            == self.opening - 1
    }

    /// Drives the run to its end by the tape.
    pub(crate) fn play(&mut self, tape: &mut Tape) {
        for _ in 0..400 {
            if self.run.is_ended() {
                return;
            }
            if self.disturb(tape) {
                continue;
            }
            self.advance(tape);
        }
        panic!("the run does not end");
    }

    /// Things that may happen at any moment; whether one did.
    fn disturb(&mut self, tape: &mut Tape) -> bool {
        match tape.pick(52) {
            48 => self.report(Run::abandoned),
            49 => {
                let error = JournalError::new(JournalErrorKind::Full, "the disk is full");
                self.report(|run, at| Ok(run.persist_failed(error, at)));
            }
            40 => self.report(Run::cancelled),
            41 => self.report(Run::out_of_time),
            42 | 43 => self.crash(),
            44 => self.reload(),
            45 | 46 => self.mislead(),
            47 => return self.compact(tape),
            50 | 51 => return self.steer(),
            _ => return false,
        }
        true
    }

    /// Puts a digest in the place of what is old, where there is something to gain.
    fn compact(&mut self, tape: &mut Tape) -> bool {
        let asking = matches!(self.run.step(), Step::CallModel { .. });
        let digest = self.run.conversation().digest(tape.pick(120));
        let Some(digest) = digest.filter(|_| asking) else { return false };
        self.report(|run, at| run.compacted(digest, at));
        true
    }

    /// The user says something where the run takes it up.
    fn steer(&mut self) -> bool {
        let message = self.say();
        if self.asked || !self.run.takes_messages() {
            return false;
        }
        let before = self.run.conversation().len();
        self.report(|run, at| run.steered(vec![message.clone(), message.clone()], at));
        assert_eq!(self.run.conversation().len(), before + 1, "taken up once");
        true
    }

    fn say(&mut self) -> QueuedMessage {
        self.said += 1;
        QueuedMessage {
            id: MessageId::new(format!("m{}", self.said)),
            mode: QueueMode::Steer,
            at: Timestamp(self.clock),
            message: UserMessage::new("Take 99, too."),
        }
    }

    /// One thing the run asks for.
    pub(crate) fn advance(&mut self, tape: &mut Tape) {
        match self.run.step() {
            Step::CallModel { .. } if !self.asked => {
                self.report(Run::model_called);
                self.asked = true;
            }
            Step::CallModel { .. } => self.model(tape),
            Step::AwaitDecision(calls) => {
                let decision = match tape.pick(7) {
                    0 => Decision::Deny { reason: None },
                    1 => Decision::Deny { reason: Some("not today".into()) },
                    2 | 3 => Decision::AllowReviewed,
                    4 => Decision::Allow,
                    _ => Decision::Edit { arguments: edited(tape) },
                };
                let (tools, guards) = (self.tools.clone(), self.guards.clone());
                let reviewer = AnswerReviewer::new();
                let gate = CallValidator::new(&*tools, &guards).reviewer(&reviewer).output(&Form);
                let call = tape.one(&calls).clone();
                let preview = preview(tape);
                if tape.pick(2) == 0 {
                    let preview = preview.clone();
                    self.report(|run, at| run.call_previewed(&call.id, preview, at));
                }
                let of = |it: &CallPreview| Fingerprint::of(&call.tool, &call.arguments, it);
                let about = if tape.chance(3) { of(&CallPreview::default()) } else { of(&preview) };
                let shown = self.audit.fingerprint(&call.id);
                if about == shown.unwrap_or_else(|| of(&CallPreview::default())) {
                    self.report(|run, at| run.decided(&call.id, &about, decision, &gate, at));
                } else {
                    let refused = self.run.decided(&call.id, &about, decision, &gate, Timestamp(1));
                    assert_eq!(refused, Err(RunError::Changed(call.id)));
                }
            }
            Step::RunTools(calls) => self.tool(tape, &calls),
            Step::Judge => {
                let (check, kind) = (ReviewCheck::Judged, FindingKind::Claim);
                let finding = Finding::new(check, kind, "It is 13.");
                let opinion = match tape.pick(3) {
                    0 => Some(vec![finding]),
                    1 => Some(Vec::new()),
                    _ => None,
                };
                let (tools, guards) = (self.tools.clone(), self.guards.clone());
                let reviewer = AnswerReviewer::new();
                let gate = CallValidator::new(&*tools, &guards).reviewer(&reviewer).output(&Form);
                self.report(|run, at| run.judged(opinion, Usage::default(), &gate, at));
            }
            Step::Review => {
                let (tools, guards) = (self.tools.clone(), self.guards.clone());
                let reviewer = AnswerReviewer::new();
                let gate = CallValidator::new(&*tools, &guards).reviewer(&reviewer).output(&Form);
                self.report(|run, at| run.checked(&gate, at));
            }
            Step::Done(_) => {}
        }
    }

    fn model(&mut self, tape: &mut Tape) {
        match tape.pick(13) {
            12 => {
                let (from, to) = (self.run.model().to_owned(), format!("m{}", tape.pick(3)));
                let price = tape.chance(2).then_some(Price::new(1.0, 2.0));
                let usage = Usage { prompt_tokens: tape.pick(9) as u64, ..Usage::default() };
                let why = "overloaded".to_owned();
                self.report(|run, at| run.model_fell_back(from, to, why, price, usage, at));
            }
            11 => {
                self.asked = false;
                let error = ModelError::new(ModelErrorKind::Server, "overloaded");
                self.report(|run, at| run.model_failed(error, at));
            }
            9 | 10 => {
                let part = part(tape);
                self.report(|run, at| Ok(run.model_part(part, at).into_iter().collect()));
            }
            _ => {
                let reply = reply(tape, self.run.conversation());
                self.asked = false;
                let waiting = if tape.chance(4) { vec![self.say()] } else { Vec::new() };
                self.gated_while(reply, waiting);
            }
        }
    }

    fn tool(&mut self, tape: &mut Tape, ready: &[toolwright_core::CheckedCall]) {
        let started = self.audit.in_state(State::Started);
        let start = started.is_empty() || tape.pick(2) == 1;
        if start && !ready.is_empty() {
            let call = tape.one(ready).clone();
            let preview = preview(tape);
            if !self.run.stands(&call.id, &preview) {
                return self.report(|run, at| run.call_previewed(&call.id, preview, at));
            }
            return self.report(|run, at| run.tool_started(&call.id, at));
        }
        let id = tape.one(&started).clone();
        if tape.chance(6) {
            return self.report(|run, at| run.tool_progress(&id, "half".into(), at));
        }
        if tape.chance(8) {
            let (layer, action) = ("retry".into(), "again".into());
            let note = PolicyNote { layer, action, message: "Trying again.".into() };
            return self.report(|run, at| run.policy_applied(&id, note, at));
        }
        if tape.chance(6) {
            return self.question(tape, &id);
        }
        let (outcome, elapsed) = (outcome(tape), Duration::from_micros(tape.pick(256) as u64));
        let whole = tape.chance(8).then(|| "all of it".to_owned());
        self.report(|run, at| run.tool_settled(&id, outcome, whole, elapsed, at));
    }

    /// The call asks the user something, or has an answer.
    fn question(&mut self, tape: &mut Tape, id: &CallId) {
        let questions = self.audit.open_questions();
        let open = questions.into_iter().filter(|(call, _)| *call == id).map(|(_, it)| it.clone());
        let open: Vec<_> = open.collect();
        if open.is_empty() || tape.chance(3) {
            let field = QuestionField::integer("guests");
            let question = Question::new("For how many?").field(field);
            return self.report(|run, at| run.question_asked(id, question, at));
        }
        let answer = match tape.pick(3) {
            0 => QuestionAnswer::accept_with(json!({"guests": 3})),
            1 => QuestionAnswer::Decline,
            _ => QuestionAnswer::Cancel,
        };
        let question = tape.one(&open).clone();
        self.report(|run, at| run.question_answered(id, &question, answer, at));
    }

    /// The process dies and another one goes on from what was stored.
    fn crash(&mut self) {
        let mut log = Vec::new();
        for event in &self.log {
            let stored = serde_json::to_string(event).expect("an event is JSON");
            log.push(serde_json::from_str(&stored).expect("and back"));
            assert_eq!(log.last(), Some(event), "stored as {stored}");
        }
        let run = Run::replay(self.history.clone(), &log).expect("a log is a log");
        assert_eq!(run, self.run);
        self.run = run;
        self.recover();
    }

    pub(crate) fn recover(&mut self) {
        self.asked = false;
        self.report(Run::recover);
    }

    /// The run is stored as it is and loaded again.
    fn reload(&mut self) {
        let stored = serde_json::to_string(&self.run).expect("a run is JSON");
        let run: Run = serde_json::from_str(&stored).expect("and back");
        assert_eq!(run, self.run);
        self.run = run;
    }

    /// Reports that do not fit: each is turned down and changes nothing.
    pub(crate) fn mislead(&mut self) {
        let before = self.run.clone();
        let at = self.now();
        let step = self.run.step();
        let ready: Vec<CallId> = match &step {
            Step::RunTools(calls) => calls.iter().map(|call| call.id.clone()).collect(),
            _ => Vec::new(),
        };
        let (tools, guards) = (self.tools.clone(), self.guards.clone());
        let reviewer = AnswerReviewer::new();
        let gate = CallValidator::new(&*tools, &guards).reviewer(&reviewer).output(&Form);
        let mut ids: Vec<_> =
            self.audit.calls.iter().map(|call| (call.id.clone(), Some(call.state))).collect();
        ids.push((CallId::from("nobody"), None));
        ids.push((CallId::from(""), None));
        for (id, state) in ids {
            let error =
                if before.is_ended() { RunError::Ended } else { RunError::NoSuchCall(id.clone()) };
            if state != Some(State::Started) {
                let settled =
                    self.run.tool_settled(&id, Outcome::ok("?"), None, Duration::ZERO, at);
                assert_eq!(settled, Err(error.clone()));
                let progress = self.run.tool_progress(&id, "?".into(), at);
                assert_eq!(progress, Err(error.clone()));
                let asked = self.run.question_asked(&id, Question::new("?"), at);
                assert_eq!(asked, Err(error.clone()));
            }
            let nothing = QuestionId::from("q0");
            let answered = self.run.question_answered(&id, &nothing, QuestionAnswer::Decline, at);
            let missing = match state == Some(State::Started) {
                true => RunError::NoSuchQuestion(nothing),
                false => error.clone(),
            };
            assert_eq!(answered, Err(missing));
            if state != Some(State::Undecided) {
                let about = Fingerprint::of("", &serde_json::Value::Null, &CallPreview::default());
                for decision in [Decision::Allow, Decision::Edit { arguments: json!({}) }] {
                    let decided = self.run.decided(&id, &about, decision, &gate, at);
                    assert_eq!(decided, Err(error.clone()));
                }
            }
            if !ready.contains(&id) {
                let started = self.run.tool_started(&id, at);
                assert_eq!(started, Err(RunError::NoSuchCall(id)));
            }
        }
        if !matches!(step, Step::CallModel { .. }) {
            let error = if before.is_ended() { RunError::Ended } else { RunError::NotAsking };
            let replied = self.run.model_replied(ModelResponse::text("?"), &gate, at);
            assert_eq!(replied, Err(error.clone()));
            let failed = self.run.model_failed(ModelError::new(ModelErrorKind::Server, "?"), at);
            assert_eq!(failed, Err(error.clone()));
            assert_eq!(self.run.model_called(at), Err(error));
            assert_eq!(self.run.model_part(ModelDelta::Text("?".into()), at), None);
        }
        if !before.takes_messages() {
            let error = if before.is_ended() { RunError::Ended } else { RunError::NotAsking };
            let message = self.say();
            assert_eq!(self.run.steered(vec![message], at), Err(error));
        }
        if before.is_ended() {
            assert_eq!(self.run.cancelled(at), Err(RunError::Ended));
            assert_eq!(self.run.out_of_time(at), Err(RunError::Ended));
            assert_eq!(self.run.recover(at), Err(RunError::Ended));
        }
        assert_eq!(self.run.model_part(ModelDelta::Response(ModelResponse::text("?")), at), None);
        assert_eq!(self.run, before);
    }

    /// Drives the run to its end with a model that answers at once and tools that succeed.
    pub(crate) fn play_politely(&mut self) {
        self.play(&mut Tape::new(Vec::new()));
    }

    /// Drives the run to its end with a model that never does anything but call tools.
    pub(crate) fn play_hungrily(&mut self, tape: &mut Tape, text: &str) {
        for _ in 0..400 {
            match self.run.step() {
                Step::Done(_) => return,
                Step::CallModel { .. } => {
                    self.report(Run::model_called);
                    let mut reply = calls(tape, self.run.conversation());
                    reply.calls.push(Call::new("", "look", "{}"));
                    text.clone_into(&mut reply.text);
                    self.gated(reply);
                }
                _ => self.advance(tape),
            }
        }
        panic!("the run does not end");
    }

    /// An answer that has to have a form has it, and no tool runs once it was asked for.
    fn check_form(&self) {
        let is_asked = |event: &Event| event.kind == EventKind::OutputRequested;
        let Some(at) = self.log.iter().position(is_asked) else {
            let is_done = matches!(self.run.step(), Step::Done(Ok(_)));
            assert!(!is_done || self.run.output().is_none(), "an answer that was never asked for");
            return;
        };
        let ran = |event: &Event| matches!(event.kind, EventKind::CallStarted { .. });
        assert!(!self.log.iter().skip(at).any(ran), "a tool runs when the answer is due");
        assert_eq!(self.log.iter().filter(|it| is_asked(it)).count(), 1);
        if let Step::Done(Ok(answer)) = self.run.step() {
            let answer: serde_json::Value = serde_json::from_str(&answer.response).expect("JSON");
            assert!(answer.get("ok").is_some(), "{answer}");
        }
    }

    /// The end, where every promise can be checked.
    pub(crate) fn check_end(&mut self) {
        assert!(self.audit.is_ended());
        assert!(self.log.last().is_some_and(|event| event.kind.is_terminal()));
        assert_eq!(Run::replay(self.history.clone(), &self.log), Ok(self.run.clone()));
        assert!(self.audit.calls.iter().all(|call| call.state == State::Finished));
        self.check_form();
        self.mislead();
    }
}

fn picture() -> Attachment {
    Attachment::new(&b"\x89PNG\r\n\x1a\n..."[..], None, Some("picture.png")).expect("a picture")
}

fn part(tape: &mut Tape) -> ModelDelta {
    match tape.pick(5) {
        0 => ModelDelta::Text("He".into()),
        1 => ModelDelta::Reasoning("hm".into()),
        2 => ModelDelta::CallName { index: 0, name: "look".into() },
        3 => ModelDelta::CallArguments { index: 0, json: "{".into() },
        _ => ModelDelta::Retry { attempt: 2, wait_ms: 10, reason: "busy".into() },
    }
}

/// Anything a model has been seen to reply.
fn reply(tape: &mut Tape, conversation: &Conversation) -> ModelResponse {
    let mut reply = match tape.pick(24) {
        0 => ModelResponse::text("All done."),
        1 => ModelResponse::text(""),
        2 => ModelResponse::text(" \n\t"),
        3 => ModelResponse { reasoning: "hm".into(), ..ModelResponse::text("I think so.") },
        4 => ModelResponse { finish: FinishReason::ContentFilter, ..ModelResponse::text("") },
        5 => ModelResponse { finish: FinishReason::ContentFilter, ..ModelResponse::text("I can") },
        6 => ModelResponse { finish: FinishReason::Length, ..ModelResponse::text("It is a long") },
        7 => ModelResponse { finish: FinishReason::Length, ..ModelResponse::text("") },
        8 => ModelResponse::text("It costs [Current Price]."),
        9 => ModelResponse::text(r#"{"tool": "write", "params": {}}"#),
        10 => ModelResponse { finish: FinishReason::ToolCalls, ..ModelResponse::text("") },
        11 => ModelResponse::text(r#"{"ok": 13}"#),
        12 => ModelResponse::text("```json\n{\"ok\": true}\n```"),
        13 => ModelResponse { finish: FinishReason::Refusal, ..ModelResponse::text("I won't.") },
        _ => calls(tape, conversation),
    };
    reply.usage.prompt_tokens = tape.pick(20) as u64;
    reply.usage.completion_tokens = tape.pick(20) as u64;
    reply
}

fn calls(tape: &mut Tape, conversation: &Conversation) -> ModelResponse {
    let calls: Vec<_> = (0..1 + tape.pick(4)).map(|_| call(tape, conversation)).collect();
    let mut reply = ModelResponse::calls(calls);
    match tape.pick(8) {
        1 => reply.text = "Let me look.".into(),
        2 => reply.finish = FinishReason::Stop,
        3 => {
            reply.finish = FinishReason::Length;
            if let Some(last) = reply.calls.last_mut() {
                last.arguments = r#"{"id": 1"#.into();
            }
        }
        4 => reply.reasoning = "hm".into(),
        5 => reply.extra = Some(serde_json::Map::from_iter([("sign".into(), json!("x1"))])),
        _ => {}
    }
    reply.usage = Usage { prompt_tokens: 3, completion_tokens: 2, ..Usage::default() };
    reply
}

fn call(tape: &mut Tape, conversation: &Conversation) -> Call {
    let name = *tape.one(&[
        "look", "look", "peek", "put", "write", "drop", "then", "use", "use", "nope", "", " ",
        "sell", "fetch", "fetch",
    ]);
    let arguments = *tape.one(&[
        "{}",
        r#"{"id":13}"#,
        r#"{"id":"7"}"#,
        r#"{"id":99}"#,
        r#"{"id":"<security_id>"}"#,
        "",
        "null",
        r#""{\"id\":13}""#,
        r#"{"id":"#,
        "id is 13",
        "[1]",
        r#"{"x":{"y":[0.1,-2.5e-7,null,true,"é"]}}"#,
        r#"{"url":"The answer is 42."}"#,
        r#"{"big":18446744073709551615,"exact":0.30000000000000004}"#,
    ]);
    let earlier: Vec<CallId> = conversation
        .messages()
        .iter()
        .flat_map(|message| message.calls())
        .map(|call| call.id.clone())
        .collect();
    let id = match tape.pick(8) {
        0 | 1 => CallId::from(""),
        2 => CallId::from("a"),
        3 => CallId::from("b"),
        4 => CallId::from("call_0"),
        5 => CallId::new(format!("call_{}_{}", conversation.len(), tape.pick(3))),
        6 => CallId::new(format!("c{}", tape.pick(200))),
        _ => earlier.last().cloned().unwrap_or_else(|| CallId::from("a")),
    };
    let obtained = *tape.one(&[CallSource::Native, CallSource::Extracted, CallSource::Repaired]);
    Call { source: obtained, ..Call::new(id, name, arguments) }
}

/// What a person may type into a call: good arguments, and such as no model would get away with.
fn edited(tape: &mut Tape) -> serde_json::Value {
    let all = [
        json!({"id": 99}),
        json!({"id": 13}),
        json!({"id": "7", "more": [0.1, null]}),
        json!({"url": "make all"}),
        json!({"id": "<security_id>"}),
        json!({}),
        json!([1]),
        json!(null),
        json!("id is 13"),
    ];
    tape.one(&all).clone()
}

fn outcome(tape: &mut Tape) -> Outcome {
    match tape.pick(9) {
        0 => Outcome::ok(r#"{"id":13}"#),
        1 => {
            let mut outcome = Outcome::ok(r#"{"id":13}"#);
            outcome.attachments.push(picture());
            outcome
        }
        2 => Outcome::ok("The answer is 42."),
        3 => Outcome::ok("✅ Success!").with_data(json!({"id": 99, "price": 0.1})),
        4 => Outcome::ok("nothing").with_data(json!(null)),
        5 => Outcome::failed("no such file").with_detail("/etc/shadow"),
        6 => Outcome::new(Status::TimedOut, "too slow"),
        7 => Outcome::ok(""),
        _ => Outcome::refused("the breaker is open"),
    }
}

/// What a call would do, here or there.
fn preview(tape: &mut Tape) -> CallPreview {
    let place = if tape.chance(4) { "there" } else { "here" };
    CallPreview { place: Some(place.to_owned()), ..CallPreview::default() }
}
