//! Runs that an engine has driven: asked here, driven elsewhere, seen and stopped everywhere.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use toolwright_app::{AgentPool, RunSpec, SliceDesk, SliceSettings, Slices};
use toolwright_core::{ConversationId, EventKind};
use toolwright_server::Limits;
use toolwright_session::{EngineError, EngineFuture, Next, RunEngine, Slice, SliceDriver, Wake};
use toolwright_store::{News, Store, StoreLocation, Timeouts};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{
    Database, KEY, assert_whole, decide,
    leaving::{Doomed, go},
    listen, log, path, summary, until,
};
use crate::{
    deciding::editing,
    harness::{Desk, Engine as MadeEngine, Listening, Request, Setup},
};

/// How long an engine that hangs is asked in vain: longer than anybody should wait for it.
const SILENCE: Duration = Duration::from_secs(8);

/// An engine that drives runs in this process, where it is told to.
#[derive(Clone, Default)]
struct Engine {
    wakes: Arc<Mutex<Vec<Wake>>>,
    is_down: Arc<AtomicBool>,
    is_idle: Arc<AtomicBool>,
    is_frozen: Arc<AtomicBool>,
}

struct OfPool(Engine, Arc<AgentPool>);

impl RunEngine for OfPool {
    fn wake(&self, wake: Wake) -> EngineFuture<Result<(), EngineError>> {
        let Self(engine, pool) = self;
        if engine.is_down.load(Ordering::SeqCst) {
            return Box::pin(async { Err(EngineError::new("it does not answer")) });
        }
        if engine.is_frozen.load(Ordering::SeqCst) {
            return Box::pin(async {
                tokio::time::sleep(SILENCE).await;
                Err(EngineError::new("it says nothing"))
            });
        }
        engine.wakes.lock().unwrap().push(wake.clone());
        if !engine.is_idle.load(Ordering::SeqCst) {
            tokio::spawn(drive(pool.clone(), wake));
        }
        Box::pin(async { Ok(()) })
    }

    fn check(&self) -> EngineFuture<Result<(), EngineError>> {
        let is_down = self.0.is_down.load(Ordering::SeqCst);
        Box::pin(async move {
            if is_down { Err(EngineError::new("it does not answer")) } else { Ok(()) }
        })
    }
}

async fn drive(pool: Arc<AgentPool>, wake: Wake) {
    let slices = Slices::new(pool, SliceDesk::new(), SliceSettings::default());
    let mut slice = Slice::first(wake.conversation, wake.run);
    // A wake too many finds nothing to do.
    while let Ok(next) = slices.slice(slice.clone()).await {
        match next {
            Next::Again { spent } => slice.spent = spent,
            Next::Follow { run } => slice = Slice::first(slice.conversation, run),
            Next::Waiting { .. } | Next::Ended => return,
        }
    }
}

impl Engine {
    async fn desk(&self, database: &Database, model: &ModelServer) -> Desk {
        self.desk_with(database.setup(), model).await
    }

    async fn desk_with(&self, setup: Setup, model: &ModelServer) -> Desk {
        let engine = self.clone();
        let made = move |pool| -> Arc<dyn RunEngine> { Arc::new(OfPool(engine, pool)) };
        let engine: Option<MadeEngine> = Some(Box::new(made));
        Desk::start(Setup { engine, ..setup }, Some(model.base_url())).await
    }
}

/// Two servers with an engine that drives nothing for now, and a run that was asked for on the first.
struct Idle {
    a: Desk,
    b: Desk,
    engine: Engine,
    model: ModelServer,
    database: Database,
    asked: Listening,
    id: String,
    run: String,
}

impl Idle {
    async fn asked(replies: &[&str]) -> Self {
        Self::looking(replies, Setup::default().limits.looking).await
    }

    /// With servers that look so often whether a run is driven.
    async fn looking(replies: &[&str], looking: Duration) -> Self {
        let script =
            replies.iter().fold(Script::new(), |script, it| script.reply(Reply::text(*it)));
        let (database, model) = (Database::new().await, ModelServer::start(script).await);
        let engine = Engine::default();
        let limits = Limits { looking, ..Setup::default().limits };
        let setup = || Setup { limits: limits.clone(), ..database.setup() };
        let (a, b) =
            (engine.desk_with(setup(), &model).await, engine.desk_with(setup(), &model).await);
        engine.is_idle.store(true, Ordering::SeqCst);
        let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Go"}));
        let mut asked = Listening::to(a.address, &request).await;
        let started = asked.until("run_started").await[0].1.clone();
        let name = |field: &str| started[field].as_str().unwrap().to_owned();
        let (id, run) = (name("conversation_id"), name("run"));
        Self { a, b, engine, model, database, asked, id, run }
    }

