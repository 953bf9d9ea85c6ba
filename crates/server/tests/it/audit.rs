//! Who did what, as it is told under the target `audit`: each request that does something once, and never what was said.

use std::sync::{Arc, Mutex, OnceLock};

use serde_json::{Value, json};
use toolwright_server::{AuthMode, IdentityConfig};
use toolwright_testkit::{Reply, Script};
use tracing::{Event, Subscriber, field, span};

use crate::{
    harness::{Answer, Desk, Listening, Request, Setup, TOKEN, ask},
    mcp::call,
    teams::{Client, filled, strict},
};

/// What is told under the target `audit`. Everything that is told in this process is heard: whoever did it in a test has a
/// name of their own.
#[derive(Clone, Default)]
struct Audit(Arc<Mutex<Vec<String>>>);

impl Audit {
    /// The one there is.
    fn heard() -> &'static Self {
        static HEARD: OnceLock<Audit> = OnceLock::new();
        HEARD.get_or_init(|| {
            let audit = Self::default();
            tracing::subscriber::set_global_default(audit.clone()).unwrap();
            audit
        })
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    /// The lines that have all these words.
    fn told(&self, words: &[&str]) -> Vec<String> {
        let all = self.lines().into_iter();
        all.filter(|line| words.iter().all(|it| line.contains(it))).collect()
    }
}

impl Subscriber for Audit {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "audit"
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        struct Line(String);
        impl field::Visit for Line {
            fn record_debug(&mut self, field: &field::Field, value: &dyn std::fmt::Debug) {
                self.0 += &format!("{}={value:?} ", field.name());
            }
        }
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn who_did_what_is_told_and_never_what_was_said() {
    let audit = Audit::heard();
    let desk = strict().await;
    let audited = Client::new(&desk, "audited", "ask").await;
    let id = audited.chat("A tip on $7310.42?").await;
    audited.ask("GET", &format!("/api/conversations/{id}/export")).await;
    audited.ask("POST", &format!("/api/conversations/{id}/decisions")).await;
    let fork = audited.ask("POST", &format!("/api/conversations/{id}/fork")).await.json();
    audited.ask("DELETE", &format!("/api/conversations/{id}")).await;
    let unknown = format!("/api/conversations/{id}");
    ask(desk.address, &Request::new("GET", &unknown)).await;
    let of = format!("conversation=\"{id}\"");
    let who = "who=\"audited\" owner=\"token:audited\" way=\"token\" from=\"127.0.0.1\"";
    let once = |words: &[&str]| assert_eq!(audit.told(words).len(), 1, "{words:?}");
    once(&["action=\"ask\"", who, &of, "run=\"run", "status=200"]);
    once(&["action=\"export\"", who, &of]);
    once(&["action=\"decide\"", who, &of, "refused", "status=403"]);
    let into = format!("into={}", fork["id"]);
    once(&["action=\"fork\"", who, &of, &into, "done"]);
    once(&["action=\"delete\"", who, &of, "done"]);
    once(&["action=\"read\"", "refused", "status=401", &unknown]);
    once(&["action=\"token_add\"", "token=\"audited\"", "owner=\"token:audited\""]);
    for secret in ["7310.42", audited.token.as_str(), TOKEN] {
        assert_eq!(audit.told(&[secret]), Vec::<String>::new());
    }
}

/// Behind a proxy everybody has its address: where somebody comes from is what it says, if it is believed.
#[tokio::test(flavor = "multi_thread")]
async fn from_where_somebody_comes_is_what_a_trusted_proxy_says() {
    let audit = Audit::heard();
    for (at, trusted, from) in
        [("first", vec!["127.0.0.0/8"], "203.0.113.9"), ("second", vec![], "127.0.0.1")]
    {
        let trusted = trusted.into_iter().map(str::to_owned).collect();
        let identity = IdentityConfig { trusted, ..IdentityConfig::default() };
        let setup = Setup { auth: AuthMode::Token, identity, ..Setup::default() };
        let desk = Desk::start(setup, None).await;
        let path = format!("/api/conversations/proxied-{at}");
        let request =
            Request::new("GET", &path).header("X-Forwarded-For", "198.51.100.1, 203.0.113.9");
        assert_eq!(ask(desk.address, &request).await.status, 401);
        let told = audit.told(&[&path, "refused"]);
        assert!(told.len() == 1 && told[0].contains(&format!("from=\"{from}\"")), "{told:?}");
    }
}

/// An operation, and what the description says of it.
struct Operation {
    method: String,
    path: String,
    /// What it is called in the audit log, always or where it shows what is another's.
    each: Option<String>,
    others: Option<String>,
}

async fn operations(client: &Client<'_>) -> Vec<Operation> {
    let description = client.ask("GET", "/api/openapi.json").await.json();
    let paths = description["paths"].as_object().unwrap().clone();
    let mut all = Vec::new();
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            let word = |key: &str| operation[key].as_str().map(str::to_owned);
            let (each, others) = (word("x-audit"), word("x-audit-others"));
            all.push(Operation { method: method.to_uppercase(), path: path.clone(), each, others });
        }
    }
    all
}

