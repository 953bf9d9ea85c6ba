//! [`Talk`]: a conversation whose runs are made by the real [`Run`], report by report.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_core::{
    BranchPoint, Call, CallPreview, CallValidator, Conversation, ConversationId, Decision, Event,
    EventKind, Fingerprint, Journal, Limits, Message, ModelResponse, Outcome, ResultMode,
    ReviewMode, Run, RunConfig, RunId, Step, Timestamp, ToolCatalog, ToolChoice, ToolEffect,
    ToolSpec,
};
use toolwright_store::{ConversationLease, Position, Store};

struct Tools(Vec<ToolSpec>);

impl ToolCatalog for Tools {
    fn find(&self, name: &str) -> Option<&ToolSpec> {
        self.0.iter().find(|spec| spec.name == name)
    }

    fn specs(&self) -> Box<dyn Iterator<Item = &ToolSpec> + '_> {
        Box::new(self.0.iter())
    }

    fn violations(&self, _: &ToolSpec, _: &Value) -> Vec<String> {
        Vec::new()
    }

    fn unknown(&self, name: &str) -> String {
        format!("there is no tool `{name}`")
    }
}

fn tools() -> Tools {
    let spec = |name: &str| ToolSpec::new(name, "Does something.", json!({"type": "object"}));
    Tools(vec![
        spec("look").effect(ToolEffect::ReadOnly),
        spec("write").effect(ToolEffect::Write),
        spec("drop").effect(ToolEffect::Destructive),
    ])
}

/// A conversation, and what each report of its current run caused.
#[derive(Clone)]
pub(crate) struct Talk {
    pub(crate) id: ConversationId,
    pub(crate) history: Conversation,
    pub(crate) runs: u32,
    /// Where the next run goes on from.
    after: Option<BranchPoint>,
    clock: u64,
}

/// The events of a run, report by report.
pub(crate) type Reports = Vec<Vec<Event>>;

impl Talk {
    pub(crate) fn new(id: &str) -> Self {
        let (history, clock) = (Conversation::new(), 1_700_000_000_000);
        Self { id: id.into(), history, runs: 0, after: None, clock }
    }

    /// Begins later than other conversations.
    pub(crate) fn at(mut self, clock: u64) -> Self {
        self.clock = clock;
        self
    }

    /// Lets the next run go on from here, where this had been said.
    pub(crate) fn go_back(&mut self, point: BranchPoint, history: &Conversation) {
        (self.after, self.history) = (Some(point), history.clone());
    }

    fn now(&mut self) -> Timestamp {
        self.clock += 1;
        Timestamp(self.clock)
    }

    /// A run whose question is answered at once.
    pub(crate) fn chat(&mut self, question: &str, answer: &str) -> Reports {
        let mut run = self.begin(question);
        run.reply(self, ModelResponse::text(answer));
        run.end(self)
    }

    /// A run that calls `look` for each result, all at once, and then answers.
    pub(crate) fn ask(&mut self, question: &str, results: &[&str], answer: &str) -> Reports {
        let mut run = self.begin(question);
        run.call(self, "look", results);
        run.reply(self, ModelResponse::text(answer));
        run.end(self)
    }

    /// A run that is in the middle of a call of `tool`.
    pub(crate) fn interrupted(&mut self, question: &str, tool: &str) -> Reports {
        let mut run = self.begin(question);
        run.reply(self, ModelResponse::calls([Call::new("", tool, "{}")]));
        run.start(self);
        self.runs += 1;
        run.reports
    }

    pub(crate) fn begin(&mut self, question: &str) -> Going {
        let mut messages = vec![Message::user(question)];
        if self.history.is_empty() {
            messages.insert(0, Message::system("Be brief."));
        }
        let setup = RunConfig {
            id: RunId::new(format!("run_{}_{}", self.id, self.runs)),
            conversation_id: self.id.clone(),
            after: self.after.take(),
            model: "test:model".into(),
            history: self.history.clone(),
            messages,
            queued: None,
            limits: Limits::default(),
            first_choice: ToolChoice::Auto,
            mode: ResultMode::Loop,
            review: ReviewMode::Off,
            judge: false,
            price: None,
            output: None,
            tools_off: Vec::new(),
        };
        let (run, events) = Run::start(setup, self.now());
        Going { run, reports: vec![events] }
    }
}

/// A run that goes on.
pub(crate) struct Going {
    pub(crate) run: Run,
    pub(crate) reports: Reports,
}

impl Going {
    pub(crate) fn reply(&mut self, talk: &mut Talk, reply: ModelResponse) {
        let tools = tools();
        let gate = CallValidator::new(&tools, &[]);
        self.reports.push(self.run.model_called(talk.now()).expect("it waits for the model"));
        let replied = self.run.model_replied(reply, &gate, talk.now());
        self.reports.push(replied.expect("it was asked"));
    }

