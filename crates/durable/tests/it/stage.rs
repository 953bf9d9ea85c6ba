//! [`Stage`]: a Restate, and workers that can be killed.

use std::{
    collections::HashMap,
    net::{SocketAddr, TcpListener},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{runtime::Runtime, sync::oneshot};
use toolwright_core::{ConversationId, RunId};
use toolwright_durable::{
    Drained, Registered, RestateEngine, RestateSettings, Worker, WorkerCounts, WorkerSettings,
};
use toolwright_http::{Address, Client, HttpSettings};
use toolwright_session::{
    EngineFuture, Fitness, Next, RunEngine, Slice, SliceDriver, SliceError, Wake,
};
use toolwright_testkit::RestateServer;

/// How long anything may take before a test gives up: machines are busy.
const PATIENCE: Duration = Duration::from_secs(120);

type Body = Box<dyn Fn(Slice, usize) -> EngineFuture<Result<Next, SliceError>> + Send + Sync>;

/// What was driven, by whichever worker: what a log would be.
pub(crate) struct Toy {
    body: Body,
    slices: Mutex<Vec<Slice>>,
    begun: Mutex<HashMap<RunId, usize>>,
    ended: Mutex<HashMap<RunId, usize>>,
    running: Mutex<HashMap<ConversationId, usize>>,
    overlaps: AtomicUsize,
    pub(crate) is_draining: AtomicBool,
    pub(crate) fitness: Mutex<Fitness>,
}

impl Toy {
    /// Slices that do this: the slice, and how many of this run were begun before.
    pub(crate) fn new<F>(body: impl Fn(Slice, usize) -> F + Send + Sync + 'static) -> Arc<Self>
    where
        F: Future<Output = Result<Next, SliceError>> + Send + 'static,
    {
        Arc::new(Self {
            body: Box::new(move |slice, before| Box::pin(body(slice, before))),
            slices: Mutex::default(),
            begun: Mutex::default(),
            ended: Mutex::default(),
            running: Mutex::default(),
            overlaps: AtomicUsize::new(0),
            is_draining: AtomicBool::new(false),
            fitness: Mutex::new(Fitness::Well),
        })
    }

    /// Every slice that was begun, in this order.
    pub(crate) fn slices(&self) -> Vec<Slice> {
        self.slices.lock().unwrap().clone()
    }

    /// How many slices of a run were begun.
    pub(crate) fn begun(&self, run: &str) -> usize {
        self.begun.lock().unwrap().get(&RunId::from(run)).copied().unwrap_or(0)
    }

    /// How many slices of a run came to their end.
    pub(crate) fn ended(&self, run: &str) -> usize {
        self.ended.lock().unwrap().get(&RunId::from(run)).copied().unwrap_or(0)
    }

    /// How often two slices of a conversation were driven at the same time.
    pub(crate) fn overlaps(&self) -> usize {
        self.overlaps.load(Ordering::SeqCst)
    }
}

/// A slice that is driven; also where it is dropped.
struct Underway(Arc<Toy>, ConversationId);

impl Underway {
    fn new(toy: &Arc<Toy>, conversation: &ConversationId) -> Self {
        let mut running = toy.running.lock().unwrap();
        let count = running.entry(conversation.clone()).or_default();
        *count += 1;
        if *count > 1 {
            toy.overlaps.fetch_add(1, Ordering::SeqCst);
        }
        Self(toy.clone(), conversation.clone())
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        *self.0.running.lock().unwrap().get_mut(&self.1).unwrap() -= 1;
    }
}

/// A worker's way to the one log.
struct Driver(Arc<Toy>);

impl SliceDriver for Driver {
    fn slice(&self, slice: Slice) -> EngineFuture<Result<Next, SliceError>> {
        let toy = self.0.clone();
        Box::pin(async move {
            let _underway = Underway::new(&toy, &slice.conversation);
            toy.slices.lock().unwrap().push(slice.clone());
            let before = {
                let mut begun = toy.begun.lock().unwrap();
                let begun = begun.entry(slice.run.clone()).or_default();
                *begun += 1;
                *begun - 1
            };
            let next = (toy.body)(slice.clone(), before).await;
            *toy.ended.lock().unwrap().entry(slice.run).or_default() += 1;
            next
        })
    }

    fn drain(&self) {
        self.0.is_draining.store(true, Ordering::SeqCst);
    }

    fn fitness(&self) -> Fitness {
        *self.0.fitness.lock().unwrap()
    }
}

/// A worker in a process of its own, nearly: with a runtime that can be taken away from it.
pub(crate) struct Running {
    runtime: Option<Runtime>,
    pub(crate) addr: SocketAddr,
    pub(crate) counts: WorkerCounts,
    stop: Option<oneshot::Sender<()>>,
    drained: Option<oneshot::Receiver<Drained>>,
}

impl Running {
    /// A worker at this port; at a free one where it is 0.
    pub(crate) fn start(toy: &Arc<Toy>, port: u16, settings: WorkerSettings) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let addr = SocketAddr::from(([127, 0, 0, 1], port));
        let driver = Arc::new(Driver(toy.clone()));
        // The one before it may be about to let go of the port.
        let worker = until("a worker listens", || {
            runtime.block_on(Worker::bind(addr, driver.clone(), settings)).ok()
        });
        let (addr, counts) = (worker.addr(), worker.counts());
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, drained) = oneshot::channel();
        runtime.spawn(async move {
            let ended = worker.serve(async { drop(stopped.await) }).await;
            let _ = tell.send(ended);
        });
        let (stop, drained) = (Some(stop), Some(drained));
        Self { runtime: Some(runtime), addr, counts, stop, drained }
    }

    /// As `kill -9` would: whatever it does is gone, and so are its connections.
    pub(crate) fn kill(mut self) {
        self.runtime.take().unwrap().shutdown_timeout(Duration::from_secs(10));
    }

    /// As SIGTERM does.
    pub(crate) fn stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// How it ended.
    pub(crate) fn drained(mut self) -> Drained {
        let drained = self.drained.take().unwrap();
        let ended = self.runtime.as_ref().unwrap().block_on(drained).unwrap();
        self.kill();
        ended
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A Restate with a worker.
pub(crate) struct Stage {
    pub(crate) server: RestateServer,
    pub(crate) toy: Arc<Toy>,
    pub(crate) settings: WorkerSettings,
    runtime: Runtime,
}

impl Stage {
    pub(crate) fn new(toy: Arc<Toy>) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let settings = WorkerSettings::default();
        Self { server: RestateServer::start(), toy, settings, runtime }
    }

    pub(crate) fn engine(&self) -> RestateEngine {
        engine(&self.server.ingress, Some(&self.server.admin)).unwrap()
    }

    /// A worker that Restate knows.
    pub(crate) fn worker(&self) -> Running {
        let worker = Running::start(&self.toy, 0, self.settings);
        self.register(&worker, false);
        worker
    }

    /// A worker in the place of one that is gone.
    pub(crate) fn replaced(&self, addr: SocketAddr) -> Running {
        Running::start(&self.toy, addr.port(), self.settings)
    }

    pub(crate) fn register(&self, worker: &Running, force: bool) -> Registered {
        let (engine, uri) = (self.engine(), format!("http://{}", worker.addr));
        self.wait(async move { engine.admin().unwrap().register(&uri, force).await }).unwrap()
    }

    pub(crate) fn wake(&self, conversation: &str, run: &str) {
        self.wake_after(conversation, run, Duration::ZERO);
    }

    pub(crate) fn wake_after(&self, conversation: &str, run: &str, after: Duration) {
        let wake = Wake::now(ConversationId::from(conversation), RunId::from(run)).after(after);
        self.wait(self.engine().wake(wake)).unwrap();
    }

    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Sends anything to a conversation.
    pub(crate) fn post(&self, base: &str, path: &str, body: &Value) -> Value {
        let address = Address::new(base).unwrap();
        let client = Client::pinned(&address).unwrap();
        let json = http::HeaderValue::from_static("application/json");
        let url = address.join(path);
        self.wait(async {
            let request = client.post(url).header(http::header::CONTENT_TYPE, json.clone());
            let request = request.header(http::header::ACCEPT, json).body(body.to_string());
            let mut response = request.send().await.unwrap();
            serde_json::from_slice(&response.bytes(1 << 20).await.unwrap()).unwrap_or_default()
        })
    }

    /// Takes a deployment out of Restate, whatever is under way there.
    pub(crate) fn forget(&self, deployment: &str) {
        let address = Address::new(&self.server.admin).unwrap();
        let client = Client::pinned(&address).unwrap();
        let mut url = address.join(&format!("deployments/{deployment}"));
        url.set_query(Some("force=true"));
        let asked = client.request(http::Method::DELETE, url);
        assert!(self.wait(asked.send()).unwrap().status().is_success());
    }

    /// What Restate says of what is under way.
    pub(crate) fn invocations(&self) -> Vec<Value> {
        let query = "select id, status, retry_count, last_failure from sys_invocation \
                     where status != 'completed'";
        let found = self.post(&self.server.admin, "query", &json!({ "query": query }));
        found["rows"].as_array().cloned().unwrap_or_else(|| panic!("{found}"))
    }

    /// Waits until nothing is under way any more.
    pub(crate) fn until_quiet(&self) {
        until("Restate has nothing more to do", || self.invocations().is_empty().then_some(()));
    }
}

pub(crate) fn engine(
    ingress: &str,
    admin: Option<&str>,
) -> Result<RestateEngine, toolwright_session::EngineError> {
    RestateEngine::new(&RestateSettings {
        ingress: ingress.to_owned(),
        admin: admin.map(str::to_owned),
        http: HttpSettings::from_vars(&|_| None),
    })
}

/// A port where nobody listens.
pub(crate) fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

pub(crate) fn until<T>(what: &str, found: impl Fn() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
