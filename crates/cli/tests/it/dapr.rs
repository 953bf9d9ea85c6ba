//! Dapr's conversation API through the real program, both ways: one serves in the place of a sidecar, another asks
//! it as a model.
#![cfg(target_os = "linux")]

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{Child, Command},
};
use toolwright_testkit::{ModelServer, Reply, Script, as_nobody, is_root};

use crate::harness::{Cli, KEY};

const TOKEN: &str = "a-token-of-the-operators-own";

/// A server in the place of a sidecar.
struct Serving {
    process: Child,
    grpc: String,
    http: String,
}

impl Serving {
    async fn start(cli: &Cli, more: &[&str]) -> Self {
        let ports = ["--dapr-grpc", "127.0.0.1:0", "--dapr-http", "localhost:0"];
        let args = [&["--json", "serve", "--addr", "127.0.0.1:0"], &ports[..], more].concat();
        let mut process = cli.command(&args).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().expect("it says where it listens");
        let told: Value = serde_json::from_str(&line).unwrap();
        let at = |name: &str| told["dapr"][name].as_str().unwrap().to_owned();
        Self { process, grpc: at("grpc"), http: at("http") }
    }

    /// Somebody who asks it, with the tools of the demo.
    fn client(&self, model: &str) -> Cli {
        let port = self.grpc.rsplit(':').next().unwrap();
        Cli::new().env("TOOLWRIGHT_MODEL", model).env("DAPR_GRPC_PORT", port)
    }
}

/// The status and the body of a request that is made as `who`.
async fn curl(mut who: Command, args: &[&str]) -> (String, String) {
    let args = [&["-s", "-w", "\n%{http_code}"], args].concat();
    let done = who.args(args).stdin(Stdio::null()).output().await.unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let (body, status) = text.rsplit_once('\n').unwrap();
    (status.to_owned(), body.to_owned())
}

fn hello() -> String {
    json!({"inputs": [{"messages": [{"ofUser": {"content": [{"text": "Hello"}]}}]}]}).to_string()
}

/// The tool runs where the question was asked; the model is behind the other program.
#[tokio::test]
async fn one_asks_the_other() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "calculate_tip", r#"{"amount": 45.6, "percentage": 20}"#)]))
        .reply(Reply::text("The tip is $9.12."));
    let model = ModelServer::start(script).await;
    let cli = Cli::asking(&model);
    let mut serving = Serving::start(&cli, &["--task", "general"]).await;
    let asking = serving.client("dapr:toolwright");
    let done = asking.run(&["--json", "ask", "A 20% tip on $45.60?"]).await;
    assert_eq!(done.code, Some(0), "{done:?}");
    let events = done.events();
    let last = events.last().unwrap();
    assert_eq!(last["response"], "The tip is $9.12.", "{last}");
    model.assert_clean();
    // The caller's tools went to the model, and not those of the server's task.
    let sent = model.requests();
    let tools = sent[0].body["tools"].as_array().unwrap();
    assert!(tools.iter().any(|it| it["function"]["name"] == "calculate_tip"), "{tools:?}");
    let result = sent[1].body["messages"].as_array().unwrap().last().unwrap();
    assert_eq!((&result["role"], &result["tool_call_id"]), (&json!("tool"), &json!("call_1")));
    assert!(result["content"].as_str().unwrap().contains("9.12"), "{result}");

    let doctor = asking.run(&["doctor"]).await;
    let all = format!("{}{}", doctor.out, doctor.err);
    assert!(all.contains("the Dapr sidecar answers and has `toolwright`"), "{all}");
    let other = serving.client("dapr:gpt").run(&["doctor"]).await;
    let all = format!("{}{}", other.out, other.err);
    assert!(all.contains("no conversation component `gpt`") && all.contains("it has: toolwright"));
    let wrong = serving.client("dapr:gpt").run(&["ask", "Hello"]).await;
    assert!(wrong.code == Some(1) && wrong.err.contains("--model dapr:NAME"), "{wrong:?}");
    serving.process.kill().await.unwrap();
    let gone = asking.run(&["ask", "Hello"]).await;
    assert!(gone.code == Some(1) && gone.err.contains("no Dapr sidecar answers"), "{gone:?}");
    assert!(gone.err.contains("DAPR_GRPC_PORT"), "{gone:?}");
}