    pub(crate) fn call(&mut self, talk: &mut Talk, tool: &str, results: &[&str]) {
        self.reply(talk, ModelResponse::calls(results.iter().map(|_| Call::new("", tool, "{}"))));
        let mut results = results.iter();
        while let Step::RunTools(calls) = self.run.step() {
            for call in &calls {
                let started = self.run.tool_started(&call.id, talk.now());
                self.reports.push(started.expect("it may start"));
            }
            // The last to start is the first to end.
            for call in calls.iter().rev() {
                let result = *results.next().expect("one for each");
                let whole = (result.len() > 1_000).then(|| result.repeat(3));
                let (time, at) = (Duration::from_millis(5), talk.now());
                let noted = self.run.tool_progress(&call.id, "half".into(), at);
                self.reports.push(noted.expect("it runs"));
                let settled = self.run.tool_settled(&call.id, Outcome::ok(result), whole, time, at);
                self.reports.push(settled.expect("it was started"));
            }
        }
    }

    /// The model calls `drop`; somebody wants other arguments for it, and then lets it start.
    pub(crate) fn edit(&mut self, talk: &mut Talk, arguments: &Value) {
        self.reply(talk, ModelResponse::calls([Call::new("", "drop", r#"{"file":"one"}"#)]));
        let tools = tools();
        let gate = CallValidator::new(&tools, &[]);
        let decisions = [Decision::Edit { arguments: arguments.clone() }, Decision::AllowReviewed];
        for decision in decisions {
            let Step::AwaitDecision(calls) = self.run.step() else { panic!("nobody is asked") };
            let shown = CallPreview { place: Some("here".into()), ..CallPreview::default() };
            let about = Fingerprint::of("drop", &calls[0].arguments, &shown);
            let proposed = self.run.call_previewed(&calls[0].id, shown, talk.now());
            self.reports.push(proposed.expect("it waits"));
            let decided = self.run.decided(&calls[0].id, &about, decision, &gate, talk.now());
            self.reports.push(decided.expect("it waits"));
        }
        self.start(talk);
    }

    /// The call that was started first ends.
    pub(crate) fn settle(&mut self, talk: &mut Talk, result: &str) {
        let reply = self.run.conversation().messages().last().expect("a reply").clone();
        let (id, time) = (&reply.calls()[0].id, Duration::from_millis(5));
        let settled = self.run.tool_settled(id, Outcome::ok(result), None, time, talk.now());
        self.reports.push(settled.expect("it was started"));
    }

    pub(crate) fn start(&mut self, talk: &mut Talk) {
        let Step::RunTools(calls) = self.run.step() else { panic!("no tool is to run") };
        let started = self.run.tool_started(&calls[0].id, talk.now());
        self.reports.push(started.expect("it may start"));
    }

    pub(crate) fn end(self, talk: &mut Talk) -> Reports {
        assert!(self.run.is_ended());
        talk.runs += 1;
        talk.history = self.run.into_conversation();
        self.reports
    }
}

/// Stores a run, report by report.
pub(crate) async fn keep(held: &ConversationLease, reports: &Reports) {
    for report in reports {
        held.append(report).await.expect("it is kept");
    }
}

/// Holds a conversation just long enough to store runs of it.
pub(crate) async fn keep_in(store: &Store, talk: &Talk, reports: &Reports) {
    keep(&store.acquire(&talk.id).await.expect("nobody has it"), reports).await;
}

/// Everything that is stored of a conversation, read in small pages.
pub(crate) async fn stored(store: &Store, id: &ConversationId) -> Vec<Event> {
    let mut events = Vec::new();
    let mut after = None;
    loop {
        let page = store.events(id, after, 3).await.expect("it can be read");
        let Some((last, _)) = page.last() else { return events };
        after = Some(*last);
        for (position, event) in page {
            assert_eq!(position, Position(events.len() as u64), "positions have no gaps");
            events.push(event);
        }
    }
}

/// An event of any kind.
pub(crate) fn event(run: &str, seq: u64, kind: Value) -> Event {
    let kind: EventKind = serde_json::from_value(kind).expect("an event's kind");
    Event { seq, run: run.into(), round: 1, at: Timestamp(seq + 1), kind }
}

/// The runs of a conversation that a child writes and its parent knows, too.
pub(crate) fn nth_run(talk: &mut Talk, number: u32) -> Reports {
    let result = format!("result {number} ").repeat(60 + number as usize % 7 * 50);
    talk.ask(&format!("Question {number}?"), &[&result, "b"], &format!("Answer {number}."))
}

/// As many reports of such a conversation as it takes to have this many events; panics where
/// events are no whole number of reports.
pub(crate) fn reports_with(id: &str, events: usize) -> usize {
    let mut talk = Talk::new(id);
    let (mut reports, mut sum) = (0, 0);
    for number in 0.. {
        for report in nth_run(&mut talk, number) {
            if sum >= events {
                assert_eq!(sum, events, "a report was kept in part");
                return reports;
            }
            sum += report.len();
            reports += 1;
        }
    }
    unreachable!("there is always another run")
}

/// The first events of such a conversation.
pub(crate) fn first_events(id: &str, count: usize) -> Vec<Event> {
    let mut talk = Talk::new(id);
    let mut events = Vec::new();
    for number in 0.. {
        if events.len() >= count {
            break;
        }
        events.extend(nth_run(&mut talk, number).concat());
    }
    events.truncate(count);
    events
}
