//! [`Desk`]: a server with a scripted model behind it, and [`ask`]: one request, byte by byte.

use std::{
    collections::{BTreeMap, HashMap},
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};
use toolwright_app::{AgentPool, AutoApprove, Config, Flags, PackRegistry};
use toolwright_core::Observer;
use toolwright_server::{
    AuthMode, IdentityConfig, Limits, ManageMode, PendingApprovals, Server, ServerError, Settings,
    Token,
};
use toolwright_session::RunEngine;
use toolwright_telemetry::Metrics;
use toolwright_testkit::{ModelServer, Script};

/// The token of every server here.
pub(crate) const TOKEN: &str = "the-token-of-a-test-0123456789";
/// Nothing here takes longer, however busy the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a scripted model behind it.
pub(crate) struct Desk {
    pub(crate) address: SocketAddr,
    pub(crate) link: String,
    pub(crate) folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

/// Makes what drives a server's runs.
pub(crate) type Engine = Box<dyn FnOnce(Arc<AgentPool>) -> Arc<dyn RunEngine> + Send>;

/// What a server is started with.
pub(crate) struct Setup {
    pub(crate) auth: AuthMode,
    pub(crate) manage: ManageMode,
    /// Names under which it is reached, too.
    pub(crate) hosts: Vec<String>,
    /// How people sign in.
    pub(crate) identity: IdentityConfig,
    pub(crate) limits: Limits,
    pub(crate) beforehand: AutoApprove,
    /// Where everything is kept, if not in a file in its folder.
    pub(crate) database: Option<String>,
    /// The key of the log, where several share it.
    pub(crate) log_key: Option<String>,
    /// What drives runs, where that is not the server.
    pub(crate) engine: Option<Engine>,
    /// More for its config file: before its tables, and behind them.
    pub(crate) top: String,
    pub(crate) config: String,
    pub(crate) workspace: bool,
    pub(crate) task: Option<&'static str>,
    /// Whoever else sees what happens in runs.
    pub(crate) observers: Vec<Arc<dyn Observer>>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            auth: AuthMode::Local,
            manage: ManageMode::Local,
            hosts: Vec::new(),
            identity: IdentityConfig::default(),
            limits: Limits { runs_per_minute: None, ..Limits::default() },
            beforehand: AutoApprove::Nothing,
            database: None,
            log_key: None,
            engine: None,
            top: String::new(),
            config: String::new(),
            workspace: false,
            task: None,
            observers: Vec::new(),
        }
    }
}

impl Desk {
    /// A server whose model is a small script of ours.
    pub(crate) async fn demo() -> Self {
        Self::start(Setup::default(), None).await
    }

    /// A server whose model says this.
    pub(crate) async fn saying(script: Script) -> (Self, ModelServer) {
        Self::with(Setup::default(), script).await
    }

    /// A server set up so, whose model says this.
    pub(crate) async fn with(setup: Setup, script: Script) -> (Self, ModelServer) {
        let model = ModelServer::start(script).await;
        (Self::start(setup, Some(model.base_url())).await, model)
    }

    pub(crate) async fn start(setup: Setup, model: Option<&str>) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), setup, model).await
    }

    pub(crate) async fn start_in(folder: TempDir, setup: Setup, model: Option<&str>) -> Self {
        let file = folder.path().join("toolwright.toml");
        let model = match model {
            Some(base) => format!("[model]\nbase_url = \"{base}\"\nname = \"scripted\"\n"),
            None => "[model]\nname = \"demo\"\n".to_owned(),
        };
        let embeddings = "[embeddings]\nsource = \"off\"\n";
        let database =
            setup.database.as_ref().map(|it| format!("database = {it:?}\n")).unwrap_or_default();
        let Setup { top, config, .. } = &setup;
        std::fs::write(&file, format!("{database}{top}{model}{embeddings}{config}")).unwrap();
        let workspace = folder.path().join("work");
        std::fs::create_dir_all(&workspace).unwrap();
        // Whoever runs this owns the folder.
        let mut of_packs = BTreeMap::from([(("workspace", "allow_root"), "true".to_owned())]);
        if setup.workspace {
            let path = workspace.to_str().unwrap().to_owned();
            of_packs.insert(("workspace", "path"), path);
        }
        let flags = Flags {
            config: Some(file),
            data: Some(folder.path().join("data")),
            task: setup.task.map(str::to_owned),
            packs: of_packs,
            ..Flags::default()
        };
        let config = loaded(&flags, folder.path(), setup.log_key.as_deref());
        let waiting = PendingApprovals::new(setup.beforehand);
        let metrics = Arc::new(Metrics::new());
        let (asked, mut seen) = (Arc::new(waiting.clone()), setup.observers);
        seen.push(metrics.clone());
        let host = AgentPool::open(flags, config, asked, setup.beforehand, seen).await.unwrap();
        let settings = Settings {
            address: ([127, 0, 0, 1], 0).into(),
            auth: setup.auth,
            manage: setup.manage,
            token: Token::new(TOKEN).unwrap(),
            hosts: setup.hosts,
            identity: setup.identity,
            folder: folder.path().join("data/server"),
            limits: setup.limits,
        };
        let host = Arc::new(host);
        let engine = setup.engine.map(|make| make(host.clone()));
        let server = Server::bind(settings, host, waiting, metrics, engine).await.unwrap();
        let (address, link) = (server.address(), server.link().await.unwrap());
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(server.serve(async {
            let _ = stopped.await;
        }));
        Self { address, link, folder, stop: Some(stop), serving: Some(serving) }
    }

    /// Stops the server, and waits until it has ended.
    pub(crate) async fn stop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        if let Some(serving) = self.serving.take() {
            timeout(PATIENCE, serving).await.expect("the server ends").unwrap();
        }
    }

    pub(crate) fn work(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    /// A browser that was let in with a new link.
    pub(crate) async fn browser(&self) -> Browser {
        let link = self.post("/api/launch", &json!({})).await.json();
        Browser::with_link(self.address, link["url"].as_str().unwrap()).await
    }

    /// The socket for programs of the same user.
    pub(crate) fn socket(&self) -> std::path::PathBuf {
        self.data().join(format!("server/{}.sock", self.address.port()))
    }

    pub(crate) fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    /// A request as a program of the same user makes it.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        ask(self.address, &Request::new("GET", path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        ask(self.address, &Request::new("POST", path).json(body)).await
    }

    /// A question, and everything that happens up to its end.
    pub(crate) async fn chat(&self, message: &str) -> Vec<Value> {
        self.chat_with(json!({"message": message})).await
    }

    pub(crate) async fn chat_with(&self, body: Value) -> Vec<Value> {
        let answer = self.post("/api/chat/stream", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.events().into_iter().map(|(_, event)| event).collect()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
    }
}