    /// Has whoever drives lack a tool that the run was begun with, or have it again.
    async fn lack(&self, tool: &str, lacks: bool) {
        let (worker, id, run) = (store(&self.database).await, &self.id, &self.run);
        let (id, run) = (id.as_str().into(), run.as_str().into());
        let spec = worker.spec(&id, &run).await.unwrap().unwrap();
        let mut spec = RunSpec::from_bytes(&spec).unwrap();
        match lacks {
            true => spec.tools.insert(tool.to_owned()),
            false => spec.tools.remove(tool),
        };
        worker.put_spec(&id, &run, &spec.to_bytes()).await.unwrap();
    }
}

/// Two servers with an engine that drives, and an edit that waits for a decision, which both know of.
struct Edited {
    a: Desk,
    b: Desk,
    engine: Engine,
    id: String,
    shown: Value,
    _asked: Listening,
    _model: ModelServer,
    _database: Database,
}

impl Edited {
    async fn asked() -> Self {
        let (database, model) = (Database::new().await, ModelServer::start(editing()).await);
        let engine = Engine::default();
        let (a, b) = (engine.desk(&database, &model).await, engine.desk(&database, &model).await);
        for desk in [&a, &b] {
            std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
        }
        let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Go"}));
        let mut asked = Listening::to(a.address, &request).await;
        let mut events = asked.until("call_preview").await;
        let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
        let shown = events.pop().unwrap().1;
        until(async || summary(&b, &id).await["waiting"] == 1).await;
        Self { a, b, engine, id, shown, _asked: asked, _model: model, _database: database }
    }
}

