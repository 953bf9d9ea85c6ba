//! [`World`]: agents with a scripted model, one or two processes' worth of them, on one store; and an engine that is
//! small enough to see that it is none.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Semaphore, watch};
use toolwright_app::{
    AgentPool, AutoApprove, Config, Flags, Heeding, PackRegistry, RunSpec, SliceDesk,
    SliceSettings, Slices,
};
use toolwright_core::{
    ConversationId, Decision, Event, EventKind, Failure, FnTool, Output, QuestionId, QueueMode,
    QueuedMessage, RunContext, RunId, Status, Timestamp, Tool, ToolEffect, ToolSpec, UserMessage,
};
use toolwright_pack::{OpenPack, Pack, PackError, PackInfo, PackSetup};
use toolwright_runtime::{
    ApprovalRequest, Approver, new_conversation_id, new_message_id, new_run_id,
};
use toolwright_session::{Next, SessionError, Slice, SliceDriver, SliceError};
use toolwright_store::{Instructed, InstructedVerdict, Instruction};
use toolwright_testkit::{BookingPack, ModelServer, PostgresServer, Script};

/// Nothing here takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(180);
/// One for all: a database belongs to one installation.
const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// What was done, outside of every log.
#[derive(Clone, Default)]
pub(crate) struct Ledger(Arc<Inner>);

struct Inner {
    done: Mutex<BTreeMap<String, u32>>,
    /// How many calls of `hold` began.
    holding: watch::Sender<u32>,
    go: Semaphore,
    is_dropped: AtomicBool,
}

impl Default for Inner {
    fn default() -> Self {
        let (done, holding) = (Mutex::default(), watch::Sender::new(0));
        Self { done, holding, go: Semaphore::new(0), is_dropped: AtomicBool::new(false) }
    }
}

impl Ledger {
    fn add(&self, what: String) {
        *self.0.done.lock().unwrap().entry(what).or_default() += 1;
    }

    pub(crate) fn all(&self) -> BTreeMap<String, u32> {
        self.0.done.lock().unwrap().clone()
    }

    /// Ends once a tool holds.
    pub(crate) async fn held(&self) {
        self.0.holding.subscribe().wait_for(|it| *it > 0).await.unwrap();
    }

    pub(crate) fn let_go(&self) {
        self.0.go.add_permits(1);
    }

    /// Whether a tool that held was broken off.
    pub(crate) fn is_dropped(&self) -> bool {
        self.0.is_dropped.load(SeqCst)
    }

    async fn hold(&self) {
        struct Held<'a>(&'a Ledger);
        impl Drop for Held<'_> {
            fn drop(&mut self) {
                self.0.0.is_dropped.store(true, SeqCst);
            }
        }
        self.add("hold".to_owned());
        self.0.holding.send_modify(|it| *it += 1);
        let held = Held(self);
        self.0.go.acquire().await.unwrap().forget();
        std::mem::forget(held);
    }

    async fn call(&self, tool: &str, arguments: &Value) -> String {
        match tool {
            "hold" => self.hold().await,
            "look" => {}
            "pay" => self.add(format!("pay {}", arguments["to"].as_str().unwrap())),
            _ => self.add(format!("wipe {}", arguments["disk"].as_str().unwrap())),
        }
        format!("{tool} {arguments}: done")
    }
}

#[derive(Clone)]
struct LedgerPack(Ledger);

const INFO: PackInfo =
    PackInfo::new("ledger", "what was done").tools(&["look", "pay", "wipe", "hold"]);

impl Pack for LedgerPack {
    fn info(&self) -> &PackInfo {
        &INFO
    }

    fn open(&self, _: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
        Ok(Some(Arc::new(self.clone())))
    }
}

impl OpenPack for LedgerPack {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let any = json!({"type": "object"});
        let disk = json!({
            "type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"],
        });
        let tools = [
            ("look", ToolEffect::ReadOnly, &any),
            ("pay", ToolEffect::Write, &any),
            ("wipe", ToolEffect::Destructive, &disk),
            ("hold", ToolEffect::Write, &any),
        ];
        let made = tools.map(|(name, effect, schema)| {
            let spec = ToolSpec::new(name, "Does something.", schema.clone()).effect(effect);
            let ledger = self.0.clone();
            let call = move |arguments: Arc<Value>, _: RunContext| {
                let ledger = ledger.clone();
                Box::pin(async move { Ok(Output::Text(ledger.call(name, &arguments).await)) }) as _
            };
            Arc::new(FnTool::new(spec, call)) as Arc<dyn Tool>
        });
        made.to_vec()
    }
}