/// Sends a request, and says what it was answered with once that is known; a stream may go on.
async fn status(client: &Client<'_>, method: &str, path: &str) -> u16 {
    if !path.ends_with("/stream") || method != "GET" {
        return client.ask(method, path).await.status;
    }
    let request = client.request(method, path).header("Last-Event-ID", "0");
    let mut stream = Listening::to(client.desk.address, &request).await;
    if stream.next().await.is_some() { 200 } else { 204 }
}

/// One request for each that there is, in a conversation of one's own and in another's.
#[tokio::test(flavor = "multi_thread")]
async fn each_request_gives_the_lines_that_the_table_says() {
    let audit = Audit::heard();
    // One that is asked over a network: what it was sent can be read.
    let script = (0..500).fold(Script::new(), |script, _| script.reply(Reply::text("Sure.")));
    let setup = Setup { auth: AuthMode::Token, ..Setup::default() };
    let (desk, _model) = Desk::with(setup, script).await;
    let walker = Client::new(&desk, "walker", "admin").await;
    let other = Client::new(&desk, "walked", "ask").await;
    let mut read = Vec::new();
    for (is_own, owner) in [(true, &walker), (false, &other)] {
        for Operation { method, path, each, others } in operations(&walker).await {
            let asked = owner.post("/api/chat/stream", &json!({"message": "A tip on $1?"})).await;
            let names = ["x-conversation-id", "x-run-id"].map(|it| asked.headers[it].clone());
            let named = path.replace("{id}", &names[0]).replace("{run}", &names[1]);
            let at = filled(&named.replace("{round}", "1"));
            let who = "who=\"walker\"";
            let before = audit.told(&[who]).len();
            let status = status(&walker, &method, &at).await;
            let told = audit.told(&[who]).split_off(before);
            let is_success = (200..300).contains(&status);
            let shows_others = match path.as_str() {
                // Somebody else's were there from the first time on.
                "/api/conversations" => !is_own,
                _ => is_success && !is_own,
            };
            let wanted = match (&each, &others) {
                // Nobody signs in here.
                _ if path.starts_with("/api/sign-in") => None,
                (Some(action), _) => Some(action),
                (None, Some(action)) if shows_others => Some(action),
                _ => None,
            };
            let what = format!("{method} {at} ({status}) by its owner: {is_own}: {told:#?}");
            assert_eq!(told.len(), usize::from(wanted.is_some()), "{what}");
            for line in told {
                let action = wanted.unwrap();
                assert!(line.contains(&format!("action=\"{action}\"")), "{what}");
                assert!(line.contains(&format!("path={at:?} status={status}")), "{what}");
                if path.contains("{id}") {
                    assert!(line.contains(&format!("conversation={:?}", names[0])), "{what}");
                }
                if others.is_some() {
                    read.push(path.clone());
                }
            }
        }
    }
    // By hand, so that none of it passes because nothing was read.
    for rest in
        ["", "/events", "/stream", "/messages", "/decisions", "/runs/{run}/rounds/{round}/request"]
    {
        let path = format!("/api/conversations/{{id}}{rest}");
        assert!(read.contains(&path), "{path} was not read: {read:?}");
    }
    assert!(read.contains(&"/api/conversations".to_owned()), "{read:?}");
    // However its name is written.
    let id = other.chat("A tip on $2?").await;
    let written: String = id.bytes().map(|it| format!("%{it:02x}")).collect();
    assert_eq!(walker.ask("GET", &format!("/api/conversations/{written}")).await.status, 200);
    let of = format!("conversation=\"{id}\"");
    assert_eq!(audit.told(&["who=\"walker\"", "action=\"read\"", &of]).len(), 1);
}

fn data(answer: &Answer) -> Vec<Value> {
    let text = answer.text();
    let lines = text.lines().filter_map(|it| it.strip_prefix("data: "));
    lines.filter_map(|it| serde_json::from_str(it).ok()).collect()
}