pub(super) async fn store(database: &Database) -> Store {
    let location: StoreLocation = database.url.parse().unwrap();
    Store::open_keyed(&location, Timeouts::default(), KEY.parse().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_here_is_driven_elsewhere() {
    let script = Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."));
    let (database, model) = (Database::new().await, ModelServer::start(script).await);
    let engine = Engine::default();
    let (a, b) = (engine.desk(&database, &model).await, database.desk(&model).await);
    let events = a.chat("Go").await;
    let id = events.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    assert_eq!(events.last().unwrap()["response"], "One.");
    let wakes = engine.wakes.lock().unwrap().clone();
    assert_eq!(wakes[0].conversation.as_str(), id);
    assert_eq!(wakes[0].run.as_str(), events[0]["run"]);
    until(async || summary(&b, &id).await["state"] == "idle").await;
    let store = store(&database).await;
    assert_eq!(store.spec(&wakes[0].conversation, &wakes[0].run).await.unwrap(), None);

    let again = a.post(&path(&id, "/retry"), &json!({})).await;
    assert_eq!(again.events().last().unwrap().1["response"], "Two.", "{}", again.text());
    assert_whole(&again.events(), &log(&b, &id).await);
}

/// A run that an engine has and nobody drives at the moment goes on all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_an_engine_has_goes_on() {
    let Idle { b, engine, mut asked, id, a: _a, model: _model, .. } = Idle::asked(&["One."]).await;
    let id = id.as_str();
    assert_eq!(summary(&b, id).await["state"], "running");
    assert_eq!(b.get("/api/conversations").await.json()["conversations"][0]["state"], "running");
    let mut beside = listen(&b, id).await;
    beside.until("run_started").await;
    let said = b.post(&path(id, "/messages"), &json!({"message": "And?"})).await;
    assert_eq!(said.status, 202, "{}", said.text());
    // Asked for by hand, it is driven on, and everybody hears the rest.
    engine.is_idle.store(false, Ordering::SeqCst);
    let request = Request::new("POST", &path(id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(b.address, &request).await;
    resumed.until("done").await;
    asked.until("done").await;
    beside.until("done").await;
}

/// There may be nobody who can drive it: for ending it, the server that is told is enough.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_drives_is_stopped() {
    let Idle { a, b, engine, model, mut asked, id, .. } = Idle::asked(&["One."]).await;
    let id = id.as_str();
    let woken = engine.wakes.lock().unwrap().len();
    assert_eq!(b.post(&path(id, "/stop"), &json!({})).await.status, 202);
    assert!(engine.wakes.lock().unwrap().len() > woken, "whoever drives it is told");
    let end = asked.until("error").await.pop().unwrap().1;
    assert_eq!(end["kind"], "cancelled", "{end}");
    until(async || summary(&a, id).await["state"] == "idle").await;
    assert!(model.requests().is_empty());
    assert_eq!(b.post(&path(id, "/stop"), &json!({})).await.status, 404);
}

/// One that takes connections and says nothing keeps nobody waiting who stops or decides.
#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_hangs_keeps_nobody_waiting() {
    let mut idle = Idle::asked(&["One."]).await;
    idle.engine.is_frozen.store(true, Ordering::SeqCst);
    assert_eq!(idle.b.post(&path(&idle.id, "/stop"), &json!({})).await.status, 202);
    let end = idle.asked.until("error").await.pop().unwrap().1;
    assert_eq!(end["kind"], "cancelled", "{end}");

    let it = Edited::asked().await;
    let (b, id) = (&it.b, it.id.as_str());
    it.engine.is_frozen.store(true, Ordering::SeqCst);
    assert_eq!(decide(b, id, &it.shown, json!({"verdict": "allow"})).await.status, 200);
    until(async || summary(b, id).await["waiting"] == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_does_not_answer_is_told_and_loses_nothing() {
    let script = Script::new().reply(Reply::text("One."));
    let (database, model) = (Database::new().await, ModelServer::start(script).await);
    let engine = Engine::default();
    let a = engine.desk(&database, &model).await;
    engine.is_down.store(true, Ordering::SeqCst);
    until(async || {
        let health = a.get("/api/health").await;
        health.status == 200 && health.json()["status"] == "without_engine"
    })
    .await;
    let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Go"}));
    let mut asked = Listening::to(a.address, &request).await;
    let begun = asked.until("run_started").await;
    // Whoever asked is told why nothing happens.
    let undriven = asked.until("undriven").await.pop().unwrap().1;
    let why = undriven["message"].as_str().unwrap();
    assert!(why.contains("waits for the engine") && why.contains("it does not answer"), "{why}");
    // That nobody drives it now does not mean that it is over.
    let id = begun[0].1["conversation_id"].as_str().unwrap();
    let second = json!({"message": "And?", "conversation_id": id});
    let second = a.post("/api/chat/stream", &second).await;
    assert_eq!((second.status, second.code().as_str()), (409, "busy"), "{}", second.text());
    // Whoever drives it may be told to do another job where nobody names one.
    let run = begun[0].1["run"].as_str().unwrap();
    let spec = store(&database).await.spec(&id.into(), &run.into()).await.unwrap().unwrap();
    let spec = RunSpec::from_bytes(&spec).unwrap();
    assert!(spec.task.is_some() && spec.settings.is_some() && !spec.tools.is_empty());
    // It is told again, and the question is answered.
    engine.is_down.store(false, Ordering::SeqCst);
    asked.until("done").await;
}

/// Whoever cannot drive a run says why, and everybody who listens to it hears that, wherever they do.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_listens_hears_why_nobody_drives() {
    let mut idle = Idle::asked(&["One."]).await;
    let id = idle.id.clone();
    // Nobody is at it, and nothing happens.
    until(async || summary(&idle.b, &id).await["undriven"] == true).await;
    // A worker that lacks what the run was begun with.
    idle.lack("dig", true).await;
    idle.engine.is_idle.store(false, Ordering::SeqCst);
    let request = Request::new("POST", &path(&id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(idle.b.address, &request).await;
    for listening in [&mut idle.asked, &mut resumed] {
        loop {
            let undriven = listening.until("undriven").await.pop().unwrap().1;
            if undriven["message"].as_str().unwrap().contains("`dig`") {
                break;
            }
        }
    }
    idle.lack("dig", false).await;
    let again = idle.a.post(&path(&id, "/resume"), &json!({})).await;
    assert_eq!(again.events().last().unwrap().1["response"], "One.", "{}", again.text());
    idle.asked.until("done").await;
    resumed.until("done").await;
}

/// One worker cannot drive a run and says so, and another goes on with it: then nobody has to hear of it.
#[tokio::test(flavor = "multi_thread")]
async fn where_another_worker_goes_on_nobody_is_told() {
    let mut idle = Idle::looking(&["One."], Duration::from_secs(3_600)).await;
    let id: ConversationId = idle.id.as_str().into();
    idle.lack("dig", true).await;
    let heard = store(&idle.database).await;
    let mut news = heard.news();
    while news.next().await.unwrap() != News::Missed {}
    idle.engine.is_idle.store(false, Ordering::SeqCst);
    let request = Request::new("POST", &path(&idle.id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(idle.b.address, &request).await;
    // It was said.
    loop {
        if let News::Shown { id: of, event, .. } = news.next().await.unwrap()
            && of == id
            && matches!(&event.kind, EventKind::Notice { message, .. } if message.contains("`dig`"))
        {
            break;
        }
    }
    idle.lack("dig", false).await;
    // Whoever could not may not have let go of it yet.
    let again = loop {
        let again = idle.a.post(&path(&idle.id, "/resume"), &json!({})).await;
        if again.status != 409 {
            break again;
        }
    };
    for heard in [again.events(), idle.asked.until("done").await, resumed.until("done").await] {
        assert_eq!(heard.last().unwrap().1["response"], "One.");
        assert!(heard.iter().all(|it| it.1["type"] != "undriven"), "{heard:?}");
    }
}

/// What was decided waits for whoever drives the run, who hears nothing here, and for nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_decided_is_not_asked_for_while_nobody_does_it() {
    let it = Edited::asked().await;
    let (a, b, id, shown) = (&it.a, &it.b, it.id.as_str(), &it.shown);
    let waiting = async |desk: &Desk| {
        let answer = desk.get(&path(id, "/decisions")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["decisions"].as_array().unwrap().len()
    };
    assert_eq!((waiting(a).await, waiting(b).await), (1, 1));
    assert_eq!(decide(b, id, shown, json!({"verdict": "allow"})).await.status, 200);
    assert_eq!((waiting(a).await, waiting(b).await), (0, 0));
    assert_eq!(decide(a, id, shown, json!({"verdict": "deny"})).await.status, 404);
    for desk in [a, b] {
        until(async || summary(desk, id).await["waiting"] == 0).await;
    }
}

/// Who says something to a run says what is off behind it, also where somebody else drives it.
#[tokio::test(flavor = "multi_thread")]
async fn what_follows_has_the_tools_off_that_were_said() {
    let Idle { a, b, engine, model, asked: _asked, id, .. } = Idle::asked(&["One.", "Two."]).await;
    let id = id.as_str();
    let saying = json!({"message": "And?", "mode": "next", "tools_off": ["dig"]});
    let said = b.post(&path(id, "/messages"), &saying).await;
    assert_eq!(said.status, 202, "{}", said.text());
    engine.is_idle.store(false, Ordering::SeqCst);
    let resumed = b.post(&path(id, "/resume"), &json!({})).await;
    assert_eq!(resumed.events().last().unwrap().1["response"], "One.", "{}", resumed.text());
    until(async || model.requests().len() == 2 && summary(&a, id).await["state"] == "idle").await;
    let log = log(&a, id).await;
    let begun: Vec<_> = log.iter().filter(|it| it.1["type"] == "run_started").collect();
    assert_eq!(begun.len(), 2);
    assert!(begun[0].1["tools_off"].is_null(), "the run that went on keeps what it had");
    assert_eq!(begun[1].1["tools_off"], json!(["dig"]));
}

/// What a server drove that had no engine is resumed by one that has: from then on it waits for people, at every server,
/// whatever was known of it before.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_engine_takes_over_waits_for_people_everywhere() {
    let (database, model) = (Database::new().await, ModelServer::start(editing()).await);
    let engine = Engine::default();
    let mut a = Doomed::start(&database, &model).await;
    let limits = Limits { looking: Duration::from_millis(100), ..Setup::default().limits };
    let setup = || Setup { limits: limits.clone(), ..database.setup() };
    let (b, c) = (engine.desk_with(setup(), &model).await, engine.desk_with(setup(), &model).await);
    for desk in [&a.desk, &b, &c] {
        std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    }
    let mut asked = Listening::to(a.desk.address, &go(None)).await;
    let events = asked.until("call_preview").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    let mut heard = listen(&c, &id).await;
    heard.until("call_preview").await;
    a.kill();
    // Both have seen that nobody has it, and remember that.
    for desk in [&b, &c] {
        until(async || summary(desk, &id).await["state"] == "unfinished").await;
        assert_eq!(summary(desk, &id).await["waiting"], 0);
    }
    let request = Request::new("POST", &path(&id, "/resume")).json(&json!({}));
    let mut resumed = Listening::to(b.address, &request).await;
    for desk in [&b, &c] {
        until(async || summary(desk, &id).await["waiting"] == 1).await;
    }
    // Nothing happens before somebody decides; and whoever drives it then has another folder, so it is shown anew.
    let shown = &events.last().unwrap().1;
    assert_eq!(decide(&c, &id, shown, json!({"verdict": "allow"})).await.status, 200);
    let events = resumed.until("call_preview").await;
    assert_ne!(events.last().unwrap().1["fingerprint"], shown["fingerprint"]);
}