/// Whoever decides in process, at once.
struct Yes;

impl Approver for Yes {
    fn decide<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(Decision::AllowReviewed))
    }
}

/// What one process has and others may not.
#[derive(Clone)]
pub(crate) struct Own {
    /// In its config file.
    pub(crate) settings: &'static str,
    pub(crate) has_ledger: bool,
    pub(crate) approves: bool,
}

impl Default for Own {
    fn default() -> Self {
        Self { settings: "[model]\nname = \"scripted\"\n", has_ledger: true, approves: false }
    }
}

/// One process's worth of agents.
struct Process {
    pool: Arc<AgentPool>,
    slices: Slices,
}

/// Agents with a scripted model on one store.
pub(crate) struct World {
    folder: TempDir,
    place: String,
    settings: SliceSettings,
    model: ModelServer,
    processes: Vec<Process>,
    pub(crate) ledger: Ledger,
    driven: AtomicUsize,
}

/// Does the same on PostgreSQL and on SQLite.
pub(crate) async fn on_both(test: impl AsyncFn(&str)) {
    for place in ["sqlite", "postgres"] {
        let done = tokio::time::timeout(PATIENCE, test(place)).await;
        done.unwrap_or_else(|_| panic!("it came to no end on {place}"));
    }
}

/// Tries until it is so.
pub(crate) async fn eventually(is_so: impl AsyncFn() -> bool) {
    let trying = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, trying).await.expect("it is so after a while");
}

impl World {
    /// On `sqlite`, `postgres` or the database of this address.
    pub(crate) async fn start(place: &str, script: Script) -> Self {
        Self::set_up(place, script, SliceSettings { rounds: 1, ..SliceSettings::default() }).await
    }

    /// In which people may take this long.
    pub(crate) async fn patient(place: &str, script: Script, patience: Duration) -> Self {
        let decision_timeout = Some(patience);
        let settings = SliceSettings { rounds: 1, decision_timeout, ..SliceSettings::default() };
        Self::set_up(place, script, settings).await
    }

    /// In which whoever has a conversation is waited for this long.
    pub(crate) async fn lenient(place: &str, script: Script, grace: Duration) -> Self {
        let settings = SliceSettings { rounds: 1, grace, ..SliceSettings::default() };
        Self::set_up(place, script, settings).await
    }

    /// In which nobody is waited for.
    pub(crate) async fn graceless(place: &str, script: Script) -> Self {
        let settings =
            SliceSettings { rounds: 1, grace: Duration::ZERO, ..SliceSettings::default() };
        Self::set_up(place, script, settings).await
    }

    async fn set_up(place: &str, script: Script, settings: SliceSettings) -> Self {
        let place = match place {
            "postgres" => PostgresServer::shared().address.clone(),
            "sqlite" => String::new(),
            address => address.to_owned(),
        };
        let mut world = Self {
            folder: tempfile::tempdir().unwrap(),
            place,
            settings,
            model: ModelServer::start(script).await,
            processes: Vec::new(),
            ledger: Ledger::default(),
            driven: AtomicUsize::new(0),
        };
        let process = world.process(&Own::default()).await;
        world.processes.push(process);
        world
    }

    /// With a second process on the same store.
    pub(crate) async fn with_another(self) -> Self {
        self.with_other(Own::default()).await
    }

    /// With one that has other settings.
    pub(crate) async fn with_other(mut self, own: Own) -> Self {
        let process = self.process(&own).await;
        self.processes.push(process);
        self
    }

    async fn process(&self, own: &Own) -> Process {
        let desk = SliceDesk::new();
        let pool = Arc::new(self.pool(own, Arc::new(desk.clone())).await);
        Process { slices: Slices::new(pool.clone(), desk, self.settings), pool }
    }

    async fn pool(&self, own: &Own, asked: Arc<dyn Approver>) -> AgentPool {
        let name = format!("t{}.toml", self.processes.len());
        let (file, data) = (self.folder.path().join(name), self.folder.path().join("data"));
        let database = match self.place.as_str() {
            "" => String::new(),
            address => format!("database = {address:?}\n"),
        };
        let model = format!("[model]\nbase_url = {:?}\n", self.model.base_url());
        let settings = own.settings.replacen("[model]\n", &model, 1);
        let rest = "[embeddings]\nsource = \"off\"\n";
        std::fs::write(&file, format!("{database}{settings}{rest}")).unwrap();
        let flags = Flags { config: Some(file), data: Some(data), ..Flags::default() };
        let home = self.folder.path().to_str().unwrap().to_owned();
        let env = |name: &str| match name {
            "HOME" => Some(home.clone()),
            "TOOLWRIGHT_LOG_KEY" => Some(KEY.to_owned()),
            _ => None,
        };
        let packs = PackRegistry::new().with(BookingPack);
        let packs = match own.has_ledger {
            true => packs.with(LedgerPack(self.ledger.clone())),
            false => packs,
        };
        let config = Config::load_from(&packs, &flags, &env).unwrap();
        let beforehand = if own.approves { AutoApprove::Everything } else { AutoApprove::Nothing };
        AgentPool::open(flags, config, asked, beforehand, Vec::new()).await.unwrap()
    }