#[tokio::test]
async fn who_may_ask_is_as_at_the_server() {
    let model = ModelServer::start(Script::new().reply(Reply::text("Hello."))).await;
    let cli =
        Cli::asking(&model).env("TOOLWRIGHT_TOKEN", TOKEN).env("TOOLWRIGHT_LOG", "audit=info");
    let mut serving = Serving::start(&cli, &["--auth", "token", "--dapr-component", "llm"]).await;
    let me = || Command::new("curl");
    let health = format!("http://{}/v1.0/healthz/outbound", serving.http);
    assert_eq!(curl(me(), &[&health]).await.0, "204");
    let url = format!("http://{}/v1.0-alpha2/conversation/llm/converse", serving.http);
    let (status, body) = curl(me(), &["-d", &hello(), &url]).await;
    assert!(status == "401" && body.contains("DAPR_API_TOKEN"), "{status}: {body}");
    let token = format!("dapr-api-token: {TOKEN}");
    let (status, body) = curl(me(), &["-H", &token, "-d", &hello(), &url]).await;
    assert!(status == "200" && body.contains("Hello."), "{status}: {body}");

    let stranger = serving.client("dapr:llm").run(&["ask", "Hello"]).await;
    assert!(stranger.code == Some(1) && stranger.err.contains("DAPR_API_TOKEN"), "{stranger:?}");
    let guessing = serving.client("dapr:llm").env("DAPR_API_TOKEN", "wrong-canary-token");
    let guessing = guessing.run(&["ask", "Hello"]).await;
    assert!(guessing.code == Some(1) && !guessing.err.contains("canary"), "{guessing:?}");
    let known = serving.client("dapr:llm").env("DAPR_API_TOKEN", TOKEN);
    let doctor = known.run(&["doctor"]).await;
    let all = format!("{}{}", doctor.out, doctor.err);
    assert!(all.contains("has `llm`") && !all.contains(TOKEN), "{all}");
    // Who asked, and who was not let in, is told as of the server's own requests, and nothing secret.
    serving.process.start_kill().unwrap();
    let mut said = String::new();
    serving.process.stderr.take().unwrap().read_to_string(&mut said).await.unwrap();
    let told = |words: &[&str]| {
        let lines = said.lines().filter(|line| words.iter().all(|it| line.contains(it)));
        lines.count()
    };
    assert_eq!(told(&["done action=ask", "/converse", "status=200"]), 1, "{said}");
    assert!(told(&["refused action=ask", "status=401"]) >= 2, "{said}");
    assert!(!said.contains(TOKEN) && !said.contains("canary") && !said.contains("Hello"), "{said}");
}

/// Without a token only programs of the same user come in, and no page of anybody's.
#[tokio::test]
async fn no_other_account_and_no_page_may_ask() {
    let cli = Cli::new();
    let mut serving = Serving::start(&cli, &[]).await;
    let url = format!("http://{}/v1.0/metadata", serving.http);
    assert_eq!(curl(Command::new("curl"), &[&url]).await.0, "200");
    for head in ["origin: http://a.example", "host: a.example", "sec-fetch-site: cross-site"] {
        assert_eq!(curl(Command::new("curl"), &["-H", head, &url]).await.0, "401", "{head}");
    }
    if is_root() {
        assert_eq!(curl(Command::from(as_nobody("curl")), &[&url]).await.0, "401");
    }
    serving.process.kill().await.unwrap();
}

#[tokio::test]
async fn ports_are_for_this_machine_unless_everybody_needs_the_token() {
    let cli = Cli::new();
    let serve = ["serve", "--addr", "127.0.0.1:0"];
    let open = cli.run(&[&serve[..], &["--dapr-grpc", "0.0.0.0:0"]].concat()).await;
    assert!(open.code == Some(2) && open.err.contains("--auth token"), "{open:?}");
    let alone = cli.run(&[&serve[..], &["--dapr-component", "llm"]].concat()).await;
    assert!(alone.code == Some(2) && alone.err.contains("--dapr-grpc"), "{alone:?}");
    let none = cli.run(&[&serve[..], &["--dapr-http", "3500"]].concat()).await;
    assert!(none.code == Some(2) && none.err.contains("an address and a port"), "{none:?}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = taken.local_addr().unwrap().to_string();
    let taken = cli.run(&[&serve[..], &["--dapr-grpc", &at]].concat()).await;
    assert!(taken.code == Some(2) && taken.err.contains(&at), "{taken:?}");
}

#[tokio::test]
async fn keys_go_neither_to_an_application_nor_to_a_model() {
    let said = format!("Your key is {KEY}.");
    let model = ModelServer::start(Script::new().reply(Reply::text(said))).await;
    let cli = Cli::asking(&model);
    let mut serving = Serving::start(&cli, &[]).await;
    let path = "/v1.0-alpha2/conversation/toolwright/converse";
    let url = format!("http://{}{path}", serving.http.trim_start_matches("http://"));
    let asked = hello().replace("Hello", &format!("Is it {KEY}?"));
    let (status, body) = curl(Command::new("curl"), &[&url, "-d", &asked]).await;
    assert!(status == "200" && body.contains("Your key is"), "{status}: {body}");
    assert!(!body.contains(KEY), "{body}");
    let sent = model.requests()[0].body["messages"].to_string();
    assert!(sent.contains("Is it") && !sent.contains(KEY), "{sent}");
    serving.process.kill().await.unwrap();
}
