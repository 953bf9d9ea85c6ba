//! [`Desk`]: a run with a few tools, for tests that say what the model replies and look at what
//! happens.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use toolwright_core::{
    Call, CallId, CallValidator, Conversation, ConversationId, Decision, Event, EventKind,
    Fingerprint, Guard, Limits, Message, ModelResponse, Outcome, ResultMode, ReviewMode, Run,
    RunConfig, RunError, RunId, Status, Step, Timestamp, ToolCatalog, ToolChoice, ToolEffect,
    ToolSpec, guard,
};
use toolwright_review::AnswerReviewer;

/// Tools as far as a gate needs to know them.
pub(crate) struct Tools(pub(crate) Vec<ToolSpec>);

impl ToolCatalog for Tools {
    fn find(&self, name: &str) -> Option<&ToolSpec> {
        self.0.iter().find(|spec| spec.name == name)
    }

    fn specs(&self) -> Box<dyn Iterator<Item = &ToolSpec> + '_> {
        Box::new(self.0.iter())
    }

    fn violations(&self, spec: &ToolSpec, arguments: &Value) -> Vec<String> {
        let Some(map) = arguments.as_object() else { return vec!["not an object".into()] };
        let names = spec.parameters["required"].as_array().into_iter().flatten();
        let missing = names.filter_map(Value::as_str).filter(|name| !map.contains_key(*name));
        missing.map(|name| format!("`{name}` is missing")).collect()
    }

    fn unknown(&self, name: &str) -> String {
        format!("there is no tool `{name}`")
    }
}

/// A tool that takes anything.
pub(crate) fn spec(name: &str, effect: ToolEffect) -> ToolSpec {
    ToolSpec::new(name, "Does something.", json!({"type": "object", "properties": {}}))
        .effect(effect)
}

pub(crate) fn setup(question: &str) -> RunConfig {
    RunConfig {
        id: RunId::from("run"),
        conversation_id: ConversationId::from("talk"),
        after: None,
        model: "test:model".into(),
        history: Conversation::new(),
        messages: vec![Message::user(question)],
        queued: None,
        limits: Limits::default(),
        first_choice: ToolChoice::Auto,
        mode: ResultMode::Loop,
        review: ReviewMode::Off,
        judge: false,
        price: None,
        output: None,
        tools_off: Vec::new(),
    }
}

/// A run, what it may call, and everything that happened.
pub(crate) struct Desk {
    pub(crate) tools: Tools,
    pub(crate) guards: Vec<Arc<dyn Guard>>,
    pub(crate) run: Run,
    pub(crate) log: Vec<Event>,
}

impl Desk {
    pub(crate) fn new(question: &str, tools: Vec<ToolSpec>) -> Self {
        Self::with(setup(question), tools)
    }

    pub(crate) fn with(setup: RunConfig, tools: Vec<ToolSpec>) -> Self {
        let (run, log) = Run::start(setup, Timestamp(0));
        Self { tools: Tools(tools), guards: guard::defaults(), run, log }
    }

    pub(crate) fn guarded(mut self, guards: Vec<Arc<dyn Guard>>) -> Self {
        self.guards = guards;
        self
    }

    /// Asks the model, which replies with this; gives the events that the reply caused.
    pub(crate) fn reply(&mut self, reply: ModelResponse) -> Vec<EventKind> {
        let reviewer = AnswerReviewer::new();
        let gate = CallValidator::new(&self.tools, &self.guards).reviewer(&reviewer);
        let asked = self.run.model_called(Timestamp(1)).expect("the run waits for the model");
        self.log.extend(asked);
        let events = self.run.model_replied(reply, &gate, Timestamp(2)).expect("it was asked");
        self.log.extend(events.clone());
        events.into_iter().map(|event| event.kind).collect()
    }

    /// The model calls one tool; gives what was told about that call, once it was run with
    /// `outcome` if it may run at all.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value, outcome: Outcome) -> Verdict {
        let before = self.log.len();
        self.reply(ModelResponse::calls([Call::new("", tool, arguments.to_string())]));
        self.run_all(&outcome);
        self.verdicts(before).remove(0)
    }

    /// Runs whatever may run, each ending in `outcome`.
    pub(crate) fn run_all(&mut self, outcome: &Outcome) {
        while let Step::RunTools(calls) = self.run.step() {
            assert!(!calls.is_empty(), "the run waits for nobody");
            for call in calls {
                self.start(&call.id);
                self.settle(&call.id, outcome.clone());
            }
        }
    }

    /// Somebody decides about what has this fingerprint; gives the events that caused.
    pub(crate) fn decide(
        &mut self,
        id: &str,
        about: &Fingerprint,
        decision: Decision,
    ) -> Result<Vec<EventKind>, RunError> {
        let reviewer = AnswerReviewer::new();
        let gate = CallValidator::new(&self.tools, &self.guards).reviewer(&reviewer);
        let events = self.run.decided(&id.into(), about, decision, &gate, Timestamp(5))?;
        self.log.extend(events.clone());
        Ok(events.into_iter().map(|event| event.kind).collect())
    }

    pub(crate) fn start(&mut self, id: &CallId) {
        self.log.extend(self.run.tool_started(id, Timestamp(3)).expect("it may start"));
    }

    pub(crate) fn settle(&mut self, id: &CallId, outcome: Outcome) {
        let events =
            self.run.tool_settled(id, outcome, None, Duration::from_millis(5), Timestamp(4));
        self.log.extend(events.expect("it was started"));
    }

    /// What became of the calls finished since the log had `from` events, in order.
    pub(crate) fn verdicts(&self, from: usize) -> Vec<Verdict> {
        let finished = self.log[from..].iter().filter_map(|event| match &event.kind {
            EventKind::CallFinished { status, message, guard, .. } => Some(Verdict {
                status: *status,
                guard: guard.clone(),
                text: message.content().to_owned(),
            }),
            _ => None,
        });
        finished.collect()
    }
}

/// How a call ended and which guard refused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) status: Status,
    pub(crate) guard: Option<String>,
    pub(crate) text: String,
}

impl Verdict {
    pub(crate) fn ran(text: &str) -> Self {
        Self { status: Status::Ok, guard: None, text: text.into() }
    }

    pub(crate) fn refused(guard: &str, text: &str) -> Self {
        Self { status: Status::Refused, guard: Some(guard.into()), text: text.into() }
    }
}