/// A request, as it is sent.
#[derive(Clone)]
pub(crate) struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        let (method, path) = (method.to_owned(), path.to_owned());
        Self { method, path, headers: Vec::new(), body: Vec::new() }
    }

    /// Sets a header; one that is set twice is sent once.
    /// One more line of that name.
    pub(crate) fn also(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(it, _)| !it.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn body(mut self, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.header("content-type", kind).header("content-length", &length)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub(crate) fn bytes(&self, address: SocketAddr) -> Vec<u8> {
        let mut text = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        let is_named = self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        if !is_named {
            text.push_str(&format!("Host: {address}\r\n"));
        }
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("Connection: close\r\n\r\n");
        [text.as_bytes(), &self.body].concat()
    }
}

/// A browser that was let in with a link.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) cookie: String,
    pub(crate) key: String,
}

impl Browser {
    /// Follows a link, which may name another address of the same.
    pub(crate) async fn with_link(address: SocketAddr, link: &str) -> Self {
        let request = Request::new("GET", followed(link)).header("User-Agent", "Browser 1.0");
        Self::let_in(&ask(address, &request).await)
    }

    /// The one that this lets in.
    pub(crate) fn let_in(answer: &Answer) -> Self {
        let cookie = answer.headers.get("set-cookie").unwrap_or_else(|| panic!("{answer:?}"));
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let key = answer.headers["location"].strip_prefix("/#key=").unwrap().to_owned();
        Self { cookie, key }
    }

    /// A request that its page makes.
    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        let request = Request::new(method, path)
            .header("Sec-Fetch-Site", "same-origin")
            .header("Cookie", &self.cookie)
            .header("X-Toolwright-Key", &self.key);
        if method == "GET" { request } else { request.json(&json!({})) }
    }
}

/// What a link asks for, wherever it leads.
pub(crate) fn followed(link: &str) -> &str {
    &link[link.find("/?token=").unwrap_or_else(|| panic!("no link: {link}"))..]
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HashMap<String, String>,
    /// The cookie of a browser that was signed in.
    pub(crate) session: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The server-sent events, each with its id.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        events(&self.text())
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let pairs = lines.filter_map(|line| line.split_once(": "));
        let headers: HashMap<_, _> =
            pairs.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        let mut cookies = head.split("\r\n").filter_map(|line| line.split_once(": "));
        let session = cookies.find_map(|(name, value)| {
            let is_it = name.eq_ignore_ascii_case("set-cookie");
            let pair = value.split(';').next().filter(|_| is_it)?;
            pair.starts_with("toolwright_session=").then(|| pair.to_owned())
        });
        let body = &bytes[end + 4..];
        let is_chunked = headers.get("transfer-encoding").is_some_and(|it| it == "chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_vec() };
        Some(Self { status, headers, session, body })
    }
}

/// The data of a chunked body, as far as it came.
pub(crate) fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|it| it == b"\r\n") {
        let size = std::str::from_utf8(&body[..end]).unwrap_or("0");
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        let from = end + 2;
        if size == 0 || body.len() < from + size {
            break;
        }
        whole.extend_from_slice(&body[from..from + size]);
        body = body.get(from + size + 2..).unwrap_or_default();
    }
    whole
}