/// What other protocols bring is told as what it is.
#[tokio::test(flavor = "multi_thread")]
async fn questions_and_decisions_of_other_protocols_are_told_with_their_conversation() {
    let audit = Audit::heard();
    let edit = r#"{"file_path":"a.txt","old_string":"old","new_string":"new"}"#;
    let script = Script::new()
        .reply(Reply::calls([("c1", "edit", edit)]))
        .reply(Reply::text("Done."))
        .reply(Reply::text("Sure."));
    let setup = Setup { workspace: true, auth: AuthMode::Token, ..Setup::default() };
    let (desk, _model) = Desk::with(setup, script).await;
    std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    let client = Client::new(&desk, "adapted", "admin").await;
    let asker = Client::new(&desk, "adapted-asker", "ask").await;
    let message = json!([{"id": "m1", "role": "user", "content": "Edit it, old as it is"}]);
    let mut body =
        json!({"threadId": "thread-adapted-0001", "runId": "run-1", "messages": message});
    let events = data(&client.post("/api/chat/ag-ui", &body).await);
    let interrupt = events.last().unwrap()["outcome"]["interrupts"][0]["id"].clone();
    let interrupt = interrupt.as_str().unwrap().to_owned();
    // What a client calls a conversation is a name among its own.
    let of = format!("conversation={}", client.list("").await[0]["id"]);
    let of = of.as_str();
    let once = |words: &[&str]| {
        let told = audit.told(words);
        assert_eq!(told.len(), 1, "{words:?}: {:#?}", audit.told(&["adapted"]));
    };
    once(&["action=\"ask\"", "who=\"adapted\"", of, "run=\"run_", "status=200"]);
    let resolved =
        json!({"interruptId": interrupt, "status": "resolved", "payload": {"approved": true}});
    let gone = json!({"interruptId": "c9#none", "status": "cancelled"});
    body["resume"] = json!([resolved, gone]);
    // What it would be about is told, also of who may not.
    assert_eq!(asker.post("/api/chat/ag-ui", &body).await.status, 403);
    let (call, shown) = interrupt.split_once('#').unwrap();
    let about = format!("call={call:?} fingerprint={shown:?} verdict=\"allow\"");
    once(&["action=\"decide\"", "who=\"adapted-asker\"", &about, "status=403"]);
    // One of two is nothing that waits: then neither is decided.
    assert_eq!(client.post("/api/chat/ag-ui", &body).await.status, 404);
    once(&["action=\"decide\"", "who=\"adapted\"", of, &about, "status=404"]);
    once(&[
        "action=\"decide\"",
        "who=\"adapted\"",
        of,
        "call=\"c9\"",
        "verdict=\"deny\"",
        "status=404",
    ]);
    body["resume"] = json!([resolved]);
    let events = data(&client.post("/api/chat/ag-ui", &body).await);
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{events:#?}");
    once(&["action=\"decide\"", "who=\"adapted\"", of, "run=\"run_", &about, "status=200"]);

    let parts = json!([{"role": "user", "parts": [{"type": "text", "text": "Hello"}]}]);
    let chat = json!({"id": "thread-adapted-0002", "messages": parts});
    assert_eq!(client.post("/api/chat/ai-sdk", &chat).await.status, 200);
    let id = client.list("").await[0]["id"].as_str().unwrap().to_owned();
    let of = format!("conversation={id:?}");
    once(&["action=\"ask\"", "who=\"adapted\"", &of, "run=\"run_", "status=200"]);
    let export = client.ask("GET", &format!("/api/conversations/{id}/export")).await.json();
    assert_eq!(client.post("/api/conversations/import", &export).await.status, 200);
    once(&["action=\"import\"", "who=\"adapted\"", &of, "status=200"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_over_mcp_is_told_with_its_run() {
    let audit = Audit::heard();
    let desk = strict().await;
    let client = Client::new(&desk, "calling", "admin").await;
    let asked = call("calling", "get_weather", json!({"location": "Rome"}));
    let asked = asked.header("Authorization", &format!("Bearer {}", client.token));
    assert_eq!(ask(desk.address, &asked).await.status, 200);
    let id = client.list("").await[0]["id"].clone();
    let of = format!("conversation={id}");
    let told =
        audit.told(&["action=\"ask\"", "who=\"calling\"", "path=\"/mcp\"", &of, "run=\"run_"]);
    assert_eq!(told.len(), 1, "{:#?}", audit.told(&["calling"]));
}