    pub(crate) fn store(&self) -> &toolwright_store::Store {
        self.processes[0].pool.store()
    }

    /// Asks in process, and has it answered there.
    pub(crate) async fn local(&self, question: &str) -> ConversationId {
        let pool = self.pool(&Own::default(), Arc::new(Yes)).await;
        let (session, context) = RunSpec::default().session(&pool).unwrap();
        let mut started = session.ask(None, question, context).await.unwrap();
        started.running.finish().await.unwrap();
        started.conversation
    }

    /// Asks as a command does, and hears whoever stops it; why there was no answer.
    pub(crate) async fn command(&self, id: &ConversationId, question: &str) -> Option<Failure> {
        let (session, context) = RunSpec::default().session(&self.processes[0].pool).unwrap();
        let mut started = session.ask(Some(id), question, context).await.unwrap();
        let _heeding = Heeding::begin(session.store(), &started);
        started.running.finish().await.err()
    }

    /// Goes on with what was cut short, as a command does; why not.
    pub(crate) async fn resume_here(&self, id: &ConversationId) -> Option<SessionError> {
        let (session, context) = RunSpec::default().session(&self.processes[0].pool).unwrap();
        session.resume(id, context).await.err()
    }

    /// The run that goes on.
    pub(crate) async fn open_run(&self, id: &ConversationId) -> RunId {
        self.store().open_run(id).await.unwrap().unwrap().run.id().clone()
    }

    pub(crate) async fn ask(&self, question: &str) -> (ConversationId, RunId) {
        self.ask_with(question, None).await
    }

    /// Asks as a server does that leaves it to an engine, and says that it was asked so.
    pub(crate) async fn ask_with(
        &self,
        question: &str,
        spec: Option<Value>,
    ) -> (ConversationId, RunId) {
        let kept = spec.unwrap_or_else(|| json!({})).to_string();
        self.leave(0, question, kept.as_bytes()).await
    }

    /// Asks as a server does that has the settings of this process.
    pub(crate) async fn ask_on(&self, at: usize, question: &str) -> (ConversationId, RunId) {
        let spec = RunSpec::default().explicit(&self.processes[at].pool).unwrap();
        self.leave(at, question, &spec.to_bytes()).await
    }

    async fn leave(&self, at: usize, question: &str, spec: &[u8]) -> (ConversationId, RunId) {
        let (id, run) = (new_conversation_id(), new_run_id());
        self.store().put_spec(&id, &run, spec).await.unwrap();
        let (session, context) = RunSpec::default().session(&self.processes[at].pool).unwrap();
        let asked = session.as_run(run.clone()).ask(Some(&id), question, context).await.unwrap();
        let left = asked.leave().await.unwrap();
        assert_eq!((&left.run, &left.conversation), (&run, &id));
        (id, run)
    }