/// The server-sent events in a text, each with its id.
pub(crate) fn events(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split("\n\n").filter(|block| block.contains("data: "));
    blocks
        .filter_map(|block| {
            let mut lines = block.lines();
            let id = lines.clone().find_map(|line| line.strip_prefix("id: ")).unwrap_or_default();
            let data = lines.find_map(|line| line.strip_prefix("data: "))?;
            Some((id.to_owned(), serde_json::from_str(data).unwrap_or(Value::from(data))))
        })
        .collect()
}

/// One request, and everything that comes back until the other side is done.
pub(crate) async fn ask(address: SocketAddr, request: &Request) -> Answer {
    exchange(address, &request.bytes(address)).await.expect("an answer")
}

/// Bytes, and what comes back for them; nothing where the other side only hangs up.
pub(crate) async fn exchange(address: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The other side may have heard enough before everything was said.
    let _ = stream.write_all(bytes).await;
    let mut back = Vec::new();
    timeout(PATIENCE, async {
        let mut part = [0; 16 << 10];
        while let Ok(read) = stream.read(&mut part).await {
            if read == 0 {
                break;
            }
            back.extend_from_slice(&part[..read]);
        }
    })
    .await
    .expect("the other side is done");
    Answer::parse(&back)
}

/// A stream that is listened to, event by event.
pub(crate) struct Listening {
    stream: TcpStream,
    back: Vec<u8>,
    heard: usize,
}

impl Listening {
    pub(crate) async fn to(address: SocketAddr, request: &Request) -> Self {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(&request.bytes(address)).await.unwrap();
        Self { stream, back: Vec::new(), heard: 0 }
    }

    /// The next event; nothing when the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            let all = Answer::parse(&self.back).map(|it| it.events()).unwrap_or_default();
            // A block that is cut off is no event yet: the parser leaves it out.
            if let Some(event) = all.into_iter().nth(self.heard) {
                self.heard += 1;
                return Some(event);
            }
            let mut part = [0; 16 << 10];
            let read = timeout(PATIENCE, self.stream.read(&mut part)).await.expect("something");
            match read {
                Ok(0) | Err(_) => return None,
                Ok(read) => self.back.extend_from_slice(&part[..read]),
            }
        }
    }

    /// Everything that came so far, as text.
    pub(crate) fn text(&self) -> String {
        Answer::parse(&self.back).map(|it| it.text()).unwrap_or_default()
    }

    /// Events up to the first of this kind.
    pub(crate) async fn until(&mut self, kind: &str) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            let is_it = event.1["type"] == kind;
            all.push(event);
            if is_it {
                return all;
            }
        }
        panic!("no {kind} in {all:?}")
    }
}

pub(crate) fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap_or_default()).collect()
}

/// Everything that lies in a folder, as one text.
pub(crate) fn everything_in(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.push_str(&everything_in(&path));
        } else if let Ok(bytes) = std::fs::read(&path) {
            all.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    all
}

/// Settings of nobody's but the test's: what whoever runs it keeps at home, and in variables, is not read.
fn loaded(flags: &Flags, home: &Path, log_key: Option<&str>) -> Config {
    let env = |name: &str| match name {
        "HOME" => Some(home.to_str().unwrap().to_owned()),
        "TOOLWRIGHT_LOG_KEY" => log_key.map(str::to_owned),
        _ => None,
    };
    Config::load_from(&packs(), flags, &env).unwrap()
}

/// A server at this address, not serving.
pub(crate) async fn bind(address: SocketAddr, auth: AuthMode) -> Result<Server, ServerError> {
    bind_with(address, auth, IdentityConfig::default()).await
}

/// The same, where people sign in so.
pub(crate) async fn bind_with(
    address: SocketAddr,
    auth: AuthMode,
    identity: IdentityConfig,
) -> Result<Server, ServerError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("toolwright.toml");
    std::fs::write(&file, "[model]\nname = \"demo\"\n").unwrap();
    let data = Some(folder.path().join("data"));
    let flags = Flags { config: Some(file), data, ..Flags::default() };
    let config = loaded(&flags, folder.path(), None);
    let waiting = PendingApprovals::default();
    let (asked, before) = (Arc::new(waiting.clone()), AutoApprove::Nothing);
    let host = AgentPool::open(flags, config, asked, before, Vec::new()).await.unwrap();
    let (token, limits) = (Token::new(TOKEN).unwrap(), Limits::default());
    let (hosts, folder) = (Vec::new(), folder.path().join("data/server"));
    let manage = ManageMode::Local;
    let settings = Settings { address, auth, manage, token, hosts, identity, folder, limits };
    Server::bind(settings, Arc::new(host), waiting, Arc::new(Metrics::new()), None).await
}

/// Every pack there is.
pub(crate) fn packs() -> PackRegistry {
    PackRegistry::new()
        .with(toolwright_demo::DemoPack)
        .with(toolwright_market::MarketPack)
        .with(toolwright_watch::WatchPack)
        .with(toolwright_workspace::WorkspacePack)
        .with(toolwright_testkit::BookingPack)
}