    pub(crate) async fn slice_on(
        &self,
        process: usize,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<Next, SliceError> {
        self.driven.fetch_add(1, SeqCst);
        let slice = Slice::first(id.clone(), run.clone());
        // In a task of its own, as an engine has to.
        tokio::spawn(self.processes[process].slices.slice(slice)).await.unwrap()
    }

    /// Ends a run that is to stop, as a server does; whether it is still to be ended.
    pub(crate) async fn stop_on(
        &self,
        at: usize,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<bool, SliceError> {
        self.processes[at].slices.stop(&Slice::first(id.clone(), run.clone())).await
    }

    pub(crate) async fn try_slice(
        &self,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<Next, SliceError> {
        self.slice_on(0, id, run).await
    }

    /// Drives one run, until nothing is to be done about it.
    pub(crate) async fn drive_one(&self, id: &ConversationId, run: &RunId) -> Next {
        self.drive_on(0, id, run).await
    }

    pub(crate) async fn drive_on(&self, at: usize, id: &ConversationId, run: &RunId) -> Next {
        loop {
            match self.slice_on(at, id, run).await {
                Ok(Next::Again { .. }) => {}
                Ok(next) => return next,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// Drives it and what follows, by whichever process.
    pub(crate) async fn drive(&self, id: &ConversationId, run: &RunId) -> Next {
        let (mut run, mut turn) = (run.clone(), 0);
        loop {
            turn += 1;
            match self.slice_on(turn % self.processes.len(), id, &run).await {
                Ok(Next::Again { .. }) => {}
                Ok(Next::Follow { run: next }) => run = next,
                Ok(next) => return next,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// As [`World::drive`], with every wake told to everybody.
    pub(crate) async fn drive_in_a_crowd(&self, id: &ConversationId, run: &RunId) -> Next {
        loop {
            let all = [0, 1, 0, 1].map(|at| self.slice_on(at, id, run));
            let driven = futures_util::future::join_all(all).await;
            let ended = driven.into_iter().flatten().find(|it| *it == Next::Ended);
            if let Some(ended) = ended {
                return ended;
            }
        }
    }

    pub(crate) fn drain(&self, process: usize) {
        self.processes[process].slices.drain();
    }

    pub(crate) fn slices_driven(&self) -> usize {
        self.driven.load(SeqCst)
    }

    pub(crate) fn requests(&self) -> usize {
        self.model.requests().len()
    }

    /// What the model was sent.
    pub(crate) fn sent(&self) -> Vec<Value> {
        self.model.requests().into_iter().map(|it| it.body).collect()
    }

    pub(crate) fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp(u64::try_from(since.as_millis()).unwrap())
    }

    pub(crate) async fn say(&self, id: &ConversationId, mode: QueueMode, text: &str) {
        let (message, name) = (UserMessage::new(text), new_message_id());
        let queued = QueuedMessage { id: name, mode, at: self.now(), message };
        self.store().queue(id, queued).await.unwrap();
    }

    pub(crate) async fn instruct(
        &self,
        id: &ConversationId,
        run: &RunId,
        instruction: &Instruction,
    ) -> Instructed {
        self.store().instruct(id, run, instruction).await.unwrap()
    }

    /// Decides about a call as it is shown in the log.
    pub(crate) async fn decide(
        &self,
        id: &ConversationId,
        run: &RunId,
        call: &str,
        verdict: InstructedVerdict,
    ) -> Instructed {
        let open = self.store().open_run(id).await.unwrap().unwrap();
        let waiting = open.run.waiting_calls();
        let about = waiting.iter().find(|it| it.call.id.as_str() == call).unwrap();
        let about = about.fingerprint.clone();
        self.instruct(id, run, &Instruction::Decide { call: call.into(), about, verdict }).await
    }

    /// The question that waits, once one does.
    pub(crate) async fn question(&self, id: &ConversationId) -> QuestionId {
        loop {
            let open = self.store().open_run(id).await.unwrap();
            let found =
                open.and_then(|it| it.run.waiting_questions().first().map(|it| it.1.clone()));
            match found {
                Some(found) => return found,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    pub(crate) async fn is_held(&self, id: &ConversationId) -> bool {
        self.store().open_run(id).await.unwrap().unwrap().is_held
    }

    pub(crate) async fn events(&self, id: &ConversationId) -> Vec<Event> {
        let events = self.store().events(id, None, 10_000).await.unwrap();
        events.into_iter().map(|(_, event)| event).collect()
    }

    /// The kind of the last event.
    pub(crate) async fn last(&self, id: &ConversationId) -> &'static str {
        self.events(id).await.last().unwrap().kind.name()
    }

    pub(crate) async fn terminals(&self, id: &ConversationId) -> usize {
        self.events(id).await.iter().filter(|it| it.kind.is_terminal()).count()
    }

    /// How calls ended, in order.
    pub(crate) async fn statuses(&self, id: &ConversationId) -> Vec<Status> {
        let of = |event: Event| match event.kind {
            EventKind::CallFinished { status, .. } => Some(status),
            _ => None,
        };
        self.events(id).await.into_iter().filter_map(of).collect()
    }

    /// What was said: who, and what.
    pub(crate) async fn said(&self, id: &ConversationId) -> Vec<(String, String)> {
        let of = |event: Event| match event.kind {
            EventKind::Message { message, .. }
            | EventKind::Reply { message, .. }
            | EventKind::CallFinished { message, .. } => {
                Some((message.role().to_owned(), message.content().to_owned()))
            }
            _ => None,
        };
        self.events(id).await.into_iter().filter_map(of).collect()
    }
}
